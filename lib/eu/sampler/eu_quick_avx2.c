// SPDX-License-Identifier: MIT
#include "eu/sampler/eu_quick.h"

#include "eu/memory/eu_memory.h"
#include "eu/sampler/eu_filter.h"

#ifdef __AVX2__

#include <immintrin.h>

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

/* The bits of a channel, at their place in a dword. */
INLINE vu encode(const enum eu_quick_kind kind, const struct eu_quick_channel *channel, vu value)
{
	const vu mask = splat(channel->mask);
	__m256 x = (__m256)value;

	if (kind == EU_QUICK_WHOLE)
		return value;
	if (kind == EU_QUICK_HALF) {
		value = (vu)_mm256_cvtepu16_epi32(_mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT));
	} else if (kind == EU_QUICK_SINT) {
		const __m256i most = (__m256i)(mask >> 1);
		const __m256i low = _mm256_min_epi32((__m256i)value, most);
		value = (vu)_mm256_max_epi32(low, (__m256i) ~(vu)most);
	} else if (kind == EU_QUICK_UINT) {
		value = (vu)_mm256_min_epu32((__m256i)value, (__m256i)mask);
	} else {
		const float least = kind == EU_QUICK_SNORM ? -1.0f : 0.0f;
		x = _mm256_and_ps(x, _mm256_cmp_ps(x, x, _CMP_ORD_Q));
		x = _mm256_min_ps(_mm256_max_ps(x, _mm256_set1_ps(least)), _mm256_set1_ps(1.0f));
		/* Rounded to the nearest; adding this leaves that in the lowest bits. */
		value = (vu)((vf)x * channel->most + 0x1.8p23f) - 0x4b400000;
	}
	return (kind == EU_QUICK_SINT || kind == EU_QUICK_SNORM ? value & mask : value)
	       << splat(channel->shift);
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

/* ---- typed messages ---- */

/* The lanes of a message, and where their texels are. */
struct lanes {
	vu on, in; /* in: that have a texel */
	vu at;
};

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

/* False: not all lanes are of level 0. */
INLINE bool find_lanes(const struct eu_thread *thread, const struct eu_send *send,
	const struct eu_quick *quick, uint32_t enabled, struct lanes *lanes)
{
	const unsigned bytes = (unsigned)(send->access.data - send->access.at);
	uint8_t copy[4 * ROW_BYTES];
	const uint8_t *rows = find_payload(thread, send, send->access.at, bytes, copy);
	const vu zero = { 0 };
	vu coordinate[3];

	for (unsigned n = 0; n < 3; n++)
		coordinate[n] = n * ROW_BYTES < bytes ? load(rows + n * ROW_BYTES) : zero;
	if (bytes > 3 * ROW_BYTES && !is_zero(load(rows + 3 * ROW_BYTES)))
		return false;
	lanes->on = lanes->in = lanes_of(enabled);
	lanes->at = locate(quick, coordinate, &lanes->in);
	return true;
}

bool eu_quick_read(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, uint32_t enabled)
{
	const struct eu_quick *quick = &image->quick;
	uint8_t *out = thread->grf + send->dst;
	struct lanes lanes;
	vu dword[4], value[4];

	if (quick->typed.kind == EU_QUICK_NONE || !find_lanes(thread, send, quick, enabled, &lanes))
		return false;
	load_texels(image->host, quick->log_bytes, lanes.at, dword);
	decode_all(&quick->typed, dword, value);
	for (unsigned c = 0; c < 4; c++) {
		const vu absent = splat(quick->typed.channel[c].absent);

		if (!(send->access.channels >> c & 1))
			continue;
		store(out, pick(lanes.on, pick(lanes.in, value[c], absent), load(out)));
		out += ROW_BYTES;
	}
	return true;
}

/*
 * Stores texels, which are `step` bytes apart, in the order of the lanes: the last of those at the
 * same place stays.
 */
