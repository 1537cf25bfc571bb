// SPDX-License-Identifier: MIT
/*
 * Messages as most are, eight or sixteen lanes with addresses of their own, in vector registers.
 * Who includes this defines COUNT, the name of the function.
 */
#include <immintrin.h>
#include <string.h>

#include "eu/memory/eu_memory.h"
#include "eu/profile/eu_profile.h"

enum { LINE_SHIFT = 6, BANKS = 16, LANES = EU_PROFILE_PLAIN };

/* A number for each lane, in as many registers as that takes. */
#ifdef __AVX512F__
#define PARTS 1
#else
#define PARTS 2
#endif
typedef uint32_t part __attribute__((vector_size(4 * LANES / PARTS)));
struct row {
	part part[PARTS];
};

static const uint32_t lane_number[LANES] __attribute__((aligned(sizeof(part)))) = { 0, 1, 2, 3, 4,
	5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };

#define SIGN   UINT32_C(0x80000000)
#define OTHER  UINT32_C(0x40000000)
#define INLINE static inline __attribute__((always_inline))
#define EACH   _Pragma("GCC unroll 2") for (unsigned p = 0; p < PARTS; p++)

INLINE part number_of(unsigned p)
{
	return ((const part *)lane_number)[p];
}

INLINE unsigned count_bits(uint32_t bits)
{
	return (unsigned)__builtin_popcount(bits);
}

#ifdef __AVX512F__
enum { EQUALS_ARE_QUICK = true };

/* The numbers of lanes that are on, and 0 for others. */
INLINE struct row load(const uint8_t *from, uint32_t on)
{
	return (struct row){ { (part)_mm512_maskz_loadu_epi32((__mmask16)on, from) } };
}

INLINE struct row only(const struct row *number, uint32_t on)
{
	return (struct row){ { (part)_mm512_maskz_mov_epi32(
		(__mmask16)on, (__m512i)number->part[0]) } };
}

/* A bit for each lane whose number is not 0. */
INLINE uint32_t lanes_of(const struct row *row)
{
	__m512i numbers = (__m512i)row->part[0];
	return _mm512_test_epi32_mask(numbers, numbers);
}

/* The numbers of lanes that are on, and for others what no lane has. */
INLINE struct row own_numbers(const struct row *number, uint32_t on)
{
	__m512i none = (__m512i)(number_of(0) | SIGN);
	return (struct row){ { (part)_mm512_mask_mov_epi32(
		none, (__mmask16)on, (__m512i)number->part[0]) } };
}

/* For each lane, which lower lanes have the same number: a bit for each. */
INLINE struct row equals(const struct row *number)
{
	return (struct row){ { (part)_mm512_conflict_epi32((__m512i)number->part[0]) } };
}
#else
enum { EQUALS_ARE_QUICK = false };

/* All bits of each lane that is on. */
INLINE part mask_of(uint32_t on, unsigned p)
{
	return (part)((((part){ 0 } + 1) << number_of(p) & on) != 0);
}

INLINE struct row only(const struct row *number, uint32_t on)
{
	struct row own;

	EACH own.part[p] = number->part[p] & mask_of(on, p);
	return own;
}

INLINE struct row load(const uint8_t *from, uint32_t on)
{
	struct row at = { { { 0 } } };

	/* each of a register's size, none of what lies behind the payload */
	for (unsigned p = 0; p < PARTS && on >> p * LANES / PARTS != 0; p++)
		memcpy(&at.part[p], from + p * sizeof(part), sizeof(part));
	return only(&at, on);
}

INLINE uint32_t lanes_of(const struct row *row)
{
	uint32_t lanes = 0;

	for (unsigned p = PARTS; p-- != 0;)
		lanes = lanes << LANES / PARTS |
			(uint32_t)_mm256_movemask_ps((__m256)(part)(row->part[p] != 0));
	return lanes;
}

INLINE struct row own_numbers(const struct row *number, uint32_t on)
{
	struct row own;

	EACH own.part[p] =
		(number->part[p] & mask_of(on, p)) | (~mask_of(on, p) & (number_of(p) | SIGN));
	return own;
}

