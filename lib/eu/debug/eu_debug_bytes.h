// SPDX-License-Identifier: MIT
#ifndef EU_DEBUG_BYTES_H
#define EU_DEBUG_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "eu/debug/eu_debug_packet.h"

/* Bytes of others, read from their beginning. Beyond the end all is 0 and `is_bad` is set. */
struct eu_debug_bytes {
	const uint8_t *first, *at, *end;
	bool is_bad;
};

static inline struct eu_debug_bytes eu_debug_bytes_of(const void *bytes, size_t size)
{
	const uint8_t *first = bytes;

	return (struct eu_debug_bytes){ first, first, first ? first + size : first, false };
}

static inline size_t eu_debug_left(const struct eu_debug_bytes *from)
{
	return (size_t)(from->end - from->at);
}

static inline const uint8_t *eu_debug_take(struct eu_debug_bytes *from, uint64_t size)
{
	const uint8_t *at = from->at;

	if (size > eu_debug_left(from)) {
		from->is_bad = true;
		from->at = from->end;
		return NULL;
	}
	from->at += size;
	return at;
}

/* A little-endian number of up to eight bytes. */
static inline uint64_t eu_debug_take_uint(struct eu_debug_bytes *from, unsigned size)
{
	const uint8_t *at = eu_debug_take(from, size);
	uint64_t value = 0;

	if (at)
		memcpy(&value, at, size);
	return value;
}

static inline uint64_t eu_debug_take_leb(struct eu_debug_bytes *from, bool is_signed)
{
	uint64_t value = 0, byte;
	unsigned shift = 0;

	do {
		byte = eu_debug_take_uint(from, 1);
		value |= shift < 64 ? (byte & 0x7f) << shift : 0;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && shift < 64 && (byte & 0x40))
		value |= UINT64_MAX << shift;
	return value;
}

static inline void eu_debug_put_uint(struct eu_debug_text *out, uint64_t value, unsigned size)
{
	eu_debug_put(out, &value, size);
}

static inline void eu_debug_put_leb(struct eu_debug_text *out, uint64_t value)
{
	do {
		uint8_t byte = value & 0x7f;
		value >>= 7;
		eu_debug_put_uint(out, byte | (value ? 0x80 : 0), 1);
	} while (value);
}

static inline void eu_debug_put_sleb(struct eu_debug_text *out, int64_t value)
{
	bool more = true;

	while (more) {
		uint8_t byte = value & 0x7f;
		value >>= 7;
		more = !((value == 0 && !(byte & 0x40)) || (value == -1 && (byte & 0x40)));
		eu_debug_put_uint(out, byte | (more ? 0x80 : 0), 1);
	}
}

#endif
