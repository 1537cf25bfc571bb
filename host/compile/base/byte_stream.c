// SPDX-License-Identifier: MIT
#include "compile/base/byte_stream.h"

#include "util/util_file.h"

#include <stdlib.h>
#include <string.h>

bool byte_stream_begin(struct byte_stream *stream, char **bytes, size_t *size, size_t most)
{
	*bytes = NULL;
	*stream = (struct byte_stream){ .out = open_memstream(bytes, size), .left = most };
	return stream->out;
}

bool byte_stream_end(struct byte_stream *stream, char **bytes)
{
	stream->is_bad |= !util_file_text(stream->out, bytes);
	if (stream->is_bad) {
		free(*bytes);
		*bytes = NULL;
	}
	return !stream->is_bad;
}

/* Whether so many bytes are left; notes if they are not. */
static bool has_left(struct byte_stream *stream, size_t size)
{
	stream->is_bad |= size > stream->left;
	if (!stream->is_bad)
		stream->left -= size;
	return !stream->is_bad;
}

void byte_stream_pass(struct byte_stream *stream, void *data, size_t size)
{
	if (!has_left(stream, size)) {
		if (!stream->out)
			memset(data, 0, size);
	} else if (stream->out) {
		fwrite(data, 1, size, stream->out);
	} else {
		memcpy(data, stream->in, size);
		stream->in += size;
	}
}

uint32_t byte_stream_number(struct byte_stream *stream, uint32_t value)
{
	BYTE_STREAM_PASS(stream, value);
	return value;
}

/* Passes bytes that stay where they are when they are read; NULL: there are too few. */
static const void *pass_view(struct byte_stream *stream, const void *data, size_t size)
{
	if (!has_left(stream, size))
		return NULL;
	if (stream->out) {
		fwrite(data, 1, size, stream->out);
		return data;
	}
	stream->in += size;
	return stream->in - size;
}

const char *byte_stream_text(struct byte_stream *stream, const char *text)
{
	if (stream->out)
		text = text ? text : "";
	const size_t size = stream->out ? strlen(text) : strnlen(stream->in, stream->left);

	text = pass_view(stream, text, size + 1);
	return text ? text : "";
}

const void *byte_stream_bytes(struct byte_stream *stream, const void *data, size_t *size)
{
	static const char zeros[8];
	size_t length = data ? *size : SIZE_MAX;

	BYTE_STREAM_PASS(stream, length);
	*size = 0;
	if (stream->is_bad || length == SIZE_MAX)
		return NULL;
	const size_t at = stream->out ? (size_t)ftello(stream->out) : (uintptr_t)stream->in;
	(void)pass_view(stream, zeros, -at & 7);
	data = pass_view(stream, data, length);
	const char *end = pass_view(stream, zeros, 1);
	if (!data || !end || *end) {
		stream->is_bad = true;
		return NULL;
	}
	*size = length;
	return data;
}

/* At least one byte follows for each element. */
void *byte_stream_array(struct byte_stream *stream, const void *array, size_t *n, size_t size)
{
	void *room = (void *)(uintptr_t)array;

	BYTE_STREAM_PASS(stream, *n);
	if (stream->out)
		return room;
	stream->is_bad |= *n > stream->left;
	room = stream->is_bad ? NULL : pool_get(&stream->pool, *n * size);
	if (!room) {
		*n = 0;
		stream->is_bad = true;
	}
	return room;
}
