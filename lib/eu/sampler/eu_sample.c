// SPDX-License-Identifier: MIT
/* Sampler messages: ld, sample with a level of detail, also of cubes and compared, resinfo. */
#include <math.h>
#include <string.h>

#include "eu/memory/eu_memory.h"
#include "eu/state/eu_float_mode.h"
#include "eu/sampler/eu_image.h"
#include "eu/sampler/eu_sampler.h"
#include "util/util_bits.h"
#include "util/util_clones.h"

enum {
	MAX_LANES = 16,
	MAX_PARAMETERS = 9, /* u, v, r and their gradients */
	HEADER_OFFSETS = 0xfff,
	HEADER_NULL_MASK = 1 << 23,
};

enum sampler_type {
	SAMPLE_L = 0x02,
	SAMPLE_D = 0x04,
	SAMPLE_L_C = 0x06,
	LD = 0x07,
	RESINFO = 0x0a,
	SAMPLE_LZ = 0x18,
	SAMPLE_C_LZ = 0x19,
	LD_LZ = 0x1a,
};

/* One message at work. */
struct request {
	struct eu_thread *thread;
	const struct eu_send *send;
	const struct eu_image *image;
	const struct eu_sampler *sampler;
	const float *reference; /* that texels are compared with; NULL: they are not */
	unsigned count;		/* lanes of the message: 8 or 16, … */
	uint32_t enabled;	/* of which these matter */
	uint32_t parameter[MAX_PARAMETERS][MAX_LANES]; /* 0 where the payload ends, and of others */
	/* What comes back, by channel of the surface. */
	uint32_t value[4][MAX_LANES];
};

/* Texels of all lanes: texel t of lane n is number t * request->count + n. */
struct texels {
	unsigned taps;
	uint64_t offset[EU_TEXELS];
	uint8_t bytes[EU_TEXELS * GEN_TEXEL_BYTES];
	uint32_t value[4][EU_TEXELS];
};

static inline bool is_full(const struct request *request)
{
	return request->enabled == UINT32_MAX >> (32 - request->count);
}

/* The dwords of 8 or 16 lanes. */
static inline void copy_lanes(const struct request *request, void *to, const void *from)
{
	if (request->count == MAX_LANES)
		memcpy(to, from, MAX_LANES * 4);
	else
		memcpy(to, from, MAX_LANES * 2);
}

/* The parameters of the lanes. */
static void gather(struct request *request)
{
	const struct eu_send *send = request->send;
	const unsigned bytes = request->count * 4;
	const unsigned parameters = send->access.type == SAMPLE_D ? MAX_PARAMETERS : 6;
	unsigned first = send->access.at;
	unsigned end = (send->mlen + (unsigned)send->xlen) * GEN_GRF_BYTES;

	for (unsigned n = 0; n < parameters; n++, first += bytes) {
		uint32_t *values = request->parameter[n];
		uint8_t copy[MAX_LANES * 4];

		memset(values, 0, sizeof(request->parameter[n]));
		if (first + bytes > end)
			continue;
		copy_lanes(request, values, eu_payload(request->thread, send, first, bytes, copy));
		for (unsigned i = 0; !is_full(request) && i < request->count; i++)
			values[i] &= 0 - (request->enabled >> i & 1);
	}
}

/* ---- what comes back ---- */

static uint32_t header_dword(const struct request *request, unsigned index)
{
	return request->send->access.has_header
		       ? eu_payload_dword(request->thread->grf + request->send->src0, index)
		       : 0;
}

/* The values of a channel that the shader sees: of texels, through the surface's channel select. */
static void select_channel(const struct request *request, unsigned channel, uint32_t *out)
{
	const struct gen_format *format = request->image->format;
	const bool texels = request->send->access.reads;
	unsigned from = texels ? request->image->surface.select[channel] : 4 + channel;

	if (from >= 4) {
		copy_lanes(request, out, request->value[from - 4]);
		return;
	}
	for (unsigned i = 0; i < request->count; i++)
		out[i] = from == 1 ? gen_format_absent(format, 3) : 0;
}

