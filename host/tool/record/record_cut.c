// SPDX-License-Identifier: MIT
#include "tool/record/record_cut.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct cutting {
	const struct record_cut *cut;
	bool *keeps; /* by item */
	/* By id: whether something that is kept uses it, or (later) has created it. */
	bool *is_needed, *is_made;
	uint64_t *arguments; /* of kernels, by id: those that are set before the next launch */
	uint64_t n_ids;
	uint32_t *chunks; /* by old id: new id + 1 */
	uint32_t n_chunks;
	int fd;
	bool failed;
};

static bool decode(const struct record *record, size_t item, struct record_cursor *cursor,
	struct record_call *call)
{
	record_cursor_init(cursor, record, &record->items[item]);
	return record->items[item].type == RECORD_CALL && record_get_call(cursor, call) && call->n;
}

static bool is_command(const struct call *call)
{
	static const char *const waits[] = { "clFinish", "clFlush", "clWaitForEvents" };

	for (unsigned i = 0; i < sizeof waits / sizeof *waits; i++)
		if (!strcmp(call->name, waits[i]))
			return true;
	return call->kind == CALL_ENQUEUE;
}

bool record_cut_is_command(const struct record *record, size_t item)
{
	struct record_cursor cursor;
	struct record_call call;
	bool is = record->items[item].type == RECORD_HOST_WROTE ||
		  (decode(record, item, &cursor, &call) && is_command(call.call));

	if (record->items[item].type == RECORD_CALL)
		record_cursor_finish(&cursor);
	return is;
}

/* The contents that a call reads from the host; NULL if there are none. */
static struct record_content *contents_of(const struct record_call *call)
{
	int i = call_param_find(call->call, 'h');

	return i >= 0 && call->values[i].tag == RECORD_CONTENTS &&
			       !strstr(call->call->name, "WithIL") && call->values[i].count == 1
		       ? call->values[i].contents
		       : NULL;
}

bool record_cut_has_contents(const struct record *record, size_t item)
{
	struct record_cursor cursor;
	struct record_call call;
	bool has = record->items[item].type == RECORD_HOST_WROTE ||
		   (decode(record, item, &cursor, &call) && contents_of(&call));

	if (record->items[item].type == RECORD_CALL)
		record_cursor_finish(&cursor);
	return has;
}

/* Calls `visit` with each id that the call uses, and the letter; false if one returned false. */
static bool visit_uses(struct cutting *cutting, const struct record_call *call,
	bool (*visit)(struct cutting *cutting, char letter, uint64_t id))
{
	struct call_param params[CALL_MOST_PARAMS];
	unsigned n = call_params(call->call, params);

	for (unsigned i = 0; i < n; i++) {
		const struct record_value *value = &call->values[i];
		char letter = params[i].letter;
		bool is_handle = strchr("DCQMSGKEH", letter) || value->tag == RECORD_SHARED ||
				 (letter == 'k' && value->tag == RECORD_NUMBER);
		uint32_t step = letter == 'X' ? 2 : 1, first = letter == 'I' ? 9 : 0;

		if (is_handle && value->number && !visit(cutting, letter, value->number))
			return false;
		if (!strchr("dqmgwXI", letter) || letter == 'w')
			continue;
		for (uint32_t k = first; k < value->count; k += step)
			if (value->numbers[k] && !visit(cutting, letter, value->numbers[k]))
				return false;
	}
	return true;
}

static bool need(struct cutting *cutting, char letter, uint64_t id)
{
	(void)letter;
	if (id < cutting->n_ids)
		cutting->is_needed[id] = true;
	return true;
}

static bool is_there(struct cutting *cutting, char letter, uint64_t id)
{
	return letter == 'D' || letter == 'd' || (id < cutting->n_ids && cutting->is_made[id]);
}

/* Whether something kept uses what the call creates. */
static bool creates_needed(const struct cutting *cutting, const struct record_call *call)
{
	int array = call_param_find(call->call, 'j');

	for (uint32_t i = 0; array >= 0 && i < call->values[array].count; i++)
		if (call->values[array].numbers[i] < cutting->n_ids &&
			cutting->is_needed[call->values[array].numbers[i]])
			return true;
	return call->result < cutting->n_ids && cutting->is_needed[call->result];
}

