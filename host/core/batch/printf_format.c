// SPDX-License-Identifier: MIT
#include "core/batch/printf_format.h"

#include <ctype.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NUMBER (1 << 20) /* of a width or a precision */

struct reader {
	const unsigned char *data;
	size_t size, at;
	const struct print_texts *texts;
	size_t n_texts;
	FILE *out;
};

/* For each type: the bytes of an element, those it occupies in a record, and its kind. */
static const struct {
	unsigned char bytes, room;
	bool is_float, is_vector;
} types[] = {
	[PRINT_CHAR] = { 1, 4, false, false },
	[PRINT_SHORT] = { 2, 4, false, false },
	[PRINT_INT] = { 4, 4, false, false },
	[PRINT_FLOAT] = { 4, 4, true, false },
	[PRINT_TEXT] = { 8, 8, false, false },
	[PRINT_LONG] = { 8, 8, false, false },
	[PRINT_POINTER] = { 8, 8, false, false },
	[PRINT_DOUBLE] = { 8, 8, true, false },
	[PRINT_CHARS] = { 1, 4, false, true },
	[PRINT_SHORTS] = { 2, 4, false, true },
	[PRINT_INTS] = { 4, 4, false, true },
	[PRINT_LONGS] = { 8, 8, false, true },
	[PRINT_FLOATS] = { 4, 4, true, true },
	[PRINT_DOUBLES] = { 8, 8, true, true },
};

struct argument {
	uint32_t type; /* 0: there is none */
	uint32_t n;    /* elements */
	const unsigned char *data;
};

/*
 * %[flags][width][.precision][vn][length]conversion: section 6.15.14 of OpenCL C, and the length
 * modifiers ll, j, t and z that OpenCL C 3.1 takes over from C.
 */
struct conversion {
	char flags[6];
	int width, precision; /* precision -1: none given */
	int size;	      /* bytes that the length modifier stands for */
	char letter;
};

/* Returns the string at a device address, or NULL if there is none or it is not terminated. */
static const char *find_text(const struct reader *reader, uint64_t address)
{
	for (size_t i = 0; i < reader->n_texts; i++) {
		const struct print_texts *texts = &reader->texts[i];
		uint64_t offset = address - texts->base;

		if (address >= texts->base && offset < texts->size &&
			memchr(texts->data + offset, '\0', texts->size - offset))
			return texts->data + offset;
	}
	return NULL;
}

static bool peek_bytes(const struct reader *reader, void *value, size_t size)
{
	if (reader->size - reader->at < size)
		return false;
	memcpy(value, reader->data + reader->at, size);
	return true;
}

static const char *peek_format(const struct reader *reader)
{
	uint64_t address;

	return peek_bytes(reader, &address, sizeof address) ? find_text(reader, address) : NULL;
}

/* Reads the next argument of the call. Returns one of type 0 if there is none. */
static struct argument read_argument(struct reader *reader)
{
	struct argument argument = { .n = 1 };
	const struct argument none = { 0 };
	size_t start = reader->at;

	if (!peek_bytes(reader, &argument.type, sizeof argument.type) || !argument.type ||
		argument.type >= sizeof types / sizeof *types)
		return none;
	reader->at += sizeof argument.type;
	if (types[argument.type].is_vector) {
		if (peek_bytes(reader, &argument.n, sizeof argument.n))
			reader->at += sizeof argument.n;
		if (argument.n < 1 || argument.n > 16)
			argument.n = 0;
	}
	size_t room = (size_t)types[argument.type].room * argument.n;
	if (!room || reader->size - reader->at < room) {
		reader->at = start;
		return none;
	}
	argument.data = reader->data + reader->at;
	reader->at += room;
	return argument;
}

/* Returns the number at *format, MAX_NUMBER at most, and advances *format past it. */
static int parse_number(const char **format)
{
	int number = 0;

	while (isdigit((unsigned char)**format)) {
		number = 10 * number + (*(*format)++ - '0');
		if (number > MAX_NUMBER)
			number = MAX_NUMBER;
	}
	return number;
}

/* Returns the bytes that the length modifier at *format stands for; advances *format past it. */
static int parse_length(const char **format)
{
	static const struct {
		char text[3];
		unsigned char size;
	} lengths[] = { { "hh", 1 }, { "hl", 4 }, { "h", 2 }, { "ll", 8 }, { "l", 8 }, { "j", 8 },
		{ "t", 8 }, { "z", 8 } };

	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		size_t length = strlen(lengths[i].text);

		if (strncmp(*format, lengths[i].text, length) != 0)
			continue;
		*format += length;
		return lengths[i].size;
	}
	return 4;
}

/*
 * Parses the conversion behind a '%' and advances *format past it. Returns false and leaves *format
 * where it is if there is no valid conversion.
 */
static bool parse_conversion(const char **format, struct conversion *conversion)
{
	const char *at = *format;
	size_t n = 0;

	*conversion = (struct conversion){ .precision = -1 };
	for (; *at && strchr("-+ #0", *at); at++)
		if (!strchr(conversion->flags, *at) && n < sizeof conversion->flags - 1)
			conversion->flags[n++] = *at;
	conversion->width = parse_number(&at);
	if (*at == '.') {
		at++;
		conversion->precision = parse_number(&at);
	}
	/* the argument knows how many elements it has */
	if (*at == 'v') {
		at++;
		(void)parse_number(&at);
	}
	conversion->size = parse_length(&at);
	conversion->letter = *at;
	if (!*at || !strchr("diouxXfFeEgGaAcsp", *at))
		return false;
	*format = at + 1;
	return true;
}