/* A half of each value: floats are rounded, integers lose their upper halves. */
static void halve(const struct request *request, uint32_t *values)
{
	static const struct gen_format half = {
		.name = "half", .bytes = 2, .kind = GEN_FORMAT_FLOAT, .channel = { { 0, 16 } }
	};
	const uint32_t *const from[4] = { values, values, values, values };
	uint16_t halfs[MAX_LANES];

	if (gen_format_is_int(request->image->format))
		return;
	gen_format_encode(&half, from, request->count, halfs);
	for (unsigned i = 0; i < request->count; i++)
		values[i] = halfs[i];
}

static void respond(const struct request *request)
{
	const struct eu_send *send = request->send;
	const unsigned slot = send->access.slot;
	const bool narrow = slot == 2;
	const unsigned step = narrow ? GEN_GRF_BYTES : request->count * 4;
	const uint32_t off = util_bits(header_dword(request, 2), 15, 12);
	uint8_t *out = request->thread->grf + send->dst;
	const uint8_t *end = out + send->rlen * GEN_GRF_BYTES;
	uint32_t values[MAX_LANES] = { 0 };

	for (unsigned c = 0; c < 4 && out + step <= end; c++) {
		if (off >> c & 1)
			continue;
		select_channel(request, c, values);
		bool copied = !narrow && is_full(request);
		if (narrow)
			halve(request, values);
		else if (copied)
			copy_lanes(request, out, values);
		for (uint32_t rest = copied ? 0 : request->enabled; rest != 0; rest &= rest - 1) {
			unsigned i = (unsigned)__builtin_ctz(rest);
			memcpy(out + i * slot, &values[i], slot);
		}
		out += step;
	}
}

/* ---- texels ---- */

/* What the coordinates of an axis, one or two, add to offsets. */
struct places {
	uint64_t column[2][MAX_LANES], row[4][MAX_LANES];
};

/*
 * The offsets of all texels: rows are those of `columns` times as many taps as lanes have columns.
 * Lanes that are not enabled have none.
 */
UTIL_CLONES static void add_up(const struct request *request, const struct places *places,
	unsigned columns, struct texels *texels)
{
	const unsigned count = request->count;

	for (unsigned t = 0; t < texels->taps; t++) {
		const uint64_t *column = places->column[t % columns];
		const uint64_t *row = places->row[t / columns];
		uint64_t *restrict offset = texels->offset + t * count;

		for (unsigned i = 0; i < count; i++)
			offset[i] = eu_image_sum(column[i], row[i]);
		for (unsigned i = 0; !is_full(request) && i < count; i++)
			offset[i] |= (uint64_t)(request->enabled >> i & 1) - 1;
	}
}

/* Loads and decodes texels. */
static bool fetch(struct request *request, struct texels *texels)
{
	const struct eu_image *image = request->image;
	const unsigned count = request->count * texels->taps;
	uint32_t *const values[4] = { texels->value[0], texels->value[1], texels->value[2],
		texels->value[3] };

	if (!eu_image_load(
		    request->thread, request->send, image, count, texels->offset, texels->bytes))
		return false;
	if (request->sampler && request->sampler->state.skip_srgb &&
		image->format->kind == GEN_FORMAT_SRGB) {
		struct gen_format plain = *image->format;

		plain.kind = GEN_FORMAT_UNORM;
		gen_format_decode(&plain, texels->bytes, count, values);
	} else {
		gen_format_decode(image->format, texels->bytes, count, values);
	}
	return true;
}

/* How many lanes from `first` on have its level. */
static unsigned run_of(const struct request *request, const uint8_t *levels, unsigned first)
{
	unsigned n = 1;

	while (first + n < request->count && levels[first + n] == levels[first])
		n++;
	return n;
}

static void keep(struct request *request, const struct texels *texels, uint32_t (*value)[MAX_LANES])
{
	for (unsigned c = 0; c < 4; c++)
		copy_lanes(request, value[c], texels->value[c]);
}

