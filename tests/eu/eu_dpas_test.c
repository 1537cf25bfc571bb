// SPDX-License-Identifier: MIT
/* What Xe-HPG can and Gen12LP cannot: dpas, add3, bfn, bfloat16, 256 registers. */
#include "eu_test_program.h"

#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eu/engine/eu_run.h"
#include "gen/gen_device.h"

enum { ROWS_AT = 16, COLUMNS_AT = 64, SUMS_AT = 96, RESULT_AT = 200 }; /* registers */

static struct test_thread thread;

static void run(const char *text)
{
	const struct gen_device *device = gen_device_find("dg2");
	struct gen_program *program = test_assemble_for(device, text);
	struct gen_fault fault = { .kind = GEN_FAULT_NONE };
	struct eu_kernel *kernel = eu_kernel_create(device, program, &fault);

	assert_non_null(kernel);
	if (test_thread_run(&thread, kernel, 0xffff) != EU_DONE)
		fail_msg("%s:\n%s", text, thread.fault.report);
	eu_kernel_destroy(kernel);
	gen_program_destroy(program);
}

/* Bits [first, first + count) of the registers from `reg` on. */
static uint32_t bits_at(const uint8_t *grf, unsigned reg, unsigned first, unsigned count)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < count; i++) {
		unsigned bit = reg * 256 + first + i;

		value |= (uint32_t)(grf[bit / 8] >> bit % 8 & 1) << i;
	}
	return value;
}

static double number(uint32_t bits, char kind, unsigned width)
{
	double value;

	if (kind == 'u')
		return bits;
	if (kind == 's')
		return bits >> (width - 1) ? (double)bits - ldexp(1, (int)width) : bits;
	if (kind == 'b') { /* bfloat16 */
		int exponent = (int)(bits >> 7 & 0xff);

		value = exponent ? ldexp(128 + (bits & 0x7f), exponent - 134)
				 : ldexp(bits & 0x7f, -133);
	} else {
		int exponent = (int)(bits >> 10 & 0x1f);

		value = exponent ? ldexp(1024 + (bits & 0x3ff), exponent - 25)
				 : ldexp(bits & 0x3ff, -24);
	}
	return bits >> 15 ? -value : value;
}

struct type {
	const char *name;
	char kind;
	unsigned width;
};

static bool is_float(const struct type *type)
{
	return type->kind == 'b' || type->kind == 'h';
}

/* Elements that a channel multiplies in a step. */
static unsigned elements(const struct type *a, const struct type *b)
{
	return is_float(a) ? 2 : a->width <= 4 && b->width <= 4 ? 8 : 4;
}

static void write_text(char *text, size_t size, const char *op, const struct type *a,
	const struct type *b, unsigned depth, unsigned rows, bool sums)
{
	const char *type = is_float(a) ? "f" : "d";
	char from[16];

	snprintf(from, sizeof(from), sums ? "r%u" : "null", SUMS_AT);
	snprintf(text, size, "(W) %s.%ux%u (8|M0) r%u:%s %s:%s r%u:%s r%u.0:%s", op, depth, rows,
		RESULT_AT, type, from, type, COLUMNS_AT, a->name, ROWS_AT, b->name);
}

/* Of floats, numbers whose sums are exact. */
static void fill_numbers(uint8_t *grf, const struct type *type)
{
	for (unsigned i = 0; is_float(type) && i < 64 * 16; i++) {
		uint16_t one = type->kind == 'b' ? 0x3f80 : 0x3c00, half, random;

		memcpy(&random, grf + ROWS_AT * 32 + i * 2, 2);
		half = (uint16_t)((random & 0x8000) |
				  (one + (random & 3) * (one == 0x3c00 ? 256 : 32)));
		memcpy(grf + ROWS_AT * 32 + i * 2, &half, 2);
	}
	for (unsigned i = 0; is_float(type) && i < 64; i++) {
		float sum = (float)(int)(i * 37 % 101) - 50;

		memcpy(grf + SUMS_AT * 32 + i * 4, &sum, 4);
	}
}

/* Compares what is in `after` with the product of the matrices in `before`, whose rows are
 * `shared`. */
