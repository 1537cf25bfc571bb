// SPDX-License-Identifier: MIT
#include "layer/call/record_file.h"

#include "util/util_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

/* A packed file: this, and a frame of zstd. */
struct header {
	char magic[8];
	uint32_t version, reserved;
	uint64_t raw_size;
	uint64_t frame_hash; /* XXH3, 64 bits; zstd checks the raw bytes */
};
static const char magic[8] = { 'Z', 'e', 'r', 'o', 'C', 'L', 'r', '\n' };
enum { VERSION = 1 };

const char *const record_layouts[RECORD_TYPES] = { [RECORD_CALLS] = "",
	[RECORD_CHUNK] = "",
	[RECORD_CALL] = "",
	[RECORD_RESULT] = "nc",
	[RECORD_TIMES] = "nnnnn",
	[RECORD_DEVICE] = "ntttn",
	[RECORD_NOTE] = "tt",
	[RECORD_HEADER] = "ttc",
	[RECORD_BASE] = "nnn",
	[RECORD_HOST_WROTE] = "nncn",
	[RECORD_DEVICE_WROTE] = "nncn",
	[RECORD_KERNEL] = "nt",
	[RECORD_BUFFER] = "nc",
	[RECORD_ENTERED] = "n" };

/* A place in the payload of an item. `bad` is set when there is less than was asked for. */
struct cursor {
	const struct record *record;
	const unsigned char *at, *end;
	bool bad;
	struct record_memory *memory;
};

static struct cursor cursor_of(const struct record *record, const struct record_item *item)
{
	return (struct cursor){ record, item->data, item->data + item->size, false, NULL };
}

void *record_allocate(struct record_memory *memory, size_t count, size_t size)
{
	void **blocks = realloc(memory->blocks, (memory->n + 1) * sizeof *blocks);

	if (blocks)
		memory->blocks = blocks;
	void *block = blocks ? calloc(count ? count : 1, size ? size : 1) : NULL;
	if (block)
		memory->blocks[memory->n++] = block;
	memory->failed |= !block;
	return block;
}

void record_free(struct record_memory *memory)
{
	while (memory->n)
		free(memory->blocks[--memory->n]);
	free(memory->blocks);
	*memory = (struct record_memory){ 0 };
}

static void *allocate(struct cursor *cursor, size_t count, size_t size)
{
	void *block = record_allocate(cursor->memory, count, size);

	cursor->bad |= !block;
	return block;
}

static uint64_t get_number(struct cursor *cursor)
{
	uint64_t number = 0;

	for (unsigned shift = 0; cursor->at < cursor->end && shift < 64; shift += 7) {
		unsigned char byte = *cursor->at++;
		number |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return number;
	}
	cursor->bad = true;
	cursor->at = cursor->end;
	return 0;
}

/* A number of things of at least `bytes` bytes each that are still to come. */
static uint32_t get_count(struct cursor *cursor, size_t bytes)
{
	uint64_t count = get_number(cursor);

	if (count <= (size_t)(cursor->end - cursor->at) / bytes)
		return (uint32_t)count;
	cursor->bad = true;
	return 0;
}

static const char *get_text(struct cursor *cursor)
{
	uint32_t size = get_count(cursor, 1);
	const char *text = (const char *)cursor->at;

	cursor->bad |= size == 0 || memchr(text, 0, size) != text + size - 1;
	if (cursor->bad)
		return "";
	cursor->at += size;
	return text;
}

/* Bytes of the chunk with number `index` of a content. */
static size_t chunk_bytes(uint64_t size, uint64_t index)
{
	uint64_t rest = size - index * RECORD_CHUNK_BYTES;

	return rest < RECORD_CHUNK_BYTES ? (size_t)rest : RECORD_CHUNK_BYTES;
}

