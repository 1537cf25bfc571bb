// SPDX-License-Identifier: MIT
#include "layer/call/record_file.h"

#include "util/util_file.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

void record_put(struct record_bytes *bytes, const void *data, size_t size)
{
	if (bytes->room - bytes->size < size) {
		size_t room = bytes->room + bytes->room / 2 + size + 256;
		unsigned char *grown = bytes->failed ? NULL : realloc(bytes->data, room);
		bytes->failed = !grown;
		if (!grown)
			return;
		bytes->data = grown;
		bytes->room = room;
	}
	if (size)
		memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
}

static void put_number(struct record_bytes *bytes, uint64_t number)
{
	unsigned char byte;

	do {
		byte = (unsigned char)(number & 0x7f) | (number > 0x7f ? 0x80 : 0);
		record_put(bytes, &byte, 1);
	} while (number >>= 7);
}

static void put_text(struct record_bytes *bytes, const char *text)
{
	size_t size = strlen(text) + 1;

	put_number(bytes, size);
	record_put(bytes, text, size);
}

static void put_content(struct record_bytes *bytes, const struct record_content *content)
{
	put_number(bytes, content->size);
	for (uint32_t i = 0; i < content->n; i++)
		put_number(bytes, content->chunks[i]);
}

static void put_value(struct record_bytes *bytes, const struct record_value *value)
{
	put_number(bytes, value->tag);
	switch (value->tag) {
	case RECORD_NUMBER:
		put_number(bytes, value->number);
		break;
	case RECORD_SHARED:
		put_number(bytes, value->number);
		put_number(bytes, value->offset);
		break;
	case RECORD_NUMBERS:
		put_number(bytes, value->count);
		for (uint32_t i = 0; i < value->count; i++)
			put_number(bytes, value->numbers[i]);
		break;
	case RECORD_CONTENTS:
		put_number(bytes, value->count);
		for (uint32_t i = 0; i < value->count; i++)
			put_content(bytes, &value->contents[i]);
		break;
	default:
		break;
	}
}

static void put_call(struct record_bytes *bytes, const struct record_call *call)
{
	put_number(bytes, (uint64_t)(call->call - calls));
	put_number(bytes, call->number);
	put_number(bytes, call->thread);
	put_number(bytes, call->begin);
	put_number(bytes, call->end - call->begin);
	put_number(bytes, (uint32_t)call->error);
	put_number(bytes, call->result);
	put_number(bytes, call->n);
	for (unsigned i = 0; i < call->n; i++)
		put_value(bytes, &call->values[i]);
}

/* Small items in one piece, so that those of a process that ends are whole. */
static bool write_item(int fd, enum record_type type, struct record_bytes *payload)
{
	struct record_bytes item = { 0 };
	uint32_t head[2] = { 0 };
	unsigned char byte = (unsigned char)type;

	record_put(&item, head, sizeof head);
	record_put(&item, &byte, 1);
	record_put(&item, payload->data, payload->size);
	bool failed = item.failed || payload->failed || payload->size >= UINT32_MAX;
	free(payload->data);
	if (failed) {
		free(item.data);
		return false;
	}
	head[0] = (uint32_t)payload->size + 1;
	head[1] = XXH32(item.data + sizeof head, head[0], 0);
	memcpy(item.data, head, sizeof head);
	const bool done = util_file_write(fd, item.data, item.size);
	free(item.data);
	return done;
}

bool record_write(int fd, const struct record_entry *entry)
{
	const uint64_t *number = entry->numbers;
	const char *const *text = entry->texts;
	struct record_bytes payload = { 0 };

	if (entry->type == RECORD_CALL)
		put_call(&payload, entry->call);
	else
		for (const char *at = record_layouts[entry->type]; *at; at++)
			if (*at == 'n')
				put_number(&payload, *number++);
			else if (*at == 't')
				put_text(&payload, *text++);
			else
				put_content(&payload, &entry->content);
	return write_item(fd, entry->type, &payload);
}

bool record_write_calls(int fd)
{
	struct record_bytes payload = { 0 };

	for (unsigned i = 0; i < call_count; i++) {
		put_text(&payload, calls[i].name);
		put_text(&payload, calls[i].signature);
	}
	put_text(&payload, "");
	return write_item(fd, RECORD_CALLS, &payload);
}

bool record_write_chunk(int fd, uint64_t id, const void *bytes, size_t size)
{
	struct record_bytes payload = { 0 };

	put_number(&payload, id);
	record_put(&payload, bytes, size);
	return write_item(fd, RECORD_CHUNK, &payload);
}
