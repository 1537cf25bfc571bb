// SPDX-License-Identifier: MIT
#ifndef EU_UOP_VECTOR_H
#define EU_UOP_VECTOR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "eu/ops/eu_int_lane.h"
#include "eu/state/eu_float_mode.h"
#include "eu/state/eu_half.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

/* Vectors of 1 and 8 lanes; the 2nd name of each is for memory of any alignment. */
#define VECTOR(lanes, kind, type)                                                                  \
	typedef type v##lanes##kind __attribute__((vector_size(4 * lanes)));                       \
	typedef type v##lanes##kind##_memory                                                       \
		__attribute__((vector_size(4 * lanes), aligned(1), may_alias));
VECTOR(1, f, float)
VECTOR(1, i, int32_t)
VECTOR(1, u, uint32_t)
VECTOR(8, f, float)
VECTOR(8, i, int32_t)
VECTOR(8, u, uint32_t)
#undef VECTOR

/* The same of 64 bits. */
#define QUADS(lanes)                                                                               \
	typedef int64_t v##lanes##q __attribute__((vector_size(8 * lanes)));                       \
	typedef uint64_t v##lanes##uq __attribute__((vector_size(8 * lanes)));                     \
	typedef int64_t v##lanes##q_memory                                                         \
		__attribute__((vector_size(8 * lanes), aligned(1), may_alias));
QUADS(1)
QUADS(8)
#undef QUADS

typedef uint8_t v1ub __attribute__((vector_size(1))), v8ub __attribute__((vector_size(8)));
typedef int8_t v8b __attribute__((vector_size(8)));
typedef uint16_t v1uw __attribute__((vector_size(2))), v8uw __attribute__((vector_size(16)));
typedef int16_t v8w __attribute__((vector_size(16)));
typedef v8uw v8h;

typedef uint32_t scalar_memory __attribute__((aligned(1), may_alias));
typedef int64_t quad_memory __attribute__((aligned(1), may_alias));

enum round_direction { FLOOR, CEIL, TRUNC, EVEN };

static inline float round_lane(float x, enum round_direction direction)
{
	switch (direction) {
	case FLOOR:
		return floorf(x);
	case CEIL:
		return ceilf(x);
	case TRUNC:
		return truncf(x);
	case EVEN:
		break;
	}
#ifdef __SSE4_1__
	__m128 v = _mm_set_ss(x);
	return _mm_cvtss_f32(_mm_round_ss(v, v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
#else
	float whole = truncf(x), rest = fabsf(x - whole);
	if (rest > 0.5f || (rest == 0.5f && fmodf(whole, 2) != 0))
		whole += copysignf(1, x);
	return copysignf(whole, x);
#endif
}

static inline v1f round_1(v1f x, enum round_direction direction)
{
	return (v1f){ round_lane(x[0], direction) };
}

/* All 64 bits of products of unsigned dwords, the low halves and the high ones. */
static inline void product_1(v1u a, v1u b, v1u *low, v1u *high)
{
	uint64_t product = (uint64_t)a[0] * b[0];
	*low = (v1u){ (uint32_t)product };
	*high = (v1u){ (uint32_t)(product >> 32) };
}

/* Sums of the products of four bytes each. */
static inline v1u dot_bytes_1(v1u a, v1u b, bool a_signed, bool b_signed)
{
	return (v1u){ (uint32_t)eu_int_dot(a[0], b[0], a_signed, b_signed) };
}

static inline v1f fma_1(v1f a, v1f b, v1f c)
{
	return (v1f){ fmaf(a[0], b[0], c[0]) };
}

static inline v1f sqrt_1(v1f a)
{
	return (v1f){ sqrtf(a[0]) };
}

/* By way of double precision, as the general path. */
static inline v1f rsqt_1(v1f a)
{
	return (v1f){ (float)(1 / sqrt((double)a[0])) };
}

#define NARROW(name, type, result)                                                                 \
	static inline result narrow_##name(type a)                                                 \
	{                                                                                          \
		return __builtin_convertvector(a, result);                                         \
	}
NARROW(ub_1, v1u, v1ub)
NARROW(uw_1, v1u, v1uw)
NARROW(u_1, v1u, v1u)
NARROW(u_8, v8u, v8u)
NARROW(uq_1, v1u, v1uq)
NARROW(uq_8, v8u, v8uq)

/* What hosts have no vector instruction for, lane i by lane. */
#define EACH_8(type, name, parameters, value)                                                      \
	static inline type name parameters                                                         \
	{                                                                                          \
		type r;                                                                            \
		for (int i = 0; i < 8; i++)                                                        \
			r[i] = (value);                                                            \
		return r;                                                                          \
	}

static inline uint32_t bits_1(v1i mask)
{
	return (uint32_t)mask[0] & 1;
}

/* Halves in the low halves of dwords; to half in the current rounding mode, denormals kept. */
#ifdef __F16C__

static inline v1f from_half_1(v1u a)
{
	return (v1f){ _cvtsh_ss((uint16_t)a[0]) };
}

static inline v1u to_half_1(v1f a)
{
	return (v1u){ _cvtss_sh(a[0], _MM_FROUND_CUR_DIRECTION) };
}

/* The nearest floats that halves are. */
static inline v1f nearest_half_1(v1f a)
{
	return (v1f){ _cvtsh_ss(_cvtss_sh(a[0], _MM_FROUND_TO_NEAREST_INT)) };
}

static inline v8f nearest_half_8(v8f a)
{
	return (v8f)_mm256_cvtph_ps(_mm256_cvtps_ph((__m256)a, _MM_FROUND_TO_NEAREST_INT));
}

static inline v8f from_half_8(v8u a)
{
	__m256i words = (__m256i)(a & 0xffff);
	__m128i packed =
		_mm_packus_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
	return (v8f)_mm256_cvtph_ps(packed);
}

static inline v8u to_half_8(v8f a)
{
	return (v8u)_mm256_cvtepu16_epi32(_mm256_cvtps_ph((__m256)a, _MM_FROUND_CUR_DIRECTION));
}

/* Contiguous halves as floats, and floats in dwords as halves. */
static inline v8u widen_h_8(const char *from)
{
	return (v8u)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)from));
}

