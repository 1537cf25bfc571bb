// SPDX-License-Identifier: MIT
#ifndef EU_QUICK_VECTOR_H
#define EU_QUICK_VECTOR_H

/* What eu_quick_*_avx2.c are made of: registers of eight lanes. */
#include <immintrin.h>

#include "eu/memory/eu_memory.h"
#include "eu/sampler/eu_filter.h"
#include "eu/sampler/eu_quick.h"

#define EU_AXIS_LANES 8
#include "eu/sampler/eu_axis_tmpl.h"

enum {
	EIGHT = 8,
	ROW_BYTES = 32,
};

typedef uint32_t vu __attribute__((vector_size(32)));
typedef double v4d __attribute__((vector_size(32)));

INLINE vu load(const void *from)
{
	vu x;

	memcpy(&x, from, sizeof(x));
	return x;
}

INLINE void store(void *to, vu x)
{
	memcpy(to, &x, sizeof(x));
}

INLINE vu splat(uint32_t x)
{
	return (vu)_mm256_set1_epi32((int)x);
}

INLINE vu pick(vu mask, vu x, vu y)
{
	return (vu)_mm256_blendv_epi8((__m256i)y, (__m256i)x, (__m256i)mask);
}

INLINE uint32_t dword_at(const uint8_t *from, unsigned bytes)
{
	uint32_t x = 0;

	memcpy(&x, from, bytes);
	return x;
}

INLINE __m128 load_four(const uint8_t *from)
{
	return _mm_loadu_ps((const float *)(const void *)from);
}

INLINE __m128 two_quads(const uint8_t *low, const uint8_t *high)
{
	const __m128 first = _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)low));

	return _mm_loadh_pi(first, (const __m64 *)(const void *)high);
}

INLINE __m256 two_halves(__m128 low, __m128 high)
{
	return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}

/* The rows of two matrices of four by four become columns. */
INLINE void transpose(__m256 r[4])
{
	const __m256 a = _mm256_unpacklo_ps(r[0], r[1]), b = _mm256_unpacklo_ps(r[2], r[3]);
	const __m256 c = _mm256_unpackhi_ps(r[0], r[1]), d = _mm256_unpackhi_ps(r[2], r[3]);

	r[0] = _mm256_shuffle_ps(a, b, 0x44);
	r[1] = _mm256_shuffle_ps(a, b, 0xee);
	r[2] = _mm256_shuffle_ps(c, d, 0x44);
	r[3] = _mm256_shuffle_ps(c, d, 0xee);
}

/* Four of eight floats as doubles. */
INLINE v4d widen(vu x, const unsigned half)
{
	const __m256 all = (__m256)x;

	return (v4d)_mm256_cvtps_pd(
		half ? _mm256_extractf128_ps(all, 1) : _mm256_castps256_ps128(all));
}

INLINE bool is_zero(vu x)
{
	return _mm256_testz_si256((__m256i)x, (__m256i)x);
}

/* All bits of the lanes that are on. */
INLINE vu lanes_of(uint32_t enabled)
{
	const vu bits = { 1, 2, 4, 8, 16, 32, 64, 128 };

	return (vu)((splat(enabled) & bits) == bits);
}

/* As eu_payload, of whole registers. Compilers divide messages anywhere between them. */
INLINE const uint8_t *find_payload(const struct eu_thread *thread, const struct eu_send *send,
	unsigned first, unsigned bytes, uint8_t *copy)
{
	const unsigned cut = send->mlen * (unsigned)GEN_GRF_BYTES;
	const uint8_t *low = thread->grf + send->src0, *high = thread->grf + send->src1;

	if (first + bytes <= cut)
		return low + first;
	if (first >= cut)
		return high + (first - cut);
	for (unsigned at = first; at < first + bytes; at += GEN_GRF_BYTES)
		store(copy + (at - first), load(at < cut ? low + at : high + (at - cut)));
	return copy;
}

/* ---- where texels lie ---- */

INLINE vu spread(const struct eu_spread *of, vu index)
{
	vu at = { 0 };

	for (unsigned i = 0; i < of->runs; i++)
		at |= (index & splat(of->mask[i])) << splat(of->shift[i]);
	return of->stride ? at + (index >> splat(of->above)) * of->stride : at;
}

INLINE vu columns_at(const struct eu_quick *quick, vu x)
{
	return spread(&quick->columns, (x + quick->left) << splat(quick->log_bytes));
}

INLINE vu rows_at(const struct eu_quick *quick, vu y, vu z)
{
	vu at;

	y += quick->top;
	if (quick->step)
		y += z * quick->step;
	at = spread(&quick->rows, y);
	return quick->slices.runs ? at + spread(&quick->slices, z + quick->front) : at;
}

INLINE vu is_below(vu index, uint32_t size)
{
	return (vu)(index == (vu)_mm256_min_epu32((__m256i)index, (__m256i)splat(size - 1)));
}

/* Where the texels of some coordinates are, of those that `in` leaves. */
INLINE vu locate(const struct eu_quick *quick, const vu coordinate[3], vu *in)
{
	const vu zero = { 0 };
	const vu y = quick->row < 0 ? zero : coordinate[1];
	vu z = zero;

	*in &= is_below(coordinate[0], quick->size[0]);
	if (quick->row >= 0)
		*in &= is_below(y, quick->size[1]);
	if (quick->layer >= 0) {
		z = coordinate[quick->layer];
		*in &= is_below(z, quick->size[2]);
	}
	return (columns_at(quick, coordinate[0]) + rows_at(quick, y, z)) & *in;
}