static void get_content(struct cursor *cursor, struct record_content *content)
{
	const struct record *record = cursor->record;

	*content = (struct record_content){ .size = get_number(cursor) };
	uint64_t n = content->size / RECORD_CHUNK_BYTES + (content->size % RECORD_CHUNK_BYTES > 0);
	if (n > (size_t)(cursor->end - cursor->at)) {
		cursor->bad = true;
		content->size = 0;
		return;
	}
	content->chunks = allocate(cursor, n, sizeof *content->chunks);
	for (uint64_t i = 0; i < n && !cursor->bad; i++) {
		uint64_t id = get_number(cursor);
		cursor->bad |= id >= record->n_chunks ||
			       record->chunks[id].size != chunk_bytes(content->size, i);
		content->chunks[i] = (uint32_t)id;
		content->n++;
	}
	if (cursor->bad)
		*content = (struct record_content){ 0 };
}

void record_content_copy(
	const struct record *record, const struct record_content *content, void *bytes)
{
	unsigned char *at = bytes;

	for (uint32_t i = 0; i < content->n; i++) {
		const struct record_item *chunk = &record->chunks[content->chunks[i]];
		memcpy(at, chunk->data, chunk->size);
		at += chunk->size;
	}
}

const char *record_content_text(const struct record *record, const struct record_content *content)
{
	const struct record_item *chunk =
		content && content->n == 1 ? &record->chunks[content->chunks[0]] : NULL;

	return chunk && memchr(chunk->data, 0, chunk->size) ? (const char *)chunk->data : "";
}

/* Which tags a letter can have, as bits. */
static unsigned tags_of(char letter)
{
	if (strchr("iBlznPDCQMSGKEHeO", letter))
		return 1 << RECORD_NUMBER | 1 << RECORD_NULL;
	if (strchr("dqmgwx23XTtyFIjW", letter))
		return 1 << RECORD_NUMBERS | 1 << RECORD_NULL;
	if (strchr("scbN", letter))
		return 1 << RECORD_CONTENTS | 1 << RECORD_NULL;
	if (strchr("hoakU", letter))
		return 1 << RECORD_CONTENTS | 1 << RECORD_SHARED | 1 << RECORD_ADDRESS |
		       1 << RECORD_NUMBER | 1 << RECORD_NULL;
	return 1 << RECORD_NULL | 1 << RECORD_ADDRESS;
}

static void get_value(struct cursor *cursor, char letter, struct record_value *value)
{
	uint64_t tag = get_number(cursor);

	if (tag >= RECORD_TAGS || !(tags_of(letter) & 1 << tag)) {
		cursor->bad = true;
		return;
	}
	value->tag = (enum record_tag)tag;
	if (tag == RECORD_NUMBER || tag == RECORD_SHARED)
		value->number = get_number(cursor);
	if (tag == RECORD_SHARED)
		value->offset = get_number(cursor);
	if (tag == RECORD_NUMBERS || tag == RECORD_CONTENTS)
		value->count = get_count(cursor, 1);
	if (tag == RECORD_NUMBERS)
		value->numbers = allocate(cursor, value->count, sizeof *value->numbers);
	if (tag == RECORD_CONTENTS)
		value->contents = allocate(cursor, value->count, sizeof *value->contents);
	for (uint32_t i = 0; i < value->count && !cursor->bad; i++)
		if (tag == RECORD_NUMBERS)
			value->numbers[i] = get_number(cursor);
		else
			get_content(cursor, &value->contents[i]);
}

static bool get_call(struct cursor *cursor, struct record_call *call)
{
	struct call_param params[CALL_MOST_PARAMS];
	uint64_t row = get_number(cursor);

	*call = (struct record_call){ 0 };
	if (row >= cursor->record->n_calls || !cursor->record->calls[row])
		return false;
	call->call = cursor->record->calls[row];
	call->number = (uint32_t)get_number(cursor);
	call->thread = (uint32_t)get_number(cursor);
	call->begin = get_number(cursor);
	call->end = call->begin + get_number(cursor);
	call->error = (int32_t)(uint32_t)get_number(cursor);
	call->result = get_number(cursor);
	uint64_t n = get_number(cursor);
	if (cursor->bad || (n && n != call_params(call->call, params)) || call->end < call->begin)
		return false;
	call->n = (unsigned)n;
	for (unsigned i = 0; i < call->n && !cursor->bad; i++)
		get_value(cursor, params[i].letter, &call->values[i]);
	return !cursor->bad && cursor->at == cursor->end;
}

