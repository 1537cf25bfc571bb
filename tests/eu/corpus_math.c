// SPDX-License-Identifier: MIT
#include "corpus_math.h"

#include <math.h>

struct math_item math_item;

/* ---- references, in the host's extended precision ---- */

static long double exp10_of(long double x)
{
	return powl(10, x);
}

static long double rsqrt_of(long double x)
{
	return 1 / sqrtl(x);
}

#define PI 3.14159265358979323846264338327950288L

/* With exact zeros and poles: the argument is reduced before it is multiplied. */
static long double sinpi_of(long double x)
{
	long double r = isinf(x) ? NAN : remainderl(x, 2);

	if (fabsl(r) > 0.5L)
		r = copysignl(1, r) - r;
	return r == 0 ? copysignl(0, x) : sinl(PI * r);
}

static long double cospi_of(long double x)
{
	long double r = isinf(x) ? NAN : fabsl(remainderl(x, 2));

	return r == 0.5L ? 0 : (r < 0.25L ? cosl(PI * r) : sinl(PI * (0.5L - r)));
}

static long double tanpi_of(long double x)
{
	return sinpi_of(x) / cospi_of(x);
}

static long double acospi_of(long double x)
{
	return acosl(x) / PI;
}

static long double asinpi_of(long double x)
{
	return asinl(x) / PI;
}

static long double atanpi_of(long double x)
{
	return atanl(x) / PI;
}

static long double atan2pi_of(long double y, long double x)
{
	return atan2l(y, x) / PI;
}

static long double divide_of(long double x, long double y)
{
	return x / y;
}

static long double recip_of(long double x)
{
	return 1 / x;
}

static long double powr_of(long double x, long double y)
{
	bool undefined = x < 0 || isnan(x) || isnan(y) || (x == 0 && y == 0) ||
			 (isinf(x) && y == 0) || (x == 1 && isinf(y));

	return undefined ? NAN : powl(x == 0 ? 0 : x, y);
}

static long double maxmag_of(long double x, long double y)
{
	return fabsl(x) > fabsl(y) ? x : fabsl(y) > fabsl(x) ? y : fmaxl(x, y);
}

static long double minmag_of(long double x, long double y)
{
	return fabsl(x) < fabsl(y) ? x : fabsl(y) < fabsl(x) ? y : fminl(x, y);
}

static long double mad_of(long double x, long double y, long double z)
{
	return x * y + z;
}

static long double sign_of(long double x)
{
	return isnan(x) ? 0 : x > 0 ? 1 : x < 0 ? -1 : x;
}

static long double degrees_of(long double x)
{
	return x * 180 / PI;
}

static long double radians_of(long double x)
{
	return x * PI / 180;
}

static long double logb_of(long double x)
{
	return logbl(x);
}

static long double add_of(long double x, long double y)
{
	return x + y;
}

static long double sub_of(long double x, long double y)
{
	return x - y;
}

static long double mul_of(long double x, long double y)
{
	return x * y;
}

/* ---- with an integer, or with more than one result ---- */

static long double ldexp_of(long double x)
{
	return ldexpl(x, math_item.k);
}

static long double pown_of(long double x)
{
	return powl(x, math_item.k);
}

static long double rootn_of(long double x)
{
	int n = math_item.k;
	bool odd = n & 1;

	if (n == 0 || (x < 0 && !odd))
		return NAN;
	if (x == 0)
		return n > 0 ? (odd ? x : 0) : (odd ? copysignl(INFINITY, x) : INFINITY);
	return copysignl(powl(fabsl(x), 1.0L / n), x);
}

static long double max2_of(long double x)
{
	return fmaxl(x, 2);
}

static long double min2_of(long double x)
{
	return fminl(x, 2);
}

static long double vec_step_of(long double x)
{
	(void)x;
	return 5 + math_item.step;
}

static long double fract_of(long double x)
{
	long double f = isinf(x) ? copysignl(0, x) : x - floorl(x), below = 1;

	for (int i = 0; i < math_item.type->digits; i++)
		below /= 2;
	return f > 1 - below ? 1 - below : f;
}

