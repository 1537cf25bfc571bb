// SPDX-License-Identifier: MIT
#include "eu/sampler/eu_sampler.h"

#include <math.h>
#include <string.h>

#include "eu/sampler/eu_image_cache.h"
#include "eu/memory/eu_memory.h"
#include "util/util_bits.h"
#include "util/util_clones.h"

#define EU_AXIS_LANES 4
#include "eu/sampler/eu_axis_tmpl.h"

enum { STATE_BYTES = 16 };

static const struct eu_sampler *fail(struct eu_thread *thread, const struct eu_send *send,
	uint64_t address, enum gen_fault_kind kind, const char *what)
{
	struct gen_fault *fault = thread->worker->fault;

	fault->address = address;
	gen_fault_add(fault, kind, "%s: its sampler %s (sampler %u, state at 0x%llx)",
		send->access.name, what, send->access.operation, (unsigned long long)address);
	return NULL;
}

static bool is_known_mode(uint8_t mode)
{
	return mode == GEN_ADDRESS_WRAP || mode == GEN_ADDRESS_MIRROR ||
	       mode == GEN_ADDRESS_CLAMP || mode == GEN_ADDRESS_BORDER ||
	       mode == GEN_ADDRESS_MIRROR_ONCE;
}

static const char *problem_of(const struct gen_sampler_state *state)
{
	for (unsigned i = 0; i < 3; i++)
		if (!is_known_mode(state->address[i]))
			return "has an address mode that is not implemented";
	if (state->min_filter > GEN_FILTER_LINEAR || state->mag_filter > GEN_FILTER_LINEAR)
		return "has a filter that is not implemented";
	if (state->mip_filter == 2)
		return "has a filter between levels that does not exist";
	if (state->chroma_key || state->reduction)
		return "keys or reduces, which is not implemented";
	return NULL;
}

static uint64_t address_of(const struct eu_thread *thread, const struct eu_send *send)
{
	const struct eu_dispatch *dispatch = thread->worker->dispatch;
	uint64_t base = dispatch->dynamic_state_base;
	uint32_t pointer = dispatch->sampler_state;

	if (send->access.has_header) {
		pointer = eu_payload_dword(thread->grf + send->src0, 3);
		if (pointer & 1)
			base = dispatch->bindless_sampler_base;
		pointer &= ~UINT32_C(31);
	}
	return (base + pointer + send->access.operation * STATE_BYTES) & EU_ADDRESS_MASK;
}

static bool has_border(const struct gen_sampler_state *state)
{
	for (unsigned i = 0; i < 3; i++)
		if (state->address[i] == GEN_ADDRESS_BORDER)
			return true;
	return false;
}

static const struct eu_sampler *resolve(struct eu_thread *thread, const struct eu_send *send,
	uint64_t address, struct eu_sampler *sampler)
{
	const struct eu_dispatch *dispatch = thread->worker->dispatch;
	uint32_t dwords[GEN_SAMPLER_STATE_DWORDS];
	const char *problem;

	if (!eu_memory_copy_from(dispatch->bus, address, dwords, sizeof(dwords), NULL))
		return fail(thread, send, address, GEN_FAULT_PAGE, "is described nowhere");
	*sampler = (struct eu_sampler){ .address = address };
	gen_sampler_state_parse(dwords, &sampler->state);
	problem = problem_of(&sampler->state);
	if (problem)
		return fail(thread, send, address, GEN_FAULT_BAD_STATE, problem);
	sampler->has_border = has_border(&sampler->state);
	if (sampler->has_border) {
		uint64_t border =
			(dispatch->dynamic_state_base + sampler->state.border) & EU_ADDRESS_MASK;

		if (!eu_memory_copy_from(
			    dispatch->bus, border, sampler->border, sizeof(sampler->border), NULL))
			return fail(thread, send, border, GEN_FAULT_PAGE,
				"has a border whose colour is nowhere");
	}
	sampler->walker = thread->worker->images->walker;
	return sampler;
}

