// SPDX-License-Identifier: MIT
#include "eu/state/eu_half.h"

#include <string.h>

float eu_half_to_float(uint16_t half)
{
	uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31,
		 mantissa = half & 0x3ff, bits;
	if (exponent == 31) {
		bits = sign | 0x7f800000 | mantissa << 13 | (mantissa ? 0x400000 : 0);
	} else if (exponent != 0) {
		bits = sign | (exponent + 112) << 23 | mantissa << 13;
	} else if (mantissa == 0) {
		bits = sign;
	} else {
		unsigned shift = (unsigned)__builtin_clz(mantissa) - 21;
		bits = sign | (113 - shift) << 23 | (mantissa << shift & 0x3ff) << 13;
	}
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static bool rounds_up(
	enum eu_rounding mode, bool negative, uint64_t kept, uint64_t rest, uint64_t half)
{
	switch (mode) {
	case EU_ROUND_NEAREST:
		return rest > half || (rest == half && (kept & 1));
	case EU_ROUND_UP:
		return !negative && rest != 0;
	case EU_ROUND_DOWN:
		return negative && rest != 0;
	case EU_ROUND_ZERO:
		break;
	}
	return false;
}

uint16_t eu_half_from_double(double value, enum eu_rounding mode, bool keep_denormals)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	bool negative = bits >> 63;
	uint16_t sign = (uint16_t)(negative << 15);
	int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
	uint64_t mantissa = bits & UINT64_C(0xfffffffffffff);
	if (exponent == 1024)
		return mantissa ? (uint16_t)(sign | 0x7e00 | mantissa >> 42) : sign | 0x7c00;
	if (exponent == -1023) {
		if (mantissa == 0)
			return sign;
		exponent = -1022;
	} else {
		mantissa |= UINT64_C(1) << 52;
	}
	unsigned shift = 42;
	if (exponent < -14)
		shift += (unsigned)(-14 - exponent);
	if (shift > 62)
		shift = 62;
	uint64_t kept = mantissa >> shift, rest = mantissa & ((UINT64_C(1) << shift) - 1);
	uint64_t result = kept;
	if (exponent >= -14)
		result += (uint64_t)(exponent + 14) << 10;
	if (rounds_up(mode, negative, kept, rest, UINT64_C(1) << (shift - 1)))
		result++;
	if (result >= 0x7c00) {
		bool infinite = mode == EU_ROUND_NEAREST || (mode == EU_ROUND_UP && !negative) ||
				(mode == EU_ROUND_DOWN && negative);
		return sign | (infinite ? 0x7c00 : 0x7bff);
	}
	if (result < 0x400 && !keep_denormals)
		return sign;
	return (uint16_t)(sign | result);
}
