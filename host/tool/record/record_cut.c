// SPDX-License-Identifier: MIT
#include "tool/record/record.h"

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

static bool is_command(const struct call *call)
{
	static const char *const waits[] = { "clFinish", "clFlush", "clWaitForEvents" };

	for (unsigned i = 0; i < sizeof waits / sizeof *waits; i++)
		if (!strcmp(call->name, waits[i]))
			return true;
	return call->kind == CALL_ENQUEUE;
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

void record_cut_choices(
	const struct record *record, size_t item, bool *is_dropped, bool *is_cleared)
{
	struct record_entry entry;

	record_decode(record, item, &entry);
	bool has_arguments = entry.call && entry.call->n;
	*is_dropped =
		entry.type == RECORD_HOST_WROTE || (has_arguments && is_command(entry.call->call));
	*is_cleared = entry.type == RECORD_HOST_WROTE || (has_arguments && contents_of(entry.call));
	record_free(&entry.memory);
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

/* Whether a call is kept; what it uses is needed then. */
static bool choose_call(struct cutting *cutting, const struct record_call *call, bool is_dropped)
{
	int kernel = call_param_find(call->call, 'K'), list = call_param_find(call->call, 'w');

	if (is_command(call->call) ? is_dropped : !is_needed(cutting, call))
		return false;
	visit_uses(cutting, call, need);
	for (uint32_t k = 0; list >= 0 && k < call->values[list].count; k++)
		need(cutting, 'E', call->values[list].numbers[k]);
	if (call_runs_kernels(call->call) && kernel >= 0 &&
		call->values[kernel].number < cutting->n_ids)
		cutting->arguments[call->values[kernel].number] = 0;
	return true;
}

/* Backwards: what is kept decides about what is before it. */
static void choose(struct cutting *cutting)
{
	const struct record *record = cutting->cut->record;

	for (size_t i = record->n; i-- > 0;) {
		struct record_entry entry;
		bool is_dropped = cutting->cut->drops[i];

		record_decode(record, i, &entry);
		enum record_type type = entry.type;
		cutting->keeps[i] = type == RECORD_DEVICE || type == RECORD_HEADER ||
				    type == RECORD_KERNEL || type == RECORD_BASE ||
				    type == RECORD_ENTERED ||
				    (type == RECORD_HOST_WROTE && !is_dropped) ||
				    (entry.call && entry.call->n &&
					    choose_call(cutting, entry.call, is_dropped));
		record_free(&entry.memory);
	}
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
			const void *bytes = is_cleared ? zeros : chunk->data;
			cutting->failed |= !record_write_chunk(
				cutting->fd, cutting->n_chunks, bytes, chunk->size);
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

/* False if what the call needs is not there. */
static bool take_call(struct cutting *cutting, struct record_call *call, bool is_cleared)
{
	if (!call->n || !visit_uses(cutting, call, is_there) || !keep_events(cutting, call))
		return false;
	struct record_content *cleared = is_cleared ? contents_of(call) : NULL;
	for (unsigned v = 0; v < call->n; v++)
		for (uint32_t k = 0; k < call->values[v].count; k++)
			if (call->values[v].tag == RECORD_CONTENTS)
				take_content(cutting, &call->values[v].contents[k],
					&call->values[v].contents[k] == cleared);
	made(cutting, call);
	return true;
}

static void write_all(struct cutting *cutting)
{
	cutting->failed |= !record_write_calls(cutting->fd);
	for (size_t i = 0; i < cutting->cut->record->n; i++) {
		bool is_cleared = cutting->cut->clears[i];
		struct record_entry entry;

		if (!cutting->keeps[i])
			continue;
		record_decode(cutting->cut->record, i, &entry);
		if (entry.call ? take_call(cutting, entry.call, is_cleared)
			       : !entry.is_bad &&
					 (entry.type != RECORD_HOST_WROTE ||
						 is_there(cutting, 'M', entry.numbers[0]))) {
			take_content(cutting, &entry.content, is_cleared);
			cutting->failed |= !record_write(cutting->fd, &entry);
		}
		record_free(&entry.memory);
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
