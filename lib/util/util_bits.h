// SPDX-License-Identifier: MIT
#ifndef UTIL_BITS_H
#define UTIL_BITS_H

#include <stddef.h>
#include <stdint.h>

/* Bits high..low of value, both included, as the PRM writes a field "[high:low]"; high - low <= 31.
 */
static inline uint32_t util_bits(uint64_t value, unsigned high, unsigned low)
{
	return (uint32_t)(value >> low) & (uint32_t)((UINT64_C(2) << (high - low)) - 1);
}

static inline uint64_t util_align_up(uint64_t value, uint64_t power_of_two)
{
	return (value + power_of_two - 1) & ~(power_of_two - 1);
}

static inline uint32_t util_min_u32(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

#define UTIL_ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* The struct that has `member` at `pointer`. */
#define UTIL_CONTAINER_OF(pointer, type, member)                                                   \
	((type *)(void *)((char *)(pointer)-offsetof(type, member)))

#endif