/* Whether a call that is no command is needed for those that are kept behind it. */
static bool is_needed(struct cutting *cutting, const struct record_call *call)
{
	const char *name = call->call->name;
	int array = call_param_find(call->call, 'j');
	uint64_t first = call->values[0].number;

	if (call->error || strstr(name, "Retain") || strstr(name, "Release") ||
		strstr(name, "Free"))
		return false;
	if (call->result || array >= 0)
		return creates_needed(cutting, call);
	if (call->values[0].tag != RECORD_NUMBER || first >= cutting->n_ids ||
		!cutting->is_needed[first])
		return false;
	if (strncmp(name, "clSetKernelArg", 14) != 0)
		return true;
	uint64_t bit = (uint64_t)1 << (call->values[1].number & 63);
	bool is_last = !(cutting->arguments[first] & bit) || call->values[1].number > 63;
	cutting->arguments[first] |= bit;
	return is_last;
}

/* Backwards: what is kept decides about what is before it. */
static void choose(struct cutting *cutting)
{
	const struct record *record = cutting->cut->record;

	for (size_t i = record->n; i-- > 0;) {
		struct record_cursor cursor;
		struct record_call call;
		enum record_type type = record->items[i].type;

		cutting->keeps[i] = type == RECORD_DEVICE || type == RECORD_HEADER ||
				    type == RECORD_KERNEL || type == RECORD_BASE ||
				    type == RECORD_ENTERED ||
				    (type == RECORD_HOST_WROTE && !cutting->cut->drops[i]);
		if (decode(record, i, &cursor, &call)) {
			int kernel = call_param_find(call.call, 'K');
			bool keeps = is_command(call.call) ? !cutting->cut->drops[i]
							   : is_needed(cutting, &call);
			cutting->keeps[i] = keeps;
			if (keeps)
				visit_uses(cutting, &call, need);
			/* Events that commands wait for. */
			int list = keeps ? call_param_find(call.call, 'w') : -1;
			for (uint32_t k = 0; list >= 0 && k < call.values[list].count; k++)
				need(cutting, 'E', call.values[list].numbers[k]);
			if (keeps && call_runs_kernels(call.call) && kernel >= 0 &&
				call.values[kernel].number < cutting->n_ids)
				cutting->arguments[call.values[kernel].number] = 0;
		}
		if (type == RECORD_CALL)
			record_cursor_finish(&cursor);
	}
}

static void write_item(struct cutting *cutting, enum record_type type, struct record_bytes *payload)
{
	cutting->failed |= !record_write(cutting->fd, type, payload);
	free(payload->data);
	*payload = (struct record_bytes){ 0 };
}

/* Chunks have new numbers; those that are used are written before their first use. */
static void take_content(struct cutting *cutting, struct record_content *content, bool is_cleared)
{
	const struct record *record = cutting->cut->record;
	static const unsigned char zeros[RECORD_CHUNK_BYTES];

	for (uint32_t i = 0; i < content->n; i++) {
		const struct record_item *chunk = &record->chunks[content->chunks[i]];
		uint32_t none = 0,
			 *number = is_cleared ? &none : &cutting->chunks[content->chunks[i]];
		if (!*number) {
			struct record_bytes payload = { 0 };
			record_put_number(&payload, cutting->n_chunks);
			record_put(&payload, is_cleared ? zeros : chunk->data, chunk->size);
			write_item(cutting, RECORD_CHUNK, &payload);
			*number = ++cutting->n_chunks;
		}
		content->chunks[i] = *number - 1;
	}
}

/* Events of commands that are left out are not waited for. */
static bool keep_events(struct cutting *cutting, struct record_call *call)
{
	int list = call_param_find(call->call, 'w');
	struct record_value *value = &call->values[list < 0 ? 0 : list];
	uint32_t kept = 0;

	if (list < 0 || value->tag != RECORD_NUMBERS)
		return true;
	for (uint32_t i = 0; i < value->count; i++)
		if (is_there(cutting, 'E', value->numbers[i]))
			value->numbers[kept++] = value->numbers[i];
	value->count = kept;
	call->values[list - 1].number = kept;
	if (!kept)
		value->tag = RECORD_NULL;
	return kept || strcmp(call->call->name, "clWaitForEvents") != 0;
}

static void made(struct cutting *cutting, const struct record_call *call)
{
	int array = call_param_find(call->call, 'j'), event = call_param_find(call->call, 'e');
	uint64_t ids[] = { call->result, event < 0 ? 0 : call->values[event].number };

	for (unsigned i = 0; i < 2; i++)
		if (ids[i] < cutting->n_ids)
			cutting->is_made[ids[i]] = true;
	for (uint32_t i = 0; array >= 0 && i < call->values[array].count; i++)
		if (call->values[array].numbers[i] < cutting->n_ids)
			cutting->is_made[call->values[array].numbers[i]] = true;
}