static bool run_ld(struct request *request)
{
	const bool has_level = request->send->access.type == LD;
	const struct eu_image *image = request->image;
	/* u, v, r or u, v, level, r */
	int32_t *x = (int32_t *)request->parameter[0], *y = (int32_t *)request->parameter[1];
	int32_t *z = (int32_t *)request->parameter[has_level ? 3 : 2];
	uint8_t levels[MAX_LANES] = { 0 };
	struct places places;
	struct texels texels;

	for (unsigned i = 0; has_level && i < request->count; i++)
		levels[i] = (uint8_t)util_min_u32(request->parameter[2][i], EU_LEVELS);
	eu_image_arrange(image, request->count, x, y, z);
	for (unsigned i = 0, n; i < request->count; i += n) {
		n = run_of(request, levels, i);
		eu_image_columns(image, levels[i], n, x + i, places.column[0] + i);
		eu_image_rows(image, levels[i], n, y + i, z + i, places.row[0] + i);
	}
	texels.taps = 1;
	add_up(request, &places, 1, &texels);
	if (!fetch(request, &texels))
		return false;
	keep(request, &texels, request->value);
	return true;
}

/* ---- sampling ---- */

/* How many axes are filtered: layers are not. */
static unsigned axes_of(const struct eu_image *image)
{
	static const uint8_t axes[] = { [GEN_SURFACE_1D] = 1,
		[GEN_SURFACE_2D] = 2,
		[GEN_SURFACE_3D] = 3,
		[GEN_SURFACE_CUBE] = 2,
		[GEN_SURFACE_BUFFER] = 1,
		[GEN_SURFACE_STRUCTURED_BUFFER] = 1,
		[GEN_SURFACE_SCRATCH] = 2,
		[GEN_SURFACE_NULL] = 2 };

	return axes[image->surface.type];
}

/* Texels outside of the image have the border's colour, in the channels that the format has. */
UTIL_CLONES static void paint_border(const struct request *request, struct texels *texels)
{
	const struct gen_format *format = request->image->format;
	const unsigned count = request->count * texels->taps;
	uint64_t outside = 0;

	for (unsigned i = 0; i < count; i++)
		outside |= texels->offset[i] == EU_NOWHERE;
	for (unsigned i = 0; outside && i < count; i++) {
		if (texels->offset[i] != EU_NOWHERE)
			continue;
		for (unsigned c = 0; c < 4; c++)
			texels->value[c][i] = format->channel[c].bits != 0
						      ? request->sampler->border[c]
						      : gen_format_absent(format, c);
	}
}

/* The coordinates of an axis at a level, for the lanes [first, first + count). */
struct axis {
	int32_t index[2][MAX_LANES];
	float fraction[MAX_LANES];
};

static void find_axis(const struct request *request, bool linear, unsigned number, uint32_t size,
	unsigned first, unsigned count, const float *coordinates, struct axis *axis)
{
	const struct gen_sampler_state *state = &request->sampler->state;
	enum gen_address_mode mode = (enum gen_address_mode)state->address[number];

	if (linear)
		eu_sampler_linear(mode, state->unnormalized, size, count, coordinates + first,
			axis->index[0] + first, axis->index[1] + first, axis->fraction + first);
	else
		eu_sampler_nearest(mode, state->unnormalized, size, count, coordinates + first,
			axis->index[0] + first);
}

/* Finds the axes of lanes that use the same level, and where that leads. */
static void find_places(const struct request *request, bool linear, unsigned number, unsigned first,
	unsigned count, const float (*coordinates)[MAX_LANES], struct axis axis[3],
	struct places *places)
{
	const struct eu_image *image = request->image;
	const struct eu_level *level = &image->level[image->first_level + number];
	const uint32_t sizes[3] = { level->width, level->height, level->depth };
	const unsigned axes = axes_of(image), deep = linear && axes > 2 ? 2 : 1;
	static const int32_t zeros[MAX_LANES];

	for (unsigned n = 0; n < axes; n++)
		find_axis(request, linear, n, sizes[n], first, count, coordinates[n], &axis[n]);
	if (image->surface.array)
		eu_sampler_layer(
			level->depth, count, coordinates[axes] + first, axis[2].index[0] + first);
	for (unsigned t = 0; t < (linear ? 2 : 1); t++)
		eu_image_columns(
			image, number, count, axis[0].index[t] + first, places->column[t] + first);
	for (unsigned t = 0; t < (linear && axes > 1 ? 2 : 1) * deep; t++)
		eu_image_rows(image, number, count, axes > 1 ? axis[1].index[t & 1] + first : zeros,
			axes > 2 || image->surface.array ? axis[2].index[t >> 1] + first : zeros,
			places->row[t] + first);
}

