// SPDX-License-Identifier: MIT
/* Doubles made of integers (kernels/builtin/double_core.cl, built as C) against the processor's. */
#include "compile/opencl_c.h"

#include "builtin/double_core.cl"

#include "test.h"
#include "test_random.h"

#include <fenv.h>
#include <stdint.h>

enum { N = 200000 };

static uint64_t seed = 1;

/* A number of any kind; all kinds are about as frequent. */
static ulong any(void)
{
	const uint64_t kind = test_random(&seed), bits = test_random(&seed);
	const ulong near = (1023 - 60 + (kind >> 8) % 120) << 52;

	switch (kind & 7) {
	case 0:
		return bits & DOUBLE_SIGN;
	case 1:
		return (bits & DOUBLE_SIGN) | DOUBLE_INFINITY | (kind >> 8 & 1) << 51;
	case 2: /* subnormal, with few bits or many */
		return (bits & DOUBLE_SIGN) | ((bits >> 12) >> (kind >> 8 & 31));
	case 3: /* whole */
		return as_ulong((double)(long)(bits >> (kind >> 8 & 63)));
	case 4: /* a power of two and its neighbours */
		return (bits & DOUBLE_SIGN) | (near + (bits & 2) - 1);
	case 5: /* with zeros behind */
		return bits & ~((1ul << (kind >> 8) % 50) - 1);
	case 6:
		return (bits & 0x800ffffffffffffful) | near;
	default:
		return bits;
	}
}

static void expect(const char *what, ulong a, ulong b, ulong got, double wanted)
{
	if (got != as_ulong(wanted) && !(double_is_nan(got) && isnan(wanted)))
		fail_msg("%s of %a and %a is %a, not %a", what, as_double(a), as_double(b),
			as_double(got), wanted);
}

static void test_arithmetic(void **state)
{
	(void)state;
	for (int i = 0; i < N; i++) {
		const ulong a = any(), c = any();
		const ulong b = i & 7 ? any() : a ^ (test_random(&seed) & (DOUBLE_SIGN | 3));
		volatile double x = as_double(a), y = as_double(b), z = as_double(c);

		expect("sum", a, b, double_add(a, b), x + y);
		expect("difference", a, b, double_sub(a, b), x - y);
		expect("product", a, b, double_mul(a, b), x * y);
		expect("quotient", a, b, double_div(a, b), x / y);
		expect("root", a, 0, double_sqrt(a), sqrt(x));
		expect("fma", a, b, double_fma(a, b, c), fma(x, y, z));
		/* the product and what nearly cancels it */
		const ulong near = as_ulong(-x * y) ^ (test_random(&seed) & 3);
		expect("fma", a, b, double_fma(a, b, near), fma(x, y, as_double(near)));
		if (i % 8)
			continue;
		expect("remainder", a, b, double_rem(a, b), fmod(x, y));
		const double rest = fmod(x, y);
		expect("modulo", a, b, double_mod(a, b),
			rest == 0.0				      ? copysign(0.0, y)
			: signbit(rest) != signbit(y) && !isnan(rest) ? rest + y
								      : rest);
	}
}

static void test_comparisons(void **state)
{
	(void)state;
	for (int i = 0; i < N; i++) {
		const ulong a = any(), b = i & 3 ? any() : a ^ (test_random(&seed) & DOUBLE_SIGN);
		const double x = as_double(a), y = as_double(b);

		assert_int_equal(double_eq(a, b), x == y);
		assert_int_equal(double_ne(a, b), x < y || x > y);
		assert_int_equal(double_lt(a, b), x < y);
		assert_int_equal(double_gt(a, b), x > y);
		assert_int_equal(double_le(a, b), x <= y);
		assert_int_equal(double_ge(a, b), x >= y);
		assert_int_equal(double_ueq(a, b), !(x < y || x > y));
		assert_int_equal(double_une(a, b), x != y);
		assert_int_equal(double_ult(a, b), !(x >= y));
		assert_int_equal(double_ugt(a, b), !(x <= y));
		assert_int_equal(double_ule(a, b), !(x > y));
		assert_int_equal(double_uge(a, b), !(x < y));
		assert_int_equal(double_isnan(a), isnan(x) != 0);
		assert_int_equal(double_isinf(a), isinf(x) != 0);
		assert_int_equal(double_isfinite(a), isfinite(x) != 0);
		assert_int_equal(double_isnormal(a), isnormal(x) != 0);
		assert_int_equal(double_signbit(a), signbit(x) != 0);
		assert_int_equal(double_neg(a), as_ulong(-x));
	}
}

