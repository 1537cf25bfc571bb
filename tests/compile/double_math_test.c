// SPDX-License-Identifier: MIT
/* Mathematics on doubles (kernels/builtin/double_math.cl, built as C) against long doubles. */
#include "compile/opencl_c.h"

#include <limits.h>
#include <stdlib.h>

#include "builtin/double_math.cl"

#include "double_functions.h"
#include "test.h"
#include "test_random.h"

enum { N = 20000 };

static uint64_t seed = 1;

/* Numbers between the limits, and of all magnitudes, where the function's reference is good. */
static double pick(int i, double low, double high)
{
	const uint64_t bits = test_random(&seed);

	if (i < DOUBLE_N_EDGES)
		return double_edges[i];
	if (i & 1)
		return low + (high - low) * (double)(bits >> 11) * 0x1p-53;
	return as_double(
		(bits & 0x800ffffffffffffful) | (1023 - 30 + test_random(&seed) % 60) << 52);
}

static void test_one(void **state)
{
	static const struct {
		const char *name;
		double (*function)(double);
		double ulps;
	} functions[] = {
#define X(name, ulps, exact) { #name, double_##name, ulps },
		DOUBLE_FUNCTIONS_1(X)
#undef X
	};

	(void)state;
	for (int i = 0; i < N; i++) {
		const double given = pick(i, -30, 30), near = pick(i | 1, -2, 2);

		for (int is_near = 0; is_near < 2; is_near++) {
			const long double x = is_near ? near : given;
			const long double exact[] = {
#define X(name, ulps, exact) exact,
				DOUBLE_FUNCTIONS_1(X)
#undef X
			};

			for (size_t f = 0; f < sizeof exact / sizeof *exact; f++) {
				const double got = functions[f].function((double)x);

				if (!double_is_near(got, exact[f], functions[f].ulps))
					fail_msg("%s(%a) is %a, not %La", functions[f].name,
						(double)x, got, exact[f]);
			}
		}
	}
}

static void test_two(void **state)
{
	static const struct {
		const char *name;
		double (*function)(double, double);
		double ulps;
	} functions[] = {
#define X(name, ulps, exact) { #name, double_##name, ulps },
		DOUBLE_FUNCTIONS_2(X)
#undef X
	};
	enum { N_PAIRS = DOUBLE_N_EDGES * DOUBLE_N_EDGES };

	(void)state;
	for (int i = 0; i < N_PAIRS + N; i++) {
		const long double x =
			i < N_PAIRS ? double_edges[i / DOUBLE_N_EDGES] : pick(i, 0, 30);
		const long double y =
			i < N_PAIRS ? double_edges[i % DOUBLE_N_EDGES] : pick(i / 2 | 1, -60, 60);
		const long double exact[] = {
#define X(name, ulps, exact) exact,
			DOUBLE_FUNCTIONS_2(X)
#undef X
		};

		for (size_t f = 0; f < sizeof exact / sizeof *exact; f++) {
			const double got = functions[f].function((double)x, (double)y);
			/* which of two zeros is the larger one is open */
			const bool is_open =
				x == 0 && y == 0 && !strncmp(functions[f].name, "fm", 2);

			if (!is_open && !double_is_near(got, exact[f], functions[f].ulps))
				fail_msg("%s(%La, %La) is %a, not %La", functions[f].name, x, y,
					got, exact[f]);
		}
	}
}

/* What has an integer beside it, and what is exact. */
static void test_parts(void **state)
{
	(void)state;
	for (int i = 0; i < N; i++) {
		const double x =
			i < DOUBLE_N_EDGES ? double_edges[i] : as_double(test_random(&seed));
		const double y = x * (double)(test_random(&seed) >> 40) * 0x1p-20;
		const int up = (int)test_random_below(&seed, 4200) - 2100;
		int exponent, bits;
		double whole;

		if (isfinite(x)) {
			const double part = frexp(x, &exponent);

			assert_true(double_frexp(x) == part);
			assert_int_equal(double_frexp_exponent(x), exponent);
		}
		assert_true(isnan(x) || double_ldexp(x, up) == ldexp(x, up));
		assert_true(isnan(x) || double_modf(x) == modf(x, &whole));
		if (isfinite(x) && x != 0)
			assert_int_equal(double_ilogb(x), ilogb(x));
		const double rest = remquo(x, y, &bits);
		assert_true(isnan(rest) ? isnan(double_remquo(x, y)) : double_remquo(x, y) == rest);
		if (!isnan(rest) && isfinite(y))
			assert_int_equal(abs(double_remquo_bits(x, y)) & 7, abs(bits) & 7);
	}
	for (int i = -1074; i < 1024; i++) {
		assert_true(double_exp2(i) == ldexp(1, i));
		assert_true(double_log2(ldexp(1, i)) == i);
	}
	for (int i = 1; i < 1000; i++) {
		assert_true(double_cbrt((double)i * i * i) == i);
		assert_true(double_is_near(double_rootn(i, 7), powl(i, 1 / 7.0L), 16));
		assert_true(double_pown(-3, i % 30) == pow(-3, i % 30));
		assert_true(double_is_near(double_lgamma(2.2 + i), lgammal(2.2 + i), 16));
	}
	assert_int_equal(double_gamma_sign(-0.5), -1);
	assert_int_equal(double_gamma_sign(-1.5), 1);
	assert_true(isnan(double_powr(-1, 2)) && isnan(double_powr(0, 0)));
	assert_true(isnan(double_rootn(-8, 2)) && double_rootn(-8, 3) == -2);
	assert_true(double_fract(-0x1p-60) == 0x1.fffffffffffffp-1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one),
		cmocka_unit_test(test_two),
		cmocka_unit_test(test_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
