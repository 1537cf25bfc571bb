// SPDX-License-Identifier: MIT
#include "eu/debug/eu_debug_packet.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INTERRUPT = 0x03, ESCAPE = '}', FLIP = 0x20 };

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static enum eu_debug_input_event begin(struct eu_debug_input *input)
{
	input->state = EU_DEBUG_INSIDE;
	input->sum = 0;
	input->size = 0;
	input->is_long = false;
	return EU_DEBUG_INPUT_MORE;
}

/* The packet is there: takes the escapes out. */
static void unescape(struct eu_debug_input *input)
{
	size_t to = 0;

	for (size_t from = 0; from < input->size; from++) {
		char c = input->bytes[from];
		if (c == ESCAPE && from + 1 < input->size)
			c = (char)(input->bytes[++from] ^ FLIP);
		input->bytes[to++] = c;
	}
	input->size = to;
	input->bytes[to] = 0;
}

static enum eu_debug_input_event inside(struct eu_debug_input *input, uint8_t byte)
{
	if (byte == '$') /* what came before was cut off */
		return begin(input);
	if (byte == '#') {
		input->state = EU_DEBUG_HIGH;
		return EU_DEBUG_INPUT_MORE;
	}
	input->sum = (uint8_t)(input->sum + byte);
	if (input->size < EU_DEBUG_PACKET_BYTES)
		input->bytes[input->size++] = (char)byte;
	else
		input->is_long = true;
	return EU_DEBUG_INPUT_MORE;
}

static enum eu_debug_input_event end(struct eu_debug_input *input, uint8_t byte)
{
	int high = digit((char)input->high), low = digit((char)byte);

	input->state = EU_DEBUG_OUTSIDE;
	if (input->is_long || high < 0 || low < 0 || (high << 4 | low) != input->sum)
		return EU_DEBUG_INPUT_BAD;
	unescape(input);
	return EU_DEBUG_INPUT_PACKET;
}

enum eu_debug_input_event eu_debug_input_feed(struct eu_debug_input *input, uint8_t byte)
{
	switch (input->state) {
	case EU_DEBUG_INSIDE:
		return inside(input, byte);
	case EU_DEBUG_HIGH:
		input->high = byte;
		input->state = EU_DEBUG_LOW;
		return EU_DEBUG_INPUT_MORE;
	case EU_DEBUG_LOW:
		return end(input, byte);
	case EU_DEBUG_OUTSIDE:
		break;
	}
	if (byte == '$')
		return begin(input);
	if (byte == '-')
		return EU_DEBUG_INPUT_REPEAT;
	return byte == INTERRUPT ? EU_DEBUG_INPUT_INTERRUPT : EU_DEBUG_INPUT_MORE;
}

void eu_debug_text_finish(struct eu_debug_text *text)
{
	free(text->bytes);
	*text = (struct eu_debug_text){ 0 };
}

/* Makes room for `size` more bytes and a NUL. */
static bool reserve(struct eu_debug_text *text, size_t size)
{
	size_t wanted = text->size + size + 1;

	if (wanted > text->capacity) {
		size_t capacity = wanted + wanted / 2;
		char *bytes = realloc(text->bytes, capacity);
		if (!bytes) {
			text->failed = true;
			return false;
		}
		text->bytes = bytes;
		text->capacity = capacity;
	}
	return true;
}

void eu_debug_put(struct eu_debug_text *text, const void *bytes, size_t size)
{
	if (!reserve(text, size))
		return;
	if (size)
		memcpy(text->bytes + text->size, bytes, size);
	text->size += size;
	text->bytes[text->size] = 0;
}

void eu_debug_format(struct eu_debug_text *text, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	int size = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	if (size < 0 || !reserve(text, (size_t)size))
		return;
	va_start(arguments, format);
	vsnprintf(text->bytes + text->size, (size_t)size + 1, format, arguments);
	va_end(arguments);
	text->size += (size_t)size;
}

void eu_debug_hex(struct eu_debug_text *text, const void *bytes, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	const uint8_t *from = bytes;

	if (!reserve(text, 2 * size))
		return;
	for (size_t i = 0; i < size; i++) {
		text->bytes[text->size++] = digits[from[i] >> 4];
		text->bytes[text->size++] = digits[from[i] & 15];
	}
	text->bytes[text->size] = 0;
}

void eu_debug_xml(struct eu_debug_text *text, const char *from)
{
	for (; *from; from++) {
		unsigned char c = (unsigned char)*from;
		if (strchr("<>&\"'", c) || c < 0x20 || c >= 0x7f)
			eu_debug_format(text, "&#%u;", c < 0x20 ? '?' : c);
		else
			eu_debug_put(text, from, 1);
	}
}

void eu_debug_packet(struct eu_debug_text *out, const void *payload, size_t size)
{
	const uint8_t *from = payload;
	uint8_t sum = 0;

	eu_debug_put(out, "$", 1);
	for (size_t i = 0; i < size; i++) {
		uint8_t pair[2] = { ESCAPE, from[i] ^ FLIP };
		bool escaped = strchr("#$}*", from[i]) && from[i];
		const uint8_t *bytes = escaped ? pair : &from[i];
		eu_debug_put(out, bytes, escaped ? 2 : 1);
		sum = (uint8_t)(sum + bytes[0] + (escaped ? bytes[1] : 0));
	}
	eu_debug_format(out, "#%02x", sum);
}

bool eu_debug_number(const char **at, uint64_t *value)
{
	const char *from = *at;
	uint64_t number = 0;

	for (; digit(*from) >= 0; from++) {
		if (number >> 60)
			return false;
		number = number << 4 | (uint64_t)digit(*from);
	}
	if (from == *at)
		return false;
	*at = from;
	*value = number;
	return true;
}

bool eu_debug_skip(const char **at, char c)
{
	if (**at != c)
		return false;
	++*at;
	return true;
}

size_t eu_debug_unhex(const char *at, void *bytes, size_t size)
{
	uint8_t *to = bytes;
	size_t count = 0;

	for (; count < size && digit(at[0]) >= 0 && digit(at[1]) >= 0; at += 2)
		to[count++] = (uint8_t)(digit(at[0]) << 4 | digit(at[1]));
	return count;
}
