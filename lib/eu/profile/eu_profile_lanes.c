// SPDX-License-Identifier: MIT
/* Messages as most are, eight or sixteen lanes with addresses of their own, in vector registers. */
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "eu/memory/eu_memory.h"
#include "eu/profile/eu_profile.h"

enum { LINE_SHIFT = 6, BANKS = 16, MOST_BYTES = 16, LANES = 16, HALVES = 2 };

/* A number for each lane, in two registers; a mask has all bits of a lane, or none. */
typedef uint32_t half __attribute__((vector_size(4 * LANES / HALVES)));
union row {
	half part[HALVES];
	uint32_t lane[LANES];
};

static const half lane_number[] = { { 0, 1, 2, 3, 4, 5, 6, 7 }, { 8, 9, 10, 11, 12, 13, 14, 15 } };
static const half lane_bit[] = { { 0x1, 0x2, 0x4, 0x8, 0x10, 0x20, 0x40, 0x80 },
	{ 0x100, 0x200, 0x400, 0x800, 0x1000, 0x2000, 0x4000, 0x8000 } };

#define SIGN   UINT32_C(0x80000000)
#define OTHER  UINT32_C(0x40000000)
#define INLINE static inline __attribute__((always_inline))
#define BOTH   for (unsigned h = 0; h < HALVES; h++)

INLINE uint32_t any_of(const half *parts)
{
	typedef uint32_t quarter __attribute__((vector_size(4 * LANES / HALVES / 2)));
	typedef uint64_t words __attribute__((vector_size(16)));
	half all = parts[0] | parts[1];
	quarter quarters[2];

	memcpy(quarters, &all, sizeof(quarters));
	words both = (words)(quarters[0] | quarters[1]);
	uint64_t word = both[0] | both[1];
	return (uint32_t)(word | word >> 32);
}

INLINE unsigned count_bits(uint32_t bits)
{
	return (unsigned)__builtin_popcount(bits);
}

/* How many of the lower 16 bits of each lane. */
INLINE half bits_of(half x)
{
	x -= x >> 1 & 0x5555;
	x = (x & 0x3333) + (x >> 2 & 0x3333);
	x = (x + (x >> 4)) & 0x0f0f;
	return (x + (x >> 8)) & 0x1f;
}

/* How many lanes of a mask. */
INLINE unsigned count_of(const union row *mask)
{
	half bits[HALVES];

	BOTH bits[h] = mask->part[h] & lane_bit[h];
	return count_bits(any_of(bits));
}

INLINE uint32_t most_of(const half *parts)
{
	half first = (half)(parts[0] > parts[1]);
	half most = (parts[0] & first) | (parts[1] & ~first);
	uint32_t found = 0;

	for (unsigned i = 0; i < LANES / HALVES; i++)
		found = most[i] > found ? most[i] : found;
	return found;
}

/* For each lane, which lower lanes have the same number: a bit for each. */
typedef void equals(const union row *number, union row *lower);

INLINE void equals_any(const union row *number, union row *lower)
{
	const half low = number->part[0], high = number->part[1];
	half found[HALVES] = { { 0 } };

	for (unsigned i = 0; i < LANES - 1; i++) {
		uint32_t bit = UINT32_C(1) << i;
		half other = (half){ 0 } + (i < LANES / HALVES ? low : high)[i % (LANES / HALVES)];
		if (i < LANES / HALVES - 1)
			found[0] |= (half)(low == other) & (half)(lane_number[0] > i) & bit;
		found[1] |= (half)(high == other) & (half)(lane_number[1] > i) & bit;
	}
	BOTH lower->part[h] = found[h];
}

#ifdef __x86_64__
__attribute__((target("avx512f,avx512cd"))) static inline void equals_avx512(
	const union row *number, union row *lower)
{
	_mm512_storeu_si512(lower, _mm512_conflict_epi32(_mm512_loadu_si512(number)));
}
#endif

/* The lanes that are on and have the number, of less than 31 bits, of a lower one that is. */
INLINE union row again(const union row *number, const union row *on, equals *equal)
{
	union row own, lower, found;

	BOTH own.part[h] =
		(number->part[h] & on->part[h]) | (~on->part[h] & (SIGN | lane_number[h]));
	equal(&own, &lower);
	BOTH found.part[h] = (half)(lower.part[h] != 0);
	return found;
}

