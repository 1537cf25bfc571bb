// SPDX-License-Identifier: MIT
#ifdef __AVX2__

#include "eu/sampler/eu_quick_vector.h"

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

#include "eu/sampler/eu_quick.h"

bool eu_quick_sample(struct eu_request *request)
{
	(void)request;
	return false;
}

#endif