static void compare(const char *text, const uint8_t *before, const uint8_t *shared,
	const uint8_t *after, const struct type *a, const struct type *b, unsigned depth,
	unsigned rows, bool sums)
{
	unsigned n = elements(a, b);

	for (unsigned r = 0; r < rows; r++)
		for (unsigned c = 0; c < 8; c++) {
			uint32_t got, old = bits_at(before, SUMS_AT, (r * 8 + c) * 32, 32);
			double want = 0;
			float as_float;

			memcpy(&as_float, &old, 4);
			if (sums)
				want = is_float(a) ? (double)as_float : (double)(int32_t)old;
			for (unsigned k = 0; k < depth; k++)
				for (unsigned j = 0; j < n; j++)
					want += number(bits_at(before, COLUMNS_AT,
							       ((k * 8 + c) * n + j) * a->width,
							       a->width),
							a->kind, a->width) *
						number(bits_at(shared, 0,
							       (r * 8 * n + k * n + j) * b->width,
							       b->width),
							b->kind, b->width);
			memcpy(&got, after + (RESULT_AT * 8 + r * 8 + c) * 4, 4);
			memcpy(&as_float, &got, 4);
			if (is_float(a) ? (double)as_float != want : got != (uint32_t)(int64_t)want)
				fail_msg("%s: row %u, channel %u: 0x%x, should be %g", text, r, c,
					got, want);
		}
}

static void check(
	const struct type *a, const struct type *b, unsigned depth, unsigned rows, bool sums)
{
	static uint8_t before[sizeof(thread.thread.grf)];
	char text[256];

	write_text(text, sizeof(text), "dpas", a, b, depth, rows, sums);
	fill_numbers(thread.thread.grf, a);
	memcpy(before, thread.thread.grf, sizeof(before));
	run(text);
	compare(text, before, before + ROWS_AT * 32, thread.thread.grf, a, b, depth, rows, sums);
}

/* The same twice, by two threads of a pair, of which `first` comes first. */
static void check_pair(const struct type *a, const struct type *b, unsigned rows, unsigned first)
{
	static struct test_thread pair[2];
	static uint8_t before[2][sizeof(thread.thread.grf)];
	const struct gen_device *device = gen_device_find("dg2");
	unsigned count = (elements(a, b) * b->width * rows + 31) / 32, half = (count + 1) / 2;
	uint8_t shared[8 * 32];
	char text[256];

	write_text(text, sizeof(text), "dpasw", a, b, 8, rows, true);
	struct gen_program *program = test_assemble_for(device, text);
	struct gen_fault fault = { .kind = GEN_FAULT_NONE };
	struct eu_kernel *kernel = eu_kernel_create(device, program, &fault);
	assert_non_null(kernel);
	for (unsigned i = 0; i < 2; i++) {
		test_thread_init(&pair[i], rows * 2 + i + 1);
		pair[i].thread.index = i;
		pair[i].thread.group = &pair[0].group;
		fill_numbers(pair[i].thread.grf, a);
		memcpy(before[i], pair[i].thread.grf, sizeof(before[i]));
		memcpy(shared + i * half * 32, before[i] + ROWS_AT * 32,
			(i ? count - half : half) * 32);
	}
	pair[0].group.thread_count = pair[0].group.live = 2;
	assert_int_equal(test_thread_run(&pair[first], kernel, 0xff), EU_BLOCKED);
	assert_memory_equal(pair[first].thread.grf, before[first], sizeof(before[first]));
	assert_int_equal(eu_thread_run(&pair[first].thread, 100), EU_BLOCKED);
	assert_int_equal(test_thread_run(&pair[!first], kernel, 0xff), EU_DONE);
	/* What it does now is not for the other one. */
	memset(pair[!first].thread.grf + ROWS_AT * 32, 0xcd, 256);
	assert_int_equal(eu_thread_run(&pair[first].thread, 100), EU_DONE);
	for (unsigned i = 0; i < 2; i++)
		compare(text, before[i], shared, pair[i].thread.grf, a, b, 8, rows, true);
	eu_kernel_destroy(kernel);
	gen_program_destroy(program);
}

static const struct type ints[] = { { "ub", 'u', 8 }, { "b", 's', 8 }, { "u4", 'u', 4 },
	{ "s4", 's', 4 }, { "u2", 'u', 2 }, { "s2", 's', 2 } };
static const struct type floats[] = { { "hf", 'h', 16 }, { "bf", 'b', 16 } };

static void matrices_are_multiplied(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (unsigned rows = 1; rows <= 8; rows++)
		for (unsigned i = 0; i < 6; i++) {
			test_thread_init(&thread, seed++);
			check(&ints[i], &ints[(i + rows) % 6], 8, rows, rows % 2);
			test_thread_init(&thread, seed++);
			check(&floats[i % 2], &floats[i % 2], 8, rows, i < 4);
		}
}

static void pairs_share_rows(void **state)
{
	(void)state;
	for (unsigned rows = 1; rows <= 8; rows++)
		for (unsigned i = 0; i < 6; i++) {
			check_pair(&ints[i], &ints[(i + rows) % 6], rows, i % 2);
			if (i < 2)
				check_pair(&floats[i], &floats[i], rows, i);
		}
}