const struct eu_sampler *eu_sampler_find(struct eu_thread *thread, const struct eu_send *send)
{
	uint64_t address = address_of(thread, send);
	struct eu_sampler *sampler;

	if (!eu_images_ready(thread->worker))
		return NULL;
	sampler = &thread->worker->images->samplers[address / STATE_BYTES % EU_SAMPLERS];
	if (sampler->walker == thread->worker->images->walker && sampler->address == address)
		return sampler;
	return resolve(thread, send, address, sampler);
}

/* ---- coordinates ---- */

/* `count` of four lanes, or all; others are zeros. */
INLINE vf load(const float *from, unsigned count)
{
	vf four = { 0 };

	memcpy(&four, from, count < 4 ? count * sizeof(*from) : sizeof(four));
	return four;
}

INLINE void store(void *to, vi four, unsigned count)
{
	memcpy(to, &four, count < 4 ? count * sizeof(four[0]) : sizeof(four));
}

INLINE void nearest(const enum gen_address_mode mode, const bool unnormalized, uint32_t size,
	unsigned count, const float *coordinate, int32_t *index)
{
	for (unsigned i = 0; i < count; i += EU_AXIS_LANES)
		store(index + i,
			nearest_index(mode, unnormalized, size, load(coordinate + i, count - i)),
			count - i);
}

INLINE void linear(const enum gen_address_mode mode, const bool unnormalized, uint32_t size,
	unsigned count, const float *coordinate, int32_t *low, int32_t *high, float *fraction)
{
	for (unsigned i = 0; i < count; i += EU_AXIS_LANES) {
		vi index[2];
		vf share = linear_indices(
			mode, unnormalized, size, load(coordinate + i, count - i), index);

		store(low + i, index[0], count - i);
		store(high + i, index[1], count - i);
		store(fraction + i, (vi)share, count - i);
	}
}

UTIL_CLONES void eu_sampler_nearest(enum gen_address_mode mode, bool unnormalized, uint32_t size,
	unsigned count, const float *coordinate, int32_t *index)
{
#define NEAREST(fixed)                                                                             \
	if (unnormalized)                                                                          \
		nearest(fixed, true, size, count, coordinate, index);                              \
	else                                                                                       \
		nearest(fixed, false, size, count, coordinate, index)
	EACH_MODE(mode, NEAREST)
#undef NEAREST
}

UTIL_CLONES void eu_sampler_linear(enum gen_address_mode mode, bool unnormalized, uint32_t size,
	unsigned count, const float *coordinate, int32_t *low, int32_t *high, float *fraction)
{
#define LINEAR(fixed)                                                                              \
	if (unnormalized)                                                                          \
		linear(fixed, true, size, count, coordinate, low, high, fraction);                 \
	else                                                                                       \
		linear(fixed, false, size, count, coordinate, low, high, fraction)
	EACH_MODE(mode, LINEAR)
#undef LINEAR
}

/* ---- with offsets ---- */

/* A coordinate in texels, of which modes that repeat need the rest only. */
static float texels_of(enum gen_address_mode mode, float size, float s)
{
	if (mode == GEN_ADDRESS_WRAP)
		s -= floorf(s);
	else if (mode == GEN_ADDRESS_MIRROR)
		s -= 2.0f * rintf(0.5f * s);
	return s * size;
}

static int32_t index_of(enum gen_address_mode mode, uint32_t size, int64_t index)
{
	if (mode == GEN_ADDRESS_WRAP)
		return (int32_t)repeat(index, size);
	if (mode == GEN_ADDRESS_MIRROR)
		return mirror((int32_t)index, size);
	if (mode == GEN_ADDRESS_MIRROR_ONCE && index < 0)
		index = -1 - index;
	if (mode != GEN_ADDRESS_BORDER)
		index = index < 0 ? 0 : index < size ? index : (int64_t)size - 1;
	return (int32_t)index;
}

