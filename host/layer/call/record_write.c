// SPDX-License-Identifier: MIT
#include "layer/call/record_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

void record_put_number(struct record_bytes *bytes, uint64_t number)
{
	unsigned char byte;

	do {
		byte = (unsigned char)(number & 0x7f) | (number > 0x7f ? 0x80 : 0);
		record_put(bytes, &byte, 1);
	} while (number >>= 7);
}

void record_put_text(struct record_bytes *bytes, const char *text)
{
	size_t size = strlen(text) + 1;

	record_put_number(bytes, size);
	record_put(bytes, text, size);
}

void record_put_content(struct record_bytes *bytes, const struct record_content *content)
{
	record_put_number(bytes, content->size);
	for (uint32_t i = 0; i < content->n; i++)
		record_put_number(bytes, content->chunks[i]);
}

static void put_value(struct record_bytes *bytes, const struct record_value *value)
{
	record_put_number(bytes, value->tag);
	switch (value->tag) {
	case RECORD_NUMBER:
		record_put_number(bytes, value->number);
		break;
	case RECORD_SHARED:
		record_put_number(bytes, value->number);
		record_put_number(bytes, value->offset);
		break;
	case RECORD_NUMBERS:
		record_put_number(bytes, value->count);
		for (uint32_t i = 0; i < value->count; i++)
			record_put_number(bytes, value->numbers[i]);
		break;
	case RECORD_CONTENTS:
		record_put_number(bytes, value->count);
		for (uint32_t i = 0; i < value->count; i++)
			record_put_content(bytes, &value->contents[i]);
		break;
	default:
		break;
	}
}

void record_put_call(struct record_bytes *bytes, const struct record_call *call)
{
	record_put_number(bytes, (uint64_t)(call->call - calls));
	record_put_number(bytes, call->number);
	record_put_number(bytes, call->thread);
	record_put_number(bytes, call->begin);
	record_put_number(bytes, call->end - call->begin);
	record_put_number(bytes, (uint32_t)call->error);
	record_put_number(bytes, call->result);
	record_put_number(bytes, call->n);
	for (unsigned i = 0; i < call->n; i++)
		put_value(bytes, &call->values[i]);
}

void record_put_calls(struct record_bytes *bytes)
{
	for (unsigned i = 0; i < call_count; i++) {
		record_put_text(bytes, calls[i].name);
		record_put_text(bytes, calls[i].signature);
	}
	record_put_text(bytes, "");
}

/* Small items in one piece, so that those of a process that ends are whole. */
bool record_write(int fd, enum record_type type, const struct record_bytes *payload)
{
	struct record_bytes item = { 0 };
	uint32_t head[2] = { 0 };
	unsigned char byte = (unsigned char)type;
	size_t done = 0;

	record_put(&item, head, sizeof head);
	record_put(&item, &byte, 1);
	record_put(&item, payload->data, payload->size);
	if (item.failed || payload->failed || payload->size >= UINT32_MAX) {
		free(item.data);
		return false;
	}
	head[0] = (uint32_t)payload->size + 1;
	head[1] = XXH32(item.data + sizeof head, head[0], 0);
	memcpy(item.data, head, sizeof head);
	while (done < item.size) {
		ssize_t n = write(fd, item.data + done, item.size - done);
		if (n < 0 && errno != EINTR)
			break;
		done += n > 0 ? (size_t)n : 0;
	}
	free(item.data);
	return done == item.size;
}