static int64_t truncate_signed(int64_t value, int size)
{
	return (int64_t)((uint64_t)value << (64 - 8 * size)) >> (64 - 8 * size);
}

/* Returns element `i` as an integer; of a floating-point element the bits. */
static int64_t integer_of(const struct argument *argument, uint32_t i)
{
	unsigned bytes = types[argument->type].bytes;
	int64_t value = 0;

	memcpy(&value, argument->data + (size_t)i * bytes, bytes);
	return truncate_signed(value, (int)bytes);
}

/* Doubles of a device that has none come as longs. */
static double number_of(const struct argument *argument, uint32_t i)
{
	unsigned bytes = types[argument->type].bytes;
	double value;
	float single;

	if (!types[argument->type].is_float && bytes < sizeof value)
		return (double)integer_of(argument, i);
	if (bytes == sizeof single) {
		memcpy(&single, argument->data + (size_t)i * bytes, bytes);
		return single;
	}
	memcpy(&value, argument->data + (size_t)i * bytes, bytes);
	return value;
}

static uint64_t truncate_unsigned(int64_t value, int size)
{
	return size == 8 ? (uint64_t)value : (uint64_t)value & (((uint64_t)1 << 8 * size) - 1);
}

static void print_address(const struct reader *reader, const struct conversion *conversion,
	uint64_t address, const char *format)
{
	if (conversion->letter == 'p') {
		fprintf(reader->out, format, conversion->width, (void *)(uintptr_t)address);
		return;
	}
	const char *text = find_text(reader, address);
	fprintf(reader->out, format, conversion->width, conversion->precision,
		text ? text : "(null)");
}

static void print_element(const struct reader *reader, const struct conversion *conversion,
	const struct argument *argument, uint32_t i)
{
	bool has_precision = conversion->letter != 'c' && conversion->letter != 'p';
	bool is_integer = strchr("diouxX", conversion->letter);
	int64_t integer = integer_of(argument, i);
	char format[24];

	snprintf(format, sizeof format, "%%%s*%s%s%c", conversion->flags, has_precision ? ".*" : "",
		is_integer ? "j" : "", conversion->letter);
	/* a length modifier that is longer than the argument does not sign-extend it */
	if (conversion->size == 8 && types[argument->type].bytes < 8 &&
		strchr("ouxX", conversion->letter))
		integer = (int64_t)truncate_unsigned(integer, types[argument->type].bytes);
	switch (conversion->letter) {
	case 'd':
	case 'i':
		fprintf(reader->out, format, conversion->width, conversion->precision,
			(intmax_t)truncate_signed(integer, conversion->size));
		break;
	case 'o':
	case 'u':
	case 'x':
	case 'X':
		fprintf(reader->out, format, conversion->width, conversion->precision,
			(uintmax_t)truncate_unsigned(integer, conversion->size));
		break;
	case 'c':
		fprintf(reader->out, format, conversion->width, (int)(unsigned char)integer);
		break;
	case 's':
	case 'p':
		print_address(reader, conversion,
			types[argument->type].bytes == 8 ? (uint64_t)integer : 0, format);
		break;
	default:
		fprintf(reader->out, format, conversion->width, conversion->precision,
			number_of(argument, i));
		break;
	}
}

/* Prints the conversion behind a '%' and advances *format past it. */
static void print_conversion(struct reader *reader, const char **format)
{
	struct conversion conversion;

	if (**format == '%') {
		fputc(*(*format)++, reader->out);
		return;
	}
	if (!parse_conversion(format, &conversion)) {
		fputc('%', reader->out);
		return;
	}
	struct argument argument = read_argument(reader);
	for (uint32_t i = 0; argument.type && i < argument.n; i++) {
		if (i)
			fputc(',', reader->out);
		print_element(reader, &conversion, &argument, i);
	}
}

/* Prints the record of one call of printf. Returns false if there is no valid record. */
static bool print_call(struct reader *reader)
{
	const char *format = peek_format(reader);

	if (!format)
		return false;
	reader->at += sizeof(uint64_t);
	while (*format)
		if (*format == '%') {
			format++;
			print_conversion(reader, &format);
		} else {
			fputc(*format++, reader->out);
		}
	while (!peek_format(reader) && read_argument(reader).type)
		;
	return true;
}

bool print_text(
	const void *data, size_t size, const struct print_texts *texts, size_t n_texts, FILE *out)
{
	struct reader reader = {
		.data = data, .size = size, .texts = texts, .n_texts = n_texts, .out = out
	};
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	locale_t old = c ? uselocale(c) : (locale_t)0;
	bool ok = true;

	while (ok && size - reader.at >= sizeof(uint64_t)) {
		flockfile(out);
		ok = print_call(&reader);
		funlockfile(out);
	}
	if (c) {
		uselocale(old);
		freelocale(c);
	}
	return ok;
}