INLINE struct row equals(const struct row *number)
{
	struct row lower = { { { 0 } } };

#pragma GCC unroll 16
	for (unsigned i = 0; i < LANES - 1; i++) {
		unsigned from = i * PARTS / LANES;
		part other = (part){ 0 } + number->part[from][i % (LANES / PARTS)];
		for (unsigned p = from; p < PARTS; p++)
			lower.part[p] |= (part)(number->part[p] == other) &
					 (part)(number_of(p) > i) & (UINT32_C(1) << i);
	}
	return lower;
}
#endif

/* The lanes that are on and have the number, of less than 31 bits, of a lower one that is. */
INLINE uint32_t again(const struct row *number, uint32_t on)
{
	struct row own = own_numbers(number, on), lower = equals(&own);

	return lanes_of(&lower);
}

INLINE uint32_t any_of(const struct row *row)
{
	typedef uint32_t half __attribute__((vector_size(32)));
	typedef uint32_t quarter __attribute__((vector_size(16)));
	typedef uint64_t words __attribute__((vector_size(16)));
	half halves[2];
	quarter quarters[2];

	memcpy(halves, row, sizeof(halves));
	halves[0] |= halves[1];
	memcpy(quarters, halves, sizeof(quarters));
	words both = (words)(quarters[0] | quarters[1]);
	uint64_t word = both[0] | both[1];
	return (uint32_t)(word | word >> 32);
}

INLINE uint32_t most_of(const struct row *row)
{
	uint32_t lane[LANES], found = 0;

	memcpy(lane, row, sizeof(lane));
	for (unsigned i = 0; i < LANES; i++)
		found = lane[i] > found ? lane[i] : found;
	return found;
}

/* How many of the lower 16 bits of each lane. */
INLINE part bits_of(part x)
{
	x -= x >> 1 & 0x5555;
	x = (x & 0x3333) + (x >> 2 & 0x3333);
	x = (x + (x >> 4)) & 0x0f0f;
	return (x + (x >> 8)) & 0x1f;
}

/* ---- lines of the cache ---- */

/*
 * Of accesses `off` bytes from `start`; 0: they lie too far apart to be counted here, or one is
 * `far`, which its sign says.
 */
INLINE unsigned count_lines(
	const struct row *off, uint32_t on, const struct row *far, uint64_t start, unsigned bytes)
{
	uint32_t begin = ((uint32_t)start & ((1u << LINE_SHIFT) - 1)) + (LANES << LINE_SHIFT);
	struct row line, crosses, bits;

	EACH
	{
		part first = off->part[p] + begin, last = (first + (bytes - 1)) >> LINE_SHIFT;
		line.part[p] = first >> LINE_SHIFT;
		crosses.part[p] = (far->part[p] & SIGN) | (line.part[p] ^ last);
		bits.part[p] = (part){ 0 } + 1;
		bits.part[p] = bits.part[p] << (line.part[p] & 31) | bits.part[p] << (last & 31);
		bits.part[p] |=
			((part)(line.part[p] > 30) | (part)(last > 30) | far->part[p]) & SIGN;
	}
	if (!EQUALS_ARE_QUICK || lanes_of(&crosses)) {
		uint32_t places = any_of(&bits);
		if (!(places & SIGN))
			return count_bits(places);
		if (EQUALS_ARE_QUICK || lanes_of(&crosses))
			return 0;
	}
	return count_bits(on & ~again(&line, on));
}

/* ---- banks of local memory ---- */

/*
 * Cycles that the banks take more than they need at best. A bank gives one dword in a cycle, to all
 * lanes that read it; of writes to the same place each takes a cycle of its own. Accesses of 8 and
 * 16 bytes use two and four banks alike, which count as one.
 */
INLINE unsigned count_conflicts(const struct row *word, const struct row *at, uint32_t on,
	unsigned shift, const struct eu_access *access)
{
	uint32_t own = on;
	struct row bank;

	if (!access->writes || access->bytes < 4)
		own &= ~again(word, on);
	if (access->writes && access->bytes < 4)
		own |= again(at, on);
	EACH bank.part[p] = word->part[p] & ((BANKS << 2 >> shift) - 1);
	bank = own_numbers(&bank, own);
	bank = equals(&bank);
	EACH bank.part[p] = bits_of(bank.part[p]);
	return most_of(&bank) + 1 - ((count_bits(own) << shift >> 2) + BANKS - 1) / BANKS;
}

