// SPDX-License-Identifier: MIT
/* Sampler messages: their parameters, levels of detail, questions, and what comes back. */
#include <math.h>
#include <string.h>

#include "eu/memory/eu_memory.h"
#include "eu/sampler/eu_filter.h"
#include "eu/state/eu_float_mode.h"
#include "util/util_bits.h"

enum {
	HEADER_OFFSETS = 0xfff,
	HEADER_NULL_MASK = 1 << 23,
	PAYLOAD_OFFSET_BITS = 6,
	HEADER_OFFSET_BITS = 4,
};

/* ---- parameters ---- */

/* By the letters of eu_message.def. */
static const uint8_t parameters[128] = {
	['u'] = EU_COORDINATES,
	['v'] = EU_COORDINATES + 1,
	['r'] = EU_COORDINATES + 2,
	['a'] = EU_COORDINATES + 3,
	['i'] = EU_GRADIENTS,
	['I'] = EU_GRADIENTS + 1,
	['j'] = EU_GRADIENTS + 2,
	['J'] = EU_GRADIENTS + 3,
	['k'] = EU_GRADIENTS + 4,
	['K'] = EU_GRADIENTS + 5,
	['x'] = EU_OFFSETS,
	['y'] = EU_OFFSETS + 1,
	['c'] = EU_REFERENCE,
	['l'] = EU_LOD,
	['b'] = EU_BIAS,
	['m'] = EU_MIN_LOD,
};

/* The parameters of the lanes; those that the payload ends before are 0. */
static void read_parameters(struct eu_request *request)
{
	const struct eu_send *send = request->send;
	const unsigned bytes = request->count * 4;
	const unsigned end = (send->mlen + (unsigned)send->xlen) * GEN_GRF_BYTES;
	unsigned first = send->access.at;

	request->given = 0;
	for (const char *letter = send->access.parameters; *letter; letter++, first += bytes) {
		const unsigned number = parameters[(unsigned)*letter];
		uint32_t *values = request->parameter[number];
		uint8_t copy[EU_SAMPLE_LANES * 4];

		request->given |= 1u << number;
		if (first + bytes > end) {
			memset(values, 0, bytes);
			continue;
		}
		eu_request_copy(
			request, values, eu_payload(request->thread, send, first, bytes, copy));
		for (unsigned i = 0; !eu_request_is_full(request) && i < request->count; i++)
			values[i] &= 0 - (request->enabled >> i & 1);
	}
}

/* A number of so many bits, with its sign. */
static uint32_t extend(uint32_t value, unsigned bits)
{
	return (uint32_t)((int32_t)(value << (32 - bits)) >> (32 - bits));
}

/* Offsets of texels: each lane's own, or those of the header, of u above those of v and r. */
static void read_offsets(struct eu_request *request)
{
	const bool own = eu_request_has(request, EU_OFFSETS);
	const uint32_t header = eu_request_header(request, 2) & HEADER_OFFSETS;

	request->shifted = own || header != 0;
	for (unsigned n = 0; request->shifted && n < 3; n++)
		for (unsigned i = 0; i < request->count; i++) {
			uint32_t *offset = &request->parameter[EU_OFFSETS + n][i];

			if (!own)
				*offset = extend(header >> (8 - 4 * n), HEADER_OFFSET_BITS);
			else
				*offset = n < 2 ? extend(*offset, PAYLOAD_OFFSET_BITS) : 0;
		}
}

/* ---- what comes back ---- */

/* A half of each value: floats are rounded, integers lose their upper halves. */
static void halve(const struct eu_request *request, uint32_t *values)
{
	static const struct gen_format half = {
		.name = "half", .bytes = 2, .kind = GEN_FORMAT_FLOAT, .channel = { { 0, 16 } }
	};
	const uint32_t *const from[4] = { values, values, values, values };
	uint16_t halfs[EU_SAMPLE_LANES];

	if (gen_format_is_int(request->image->format))
		return;
	gen_format_encode(&half, from, request->count, halfs);
	for (unsigned i = 0; i < request->count; i++)
		values[i] = halfs[i];
}

static void respond(const struct eu_request *request)
{
	const struct eu_send *send = request->send;
	const struct eu_request_kind *kind = request->kind;
	const uint8_t *select = request->image->surface.select;
	const unsigned slot = send->access.slot;
	const bool narrow = slot == 2;
	const unsigned step = narrow ? GEN_GRF_BYTES : request->count * 4;
	uint8_t *out = request->thread->grf + send->dst;
	const uint8_t *end = out + send->rlen * GEN_GRF_BYTES;
	uint32_t values[EU_SAMPLE_LANES] = { 0 };

	for (unsigned c = 0; c < 4 && out + step <= end; c++) {
		if (eu_request_lacks(request, c))
			continue;
		eu_request_select(request, kind->selects ? select[c] : 4 + c, request->value[0],
			EU_SAMPLE_LANES, values);
		bool copied = !narrow && eu_request_is_full(request);
		if (narrow)
			halve(request, values);
		else if (copied)
			eu_request_copy(request, out, values);
		for (uint32_t rest = copied ? 0 : request->enabled; rest != 0; rest &= rest - 1) {
			unsigned i = (unsigned)__builtin_ctz(rest);
			memcpy(out + i * slot, &values[i], slot);
		}
		out += step;
	}
}