INLINE void store_texels(uint8_t *host, const unsigned bytes, const unsigned step,
	const struct lanes *lanes, const uint8_t *texels)
{
	const struct offsets o = offsets_of(lanes->at);
	uint32_t in = (uint32_t)_mm256_movemask_ps((__m256)lanes->in);

	if (in == 0xff) {
		for (unsigned i = 0; i < EIGHT; i++)
			memcpy(host + o.at[i], texels + i * step, bytes);
		return;
	}
	for (; in != 0; in &= in - 1) {
		const unsigned i = (unsigned)__builtin_ctz(in);
		memcpy(host + o.at[i], texels + i * step, bytes);
	}
}

/* The same of texels whose dwords are in vectors. */
INLINE void put_texels(
	uint8_t *host, unsigned log_bytes, const struct lanes *lanes, const vu dword[4])
{
	uint8_t texels[EIGHT * GEN_TEXEL_BYTES];
	__m256 r[4];

	if (log_bytes == 4) {
		for (unsigned i = 0; i < 4; i++)
			r[i] = (__m256)dword[i];
		transpose(r);
		for (unsigned i = 0; i < 4; i++) {
			const __m128 low = _mm256_castps256_ps128(r[i]);
			const __m128 high = _mm256_extractf128_ps(r[i], 1);
			memcpy(texels + 16 * i, &low, 16);
			memcpy(texels + 64 + 16 * i, &high, 16);
		}
		store_texels(host, 16, 16, lanes, texels);
		return;
	}
	if (log_bytes == 3) {
		const __m256i x = (__m256i)dword[0], y = (__m256i)dword[1];
		const __m256i low = _mm256_unpacklo_epi32(x, y), high = _mm256_unpackhi_epi32(x, y);
		store(texels, (vu)_mm256_permute2x128_si256(low, high, 0x20));
		store(texels + 32, (vu)_mm256_permute2x128_si256(low, high, 0x31));
		store_texels(host, 8, 8, lanes, texels);
		return;
	}
	store(texels, dword[0]);
	if (log_bytes == 2)
		store_texels(host, 4, 4, lanes, texels);
	else if (log_bytes == 1)
		store_texels(host, 2, 4, lanes, texels);
	else
		store_texels(host, 1, 4, lanes, texels);
}

/* Puts the channels together: of texels of one dword, or of more. */
INLINE void encode_kind(const enum eu_quick_kind kind, const bool one,
	const struct eu_thread *thread, const struct eu_send *send, const struct eu_image *image,
	vu dword[4])
{
	const unsigned channels = send->access.channels;
	const unsigned bytes = (unsigned)__builtin_popcount(channels) * ROW_BYTES;
	const struct eu_quick *quick = &image->quick;
	const vu zero = { 0 };
	uint8_t copy[4 * ROW_BYTES];
	const uint8_t *rows = find_payload(thread, send, send->access.data, bytes, copy);

	for (unsigned n = 0; n < (one ? 1 : 4); n++)
		dword[n] = zero;
	for (unsigned c = 0; c < 4; c++) {
		const struct eu_quick_channel *channel = &quick->format.channel[c];
		const unsigned before = channels & ((1u << quick->source[c]) - 1);
		const unsigned row = (unsigned)__builtin_popcount(before);

		if (image->fill >> c & 1)
			dword[one ? 0 : channel->dword] |=
				encode(kind, channel, load(rows + row * ROW_BYTES));
	}
}

bool eu_quick_write(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, uint32_t enabled)
{
	const struct eu_quick *quick = &image->quick;
	struct lanes lanes;
	vu dword[4];

	if (quick->sources == 0 || quick->format.kind == EU_QUICK_NONE ||
		(send->access.channels & quick->sources) != quick->sources ||
		!find_lanes(thread, send, quick, enabled, &lanes))
		return false;
#define ENCODE_ONE(kind) encode_kind(kind, true, thread, send, image, dword)
#define ENCODE(kind)	 encode_kind(kind, false, thread, send, image, dword)
	if (quick->log_bytes <= 2)
		EACH_KIND(quick->format.kind, ENCODE_ONE)
	else
		EACH_KIND(quick->format.kind, ENCODE)
	put_texels(image->host, quick->log_bytes, &lanes, dword);
	return true;
}

/* ---- samples ---- */

/* Eight lanes of a message to the sampler. */
struct sample {
	const struct eu_request *request;
	vu on;
	vu coordinate[3];
	vu value[4]; /* by channel of the surface */
};

