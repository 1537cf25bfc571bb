// SPDX-License-Identifier: MIT
#ifndef EU_WRITTEN_H
#define EU_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Which bytes of some memory have been written: a bit for each. From any thread, as long as the
 * words are there.
 */

/* The next bytes from *at on that share a word: the bits of *mask. False at the end. */
static inline bool eu_written_step(uint64_t end, uint64_t *at, uint64_t *mask)
{
	uint64_t from = *at, to = (from | 63) + 1;

	if (from >= end)
		return false;
	to = to < end ? to : end;
	*mask = UINT64_MAX >> (64 - (to - from)) << (from & 63);
	*at = to;
	return true;
}

/* Whether all bytes [first, end) have been. */
static inline bool eu_written_has(const uint64_t *words, uint64_t first, uint64_t end)
{
	uint64_t at = first, mask;

	while (eu_written_step(end, &at, &mask))
		if (mask & ~__atomic_load_n(&words[(at - 1) / 64], __ATOMIC_RELAXED))
			return false;
	return true;
}

/* The first byte from `first` on that has not been, or `end`. */
static inline uint64_t eu_written_until(const uint64_t *words, uint64_t first, uint64_t end)
{
	uint64_t at = first, from = first, mask;

	for (; eu_written_step(end, &at, &mask); from = at) {
		mask &= ~__atomic_load_n(&words[from / 64], __ATOMIC_RELAXED);
		if (mask)
			return from / 64 * 64 + (unsigned)__builtin_ctzll(mask);
	}
	return end;
}

/* They have. */
static inline void eu_written_add(uint64_t *words, uint64_t first, uint64_t end)
{
	uint64_t at = first, mask;

	while (eu_written_step(end, &at, &mask)) {
		uint64_t *word = &words[(at - 1) / 64];
		if (mask & ~__atomic_load_n(word, __ATOMIC_RELAXED))
			__atomic_fetch_or(word, mask, __ATOMIC_RELAXED);
	}
}

#endif