static void three_operands_are_combined(void **state)
{
	(void)state;
	for (unsigned table = 0; table < 256; table++) {
		char text[160];

		test_thread_init(&thread, table + 1);
		snprintf(text, sizeof(text),
			"(W) bfn.0x%02X (8|M0) r20.0<1>:ud r2.0<1;0>:ud r3.0<1;0>:ud r4.0<1>:ud\n"
			"(W) add3 (8|M0) r21.0<1>:d r2.0<1;0>:d -r3.0<1;0>:d r4.0<1>:d\n",
			table);
		run(text);
		for (unsigned i = 0; i < 8; i++) {
			uint32_t a = test_dword(&thread, 2, i), b = test_dword(&thread, 3, i),
				 c = test_dword(&thread, 4, i), want = 0;

			for (unsigned bit = 0; bit < 32; bit++) {
				unsigned row =
					(a >> bit & 1) | (b >> bit & 1) << 1 | (c >> bit & 1) << 2;

				want |= (table >> row & 1) << bit;
			}
			assert_int_equal(test_dword(&thread, 20, i), want);
			assert_int_equal(test_dword(&thread, 21, i), a - b + c);
		}
	}
}

/* A product takes acc0, while acc2 holds something else. */
static void accumulators_are_apart(void **state)
{
	static const char *const readers[] = { "",
		"(W) mov (8|M0) r22.0<1>:ud acc0.0<1;1,0>:ud\n" };

	(void)state;
	for (unsigned n = 0; n < 2; n++) {
		char text[512];

		test_thread_init(&thread, n + 1);
		snprintf(text, sizeof(text),
			"(W) rol (8|M0) acc2.0<1>:ud r4.0<1;1,0>:ud 7:w\n"
			"(W) mul (8|M0) acc0.0<1>:ud r2.0<1;1,0>:ud r3.0<2;1,0>:uw\n"
			"(W) mach (8|M0) r20.0<1>:ud r2.0<1;1,0>:ud r3.0<1;1,0>:ud\n"
			"%s"
			"(W) add (8|M0) acc0.0<1>:ud r5.0<1;1,0>:ud r6.0<1;1,0>:ud\n"
			"(W) bfn.0x96 (8|M0) r21.0<1>:ud acc0.0<1;0>:ud acc2.0<1;0>:ud "
			"r5.0<1>:ud\n",
			readers[n]);
		run(text);
		for (unsigned i = 0; i < 8; i++) {
			uint32_t a = test_dword(&thread, 2, i), b = test_dword(&thread, 3, i),
				 c = test_dword(&thread, 4, i);

			assert_int_equal(test_dword(&thread, 20, i), a * b);
			assert_int_equal(test_dword(&thread, 21, i),
				(test_dword(&thread, 5, i) + test_dword(&thread, 6, i)) ^
					(c << 7 | c >> 25) ^ test_dword(&thread, 5, i));
			if (n)
				assert_int_equal(test_dword(&thread, 22, i), a * (b & 0xffff));
		}
	}
}

static void bfloats_are_converted(void **state)
{
	static const struct {
		uint32_t from;
		uint16_t to;
	} rows[] = { { 0x3f800000, 0x3f80 }, { 0x3f808000, 0x3f80 }, { 0x3f818000, 0x3f82 },
		{ 0x3f808001, 0x3f81 }, { 0x7f7fffff, 0x7f80 }, { 0xff800000, 0xff80 },
		{ 0x80000000, 0x8000 }, { 0x7f800001, 0x7fc0 } };

	(void)state;
	test_thread_init(&thread, 1);
	for (unsigned i = 0; i < 8; i++)
		memcpy(thread.thread.grf + 2 * 32 + i * 4, &rows[i].from, 4);
	run("(W) mov (8|M0) r3.0<1>:bf r2.0<1;1,0>:f\n(W) mov (8|M0) r4.0<1>:f r3.0<1;1,0>:bf\n");
	for (unsigned i = 0; i < 8; i++) {
		uint16_t got;

		memcpy(&got, thread.thread.grf + 3 * 32 + i * 2, 2);
		if (i < 7)
			assert_int_equal(got, rows[i].to);
		else
			assert_true((got & 0x7fff) > 0x7f80); /* a NaN stays one */
		assert_int_equal(test_dword(&thread, 4, i), (uint32_t)got << 16);
	}
}

static void there_are_256_registers(void **state)
{
	(void)state;
	test_thread_init(&thread, 7);
	uint32_t want = test_dword(&thread, 255, 3);
	run("(W) mov (8|M0) r200.0<1>:ud r255.0<1;1,0>:ud\n");
	assert_int_equal(test_dword(&thread, 200, 3), want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(matrices_are_multiplied),
		cmocka_unit_test(pairs_share_rows),
		cmocka_unit_test(three_operands_are_combined),
		cmocka_unit_test(accumulators_are_apart),
		cmocka_unit_test(bfloats_are_converted),
		cmocka_unit_test(there_are_256_registers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