/* The rounding that C has for the mode, of volatile operands only. */
static const int modes[] = {
	[RTE] = FE_TONEAREST, [RTZ] = FE_TOWARDZERO, [RTP] = FE_UPWARD, [RTN] = FE_DOWNWARD
};

static void test_integers(void **state)
{
	(void)state;
	for (int i = 0; i < N; i++) {
		const uint mode = (uint)i % 4;
		const ulong a = any(), n = test_random(&seed) >> (i & 63);
		volatile ulong integer = n;
		volatile double x = as_double(a), from, from_signed, whole;

		fesetround(modes[mode]);
		from = (double)integer;
		from_signed = (double)(long)integer;
		whole = rint(x);
		fesetround(FE_TONEAREST);
		expect("double", n, 0, double_from_ulong(n, mode), from);
		expect("double", n, 0, double_from_long(n, mode), from_signed);
		const long limited = isnan(x)		? 0
				     : whole >= 0x1p63	? INT64_MAX
				     : whole <= -0x1p63 ? INT64_MIN
							: (long)whole;
		const ulong amount = !(whole > 0) ? 0 : whole >= 0x1p64 ? UINT64_MAX : (ulong)whole;
		assert_int_equal(double_to_long(a, mode, 64), limited);
		assert_int_equal((long)double_to_long(a, mode, 8), clamp(limited, -128, 127));
		assert_int_equal(double_to_ulong(a, mode, 64), amount);
		assert_int_equal(double_to_ulong(a, mode, 16), min(amount, 65535));
		if (fabs(whole) < 0x1p63)
			assert_int_equal(double_to_long(a, mode, 0), (long)whole);
	}
}

static void test_floats(void **state)
{
	(void)state;
	for (int i = 0; i < N; i++) {
		const uint mode = (uint)i % 4;
		const ulong a = any();
		volatile double x = as_double(a);
		volatile float narrow;
		uint bits = (uint)test_random(&seed) & (i & 1 ? 0xffffffff : 0x807fffff);
		float wide, got;

		fesetround(modes[mode]);
		narrow = (float)x;
		fesetround(FE_TONEAREST);
		const uint narrowed = double_narrow(a, mode, 32, 23);
		memcpy(&got, &narrowed, sizeof got);
		if (!isnan(x))
			assert_memory_equal(&got, (const void *)&narrow, sizeof got);
		assert_int_equal(isnan(got) != 0, isnan(x) != 0);
		memcpy(&wide, &bits, sizeof wide);
		expect("double", bits, 0, double_of_float(bits), (double)wide);
	}
	/* halves, around what they can hold */
	assert_int_equal(double_narrow(as_ulong(65519.0), RTE, 16, 10), 0x7bff);
	assert_int_equal(double_narrow(as_ulong(65520.0), RTE, 16, 10), 0x7c00);
	assert_int_equal(double_narrow(as_ulong(-65520.0), RTZ, 16, 10), 0xfbff);
	assert_int_equal(double_narrow(as_ulong(0x1p-24), RTE, 16, 10), 1);
	assert_int_equal(double_narrow(as_ulong(0x1p-25), RTE, 16, 10), 0);
	assert_int_equal(double_narrow(as_ulong(0x1.8p-24), RTE, 16, 10), 2);
	assert_int_equal(double_narrow(as_ulong(0x1p-300), RTP, 16, 10), 1);
	assert_int_equal(double_narrow(as_ulong(1.0), RTE, 16, 10), 0x3c00);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arithmetic),
		cmocka_unit_test(test_comparisons),
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_floats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
