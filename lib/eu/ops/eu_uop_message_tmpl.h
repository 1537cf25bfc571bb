// SPDX-License-Identifier: MIT
/*
 * The messages that most kernels are made of, as micro-operations: eight or sixteen lanes that load
 * or store bytes, words or dwords of a buffer surface or of local memory: side by side, all the
 * same, or anywhere. Whatever lies out of bounds is left to the message's handler.
 *
 * d: the result, a: addresses, b: data, imm: index into kernel->sends, c: bytes into
 * worker->surfaces, m: the lanes that are on.
 */
#ifdef __AVX2__

#include "eu/message/eu_message.h"
#include "eu/ops/eu_uop_vector.h"

struct eu_window {
	char *host;
	uint64_t reach; /* bytes that are there */
	uint32_t mask;	/* bits of an address that count */
};

/* The addresses of eight lanes or of sixteen, then their offsets in the window. */
struct eu_places {
	__m256i at[2];
	uint32_t first; /* of a lane that is on */
};

/*
 * Bytes ahead of a load of side by side dwords that are likely to be wanted soon, by threads of the
 * groups that come next. The processor does not look across pages by itself.
 */
enum { PREFETCH = 4096 };

#define MESSAGE_TEMPLATE static inline __attribute__((always_inline))
#define ADDRESSES	 ((const char *)t + U_A)
#define LANES_ON	 ((const char *)t + U_M)

MESSAGE_TEMPLATE struct eu_window message_window(
	const struct eu_thread *t, const struct eu_uop *u, bool local)
{
	const struct eu_surface *surface = (const void *)((const char *)t->worker->surfaces + U_C);
	(void)u;
	if (local)
		return (struct eu_window){ (char *)t->group->slm, t->group->slm_reach,
			GEN_SLM_BYTES - 1 };
	return (struct eu_window){ (char *)surface->host, surface->reach, UINT32_MAX };
}

