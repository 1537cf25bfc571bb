// SPDX-License-Identifier: MIT
/*
 * Every conversion of OpenCL C between integers, half and float, in every rounding mode, saturated
 * or not, through Intel's compiler and driver on the device; the reference rounds in the host's
 * extended precision, which holds every operand exactly.
 */
#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus_rows.h"
#include "cs/intel_group.h"

enum { N = 2048, TYPES = 10, MODES = 5, ROOM = 1 << 20 };

static const struct type {
	const char *name;
	unsigned size;
	bool is_float, is_signed;
} types[TYPES] = {
	{ "char", 1, false, true },
	{ "uchar", 1, false, false },
	{ "short", 2, false, true },
	{ "ushort", 2, false, false },
	{ "int", 4, false, true },
	{ "uint", 4, false, false },
	{ "long", 8, false, true },
	{ "ulong", 8, false, false },
	{ "half", 2, true, true },
	{ "float", 4, true, true },
};

static const char *const mode_names[MODES] = { "", "_rte", "_rtz", "_rtp", "_rtn" };
static const int host_modes[MODES] = { FE_TONEAREST, FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD,
	FE_DOWNWARD };

/* A half's value, computed, not converted. */
static long double half_value(uint16_t bits)
{
	int exponent = bits >> 10 & 31, fraction = bits & 1023;
	long double value = exponent == 31 ? (fraction ? (long double)NAN : INFINITY)
			    : exponent	   ? ldexpl(1024 + fraction, exponent - 25)
					   : ldexpl(fraction, -24);

	return bits >> 15 ? -value : value;
}

static long double value_of(const struct type *type, const uint8_t *p)
{
	uint64_t bits = 0;
	float f;

	memcpy(&bits, p, type->size);
	memcpy(&f, p, 4);
	if (type->is_float)
		return type->size == 2 ? half_value((uint16_t)bits) : (long double)f;
	if (!type->is_signed)
		return (long double)bits;
	unsigned shift = 64 - 8 * type->size;
	return (long double)((int64_t)(bits << shift) >> shift);
}

/* The nearest number of a binary format in the host's current rounding mode. */
static long double round_to(long double x, int digits, int least, long double largest)
{
	int exponent;

	if (x == 0 || isnan(x) || isinf(x))
		return x;
	frexpl(x, &exponent);
	exponent -= digits;
	if (exponent < least)
		exponent = least;
	long double rounded = ldexpl(rintl(ldexpl(x, -exponent)), exponent);
	if (fabsl(rounded) <= largest)
		return rounded == 0 ? copysignl(0, x) : rounded;
	int mode = fegetround();
	bool away = mode == FE_TONEAREST || (mode == FE_UPWARD && x > 0) ||
		    (mode == FE_DOWNWARD && x < 0);
	return copysignl(away ? (long double)INFINITY : largest, x);
}

static long double lowest_of(const struct type *type)
{
	return type->is_signed ? -ldexpl(1, (int)(8 * type->size) - 1) : 0;
}

static long double highest_of(const struct type *type)
{
	return ldexpl(1, (int)(8 * type->size) - type->is_signed) - 1;
}

/*
 * What a conversion should give. False when the specification leaves it open: out of range and not
 * saturated, unless from an integer to an integer, where the low bits stay.
 */
static bool convert(const struct type *from, const struct type *to, unsigned mode, bool saturated,
	const uint8_t *p, long double *want)
{
	long double x = value_of(from, p);

	fesetround(host_modes[mode]);
	if (to->is_float) {
		*want = to->size == 2 ? round_to(x, 11, -24, 65504)
				      : round_to(x, 24, -149, 0xffffffp104L);
		fesetround(FE_TONEAREST);
		return true;
	}
	if (mode == 0)
		fesetround(FE_TOWARDZERO);
	x = isnan(x) ? 0 : rintl(x);
	fesetround(FE_TONEAREST);
	bool inside = x >= lowest_of(to) && x <= highest_of(to);
	if (!inside && saturated)
		x = x < lowest_of(to) ? lowest_of(to) : highest_of(to);
	else if (!inside && !from->is_float) {
		uint8_t low[8];
		memcpy(low, p, 8);
		x = value_of(to, low);
		inside = from->size >= to->size;
		if (!inside) { /* a negative number widened */
			x = value_of(from, p) + ldexpl(1, (int)(8 * to->size));
			inside = true;
		}
	}
	*want = x;
	return inside || saturated;
}

/* ---- programs ---- */

static bool has(const struct type *to, bool saturated)
{
	return !saturated || !to->is_float;
}