/* Whether all lanes that are on have 0 in the rows at an offset of the payload. */
INLINE bool is_level_0(const struct eu_request *request, unsigned at)
{
	uint8_t copy[EU_SAMPLE_LANES * 4];
	const uint8_t *rows =
		find_payload(request->thread, request->send, at, request->count * 4, copy);
	vu any = load(rows) & lanes_of(request->enabled);

	if (request->count > EIGHT)
		any |= load(rows + ROW_BYTES) & lanes_of(request->enabled >> EIGHT);
	return is_zero(any);
}

/*
 * Finds the rows of u, v and r, a copy of those that are in two parts; NULL where a message ends
 * before. False: there are other parameters that count.
 */
INLINE bool find_rows(const struct eu_request *request, const uint8_t *row[3],
	uint8_t copy[3][EU_SAMPLE_LANES * 4])
{
	const struct eu_send *send = request->send;
	const unsigned bytes = request->count * 4;
	const unsigned end = (send->mlen + (unsigned)send->xlen) * GEN_GRF_BYTES;
	unsigned at = send->access.at;

	row[0] = row[1] = row[2] = NULL;
	for (const char *letter = send->access.parameters; *letter; letter++, at += bytes) {
		const unsigned n = *letter == 'u' ? 0 : *letter == 'v' ? 1 : 2;

		if (*letter == 'u' || *letter == 'v' || *letter == 'r') {
			if (at + bytes <= end)
				row[n] = find_payload(request->thread, send, at, bytes, copy[n]);
		} else if (*letter == 'l' && !request->kind->has_sampler) {
			if (at + bytes <= end && !is_level_0(request, at))
				return false;
		} else if (*letter != 'a' && *letter != 'l' && *letter != 'b' && *letter != 'm') {
			return false;
		}
	}
	return true;
}

static __attribute__((noinline)) vf find_axis(const struct eu_sampler *sampler, bool linear,
	unsigned number, uint32_t size, vf s, vu found[2])
{
	const enum gen_address_mode mode = (enum gen_address_mode)sampler->state.address[number];
	const bool unnormalized = sampler->state.unnormalized;
	vf share = { 0 };
	vi index[2];

#define FIND(fixed)                                                                                \
	if (!linear)                                                                               \
		index[0] = unnormalized ? nearest_index(fixed, true, size, s)                      \
					: nearest_index(fixed, false, size, s);                    \
	else                                                                                       \
		share = unnormalized ? linear_indices(fixed, true, size, s, index)                 \
				     : linear_indices(fixed, false, size, s, index)
	EACH_MODE(mode, FIND)
#undef FIND
	found[0] = (vu)index[0];
	found[1] = (vu)(linear ? index[1] : index[0]);
	return share;
}

/* The layer of an array: nearest even, clamped, as eu_sampler_layer does. */
INLINE vu find_layer(uint32_t layers, vf s)
{
	__m256 layer = _mm256_round_ps((__m256)s, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);

	layer = _mm256_max_ps(layer, _mm256_setzero_ps());
	layer = _mm256_min_ps(layer, _mm256_set1_ps((float)(layers - 1)));
	return (vu)_mm256_cvttps_epi32(layer);
}

/* The dwords of the texels at some offsets; zeros where there are none. */
INLINE void fetch(const struct sample *sample, vu at, vu in, vu dword[4])
{
	const struct eu_image *image = sample->request->image;

	load_texels(image->host, image->quick.log_bytes, at & in, dword);
	for (unsigned i = 0; i < 4; i++)
		if (i == 0 || 4u << i <= image->bytes * 2)
			dword[i] &= in;
}

/* Texels outside of the image have the border's colour, in the channels that the format has. */
INLINE vu bordered(const struct sample *sample, unsigned channel, vu in, vu value)
{
	const struct eu_sampler *sampler = sample->request->sampler;

	return sampler->has_border ? pick(in, value, splat(sampler->border[channel])) : value;
}

/* The texels that a filter takes of each lane. */
struct taps {
	vu in[8], dword[8][4];
};

/*
 * Mixes texels as mix_four of eu_filter.c does, which says why. The sum of what the format lacks is
 * what each texel has of it.
 */
