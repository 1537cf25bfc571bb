// SPDX-License-Identifier: MIT
/*
 * printf of kernels, for scalars and vectors of every type, through Intel's compiler and driver on
 * the device: what all items print is what C's printf prints, in whatever order.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "corpus_rows.h"
#include "cs/intel_group.h"

enum {
	ITEMS = 64,
	TYPES = 10,
	WIDTHS = 6,
	LINES = ITEMS * WIDTHS,
	LINE = 512,
	ROOM = LINES * LINE
};

__extension__ typedef _Float16 host_half;

static const struct type {
	const char *name, *scalar, *vector; /* formats: of one, and of each of a vector's */
	unsigned size;
	bool is_float, is_signed;
} types[TYPES] = {
	{ "char", "%hhd", "hhd", 1, false, true },
	{ "uchar", "%hhu", "hhu", 1, false, false },
	{ "short", "%hd", "hd", 2, false, true },
	{ "ushort", "%hu", "hu", 2, false, false },
	{ "int", "%d", "hld", 4, false, true },
	{ "uint", "%x", "hlx", 4, false, false },
	{ "long", "%ld", "ld", 8, false, true },
	{ "ulong", "%lx", "lx", 8, false, false },
	{ "half", "%.3f", "hf", 2, true, true },
	{ "float", "%.3f", "hlf", 4, true, true },
};

static const unsigned widths[WIDTHS] = { 1, 2, 3, 4, 8, 16 };

