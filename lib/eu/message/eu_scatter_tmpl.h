// SPDX-License-Identifier: MIT
/*
 * Scattered messages for one instruction set of the host. The includer defines EU_SCATTER, the name
 * of the table. Addresses are looked at all at once: in bounds or not, in a line or not. Whatever
 * is not wholly in bounds is left to eu_scatter_load and eu_scatter_store.
 */
#include "eu/message/eu_scatter.h"
#include "eu/message/eu_scatter_lane.h"

#ifdef __SSE4_1__
#include <immintrin.h>
#endif

#define TEMPLATE static inline __attribute__((always_inline))

/* Memory that is known to be there: offsets from `first` on, `span` bytes. */
struct window {
	uint8_t *host;
	uint64_t first, span;
};

/* Where each lane's data is, in bytes from the window's start. */
struct places {
	uint32_t at[MAX_LANES];
};

typedef uint32_t dword_memory __attribute__((aligned(1), may_alias));
typedef uint64_t qword_memory __attribute__((aligned(1), may_alias));

TEMPLATE bool window_open(
	struct window *w, struct eu_thread *thread, const struct eu_send *send, enum eu_space space)
{
	if (space == EU_SPACE_SURFACE) {
		const struct eu_surface *surface = &thread->worker->surfaces[send->desc & 0xff];
		if ((send->desc & 0xff) == EU_BTI_BINDLESS || surface->state == 0)
			surface = eu_surface_find(thread, send);
		if (!surface)
			return false;
		*w = (struct window){ surface->host, 0, surface->reach };
	} else if (space == EU_SPACE_SLM) {
		*w = (struct window){ thread->group->slm, 0, thread->worker->dispatch->slm_bytes };
	} else {
		const struct eu_range *range = &thread->worker->translations[send->site].range;
		*w = (struct window){ range->host, range->first, range->end - range->first };
	}
	return true;
}

/* Whether lane i's address is that of lane 0 plus i * step. */
TEMPLATE bool is_line(const uint8_t *addresses, enum eu_space space, unsigned lanes, unsigned step)
{
	if (space == EU_SPACE_A64) {
		const qword_memory *a = (const qword_memory *)addresses;
		uint64_t off = 0;
		for (unsigned i = 0; i < lanes; i++)
			off |= a[i] ^ (a[0] + (uint64_t)i * step);
		return off == 0;
	}
	const dword_memory *a = (const dword_memory *)addresses;
	uint32_t off = 0;
	for (unsigned i = 0; i < lanes; i++)
		off |= a[i] ^ (a[0] + i * step);
	/* Not a line in 64 bits when it wraps in 32. */
	return off == 0 && a[lanes - 1] >= a[0];
}

/* What lane 1 is from lane 0; addresses that differ by more are in no line of interest. */
TEMPLATE uint64_t step_of(const uint8_t *addresses, enum eu_space space)
{
	return space == EU_SPACE_A64
		       ? lane_address(addresses, 1, space) - lane_address(addresses, 0, space)
		       : (uint32_t)(lane_address(addresses, 1, space) -
				    lane_address(addresses, 0, space));
}

/*
 * Finds the places of all lanes that are on; the others get that of the first. False unless `bytes`
 * at each are in the window.
 */
TEMPLATE bool find_places(struct places *places, const struct window *w, const uint8_t *addresses,
	uint64_t base, uint32_t enabled, enum eu_space space, unsigned lanes, unsigned bytes)
{
	uint64_t limit = w->span - bytes;
	unsigned one = (unsigned)__builtin_ctz(enabled);
	if (w->span < bytes)
		return false;
	limit = limit < UINT32_MAX ? limit : UINT32_MAX;
	if (space == EU_SPACE_SURFACE || space == EU_SPACE_SLM) {
		const dword_memory *a = (const dword_memory *)addresses;
		uint32_t bad = 0, mask = space == EU_SPACE_SLM ? EU_SLM_MASK : UINT32_MAX;
		uint32_t other = a[one] & mask;
		for (unsigned i = 0; i < lanes; i++) {
			uint32_t on = -(enabled >> i & 1), at = a[i] & mask;
			at = (at & on) | (other & ~on);
			places->at[i] = at;
			bad |= -(uint32_t)(at > (uint32_t)limit);
		}
		return bad == 0;
	}
	uint64_t bad = 0, other = lane_offset(base, lane_address(addresses, one, space), space, 0);
	for (unsigned i = 0; i < lanes; i++) {
		uint64_t on = -(uint64_t)(enabled >> i & 1);
		uint64_t at = lane_offset(base, lane_address(addresses, i, space), space, 0);
		at = ((at & on) | (other & ~on)) - w->first;
		places->at[i] = (uint32_t)at;
		bad |= -(uint64_t)(at > limit);
	}
	return bad == 0;
}

