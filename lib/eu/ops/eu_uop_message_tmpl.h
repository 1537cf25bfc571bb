// SPDX-License-Identifier: MIT
/*
 * The messages that most kernels are made of, as micro-operations: sixteen lanes that load or store
 * dwords of a buffer surface or of local memory, side by side or all the same. Whatever is not of
 * that kind when it is executed, and what lies out of bounds, is left to the message's handler.
 *
 * d: the result, a: addresses, b: data, imm: index into kernel->sends, c: bytes into
 * worker->surfaces, target: the lanes (all sixteen), shift: channel of the first.
 */
#ifdef __AVX2__

#include "eu/message/eu_message.h"

struct eu_window {
	char *host;
	uint64_t reach; /* bytes that are there */
	uint32_t mask;	/* bits of an address that count */
};

/*
 * Bytes ahead of a load of side by side dwords that are likely to be wanted soon, by threads of the
 * groups that come next. The processor does not look across pages by itself.
 */
enum { PREFETCH = 4096 };

#define MESSAGE_TEMPLATE static inline __attribute__((always_inline))

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

MESSAGE_TEMPLATE __m256i lanes_from(uint32_t first, int step, int lane)
{
	return _mm256_add_epi32(_mm256_set1_epi32((int)first),
		_mm256_setr_epi32(lane * step, (lane + 1) * step, (lane + 2) * step,
			(lane + 3) * step, (lane + 4) * step, (lane + 5) * step, (lane + 6) * step,
			(lane + 7) * step));
}

/* Whether lane i's address is that of lane 0 plus i * step. */
MESSAGE_TEMPLATE bool steps_by(__m256i low, __m256i high, uint32_t first, int step)
{
	__m256i off = _mm256_or_si256(_mm256_xor_si256(low, lanes_from(first, step, 0)),
		_mm256_xor_si256(high, lanes_from(first, step, 8)));
	return _mm256_testz_si256(off, off);
}

/* Two dwords for each of eight lanes, side by side in memory, and in registers apart. */
MESSAGE_TEMPLATE void split_pairs(char *to, __m256i low, __m256i high)
{
	__m256 x = _mm256_castsi256_ps(low), y = _mm256_castsi256_ps(high);
	__m256d even = _mm256_castps_pd(_mm256_shuffle_ps(x, y, 0x88));
	__m256d odd = _mm256_castps_pd(_mm256_shuffle_ps(x, y, 0xdd));
	store_8(to, _mm256_castpd_si256(_mm256_permute4x64_pd(even, 0xd8)));
	store_8(to + 64, _mm256_castpd_si256(_mm256_permute4x64_pd(odd, 0xd8)));
}

MESSAGE_TEMPLATE void load_pairs(char *to, const char *from)
{
	split_pairs(to, load_8(from), load_8(from + 32));
}