static long double frexp_of(long double x)
{
	int exponent;

	return frexpl(x, &exponent);
}

static long double frexp_exponent_of(long double x)
{
	int exponent;

	frexpl(x, &exponent);
	return exponent;
}

static long double modf_of(long double x)
{
	long double whole;

	return modfl(x, &whole);
}

static long double modf_whole_of(long double x)
{
	return truncl(x);
}

static long double remquo_quotient_of(long double x, long double y)
{
	int quotient;

	if (y == 0)
		return NAN;
	remquol(x, y, &quotient);
	return (quotient < 0 ? -quotient : quotient) & 7;
}

static long double ilogb_of(long double x)
{
	return ilogbl(x);
}

static long double lgamma4_of(long double x)
{
	return lgammal(x) + 4;
}

static long double gamma_sign_of(long double x)
{
	return x <= 0 && x == floorl(x) ? NAN : tgammal(x) < 0 ? -1 : 1;
}

static long double nan_of(long double x)
{
	(void)x;
	return NAN;
}

static long double nextafter_of(long double x, long double y)
{
	const struct math_type *type = math_item.type;
	int exponent;

	if (isnan(x) || isnan(y) || x == y)
		return x == y ? y : NAN;
	if (isinf(x))
		return copysignl(type->largest, x);
	bool up = y > x;
	frexpl(x, &exponent);
	exponent -= type->digits;
	/* Toward zero from a power of two the step is half as long. */
	if (fabsl(x) == ldexpl(0.5L, exponent + type->digits) && up == (x < 0))
		exponent--;
	if (x == 0 || exponent < type->least)
		exponent = type->least;
	long double next = x + (up ? 1 : -1) * ldexpl(1, exponent);
	return fabsl(next) > type->largest ? copysignl(INFINITY, next) : next;
}

/* ---- common, geometric, relational ---- */

static long double clamp_of(long double x, long double y, long double z)
{
	long double low = y < z ? y : z, high = y < z ? z : y;

	return x < low ? low : x > high ? high : x;
}

static long double mix_of(long double x, long double y, long double z)
{
	return x + (y - x) * z / 4;
}

static long double step_of(long double edge, long double x)
{
	return x < edge ? 0 : 1;
}

static long double smoothstep_of(long double x)
{
	long double t = (x - 0.5L) / 1.5L;

	t = t < 0 ? 0 : t > 1 ? 1 : t;
	return t * t * (3 - 2 * t);
}

static long double dot_of(long double x, long double y, long double z)
{
	return x * z + y * x + z * y + 2;
}

static long double cross_of(long double x, long double y, long double z)
{
	return x * z - y * y + 16;
}

static long double length_of(long double x, long double y, long double z)
{
	return sqrtl(x * x + y * y + z * z);
}

static long double distance_of(long double x, long double y, long double z)
{
	return length_of(x + 1, y, z);
}

static long double normalize_of(long double x, long double y, long double z)
{
	return y / length_of(x, y, z);
}

static long double isequal_of(long double x, long double y)
{
	return x == y;
}

static long double isnotequal_of(long double x, long double y)
{
	return x != y;
}

static long double isgreater_of(long double x, long double y)
{
	return isgreater(x, y);
}

static long double isgreaterequal_of(long double x, long double y)
{
	return isgreaterequal(x, y);
}

static long double isless_of(long double x, long double y)
{
	return isless(x, y);
}

static long double islessequal_of(long double x, long double y)
{
	return islessequal(x, y);
}

static long double islessgreater_of(long double x, long double y)
{
	return islessgreater(x, y);
}

static long double isordered_of(long double x, long double y)
{
	return !isunordered(x, y);
}

static long double isunordered_of(long double x, long double y)
{
	return isunordered(x, y);
}

static long double isfinite_of(long double x)
{
	return !isinf(x) && !isnan(x);
}

static long double isinf_of(long double x)
{
	return isinf(x) != 0;
}