/* Copies the dword at each place, plus `more` bytes. */
TEMPLATE void gather_dwords(
	uint8_t *out, const uint8_t *host, const struct places *places, unsigned lanes)
{
#ifdef __SSE4_1__
	for (unsigned i = 0; i < lanes; i += 4) {
		const uint32_t *at = places->at + i;
		__m128i x = _mm_cvtsi32_si128((int)*(const dword_memory *)(host + at[0]));
		x = _mm_insert_epi32(x, (int)*(const dword_memory *)(host + at[1]), 1);
		x = _mm_insert_epi32(x, (int)*(const dword_memory *)(host + at[2]), 2);
		x = _mm_insert_epi32(x, (int)*(const dword_memory *)(host + at[3]), 3);
		_mm_storeu_si128((__m128i *)(void *)(out + 4 * i), x);
	}
#else
	for (unsigned i = 0; i < lanes; i++)
		memcpy(out + 4 * i, host + places->at[i], 4);
#endif
}

/* The same for all channels that a lane loads. */
TEMPLATE void gather(uint8_t *out, const uint8_t *host, const struct places *places, unsigned lanes,
	unsigned channels)
{
#ifdef __SSE4_1__
	if (channels == 15) {
		for (unsigned i = 0; i < lanes; i += 4) {
			const uint32_t *at = places->at + i;
			__m128 a = _mm_loadu_ps((const float *)(const void *)(host + at[0]));
			__m128 b = _mm_loadu_ps((const float *)(const void *)(host + at[1]));
			__m128 c = _mm_loadu_ps((const float *)(const void *)(host + at[2]));
			__m128 d = _mm_loadu_ps((const float *)(const void *)(host + at[3]));
			_MM_TRANSPOSE4_PS(a, b, c, d);
			_mm_storeu_ps((float *)(void *)(out + 4 * i), a);
			_mm_storeu_ps((float *)(void *)(out + 4 * (lanes + i)), b);
			_mm_storeu_ps((float *)(void *)(out + 4 * (2 * lanes + i)), c);
			_mm_storeu_ps((float *)(void *)(out + 4 * (3 * lanes + i)), d);
		}
		return;
	}
	if (channels == 3) {
		for (unsigned i = 0; i < lanes; i += 4) {
			const uint32_t *at = places->at + i;
			__m128d a = _mm_castsi128_pd(_mm_loadu_si64(host + at[0]));
			__m128d b = _mm_castsi128_pd(_mm_loadu_si64(host + at[2]));
			a = _mm_unpacklo_pd(a, _mm_castsi128_pd(_mm_loadu_si64(host + at[1])));
			b = _mm_unpacklo_pd(b, _mm_castsi128_pd(_mm_loadu_si64(host + at[3])));
			__m128 x = _mm_castpd_ps(a), y = _mm_castpd_ps(b);
			_mm_storeu_ps((float *)(void *)(out + 4 * i), _mm_shuffle_ps(x, y, 0x88));
			_mm_storeu_ps((float *)(void *)(out + 4 * (lanes + i)),
				_mm_shuffle_ps(x, y, 0xdd));
		}
		return;
	}
#endif
	for (unsigned channel = 0; channel < 4; channel++) {
		if (!(channels >> channel & 1))
			continue;
		gather_dwords(out, host + 4 * channel, places, lanes);
		out += 4 * lanes;
	}
}

/* Loads a line: the same dwords for all, dwords side by side, or wider elements side by side. */
TEMPLATE bool load_line(
	uint8_t *out, const uint8_t *memory, unsigned step, unsigned lanes, unsigned channels)
{
	const unsigned count = 32 - (unsigned)__builtin_clz(channels);
	if (step == 4 || step == 0) {
		for (unsigned channel = 0; channel < count; channel++) {
			if (!(channels >> channel & 1))
				continue;
			if (step == 4)
				memcpy(out, memory + 4 * channel, 4 * lanes);
			else
				for (unsigned i = 0; i < lanes; i++)
					((dword_memory *)out)[i] =
						*(const dword_memory *)(memory + 4 * channel);
			out += 4 * lanes;
		}
		return true;
	}
	if (step != 4 * count || (channels & (channels + 1)) != 0)
		return false;
	const dword_memory *from = (const dword_memory *)memory;
	dword_memory *to = (dword_memory *)out;
	if (count == 2) {
		for (unsigned i = 0; i < lanes; i++) {
			uint32_t x = from[2 * i], y = from[2 * i + 1];
			to[i] = x;
			to[lanes + i] = y;
		}
		return true;
	}
	return false;
}