/* Standard output goes to a file meanwhile. */
static void captured(
	char *text, size_t size, const char *kernel, const struct intel_argument *argument)
{
	FILE *file = tmpfile();
	int saved;

	assert_non_null(file);
	fflush(stdout);
	saved = dup(1);
	assert_true(saved >= 0 && dup2(fileno(file), 1) == 1);
	cl_int error = intel_run(&intel, kernel, 1, NULL, RANGE(ITEMS), RANGE(ITEMS), 1, argument);
	fflush(stdout);
	dup2(saved, 1);
	close(saved);
	rewind(file);
	text[fread(text, 1, size - 1, file)] = 0;
	fclose(file);
	assert_int_equal(error, 0);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Cuts the text into lines, sorted. */
static unsigned split(char *text, char **lines)
{
	unsigned count = 0;

	for (char *line = strtok(text, "\n"); line && count < LINES + 1; line = strtok(NULL, "\n"))
		lines[count++] = line;
	qsort(lines, count, sizeof *lines, by_text);
	return count;
}

static void build(unsigned simd, const char *text)
{
	char options[64];

	snprintf(options, sizeof options, "-cl-std=CL3.0 -DSIMD=%u", simd);
	intel_build_texts(&intel, 1, &text, options);
}

#define HEAD                                                                                       \
	"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"                                          \
	"#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))\n"

/* A kernel that prints a line of each width, of elements that begin at the item's. */
static size_t put_kernel(char *text, size_t size, const struct type *type)
{
	size_t at = (size_t)snprintf(text, size,
		"WIDTH kernel void print_%s(global const %s *in) { uint i = get_global_id(0);"
		" global const %s *p = in + i;\n printf(\"1 %%u %s;\\n\", i, p[0]);\n",
		type->name, type->name, type->name, type->scalar);

	for (unsigned w = 1; w < WIDTHS; w++)
		at += (size_t)snprintf(text + at, size - at,
			" printf(\"%u %%u %%%sv%u%s;\\n\", i, vload%u(0, p));\n", widths[w],
			type->is_float ? ".3" : "", widths[w], type->vector, widths[w]);
	return at + (size_t)snprintf(text + at, size - at, "}\n");
}

/* Elements that all types have: of floats, multiples of 1/8. */
static void fill(const struct type *type, uint8_t *in)
{
	for (unsigned i = 0; i < ITEMS + 16; i++) {
		int64_t whole = (int64_t)((uint64_t)intel_random() << 32 | intel_random());
		host_half half = (host_half)((float)(int16_t)whole / 16);
		float f = (float)(int32_t)whole / 8;
		const void *from = &whole;
		if (type->is_float)
			from = type->size == 2 ? (const void *)&half : &f;
		memcpy(in + i * type->size, from, type->size);
	}
}

static size_t put_element(char *text, size_t size, const struct type *type, const uint8_t *from)
{
	uint64_t bits = 0;
	host_half half;
	float f;

	memcpy(&bits, from, type->size);
	memcpy(&half, from, 2);
	memcpy(&f, from, type->is_float && type->size == 2 ? 2 : type->size < 4 ? type->size : 4);
	if (type->is_float)
		return (size_t)snprintf(
			text, size, "%.3f", (double)(type->size == 2 ? (float)half : f));
	if (strchr(type->scalar, 'x'))
		return (size_t)snprintf(text, size, "%llx", (unsigned long long)bits);
	unsigned shift = 64 - 8 * type->size;
	if (type->is_signed)
		return (size_t)snprintf(
			text, size, "%lld", (long long)((int64_t)(bits << shift) >> shift));
	return (size_t)snprintf(text, size, "%llu", (unsigned long long)bits);
}

/* What all items print. */
static void put_wanted(char *text, size_t size, const struct type *type, const uint8_t *in)
{
	size_t at = 0;

	for (unsigned i = 0; i < ITEMS; i++)
		for (unsigned w = 0; w < WIDTHS; w++) {
			at += (size_t)snprintf(text + at, size - at, "%u %u ", widths[w], i);
			for (unsigned k = 0; k < widths[w]; k++) {
				at += (size_t)snprintf(text + at, size - at, "%s", k ? "," : "");
				at += put_element(
					text + at, size - at, type, in + (i + k) * type->size);
			}
			at += (size_t)snprintf(text + at, size - at, ";\n");
		}
}

static void check(const char *kernel, const struct intel_argument *argument, char *wanted)
{
	static char text[ROOM];
	static char *lines[2][LINES + 1];
	unsigned count = split(wanted, lines[1]);

	intel_choose("stencil");
	captured(text, sizeof text, kernel, argument);
	intel_choose(NULL);
	assert_int_equal(split(text, lines[0]), count);
	captured(text, sizeof text, kernel, argument);
	unsigned got = split(text, lines[0]);
	for (unsigned i = 0; i < got && i < count; i++)
		if (strcmp(lines[0][i], lines[1][i]) != 0)
			fail_msg("%s: \"%s\", should be \"%s\"", kernel, lines[0][i], lines[1][i]);
	assert_int_equal(got, count);
}

static void values_are_printed(void **state)
{
	static char wanted[ROOM], text[1 << 15];
	unsigned simd = *(const unsigned *)*state;
	uint8_t in[(ITEMS + 16) * 8];
	size_t at = (size_t)snprintf(text, sizeof text, HEAD);
	char kernel[32], name[32], way[16];

	snprintf(way, sizeof way, "simd%u", simd);
	for (unsigned t = 0; t < TYPES; t++)
		at += put_kernel(text + at, sizeof text - at, &types[t]);
	build(simd, text);
	for (unsigned t = 0; t < TYPES; t++) {
		const struct intel_argument argument = BUFFER(in);
		fill(&types[t], in);
		put_wanted(wanted, sizeof wanted, &types[t], in);
		snprintf(kernel, sizeof kernel, "print_%s", types[t].name);
		check(kernel, &argument, wanted);
		corpus_row("printf", types[t].name, way);
		for (unsigned w = 1; w < WIDTHS; w++) {
			snprintf(name, sizeof name, "%s%u", types[t].name, widths[w]);
			corpus_row("printf", name, way);
		}
	}
}

/* Each of the other conversions, flags and lengths; in branches, so that some items print. */
static const char others[] = HEAD
	"WIDTH kernel void others(global const int *in) { int i = get_global_id(0), x = in[i];\n"
	" float f = x / 16.0f;\n"
	" if (i % 3 == 0) printf(\"%d %i %o %X %c %s %%;\\n\", i, x, x, x, 65 + i % 26, "
	"i & 1 ? \"odd\" : \"even\");\n"
	" else if (i % 3 == 1) printf(\"%d %e %g %a %F %G;\\n\", i, f, f, f, f, f);\n"
	" else printf(\"%d %+d % d %08d %-8d| %.5d %#x %10.2f %-10.1f|;\\n\", i, x, x, x, x, x, x, "
	"f, "
	"f); }\n";

static void conversions_are_printed(void **state)
{
	static char wanted[ROOM];
	unsigned simd = *(const unsigned *)*state;
	const struct intel_argument argument = BUFFER((int[ITEMS]){ 0 });
	int *in = argument.data;
	char way[16];
	size_t at = 0;

	snprintf(way, sizeof way, "simd%u", simd);
	for (int i = 0; i < ITEMS; i++) {
		int x = in[i] = (int)intel_random() >> i % 20;
		double f = (double)((float)x / 16.0f);
		char *to = wanted + at;
		size_t size = sizeof wanted - at;
		at += (size_t)(i % 3 == 0   ? snprintf(to, size, "%d %i %o %X %c %s %%;\n", i, x,
						      (unsigned)x, (unsigned)x, 65 + i % 26,
						      i & 1 ? "odd" : "even")
			       : i % 3 == 1 ? snprintf(to, size, "%d %e %g %a %F %G;\n", i, f, f, f,
						      f, f)
					    : snprintf(to, size,
						      "%d %+d % d %08d %-8d| %.5d %#x %10.2f "
						      "%-10.1f|;\n",
						      i, x, x, x, x, x, (unsigned)x, f, f));
	}
	build(simd, others);
	check("others", &argument, wanted);
	corpus_row("printf", "-", way);
}

static int begin_group(void **state)
{
	intel_begin(state);
	intel_compares = false; /* printed twice */
	return 0;
}

#define AT(test, simd)                                                                             \
	{                                                                                          \
#test " at SIMD" #simd, test, NULL, NULL, &(unsigned)                              \
		{                                                                                  \
			simd                                                                       \
		}                                                                                  \
	}
#define SIMDS(test) AT(test, 8), AT(test, 16), AT(test, 32)

int main(void)
{
	const struct CMUnitTest tests[] = { SIMDS(values_are_printed),
		SIMDS(conversions_are_printed) };

	return INTEL_RUN_TESTS(tests, begin_group);
}