/* ---- levels of detail ---- */

/* Coordinates that a step leads along: those of a cube are a vector. */
static unsigned dimensions_of(const struct eu_image *image)
{
	return image->surface.type == GEN_SURFACE_CUBE ? 3 : eu_filter_axes(image);
}

/* Steps of each lane, from those between the coordinates of the four lanes of two rows. */
static void find_gradients(struct eu_request *request)
{
	for (unsigned n = 0; n < dimensions_of(request->image); n++) {
		const float *at = (const float *)request->parameter[EU_COORDINATES + n];
		float *x = (float *)request->parameter[EU_GRADIENTS + 2 * n];
		float *y = (float *)request->parameter[EU_GRADIENTS + 2 * n + 1];

		for (unsigned i = 0; i < request->count; i++) {
			x[i] = at[i | 1] - at[i & ~1u];
			y[i] = at[i | 2] - at[i & ~2u];
		}
	}
}

/* The steps of a lane along x or y, per size of the image; of a cube, on the face. */
static void steps_of(
	const struct eu_request *request, unsigned direction, unsigned lane, float step[3])
{
	float vector[3], along[3], place[2];

	for (unsigned n = 0; n < dimensions_of(request->image); n++) {
		memcpy(&vector[n], &request->parameter[EU_COORDINATES + n][lane], 4);
		memcpy(&step[n], &request->parameter[EU_GRADIENTS + 2 * n + direction][lane], 4);
	}
	if (request->image->surface.type != GEN_SURFACE_CUBE)
		return;
	memcpy(along, step, sizeof(along));
	eu_sampler_face_step(eu_sampler_face(vector, 1, place), vector, along, step);
}

/* How long the step is that one pixel makes, in texels of level 0. */
static float gradient_level(const struct eu_request *request, unsigned lane)
{
	const struct eu_image *image = request->image;
	const struct eu_level *level = &image->level[image->first_level];
	const double sizes[3] = { level->width, level->height, level->depth };
	double longest = 0.0;

	for (unsigned d = 0; d < 2; d++) {
		float steps[3];
		double sum = 0.0;

		steps_of(request, d, lane, steps);
		for (unsigned n = 0; n < eu_filter_axes(image); n++) {
			double step = (double)steps[n];

			if (!request->sampler->state.unnormalized)
				step *= sizes[n];
			sum += step * step;
		}
		longest = sum > longest ? sum : longest;
	}
	return longest > 0.0 ? (float)(0.5 * log2(longest)) : 0.0f;
}

/* A level that is given, 0, or the gradients', which may have a bias. */
static void find_levels(struct eu_request *request, float *lod)
{
	const float *bias = (const float *)request->parameter[EU_BIAS];

	memset(lod, 0, EU_SAMPLE_LANES * sizeof(*lod));
	if (eu_request_has(request, EU_LOD))
		eu_request_copy(request, lod, request->parameter[EU_LOD]);
	if (request->kind->has_quads)
		find_gradients(request);
	else if (!eu_request_has(request, EU_GRADIENTS))
		return;
	for (unsigned i = 0; i < request->count; i++)
		lod[i] = gradient_level(request, i);
	for (unsigned i = 0; eu_request_has(request, EU_BIAS) && i < request->count; i++)
		lod[i] += bias[i];
}

static bool run_sample(struct eu_request *request)
{
	float lod[EU_SAMPLE_LANES];

	find_levels(request, lod);
	return eu_filter_sample(request, lod);
}

/* ---- queries ---- */

/* The level of detail that a sample would use, whole where that takes the nearest, and the one
 * before limits. */
static bool run_lod(struct eu_request *request)
{
	const struct gen_sampler_state *state = &request->sampler->state;
	float lod[EU_SAMPLE_LANES];

	memset(request->value, 0, sizeof(request->value));
	if (request->image->level_count == 0)
		return true;
	find_levels(request, lod);
	memcpy(request->value[1], lod, sizeof(lod));
	eu_filter_limit(request, lod);
	for (unsigned i = 0; i < request->count; i++)
		if (state->mip_filter != GEN_MIP_LINEAR)
			lod[i] = state->mip_filter == GEN_MIP_NONE ? 0.0f : floorf(lod[i] + 0.5f);
	memcpy(request->value[0], lod, sizeof(lod));
	return true;
}