static char *source_of(const struct type *from)
{
	char *text = malloc(ROOM);
	size_t at = 0;

	assert_non_null(text);
	at += (size_t)sprintf(text, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
				    "#ifdef SIMD\n#define WIDTH "
				    "__attribute__((intel_reqd_sub_group_size(SIMD)))\n#else\n"
				    "#define WIDTH\n#endif\n");
	for (unsigned t = 0; t < TYPES; t++) {
		const struct type *to = &types[t];
		at += (size_t)sprintf(text + at,
			"WIDTH kernel void to_%s(global const %s *in, global %s *out) {\n"
			"size_t i = get_global_id(0), n = get_global_size(0); %s x = in[i];\n",
			to->name, from->name, to->name, from->name);
		for (unsigned row = 0; row < 2 * MODES; row++)
			if (has(to, row >= MODES))
				at += (size_t)sprintf(text + at,
					"out[%u * n + i] = convert_%s%s%s(x);\n", row, to->name,
					row >= MODES ? "_sat" : "", mode_names[row % MODES]);
		at += (size_t)sprintf(text + at, "}\n");
	}
	return text;
}

static void fill(const struct type *from, uint8_t *in)
{
	static const float floats[] = { 0, -0.0f, 0.5f, -0.5f, 1.5f, 2.5f, -2.5f, 126.5f, 127.5f,
		-128.5f, 254.5f, 255.5f, 32767.5f, -32768.5f, 65535.5f, 65504, 65519.996f, 65520,
		2147483520, 2147483648, -2147483648.0f, 4294967040, 4294967296, 9.223372e18f,
		-9.223372e18f, 1.8446744e19f, 1e30f, -1e30f, INFINITY, -INFINITY, NAN, 1e-45f,
		5.9604645e-8f, 2.9802322e-8f, 2.9802326e-8f, -1e-30f, 3.4028235e38f };
	enum { FLOATS = sizeof floats / sizeof *floats };

	for (unsigned i = 0; i < N; i++) {
		uint64_t bits = (uint64_t)intel_random() << 32 | intel_random();
		if (from->is_float && from->size == 4) {
			float f = (float)(int32_t)bits / (float)(1u << (bits >> 40 & 31));
			memcpy(&bits, i < FLOATS ? &floats[i] : i % 4 ? &f : (float *)&bits, 4);
		} else if (i % 3) { /* every magnitude */
			bits = (uint64_t)((int64_t)bits >> (bits & 63));
			bits += i % 3 - 1;
		}
		if (i < 64 && !from->is_float)
			bits = (UINT64_C(1) << i) - (intel_random() & 1);
		memcpy(in + i * from->size, &bits, from->size);
	}
}

static unsigned check(const struct type *from, const struct type *to, const uint8_t *in,
	const uint8_t *out, const char *options)
{
	const char *simd = strstr(options, "SIMD=");
	char name[40], way[16] = "-cl-opt-disable";
	unsigned bad = 0;

	if (simd)
		snprintf(way, sizeof way, "simd%s", simd + 5);
	for (unsigned row = 0; row < 2 * MODES; row++) {
		unsigned before = bad;
		for (unsigned i = 0; i < N && has(to, row >= MODES); i++) {
			long double want, got = value_of(to, out + (row * N + i) * to->size);
			uint8_t operand[8] = { 0 };
			memcpy(operand, in + i * from->size, from->size);
			if (!convert(from, to, row % MODES, row >= MODES, operand, &want))
				continue;
			if (got == want || (isnan(got) && isnan(want)))
				continue;
			if (bad++ < 3)
				print_error("%s convert_%s%s%s(%s %.21Lg): %.21Lg, should be "
					    "%.21Lg\n",
					options, to->name, row >= MODES ? "_sat" : "",
					mode_names[row % MODES], from->name,
					value_of(from, operand), got, want);
		}
		snprintf(name, sizeof name, "convert_%s%s%s", to->name, row >= MODES ? "_sat" : "",
			mode_names[row % MODES]);
		if (bad == before && has(to, row >= MODES))
			corpus_row(name, from->name, way);
	}
	return bad;
}

static void conversions(void **state)
{
	static uint8_t in[N * 8 + 8], out[2 * MODES * N * 8 + 8];
	const char *options = *state;
	unsigned bad = 0;

	for (unsigned f = 0; f < TYPES; f++) {
		const struct type *from = &types[f];
		char *text = source_of(from);
		intel_build_texts(&intel, 1, (const char **)&text, options);
		free(text);
		fill(from, in);
		for (unsigned t = 0; t < TYPES; t++) {
			char name[32];
			snprintf(name, sizeof name, "to_%s", types[t].name);
			memset(out, 0xcd, sizeof out);
			assert_int_equal(
				INTEL_RUN(&intel, name, N, 64, BUFFER(in), BUFFER(out)), 0);
			bad += check(from, &types[t], in, out, options);
		}
	}
	assert_int_equal(bad, 0);
}

#define WITH(options)                                                                              \
	{                                                                                          \
		"conversions " options, conversions, NULL, NULL, (void *)(uintptr_t)options        \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH("-DSIMD=8"),
		WITH("-DSIMD=16"),
		WITH("-DSIMD=32"),
		WITH("-cl-opt-disable"),
	};

	return INTEL_RUN_TESTS(tests, intel_begin);
}
