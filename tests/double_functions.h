// SPDX-License-Identifier: MIT
#ifndef DOUBLE_FUNCTIONS_H
#define DOUBLE_FUNCTIONS_H

#include <math.h>
#include <stdbool.h>

/*
 * Functions on doubles: X(name, ulps, what it is of the long doubles x and y). The errors are those
 * that OpenCL C allows (section 7.4).
 */
#define DOUBLE_FUNCTIONS_1(X)                                                                      \
	X(exp, 3, expl(x))                                                                         \
	X(exp2, 3, exp2l(x))                                                                       \
	X(exp10, 3, exp10l(x))                                                                     \
	X(expm1, 3, expm1l(x))                                                                     \
	X(log, 3, logl(x))                                                                         \
	X(log2, 3, log2l(x))                                                                       \
	X(log10, 3, log10l(x))                                                                     \
	X(log1p, 2, log1pl(x))                                                                     \
	X(logb, 0, logbl(x))                                                                       \
	X(sin, 4, sinl(x))                                                                         \
	X(cos, 4, cosl(x))                                                                         \
	X(tan, 5, tanl(x))                                                                         \
	X(sinpi, 4, double_sine_of(x))                                                             \
	X(cospi, 4, double_sine_of(fmodl(fabsl(x), 2) + 0.5L))                                     \
	X(tanpi, 6, double_tangent_of(x))                                                          \
	X(asin, 4, asinl(x))                                                                       \
	X(acos, 4, acosl(x))                                                                       \
	X(atan, 5, atanl(x))                                                                       \
	X(asinpi, 5, asinl(x) / M_PIl)                                                             \
	X(acospi, 5, acosl(x) / M_PIl)                                                             \
	X(atanpi, 5, atanl(x) / M_PIl)                                                             \
	X(sinh, 4, sinhl(x))                                                                       \
	X(cosh, 4, coshl(x))                                                                       \
	X(tanh, 5, tanhl(x))                                                                       \
	X(asinh, 4, asinhl(x))                                                                     \
	X(acosh, 4, acoshl(x))                                                                     \
	X(atanh, 5, atanhl(x))                                                                     \
	X(erf, 16, erfl(x))                                                                        \
	X(erfc, 16, erfcl(x))                                                                      \
	X(tgamma, 16, tgammal(x))                                                                  \
	X(cbrt, 2, cbrtl(x))                                                                       \
	X(rsqrt, 2, 1 / sqrtl(x))                                                                  \
	X(floor, 0, floorl(x))                                                                     \
	X(ceil, 0, ceill(x))                                                                       \
	X(trunc, 0, truncl(x))                                                                     \
	X(rint, 0, rintl(x))                                                                       \
	X(round, 0, roundl(x))

#define DOUBLE_FUNCTIONS_2(X)                                                                      \
	X(pow, 16, powl(x, y))                                                                     \
	X(atan2, 6, atan2l(x, y))                                                                  \
	X(atan2pi, 6, atan2l(x, y) / M_PIl)                                                        \
	X(hypot, 4, hypotl(x, y))                                                                  \
	X(fmin, 0, fminl(x, y))                                                                    \
	X(fmax, 0, fmaxl(x, y))                                                                    \
	X(fdim, 0, fdim((double)x, (double)y))                                                     \
	X(remainder, 0, remainder((double)x, (double)y))                                           \
	X(nextafter, 0, nextafter((double)x, (double)y))

/* sin(pi x), which a long double has exactly where it is 0 or 1. */
static inline long double double_sine_of(long double x)
{
	long double r = fmodl(x, 2);

	r = r > 1 ? r - 2 : r < -1 ? r + 2 : r;
	if (r == rintl(r))
		return copysignl(0, x);
	return fabsl(r) == 0.5L ? copysignl(1, r) : sinl(M_PIl * r);
}

static inline long double double_tangent_of(long double x)
{
	const long double r = fmodl(x, 1), odd = fmodl(truncl(x), 2);

	if (r == 0)
		return copysignl(0, odd != 0 ? -x : x);
	if (fabsl(r) == 0.5L)
		return odd == 0 ? copysignl(INFINITY, x) : copysignl(INFINITY, -x);
	return tanl(M_PIl * r);
}

/* Whether `got` is as near to `exact` as `ulps` allows. */
static inline bool double_is_near(double got, long double exact, double ulps)
{
	const double wanted = (double)exact;

	if (isnan(wanted) || isnan(got))
		return isnan(wanted) && isnan(got);
	if (isinf(wanted) || isinf(got))
		return wanted == got || (ulps > 0 && fabsl(exact) > 0x1.ffffffffffff0p1023L &&
						fabs(got) > 0x1.ffffffffffff0p1023);
	if (got == 0 && wanted == 0)
		return !signbit(got) == !signbit(wanted);
	const double unit = nextafter(fabs(wanted), INFINITY) - fabs(wanted);
	return fabsl(got - exact) <= (ulps > 0 ? ulps : 0.5) * (long double)unit;
}

/* Numbers at which functions change their ways. */
static const double double_edges[] = { 0.0, -0.0, 1, -1, 2, -2, 0.5, -0.5, INFINITY, -INFINITY, NAN,
	0x1p-1074, -0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023, 3, -3, 4,
	1.5, -1.5, 2.5, -2.5, 1e22, 0x1p52, 0x1p53, -0x1p53, 1e300, 709.78, 709.79, -745.1, -745.2,
	7.5, 8, -8, -7.5, -8.5, 171.6, -171.5, 0.9, -0.9, 1e-300, 1e-10, -1e-10,
	0x1.921fb54442d18p0, 0x1.6a09e667f3bcdp0, 1023.5, -1074.5, 19.99, 20.01 };

enum { DOUBLE_N_EDGES = sizeof double_edges / sizeof *double_edges };

#endif