/* Width, height, depth or layers, and levels; zeros for a level that is not there. */
static bool run_resinfo(struct eu_request *request)
{
	const struct eu_image *image = request->image;

	for (unsigned i = 0; i < request->count; i++) {
		uint32_t number = request->parameter[EU_LOD][i];
		struct eu_level size = { 0, 0, 0, 0, 0 };

		if (number < image->level_count)
			size = image->level[image->first_level + number];
		request->value[0][i] = size.width;
		request->value[1][i] =
			image->surface.type == GEN_SURFACE_1D ? size.depth : size.height;
		request->value[2][i] = image->surface.type == GEN_SURFACE_1D	 ? 0
				       : image->surface.type == GEN_SURFACE_CUBE ? size.depth / 6
										 : size.depth;
		request->value[3][i] = image->level_count;
	}
	return true;
}

/* ---- messages ---- */

static enum eu_status refuse(struct eu_request *request, const char *what)
{
	gen_fault_add(request->thread->worker->fault, GEN_FAULT_BAD_MESSAGE,
		"%s (descriptor 0x%08x): %s", request->send->access.name, request->send->desc,
		what);
	return EU_FAULT;
}

/* What a message asks for that there is not; or NULL. */
static const char *problem_of(const struct eu_request *request)
{
	const struct eu_image *image = request->image;
	const bool cube = image->surface.type == GEN_SURFACE_CUBE;
	const unsigned last = EU_GRADIENTS + 2 * (dimensions_of(image) - 1);

	if (eu_request_header(request, 2) & HEADER_NULL_MASK)
		return "masks of texels that are nowhere are not implemented";
	if (cube && request->kind->run == eu_filter_texels)
		return "a cube has no texels by their numbers";
	if (cube && request->shifted)
		return "a cube has no offsets of texels";
	if (request->kind->gathers && eu_filter_axes(image) != 2)
		return "texels are gathered of two dimensions only";
	if (eu_request_has(request, EU_GRADIENTS) && !eu_request_has(request, last))
		return "it has no steps along all that the image has";
	return NULL;
}

static __attribute__((noinline)) enum eu_status run(struct eu_request *request)
{
	const char *problem;

	request->image = eu_image_find(request->thread, request->send);
	if (!request->image)
		return EU_FAULT;
	if (request->kind->has_sampler) {
		request->sampler = eu_sampler_find(request->thread, request->send);
		if (!request->sampler)
			return EU_FAULT;
	}
	if (eu_image_is_quick(request->thread, request->image) && eu_quick_sample(request))
		return EU_RUN;
	read_parameters(request);
	read_offsets(request);
	request->channel = util_bits(eu_request_header(request, 2), 17, 16);
	problem = problem_of(request);
	if (problem)
		return refuse(request, problem);
	if (!request->kind->run(request))
		return EU_FAULT;
	respond(request);
	return EU_RUN;
}

static const struct eu_request_kind
	texels = { .run = eu_filter_texels, .selects = true },
	sample = { .run = run_sample, .has_sampler = true, .selects = true },
	quads = { .run = run_sample, .has_sampler = true, .selects = true, .has_quads = true },
	gather = { .run = eu_filter_gather, .has_sampler = true, .gathers = true },
	lod = { .run = run_lod, .has_sampler = true, .has_quads = true },
	sizes = { .run = run_resinfo };

/* By type. */
static const struct eu_request_kind *const kinds[] = {
	[0x00] = &quads,  /* sample */
	[0x01] = &quads,  /* sample_b */
	[0x02] = &sample, /* sample_l */
	[0x03] = &quads,  /* sample_c */
	[0x04] = &sample, /* sample_d */
	[0x05] = &quads,  /* sample_b_c */
	[0x06] = &sample, /* sample_l_c */
	[0x07] = &texels, /* ld */
	[0x08] = &gather, /* gather4 */
	[0x09] = &lod,	  /* lod */
	[0x0a] = &sizes,  /* resinfo */
	[0x10] = &gather, /* gather4_c */
	[0x11] = &gather, /* gather4_po */
	[0x12] = &gather, /* gather4_po_c */
	[0x14] = &sample, /* sample_d_c */
	[0x18] = &sample, /* sample_lz */
	[0x19] = &sample, /* sample_c_lz */
	[0x1a] = &texels, /* ld_lz */
};

enum eu_status eu_sample_run(struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	struct eu_request request;
	enum eu_status status;

	request.thread = thread;
	request.send = send;
	request.kind = kinds[send->access.type];
	request.sampler = NULL;
	request.count = send->access.lanes;
	request.enabled = enabled & UINT32_MAX >> (32 - request.count);
	if (request.enabled == 0 || !send->writes)
		return EU_RUN;
	const unsigned mode = eu_float_mode_suspend(thread->float_mode);
	status = run(&request);
	eu_float_mode_resume(mode);
	return status;
}