MESSAGE_TEMPLATE void store_pairs(char *to, const char *from)
{
	__m256i even = _mm256_permute4x64_epi64(load_8(from), 0xd8);
	__m256i odd = _mm256_permute4x64_epi64(load_8(from + 64), 0xd8);
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
MESSAGE_TEMPLATE void load_quads(char *to, const char *from)
{
	__m256 r[4];
	for (unsigned i = 0; i < 4; i++)
		r[i] = two_parts(from + 16 * i, from + 64 + 16 * i);
	transpose(r);
	for (unsigned i = 0; i < 4; i++)
		store_8(to + 64 * i, _mm256_castps_si256(r[i]));
}

MESSAGE_TEMPLATE void store_quads(char *to, const char *from)
{
	__m256 r[4];
	for (unsigned i = 0; i < 4; i++)
		r[i] = _mm256_castsi256_ps(load_8(from + 64 * i));
	transpose(r);
	for (unsigned i = 0; i < 4; i++) {
		_mm_storeu_ps((float *)(void *)(to + 16 * i), _mm256_castps256_ps128(r[i]));
		_mm_storeu_ps((float *)(void *)(to + 64 + 16 * i), _mm256_extractf128_ps(r[i], 1));
	}
}

/* One dword or two from eight places. */
MESSAGE_TEMPLATE void gather_8(char *to, const char *host, __m256i at, unsigned channels)
{
	if (channels == 1)
		store_8(to, _mm256_i32gather_epi32((const int *)(const void *)host, at, 1));
	else
		split_pairs(to,
			_mm256_i32gather_epi64((const void *)host, _mm256_castsi256_si128(at), 1),
			_mm256_i32gather_epi64(
				(const void *)host, _mm256_extracti128_si256(at, 1), 1));
}

/*
 * Makes offsets of the addresses of lanes that have no order; false when there are not `bytes` at
 * each of them, or when some are beyond 2 GiB.
 */
MESSAGE_TEMPLATE bool find_offsets(
	const struct eu_window *w, __m256i *low, __m256i *high, unsigned bytes)
{
	uint64_t reach = w->reach < INT32_MAX ? w->reach : INT32_MAX;
	__m256i mask = _mm256_set1_epi32((int)w->mask), most, off;
	if (reach < bytes)
		return false;
	most = _mm256_set1_epi32((int)(reach - bytes));
	*low = _mm256_and_si256(*low, mask);
	*high = _mm256_and_si256(*high, mask);
	off = _mm256_xor_si256(_mm256_max_epu32(_mm256_max_epu32(*low, *high), most), most);
	return _mm256_testz_si256(off, off);
}

MESSAGE_TEMPLATE bool gather_all(
	char *to, const struct eu_window *w, __m256i low, __m256i high, unsigned channels)
{
	if (!find_offsets(w, &low, &high, channels == 1 ? 4 : 8))
		return false;
	gather_8(to, w->host, low, channels);
	gather_8(to + 32, w->host, high, channels);
	return true;
}

/* In the order of the lanes: the last of those that go to the same place is the one that stays. */
MESSAGE_TEMPLATE bool scatter_all(const char *from, const char *addresses,
	const struct eu_window *w, __m256i low, __m256i high, unsigned channels)
{
	if (!find_offsets(w, &low, &high, channels == 1 ? 4 : 8))
		return false;
	for (unsigned i = 0; i < 16; i++) {
		uint32_t at, x, y;
		memcpy(&at, addresses + 4 * i, 4);
		memcpy(&x, from + 4 * i, 4);
		at &= w->mask;
		if (channels == 3) {
			memcpy(&y, from + 64 + 4 * i, 4);
			uint64_t both = (uint64_t)y << 32 | x;
			memcpy(w->host + at, &both, 8);
		} else {
			memcpy(w->host + at, &x, 4);
		}
	}
	return true;
}

/* Loads the dwords `channels` of all lanes; false when it is not as simple as that. */
MESSAGE_TEMPLATE bool load_all(
	struct eu_thread *t, const struct eu_uop *u, bool local, unsigned channels)
{
	const unsigned count = 32 - (unsigned)__builtin_clz(channels);
	const char *addresses = (const char *)t + U_A;
	char *to = (char *)t + U_D;
	struct eu_window w = message_window(t, u, local);
	__m256i low = load_8(addresses), high = load_8(addresses + 32);
	uint32_t first = (uint32_t)_mm_cvtsi128_si32(_mm256_castsi256_si128(low));
	uint64_t at = first & w.mask;
	EU_FENCE; /* the result may replace the addresses */
	if (steps_by(low, high, first, 4)) {
		if (at + 64 + 4 * (count - 1) > w.reach)
			return false;
		if (!local)
			_mm_prefetch(w.host + at + PREFETCH, _MM_HINT_T0);
		for (unsigned channel = 0; channel < count; channel++) {
			if (!(channels >> channel & 1))
				continue;
			__m256i x = load_8(w.host + at + 4 * channel);
			__m256i y = load_8(w.host + at + 4 * channel + 32);
			store_8(to, x);
			store_8(to + 32, y);
			to += 64;
		}
		return true;
	}
	if ((channels == 3 || channels == 15) && steps_by(low, high, first, 4 * (int)count)) {
		if (at + 64 * count > w.reach)
			return false;
		for (unsigned line = 0; line < count && !local; line++)
			_mm_prefetch(w.host + at + PREFETCH + 64 * line, _MM_HINT_T0);
		for (unsigned half = 0; half < 2; half++)
			if (channels == 3)
				load_pairs(to + 32 * half, w.host + at + 64 * half);
			else
				load_quads(to + 32 * half, w.host + at + 128 * half);
		return true;
	}
	if (!steps_by(low, high, first, 0))
		return (channels == 1 || channels == 3) && gather_all(to, &w, low, high, channels);
	if (at + 4 * count > w.reach)
		return false;
	for (unsigned channel = 0; channel < count; channel++) {
		int32_t x;
		if (!(channels >> channel & 1))
			continue;
		memcpy(&x, w.host + at + 4 * channel, 4);
		store_8(to, _mm256_set1_epi32(x));
		store_8(to + 32, _mm256_set1_epi32(x));
		to += 64;
	}
	return true;
}

MESSAGE_TEMPLATE bool store_all(
	struct eu_thread *t, const struct eu_uop *u, bool local, unsigned channels)
{
	const unsigned count = 32 - (unsigned)__builtin_clz(channels);
	const char *addresses = (const char *)t + U_A, *from = (const char *)t + U_B;
	struct eu_window w = message_window(t, u, local);
	__m256i low = load_8(addresses), high = load_8(addresses + 32);
	uint32_t first = (uint32_t)_mm_cvtsi128_si32(_mm256_castsi256_si128(low));
	uint64_t at = first & w.mask;
	if (!steps_by(low, high, first, 4 * (int)count))
		return (channels == 1 || channels == 3) &&
		       scatter_all(from, addresses, &w, low, high, channels);
	if (at + 64 * count > w.reach)
		return false;
	for (unsigned half = 0; half < 2; half++)
		if (channels == 1)
			store_8(w.host + at + 32 * half, load_8(from + 32 * half));
		else if (channels == 3)
			store_pairs(w.host + at + 64 * half, from + 32 * half);
		else
			store_quads(w.host + at + 128 * half, from + 32 * half);
	return true;
}

/*
 * Finds where lane 0 would be if all lanes that are on lie side by side; false unless they do and
 * are in bounds.
 */
MESSAGE_TEMPLATE bool find_part(struct eu_thread *t, const struct eu_uop *u,
	const struct eu_window *w, uint32_t on, char **start)
{
	const char *addresses = (const char *)t + U_A;
	unsigned one = (unsigned)__builtin_ctz(on), last = 31 - (unsigned)__builtin_clz(on);
	const char *lanes = (const char *)t->act.lanes + 4 * U_SHIFT;
	uint32_t first;
	memcpy(&first, addresses + 4 * one, 4);
	__m256i low = _mm256_xor_si256(load_8(addresses), lanes_from(first - 4 * one, 4, 0));
	__m256i high = _mm256_xor_si256(load_8(addresses + 32), lanes_from(first - 4 * one, 4, 8));
	uint64_t at = first & w->mask;
	if (!_mm256_testz_si256(low, load_8(lanes)) ||
		!_mm256_testz_si256(high, load_8(lanes + 32)) ||
		at + 4 * (last - one + 1) > w->reach)
		return false;
	*start = w->host + at - 4 * one;
	return true;
}

/* One dword for each lane that is on; false when they do not lie side by side. */
MESSAGE_TEMPLATE bool load_part(
	struct eu_thread *t, const struct eu_uop *u, bool local, uint32_t on)
{
	struct eu_window w = message_window(t, u, local);
	char *to = (char *)t + U_D, *start;
	if (!find_part(t, u, &w, on, &start))
		return false;
	EU_FENCE;
	for (unsigned half = 0; half < 2; half++) {
#ifdef EU_AVX512
		__m256i x = _mm256_mask_loadu_epi32(
			load_8(to + 32 * half), (__mmask8)(on >> 8 * half), start + 32 * half);
#else
		__m256i lanes = load_8((const char *)t->act.lanes + 4 * U_SHIFT + 32 * half);
		__m256i x = _mm256_blendv_epi8(load_8(to + 32 * half),
			_mm256_maskload_epi32((const int *)(void *)(start + 32 * half), lanes),
			lanes);
#endif
		store_8(to + 32 * half, x);
	}
	return true;
}

MESSAGE_TEMPLATE bool store_part(
	struct eu_thread *t, const struct eu_uop *u, bool local, uint32_t on)
{
	struct eu_window w = message_window(t, u, local);
	const char *from = (const char *)t + U_B;
	char *start;
	if (!find_part(t, u, &w, on, &start))
		return false;
	for (unsigned half = 0; half < 2; half++) {
		__m256i x = load_8(from + 32 * half);
#ifdef EU_AVX512
		_mm256_mask_storeu_epi32(start + 32 * half, (__mmask8)(on >> 8 * half), x);
#else
		_mm256_maskstore_epi32((int *)(void *)(start + 32 * half),
			load_8((const char *)t->act.lanes + 4 * U_SHIFT + 32 * half), x);
#endif
	}
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
#define MESSAGE_F(verb, space, local, channels)                                                    \
	HANDLER(verb##_##space##_##channels##_F)                                                   \
	{                                                                                          \
		if (__builtin_expect(!verb##_all(t, u, local, channels), 0))                       \
			MESSAGE_LEFT(U_TARGET);                                                    \
		EU_NEXT;                                                                           \
	}
#define MESSAGE_M(verb, space, local)                                                              \
	HANDLER(verb##_##space##_1_M)                                                              \
	{                                                                                          \
		uint32_t on = t->act.bits >> U_SHIFT & U_TARGET;                                   \
		if (on != 0 && __builtin_expect(!verb##_part(t, u, local, on), 0))                 \
			MESSAGE_LEFT(on);                                                          \
		EU_NEXT;                                                                           \
	}
/* Loads and stores of one dword have handlers for some lanes, the others their message's. */
#define IS_LOCAL_surface	       false
#define IS_LOCAL_local		       true
#define MESSAGE(verb, space, channels) MESSAGE_F(verb, space, IS_LOCAL_##space, channels)
#include "eu/ops/uop.def"
MESSAGE_M(load, surface, false)
MESSAGE_M(store, surface, false)
MESSAGE_M(load, local, true)
MESSAGE_M(store, local, true)

#endif