TEMPLATE bool load_dwords(const struct window *w, const uint8_t *addresses, uint64_t base,
	uint8_t *out, uint32_t enabled, enum eu_space space, unsigned lanes, unsigned channels)
{
	const unsigned count = 32 - (unsigned)__builtin_clz(channels), bytes = 4 * count;
	const uint32_t all = (UINT32_C(1) << lanes) - 1;
	const unsigned registers = (unsigned)__builtin_popcount(channels);
	uint8_t loaded[4 * MAX_LANES * 4];
	struct places places;
	if (enabled == all) {
		uint64_t step = step_of(addresses, space);
		if (step <= bytes && is_line(addresses, space, lanes, (unsigned)step)) {
			uint64_t into =
				lane_offset(base, lane_address(addresses, 0, space), space, 0) -
				w->first;
			uint64_t reach = step * (lanes - 1) + bytes;
			if (into >= w->span || reach > w->span - into)
				return false;
			if (load_line(out, w->host + into, (unsigned)step, lanes, channels))
				return true;
		}
		if (!find_places(&places, w, addresses, base, all, space, lanes, bytes))
			return false;
		gather(out, w->host, &places, lanes, channels);
		return true;
	}
	if (!find_places(&places, w, addresses, base, enabled, space, lanes, bytes))
		return false;
	gather(loaded, w->host, &places, lanes, channels);
	for (unsigned r = 0; r < registers; r++) {
		dword_memory *to = (dword_memory *)(out + 4 * r * lanes);
		const dword_memory *from = (const dword_memory *)(loaded + 4 * r * lanes);
		for (unsigned i = 0; i < lanes; i++) {
			uint32_t on = -(enabled >> i & 1);
			to[i] = (from[i] & on) | (to[i] & ~on);
		}
	}
	return true;
}

/* Stores a lane's dwords; the channels have no gaps. */
TEMPLATE void store_lane(
	uint8_t *memory, const uint8_t *data, unsigned lane, unsigned lanes, unsigned channels)
{
	const dword_memory *from = (const dword_memory *)data + lane;
	if (channels == 3) {
		uint64_t both = (uint64_t)from[lanes] << 32 | from[0];
		memcpy(memory, &both, 8);
		return;
	}
	for (unsigned channel = 0; channel < 4; channel++) {
		if (!(channels >> channel & 1))
			continue;
		memcpy(memory + 4 * channel, from, 4);
		from += lanes;
	}
}

TEMPLATE void scatter(uint8_t *host, const struct places *places, const uint8_t *data,
	unsigned lanes, unsigned channels)
{
#ifdef __SSE4_1__
	if (channels == 15) {
		for (unsigned i = 0; i < lanes; i += 4) {
			const uint32_t *at = places->at + i;
			const float *from = (const float *)(const void *)(data + 4 * i);
			__m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps(from + lanes);
			__m128 c = _mm_loadu_ps(from + 2 * lanes),
			       d = _mm_loadu_ps(from + 3 * lanes);
			_MM_TRANSPOSE4_PS(a, b, c, d);
			_mm_storeu_ps((float *)(void *)(host + at[0]), a);
			_mm_storeu_ps((float *)(void *)(host + at[1]), b);
			_mm_storeu_ps((float *)(void *)(host + at[2]), c);
			_mm_storeu_ps((float *)(void *)(host + at[3]), d);
		}
		return;
	}
#endif
	for (unsigned i = 0; i < lanes; i++)
		store_lane(host + places->at[i], data, i, lanes, channels);
}

TEMPLATE bool store_dwords(const struct window *w, const uint8_t *addresses, uint64_t base,
	const uint8_t *data, uint32_t enabled, enum eu_space space, unsigned lanes,
	unsigned channels)
{
	const unsigned count = 32 - (unsigned)__builtin_clz(channels), bytes = 4 * count;
	const uint32_t all = (UINT32_C(1) << lanes) - 1;
	struct places places;
	if (enabled == all && count <= 2 && channels != 2 &&
		is_line(addresses, space, lanes, bytes)) {
		uint64_t into =
			lane_offset(base, lane_address(addresses, 0, space), space, 0) - w->first;
		if (into >= w->span || (uint64_t)bytes * lanes > w->span - into)
			return false;
		if (count == 1) {
			memcpy(w->host + into, data, 4 * lanes);
			return true;
		}
		dword_memory *to = (dword_memory *)(w->host + into);
		const dword_memory *from = (const dword_memory *)data;
		for (unsigned i = 0; i < lanes; i++) {
			uint32_t x = from[i], y = from[lanes + i];
			to[2 * i] = x;
			to[2 * i + 1] = y;
		}
		return true;
	}
	if (!find_places(&places, w, addresses, base, enabled, space, lanes, bytes))
		return false;
	if (enabled == all) {
		scatter(w->host, &places, data, lanes, channels);
		return true;
	}
	for (uint32_t rest = enabled; rest != 0; rest &= rest - 1) {
		unsigned i = (unsigned)__builtin_ctz(rest);
		store_lane(w->host + places.at[i], data, i, lanes, channels);
	}
	return true;
}

