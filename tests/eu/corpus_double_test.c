// SPDX-License-Identifier: MIT
/*
 * Double precision, which the hardware does not have: the compiler emulates it with integers, when
 * it is told to. Through Intel's driver on the device, against the host's.
 */
#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "corpus_rows.h"
#include "cs/intel_group.h"

enum { N = 2048 };

static double a[N], b[N], c[N];
static union {
	double d[N];
	int64_t i[N];
	float f[2 * N];
} out;

static double from_bits(uint64_t bits)
{
	double x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

static uint64_t bits_of(double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static double any_double(void)
{
	static const double corners[] = { 0, -0.0, 1, -1, 0.5, 1.5, 2.5, -2.5, INFINITY, -INFINITY,
		NAN, 0x1p-1074, -0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023, 0x1p31, 0x1p32,
		-0x1p31, 0x1p53, 0x1p63, 2147483647.5, 0x1.fffffffffffffp-1 };
	uint64_t bits = (uint64_t)intel_random() << 32 | intel_random();

	switch (intel_random() % 4) {
	case 0:
		return corners[intel_random() % (sizeof corners / sizeof *corners)];
	case 1: /* of any size, but no signalling NaN */
		return isnan(from_bits(bits)) ? NAN : from_bits(bits);
	case 2: /* around 1, so that sums cancel */
		return from_bits((bits & UINT64_C(0x800fffffffffffff)) +
				 ((uint64_t)(1020 + bits % 7) << 52));
	}
	return from_bits((bits & UINT64_C(0x800fffffffffffff)) +
			 ((uint64_t)(1000 + intel_random() % 80) << 52));
}

static int begin_group(void **state)
{
	intel_begin(state);
	for (unsigned i = 0; i < N; i++) {
		a[i] = any_double();
		b[i] = any_double();
		c[i] = i % 3 ? any_double() : -a[i] * b[i];
	}
	return 0;
}

static void build(const char *part)
{
	char options[80];

	snprintf(options, sizeof options, "-cl-std=CL3.0 -D%s", part);
	intel_build_file(&intel, "double_ops.cl", options);
}

static void run(const char *kernel)
{
	memset(&out, 0xcd, sizeof out);
	assert_int_equal(
		INTEL_RUN(&intel, kernel, N, 64, BUFFER(a), BUFFER(b), BUFFER(c), BUFFER(out.d)),
		0);
}

static bool same(double x, double y)
{
	return isnan(x) ? isnan(y) : bits_of(x) == bits_of(y);
}

/*
 * The compiler's rounding functions lose the sign of zeroes: floor of -0.0 is 0.0, by integer
 * instructions that do what they say. Of two zeroes its fmin takes the second and its fmax the
 * first, which both may; and of a NaN and a number the NaN, when that comes first.
 */
static bool same_number(double x, double y)
{
	return x == 0 ? y == 0 : same(x, y);
}

#define EXACT(kernel, expression) COMPARE(kernel, same, expression)
#define COMPARE(kernel, equal, expression)                                                         \
	do {                                                                                       \
		run(kernel);                                                                       \
		for (unsigned i = 0; i < N; i++) {                                                 \
			volatile double x = a[i], y = b[i], z = c[i], want = expression;           \
			(void)x, (void)y, (void)z;                                                 \
			if (!equal(want, out.d[i]))                                                \
				fail_msg("%s(%a, %a, %a): %a, should be %a", kernel, x, y, z,      \
					out.d[i], want);                                           \
		}                                                                                  \
	} while (0)

#define WHOLE(kernel, expression)                                                                  \
	do {                                                                                       \
		run(kernel);                                                                       \
		for (unsigned i = 0; i < N; i++) {                                                 \
			volatile double x = a[i], y = b[i];                                        \
			int64_t want = expression;                                                 \
			(void)y;                                                                   \
			if (want != out.i[i])                                                      \
				fail_msg("%s(%a, %a): %lld, should be %lld", kernel, x, y,         \
					(long long)out.i[i], (long long)want);                     \
		}                                                                                  \
	} while (0)

static void arithmetic_is_exact(void **state)
{
	(void)state;
	build("ARITHMETIC");
	EXACT("sum", x + y);
	EXACT("difference", x - y);
	EXACT("product", x * y);
	EXACT("quotient", x / y);
	EXACT("fused", fma(x, y, z));
	EXACT("root", sqrt(x));
	COMPARE("down", same_number, floor(x));
	COMPARE("up", same_number, ceil(x));
	COMPARE("cut", same_number, trunc(x));
	WHOLE("less", x < y);
	WHOLE("equal", x == y);
	WHOLE("unordered", isunordered(x, y));
	WHOLE("ordered_or_equal", x >= y);
	/* The compiler's are not right for a first operand that is no number. */
	COMPARE("least", same_number, isnan(x) ? out.d[i] : fmin(x, y));
	COMPARE("most", same_number, isnan(x) ? out.d[i] : fmax(x, y));
}

static double clamped(double x, double limit)
{
	return x < -limit ? -limit : x > limit ? limit : x;
}

static double saturated(double x, double low, double high)
{
	return isnan(x) ? 0 : trunc(x < low ? low : x > high ? high : x);
}

static float toward_zero(double x)
{
	volatile double from = x;
	fesetround(FE_TOWARDZERO);
	volatile float f = (float)from;
	fesetround(FE_TONEAREST);
	return f;
}

static bool same_float(float x, float y)
{
	return isnan(x) ? isnan(y) : !memcmp(&x, &y, sizeof x);
}

static void conversions_are_exact(void **state)
{
	(void)state;
	build("CONVERSIONS");
	/*
	 * The compiler shifts a dword by 32 for these, and the hardware by 32 modulo 32; and NaNs
	 * are undefined here.
	 */
	for (unsigned i = 0; i < N; i++)
		if (isnan(a[i]) || ilogb(a[i]) == 20)
			a[i] = 3.75;
	WHOLE("to_int", (int32_t)clamped(x, 2e9));
	WHOLE("to_int_rte", (int32_t)rint(clamped(x, 2e9)));
	WHOLE("to_int_sat", (int64_t)saturated(x, -0x1p31, 0x1p31 - 1));
	WHOLE("to_uint_sat", (int64_t)saturated(x, 0, 0x1p32 - 1));
	WHOLE("to_long", (int64_t)clamped(x, 9e18));
	EXACT("from_bits", (double)(int64_t)bits_of(x));
	EXACT("from_unsigned", (double)bits_of(x));
	EXACT("from_int", (double)(int32_t)(bits_of(x) >> 32));
	run("from_float");
	for (unsigned i = 0; i < N; i++) {
		uint32_t high = (uint32_t)(bits_of(a[i]) >> 32);
		float f;
		memcpy(&f, &high, sizeof f);
		assert_true(same((double)f, out.d[i]));
	}
	run("to_float");
	for (unsigned i = 0; i < N; i++)
		if (!same_float((float)a[i], out.f[2 * i]) ||
			!same_float(toward_zero(a[i]), out.f[2 * i + 1]))
			fail_msg("float of %a: %a and toward zero %a", a[i], (double)out.f[2 * i],
				(double)out.f[2 * i + 1]);
	corpus_row("convert_int", "double", "any");
	corpus_row("convert_int_rte", "double", "any");
	corpus_row("convert_int_sat", "double", "any");
	corpus_row("convert_uint_sat", "double", "any");
	corpus_row("convert_long", "double", "any");
	corpus_row("convert_float", "double", "any");
	corpus_row("convert_float_rtz", "double", "any");
	corpus_row("convert_double", "long", "any");
	corpus_row("convert_double", "ulong", "any");
	corpus_row("convert_double", "int", "any");
	corpus_row("convert_double", "float", "any");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arithmetic_is_exact),
		cmocka_unit_test(conversions_are_exact),
	};

	return INTEL_RUN_TESTS(tests, begin_group);
}