void eu_sampler_shifted(enum gen_address_mode mode, bool unnormalized, uint32_t size,
	unsigned count, const float *coordinate, const int32_t *offset, bool is_linear,
	int32_t *low, int32_t *high, float *fraction)
{
	const float far = 0x1p30f;

	for (unsigned i = 0; i < count; i++) {
		float u =
			unnormalized ? coordinate[i] : texels_of(mode, (float)size, coordinate[i]);
		float at = u - (is_linear ? 0.5f : 0.0f), whole = floorf(at);

		whole = whole > -far ? (whole < far ? whole : far) : -far;
		low[i] = index_of(mode, size, (int64_t)whole + offset[i]);
		high[i] = index_of(mode, size, (int64_t)whole + offset[i] + 1);
		fraction[i] = at - whole >= 0.0f && at - whole <= 1.0f ? at - whole : 0.0f;
	}
}

void eu_sampler_layer(uint32_t layers, unsigned count, const float *coordinate, int32_t *index)
{
	for (unsigned i = 0; i < count; i++) {
		float last = (float)(layers - 1), layer = rintf(coordinate[i]);

		index[i] = layer > 0.0f ? (int32_t)(layer < last ? layer : last) : 0;
	}
}

/* ---- cubes ---- */

/* A face: which components of a vector, with which signs, are its columns, its rows, and through
 * it. */
static const struct face {
	uint8_t axis[3];
	int8_t sign[3];
} faces[6] = {
	{ { 2, 1, 0 }, { -1, -1, 1 } },
	{ { 2, 1, 0 }, { 1, -1, -1 } },
	{ { 0, 2, 1 }, { 1, 1, 1 } },
	{ { 0, 2, 1 }, { 1, -1, -1 } },
	{ { 0, 1, 2 }, { 1, -1, 1 } },
	{ { 0, 1, 2 }, { -1, -1, -1 } },
};

unsigned eu_sampler_face(const float *vector, uint32_t size, float *at)
{
	const float x = fabsf(vector[0]), y = fabsf(vector[1]), z = fabsf(vector[2]);
	const unsigned major = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
	const unsigned number = 2 * major + (vector[major] < 0.0f);
	const struct face *face = &faces[number];

	for (unsigned n = 0; n < 2; n++) {
		float place = (float)face->sign[n] * vector[face->axis[n]] / fabsf(vector[major]);

		place = (place + 1.0f) * 0.5f * (float)size;
		at[n] = place > 0.0f ? fminf(place, (float)size) : 0.0f;
	}
	return number;
}

void eu_sampler_face_step(unsigned number, const float *vector, const float *step, float *out)
{
	const struct face *face = &faces[number];
	const unsigned major = face->axis[2];
	const float depth = fabsf(vector[major]), deeper = (float)face->sign[2] * step[major];

	/* half of (vector / depth)', because a face reaches from -1 to 1 */
	for (unsigned n = 0; n < 2; n++) {
		const unsigned axis = face->axis[n];

		out[n] = 0.5f * (float)face->sign[n] *
			 (step[axis] - vector[axis] * deeper / depth) / depth;
	}
}

unsigned eu_sampler_neighbour(unsigned number, uint32_t size, int32_t at[2])
{
	const struct face *face = &faces[number];
	float vector[3], place[2];

	if ((uint32_t)at[0] < size && (uint32_t)at[1] < size)
		return number;
	for (unsigned n = 0; n < 2; n++)
		vector[face->axis[n]] =
			(float)face->sign[n] * (((float)at[n] + 0.5f) * 2.0f / (float)size - 1.0f);
	vector[face->axis[2]] = (float)face->sign[2];
	number = eu_sampler_face(vector, size, place);
	for (unsigned n = 0; n < 2; n++)
		at[n] = (int32_t)util_min_u32((uint32_t)place[n], size - 1);
	return number;
}