MESSAGE_TEMPLATE __m256i load_8(const char *from)
{
	return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

MESSAGE_TEMPLATE void store_8(char *to, __m256i x)
{
	_mm256_storeu_si256((__m256i *)(void *)to, x);
}

MESSAGE_TEMPLATE struct eu_places load_places(const char *addresses, unsigned lanes)
{
	struct eu_places p;
	p.at[0] = load_8(addresses);
	p.at[1] = lanes > 8 ? load_8(addresses + 32) : p.at[0];
	p.first = (uint32_t)_mm_cvtsi128_si32(_mm256_castsi256_si128(p.at[0]));
	return p;
}

MESSAGE_TEMPLATE __m256i lanes_from(uint32_t first, int step, int lane)
{
	return _mm256_add_epi32(_mm256_set1_epi32((int)first),
		_mm256_setr_epi32(lane * step, (lane + 1) * step, (lane + 2) * step,
			(lane + 3) * step, (lane + 4) * step, (lane + 5) * step, (lane + 6) * step,
			(lane + 7) * step));
}

/* Whether lane i's address is that of lane 0 plus i * step. */
MESSAGE_TEMPLATE bool steps_by(const struct eu_places *p, int step, unsigned lanes)
{
	__m256i off = _mm256_xor_si256(p->at[0], lanes_from(p->first, step, 0));
	if (lanes > 8)
		off = _mm256_or_si256(
			off, _mm256_xor_si256(p->at[1], lanes_from(p->first, step, 8)));
	return _mm256_testz_si256(off, off);
}

/* Two dwords for each of eight lanes, side by side in memory, and in registers `apart` bytes. */
MESSAGE_TEMPLATE void split_pairs(char *to, unsigned apart, __m256i low, __m256i high)
{
	__m256 x = _mm256_castsi256_ps(low), y = _mm256_castsi256_ps(high);
	__m256d even = _mm256_castps_pd(_mm256_shuffle_ps(x, y, 0x88));
	__m256d odd = _mm256_castps_pd(_mm256_shuffle_ps(x, y, 0xdd));
	store_8(to, _mm256_castpd_si256(_mm256_permute4x64_pd(even, 0xd8)));
	store_8(to + apart, _mm256_castpd_si256(_mm256_permute4x64_pd(odd, 0xd8)));
}

MESSAGE_TEMPLATE void store_pairs(char *to, const char *from, unsigned apart)
{
	__m256i even = _mm256_permute4x64_epi64(load_8(from), 0xd8);
	__m256i odd = _mm256_permute4x64_epi64(load_8(from + apart), 0xd8);
	store_8(to, _mm256_unpacklo_epi32(even, odd));
	store_8(to + 32, _mm256_unpackhi_epi32(even, odd));
}

MESSAGE_TEMPLATE __m256 two_parts(const char *low, const char *high)
{
	return _mm256_insertf128_ps(
		_mm256_castps128_ps256(_mm_loadu_ps((const float *)(const void *)low)),
		_mm_loadu_ps((const float *)(const void *)high), 1);
}

/* The rows of two matrices of four by four, become columns. */
MESSAGE_TEMPLATE void transpose(__m256 r[4])
{
	__m256 a = _mm256_unpacklo_ps(r[0], r[1]), b = _mm256_unpacklo_ps(r[2], r[3]);
	__m256 c = _mm256_unpackhi_ps(r[0], r[1]), d = _mm256_unpackhi_ps(r[2], r[3]);
	r[0] = _mm256_shuffle_ps(a, b, 0x44);
	r[1] = _mm256_shuffle_ps(a, b, 0xee);
	r[2] = _mm256_shuffle_ps(c, d, 0x44);
	r[3] = _mm256_shuffle_ps(c, d, 0xee);
}

/* Four dwords for each of eight lanes. */
MESSAGE_TEMPLATE void load_quads(char *to, const char *from, unsigned apart)
{
	__m256 r[4];
	for (unsigned i = 0; i < 4; i++)
		r[i] = two_parts(from + 16 * i, from + 64 + 16 * i);
	transpose(r);
	for (unsigned i = 0; i < 4; i++)
		store_8(to + apart * i, _mm256_castps_si256(r[i]));
}

MESSAGE_TEMPLATE void store_quads(char *to, const char *from, unsigned apart)
{
	__m256 r[4];
	for (unsigned i = 0; i < 4; i++)
		r[i] = _mm256_castsi256_ps(load_8(from + apart * i));
	transpose(r);
	for (unsigned i = 0; i < 4; i++) {
		_mm_storeu_ps((float *)(void *)(to + 16 * i), _mm256_castps256_ps128(r[i]));
		_mm_storeu_ps((float *)(void *)(to + 64 + 16 * i), _mm256_extractf128_ps(r[i], 1));
	}
}

/*
 * Makes offsets of the addresses of lanes that have no order; false when there are not `bytes` at
 * each of them, or when some are beyond 2 GiB.
 */
MESSAGE_TEMPLATE bool find_offsets(
	const struct eu_window *w, struct eu_places *p, unsigned bytes, unsigned lanes)
{
	uint64_t reach = w->reach < INT32_MAX ? w->reach : INT32_MAX;
	__m256i mask = _mm256_set1_epi32((int)w->mask), most, off;
	if (reach < bytes)
		return false;
	most = _mm256_set1_epi32((int)(reach - bytes));
	off = p->at[0] = _mm256_and_si256(p->at[0], mask);
	if (lanes > 8) {
		p->at[1] = _mm256_and_si256(p->at[1], mask);
		off = _mm256_max_epu32(off, p->at[1]);
	}
	off = _mm256_xor_si256(_mm256_max_epu32(off, most), most);
	return _mm256_testz_si256(off, off);
}

MESSAGE_TEMPLATE __m256i gather_8(const char *host, __m256i at)
{
	return _mm256_i32gather_epi32((const int *)(const void *)host, at, 1);
}

/* Loads from anywhere, dword by dword. */
MESSAGE_TEMPLATE bool gather_all(
	char *to, const struct eu_window *w, struct eu_places *p, unsigned channels, unsigned lanes)
{
	const unsigned count = 32 - (unsigned)__builtin_clz(channels);
	if (!find_offsets(w, p, 4 * count, lanes))
		return false;
	for (unsigned half = 0; half < lanes / 8 && channels == 3; half++) {
		const long long *host = (const void *)w->host;
		split_pairs(to + 32 * half, 4 * lanes,
			_mm256_i32gather_epi64(host, _mm256_castsi256_si128(p->at[half]), 1),
			_mm256_i32gather_epi64(host, _mm256_extracti128_si256(p->at[half], 1), 1));
	}
	for (unsigned channel = 0; channel < count && channels != 3; channel++) {
		if (!(channels >> channel & 1))
			continue;
		for (unsigned half = 0; half < lanes / 8; half++)
			store_8(to + 32 * half, gather_8(w->host + 4 * channel, p->at[half]));
		to += 4 * lanes;
	}
	return true;
}

/* One lane's element of one or two bytes, or its dwords, which lie side by side. */
MESSAGE_TEMPLATE void store_lane(
	char *to, const char *from, unsigned lane, unsigned channels, unsigned lanes)
{
	uint32_t x, y;
	memcpy(&x, from + 4 * lane, 4);
	if (channels == EU_PLAIN_BYTES || channels == EU_PLAIN_WORDS) {
		memcpy(to, &x, channels == EU_PLAIN_BYTES ? 1 : 2);
	} else if (channels == 3) {
		memcpy(&y, from + 4 * lanes + 4 * lane, 4);
		uint64_t both = (uint64_t)y << 32 | x;
		memcpy(to, &both, 8);
	} else {
		for (unsigned i = 0; channels >> i; i++)
			memcpy(to + 4 * i, from + 4 * lanes * i + 4 * lane, 4);
	}
}

/* Bytes of memory that a lane reaches. */
MESSAGE_TEMPLATE unsigned lane_bytes(unsigned channels)
{
	return channels == EU_PLAIN_BYTES   ? 1
	       : channels == EU_PLAIN_WORDS ? 2
					    : 4 * (32 - (unsigned)__builtin_clz(channels));
}

/* In the order of the lanes: the last of those that go to the same place is the one that stays. */
MESSAGE_TEMPLATE bool scatter_some(const char *from, const char *addresses,
	const struct eu_window *w, struct eu_places *p, uint32_t on, unsigned channels,
	unsigned lanes)
{
	const uint32_t all = (1u << lanes) - 1;
	if (!find_offsets(w, p, lane_bytes(channels), lanes))
		return false;
	for (uint32_t rest = on; on != all && rest != 0; rest &= rest - 1) {
		unsigned i = (unsigned)__builtin_ctz(rest);
		uint32_t at;
		memcpy(&at, addresses + 4 * i, 4);
		store_lane(w->host + (at & w->mask), from, i, channels, lanes);
	}
	for (unsigned i = 0; i < lanes && on == all; i++) {
		uint32_t at;
		memcpy(&at, addresses + 4 * i, 4);
		store_lane(w->host + (at & w->mask), from, i, channels, lanes);
	}
	return true;
}

/* Eight words that begin byte after byte: 16 bytes are there. */
MESSAGE_TEMPLATE __m256i overlapping_words(const char *from)
{
	__m256i both =
		_mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)from));
	return _mm256_shuffle_epi8(
		both, _mm256_setr_epi32((int)0x80800100, (int)0x80800201, (int)0x80800302,
			      (int)0x80800403, (int)0x80800504, (int)0x80800605, (int)0x80800706,
			      (int)0x80800807));
}