INLINE void mix(const unsigned axes, const enum eu_quick_kind kind, struct sample *sample,
	const vf share[3], const struct taps *taps)
{
	const struct eu_quick_format *format = &sample->request->image->quick.format;
	v4d weight[2][8];

	for (unsigned half = 0; half < 2; half++) {
		weight[half][0] = (v4d){ 1.0, 1.0, 1.0, 1.0 };
		for (unsigned n = 0, used = 1; n < axes; n++, used *= 2) {
			const v4d part = widen((vu)share[n], half);
			for (unsigned t = 0; t < used; t++) {
				weight[half][t + used] = weight[half][t] * part;
				weight[half][t] *= 1.0 - part;
			}
		}
	}
	for (unsigned c = 0; c < 4; c++) {
		const struct eu_quick_channel *channel = &format->channel[c];
		v4d low = { 0.0 }, high = { 0.0 };

		sample->value[c] = splat(channel->absent);
		if (!(format->present >> c & 1))
			continue;
		for (unsigned t = 0; t < 1u << axes; t++) {
			vu x = decode(kind, channel, taps->dword[t][channel->dword]);
			x = bordered(sample, c, taps->in[t], x);
			low += widen(x, 0) * weight[0][t];
			high += widen(x, 1) * weight[1][t];
		}
		sample->value[c] = (vu)two_halves(
			_mm256_cvtpd_ps((__m256d)low), _mm256_cvtpd_ps((__m256d)high));
	}
}

/* What a linear filter makes of formats that are not integers. */
static void mix_all(
	const unsigned axes, struct sample *sample, const vf share[3], const struct taps *taps)
{
#define MIX_1(kind) mix(1, kind, sample, share, taps)
#define MIX_2(kind) mix(2, kind, sample, share, taps)
#define MIX_3(kind) mix(3, kind, sample, share, taps)
	const enum eu_quick_kind kind = sample->request->image->quick.format.kind;

	if (axes == 1)
		EACH_KIND(kind, MIX_1)
	else if (axes == 2)
		EACH_KIND(kind, MIX_2)
	else
		EACH_KIND(kind, MIX_3)
}

/* The texels in which the coordinates are, or those around them. */
static void filter(const bool linear, struct sample *sample)
{
	const struct eu_request *request = sample->request;
	const struct eu_quick *quick = &request->image->quick;
	const unsigned axes = quick->axes, count = linear ? 1u << axes : 1;
	const vu zero = { 0 };
	vu column[2], row[4], in[3][2], index[3][2];
	vf share[3];
	struct taps taps;

	index[1][0] = index[1][1] = index[2][0] = index[2][1] = zero;
	for (unsigned n = 0; n < axes; n++)
		share[n] = find_axis(request->sampler, linear, n, quick->size[n],
			(vf)sample->coordinate[n], index[n]);
	if (axes < 3 && quick->layer >= 0)
		index[2][0] = find_layer(quick->size[2], (vf)sample->coordinate[axes]);
	for (unsigned n = 0; n < 3; n++)
		for (unsigned t = 0; t < 2; t++)
			in[n][t] = is_below(index[n][t], quick->size[n]);
	column[0] = columns_at(quick, index[0][0]);
	row[0] = rows_at(quick, index[1][0], index[2][0]);
	if (linear)
		column[1] = columns_at(quick, index[0][1]);
	for (unsigned t = 1; t < count / 2; t++)
		row[t] = rows_at(quick, index[1][t & 1], index[2][t >> 1]);
	for (unsigned t = 0; t < count; t++) {
		taps.in[t] = in[0][t & 1] & in[1][t >> 1 & 1] & in[2][t >> 2];
		fetch(sample, column[t & 1] + row[t >> 1], taps.in[t], taps.dword[t]);
	}
	if (linear) {
		mix_all(axes, sample, share, &taps);
		return;
	}
	decode_all(&quick->format, taps.dword[0], sample->value);
	for (unsigned c = 0; c < 4; c++)
		if (quick->format.present >> c & 1)
			sample->value[c] = bordered(sample, c, taps.in[0], sample->value[c]);
}

/* Texels by their numbers. */
static void find_texels(struct sample *sample)
{
	const struct eu_quick *quick = &sample->request->image->quick;
	vu in = sample->on, dword[4];
	const vu at = locate(quick, sample->coordinate, &in);

	fetch(sample, at, in, dword);
	decode_all(&quick->format, dword, sample->value);
}