static void write_call(struct cutting *cutting, size_t i)
{
	struct record_bytes payload = { 0 };
	struct record_cursor cursor;
	struct record_call call;

	if (decode(cutting->cut->record, i, &cursor, &call) &&
		visit_uses(cutting, &call, is_there) && keep_events(cutting, &call)) {
		struct record_content *cleared =
			cutting->cut->clears[i] ? contents_of(&call) : NULL;
		for (unsigned v = 0; v < call.n; v++)
			for (uint32_t k = 0;
				call.values[v].tag == RECORD_CONTENTS && k < call.values[v].count;
				k++)
				take_content(cutting, &call.values[v].contents[k],
					&call.values[v].contents[k] == cleared);
		made(cutting, &call);
		record_put_call(&payload, &call);
		write_item(cutting, RECORD_CALL, &payload);
	}
	record_cursor_finish(&cursor);
}

/* Items with an id, an offset, a content and a number; or two texts and a content. */
static void write_other(struct cutting *cutting, size_t i)
{
	const struct record_item *item = &cutting->cut->record->items[i];
	struct record_bytes payload = { 0 };
	struct record_cursor cursor;
	struct record_content content;

	record_cursor_init(&cursor, cutting->cut->record, item);
	if (item->type == RECORD_HOST_WROTE) {
		uint64_t id = record_get_number(&cursor);
		record_put_number(&payload, id);
		record_put_number(&payload, record_get_number(&cursor));
		record_get_content(&cursor, &content);
		uint64_t number = record_get_number(&cursor);
		cursor.bad |= !is_there(cutting, 'M', id);
		if (!cursor.bad)
			take_content(cutting, &content, cutting->cut->clears[i]);
		record_put_content(&payload, &content);
		record_put_number(&payload, number);
	} else if (item->type == RECORD_HEADER) {
		record_put_text(&payload, record_get_text(&cursor));
		record_put_text(&payload, record_get_text(&cursor));
		record_get_content(&cursor, &content);
		if (!cursor.bad)
			take_content(cutting, &content, false);
		record_put_content(&payload, &content);
	} else {
		record_put(&payload, item->data, item->size);
	}
	if (cursor.bad)
		free(payload.data);
	else
		write_item(cutting, item->type, &payload);
	record_cursor_finish(&cursor);
}

static void write_all(struct cutting *cutting)
{
	struct record_bytes payload = { 0 };

	record_put_calls(&payload);
	write_item(cutting, RECORD_CALLS, &payload);
	for (size_t i = 0; i < cutting->cut->record->n; i++)
		if (cutting->keeps[i]) {
			if (cutting->cut->record->items[i].type == RECORD_CALL)
				write_call(cutting, i);
			else
				write_other(cutting, i);
		}
}

static bool pack(const struct cutting *cutting, const char *path, char *why, size_t why_size)
{
	struct stat status;

	if (cutting->failed || fstat(cutting->fd, &status) || !status.st_size) {
		snprintf(why, why_size, "the smaller record cannot be written");
		return false;
	}
	size_t size = (size_t)status.st_size;
	void *raw = mmap(NULL, size, PROT_READ, MAP_SHARED, cutting->fd, 0);
	if (raw == MAP_FAILED) {
		snprintf(why, why_size, "%s", strerror(errno));
		return false;
	}
	bool done = record_pack(path, raw, size, why, why_size);
	munmap(raw, size);
	return done;
}

bool record_cut_write(const struct record_cut *cut, const char *path, char *why, size_t why_size)
{
	struct cutting cutting = { .cut = cut, .n_ids = cut->record->n * CALL_MOST_PARAMS + 64 };
	bool done = false;

	cutting.keeps = calloc(cut->record->n, sizeof *cutting.keeps);
	cutting.is_needed = calloc(cutting.n_ids, sizeof *cutting.is_needed);
	cutting.is_made = calloc(cutting.n_ids, sizeof *cutting.is_made);
	cutting.arguments = calloc(cutting.n_ids, sizeof *cutting.arguments);
	cutting.chunks = calloc(cut->record->n_chunks + 1, sizeof *cutting.chunks);
	cutting.fd = memfd_create("zerocl-reduce", MFD_CLOEXEC);
	snprintf(why, why_size, "no memory");
	if (cutting.keeps && cutting.is_needed && cutting.is_made && cutting.arguments &&
		cutting.chunks && cutting.fd >= 0) {
		choose(&cutting);
		write_all(&cutting);
		done = pack(&cutting, path, why, why_size);
	}
	if (cutting.fd >= 0)
		close(cutting.fd);
	free(cutting.keeps);
	free(cutting.is_needed);
	free(cutting.is_made);
	free(cutting.arguments);
	free(cutting.chunks);
	return done;
}
