// SPDX-License-Identifier: MIT
#include "compile/cache/compile_hash.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

static const uint32_t constants[64] = {
	0x428a2f98,
	0x71374491,
	0xb5c0fbcf,
	0xe9b5dba5,
	0x3956c25b,
	0x59f111f1,
	0x923f82a4,
	0xab1c5ed5,
	0xd807aa98,
	0x12835b01,
	0x243185be,
	0x550c7dc3,
	0x72be5d74,
	0x80deb1fe,
	0x9bdc06a7,
	0xc19bf174,
	0xe49b69c1,
	0xefbe4786,
	0x0fc19dc6,
	0x240ca1cc,
	0x2de92c6f,
	0x4a7484aa,
	0x5cb0a9dc,
	0x76f988da,
	0x983e5152,
	0xa831c66d,
	0xb00327c8,
	0xbf597fc7,
	0xc6e00bf3,
	0xd5a79147,
	0x06ca6351,
	0x14292967,
	0x27b70a85,
	0x2e1b2138,
	0x4d2c6dfc,
	0x53380d13,
	0x650a7354,
	0x766a0abb,
	0x81c2c92e,
	0x92722c85,
	0xa2bfe8a1,
	0xa81a664b,
	0xc24b8b70,
	0xc76c51a3,
	0xd192e819,
	0xd6990624,
	0xf40e3585,
	0x106aa070,
	0x19a4c116,
	0x1e376c08,
	0x2748774c,
	0x34b0bcb5,
	0x391c0cb3,
	0x4ed8aa4a,
	0x5b9cca4f,
	0x682e6ff3,
	0x748f82ee,
	0x78a5636f,
	0x84c87814,
	0x8cc70208,
	0x90befffa,
	0xa4506ceb,
	0xbef9a3f7,
	0xc67178f2,
};

static uint32_t turn(uint32_t value, unsigned bits)
{
	return value >> bits | value << (32 - bits);
}

static void mix_anywhere(uint32_t state[8], const unsigned char block[64])
{
	uint32_t w[64], v[8];

	for (size_t i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
		       (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (size_t i = 16; i < 64; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];
		w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] +
		       (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
	}
	memcpy(v, state, sizeof v);
	for (size_t i = 0; i < 64; i++) {
		uint32_t one = v[7] + (turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)) +
			       ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[i] + w[i];
		uint32_t two = (turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)) +
			       ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
		memmove(v + 1, v, 7 * sizeof *v);
		v[4] += one;
		v[0] = one + two;
	}
	for (size_t i = 0; i < 8; i++)
		state[i] += v[i];
}

/* -1 before it is known, then whether the processor has instructions for this. */
static atomic_int is_able = -1;

#ifdef __x86_64__
static bool look_at_processor(void)
{
	unsigned a, b, c, d, c1;

	return __get_cpuid(1, &a, &b, &c1, &d) && c1 & bit_SSSE3 && c1 & bit_SSE4_1 &&
	       __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_SHA;
}

/* Intel, "Intel SHA Extensions", 2013: two rounds by an instruction, the state as ABEF and CDGH. */
__attribute__((target("sha,sse4.1"))) static void mix_by_instructions(
	uint32_t state[8], const unsigned char block[64])
{
	const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
	__m128i *place = (__m128i *)(void *)state, w[4];
	__m128i low = _mm_shuffle_epi32(_mm_loadu_si128(place), 0xb1);
	__m128i high = _mm_shuffle_epi32(_mm_loadu_si128(place + 1), 0x1b);
	__m128i abef = _mm_alignr_epi8(low, high, 8), cdgh = _mm_blend_epi16(high, low, 0xf0);
	const __m128i abef_before = abef, cdgh_before = cdgh;

	for (size_t i = 0; i < 4; i++)
		w[i] = _mm_shuffle_epi8(
			_mm_loadu_si128((const __m128i *)(const void *)(block + 16 * i)), order);
	for (size_t i = 0; i < 16; i++) {
		__m128i *now = &w[i % 4], next = w[(i + 1) % 4], last = w[(i + 3) % 4];
		__m128i sum = _mm_add_epi32(
			*now, _mm_loadu_si128((const __m128i *)(const void *)(constants + 4 * i)));

		cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
		abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
		sum = _mm_add_epi32(
			_mm_sha256msg1_epu32(*now, next), _mm_alignr_epi8(last, w[(i + 2) % 4], 4));
		*now = _mm_sha256msg2_epu32(sum, last);
	}
	low = _mm_shuffle_epi32(_mm_add_epi32(abef, abef_before), 0x1b);
	high = _mm_shuffle_epi32(_mm_add_epi32(cdgh, cdgh_before), 0xb1);
	_mm_storeu_si128(place, _mm_blend_epi16(low, high, 0xf0));
	_mm_storeu_si128(place + 1, _mm_alignr_epi8(high, low, 8));
}
#else
static bool look_at_processor(void)
{
	return false;
}

#define mix_by_instructions mix_anywhere
#endif

void compile_hash_use(bool instructions)
{
	atomic_store(&is_able, instructions && look_at_processor());
}

static void mix(uint32_t state[8], const unsigned char block[64])
{
	int able = atomic_load_explicit(&is_able, memory_order_relaxed);

	if (able < 0)
		compile_hash_use(true);
	if (able == 1)
		mix_by_instructions(state, block);
	else
		mix_anywhere(state, block);
}

void compile_hash_start(struct compile_hash *hash)
{
	static const uint32_t start[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };

	memcpy(hash->state, start, sizeof start);
	hash->size = 0;
}

void compile_hash_add(struct compile_hash *hash, const void *data, size_t size)
{
	const unsigned char *next = data;

	while (size) {
		size_t used = hash->size % sizeof hash->block;
		size_t n = sizeof hash->block - used < size ? sizeof hash->block - used : size;
		hash->size += n;
		if (n == sizeof hash->block) {
			mix(hash->state, next);
		} else {
			memcpy(hash->block + used, next, n);
			if (used + n == sizeof hash->block)
				mix(hash->state, hash->block);
		}
		next += n;
		size -= n;
	}
}

void compile_hash_piece(struct compile_hash *hash, const void *data, size_t size)
{
	const uint64_t number = data ? size : UINT64_MAX;

	compile_hash_add(hash, &number, sizeof number);
	if (data)
		compile_hash_add(hash, data, size);
}

void compile_hash_end(struct compile_hash *hash, unsigned char digest[COMPILE_HASH_SIZE])
{
	static const unsigned char padding[64] = { 0x80 };
	unsigned char bits[8];
	uint64_t size = hash->size * 8;
	size_t used = hash->size % 64;

	for (size_t i = 0; i < 8; i++)
		bits[i] = (unsigned char)(size >> (56 - 8 * i));
	compile_hash_add(hash, padding, used < 56 ? 56 - used : 120 - used);
	compile_hash_add(hash, bits, sizeof bits);
	for (size_t i = 0; i < COMPILE_HASH_SIZE; i++)
		digest[i] = (unsigned char)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}

void compile_hash_write(const unsigned char digest[COMPILE_HASH_SIZE], char text[COMPILE_HASH_TEXT])
{
	for (size_t i = 0; i < COMPILE_HASH_SIZE; i++)
		snprintf(text + 2 * i, 3, "%02x", digest[i]);
}
