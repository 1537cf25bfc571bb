// SPDX-License-Identifier: MIT
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/*
 * The random generator of the tests (SplitMix64). Any state is a seed, also 0; equal seeds give
 * equal numbers everywhere.
 */
static inline uint64_t test_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* A number below `n`, which is not 0. */
static inline uint32_t test_random_below(uint64_t *state, uint32_t n)
{
	return (uint32_t)(test_random(state) % n);
}

static inline void test_random_bytes(uint64_t *state, void *bytes, size_t size)
{
	uint8_t *at = bytes;

	for (size_t i = 0; i < size; i++)
		at[i] = (uint8_t)test_random(state);
}

#endif