/* Counts conflicts of the lanes at `at`; false: an access is not aligned. */
INLINE bool count_local(
	const struct row *at, uint32_t on, const struct eu_access *access, uint64_t *counts)
{
	unsigned shift = access->bytes > 4 ? (unsigned)__builtin_ctz(access->bytes) : 2;
	uint32_t first = at->part[0][0] >> shift, banks = (BANKS << 2 >> shift) - 1;
	struct row word, bits;

	EACH
	{
		word.part[p] = at->part[p] >> shift;
		bits.part[p] = (uint32_t)1 << (word.part[p] & banks);
		bits.part[p] |= (part)(word.part[p] != first) & OTHER;
		bits.part[p] |= (part)((at->part[p] & (access->bytes - 1u)) != 0) & SIGN;
	}
	uint32_t found = any_of(&bits);
	if (found & SIGN)
		return false;
	if (count_bits(found & ((1 << BANKS) - 1)) < count_bits(on) &&
		(access->writes || (found & OTHER)))
		counts[EU_PROFILE_CONFLICTS] += count_conflicts(&word, at, on, shift, access);
	return true;
}

/* ---- messages ---- */

/*
 * Where lanes that are on are behind `start`, others at it. The sign of `far` says that one is too
 * far away, or may be.
 */
INLINE void load_near(
	const uint8_t *from, uint32_t on, uint32_t start, struct row *off, struct row *far)
{
	*far = load(from, on);
	EACH off->part[p] = far->part[p] - start;
	*off = only(off, on);
}

INLINE void load_wide(
	const uint8_t *from, uint32_t on, uint64_t start, struct row *off, struct row *far)
{
	uint32_t near[LANES], out[LANES];

	for (unsigned i = 0; i < LANES; i++) {
		uint64_t at = on >> i & 1 ? eu_access_address(from, i, EU_SPACE_A64) : start;
		at = (at & EU_ADDRESS_MASK) - (start & EU_ADDRESS_MASK);
		near[i] = (uint32_t)at;
		out[i] = (at + OTHER) >> 31 != 0 ? SIGN : 0;
	}
	memcpy(off, near, sizeof(near));
	memcpy(far, out, sizeof(out));
}

bool COUNT(
	const struct eu_thread *thread, const struct eu_send *send, uint32_t on, uint64_t *counts)
{
	const struct eu_access *access = &send->access;
	enum eu_space space = (enum eu_space)access->space;
	const uint8_t *from = thread->grf + send->src0 + access->at;
	const struct eu_surface *surface = &thread->worker->surfaces[access->index];
	uint64_t start = eu_access_address(from, (unsigned)__builtin_ctz(on), space);
	struct row off, far;

	if (space == EU_SPACE_A64)
		load_wide(from, on, start, &off, &far);
	else
		load_near(from, on, (uint32_t)start, &off, &far);
	if (space == EU_SPACE_SLM) {
		EACH off.part[p] = (off.part[p] + (uint32_t)start) & EU_SLM_MASK;
		if (!count_local(&off, on, access, counts))
			return false;
	} else {
		if (space == EU_SPACE_SURFACE && (!surface->state || surface->is_scratch))
			return false;
		start += space == EU_SPACE_SURFACE ? surface->base : 0;
		unsigned lines = count_lines(&off, on, &far, start, access->bytes);
		if (!lines)
			return false;
		counts[EU_PROFILE_LINES] += lines;
	}
	if (access->kind == EU_ACCESS_ATOMIC) {
		EACH off.part[p] &= ~SIGN;
		counts[EU_PROFILE_CONTENDED] += count_bits(again(&off, on));
	}
	unsigned count = count_bits(on);
	counts[EU_PROFILE_LANES] += count;
	counts[EU_PROFILE_BYTES] += count * access->bytes;
	return true;
}
