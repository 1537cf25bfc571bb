// SPDX-License-Identifier: MIT
/*
 * Blocks translate arithmetic in an order of their own, and put values elsewhere than where the
 * program has them. Random programs that use few registers for many values, by whole registers,
 * across them and as elements of other widths, for some channels, and longer than a block sorts at
 * once, leave in all registers what the interpreter leaves there.
 */
#include "test.h"

#include "eu/code/eu_code.h"
#include "eu_test_program.h"
#include "test_device.h"

#include <stdio.h>
#include <string.h>

enum { BYTES = 1 << 20, FIRST = 20, FLOATS = 70, FACTORS = 110, FACTOR_COUNT = 4 };

struct text {
	char bytes[BYTES];
	size_t size;
	uint64_t seed;
	unsigned registers; /* of each kind, from FIRST and FLOATS on */
};

static unsigned any(struct text *t, unsigned count)
{
	t->seed = t->seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)(t->seed >> 33) % count;
}

static void put(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct text *t, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	t->size += (size_t)vsnprintf(t->bytes + t->size, BYTES - t->size, format, list);
	va_end(list);
	assert_true(t->size < BYTES);
}

static unsigned integer_of(struct text *t)
{
	return FIRST + any(t, t->registers);
}

static unsigned float_of(struct text *t)
{
	return FLOATS + any(t, t->registers);
}

/* Eight or sixteen lanes; of some channels only, sometimes. */
static void put_channels(struct text *t, const char *name, bool may_be_masked)
{
	static const char *const channels[] = { "16|M0", "16|M0", "16|M0", "8|M0", "8|M8" };

	put(t, "%s%s (%s) ", may_be_masked && any(t, 16) == 0 ? "(f1.0) " : "", name,
		channels[any(t, 5)]);
}

/* A register, one of its elements, or lanes that begin in the middle of one. */
static void put_integers(struct text *t)
{
	switch (any(t, 12)) {
	case 0:
		put(t, " r%u.%u<0;1,0>:d", integer_of(t), any(t, 8));
		break;
	case 1:
		put(t, " r%u.%u<1;1,0>:d", integer_of(t), any(t, 8));
		break;
	default:
		put(t, " r%u.0<8;8,1>:d", integer_of(t));
	}
}

/* Elements that become narrower or wider, in registers of integers. */
static void put_other_width(struct text *t)
{
	static const char *const narrow[] = { "<1>:uw", "<1>:uw", "<1>:ub", "<2>:ub", "<4>:ub" };
	static const char *const wide[] = { "<8;8,1>:uw", "<8;8,1>:uw", "<8;8,1>:w", "<8;8,1>:ub" };
	unsigned which = any(t, 10);

	put_channels(t, "mov", true);
	if (which < 4)
		put(t, "r%u.0%s r%u.0<8;8,1>:d\n", integer_of(t), narrow[any(t, 5)], integer_of(t));
	else if (which == 4)
		put(t, "r%u.0<1>:hf r%u.0<8;8,1>:f\n", integer_of(t), float_of(t));
	else if (which == 5)
		put(t, "r%u.0<1>:f r%u.%u<8;8,1>:hf\n", integer_of(t), integer_of(t),
			8 * any(t, 2));
	else
		put(t, "r%u.0<1>:d r%u.%u%s\n", integer_of(t), integer_of(t),
			any(t, 3) ? 0 : any(t, 9), wide[any(t, 4)]);
}

static void put_instruction(struct text *t)
{
	static const char *const operations[] = { "add", "xor", "or", "and" };
	unsigned which = any(t, 14);

	if (which >= 10) {
		put_other_width(t);
	} else if (which < 4) { /* factors below 1 keep sums finite */
		put_channels(t, "mad", false);
		put(t, "r%u.0<1>:f r%u.0<8;1>:f r%u.0<8;1>:f r%u.0<1>:f\n", float_of(t),
			float_of(t), float_of(t), FACTORS + 2 * any(t, FACTOR_COUNT));
	} else if (which == 4) {
		put_channels(t, "shl", true);
		put(t, "r%u.0<1>:d", integer_of(t));
		put_integers(t);
		put(t, " %u:uw\n", any(t, 32));
	} else if (which == 5) {
		put_channels(t, "mov", true);
		put(t, "r%u.0<1>:d r%u.%u<32;8,4>:ub\n", integer_of(t), integer_of(t), any(t, 4));
	} else {
		put_channels(t, operations[any(t, 4)], true);
		put(t, "r%u.0<1>:d", integer_of(t));
		put_integers(t);
		put_integers(t);
		put(t, "\n");
	}
}

static void make_program(struct text *t, unsigned instructions)
{
	t->size = 0;
	put(t, "(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x4c0:ud\n");
	put(t, "mov (1|M0) f1.0<1>:uw 0x3a5c:uw\n");
	for (unsigned i = 0; i < FACTOR_COUNT; i++)
		put(t, "mov (16|M0) r%u.0<1>:f %s%f:f\n", FACTORS + 2 * i, i % 2 ? "-" : "",
			1.0 / (2 << i));
	for (unsigned i = 0; i < t->registers + 2; i++)
		put(t, "mov (8|M0) r%u.0<1>:f r%u.0<32;8,4>:ub\n", FLOATS + i, FIRST + i);
	for (unsigned i = 0; i < instructions; i++)
		put_instruction(t);
}

static void run(const struct gen_program *program, struct eu_target target, uint32_t channels,
	struct test_thread *t)
{
	struct gen_fault fault = { 0 };
	struct eu_kernel *kernel = eu_kernel_create_for(
		test_device(), program, (struct eu_options){ .target = target }, &fault);

	assert_non_null(kernel);
	test_thread_init(t, 1);
	assert_int_equal(test_thread_run(t, kernel, channels), EU_DONE);
	eu_kernel_destroy(kernel);
}

static void compare(const struct text *t, uint64_t seed)
{
	static struct test_thread expected, got;
	static const uint32_t channels[] = { 0xffff, 0x9bd6 };
	struct gen_program *program = test_assemble(t->bytes);

	for (unsigned i = 0; i < 2; i++) {
		run(program, (struct eu_target){ EU_HOST_BASE, false }, channels[i], &expected);
		run(program, eu_target_parse("stencil"), channels[i], &got);
		for (size_t at = 0; at < sizeof(got.thread.grf); at++)
			if (got.thread.grf[at] != expected.thread.grf[at])
				fail_msg("seed %llu, channels 0x%x: r%zu differs\n%s",
					(unsigned long long)seed, channels[i], at / GEN_GRF_BYTES,
					t->size < 8192 ? t->bytes : "");
	}
	gen_program_destroy(program);
}

static void compare_some(unsigned count, unsigned instructions, unsigned registers)
{
	static struct text t;

	for (uint64_t seed = 0; seed < count; seed++) {
		t.seed = seed;
		t.registers = registers;
		make_program(&t, instructions);
		compare(&t, seed);
	}
}

static void short_programs(void **state)
{
	(void)state;
	compare_some(300, 40, 16);
}

static void values_share_few_registers(void **state)
{
	(void)state;
	compare_some(100, 150, 9);
}

static void values_have_many_registers(void **state)
{
	(void)state;
	compare_some(50, 200, 36);
}

static void programs_are_longer_than_a_run(void **state)
{
	(void)state;
	compare_some(2, 6000, 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_programs),
		cmocka_unit_test(values_share_few_registers),
		cmocka_unit_test(values_have_many_registers),
		cmocka_unit_test(programs_are_longer_than_a_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