void record_decode(const struct record *record, size_t item, struct record_entry *entry)
{
	struct cursor cursor = cursor_of(record, &record->items[item]);
	uint64_t *number = entry->numbers;
	const char **text = entry->texts;

	*entry = (struct record_entry){ .type = record->items[item].type, .next = item + 1 };
	cursor.memory = &entry->memory;
	if (entry->type == RECORD_CALL && get_call(&cursor, &entry->own))
		entry->call = &entry->own;
	for (const char *at = record_layouts[entry->type]; *at; at++)
		if (*at == 'n')
			*number++ = get_number(&cursor);
		else if (*at == 't')
			*text++ = get_text(&cursor);
		else
			get_content(&cursor, &entry->content);
	entry->is_bad = cursor.bad;
}

bool record_next(const struct record *record, struct record_entry *entry)
{
	record_free(&entry->memory);
	if (entry->next >= record->n)
		return false;
	record_decode(record, entry->next, entry);
	return true;
}

bool record_next_call(const struct record *record, struct record_entry *entry)
{
	while (record_next(record, entry))
		if (entry->call)
			return true;
	return false;
}

void record_destroy(struct record *record)
{
	if (!record)
		return;
	free(record->items);
	free(record->chunks);
	free(record->calls);
	free(record->raw);
	free(record);
}

/* The rows of the file's table that are ours too, with the same signature; NULL for others. */
static bool read_calls(struct record *record, const struct record_item *item)
{
	struct cursor cursor = cursor_of(record, item);

	while (!cursor.bad && record->n_calls < UINT16_MAX) {
		const char *name = get_text(&cursor);
		if (!*name)
			break;
		const struct call *call = call_find(name);
		const char *signature = get_text(&cursor);
		const struct call **rows =
			realloc(record->calls, (record->n_calls + 1) * sizeof(const struct call *));
		if (!rows)
			return false;
		record->calls = rows;
		rows[record->n_calls++] = call && !strcmp(call->signature, signature) ? call : NULL;
	}
	return !cursor.bad;
}

static bool read_chunk(struct record *record, const struct record_item *item)
{
	struct cursor cursor = cursor_of(record, item);
	uint64_t id = get_number(&cursor);
	if (cursor.bad || id != record->n_chunks || cursor.at == cursor.end ||
		cursor.end - cursor.at > RECORD_CHUNK_BYTES)
		return false;
	record->chunks[record->n_chunks++] =
		(struct record_item){ RECORD_CHUNK, cursor.at, (size_t)(cursor.end - cursor.at) };
	return true;
}

/* The items between the sizes; false if one is not what its checksum says. */
static bool read_items(struct record *record)
{
	const unsigned char *at = record->raw, *end = at + record->size;
	uint32_t head[2];

	for (; at < end; at += sizeof head + head[0]) {
		if ((size_t)(end - at) < sizeof head ||
			(memcpy(head, at, sizeof head), head[0] > end - at - sizeof head)) {
			record->torn = true;
			return true;
		}
		const unsigned char *body = at + sizeof head;
		if (!head[0] || body[0] >= RECORD_TYPES || XXH32(body, head[0], 0) != head[1])
			return false;
		struct record_item *item = &record->items[record->n++];
		*item = (struct record_item){ body[0], body + 1, head[0] - 1 };
		if ((item->type == RECORD_CALLS) != (record->n == 1) ||
			(item->type == RECORD_CALLS && !read_calls(record, item)) ||
			(item->type == RECORD_CHUNK && !read_chunk(record, item)))
			return false;
	}
	return true;
}

