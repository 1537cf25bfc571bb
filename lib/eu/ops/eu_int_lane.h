// SPDX-License-Identifier: MIT
#ifndef EU_INT_LANE_H
#define EU_INT_LANE_H

#include <stdbool.h>
#include <stdint.h>

/* Integer operations on one lane that the vector code and the generic path share. */

static inline uint32_t eu_int_lzd(uint32_t x)
{
	return x ? (uint32_t)__builtin_clz(x) : 32;
}

static inline uint32_t eu_int_fbl(uint32_t x)
{
	return x ? (uint32_t)__builtin_ctz(x) : UINT32_MAX;
}

static inline uint32_t eu_int_cbit(uint32_t x)
{
	return (uint32_t)__builtin_popcount(x);
}

static inline uint32_t eu_int_bfrev(uint32_t x)
{
	x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
	x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
	x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
	return __builtin_bswap32(x);
}

/* The sum of the products of four bytes each. */
static inline int32_t eu_int_dot(uint32_t x, uint32_t y, bool x_signed, bool y_signed)
{
	int32_t sum = 0;
	for (unsigned shift = 0; shift < 32; shift += 8) {
		uint8_t p = (uint8_t)(x >> shift), q = (uint8_t)(y >> shift);
		sum += (x_signed ? (int8_t)p : p) * (y_signed ? (int8_t)q : q);
	}
	return sum;
}

/* Division by zero gives all ones and leaves the dividend. */
static inline int64_t eu_int_iqot(int64_t a, int64_t b)
{
	return b ? a / b : -1;
}

static inline int64_t eu_int_irem(int64_t a, int64_t b)
{
	return b ? a % b : a;
}

static inline uint32_t eu_int_iqot_u(uint32_t a, uint32_t b)
{
	return b ? a / b : UINT32_MAX;
}

static inline uint32_t eu_int_irem_u(uint32_t a, uint32_t b)
{
	return b ? a % b : a;
}

#endif