/* Puts halves of eight lanes into registers: floats are rounded, integers lose their upper halves.
 */
INLINE void store_halves(uint8_t *out, vu value, vu on, bool is_int)
{
	const __m256i low = _mm256_and_si256((__m256i)value, _mm256_set1_epi32(0xffff));
	const __m128i ints =
		_mm_packus_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1));
	const __m128i mask = _mm_packs_epi32(
		_mm256_castsi256_si128((__m256i)on), _mm256_extracti128_si256((__m256i)on, 1));
	const __m128i floats = _mm256_cvtps_ph((__m256)value, _MM_FROUND_TO_NEAREST_INT);
	__m128i old;

	memcpy(&old, out, sizeof(old));
	old = _mm_blendv_epi8(old, is_int ? ints : floats, mask);
	memcpy(out, &old, sizeof(old));
}

/* Puts the channels that the surface selects into the registers. */
INLINE void respond(const struct sample *sample, unsigned first)
{
	const struct eu_request *request = sample->request;
	const struct eu_send *send = request->send;
	const bool narrow = send->access.slot == 2, is_full = eu_request_is_full(request);
	const bool is_int = gen_format_is_int(request->image->format);
	const unsigned step = narrow ? GEN_GRF_BYTES : request->count * 4;
	uint8_t *out = request->thread->grf + send->dst;
	const uint8_t *end = out + send->rlen * GEN_GRF_BYTES;

	for (unsigned c = 0; c < 4 && out + step <= end; c++) {
		const unsigned select = request->image->surface.select[c];
		vu value = { 0 };

		if (eu_request_lacks(request, c))
			continue;

		if (select >= 4)
			value = sample->value[select - 4];
		else if (select == 1)
			value = splat(gen_format_absent(request->image->format, 3));
		if (narrow)
			store_halves(out + first * 2, value, sample->on, is_int);
		else if (is_full)
			store(out + first * 4, value);
		else
			store(out + first * 4, pick(sample->on, value, load(out + first * 4)));
		out += step;
	}
}

/* Whether it is one of texels of a level that every lane takes, with nothing added. */
static bool is_simple(const struct eu_request *request)
{
	enum { UNUSUAL = 0x800fff }; /* offsets, a mask of what is nowhere */
	const struct gen_sampler_state *state;

	if (!request->kind->selects || request->image->quick.format.kind == EU_QUICK_NONE ||
		eu_request_header(request, 2) & UNUSUAL)
		return false;
	if (!request->kind->has_sampler)
		return true;
	state = &request->sampler->state;
	return request->image->level_count == 1 && state->min_filter == state->mag_filter;
}

bool eu_quick_sample(struct eu_request *request)
{
	const unsigned halves = request->count / EIGHT;
	const vu zero = { 0 };
	struct sample sample[2];
	uint8_t copy[3][EU_SAMPLE_LANES * 4];
	const uint8_t *row[3];

	if (!is_simple(request) || !find_rows(request, row, copy))
		return false;
	for (unsigned half = 0; half < halves; half++) {
		sample[half].request = request;
		sample[half].on = lanes_of(request->enabled >> half * EIGHT);
		for (unsigned n = 0; n < 3; n++)
			sample[half].coordinate[n] =
				row[n] ? load(row[n] + half * ROW_BYTES) : zero;
	}
	for (unsigned half = 0; half < halves; half++) {
		if (!request->kind->has_sampler)
			find_texels(&sample[half]);
		else if (request->sampler->state.mag_filter == GEN_FILTER_LINEAR &&
			 !gen_format_is_int(request->image->format))
			filter(true, &sample[half]);
		else
			filter(false, &sample[half]);
		respond(&sample[half], half * EIGHT);
	}
	return true;
}

#else

bool eu_quick_read(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, uint32_t enabled)
{
	(void)thread, (void)send, (void)image, (void)enabled;
	return false;
}

bool eu_quick_write(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_image *image, uint32_t enabled)
{
	return eu_quick_read(thread, send, image, enabled);
}

bool eu_quick_sample(struct eu_request *request)
{
	(void)request;
	return false;
}

#endif