static inline v8uw narrow_h_8(v8u a)
{
	return (v8uw)_mm256_cvtps_ph((__m256)a, _MM_FROUND_CUR_DIRECTION);
}

#else

static inline uint32_t half_lane(float x)
{
	return eu_half_from_double((double)x, eu_float_mode_rounding(), true);
}

static inline v1f from_half_1(v1u a)
{
	return (v1f){ eu_half_to_float((uint16_t)a[0]) };
}

static inline v1u to_half_1(v1f a)
{
	return (v1u){ half_lane(a[0]) };
}

static inline float nearest_half(float x)
{
	return eu_half_to_float(eu_half_from_double((double)x, EU_ROUND_NEAREST, true));
}

static inline v1f nearest_half_1(v1f a)
{
	return (v1f){ nearest_half(a[0]) };
}

EACH_8(v8f, nearest_half_8, (v8f a), nearest_half(a[i]))
EACH_8(v8f, from_half_8, (v8u a), eu_half_to_float((uint16_t)a[i]))
EACH_8(v8u, to_half_8, (v8f a), half_lane(a[i]))

static inline v8u widen_h_8(const char *from)
{
	v8uw halves;
	memcpy(&halves, from, sizeof(halves));
	return (v8u)from_half_8(__builtin_convertvector(halves, v8u));
}

static inline v8uw narrow_h_8(v8u a)
{
	return __builtin_convertvector(to_half_8((v8f)a), v8uw);
}

#endif

static inline v1uw narrow_h_1(v1u a)
{
	return narrow_uw_1(to_half_1((v1f)a));
}

#ifdef __AVX2__

static inline v8f fma_8(v8f a, v8f b, v8f c)
{
	return (v8f)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}

static inline v8f sqrt_8(v8f a)
{
	return (v8f)_mm256_sqrt_ps((__m256)a);
}

static inline __m128 rsqt_4(__m128 a)
{
	__m256d root = _mm256_sqrt_pd(_mm256_cvtps_pd(a));
	return _mm256_cvtpd_ps(_mm256_div_pd(_mm256_set1_pd(1), root));
}

static inline v8f rsqt_8(v8f a)
{
	__m128 low = rsqt_4(_mm256_castps256_ps128((__m256)a));
	return (v8f)_mm256_set_m128(rsqt_4(_mm256_extractf128_ps((__m256)a, 1)), low);
}

/* Eight narrow integers in memory as dwords. */
static inline v8u widen_ub_8(const char *from)
{
	return (v8u)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from));
}

static inline v8u widen_b_8(const char *from)
{
	return (v8u)_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from));
}

