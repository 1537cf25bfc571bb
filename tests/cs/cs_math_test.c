// SPDX-License-Identifier: MIT
#include "cs_bench.h"
#include "test_random.h"

#define ALU(op, a, b) ((uint32_t)(op) << 20 | (uint32_t)(a) << 10 | (uint32_t)(b))

enum { SRCA = 0x20, SRCB = 0x21, ACCU = 0x31, ZF = 0x32, CF = 0x33 };

static uint64_t seed;

static uint64_t get(const struct bench *bench, unsigned n)
{
	return cs_stream_register(bench->stream, 0x2600 + 8 * n) |
	       (uint64_t)cs_stream_register(bench->stream, 0x2604 + 8 * n) << 32;
}

static void set(const struct bench *bench, unsigned n, uint64_t value)
{
	cs_stream_set_register(bench->stream, 0x2600 + 8 * n, (uint32_t)value);
	cs_stream_set_register(bench->stream, 0x2604 + 8 * n, (uint32_t)(value >> 32));
}

static uint64_t pick(void)
{
	static const uint64_t corners[] = { 0, 1, ~UINT64_C(0), UINT64_C(1) << 63, 0xffffffff,
		UINT64_C(1) << 32 };
	uint64_t random = test_random(&seed);

	return random % 3 ? test_random(&seed) : corners[random / 3 % 6];
}

/* All operations on all kinds of operands; 128-bit arithmetic is the reference. */
static void computes_as_a_model_does(void **state)
{
	struct bench *bench = *state;

	for (unsigned i = 0; i < 4000; i++) {
		uint64_t a = pick(), b = i % 5 ? pick() : a;
		bool invert_a = test_random(&seed) & 1, invert_b = test_random(&seed) & 1;
		unsigned op = 0x100 + (unsigned)(test_random(&seed) % 5);
		set(bench, 3, a);
		set(bench, 14, b);
		for (unsigned n = 4; n < 8; n++)
			set(bench, n, 0x1111111111111111);
		assert_int_equal(RUN(bench, 0x0d000000 | 6, ALU(invert_a ? 0x480 : 0x80, SRCA, 3),
					 ALU(invert_b ? 0x480 : 0x80, SRCB, 14), ALU(op, 0, 0),
					 ALU(0x180, 4, ACCU), ALU(0x580, 5, ACCU),
					 ALU(0x180, 6, CF), ALU(0x180, 7, ZF), END),
			CS_DONE);
		a = invert_a ? ~a : a;
		b = invert_b ? ~b : b;
		__extension__ unsigned __int128 wide =
			op == 0x100 ? (unsigned __int128)a + b : (unsigned __int128)a - b;
		uint64_t result = op == 0x102	? (a & b)
				  : op == 0x103 ? (a | b)
				  : op == 0x104 ? (a ^ b)
						: (uint64_t)wide;
		bool carry = op <= 0x101 && (wide >> 64) != 0;
		assert_int_equal(get(bench, 4), result);
		assert_int_equal(get(bench, 5), ~result);
		assert_int_equal(get(bench, 6), carry ? ~UINT64_C(0) : 0);
		assert_int_equal(get(bench, 7), result ? 0 : ~UINT64_C(0));
	}
}

static void loads_constants(void **state)
{
	struct bench *bench = *state;

	assert_int_equal(RUN(bench, 0x0d000003, ALU(0x481, SRCA, 0), ALU(0x081, SRCB, 0),
				 ALU(0x101, 0, 0), ALU(0x180, 2, ACCU), 0x0d000000, 0, END),
		CS_DONE);
	assert_int_equal(get(bench, 2), ~UINT64_C(0));
}

static void refuses_what_does_not_exist(void **state)
{
	struct bench *bench = *state;
	static const uint32_t bad[] = { ALU(0x105, 0, 0), ALU(0x080, 0x22, 0), ALU(0x080, SRCA, 16),
		ALU(0x180, 16, ACCU), ALU(0x180, 0, SRCA), ALU(0x180, 0, 0x34), ALU(0xfff, 0, 0) };

	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_int_equal(RUN(bench, 0x0d000000, bad[i], END), CS_FAULT);
		bench_expect_fault(bench, GEN_FAULT_BAD_PACKET, "arithmetic unit");
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, bench_setup, bench_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(computes_as_a_model_does),
		TEST(loads_constants),
		TEST(refuses_what_does_not_exist),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
