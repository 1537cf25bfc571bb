// SPDX-License-Identifier: MIT
#ifndef BYTE_STREAM_H
#define BYTE_STREAM_H

#include "compile/base/pool.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Values that become bytes, or are read from them, by the same functions: what goes through a
 * struct writes it or reads it. In the byte order and the layout of this build.
 */
struct byte_stream {
	FILE *out;	   /* set: values are written to it */
	const char *in;	   /* else they are read from here, at a multiple of 8 at first */
	size_t left;	   /* bytes that may still be read, or written */
	bool is_bad;	   /* there were too few, or memory was short; what is read then is empty */
	struct pool *pool; /* owns arrays that are read */
};

/* Starts writing `most` bytes or fewer, for byte_stream_end. False without memory. */
bool byte_stream_begin(struct byte_stream *stream, char **bytes, size_t *size, size_t most);

/* Ends that: the bytes are to be freed. False, and they are NULL: something went wrong. */
bool byte_stream_end(struct byte_stream *stream, char **bytes);

void byte_stream_pass(struct byte_stream *stream, void *data, size_t size);

#define BYTE_STREAM_PASS(stream, value) byte_stream_pass((stream), &(value), sizeof(value))

/* These return the value that was written or read. */
uint32_t byte_stream_number(struct byte_stream *stream, uint32_t value);

/* A text; what is read is a view into the bytes, and is written as "" if it is NULL. */
const char *byte_stream_text(struct byte_stream *stream, const char *text);

/* Bytes, or NULL; what is read is a view, at a multiple of 8 and with a NUL behind it. */
const void *byte_stream_bytes(struct byte_stream *stream, const void *data, size_t *size);

/* The elements of an array, which are to go through the stream next. */
void *byte_stream_array(struct byte_stream *stream, const void *array, size_t *n, size_t size);

#endif