/* Bytes or words side by side, words byte after byte, or anywhere with a dword there. */
MESSAGE_TEMPLATE bool load_narrow(
	char *to, const struct eu_window *w, struct eu_places *p, unsigned channels, unsigned lanes)
{
	const unsigned size = lane_bytes(channels);
	uint64_t at = p->first & w->mask;
	if (steps_by(p, (int)size, lanes)) {
		if (at + size * lanes > w->reach)
			return false;
		for (unsigned half = 0; half < lanes / 8; half++) {
			const char *from = w->host + at + 8 * size * half;
			store_8(to + 32 * half,
				(__m256i)(size == 1 ? widen_ub_8(from) : widen_uw_8(from)));
		}
		return true;
	}
	if (size == 2 && steps_by(p, 1, lanes) && at + lanes + 8 <= w->reach) {
		for (unsigned half = 0; half < lanes / 8; half++)
			store_8(to + 32 * half, overlapping_words(w->host + at + 8 * half));
		return true;
	}
	if (!find_offsets(w, p, 4, lanes))
		return false;
	__m256i low = _mm256_set1_epi32(size == 1 ? 0xff : 0xffff);
	for (unsigned half = 0; half < lanes / 8; half++)
		store_8(to + 32 * half, _mm256_and_si256(gather_8(w->host, p->at[half]), low));
	return true;
}

