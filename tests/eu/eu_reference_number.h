// SPDX-License-Identifier: MIT
#ifndef EU_REFERENCE_NUMBER_H
#define EU_REFERENCE_NUMBER_H

/* The reference device's floats: numbers of 113 bits, and their one rounding to a format. */
#include "eu_reference.h"

#include <math.h>

typedef reference_quad quad;
__extension__ typedef __int128 wide;

struct format {
	int digits, lowest; /* of the significand; exponent of the last bit of denormals */
	quad largest;
	unsigned exponent_bits;
	unsigned keep; /* bit of cr0 that keeps denormals */
};

static const struct format half_format = { 11, -24, 65504, 5, 10 };
static const struct format float_format = { 24, -149, 0x1.fffffep127, 8, 7 };
static const struct format bfloat_format = { 8, -133, 0x1.fep127, 8, 7 };
static const struct format double_format = { 53, -1074, 0x1.fffffffffffffp1023, 11, 6 };

/* NULL for integers. */
static const struct format *format_of(unsigned type)
{
	switch (type) {
	case GEN_TYPE_HF:
		return &half_format;
	case GEN_TYPE_F:
	case GEN_TYPE_VF:
		return &float_format;
	case GEN_TYPE_DF:
		return &double_format;
	case GEN_TYPE_BF:
		return &bfloat_format;
	}
	return NULL;
}

static inline quad power(int exponent)
{
	quad x = 1, base = exponent < 0 ? (quad)0.5 : (quad)2;
	for (unsigned n = (unsigned)(exponent < 0 ? -exponent : exponent); n; n >>= 1) {
		if (n & 1)
			x *= base;
		base *= base;
	}
	return x;
}

static inline bool is_nan(quad x)
{
	return x != x;
}

static inline bool is_negative(quad x)
{
	return x < 0 || (x == 0 && 1 / x < 0);
}

static inline quad magnitude(quad x)
{
	return is_negative(x) ? -x : x;
}

static inline int exponent_of(quad x)
{
	int e = 0;
	for (; x >= 2; x /= 2)
		e++;
	for (; x < 1; x *= 2)
		e--;
	return e;
}

/* Rounds a magnitude to a multiple of 2^last. */
static inline quad round_units(quad m, int last, unsigned mode, bool negative)
{
	quad ulp = power(last);
	wide units = (wide)(m / ulp);
	quad rest = m / ulp - (quad)units;
	bool up = mode == 0   ? rest > (quad)0.5 || (rest == (quad)0.5 && (units & 1))
		  : mode == 1 ? rest > 0 && !negative
			      : mode == 2 && rest > 0 && negative;
	return (quad)(units + up) * ulp;
}

/* Rounds to the format; mode as cr0 numbers it. */
static inline quad round_to(quad x, const struct format *format, unsigned mode, bool keep)
{
	quad m = magnitude(x);
	bool negative = is_negative(x);
	if (is_nan(x) || x == 0 || m > power(10000))
		return x;
	if (m >= 2 * format->largest)
		m = 2 * format->largest;
	int last = exponent_of(m) - format->digits + 1;
	/* The host finds out whether a single is tiny as if its exponent had no limit. */
	bool tiny =
		format == &float_format && !keep &&
		round_units(m, last, mode, negative) < power(format->lowest + format->digits - 1);
	if (last < format->lowest)
		last = format->lowest;
	m = tiny ? 0 : round_units(m, last, mode, negative);
	if (m > format->largest)
		m = mode == 0 || (mode == 1 && !negative) || (mode == 2 && negative)
			    ? (quad)INFINITY
			    : format->largest;
	if (!keep && m < power(format->lowest + format->digits - 1))
		m = 0;
	return negative ? -m : m;
}

static inline quad float_value(uint64_t bits, const struct format *format)
{
	int mantissa_bits = format->digits - 1, lowest = format->lowest;
	uint64_t mantissa = bits & ((UINT64_C(1) << mantissa_bits) - 1);
	int top = (1 << format->exponent_bits) - 1, exponent = (int)(bits >> mantissa_bits) & top;
	bool negative = bits >> (mantissa_bits + (int)format->exponent_bits) & 1;
	quad x;
	if (exponent == top)
		x = mantissa ? (quad)NAN : (quad)INFINITY;
	else if (exponent == 0)
		x = (quad)mantissa * power(lowest);
	else
		x = ((quad)mantissa + power(mantissa_bits)) * power(exponent - 1 + lowest);
	return negative ? -x : x;
}

/* The bits of a number that the format can hold. */
static inline uint64_t float_bits(quad x, const struct format *format)
{
	int mantissa_bits = format->digits - 1;
	uint64_t top = (UINT64_C(1) << format->exponent_bits) - 1;
	uint64_t sign = (uint64_t)is_negative(x) << (mantissa_bits + (int)format->exponent_bits);
	quad m = magnitude(x);
	if (is_nan(x))
		return top << mantissa_bits | UINT64_C(1) << (mantissa_bits - 1);
	if (m == 0)
		return sign;
	if (m > power(10000))
		return sign | top << mantissa_bits;
	int exponent = exponent_of(m) - mantissa_bits - format->lowest; /* 0: one below the least */
	if (exponent < 0)
		return sign | (uint64_t)(m / power(format->lowest));
	uint64_t units = (uint64_t)(m / power(exponent + format->lowest));
	return sign | (uint64_t)(exponent + 1) << mantissa_bits |
	       (units & ((UINT64_C(1) << mantissa_bits) - 1));
}

#endif
