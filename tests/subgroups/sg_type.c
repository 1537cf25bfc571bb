// SPDX-License-Identifier: MIT
#include "subgroups/sg_type.h"
#include "test_random.h"

#include <math.h>
#include <string.h>

const struct sg_type sg_types[SG_N_TYPES] = {
	[SG_CHAR] = { "char", 1, SG_SIGNED },
	[SG_UCHAR] = { "uchar", 1, SG_UNSIGNED },
	[SG_SHORT] = { "short", 2, SG_SIGNED },
	[SG_USHORT] = { "ushort", 2, SG_UNSIGNED },
	[SG_INT] = { "int", 4, SG_SIGNED },
	[SG_UINT] = { "uint", 4, SG_UNSIGNED },
	[SG_LONG] = { "long", 8, SG_SIGNED },
	[SG_ULONG] = { "ulong", 8, SG_UNSIGNED },
	[SG_HALF] = { "half", 2, SG_REAL },
	[SG_FLOAT] = { "float", 4, SG_REAL },
	[SG_DOUBLE] = { "double", 8, SG_REAL },
};

double sg_half_value(uint16_t bits)
{
	int exponent = bits >> 10 & 31, fraction = bits & 1023;
	double size = exponent == 31  ? fraction ? NAN : INFINITY
		      : exponent == 0 ? ldexp(fraction, -24)
				      : ldexp(fraction + 1024, exponent - 25);

	return bits >> 15 ? -size : size;
}

uint16_t sg_half_bits(double value)
{
	uint16_t sign = signbit(value) ? 0x8000 : 0;
	double size = fabs(value);
	int exponent;

	if (isnan(value))
		return 0x7e00;
	if (isinf(value))
		return sign | 0x7c00;
	if (size == 0)
		return sign;
	frexp(size, &exponent);
	/* Units in the last place: 2^-24 for what is too small to be normal. */
	int unit = exponent - 11 < -24 ? -24 : exponent - 11;
	double units = nearbyint(ldexp(size, -unit));
	if (ldexp(units, unit) >= 65536)
		return sign | 0x7c00;
	unsigned bits = (unsigned)units;
	return sign | (uint16_t)(unit == -24 ? bits : ((unsigned)(unit + 24) << 10) + bits);
}

/* Cuts an integer to its type and extends it again. */
static uint64_t wrap(enum sg_type_id type, uint64_t value)
{
	unsigned shift = 64 - 8 * sg_types[type].size;

	value <<= shift;
	return sg_types[type].kind == SG_SIGNED ? (uint64_t)((int64_t)value >> shift)
						: value >> shift;
}

struct sg_value sg_load(enum sg_type_id type, const void *bytes)
{
	struct sg_value value = { 0 };
	float single;

	if (type == SG_FLOAT) {
		memcpy(&single, bytes, sizeof single);
		value.f = (double)single;
		return value;
	}
	memcpy(&value.i, bytes, sg_types[type].size);
	if (type == SG_HALF)
		value.f = sg_half_value((uint16_t)value.i);
	else
		value.i = wrap(type, value.i);
	return value;
}

void sg_store(enum sg_type_id type, struct sg_value value, void *bytes)
{
	float single = (float)value.f;

	if (type == SG_HALF)
		value.i = sg_half_bits(value.f);
	if (type == SG_FLOAT)
		memcpy(bytes, &single, sizeof single);
	else
		memcpy(bytes, &value.i, sg_types[type].size);
}

static double apply_real(enum sg_op op, double a, double b)
{
	switch (op) {
	case SG_ADD:
		return a + b;
	case SG_MUL:
		return a * b;
	case SG_MIN:
		return b < a ? b : a;
	default:
		return b > a ? b : a;
	}
}

static int is_less(enum sg_type_id type, uint64_t a, uint64_t b)
{
	return sg_types[type].kind == SG_SIGNED ? (int64_t)a < (int64_t)b : a < b;
}

static uint64_t apply_integer(enum sg_type_id type, enum sg_op op, uint64_t a, uint64_t b)
{
	switch (op) {
	case SG_ADD:
		return a + b;
	case SG_MUL:
		return a * b;
	case SG_MIN:
		return is_less(type, b, a) ? b : a;
	case SG_MAX:
		return is_less(type, a, b) ? b : a;
	case SG_AND:
		return a & b;
	case SG_OR:
		return a | b;
	case SG_XOR:
		return a ^ b;
	case SG_LOGICAL_AND:
		return a && b;
	case SG_LOGICAL_OR:
		return a || b;
	default:
		return !a != !b;
	}
}

struct sg_value sg_apply(enum sg_type_id type, enum sg_op op, struct sg_value a, struct sg_value b)
{
	struct sg_value result = { 0 };

	if (sg_types[type].kind == SG_REAL)
		result.f = apply_real(op, a.f, b.f);
	else
		result.i = wrap(type, apply_integer(type, op, a.i, b.i));
	return result;
}

struct sg_value sg_identity(enum sg_type_id type, enum sg_op op)
{
	struct sg_value value = { 0 };
	uint64_t ones = wrap(type, ~(uint64_t)0);
	unsigned bits = 8 * sg_types[type].size;
	int is_signed = sg_types[type].kind == SG_SIGNED;

	switch (op) {
	case SG_MUL:
	case SG_LOGICAL_AND:
		value.i = 1;
		value.f = 1;
		break;
	case SG_AND:
		value.i = ones;
		break;
	case SG_MIN:
		value.i = is_signed ? ((uint64_t)1 << (bits - 1)) - 1 : ones;
		value.f = INFINITY;
		break;
	case SG_MAX:
		value.i = is_signed ? wrap(type, (uint64_t)1 << (bits - 1)) : 0;
		value.f = -INFINITY;
		break;
	default:
		break;
	}
	return value;
}

/* Small whole numbers for sums; for products 1, -1 and, one in 32, a power of two. */
static double exact_real(int op, uint64_t bits)
{
	if (op == SG_ADD)
		return (double)(int)(bits % 61) - 30;
	double size = bits % 32 == 0 ? 2 : bits % 32 == 1 ? 0.5 : 1;
	return bits >> 32 & 1 ? -size : size;
}

void sg_random_value(enum sg_type_id type, int op, uint64_t *state, void *bytes)
{
	struct sg_value value = { 0 };

	value.i = test_random(state);
	if (sg_types[type].kind == SG_REAL && (op == SG_ADD || op == SG_MUL)) {
		value.f = exact_real(op, value.i);
		sg_store(type, value, bytes);
		return;
	}
	if (op == SG_MUL && type != SG_LONG && type != SG_ULONG)
		value.i |= 1; /* products of even numbers are soon zero */
	if (op >= SG_LOGICAL_AND)
		value.i = value.i % 8 ? value.i : 0;
	if (op == SG_AND)
		value.i |= test_random(state) | test_random(state);
	/* An exponent of ones would make a NaN or an infinity. */
	if (type == SG_HALF && (value.i & 0x7c00) == 0x7c00)
		value.i ^= 0x4000;
	if (type == SG_FLOAT && (value.i & 0x7f800000) == 0x7f800000)
		value.i ^= 0x40000000;
	memcpy(bytes, &value.i, sg_types[type].size);
}