typedef double v4d __attribute__((vector_size(32)));
typedef float v4f __attribute__((vector_size(16)));

/* Four lanes from `first` on, whose texels' shares are products of their shares along the axes. */
static inline __attribute__((always_inline)) void mix_four(const unsigned axes, unsigned count,
	unsigned first, const struct axis axis[3], const struct texels *texels,
	uint32_t value[4][MAX_LANES])
{
	v4d weight[8];
	v4f four;

	weight[0] = (v4d){ 1.0, 1.0, 1.0, 1.0 };
	for (unsigned n = 0, used = 1; n < axes; n++, used *= 2) {
		memcpy(&four, axis[n].fraction + first, sizeof(four));
		v4d share = __builtin_convertvector(four, v4d);
		for (unsigned t = 0; t < used; t++) {
			weight[t + used] = weight[t] * share;
			weight[t] *= 1.0 - share;
		}
	}
	for (unsigned c = 0; c < 4; c++) {
		v4d sum = { 0.0 };

		for (unsigned t = 0; t < 1u << axes; t++) {
			memcpy(&four, &texels->value[c][t * count + first], sizeof(four));
			sum += __builtin_convertvector(four, v4d) * weight[t];
		}
		four = __builtin_convertvector(sum, v4f);
		memcpy(&value[c][first], &four, sizeof(four));
	}
}

/*
 * Mixes the texels of each lane in double precision, so that the result is the exact one rounded
 * but for a few units of a double. The hardware has weights of 8 bits, OpenCL asks for exact ones.
 */
UTIL_CLONES static void mix(unsigned axes, unsigned count, const struct axis axis[3],
	const struct texels *texels, uint32_t value[4][MAX_LANES])
{
	for (unsigned i = 0; i < count; i += 4)
		if (axes == 2)
			mix_four(2, count, i, axis, texels, value);
		else if (axes == 3)
			mix_four(3, count, i, axis, texels, value);
		else
			mix_four(1, count, i, axis, texels, value);
}

/* Texels become 0 where their comparison with the reference is true, else 1. */
static void compare(const struct request *request, struct texels *texels)
{
	enum { ALWAYS, NEVER, LESS, EQUAL, NOT_GREATER, GREATER, NOT_EQUAL, NOT_LESS };
	static const uint8_t less = 1 << ALWAYS | 1 << LESS | 1 << NOT_GREATER | 1 << NOT_EQUAL,
			     same = 1 << ALWAYS | 1 << EQUAL | 1 << NOT_GREATER | 1 << NOT_LESS,
			     more = 1 << ALWAYS | 1 << GREATER | 1 << NOT_EQUAL | 1 << NOT_LESS,
			     unordered = 1 << ALWAYS | 1 << NOT_EQUAL;
	const bool is_float = request->image->format->kind == GEN_FORMAT_FLOAT;
	const unsigned function = request->sampler->state.shadow;

	for (unsigned i = 0; i < request->count * texels->taps; i++) {
		float depth, reference = request->reference[i % request->count];

		memcpy(&depth, &texels->value[0][i], sizeof(depth));
		if (!is_float)
			reference = reference > 0.0f ? fminf(reference, 1.0f) : 0.0f;
		const uint8_t *true_for = depth < reference    ? &less
					  : depth == reference ? &same
					  : depth > reference  ? &more
							       : &unordered;
		const float result = *true_for >> function & 1 ? 0.0f : 1.0f;
		memcpy(&texels->value[0][i], &result, sizeof(result));
		texels->value[1][i] = texels->value[2][i] = 0;
		texels->value[3][i] = gen_format_absent(request->image->format, 3);
	}
}

/* ---- cubes ---- */

/* A corner of three faces has three texels: the fourth of a filter's is their mean. */
static void round_corner(
	const struct request *request, struct texels *texels, unsigned lane, unsigned tap)
{
	for (unsigned c = 0; c < 4; c++) {
		float sum = 0.0f, one;
		for (unsigned t = 0; t < texels->taps; t++) {
			memcpy(&one, &texels->value[c][t * request->count + lane], sizeof(one));
			sum += t == tap ? 0.0f : one;
		}
		sum /= 3.0f;
		memcpy(&texels->value[c][tap * request->count + lane], &sum, sizeof(sum));
	}
}

