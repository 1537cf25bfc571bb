// SPDX-License-Identifier: MIT
/*
 * The math built-ins of OpenCL C through Intel's compiler and driver on the device: float and half,
 * against the host's double precision, with the bounds of the specification (OpenCL C 3.0, section
 * 7.4). Half: unary functions for all 65,536 values.
 */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cs/intel_bench.h"

enum { N = 65536, SPECIALS = 24 };

/* The host's own halves, so that nothing of the device tests itself. */
__extension__ typedef _Float16 host_half;

static float half_value(uint16_t bits)
{
	host_half value;

	memcpy(&value, &bits, sizeof value);
	return (float)value;
}

static uint16_t half_bits(float x)
{
	host_half value = (host_half)x;
	uint16_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

/* Options, and what they change in the bounds. */
struct variant {
	const char *options;
	bool relaxed;	   /* only ordinary operands, and hardly a bound */
	bool no_denormals; /* are taken for zero, in and out */
	bool rounded;	   /* / and sqrt are exact */
};

static const struct variant plain = { "-cl-std=CL3.0", false, false, false };
static const struct variant simd8 = { "-cl-std=CL3.0 -DSIMD=8", false, false, false };
static const struct variant simd16 = { "-cl-std=CL3.0 -DSIMD=16", false, false, false };
static const struct variant simd32 = { "-cl-std=CL3.0 -DSIMD=32", false, false, false };
static const struct variant unoptimised = { "-cl-opt-disable", false, false, false };
static const struct variant debugged = { "-cl-std=CL3.0 -g", false, false, false };
static const struct variant relaxed = { "-cl-std=CL3.0 -cl-fast-relaxed-math", true, true, false };
static const struct variant flushed = { "-cl-denorms-are-zero -cl-mad-enable", false, true, false };
static const struct variant rounded = { "-cl-fp32-correctly-rounded-divide-sqrt", false, false,
	true };

static const struct variant *variant = &plain; /* the one that runs */

static struct intel intel;
static float in[3][N], out[N];
static uint16_t half_in[3][N], half_out[N];

/* ---- functions ---- */

static double exp10_of(double x)
{
	return pow(10, x);
}

static double rsqrt_of(double x)
{
	return 1 / sqrt(x);
}

#define PI 3.14159265358979323846264338327950288L

/* With exact zeros and poles: the argument is reduced before it is multiplied. */
static double sinpi_of(double x)
{
	long double r = isinf(x) ? NAN : remainderl(x, 2);

	if (fabsl(r) > 0.5L)
		r = copysignl(1, r) - r;
	return r == 0 ? copysign(0, x) : (double)sinl(PI * r);
}

static double cospi_of(double x)
{
	long double r = isinf(x) ? NAN : fabsl(remainderl(x, 2));

	return r == 0.5L ? 0 : (double)(r < 0.25L ? cosl(PI * r) : sinl(PI * (0.5L - r)));
}

static double tanpi_of(double x)
{
	return sinpi_of(x) / cospi_of(x);
}

static double acospi_of(double x)
{
	return (double)(acosl(x) / PI);
}

static double asinpi_of(double x)
{
	return (double)(asinl(x) / PI);
}

static double atanpi_of(double x)
{
	return (double)(atanl(x) / PI);
}

static double atan2pi_of(double y, double x)
{
	return (double)(atan2l(y, x) / PI);
}

static double divide_of(double x, double y)
{
	return x / y;
}

static double recip_of(double x)
{
	return 1 / x;
}

static double powr_of(double x, double y)
{
	bool undefined = x < 0 || isnan(x) || isnan(y) || (x == 0 && y == 0) ||
			 (isinf(x) && y == 0) || (x == 1 && isinf(y));

	return undefined ? NAN : pow(x == 0 ? 0 : x, y);
}

static double maxmag_of(double x, double y)
{
	return fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y);
}

static double minmag_of(double x, double y)
{
	return fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y);
}

static double mad_of(double x, double y, double z)
{
	return x * y + z;
}

static double sign_of(double x)
{
	return isnan(x) ? 0 : x > 0 ? 1 : x < 0 ? -1 : x;
}

static double degrees_of(double x)
{
	return (double)(x * 180 / PI);
}

static double radians_of(double x)
{
	return (double)(x * PI / 180);
}