/* Loads the dwords `channels` of all lanes; false when it is not as simple as that. */
MESSAGE_TEMPLATE bool load_all(
	struct eu_thread *t, const struct eu_uop *u, bool local, unsigned channels, unsigned lanes)
{
	const unsigned bytes = lane_bytes(channels), count = bytes / 4, apart = 4 * lanes;
	char *to = (char *)t + U_D;
	struct eu_window w = message_window(t, u, local);
	struct eu_places p = load_places(ADDRESSES, lanes);
	uint64_t at = p.first & w.mask;
	EU_FENCE; /* the result may replace the addresses */
	if (bytes < 4)
		return load_narrow(to, &w, &p, channels, lanes);
	if (steps_by(&p, 4, lanes)) {
		if (at + apart + bytes - 4 > w.reach)
			return false;
		if (!local)
			_mm_prefetch(w.host + at + PREFETCH, _MM_HINT_T0);
		for (unsigned channel = 0; channel < count; channel++) {
			if (!(channels >> channel & 1))
				continue;
			__m256i x = load_8(w.host + at + 4 * channel);
			__m256i y = load_8(w.host + at + 4 * channel + apart - 32);
			store_8(to, x);
			store_8(to + apart - 32, y);
			to += apart;
		}
		return true;
	}
	if ((channels == 3 || channels == 15) && steps_by(&p, (int)bytes, lanes)) {
		if (at + bytes * lanes > w.reach)
			return false;
		for (unsigned line = 0; line < bytes * lanes / 64 && !local; line++)
			_mm_prefetch(w.host + at + PREFETCH + 64 * line, _MM_HINT_T0);
		for (unsigned half = 0; half < lanes / 8; half++) {
			const char *from = w.host + at + 8 * bytes * half;
			if (channels == 3)
				split_pairs(to + 32 * half, apart, load_8(from), load_8(from + 32));
			else
				load_quads(to + 32 * half, from, apart);
		}
		return true;
	}
	if (!steps_by(&p, 0, lanes))
		return gather_all(to, &w, &p, channels, lanes);
	if (at + bytes > w.reach)
		return false;
	for (unsigned channel = 0; channel < count; channel++) {
		int32_t x;
		if (!(channels >> channel & 1))
			continue;
		memcpy(&x, w.host + at + 4 * channel, 4);
		store_8(to, _mm256_set1_epi32(x));
		store_8(to + apart - 32, _mm256_set1_epi32(x));
		to += apart;
	}
	return true;
}

/* Eight dwords become bytes or words side by side. */
MESSAGE_TEMPLATE void store_narrow(char *to, __m256i x, unsigned size)
{
	v8ub bytes = narrow_ub_8((v8u)x);
	v8uw words = narrow_uw_8((v8u)x);
	memcpy(to, size == 1 ? (void *)&bytes : (void *)&words, 8 * size);
}

MESSAGE_TEMPLATE bool store_all(
	struct eu_thread *t, const struct eu_uop *u, bool local, unsigned channels, unsigned lanes)
{
	const unsigned bytes = lane_bytes(channels), apart = 4 * lanes;
	const char *from = (const char *)t + U_B;
	struct eu_window w = message_window(t, u, local);
	struct eu_places p = load_places(ADDRESSES, lanes);
	uint64_t at = p.first & w.mask;
	if (channels == 7 || !steps_by(&p, (int)bytes, lanes))
		return scatter_some(from, ADDRESSES, &w, &p, (1u << lanes) - 1, channels, lanes);
	if (at + bytes * lanes > w.reach)
		return false;
	for (unsigned half = 0; half < lanes / 8; half++) {
		char *to = w.host + at + 8 * bytes * half;
		if (bytes < 4)
			store_narrow(to, load_8(from + 32 * half), bytes);
		else if (channels == 1)
			store_8(to, load_8(from + 32 * half));
		else if (channels == 3)
			store_pairs(to, from + 32 * half, apart);
		else
			store_quads(to, from + 32 * half, apart);
	}
	return true;
}

/* The lanes that are on, as bits. */
MESSAGE_TEMPLATE uint32_t lanes_on(
	const struct eu_thread *t, const struct eu_uop *u, unsigned lanes)
{
	(void)u;
	uint32_t bits = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(load_8(LANES_ON)));
	if (lanes > 8)
		bits |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(load_8(LANES_ON + 32)))
			<< 8;
	return bits;
}