static inline v8u widen_uw_8(const char *from)
{
	return (v8u)_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)from));
}

static inline v8u widen_w_8(const char *from)
{
	return (v8u)_mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(const void *)from));
}

/* The low bytes or words of dwords. */
static inline v8ub narrow_ub_8(v8u a)
{
	__m256i low = _mm256_shuffle_epi8((__m256i)a, _mm256_set1_epi32(0x0c080400));
	return (v8ub)_mm_cvtsi128_si64(
		_mm_unpacklo_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1)));
}

static inline v8uw narrow_uw_8(v8u a)
{
	__m256i low = _mm256_shuffle_epi8((__m256i)a, _mm256_set1_epi64x(0x0d0c090805040100));
	return (v8uw)_mm256_castsi256_si128(_mm256_permute4x64_epi64(low, 0x08));
}

static inline v8f round_8(v8f x, enum round_direction direction)
{
	switch (direction) {
	case FLOOR:
		return (v8f)_mm256_round_ps((__m256)x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
	case CEIL:
		return (v8f)_mm256_round_ps((__m256)x, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
	case TRUNC:
		return (v8f)_mm256_round_ps((__m256)x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
	case EVEN:
		break;
	}
	return (v8f)_mm256_round_ps((__m256)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

static inline uint32_t bits_8(v8i mask)
{
	return (uint32_t)_mm256_movemask_ps((__m256)mask);
}

static inline void product_8(v8u a, v8u b, v8u *low, v8u *high)
{
	__m256i x = (__m256i)a, y = (__m256i)b, even = _mm256_mul_epu32(x, y);
	__m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(x, 32), _mm256_srli_epi64(y, 32));
	*low = (v8u)_mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa);
	*high = (v8u)_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa);
}

/* The even or the odd bytes as words. */
static inline __m256i byte_words(v8u a, bool odd, bool is_signed)
{
	__m256i x = odd ? (__m256i)a : _mm256_slli_epi16((__m256i)a, 8);
	return is_signed ? _mm256_srai_epi16(x, 8) : _mm256_srli_epi16(x, 8);
}

static inline v8u dot_bytes_8(v8u a, v8u b, bool a_signed, bool b_signed)
{
	__m256i even =
		_mm256_madd_epi16(byte_words(a, false, a_signed), byte_words(b, false, b_signed));
	__m256i odd =
		_mm256_madd_epi16(byte_words(a, true, a_signed), byte_words(b, true, b_signed));
	return (v8u)_mm256_add_epi32(even, odd);
}

#else

EACH_8(v8f, fma_8, (v8f a, v8f b, v8f c), fmaf(a[i], b[i], c[i]))
EACH_8(v8f, sqrt_8, (v8f a), sqrtf(a[i]))
EACH_8(v8f, rsqt_8, (v8f a), rsqt_1((v1f){ a[i] })[0])
EACH_8(v8f, round_8, (v8f x, enum round_direction direction), round_lane(x[i], direction))
EACH_8(v8u, dot_bytes_8, (v8u a, v8u b, bool a_signed, bool b_signed),
	dot_bytes_1((v1u){ a[i] }, (v1u){ b[i] }, a_signed, b_signed)[0])
NARROW(ub_8, v8u, v8ub)
NARROW(uw_8, v8u, v8uw)

#define WIDEN(kind, result)                                                                        \
	static inline v8u widen_##kind##_8(const char *from)                                       \
	{                                                                                          \
		v8##kind narrow;                                                                   \
		memcpy(&narrow, from, sizeof(narrow));                                             \
		return (v8u) __builtin_convertvector(narrow, result);                              \
	}
WIDEN(ub, v8u)
WIDEN(b, v8i)
WIDEN(uw, v8u)
WIDEN(w, v8i)
#undef WIDEN

static inline void product_8(v8u a, v8u b, v8u *low, v8u *high)
{
	for (int i = 0; i < 8; i++) {
		uint64_t product = (uint64_t)a[i] * b[i];
		(*low)[i] = (uint32_t)product;
		(*high)[i] = (uint32_t)(product >> 32);
	}
}

static inline uint32_t bits_8(v8i mask)
{
	const v8i weights = { 1, 2, 4, 8, 16, 32, 64, 128 };
	v8i m = mask & weights;
	return (uint32_t)(m[0] | m[1] | m[2] | m[3] | m[4] | m[5] | m[6] | m[7]);
}

#endif

#undef EACH_8
#undef NARROW

#endif