static double logb_of(double x)
{
	return logb(x);
}

static double add_of(double x, double y)
{
	return x + y;
}

static double sub_of(double x, double y)
{
	return x - y;
}

static double mul_of(double x, double y)
{
	return x * y;
}

enum { NEAR = 1, POSITIVE = 2 }; /* operands of ordinary size; without a sign */

static const struct function {
	const char *name, *call; /* NULL: name(x, y, z) */
	unsigned arity;
	float ulp, half_ulp; /* below 0: not for that type */
	unsigned domain;
	double (*one)(double);
	double (*two)(double, double);
	double (*three)(double, double, double);
} functions[] = {
#define ONE(name, ulp, half_ulp, reference)                                                        \
	{                                                                                          \
#name, NULL, 1, ulp, half_ulp, 0, reference, NULL, NULL                            \
	}
#define TWO(name, ulp, half_ulp, reference)                                                        \
	{                                                                                          \
#name, NULL, 2, ulp, half_ulp, 0, NULL, reference, NULL                            \
	}
	ONE(acos, 4, 2, acos),
	ONE(acosh, 4, 2, acosh),
	ONE(acospi, 5, 2, acospi_of),
	ONE(asin, 4, 2, asin),
	ONE(asinh, 4, 2, asinh),
	ONE(asinpi, 5, 2, asinpi_of),
	ONE(atan, 5, 2, atan),
	ONE(atanh, 5, 2, atanh),
	ONE(atanpi, 5, 2, atanpi_of),
	ONE(cbrt, 2, 2, cbrt),
	ONE(ceil, 0, 0, ceil),
	ONE(cos, 4, 2, cos),
	ONE(cosh, 4, 2, cosh),
	ONE(cospi, 4, 2, cospi_of),
	ONE(erf, 16, 4, erf),
	ONE(erfc, 16, 4, erfc),
	ONE(exp, 3, 2, exp),
	ONE(exp2, 3, 2, exp2),
	ONE(exp10, 3, 2, exp10_of),
	ONE(expm1, 3, 2, expm1),
	ONE(fabs, 0, 0, fabs),
	ONE(floor, 0, 0, floor),
	ONE(log, 3, 2, log),
	ONE(log2, 3, 2, log2),
	ONE(log10, 3, 2, log10),
	ONE(log1p, 2, 2, log1p),
	ONE(logb, 0, 0, logb_of),
	ONE(rint, 0, 0, rint),
	ONE(round, 0, 0, round),
	ONE(rsqrt, 2, 1, rsqrt_of),
	ONE(sin, 4, 2, sin),
	ONE(sinh, 4, 2, sinh),
	ONE(sinpi, 4, 2, sinpi_of),
	ONE(sqrt, 3, 0.5f, sqrt),
	ONE(tan, 5, 2, tan),
	ONE(tanh, 5, 2, tanh),
	ONE(tanpi, 6, 2, tanpi_of),
	ONE(tgamma, 16, 4, tgamma),
	ONE(trunc, 0, 0, trunc),
	ONE(sign, 0, 0, sign_of),
	ONE(degrees, 2, 2, degrees_of),
	ONE(radians, 2, 2, radians_of),
	TWO(atan2, 6, 2, atan2),
	TWO(atan2pi, 6, 2, atan2pi_of),
	TWO(copysign, 0, 0, copysign),
	TWO(fdim, 0.5f, 0.5f, fdim),
	TWO(fmax, 0, 0, fmax),
	TWO(fmin, 0, 0, fmin),
	TWO(fmod, 0, 0, fmod),
	TWO(hypot, 4, 2, hypot),
	TWO(maxmag, 0, 0, maxmag_of),
	TWO(minmag, 0, 0, minmag_of),
	TWO(pow, 16, 4, pow),
	TWO(powr, 16, 4, powr_of),
	TWO(remainder, 0, 0, remainder),
	{ "add", "x + y", 2, 0.5f, 0.5f, 0, NULL, add_of, NULL },
	{ "sub", "x - y", 2, 0.5f, 0.5f, 0, NULL, sub_of, NULL },
	{ "mul", "x * y", 2, 0.5f, 0.5f, 0, NULL, mul_of, NULL },
	{ "divide", "x / y", 2, 2.5f, 0.5f, 0, NULL, divide_of, NULL },
	{ "recip", "1 / x", 1, 2.5f, 0.5f, 0, recip_of, NULL, NULL },
	{ "fma", NULL, 3, 0.5f, 0.5f, 0, NULL, NULL, fma },
	{ "mad_near", "mad(x, y, z)", 3, 1e9f, 1e9f, NEAR | POSITIVE, NULL, NULL, mad_of },
#define NATIVE(name, reference, domain)                                                            \
	{                                                                                          \
		"native_" #name, NULL, 1, 8192, -1, domain, reference, NULL, NULL                  \
	}
#define HALF(name, reference, domain)                                                              \
	{                                                                                          \
		"half_" #name, NULL, 1, 8192, -1, domain, reference, NULL, NULL                    \
	}
	NATIVE(cos, cos, NEAR),
	NATIVE(exp, exp, NEAR),
	NATIVE(exp2, exp2, NEAR),
	NATIVE(exp10, exp10_of, NEAR),
	NATIVE(log, log, NEAR | POSITIVE),
	NATIVE(log2, log2, NEAR | POSITIVE),
	NATIVE(log10, log10, NEAR | POSITIVE),
	NATIVE(recip, recip_of, NEAR),
	NATIVE(rsqrt, rsqrt_of, NEAR | POSITIVE),
	NATIVE(sin, sin, NEAR),
	NATIVE(sqrt, sqrt, NEAR | POSITIVE),
	NATIVE(tan, tan, NEAR),
	HALF(cos, cos, NEAR),
	HALF(exp, exp, NEAR),
	HALF(exp2, exp2, NEAR),
	HALF(exp10, exp10_of, NEAR),
	HALF(log, log, NEAR | POSITIVE),
	HALF(log2, log2, NEAR | POSITIVE),
	HALF(log10, log10, NEAR | POSITIVE),
	HALF(recip, recip_of, NEAR),
	HALF(rsqrt, rsqrt_of, NEAR | POSITIVE),
	HALF(sin, sin, NEAR),
	HALF(sqrt, sqrt, NEAR | POSITIVE),
	HALF(tan, tan, NEAR),
	{ "native_divide", NULL, 2, 8192, -1, NEAR, NULL, divide_of, NULL },
	{ "half_divide", NULL, 2, 8192, -1, NEAR, NULL, divide_of, NULL },
	{ "native_powr", NULL, 2, 8192, -1, NEAR | POSITIVE, NULL, powr_of, NULL },
	{ "half_powr", NULL, 2, 8192, -1, NEAR | POSITIVE, NULL, powr_of, NULL },
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* ---- numbers ---- */

static const float specials[SPECIALS] = { 0, -0.0f, 1, -1, INFINITY, -INFINITY, NAN, FLT_MAX,
	-FLT_MAX, FLT_MIN, -FLT_MIN, 1e-45f, -1e-45f, 1.1754942e-38f, 0.5f, -0.5f, 2, -2.5f, 3,
	0.99999994f, 1.0000001f, 88.7f, -103.9f, 8388609 };

static void fill(void)
{
	for (unsigned k = 0; k < 3; k++)
		for (unsigned i = 0; i < N; i++) {
			uint32_t bits = intel_random();
			if (i < SPECIALS * SPECIALS)
				in[k][i] = specials[k == 1   ? i / SPECIALS
						    : k == 0 ? i % SPECIALS
							     : (i * 7 + i / 5) % SPECIALS];
			else if (i % 3 == 0)
				memcpy(&in[k][i], &bits, 4);
			else
				in[k][i] = (float)(int32_t)bits / (i % 3 == 1 ? 1e8f : 1e9f);
			half_in[k][i] = k == 0 ? (uint16_t)i : (uint16_t)(bits >> 7);
		}
}

/* Operand k of item i as a function of that domain gets it. */
static double operand(unsigned k, unsigned i, unsigned domain, bool half)
{
	double x = half ? (double)half_value(half_in[k][i]) : (double)in[k][i];

	if (variant->relaxed)
		domain = NEAR | POSITIVE;
	if (domain & NEAR)
		x = (float)(0.25 + (i * (k + 3) * 7919u % N) / 32768.0);
	if (half && (domain & NEAR))
		x = (double)half_value(half_bits((float)x));
	return (domain & NEAR) && !(domain & POSITIVE) && i % 2 ? -x : x;
}

/* Distance of got from the exact value in units of the last place of the type. */
static double error_of(double got, double want, bool half)
{
	int least = half ? -24 : -149, digits = half ? 11 : 24, exponent;
	double largest = half ? 65504 : (double)FLT_MAX;

	if (isnan(want) || isnan(got))
		return isnan(want) && isnan(got) ? 0 : INFINITY;
	if (fabs(want) > largest) { /* the next step is infinity */
		if (isinf(got))
			return signbit(got) == signbit(want) ? 0 : INFINITY;
		if (isinf(want))
			return INFINITY;
	}
	if (isinf(got)) /* as if the range went on */
		got = copysign(2 * ldexp(1, half ? 15 : 127), got);
	frexp(want, &exponent);
	exponent -= digits;
	return fabs(got - want) / ldexp(1, exponent < least ? least : exponent);
}

static double reference(const struct function *f, unsigned i, bool half)
{
	double x = operand(0, i, f->domain, half), y = operand(1, i, f->domain, half),
	       z = operand(2, i, f->domain, half);

	return f->arity == 1 ? f->one(x) : f->arity == 2 ? f->two(x, y) : f->three(x, y, z);
}

/* What the specification lets a function return besides the value itself. */
static bool is_allowed(const struct function *f, unsigned i, double got, double want, bool half)
{
	double x = operand(0, i, f->domain, half), y = operand(1, i, f->domain, half);

	if (!strcmp(f->name, "fmax") || !strcmp(f->name, "fmin") || !strcmp(f->name, "maxmag") ||
		!strcmp(f->name, "minmag"))
		return got == want; /* either zero */
	/* Conversions of angles may overflow or vanish on the way. */
	if (!strcmp(f->name, "degrees") || !strcmp(f->name, "radians"))
		return fabs(want) < 1e-36 || fabs(x) > 1e36;
	if (!strcmp(f->name, "divide") || !strcmp(f->name, "recip"))
		return !half && (fabs(want) < (double)FLT_MIN || fabs(y) > 0x1p126);
	/* Beyond these the half reference has no digits left. */
	return half && isinf(got) && fabs(want) > 65504;
}

/* The compiler's library has no useful bound for these once it may reorder additions. */
static bool is_left_out(const struct function *f, bool half)
{
	static const char *const names[] = { "tgamma", "tanpi", "erfc" };
	bool found = (half ? f->half_ulp : f->ulp) < 0;

	for (unsigned i = 0; variant->relaxed && i < sizeof names / sizeof *names; i++)
		found |= !strcmp(f->name, names[i]);
	return found;
}

static void set_operands(const struct function *f, bool half)
{
	for (unsigned k = 0; (f->domain || variant->relaxed) && k < 3; k++)
		for (unsigned i = 0; i < N; i++) {
			float x = (float)operand(k, i, f->domain, half);
			if (half)
				half_in[k][i] = half_bits(x);
			else
				in[k][i] = x;
		}
}

static bool is_denormal(double x, bool half)
{
	return x != 0 && fabs(x) <= (half ? 0x1p-14 : 0x1p-126);
}

/* Whether an operand or the result is one of the numbers that an option takes for zero. */
static bool is_flushed(const struct function *f, unsigned i, double want, bool half)
{
	bool found = is_denormal(want, half);

	for (unsigned k = 0; k < f->arity; k++)
		found |= is_denormal(operand(k, i, f->domain, half), half);
	return variant->no_denormals && found;
}

static double bound_of(const struct function *f, bool half)
{
	if (variant->relaxed) /* of results that may be near zero */
		return half ? 64 : 1e6;
	if (variant->rounded && !half &&
		(!strcmp(f->name, "divide") || !strcmp(f->name, "recip") ||
			!strcmp(f->name, "sqrt")))
		return 0.5;
	return (double)(half ? f->half_ulp : f->ulp);
}

static unsigned check(const struct function *f, bool half, const char *options)
{
	double bound = bound_of(f, half), worst = 0;
	unsigned bad = 0;

	for (unsigned i = 0; i < N; i++) {
		double got = half ? (double)half_value(half_out[i]) : (double)out[i];
		double want = reference(f, i, half), error = error_of(got, want, half);
		if (is_flushed(f, i, want, half))
			continue;
		if (error <= bound || (bound > 0.5 && is_allowed(f, i, got, want, half)) ||
			(f->ulp <= 0.5f && is_allowed(f, i, got, want, half)))
			worst = error <= bound && error > worst ? error : worst;
		else if (bad++ < 4)
			print_error("%s %s%s(%.9g, %.9g, %.9g): %.9g, should be %.9g (%.3g ulp)\n",
				options, half ? "half " : "", f->name,
				operand(0, i, f->domain, half), operand(1, i, f->domain, half),
				operand(2, i, f->domain, half), got, want, error);
	}
	return bad;
}

/* ---- programs ---- */

static char *source_of(bool half)
{
	char *text = malloc(1 << 20);
	size_t at = 0;

	assert_non_null(text);
	at += (size_t)sprintf(text,
		"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
		"#ifdef SIMD\n#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))\n"
		"#else\n#define WIDTH\n#endif\n");
	for (unsigned k = 0; k < FUNCTIONS; k++) {
		const struct function *f = &functions[k];
		const char *operands[] = { "", "x", "x, y", "x, y, z" };
		char call[64];
		if ((half ? f->half_ulp : f->ulp) < 0)
			continue;
		snprintf(call, sizeof call, "%s(%s)", f->name, operands[f->arity]);
		at += (size_t)sprintf(text + at,
			"WIDTH kernel void test_%s(global const %s *a, global const %s *b,"
			" global const %s *c, global %s *o) {\n"
			"size_t i = get_global_id(0); %s x = a[i], y = b[i], z = c[i];"
			" o[i] = %s; }\n",
			f->name, half ? "half" : "float", half ? "half" : "float",
			half ? "half" : "float", half ? "half" : "float", half ? "half" : "float",
			f->call ? f->call : call);
	}
	return text;
}

static unsigned run_all(bool half, const struct variant *chosen)
{
	const char *options = chosen->options;

	char *text = source_of(half);
	unsigned bad = 0;

	variant = chosen;
	intel_build_texts(&intel, 1, (const char **)&text, options);
	free(text);
	for (unsigned k = 0; k < FUNCTIONS; k++) {
		const struct function *f = &functions[k];
		char name[64];
		if (is_left_out(f, half))
			continue;
		snprintf(name, sizeof name, "test_%s", f->name);
		if (k == 0 || functions[k - 1].domain || variant->relaxed)
			fill();
		set_operands(f, half);
		memset(out, 0xcd, sizeof out);
		memset(half_out, 0xcd, sizeof half_out);
		if (half)
			assert_int_equal(
				INTEL_RUN(&intel, name, N, 64, BUFFER(half_in[0]),
					BUFFER(half_in[1]), BUFFER(half_in[2]), BUFFER(half_out)),
				0);
		else
			assert_int_equal(INTEL_RUN(&intel, name, N, 64, BUFFER(in[0]),
						 BUFFER(in[1]), BUFFER(in[2]), BUFFER(out)),
				0);
		bad += check(f, half, options) != 0;
	}
	return bad;
}

static void floats(void **state)
{
	assert_int_equal(run_all(false, *state), 0);
}

static void halves(void **state)
{
	assert_int_equal(run_all(true, *state), 0);
}

static int open_intel(void **state)
{
	(void)state;
	intel_open(&intel);
	return 0;
}

static int close_intel(void **state)
{
	(void)state;
	intel_close(&intel);
	return 0;
}

#define WITH(test, variant)                                                                        \
	{                                                                                          \
#test " (" #variant ")", test, NULL, NULL, (void *)(uintptr_t)&variant             \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH(floats, plain),
		WITH(floats, simd8),
		WITH(floats, simd16),
		WITH(floats, simd32),
		WITH(floats, unoptimised),
		WITH(floats, debugged),
		WITH(floats, relaxed),
		WITH(floats, flushed),
		WITH(floats, rounded),
		WITH(halves, plain),
		WITH(halves, simd8),
		WITH(halves, simd16),
		WITH(halves, simd32),
		WITH(halves, unoptimised),
		WITH(halves, relaxed),
		WITH(halves, flushed),
	};

	return cmocka_run_group_tests(tests, open_intel, close_intel);
}