/* -- Handlers ------------------------------------------------------------------------------- */

/* The channels that an untyped message moves, as its descriptor has them. */
TEMPLATE unsigned enabled_channels(const struct eu_send *send)
{
	return ~send->desc >> 8 & 15;
}

TEMPLATE enum eu_status load_form(struct eu_thread *thread, const struct eu_send *send,
	uint32_t enabled, enum eu_space space, unsigned lanes, unsigned channels)
{
	uint8_t copy[MAX_LANES * 8];
	struct window w;
	enabled &= (UINT32_C(1) << lanes) - 1;
	if (enabled == 0)
		return EU_RUN;
	if (window_open(&w, thread, send, space)) {
		const uint8_t *addresses = eu_payload(
			thread, send, header_bytes(send), lanes * address_bytes(space), copy);
		if (load_dwords(&w, addresses, space_base(thread, send, space),
			    thread->grf + send->dst, enabled, space, lanes, channels))
			return EU_RUN;
	}
	return eu_scatter_load(thread, send, enabled);
}

TEMPLATE enum eu_status store_form(struct eu_thread *thread, const struct eu_send *send,
	uint32_t enabled, enum eu_space space, unsigned lanes, unsigned channels)
{
	uint8_t copy[MAX_LANES * 8], data_copy[MAX_LANES * 16];
	const unsigned registers = (unsigned)__builtin_popcount(channels);
	const unsigned width = lanes * address_bytes(space);
	struct window w;
	enabled &= (UINT32_C(1) << lanes) - 1;
	if (enabled == 0)
		return EU_RUN;
	if (window_open(&w, thread, send, space)) {
		unsigned header = header_bytes(send);
		const uint8_t *addresses = eu_payload(thread, send, header, width, copy);
		const uint8_t *data =
			eu_payload(thread, send, header + width, lanes * 4 * registers, data_copy);
		if (store_dwords(&w, addresses, space_base(thread, send, space), data, enabled,
			    space, lanes, channels))
			return EU_RUN;
	}
	return eu_scatter_store(thread, send, enabled);
}

#define DWORDS(space, lanes, channels)                                                             \
	static enum eu_status load_##space##_##lanes##_##channels(                                 \
		struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)            \
	{                                                                                          \
		return load_form(thread, send, enabled, EU_SPACE_##space, lanes,                   \
			channels ? channels : enabled_channels(send));                             \
	}                                                                                          \
	static enum eu_status store_##space##_##lanes##_##channels(                                \
		struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)            \
	{                                                                                          \
		return store_form(thread, send, enabled, EU_SPACE_##space, lanes,                  \
			channels ? channels : enabled_channels(send));                             \
	}
#define OTHERS(space, lanes, size)                                                                 \
	static enum eu_status load_##space##_##lanes##_of_##size(                                  \
		struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)            \
	{                                                                                          \
		return load(thread, send, enabled, EU_SPACE_##space, lanes, size, 1, 0);           \
	}                                                                                          \
	static enum eu_status store_##space##_##lanes##_of_##size(                                 \
		struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)            \
	{                                                                                          \
		return store(thread, send, enabled, EU_SPACE_##space, lanes, size, 1, 0);          \
	}
#define DWORDS_ROW(space, lanes, channels)                                                         \
	{ EU_SPACE_##space, lanes, 4, channels, load_##space##_##lanes##_##channels,               \
		store_##space##_##lanes##_##channels },
#define OTHERS_ROW(space, lanes, size)                                                             \
	{ EU_SPACE_##space, lanes, size, 1, load_##space##_##lanes##_of_##size,                    \
		store_##space##_##lanes##_of_##size },

#define ALL_FORMS(dwords, others, space, lanes)                                                    \
	dwords(space, lanes, 0) dwords(space, lanes, 1) dwords(space, lanes, 3)                    \
		dwords(space, lanes, 7) dwords(space, lanes, 15) others(space, lanes, 1)           \
			others(space, lanes, 2) others(space, lanes, 8)
#define ALL_LANES(dwords, others, space)                                                           \
	ALL_FORMS(dwords, others, space, 8) ALL_FORMS(dwords, others, space, 16)
#define ALL_SPACES(dwords, others)                                                                 \
	ALL_LANES(dwords, others, SURFACE)                                                         \
	ALL_LANES(dwords, others, STATELESS)                                                       \
	ALL_LANES(dwords, others, SLM) ALL_LANES(dwords, others, A64)

ALL_SPACES(DWORDS, OTHERS)

const struct eu_scatter_form EU_SCATTER[] = { ALL_SPACES(DWORDS_ROW, OTHERS_ROW){ 0 } };
