// SPDX-License-Identifier: MIT
#include "test.h"
#include "test_random.h"

#include <math.h>
#include <string.h>

#include "eu/state/eu_half.h"

/* The value of a half, the long way. */
static double value_of(uint16_t half)
{
	int exponent = half >> 10 & 31, mantissa = half & 0x3ff;
	double x = exponent == 31 ? (mantissa ? NAN : INFINITY)
		   : exponent	  ? ldexp(1024 + mantissa, exponent - 25)
				  : ldexp(mantissa, -24);
	return half >> 15 ? -x : x;
}

/* The half that a value rounds to, looked for among all of them. */
static uint16_t search(double x, enum eu_rounding mode)
{
	/* Halves of one sign are ordered as integers. */
	const uint16_t top = 0x7c00;
	uint16_t low = 0, high = top;
	double m = fabs(x);
	while (high - low > 1) {
		uint16_t middle = (uint16_t)((low + high) / 2);
		if (value_of(middle) <= m)
			low = middle;
		else
			high = middle;
	}
	if (value_of(low) == m)
		return (uint16_t)(low | (signbit(x) ? 0x8000 : 0));
	uint16_t below = signbit(x) ? (uint16_t)(high | 0x8000) : low;
	uint16_t above = signbit(x) ? (uint16_t)(low | 0x8000) : high;
	if (mode == EU_ROUND_UP)
		return above;
	if (mode == EU_ROUND_DOWN)
		return below;
	uint16_t sign = signbit(x) ? 0x8000 : 0;
	if (mode == EU_ROUND_ZERO)
		return low | sign;
	/* The largest finite number's upper neighbour counts as 2^16 here. */
	double upper = high == top ? 65536 : value_of(high), lower = value_of(low);
	bool up = m - lower > upper - m || (m - lower == upper - m && (low & 1));
	return (uint16_t)((up ? high : low) | sign);
}

static void converts_all_halves(void **state)
{
	(void)state;
	for (uint32_t half = 0; half < 0x10000; half++) {
		float x = eu_half_to_float((uint16_t)half);
		double expected = value_of((uint16_t)half);
		if (isnan(expected)) {
			uint32_t bits;
			memcpy(&bits, &x, 4);
			assert_true(isnan(x));
			assert_int_equal(bits >> 13 & 0x3ff, (half & 0x3ff) | 0x200);
			assert_int_equal(bits >> 31, half >> 15);
			continue;
		}
		assert_true((double)x == expected && (uint32_t) !!signbit(x) == half >> 15);
		for (unsigned mode = 0; mode < 4; mode++)
			assert_int_equal(
				eu_half_from_double((double)x, (enum eu_rounding)mode, true), half);
	}
}

static void rounds(void **state)
{
	(void)state;
	uint64_t random = 1;
	for (unsigned n = 0; n < 400000; n++) {
		uint64_t seed = test_random(&random);
		uint16_t base = (uint16_t)(seed >> 20);
		double x = value_of(base);
		if (isnan(x) || isinf(x))
			x = seed & 1 ? 65519.999 : -1e9;
		switch (seed >> 60 & 3) {
		case 0: /* half way to a neighbour, or just off it */
			x = (x + value_of(base ^ 1)) / 2;
			if (!isfinite(x))
				x = 65520;
			if (seed & 2)
				x = nextafter(x, seed & 4 ? 1e10 : -1e10);
			break;
		case 1:
			x *= 1 + ldexp((double)(seed & 0xfff), -23);
			break;
		case 2:
			x = ldexp(x, (int)(seed & 31) - 24);
			break;
		}
		for (unsigned mode = 0; mode < 4; mode++) {
			uint16_t expected = search(x, (enum eu_rounding)mode);
			uint16_t got = eu_half_from_double(x, (enum eu_rounding)mode, true);
			if (got != expected)
				fail_msg("%a in mode %u: %04x, not %04x", x, mode, got, expected);
		}
	}
}

static void flushes_and_keeps_nan(void **state)
{
	(void)state;
	assert_int_equal(eu_half_from_double(0x1p-20, EU_ROUND_NEAREST, false), 0);
	assert_int_equal(eu_half_from_double(-0x1p-20, EU_ROUND_NEAREST, false), 0x8000);
	assert_int_equal(eu_half_from_double(0x1p-14, EU_ROUND_NEAREST, false), 0x0400);
	assert_int_equal(eu_half_from_double(0x1p-1074, EU_ROUND_UP, true), 1);
	assert_true((eu_half_from_double(NAN, EU_ROUND_UP, true) & 0x7fff) > 0x7c00);
	assert_int_equal(eu_half_from_double(INFINITY, EU_ROUND_ZERO, true), 0x7c00);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(converts_all_halves),
		cmocka_unit_test(rounds),
		cmocka_unit_test(flushes_and_keeps_nan),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