/* ---- lines of the cache ---- */

/*
 * Of accesses `off` bytes from `start`; 0: they lie too far apart to be counted here, or one is
 * `far`, which its sign says.
 */
INLINE unsigned count_lines(const union row *off, const union row *on, const union row *far,
	uint64_t start, unsigned bytes, equals *equal)
{
	uint32_t begin = ((uint32_t)start & ((1u << LINE_SHIFT) - 1)) + (LANES << LINE_SHIFT);
	half bad[HALVES], bits[HALVES];
	union row line;

	BOTH
	{
		half first = off->part[h] + begin, last = (first + (bytes - 1)) >> LINE_SHIFT;
		line.part[h] = first >> LINE_SHIFT;
		bad[h] = far->part[h] | ((half)(line.part[h] != last) & SIGN);
		bits[h] = (half){ 0 } + 1;
		bits[h] = bits[h] << (line.part[h] & 31) | bits[h] << (last & 31);
		bits[h] |= (((half)(line.part[h] > 30) | (half)(last > 30)) & SIGN) | far->part[h];
	}
	uint32_t places = any_of(bits);
	if (!(places & SIGN))
		return count_bits(places);
	if (any_of(bad) & SIGN)
		return 0;
	union row same = again(&line, on, equal);
	BOTH same.part[h] = on->part[h] & ~same.part[h];
	return count_of(&same);
}

/* ---- banks of local memory ---- */

/*
 * Cycles that the banks take more than they need at best. A bank gives one dword in a cycle, to all
 * lanes that read it; of writes to the same place each takes a cycle of its own. Accesses of 8 and
 * 16 bytes use two and four banks alike, which count as one.
 */
INLINE unsigned count_conflicts(const union row *word, const union row *at, const union row *on,
	unsigned shift, const struct eu_access *access, equals *equal)
{
	union row own = *on, lower, bank, same;

	if (!access->writes || access->bytes < 4) {
		same = again(word, on, equal);
		BOTH own.part[h] &= ~same.part[h];
	}
	if (access->writes && access->bytes < 4) {
		same = again(at, on, equal);
		BOTH own.part[h] |= same.part[h];
	}
	BOTH bank.part[h] = (word->part[h] & own.part[h] & ((BANKS << 2 >> shift) - 1)) |
			    (~own.part[h] & (BANKS + lane_number[h]));
	equal(&bank, &lower);
	BOTH lower.part[h] = bits_of(lower.part[h]);
	return most_of(lower.part) + 1 - ((count_of(&own) << shift >> 2) + BANKS - 1) / BANKS;
}

/* Counts conflicts of `count` lanes at `at`; false: an access is not aligned. */
INLINE bool count_local(const union row *at, const union row *on, unsigned count,
	const struct eu_access *access, uint64_t *counts, equals *equal)
{
	unsigned shift = access->bytes > 4 ? (unsigned)__builtin_ctz(access->bytes) : 2;
	uint32_t first = at->lane[0] >> shift, banks = (BANKS << 2 >> shift) - 1;
	half bits[HALVES];
	union row word;

	BOTH
	{
		word.part[h] = at->part[h] >> shift;
		bits[h] = (uint32_t)1 << (word.part[h] & banks);
		bits[h] |= (half)(word.part[h] != first) & OTHER;
		bits[h] |= (half)((at->part[h] & (access->bytes - 1u)) != 0) & SIGN;
	}
	uint32_t found = any_of(bits);
	if (found & SIGN)
		return false;
	if (count_bits(found & ((1 << BANKS) - 1)) < count && (access->writes || (found & OTHER)))
		counts[EU_PROFILE_CONFLICTS] +=
			count_conflicts(&word, at, on, shift, access, equal);
	return true;
}

/* ---- messages ---- */

/* Where lanes are behind `start`. The sign of `far` says that one is too far away, or may be. */
INLINE void load(
	const uint8_t *from, unsigned lanes, uint32_t start, union row *off, union row *far)
{
	half at[HALVES] = { { 0 } };

	memcpy(at, from, sizeof(*at));
	if (lanes == LANES) /* each of a size that is known: a register */
		memcpy(at + 1, from + sizeof(*at), sizeof(*at));
	BOTH
	{
		off->part[h] = at[h] - start;
		far->part[h] = at[h] & SIGN;
	}
}