/* The places of the lanes that are on; the others are where the first of those is. */
MESSAGE_TEMPLATE struct eu_places load_some_places(
	const struct eu_thread *t, const struct eu_uop *u, uint32_t on, unsigned lanes)
{
	struct eu_places p = load_places(ADDRESSES, lanes);
	(void)u;
	memcpy(&p.first, ADDRESSES + 4 * __builtin_ctz(on), 4);
	for (unsigned half = 0; half < lanes / 8; half++)
		p.at[half] = _mm256_blendv_epi8(
			_mm256_set1_epi32((int)p.first), p.at[half], load_8(LANES_ON + 32 * half));
	return p;
}

/*
 * Finds where lane 0 would be if all lanes that are on lie side by side; false unless they do and
 * are in bounds.
 */
MESSAGE_TEMPLATE bool find_part(struct eu_thread *t, const struct eu_uop *u,
	const struct eu_window *w, uint32_t on, unsigned lanes, char **start)
{
	unsigned one = (unsigned)__builtin_ctz(on), last = 31 - (unsigned)__builtin_clz(on);
	uint32_t first;
	(void)u;
	memcpy(&first, ADDRESSES + 4 * one, 4);
	for (unsigned half = 0; half < lanes / 8; half++) {
		__m256i off = _mm256_xor_si256(load_8(ADDRESSES + 32 * half),
			lanes_from(first - 4 * one, 4, 8 * (int)half));
		if (!_mm256_testz_si256(off, load_8(LANES_ON + 32 * half)))
			return false;
	}
	uint64_t at = first & w->mask;
	if (at + 4 * (last - one + 1) > w->reach)
		return false;
	*start = w->host + at - 4 * one;
	return true;
}

/* Loads of the lanes that are on: the others keep what is in the registers. */
MESSAGE_TEMPLATE bool load_part(struct eu_thread *t, const struct eu_uop *u, bool local,
	unsigned channels, unsigned lanes, uint32_t on)
{
	const unsigned bytes = lane_bytes(channels);
	struct eu_window w = message_window(t, u, local);
	char *to = (char *)t + U_D, *start = NULL;
	bool line = channels == 1 && find_part(t, u, &w, on, lanes, &start);
	struct eu_places p = load_some_places(t, u, on, lanes);
	__m256i kept = _mm256_set1_epi32(bytes == 1 ? 0xff : bytes == 2 ? 0xffff : -1);
	if (!line && !find_offsets(&w, &p, bytes < 4 ? 4 : bytes, lanes))
		return false;
	EU_FENCE;
	for (unsigned channel = 0; channel < (bytes + 3) / 4; channel++) {
		if (bytes >= 4 && !(channels >> channel & 1))
			continue;
		for (unsigned half = 0; half < lanes / 8; half++) {
			__m256i mask = load_8(LANES_ON + 32 * half);
			__m256i x = line ? _mm256_maskload_epi32(
						   (const int *)(void *)(start + 32 * half), mask)
					 : _mm256_and_si256(kept,
						   gather_8(w.host + 4 * channel, p.at[half]));
			store_8(to + 32 * half,
				_mm256_blendv_epi8(load_8(to + 32 * half), x, mask));
		}
		to += 4 * lanes;
	}
	return true;
}

MESSAGE_TEMPLATE bool store_part(struct eu_thread *t, const struct eu_uop *u, bool local,
	unsigned channels, unsigned lanes, uint32_t on)
{
	struct eu_window w = message_window(t, u, local);
	const char *from = (const char *)t + U_B;
	char *start;
	if (channels != 1 || !find_part(t, u, &w, on, lanes, &start)) {
		struct eu_places p = load_some_places(t, u, on, lanes);
		return scatter_some(from, ADDRESSES, &w, &p, on, channels, lanes);
	}
	for (unsigned half = 0; half < lanes / 8; half++)
		_mm256_maskstore_epi32((int *)(void *)(start + 32 * half),
			load_8(LANES_ON + 32 * half), load_8(from + 32 * half));
	return true;
}

/* What has been tried did not do: the message's handler. */
#define MESSAGE_LEFT(lanes)                                                                        \
	do {                                                                                       \
		const struct eu_send *send = &t->kernel->sends[U_IMM];                             \
		EU_CALL_OUT;                                                                       \
		enum eu_status status = send->run(t, send, lanes);                                 \
		if (__builtin_expect(status != EU_RUN, 0))                                         \
			EU_STOP(eu_send_stops(t, send, status), U_SELF);                           \
		EU_NEXT;                                                                           \
	} while (0)