struct record *record_parse(unsigned char *raw, size_t size, char *why, size_t why_size)
{
	struct record *record = calloc(1, sizeof *record);
	size_t most = size / (2 * sizeof(uint32_t) + 1) + 1;

	if (!record) {
		free(raw);
		snprintf(why, why_size, "no memory");
		return NULL;
	}
	record->raw = raw;
	record->size = size;
	record->items = calloc(most, sizeof *record->items);
	record->chunks = calloc(most, sizeof *record->chunks);
	if (!record->items || !record->chunks)
		snprintf(why, why_size, "no memory for %zu bytes", size);
	else if (!read_items(record) || !record->n)
		snprintf(why, why_size, "item %zu is damaged", record->n);
	else
		return record;
	record_destroy(record);
	return NULL;
}

static unsigned char *unpack(unsigned char *packed, size_t size, size_t *raw_size, const char **why)
{
	struct header header;

	memcpy(&header, packed, sizeof header);
	*why = header.version != VERSION ? "of a version that this zerocl does not know"
					 : "damaged, or not whole";
	const unsigned char *frame = packed + sizeof header;
	size_t frame_size = size - sizeof header;
	if (header.version != VERSION || header.reserved || header.raw_size > RECORD_MOST_BYTES ||
		XXH3_64bits(frame, frame_size) != header.frame_hash ||
		ZSTD_getFrameContentSize(frame, frame_size) != header.raw_size)
		return NULL;
	unsigned char *raw = malloc(header.raw_size + 1);
	if (!raw)
		*why = "larger than memory";
	if (raw && ZSTD_decompress(raw, header.raw_size, frame, frame_size) != header.raw_size) {
		free(raw);
		return NULL;
	}
	*raw_size = header.raw_size;
	return raw;
}

struct record *record_read(const char *path, char *why, size_t why_size)
{
	size_t size = 0;
	const char *reason;

	unsigned char *data = (unsigned char *)util_file_read(path, &size);
	if (!data) {
		snprintf(why, why_size, "%s", strerror(errno));
		return NULL;
	}
	if (size >= sizeof(struct header) && !memcmp(data, magic, sizeof magic)) {
		unsigned char *raw = unpack(data, size, &size, &reason);
		free(data);
		if (!raw) {
			snprintf(why, why_size, "%s", reason);
			return NULL;
		}
		struct record *record = record_parse(raw, size, why, why_size);
		if (record && record->torn) {
			snprintf(why, why_size, "not whole");
			record_destroy(record);
			return NULL;
		}
		return record;
	}
	return record_parse(data, size, why, why_size);
}

bool record_pack(const char *path, const void *raw, size_t size, char *why, size_t why_size)
{
	struct header header = { .version = VERSION, .raw_size = size };
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	size_t room = ZSTD_compressBound(size), packed = 0;
	void *frame = malloc(room);
	FILE *file = NULL;
	bool done = false;

	snprintf(why, why_size, "cannot be compressed");
	if (zstd && frame) {
		ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, 9);
		ZSTD_CCtx_setParameter(zstd, ZSTD_c_enableLongDistanceMatching, 1);
		ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
		packed = ZSTD_compress2(zstd, frame, room, raw, size);
	}
	if (zstd && frame && !ZSTD_isError(packed)) {
		memcpy(header.magic, magic, sizeof magic);
		header.frame_hash = XXH3_64bits(frame, packed);
		file = fopen(path, "wb");
		done = file && fwrite(&header, sizeof header, 1, file) == 1 &&
		       fwrite(frame, 1, packed, file) == packed;
		done &= file && fclose(file) == 0;
		if (!done)
			snprintf(why, why_size, "%s", strerror(errno));
	}
	ZSTD_freeCCtx(zstd);
	free(frame);
	return done;
}