static long double isnan_of(long double x)
{
	return isnan(x) != 0;
}

static long double isnormal_of(long double x)
{
	return isfinite_of(x) &&
	       fabsl(x) >= ldexpl(1, math_item.type->least + math_item.type->digits - 1);
}

static long double signbit_of(long double x)
{
	return signbit(x) != 0;
}

static long double any_of(long double x, long double y)
{
	return x > 1 || y > 1;
}

static long double all_of(long double x, long double y)
{
	return x > 1 && y > 1;
}

static long double select_of(long double x, long double y)
{
	return math_item.k & 1 ? y : x;
}

static long double bitselect_of(long double x, long double y)
{
	return copysignl(x, y);
}

/* ---- the table ---- */

const struct math_function math_functions[] = {
#define ONE(name, ulp, half_ulp, double_ulp, flags, reference)                                     \
	{                                                                                          \
#name, NULL, 1, ulp, half_ulp, double_ulp, flags, reference, NULL, NULL            \
	}
#define TWO(name, ulp, half_ulp, double_ulp, flags, reference)                                     \
	{                                                                                          \
#name, NULL, 2, ulp, half_ulp, double_ulp, flags, NULL, reference, NULL            \
	}
	ONE(acos, 4, 2, 4, HEAVY, acosl),
	ONE(acosh, 4, 2, 4, HEAVY, acoshl),
	ONE(acospi, 5, 2, 5, HEAVY, acospi_of),
	ONE(asin, 4, 2, 4, HEAVY, asinl),
	ONE(asinh, 4, 2, 4, HEAVY, asinhl),
	ONE(asinpi, 5, 2, 5, HEAVY, asinpi_of),
	ONE(atan, 5, 2, 5, HEAVY | QUICK, atanl),
	ONE(atanh, 5, 2, 5, HEAVY, atanhl),
	ONE(atanpi, 5, 2, 5, HEAVY, atanpi_of),
	ONE(cbrt, 2, 2, 2, HEAVY, cbrtl),
	ONE(ceil, 0, 0, 0, 0, ceill),
	ONE(cos, 4, 2, 4, HEAVY, cosl),
	ONE(cosh, 4, 2, 4, HEAVY, coshl),
	ONE(cospi, 4, 2, 4, HEAVY, cospi_of),
	ONE(erf, 16, 4, 16, HEAVY, erfl),
	ONE(erfc, 16, 4, 16, HEAVY, erfcl),
	ONE(exp, 3, 2, 3, HEAVY | QUICK, expl),
	ONE(exp2, 3, 2, 3, HEAVY | QUICK, exp2l),
	ONE(exp10, 3, 2, 3, HEAVY, exp10_of),
	ONE(expm1, 3, 2, 3, HEAVY, expm1l),
	ONE(fabs, 0, 0, 0, 0, fabsl),
	ONE(floor, 0, 0, 0, 0, floorl),
	ONE(log, 3, 2, 3, HEAVY, logl),
	ONE(log2, 3, 2, 3, HEAVY, log2l),
	ONE(log10, 3, 2, 3, HEAVY, log10l),
	ONE(log1p, 2, 2, 2, HEAVY, log1pl),
	ONE(logb, 0, 0, 0, 0, logb_of),
	ONE(rint, 0, 0, 0, 0, rintl),
	ONE(round, 0, 0, 0, 0, roundl),
	ONE(rsqrt, 2, 1, 2, HEAVY | QUICK, rsqrt_of),
	ONE(sin, 4, 2, 4, HEAVY, sinl),
	ONE(sinh, 4, 2, 4, HEAVY, sinhl),
	ONE(sinpi, 4, 2, 4, HEAVY, sinpi_of),
	ONE(sqrt, 3, 0.5f, 0.5f, 0, sqrtl),
	ONE(tan, 5, 2, 5, HEAVY, tanl),
	ONE(tanh, 5, 2, 5, HEAVY, tanhl),
	ONE(tanpi, 6, 2, 6, HEAVY, tanpi_of),
	ONE(tgamma, 16, 4, 16, HEAVY, tgammal),
	ONE(trunc, 0, 0, 0, 0, truncl),
	ONE(sign, 0, 0, 0, 0, sign_of),
	ONE(degrees, 2, 2, 2, 0, degrees_of),
	ONE(radians, 2, 2, 2, 0, radians_of),
	TWO(atan2, 6, 2, 6, HEAVY, atan2l),
	TWO(atan2pi, 6, 2, 6, HEAVY, atan2pi_of),
	TWO(copysign, 0, 0, 0, 0, copysignl),
	TWO(fdim, 0.5f, 0.5f, 0.5f, 0, fdiml),
	TWO(fmax, 0, 0, 0, 0, fmaxl),
	TWO(fmin, 0, 0, 0, 0, fminl),
	TWO(fmod, 0, 0, 0, HEAVY | QUICK, fmodl),
	TWO(hypot, 4, 2, 4, HEAVY, hypotl),
	TWO(maxmag, 0, 0, 0, 0, maxmag_of),
	TWO(minmag, 0, 0, 0, 0, minmag_of),
	TWO(pow, 16, 4, 16, HEAVY, powl),
	TWO(powr, 16, 4, 16, HEAVY, powr_of),
	TWO(remainder, 0, 0, 0, HEAVY, remainderl),
	{ "add", "x + y", 2, 0.5f, 0.5f, 0.5f, 0, NULL, add_of, NULL },
	{ "sub", "x - y", 2, 0.5f, 0.5f, 0.5f, 0, NULL, sub_of, NULL },
	{ "mul", "x * y", 2, 0.5f, 0.5f, 0.5f, 0, NULL, mul_of, NULL },
	{ "divide", "x / y", 2, 2.5f, 0.5f, 0.5f, 0, NULL, divide_of, NULL },
	{ "recip", "(S)1 / x", 1, 2.5f, 0.5f, 0.5f, 0, recip_of, NULL, NULL },
	{ "fma", NULL, 3, 0.5f, 0.5f, 0.5f, 0, NULL, NULL, fmal },
	{ "mad", NULL, 3, 1e9f, 1e9f, 1e9f, NEAR | POSITIVE, NULL, NULL, mad_of },
#define WITH(name, call, ulp, half_ulp, flags, reference)                                          \
	{                                                                                          \
#name, call, 1, ulp, half_ulp, ulp, flags, reference, NULL, NULL                   \
	}
	WITH(fmax__scalar, "fmax(x, (S)2)", 0, 0, 0, max2_of),
	WITH(fmin__scalar, "fmin(x, (S)2)", 0, 0, 0, min2_of),
	WITH(ldexp, "ldexp(x, k)", 0.5f, 0.5f, 0, ldexp_of),
	WITH(pown, "pown(x, k)", 16, 4, HEAVY, pown_of),
	WITH(rootn, "rootn(x, k)", 16, 4, HEAVY, rootn_of),
	WITH(sincos__sine, "({ T c; sincos(x, &c); })", 4, 2, HEAVY, sinl),
	WITH(sincos__cosine, "({ T c; sincos(x, &c); c; })", 4, 2, HEAVY, cosl),
	WITH(fract, "({ T w; fract(x, &w); })", 0.5f, 1, 0, fract_of),
	WITH(fract__whole, "({ T w; fract(x, &w); w; })", 0, 0, 0, floorl),
	WITH(frexp, "({ K e; frexp(x, &e); })", 0, 0, 0, frexp_of),
	WITH(frexp__exponent, "({ K e; frexp(x, &e); NUMBER(e); })", 0, 0, FINITE,
		frexp_exponent_of),
	WITH(modf, "({ T w; modf(x, &w); })", 0, 0, 0, modf_of),
	WITH(modf__whole, "({ T w; modf(x, &w); w; })", 0, 0, 0, modf_whole_of),
	WITH(ilogb, "NUMBER(ilogb(x))", 0, 0, FINITE | NOT_ZERO, ilogb_of),
	WITH(lgamma, "lgamma(x) + (S)4", 64, 16, NEAR | POSITIVE | HEAVY, lgamma4_of),
	WITH(lgamma_r, "({ K s; lgamma_r(x, &s) + (S)4; })", 64, 16, NEAR | POSITIVE | HEAVY,
		lgamma4_of),
	WITH(lgamma_r__sign, "({ K s; lgamma_r(x, &s); NUMBER(s); })", 0, 0, NEAR | FINITE | HEAVY,
		gamma_sign_of),
	WITH(nan, "nan(AS_BITS(x))", 0, 0, 0, nan_of),
	WITH(smoothstep, "smoothstep((S)0.5f, (S)2, x)", 64, 16, NEAR | POSITIVE, smoothstep_of),
	WITH(isfinite, "TRUTH(isfinite(x))", 0, 0, 0, isfinite_of),
	WITH(isinf, "TRUTH(isinf(x))", 0, 0, 0, isinf_of),
	WITH(isnan, "TRUTH(isnan(x))", 0, 0, 0, isnan_of),
	WITH(isnormal, "TRUTH(isnormal(x))", 0, 0, 0, isnormal_of),
	WITH(signbit, "TRUTH(signbit(x))", 0, 0, ORDERED, signbit_of),
	WITH(vec_step, "x * (S)0 + (S)(vec_step(T) + 5)", 0, 0, NEAR, vec_step_of),
#define WITH_TWO(name, call, ulp, flags, reference)                                                \
	{                                                                                          \
#name, call, 2, ulp, ulp, ulp, flags, NULL, reference, NULL                        \
	}
	WITH_TWO(remquo, "({ K q; remquo(x, y, &q); })", 0, HEAVY, remainderl),
	WITH_TWO(remquo__quotient, "({ K q; remquo(x, y, &q); NUMBER(abs(q) & 7); })", 0,
		FINITE | HEAVY, remquo_quotient_of),
	WITH_TWO(nextafter, NULL, 0, 0, nextafter_of),
	WITH_TWO(max, NULL, 0, ORDERED, fmaxl),
	WITH_TWO(min, NULL, 0, ORDERED, fminl),
	WITH_TWO(step, NULL, 0, ORDERED, step_of),
	WITH_TWO(isequal, "TRUTH(isequal(x, y))", 0, 0, isequal_of),
	WITH_TWO(isnotequal, "TRUTH(isnotequal(x, y))", 0, 0, isnotequal_of),
	WITH_TWO(isgreater, "TRUTH(isgreater(x, y))", 0, 0, isgreater_of),
	WITH_TWO(isgreaterequal, "TRUTH(isgreaterequal(x, y))", 0, 0, isgreaterequal_of),
	WITH_TWO(isless, "TRUTH(isless(x, y))", 0, 0, isless_of),
	WITH_TWO(islessequal, "TRUTH(islessequal(x, y))", 0, 0, islessequal_of),
	WITH_TWO(islessgreater, "TRUTH(islessgreater(x, y))", 0, 0, islessgreater_of),
	WITH_TWO(isordered, "TRUTH(isordered(x, y))", 0, 0, isordered_of),
	WITH_TWO(isunordered, "TRUTH(isunordered(x, y))", 0, 0, isunordered_of),
	WITH_TWO(any, "(S)any(isgreater((S2)(x, y), (S2)(1)))", 0, SCALAR, any_of),
	WITH_TWO(all, "(S)all(isgreater((S2)(x, y), (S2)(1)))", 0, SCALAR, all_of),
	WITH_TWO(select, "select(x, y, INTEGER(-(k & 1)))", 0, 0, select_of),
	WITH_TWO(bitselect, "bitselect(x, y, AS_T((BITS)(SIGN)))", 0, 0, bitselect_of),
#define WITH_THREE(name, call, ulp, half_ulp, flags, reference)                                    \
	{                                                                                          \
#name, call, 3, ulp, half_ulp, ulp, flags, NULL, NULL, reference                   \
	}
	WITH_THREE(clamp, "clamp(x, min(y, z), max(y, z))", 0, 0, ORDERED, clamp_of),
	WITH_THREE(mix, "mix(x, y, z / (S)4)", 64, 16, NEAR | POSITIVE, mix_of),
	WITH_THREE(dot, "dot((S4)(x, y, z, 2), (S4)(z, x, y, 1))", 16, 16, NEAR | POSITIVE | SCALAR,
		dot_of),
	WITH_THREE(cross, "cross((S3)(x, y, z), (S3)(y, z, x)).z + 16", 8, 8,
		NEAR | POSITIVE | SCALAR, cross_of),
	WITH_THREE(length, "length((S3)(x, y, z))", 16, 16, NEAR | SCALAR, length_of),
	WITH_THREE(distance, "distance((S3)(x, y, z), (S3)(-1, 0, 0))", 16, 16,
		NEAR | POSITIVE | SCALAR, distance_of),
	WITH_THREE(normalize, "normalize((S3)(x, y, z)).y", 16, 16, NEAR | SCALAR, normalize_of),
#define FAST(name, call, flags, reference)                                                         \
	{                                                                                          \
#name, call, 3, 8192, -1, -1, flags, NULL, NULL, reference                         \
	}
	FAST(fast_length, "fast_length((S3)(x, y, z))", NEAR | SCALAR, length_of),
	FAST(fast_distance, "fast_distance((S3)(x, y, z), (S3)(-1, 0, 0))",
		NEAR | POSITIVE | SCALAR, distance_of),
	FAST(fast_normalize, "fast_normalize((S3)(x, y, z)).y", NEAR | SCALAR, normalize_of),
#define NATIVE(name, reference, flags)                                                             \
	{                                                                                          \
		"native_" #name, NULL, 1, 8192, -1, -1, flags, reference, NULL, NULL               \
	}
#define HALF(name, reference, flags)                                                               \
	{                                                                                          \
		"half_" #name, NULL, 1, 8192, -1, -1, flags, reference, NULL, NULL                 \
	}
	NATIVE(cos, cosl, NEAR),
	NATIVE(exp, expl, NEAR),
	NATIVE(exp2, exp2l, NEAR),
	NATIVE(exp10, exp10_of, NEAR),
	NATIVE(log, logl, NEAR | POSITIVE),
	NATIVE(log2, log2l, NEAR | POSITIVE),
	NATIVE(log10, log10l, NEAR | POSITIVE),
	NATIVE(recip, recip_of, NEAR),
	NATIVE(rsqrt, rsqrt_of, NEAR | POSITIVE),
	NATIVE(sin, sinl, NEAR),
	NATIVE(sqrt, sqrtl, NEAR | POSITIVE),
	NATIVE(tan, tanl, NEAR),
	HALF(cos, cosl, NEAR),
	HALF(exp, expl, NEAR),
	HALF(exp2, exp2l, NEAR),
	HALF(exp10, exp10_of, NEAR),
	HALF(log, logl, NEAR | POSITIVE),
	HALF(log2, log2l, NEAR | POSITIVE),
	HALF(log10, log10l, NEAR | POSITIVE),
	HALF(recip, recip_of, NEAR),
	HALF(rsqrt, rsqrt_of, NEAR | POSITIVE),
	HALF(sin, sinl, NEAR),
	HALF(sqrt, sqrtl, NEAR | POSITIVE),
	HALF(tan, tanl, NEAR),
	{ "native_divide", NULL, 2, 8192, -1, -1, NEAR, NULL, divide_of, NULL },
	{ "half_divide", NULL, 2, 8192, -1, -1, NEAR, NULL, divide_of, NULL },
	{ "native_powr", NULL, 2, 8192, -1, -1, NEAR | POSITIVE, NULL, powr_of, NULL },
	{ "half_powr", NULL, 2, 8192, -1, -1, NEAR | POSITIVE, NULL, powr_of, NULL },
};

const size_t math_function_count = sizeof math_functions / sizeof *math_functions;