INLINE void load_wide(
	const uint8_t *from, unsigned lanes, uint64_t start, union row *off, union row *far)
{
	for (unsigned i = 0; i < LANES; i++) {
		uint64_t at = i < lanes ? eu_access_address(from, i, EU_SPACE_A64) : start;
		at = (at & EU_ADDRESS_MASK) - (start & EU_ADDRESS_MASK);
		off->lane[i] = (uint32_t)at;
		far->lane[i] = (at + OTHER) >> 31 != 0 ? SIGN : 0;
	}
}

INLINE bool count(const struct eu_thread *thread, const struct eu_send *send, uint32_t lanes,
	uint64_t *counts, equals *equal)
{
	const struct eu_access *access = &send->access;
	enum eu_space space = (enum eu_space)access->space;
	const uint8_t *from = thread->grf + send->src0 + access->at;
	const struct eu_surface *surface = &thread->worker->surfaces[access->index];
	uint64_t start = eu_access_address(from, (unsigned)__builtin_ctz(lanes), space);
	unsigned count = count_bits(lanes), bytes = access->bytes;
	union row on, off, far;

	if (space == EU_SPACE_A64)
		load_wide(from, access->lanes, start, &off, &far);
	else
		load(from, access->lanes, (uint32_t)start, &off, &far);
	BOTH
	{
		on.part[h] = (half)((lane_bit[h] & lanes) != 0);
		off.part[h] &= on.part[h];
		far.part[h] &= on.part[h];
	}
	if (space == EU_SPACE_SLM) {
		BOTH off.part[h] = (off.part[h] + (uint32_t)start) & EU_SLM_MASK;
		if (!count_local(&off, &on, count, access, counts, equal))
			return false;
	} else {
		if (space == EU_SPACE_SURFACE && (!surface->state || surface->is_scratch))
			return false;
		start += space == EU_SPACE_SURFACE ? surface->base : 0;
		unsigned lines = count_lines(&off, &on, &far, start, bytes, equal);
		if (!lines)
			return false;
		counts[EU_PROFILE_LINES] += lines;
	}
	if (access->kind == EU_ACCESS_ATOMIC) {
		BOTH off.part[h] &= ~SIGN;
		off = again(&off, &on, equal);
		counts[EU_PROFILE_CONTENDED] += count_of(&off);
	}
	counts[EU_PROFILE_LANES] += count;
	counts[EU_PROFILE_BYTES] += count * bytes;
	return true;
}

#ifdef __x86_64__
#define COUNT(name, equal, ...)                                                                    \
	__attribute__((target(__VA_ARGS__))) static bool name(const struct eu_thread *thread,      \
		const struct eu_send *send, uint32_t lanes, uint64_t *counts)                      \
	{                                                                                          \
		return count(thread, send, lanes, counts, equal);                                  \
	}
COUNT(count_avx2, equals_any, "avx2,bmi2,popcnt")
COUNT(count_avx512, equals_avx512, "avx2,bmi2,popcnt,avx512f,avx512cd")
#endif

eu_profile_lanes *eu_profile_select(enum eu_host host)
{
#ifdef __x86_64__
	if (host != EU_HOST_BASE)
		return host == EU_HOST_AVX512 ? count_avx512 : count_avx2;
#endif
	(void)host;
	return NULL;
}

bool eu_profile_is_plain(const struct eu_send *send)
{
	const struct eu_access *access = &send->access;
	unsigned bytes = access->size * (unsigned)__builtin_popcount(access->channels);

	return send->run &&
	       (access->kind == EU_ACCESS_SCATTER || access->kind == EU_ACCESS_ATOMIC) &&
	       (access->lanes == LANES || access->lanes == LANES / 2) && !access->is_scratch &&
	       access->space != EU_SPACE_STATELESS &&
	       (access->space != EU_SPACE_SURFACE || access->index <= EU_BTI_LAST) &&
	       access->shift == 0 && access->bytes == bytes && bytes <= MOST_BYTES &&
	       (access->space != EU_SPACE_SLM || (bytes & (bytes - 1)) == 0) &&
	       access->at + access->lanes * (unsigned)access->address <=
		       send->mlen * (unsigned)GEN_GRF_BYTES;
}