/* Finds the texels of a lane, and what a filter mixes them by. Returns the tap in a corner, or -1.
 */
static int find_cube(const struct request *request, bool linear,
	const float (*coordinates)[MAX_LANES], unsigned number, unsigned lane, struct axis axis[3],
	struct texels *texels)
{
	const struct eu_image *image = request->image;
	const struct eu_level *level = &image->level[image->first_level + number];
	const float vector[3] = { coordinates[0][lane], coordinates[1][lane],
		coordinates[2][lane] };
	float at[2], low[2];
	const unsigned face = eu_sampler_face(vector, level->width, at);
	int32_t cube = 0;
	int corner = -1;

	if (image->surface.array)
		eu_sampler_layer(level->depth / 6, 1, &coordinates[3][lane], &cube);
	for (unsigned n = 0; n < 2; n++) {
		low[n] = linear ? floorf(at[n] - 0.5f)
				: fminf(floorf(at[n]), (float)level->width - 1);
		axis[n].fraction[lane] = at[n] - 0.5f - low[n];
	}
	for (unsigned t = 0; t < texels->taps; t++) {
		int32_t place[2] = { (int32_t)low[0] + (t & 1),
			(int32_t)low[1] + (int32_t)(t >> 1) };
		if ((uint32_t)place[0] >= level->width && (uint32_t)place[1] >= level->width)
			corner = (int)t;
		const int32_t layer =
			(int32_t)eu_sampler_neighbour(face, level->width, place) + 6 * cube;
		uint64_t *offset = &texels->offset[t * request->count + lane];
		eu_image_locate(image, number, 1, &place[0], &place[1], &layer, offset);
		if (!(request->enabled >> lane & 1))
			*offset = EU_NOWHERE;
	}
	return corner;
}

static bool sample_cube(struct request *request, bool linear, const float (*coordinates)[MAX_LANES],
	const uint8_t *levels, uint32_t value[4][MAX_LANES])
{
	struct axis axis[3];
	struct texels texels;
	int corner[MAX_LANES];

	texels.taps = linear ? 4 : 1;
	for (unsigned i = 0; i < request->count; i++)
		corner[i] = find_cube(request, linear, coordinates, levels[i], i, axis, &texels);
	if (!fetch(request, &texels))
		return false;
	if (request->reference)
		compare(request, &texels);
	for (unsigned i = 0; linear && i < request->count; i++)
		if (corner[i] >= 0)
			round_corner(request, &texels, i, (unsigned)corner[i]);
	if (linear)
		mix(2, request->count, axis, &texels, value);
	else
		keep(request, &texels, value);
	return true;
}

/* ---- levels ---- */

/* Samples each lane at its level. */
static bool sample_levels(struct request *request, bool linear,
	const float (*coordinates)[MAX_LANES], const uint8_t *levels, uint32_t value[4][MAX_LANES])
{
	struct axis axis[3];
	struct places places;
	struct texels texels;

	if (request->image->surface.type == GEN_SURFACE_CUBE)
		return sample_cube(request, linear, coordinates, levels, value);
	for (unsigned i = 0, n; i < request->count; i += n) {
		n = run_of(request, levels, i);
		find_places(request, linear, levels[i], i, n, coordinates, axis, &places);
	}
	texels.taps = linear ? 1u << axes_of(request->image) : 1;
	add_up(request, &places, linear ? 2 : 1, &texels);
	if (!fetch(request, &texels))
		return false;
	if (request->sampler->has_border)
		paint_border(request, &texels);
	if (request->reference)
		compare(request, &texels);
	if (linear)
		mix(axes_of(request->image), request->count, axis, &texels, value);
	else
		keep(request, &texels, value);
	return true;
}

/* Levels of detail, within what the sampler and the image have. Returns the lanes, as bits, whose
 * texels are smaller than pixels. */
