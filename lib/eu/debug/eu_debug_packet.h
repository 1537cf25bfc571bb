// SPDX-License-Identifier: MIT
#ifndef EU_DEBUG_PACKET_H
#define EU_DEBUG_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Packets of GDB's remote serial protocol, as bytes ("GDB Remote Serial Protocol", Overview): what
 * comes in, one byte after the other, and texts that grow. Knows no packet's meaning.
 */

/* Bytes of a packet between '$' and '#', at most; what qSupported announces. */
enum { EU_DEBUG_PACKET_BYTES = 0x10000 };

enum eu_debug_input_event {
	EU_DEBUG_INPUT_MORE,	  /* no whole packet yet */
	EU_DEBUG_INPUT_PACKET,	  /* input->bytes holds one, NUL-terminated */
	EU_DEBUG_INPUT_BAD,	  /* its checksum is wrong, or it is too long */
	EU_DEBUG_INPUT_INTERRUPT, /* 0x03 */
	EU_DEBUG_INPUT_REPEAT,	  /* '-': the other side wants the last packet again */
};

/* Zero-initialised. */
struct eu_debug_input {
	enum { EU_DEBUG_OUTSIDE, EU_DEBUG_INSIDE, EU_DEBUG_HIGH, EU_DEBUG_LOW } state;
	uint8_t sum, high;
	bool is_long; /* beyond the buffer */
	size_t size;
	char bytes[EU_DEBUG_PACKET_BYTES + 1];
};

enum eu_debug_input_event eu_debug_input_feed(struct eu_debug_input *input, uint8_t byte);

/* A text that grows. Zero-initialised; `failed` once memory was short. */
struct eu_debug_text {
	char *bytes; /* NUL-terminated; NULL: empty */
	size_t size, capacity;
	bool failed;
};

void eu_debug_text_finish(struct eu_debug_text *text);
void eu_debug_put(struct eu_debug_text *text, const void *bytes, size_t size);
void eu_debug_format(struct eu_debug_text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Two digits for each byte. */
void eu_debug_hex(struct eu_debug_text *text, const void *bytes, size_t size);
/* As XML has it. */
void eu_debug_xml(struct eu_debug_text *text, const char *from);

/* Appends a packet: '$', the payload with what must be escaped, '#', the checksum. */
void eu_debug_packet(struct eu_debug_text *out, const void *payload, size_t size);

/* Reads a number in hexadecimal and moves *at behind it. False when there is none, or it is of more
 * than 64 bits. */
bool eu_debug_number(const char **at, uint64_t *value);
/* Moves *at behind `c`. False when something else is there. */
bool eu_debug_skip(const char **at, char c);
/* Reads bytes of two digits each; returns how many, no more than `size`. */
size_t eu_debug_unhex(const char *at, void *bytes, size_t size);

#endif