#define MESSAGE_HANDLERS(verb, space, tried, local, channels, lanes)                               \
	HANDLER(verb##_##space##_##channels##_F_##lanes)                                           \
	{                                                                                          \
		if (!tried || __builtin_expect(!verb##_all(t, u, local, channels, lanes), 0))      \
			MESSAGE_LEFT((1u << lanes) - 1);                                           \
		EU_NEXT;                                                                           \
	}                                                                                          \
	HANDLER(verb##_##space##_##channels##_M_##lanes)                                           \
	{                                                                                          \
		uint32_t on = lanes_on(t, u, lanes);                                               \
		if (on != 0 &&                                                                     \
			(!tried || __builtin_expect(                                               \
					   !verb##_part(t, u, local, channels, lanes, on), 0)))    \
			MESSAGE_LEFT(on);                                                          \
		EU_NEXT;                                                                           \
	}
/* All bits of eight dwords. */
MESSAGE_TEMPLATE uint64_t any_of_8(__m256i x)
{
	__m128i both = _mm_or_si128(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
	return (uint64_t)_mm_cvtsi128_si64(both) | (uint64_t)_mm_extract_epi64(both, 1);
}

/* The lines of the cache, where none is more than 15 from that of lane 0; else 0. */
MESSAGE_TEMPLATE unsigned count_lines(
	const struct eu_places *p, uint64_t base, unsigned bytes, unsigned lanes)
{
	const __m256i one = _mm256_set1_epi32(1);
	uint32_t start = (uint32_t)((base + p->first) & 63) + (16 << 6) - p->first;
	__m256i bits = _mm256_setzero_si256(), far = bits, sign = bits;
	for (unsigned half = 0; half < lanes / 8; half++) {
		__m256i first = _mm256_add_epi32(p->at[half], _mm256_set1_epi32((int)start));
		__m256i last = _mm256_add_epi32(first, _mm256_set1_epi32((int)bytes - 1));
		first = _mm256_srli_epi32(first, 6);
		last = _mm256_srli_epi32(last, 6);
		far = _mm256_or_si256(far, _mm256_or_si256(first, last));
		sign = _mm256_or_si256(sign, p->at[half]);
		bits = _mm256_or_si256(bits, _mm256_sllv_epi32(one, first));
		bits = _mm256_or_si256(bits, _mm256_sllv_epi32(one, last));
	}
	far = _mm256_or_si256(_mm256_srli_epi32(far, 5), _mm256_srli_epi32(sign, 31));
	if (!_mm256_testz_si256(far, far))
		return 0;
	uint64_t lines = any_of_8(bits);
	return (unsigned)__builtin_popcount((uint32_t)(lines | lines >> 32));
}

/*
 * Cycles beyond the least that the banks of local memory take for the dwords of a read, where all
 * lie within 64; else negative.
 */
MESSAGE_TEMPLATE int count_conflicts(const struct eu_places *p, unsigned bytes, unsigned lanes)
{
	const __m256i one = _mm256_set1_epi64x(1), mask = _mm256_set1_epi32(GEN_SLM_BYTES - 1);
	__m256i all = _mm256_or_si256(p->at[0], p->at[1]), bits = _mm256_setzero_si256();
	__m256i at[2] = { _mm256_and_si256(p->at[0], mask), _mm256_and_si256(p->at[1], mask) };
	__m256i least = _mm256_min_epu32(at[0], at[1]);
	if (bytes > 4 || !_mm256_testz_si256(all, _mm256_set1_epi32((int)bytes - 1)))
		return -1;
	least = _mm256_min_epu32(least, _mm256_permute4x64_epi64(least, 0x4e));
	least = _mm256_min_epu32(least, _mm256_shuffle_epi32(least, 0x4e));
	least = _mm256_min_epu32(least, _mm256_shuffle_epi32(least, 0xb1));
	least = _mm256_srli_epi32(least, 2);
	all = bits;
	for (unsigned half = 0; half < lanes / 8; half++) {
		__m256i word = _mm256_sub_epi32(_mm256_srli_epi32(at[half], 2), least);
		__m256i low = _mm256_cvtepu32_epi64(_mm256_castsi256_si128(word));
		__m256i high = _mm256_cvtepu32_epi64(_mm256_extracti128_si256(word, 1));
		all = _mm256_or_si256(all, word);
		bits = _mm256_or_si256(bits, _mm256_sllv_epi64(one, low));
		bits = _mm256_or_si256(bits, _mm256_sllv_epi64(one, high));
	}
	if (!_mm256_testz_si256(all, _mm256_set1_epi32(~63)))
		return -1;
	/* Sixteen banks have four dwords each, every 16 bits one of each bank. */
	uint64_t words = any_of_8(bits), both = words & words >> 32, any = words | words >> 32;
	uint64_t two = (both | both >> 16 | (any & any >> 16)) & 0xffff;
	uint64_t three = ((both & any >> 16) | (both >> 16 & any)) & 0xffff;
	uint64_t four = both & both >> 16 & 0xffff;
	return (two != 0) + (three != 0) + (four != 0) + 1 -
	       (__builtin_popcountll(words) + 15) / 16;
}

/*
 * Counts a message whose lanes lie at steps that leave out no line of the cache, or near each
 * other; false: none.
 */
MESSAGE_TEMPLATE bool tally_near(struct eu_thread *t, const struct eu_uop *u, unsigned lanes)
{
	const struct eu_surface *surface = (const void *)((const char *)t->worker->surfaces + U_C);
	uint64_t *tallies = (uint64_t *)(void *)((char *)t->tallies + U_TARGET);
	size_t space = EU_FLAG(U_B), bytes = U_SHIFT;
	struct eu_places p = load_places(ADDRESSES, lanes);
	uint32_t step = (uint32_t)_mm256_extract_epi32(p.at[0], 1) - p.first;
	__m256i steps = _mm256_mullo_epi32(lanes_from(0, 1, 0), _mm256_set1_epi32((int)step));
	__m256i place = _mm256_add_epi32(_mm256_set1_epi32((int)p.first), steps);
	__m256i off = _mm256_xor_si256(p.at[0], place);
	(void)u;
	place = _mm256_add_epi32(place, _mm256_set1_epi32(8 * (int)step));
	if (lanes > 8)
		off = _mm256_or_si256(off, _mm256_xor_si256(p.at[1], place));
	bool line = step <= 64 && _mm256_testz_si256(off, off);
	if (space == EU_TALLY_SURFACE) {
		if (!surface->state || surface->is_scratch || (int32_t)p.first < 0)
			return false;
		size_t span = step * (lanes - 1) + bytes;
		unsigned lines = line ? (((surface->base + p.first) & 63) + span + 63) / 64
				      : count_lines(&p, surface->base, bytes, lanes);
		if (lines == 0)
			return false;
		tallies[EU_TALLY_MORE] += lines;
	} else if (!line || (step != bytes && (step != 0 || space == EU_TALLY_LOCAL_WRITE))) {
		int more = space == EU_TALLY_LOCAL_WRITE ? -1 : count_conflicts(&p, bytes, lanes);
		if (more < 0)
			return false;
		tallies[EU_TALLY_MORE] += (unsigned)more;
	}
	tallies[EU_TALLY_NEAR]++;
	return true;
}

#define CALL_PROBE                                                                                 \
	do {                                                                                       \
		EU_CALL_OUT;                                                                       \
		t->kernel->probe->step(t->kernel->probe, t, U_IMM);                                \
	} while (0)
#define TALLY_NEAR(lanes)                                                                          \
	HANDLER(uop_tally_near_##lanes)                                                            \
	{                                                                                          \
		if (t->act.bits != t->full || !tally_near(t, u, lanes))                            \
			CALL_PROBE;                                                                \
		EU_NEXT;                                                                           \
	}
TALLY_NEAR(8)
TALLY_NEAR(16)

/* Whether it is tried here, and local. Messages at GPU addresses are for blocks (eu_compile.c). */
#define WAY_surface	 true, false
#define WAY_local	 true, true
#define WAY_far		 false, false
#define MESSAGE_WAY(...) MESSAGE_HANDLERS(__VA_ARGS__)
#define MESSAGE(verb, space, channels)                                                             \
	MESSAGE_WAY(verb, space, WAY_##space, channels, 16)                                        \
	MESSAGE_WAY(verb, space, WAY_##space, channels, 8)
#include "eu/ops/uop.def"

#else

HANDLER(uop_tally_near_8)
{
	t->kernel->probe->step(t->kernel->probe, t, U_IMM);
	EU_NEXT;
}
#define uop_tally_near_16 uop_tally_near_8

#endif