static uint32_t limit_levels(const struct request *request, float *lod)
{
	const struct gen_sampler_state *state = &request->sampler->state;
	float last = (float)(request->image->level_count - 1);
	uint32_t smaller = 0;

	for (unsigned i = 0; i < request->count; i++) {
		float x = lod[i] + state->lod_bias;

		x = x > state->min_lod ? x : state->min_lod;
		x = x < state->max_lod ? x : state->max_lod;
		smaller |= (uint32_t)(x > 0.0f) << i;
		lod[i] = x > 0.0f ? (x < last ? x : last) : 0.0f;
	}
	return smaller;
}

/* Mixes two neighbouring levels by the fraction of the level of detail. */
static bool sample_between(struct request *request, bool linear,
	const float (*coordinates)[MAX_LANES], const float *lod)
{
	uint32_t upper[4][MAX_LANES];
	uint8_t levels[2][MAX_LANES];

	for (unsigned i = 0; i < request->count; i++) {
		levels[0][i] = (uint8_t)lod[i];
		levels[1][i] = (uint8_t)ceilf(lod[i]);
	}
	if (!sample_levels(request, linear, coordinates, levels[0], request->value) ||
		!sample_levels(request, linear, coordinates, levels[1], upper))
		return false;
	for (unsigned i = 0; i < request->count; i++)
		for (unsigned c = 0; c < 4; c++) {
			double share = lod[i] - (float)levels[0][i];
			float low, high;

			memcpy(&low, &request->value[c][i], 4);
			memcpy(&high, &upper[c][i], 4);
			low = (float)(low * (1.0 - share) + high * share);
			memcpy(&request->value[c][i], &low, 4);
		}
	return true;
}

static bool filter(struct request *request, bool linear, const float (*coordinates)[MAX_LANES],
	const float *lod)
{
	const struct gen_sampler_state *state = &request->sampler->state;
	const bool has_levels = request->image->level_count > 1;
	uint8_t levels[MAX_LANES] = { 0 };

	if (state->mip_filter == GEN_MIP_LINEAR && has_levels &&
		!gen_format_is_int(request->image->format))
		return sample_between(request, linear, coordinates, lod);
	if (has_levels && state->mip_filter != GEN_MIP_NONE)
		for (unsigned i = 0; i < request->count; i++)
			levels[i] = (uint8_t)(lod[i] + 0.5f);
	return sample_levels(request, linear, coordinates, levels, request->value);
}

static bool sample(struct request *request, const float (*coordinates)[MAX_LANES], float *lod)
{
	const struct gen_sampler_state *state = &request->sampler->state;
	const bool is_int = gen_format_is_int(request->image->format);
	const bool linear = state->mag_filter == GEN_FILTER_LINEAR && !is_int;
	const bool two = state->min_filter != state->mag_filter && !is_int;
	uint32_t larger[4][MAX_LANES], smaller = 0;

	if (request->image->level_count == 0) {
		memset(request->value, 0, sizeof(request->value));
		return true;
	}
	if (two || request->image->level_count > 1)
		smaller = limit_levels(request, lod);
	if (!filter(request, linear, coordinates, lod))
		return false;
	if (!two || !smaller)
		return true;
	memcpy(larger, request->value, sizeof(larger));
	if (!filter(request, !linear, coordinates, lod))
		return false;
	for (unsigned i = 0; i < request->count; i++)
		for (unsigned c = 0; c < 4 && !(smaller >> i & 1); c++)
			request->value[c][i] = larger[c][i];
	return true;
}

/* How long the step is that one pixel makes, in texels of level 0. */
static float gradient_level(
	const struct request *request, const float (*gradients)[2][MAX_LANES], unsigned lane)
{
	const struct eu_image *image = request->image;
	const struct eu_level *level = &image->level[image->first_level];
	const double sizes[3] = { level->width, level->height, level->depth };
	double longest = 0.0;

	for (unsigned d = 0; d < 2; d++) {
		double sum = 0.0;

		for (unsigned n = 0; n < axes_of(image); n++) {
			double step = gradients[n][d][lane];

			if (!request->sampler->state.unnormalized)
				step *= sizes[n];
			sum += step * step;
		}
		longest = sum > longest ? sum : longest;
	}
	return longest > 0.0 ? (float)(0.5 * log2(longest)) : 0.0f;
}