/* ---- formats ---- */

/* Where texels are, one by one. Vectors of so few are dear to gather, and to take apart. */
struct offsets {
	uint32_t at[EIGHT];
};

INLINE struct offsets offsets_of(vu at)
{
	struct offsets offsets;

	store(offsets.at, at);
	__asm__("" : "+m"(offsets)); /* the compiler would take the vector apart */
	return offsets;
}

/* The dwords of texels. */
INLINE void load_texels(const uint8_t *host, unsigned log_bytes, vu at, vu dword[4])
{
	const struct offsets o = offsets_of(at);
	__m256 r[4];

#define AT(i) (host + o.at[i])
#define EACH(small)                                                                                \
	((vu){ small(0), small(1), small(2), small(3), small(4), small(5), small(6), small(7) })
#define BYTE(i)	 *AT(i)
#define WORD(i)	 dword_at(AT(i), 2)
#define DWORD(i) dword_at(AT(i), 4)
	switch (log_bytes) {
	case 0:
		dword[0] = EACH(BYTE);
		break;
	case 1:
		dword[0] = EACH(WORD);
		break;
	case 2:
		dword[0] = EACH(DWORD);
		break;
	case 3:
		for (unsigned i = 0; i < 2; i++)
			r[i] = two_halves(two_quads(AT(2 * i), AT(2 * i + 1)),
				two_quads(AT(2 * i + 4), AT(2 * i + 5)));
		dword[0] = (vu)_mm256_shuffle_ps(r[0], r[1], 0x88);
		dword[1] = (vu)_mm256_shuffle_ps(r[0], r[1], 0xdd);
		break;
	default:
		for (unsigned i = 0; i < 4; i++)
			r[i] = two_halves(load_four(AT(i)), load_four(AT(i + 4)));
		transpose(r);
		for (unsigned i = 0; i < 4; i++)
			dword[i] = (vu)r[i];
	}
#undef AT
#undef EACH
#undef BYTE
#undef WORD
#undef DWORD
}

/* A float of 5 bits of exponent and 10 of mantissa, below its sign. */
INLINE vu widen_half(vu x)
{
	const vu magnitude = (x & 0x7fff) << 13, infinity = splat(0x7f800000);
	const vu special = (vu)((magnitude & (0x1f << 23)) == (0x1f << 23));
	const vu value = (vu)((vf)magnitude * 0x1p+112f);

	return (x & 0x8000) << 16 | pick(special, magnitude | infinity, value);
}

/* The values of a channel from the dwords that it is in. */
INLINE vu decode(const enum eu_quick_kind kind, const struct eu_quick_channel *channel, vu x)
{
	vf value;

	if (kind == EU_QUICK_WHOLE)
		return x;
	if (kind == EU_QUICK_SINT || kind == EU_QUICK_SNORM)
		x = (vu)((vi)(x << splat(channel->up)) >> (vi)splat(channel->down));
	else
		x = x >> splat(channel->shift) & splat(channel->mask);
	if (kind == EU_QUICK_HALF)
		return widen_half(x);
	if (kind == EU_QUICK_UINT || kind == EU_QUICK_SINT)
		return x;
	value = CONVERT((vi)x) / channel->most;
	if (kind == EU_QUICK_SNORM)
		value = (vf)_mm256_max_ps((__m256)value, _mm256_set1_ps(-1.0f));
	return (vu)value;
}

/* Once for each kind, so that what is called has no branches in it. */
#define EACH_KIND(of, call)                                                                        \
	switch (of) {                                                                              \
	case EU_QUICK_WHOLE:                                                                       \
		call(EU_QUICK_WHOLE);                                                              \
		break;                                                                             \
	case EU_QUICK_UINT:                                                                        \
		call(EU_QUICK_UINT);                                                               \
		break;                                                                             \
	case EU_QUICK_SINT:                                                                        \
		call(EU_QUICK_SINT);                                                               \
		break;                                                                             \
	case EU_QUICK_UNORM:                                                                       \
		call(EU_QUICK_UNORM);                                                              \
		break;                                                                             \
	case EU_QUICK_SNORM:                                                                       \
		call(EU_QUICK_SNORM);                                                              \
		break;                                                                             \
	default:                                                                                   \
		call(EU_QUICK_HALF);                                                               \
		break;                                                                             \
	}

INLINE void decode_kind(const enum eu_quick_kind kind, const struct eu_quick_format *format,
	const vu dword[4], vu value[4])
{
	for (unsigned c = 0; c < 4; c++) {
		const struct eu_quick_channel *channel = &format->channel[c];

		value[c] = format->present >> c & 1 ? decode(kind, channel, dword[channel->dword])
						    : splat(channel->absent);
	}
}

INLINE void decode_all(const struct eu_quick_format *format, const vu dword[4], vu value[4])
{
#define DECODE(kind) decode_kind(kind, format, dword, value)
	EACH_KIND(format->kind, DECODE)
#undef DECODE
}

#endif
