// SPDX-License-Identifier: MIT
#ifdef __AVX2__

#include "eu/sampler/eu_quick_vector.h"
#include "util/util_bits.h"

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

/* The lanes of a message, and where their texels are. */
struct lanes {
	vu on, in; /* in: that have a texel */
	vu at;
};

/* False: not all lanes are of level 0. */
INLINE bool find_lanes(const struct eu_thread *thread, const struct eu_send *send,
	const struct eu_quick *quick, uint32_t enabled, struct lanes *lanes)
{
	uint8_t copy[4 * ROW_BYTES]; /* what comes behind them, nobody reads */
	const unsigned bytes =
		util_min_u32((unsigned)(send->access.data - send->access.at), sizeof(copy));
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

#else

#include "eu/sampler/eu_quick.h"

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

#endif