static bool run_sample_d(struct request *request)
{
	float coordinates[3][MAX_LANES], gradients[3][2][MAX_LANES], lod[MAX_LANES];

	for (unsigned n = 0; n < 3; n++) {
		memcpy(coordinates[n], request->parameter[3 * n], sizeof(coordinates[n]));
		memcpy(gradients[n][0], request->parameter[3 * n + 1], sizeof(gradients[n][0]));
		memcpy(gradients[n][1], request->parameter[3 * n + 2], sizeof(gradients[n][1]));
	}
	for (unsigned i = 0; i < request->count; i++)
		lod[i] = gradient_level(request, (const float(*)[2][MAX_LANES])gradients, i);
	return sample(request, (const float(*)[MAX_LANES])coordinates, lod);
}

/* A reference, a level and up to four coordinates, of which the first two may be missing. */
static bool run_sample(struct request *request)
{
	const unsigned type = request->send->access.type;
	const bool has_level = type == SAMPLE_L || type == SAMPLE_L_C;
	const bool compares = type == SAMPLE_L_C || type == SAMPLE_C_LZ;
	float coordinates[4][MAX_LANES], lod[MAX_LANES] = { 0 }, reference[MAX_LANES];

	for (unsigned n = 0; n < 4; n++)
		memcpy(coordinates[n], request->parameter[n + compares + has_level],
			sizeof(coordinates[n]));
	if (has_level)
		memcpy(lod, request->parameter[compares], sizeof(lod));
	if (compares) {
		memcpy(reference, request->parameter[0], sizeof(reference));
		request->reference = reference;
	}
	return sample(request, (const float(*)[MAX_LANES])coordinates, lod);
}

/* ---- queries ---- */

/* Width, height, depth or layers, and levels; zeros for a level that is not there. */
static bool run_resinfo(struct request *request)
{
	const struct eu_image *image = request->image;

	for (unsigned i = 0; i < request->count; i++) {
		uint32_t number = request->parameter[0][i];
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

static enum eu_status refuse(struct request *request, const char *what)
{
	gen_fault_add(request->thread->worker->fault, GEN_FAULT_BAD_MESSAGE,
		"%s (descriptor 0x%08x): %s", request->send->access.name, request->send->desc,
		what);
	return EU_FAULT;
}

static bool has_sampler(unsigned type)
{
	return type == SAMPLE_L || type == SAMPLE_D || type == SAMPLE_LZ || type == SAMPLE_L_C ||
	       type == SAMPLE_C_LZ;
}

static __attribute__((noinline)) enum eu_status run(struct request *request)
{
	unsigned type = request->send->access.type;
	bool done;

	if (header_dword(request, 2) & (HEADER_OFFSETS | HEADER_NULL_MASK))
		return refuse(request, "texel offsets and null masks are not implemented");
	request->image = eu_image_find(request->thread, request->send);
	if (!request->image)
		return EU_FAULT;
	if (has_sampler(type)) {
		request->sampler = eu_sampler_find(request->thread, request->send);
		if (!request->sampler)
			return EU_FAULT;
	}
	if (request->image->surface.type == GEN_SURFACE_CUBE && (type == SAMPLE_D || type == LD))
		return refuse(request, "texels and gradients of cubes are not implemented");
	gather(request);
	if (type == SAMPLE_D)
		done = run_sample_d(request);
	else if (has_sampler(type))
		done = run_sample(request);
	else if (type == RESINFO)
		done = run_resinfo(request);
	else
		done = run_ld(request);
	if (!done)
		return EU_FAULT;
	respond(request);
	return EU_RUN;
}

enum eu_status eu_sample_run(struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	struct request request;
	unsigned mode = eu_float_mode_get();
	enum eu_status status;

	request.thread = thread;
	request.send = send;
	request.sampler = NULL;
	request.reference = NULL;
	request.count = send->access.lanes;
	request.enabled = enabled & UINT32_MAX >> (32 - request.count);
	if (request.enabled == 0 || !send->writes)
		return EU_RUN;
	eu_float_mode_set(eu_float_mode_plain());
	status = run(&request);
	eu_float_mode_set(mode);
	return status;
}
