// SPDX-License-Identifier: MIT
#include "test.h"

#include <math.h>
#include <string.h>

#include "eu/ops/eu_math.h"
#include "eu/ops/eu_math_lane.h"
#include "eu/state/eu_half.h"
#include "gen/gen_inst.h"

static float from_bits(uint32_t bits)
{
	float x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

static long double inverse(long double x)
{
	return 1 / x;
}

static long double inverse_root(long double x)
{
	return 1 / sqrtl(x);
}

static const struct function {
	const char *name;
	unsigned number;
	long double (*exact)(long double);
} functions[] = {
	{ "inv", GEN_MATH_INV, inverse },
	{ "log", GEN_MATH_LOG, log2l },
	{ "exp", GEN_MATH_EXP, exp2l },
	{ "sqt", GEN_MATH_SQT, sqrtl },
	{ "rsqt", GEN_MATH_RSQT, inverse_root },
	{ "sin", GEN_MATH_SIN, sinl },
	{ "cos", GEN_MATH_COS, cosl },
};

/* A dense sample of all floats: right to the bit, but for a few next to a half-way point. */
static void rounds_right(void **state)
{
	const struct function *f = *state;
	eu_math_fn function = eu_math_function(f->number);
	unsigned wrong = 0, sampled = 0;
	assert_non_null(function);
	for (uint64_t bits = 0; bits < UINT64_C(0x100000000); bits += 4099) {
		float x = from_bits((uint32_t)bits);
		float got = (float)function((double)x, 0);
		float expected = (float)f->exact((long double)x);
		sampled++;
		if (isnan(expected) && isnan(got))
			continue;
		if (memcmp(&got, &expected, sizeof got) == 0)
			continue;
		wrong++;
		if (!(nextafterf(got, expected) == expected))
			fail_msg("%s(%a) is %a, not %a", f->name, (double)x, (double)got,
				(double)expected);
	}
	if (wrong > 2)
		fail_msg("%s: %u of %u are not rounded right", f->name, wrong, sampled);
}

/* What handlers narrow to a float, and then to a half. */
static double narrowed(unsigned function, double exact)
{
	bool odd = function == GEN_MATH_EXP || function == GEN_MATH_SIN || function == GEN_MATH_COS;
	return odd ? eu_math_odd(eu_math_all(exact))[0] : exact;
}

/* Of all halves, it is rounded as if once. */
static void rounds_to_halves(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
		eu_math_fn function = eu_math_function(functions[i].number);
		for (uint32_t bits = 0; bits < 0x10000; bits++) {
			double exact = function((double)eu_half_to_float((uint16_t)bits), 0);
			uint16_t once = eu_half_from_double(exact, EU_ROUND_NEAREST, true);
			float narrow = (float)narrowed(functions[i].number, exact);
			uint16_t twice =
				eu_half_from_double((double)narrow, EU_ROUND_NEAREST, true);
			if (once != twice)
				fail_msg("%s of half 0x%x is 0x%x, not 0x%x", functions[i].name,
					bits, twice, once);
		}
	}
}

static void knows_special_values(void **state)
{
	(void)state;
	static const struct {
		unsigned function;
		double argument, result;
	} rows[] = {
		{ GEN_MATH_INV, 0.0, INFINITY },
		{ GEN_MATH_INV, -0.0, -INFINITY },
		{ GEN_MATH_INV, INFINITY, 0.0 },
		{ GEN_MATH_LOG, 0.0, -INFINITY },
		{ GEN_MATH_LOG, -0.0, -INFINITY },
		{ GEN_MATH_LOG, 1.0, 0.0 },
		{ GEN_MATH_LOG, INFINITY, INFINITY },
		{ GEN_MATH_LOG, 0x1p-149, -149.0 },
		{ GEN_MATH_EXP, -INFINITY, 0.0 },
		{ GEN_MATH_EXP, INFINITY, INFINITY },
		{ GEN_MATH_EXP, 127.0, 0x1p127 },
		{ GEN_MATH_EXP, -149.0, 0x1p-149 },
		{ GEN_MATH_SQT, -0.0, -0.0 },
		{ GEN_MATH_RSQT, 0.0, INFINITY },
		{ GEN_MATH_RSQT, -0.0, -INFINITY },
		{ GEN_MATH_RSQT, INFINITY, 0.0 },
		{ GEN_MATH_SIN, 0.0, 0.0 },
		{ GEN_MATH_SIN, -0.0, -0.0 },
		{ GEN_MATH_COS, 0.0, 1.0 },
	};
	static const struct {
		unsigned function;
		double argument;
	} not_numbers[] = {
		{ GEN_MATH_LOG, -1.0 },
		{ GEN_MATH_SQT, -1.0 },
		{ GEN_MATH_RSQT, -1.0 },
		{ GEN_MATH_SIN, INFINITY },
		{ GEN_MATH_COS, -INFINITY },
		{ GEN_MATH_EXP, NAN },
		{ GEN_MATH_LOG, NAN },
		{ GEN_MATH_SIN, NAN },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		float got = (float)eu_math_function(rows[i].function)(rows[i].argument, 0);
		if ((double)got != rows[i].result || !signbit(got) != !signbit(rows[i].result))
			fail_msg("row %zu: %a", i, (double)got);
	}
	for (size_t i = 0; i < sizeof not_numbers / sizeof not_numbers[0]; i++)
		assert_true(isnan(
			eu_math_function(not_numbers[i].function)(not_numbers[i].argument, 0)));
	assert_null(eu_math_function(GEN_MATH_IQOT));
}

#define ROUNDS(index)                                                                              \
	{                                                                                          \
		"rounds " #index, rounds_right, NULL, NULL, (void *)(uintptr_t)&functions[index]   \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROUNDS(0),
		ROUNDS(1),
		ROUNDS(2),
		ROUNDS(3),
		ROUNDS(4),
		ROUNDS(5),
		ROUNDS(6),
		cmocka_unit_test(rounds_to_halves),
		cmocka_unit_test(knows_special_values),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
