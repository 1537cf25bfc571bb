// SPDX-License-Identifier: MIT
/* Texels as a sampler message finds them: by their numbers, filtered, gathered, compared. */
#include "eu/sampler/eu_filter.h"

#include <math.h>

#include "util/util_bits.h"
#include "util/util_clones.h"

/* Texels of all lanes: texel t of lane n is number t * request->count + n. */
struct texels {
	unsigned taps;
	uint64_t offset[EU_TEXELS];
	uint8_t bytes[EU_TEXELS * GEN_TEXEL_BYTES];
	uint32_t value[4][EU_TEXELS];
};

/* What the coordinates of an axis, one or two, add to offsets. */
struct places {
	uint64_t column[2][EU_SAMPLE_LANES], row[4][EU_SAMPLE_LANES];
};

/*
 * The offsets of all texels: rows are those of `columns` times as many taps as lanes have columns.
 * Lanes that are not enabled have none.
 */
UTIL_CLONES static void add_up(const struct eu_request *request, const struct places *places,
	unsigned columns, struct texels *texels)
{
	const unsigned count = request->count;

	for (unsigned t = 0; t < texels->taps; t++) {
		const uint64_t *column = places->column[t % columns];
		const uint64_t *row = places->row[t / columns];
		uint64_t *restrict offset = texels->offset + t * count;

		for (unsigned i = 0; i < count; i++)
			offset[i] = eu_image_sum(column[i], row[i]);
		for (unsigned i = 0; !eu_request_is_full(request) && i < count; i++)
			offset[i] |= (uint64_t)(request->enabled >> i & 1) - 1;
	}
}

/* Loads and decodes texels. */
static bool fetch(struct eu_request *request, struct texels *texels)
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
static unsigned run_of(const struct eu_request *request, const uint8_t *levels, unsigned first)
{
	unsigned n = 1;

	while (first + n < request->count && levels[first + n] == levels[first])
		n++;
	return n;
}

static void keep(const struct eu_request *request, const struct texels *texels,
	uint32_t (*value)[EU_SAMPLE_LANES])
{
	for (unsigned c = 0; c < 4; c++)
		eu_request_copy(request, value[c], texels->value[c]);
}

static const int32_t zeros[EU_SAMPLE_LANES];

/* The offsets along an axis; a layer has none. */
static const int32_t *shift_of(const struct eu_request *request, unsigned axis)
{
	return request->shifted && axis < eu_filter_axes(request->image)
		       ? (const int32_t *)request->parameter[EU_OFFSETS + axis]
		       : zeros;
}

bool eu_filter_texels(struct eu_request *request)
{
	const bool has_level = eu_request_has(request, EU_LOD);
	const struct eu_image *image = request->image;
	int32_t *at[3];
	uint8_t levels[EU_SAMPLE_LANES] = { 0 };
	struct places places;
	struct texels texels;

	for (unsigned i = 0; has_level && i < request->count; i++)
		levels[i] = (uint8_t)util_min_u32(request->parameter[EU_LOD][i], EU_LEVELS);
	for (unsigned n = 0; n < 3; n++) {
		at[n] = (int32_t *)request->parameter[EU_COORDINATES + n];
		for (unsigned i = 0; request->shifted && i < request->count; i++)
			at[n][i] =
				(int32_t)((uint32_t)at[n][i] + (uint32_t)shift_of(request, n)[i]);
	}
	eu_image_arrange(image, request->count, at[0], at[1], at[2]);
	for (unsigned i = 0, n; i < request->count; i += n) {
		n = run_of(request, levels, i);
		eu_image_columns(image, levels[i], n, at[0] + i, places.column[0] + i);
		eu_image_rows(image, levels[i], n, at[1] + i, at[2] + i, places.row[0] + i);
	}
	texels.taps = 1;
	add_up(request, &places, 1, &texels);
	if (!fetch(request, &texels))
		return false;
	keep(request, &texels, request->value);
	return true;
}

/* ---- sampling ---- */

unsigned eu_filter_axes(const struct eu_image *image)
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
UTIL_CLONES static void paint_border(const struct eu_request *request, struct texels *texels)
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

static const float *coordinates_of(const struct eu_request *request, unsigned axis)
{
	return (const float *)request->parameter[EU_COORDINATES + axis];
}

/* The coordinates of an axis at a level, for the lanes [first, first + count). */
struct axis {
	int32_t index[2][EU_SAMPLE_LANES];
	float fraction[EU_SAMPLE_LANES];
};

static void find_axis(const struct eu_request *request, bool linear, unsigned number, uint32_t size,
	unsigned first, unsigned count, struct axis *axis)
{
	const float *coordinates = coordinates_of(request, number);
	const struct gen_sampler_state *state = &request->sampler->state;
	enum gen_address_mode mode = (enum gen_address_mode)state->address[number];

	if (request->shifted || request->kind->gathers)
		eu_sampler_shifted(mode, state->unnormalized, size, count, coordinates + first,
			shift_of(request, number) + first, linear, axis->index[0] + first,
			axis->index[1] + first, axis->fraction + first);
	else if (linear)
		eu_sampler_linear(mode, state->unnormalized, size, count, coordinates + first,
			axis->index[0] + first, axis->index[1] + first, axis->fraction + first);
	else
		eu_sampler_nearest(mode, state->unnormalized, size, count, coordinates + first,
			axis->index[0] + first);
}

/* Finds the axes of lanes that use the same level, and where that leads. */
static void find_places(const struct eu_request *request, bool linear, unsigned number,
	unsigned first, unsigned count, struct axis axis[3], struct places *places)
{
	const struct eu_image *image = request->image;
	const struct eu_level *level = &image->level[image->first_level + number];
	const uint32_t sizes[3] = { level->width, level->height, level->depth };
	const unsigned axes = eu_filter_axes(image), deep = linear && axes > 2 ? 2 : 1;

	for (unsigned n = 0; n < axes; n++)
		find_axis(request, linear, n, sizes[n], first, count, &axis[n]);
	if (image->surface.array)
		eu_sampler_layer(level->depth, count, coordinates_of(request, axes) + first,
			axis[2].index[0] + first);
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
	uint32_t value[4][EU_SAMPLE_LANES])
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
	const struct texels *texels, uint32_t value[4][EU_SAMPLE_LANES])
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
static void compare(const struct eu_request *request, struct texels *texels)
{
	enum { ALWAYS, NEVER, LESS, EQUAL, NOT_GREATER, GREATER, NOT_EQUAL, NOT_LESS };
	static const uint8_t less = 1 << ALWAYS | 1 << LESS | 1 << NOT_GREATER | 1 << NOT_EQUAL,
			     same = 1 << ALWAYS | 1 << EQUAL | 1 << NOT_GREATER | 1 << NOT_LESS,
			     more = 1 << ALWAYS | 1 << GREATER | 1 << NOT_EQUAL | 1 << NOT_LESS,
			     unordered = 1 << ALWAYS | 1 << NOT_EQUAL;
	const bool is_float = request->image->format->kind == GEN_FORMAT_FLOAT;
	const unsigned function = request->sampler->state.shadow;
	const float *references = (const float *)request->parameter[EU_REFERENCE];

	for (unsigned i = 0; i < request->count * texels->taps; i++) {
		float depth, reference = references[i % request->count];

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

/* The texels of a channel, in the order of languages: round the four, from the lower left. */
static void pick(const struct eu_request *request, const struct texels *texels,
	uint32_t value[4][EU_SAMPLE_LANES])
{
	static const uint8_t taps[4] = { 2, 3, 1, 0 };
	const uint8_t select = request->image->surface.select[request->channel];

	for (unsigned n = 0; n < 4; n++)
		eu_request_select(request, select, texels->value[0] + taps[n] * request->count,
			EU_TEXELS, value[n]);
}

/* What becomes of the texels of all lanes. */
static void finish(const struct eu_request *request, bool linear, const struct axis axis[3],
	const struct texels *texels, uint32_t value[4][EU_SAMPLE_LANES])
{
	if (request->kind->gathers)
		pick(request, texels, value);
	else if (linear)
		mix(eu_filter_axes(request->image), request->count, axis, texels, value);
	else
		keep(request, texels, value);
}

/* ---- cubes ---- */

/* A corner of three faces has three texels: the fourth of a filter's is their mean. */
static void round_corner(
	const struct eu_request *request, struct texels *texels, unsigned lane, unsigned tap)
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
static int find_cube(const struct eu_request *request, bool linear, unsigned number, unsigned lane,
	struct axis axis[3], struct texels *texels)
{
	const struct eu_image *image = request->image;
	const struct eu_level *level = &image->level[image->first_level + number];
	const float vector[3] = { coordinates_of(request, 0)[lane],
		coordinates_of(request, 1)[lane], coordinates_of(request, 2)[lane] };
	float at[2], low[2];
	const unsigned face = eu_sampler_face(vector, level->width, at);
	int32_t cube = 0;
	int corner = -1;

	if (image->surface.array)
		eu_sampler_layer(level->depth / 6, 1, coordinates_of(request, 3) + lane, &cube);
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

static bool sample_cube(struct eu_request *request, bool linear, const uint8_t *levels,
	uint32_t value[4][EU_SAMPLE_LANES])
{
	const bool is_int = gen_format_is_int(request->image->format);
	struct axis axis[3];
	struct texels texels;
	int corner[EU_SAMPLE_LANES];

	texels.taps = linear ? 4 : 1;
	for (unsigned i = 0; i < request->count; i++)
		corner[i] = find_cube(request, linear, levels[i], i, axis, &texels);
	if (!fetch(request, &texels))
		return false;
	if (eu_request_has(request, EU_REFERENCE))
		compare(request, &texels);
	for (unsigned i = 0; linear && !is_int && i < request->count; i++)
		if (corner[i] >= 0)
			round_corner(request, &texels, i, (unsigned)corner[i]);
	finish(request, linear, axis, &texels, value);
	return true;
}

/* ---- levels ---- */

/* Samples each lane at its level. */
static bool sample_levels(struct eu_request *request, bool linear, const uint8_t *levels,
	uint32_t value[4][EU_SAMPLE_LANES])
{
	struct axis axis[3];
	struct places places;
	struct texels texels;

	if (request->image->surface.type == GEN_SURFACE_CUBE)
		return sample_cube(request, linear, levels, value);
	for (unsigned i = 0, n; i < request->count; i += n) {
		n = run_of(request, levels, i);
		find_places(request, linear, levels[i], i, n, axis, &places);
	}
	texels.taps = linear ? 1u << eu_filter_axes(request->image) : 1;
	add_up(request, &places, linear ? 2 : 1, &texels);
	if (!fetch(request, &texels))
		return false;
	if (request->sampler->has_border)
		paint_border(request, &texels);
	if (eu_request_has(request, EU_REFERENCE))
		compare(request, &texels);
	finish(request, linear, axis, &texels, value);
	return true;
}

uint32_t eu_filter_limit(const struct eu_request *request, float *lod)
{
	const struct gen_sampler_state *state = &request->sampler->state;
	const float *least = (const float *)request->parameter[EU_MIN_LOD];
	float last = (float)(request->image->level_count - 1);
	uint32_t smaller = 0;

	for (unsigned i = 0; i < request->count; i++) {
		float x = lod[i] + state->lod_bias;

		x = x > state->min_lod ? x : state->min_lod;
		if (eu_request_has(request, EU_MIN_LOD) && least[i] > x)
			x = least[i];
		x = x < state->max_lod ? x : state->max_lod;
		smaller |= (uint32_t)(x > 0.0f) << i;
		lod[i] = x > 0.0f ? (x < last ? x : last) : 0.0f;
	}
	return smaller;
}

/* Mixes two neighbouring levels by the fraction of the level of detail. */
static bool sample_between(struct eu_request *request, bool linear, const float *lod)
{
	uint32_t upper[4][EU_SAMPLE_LANES];
	uint8_t levels[2][EU_SAMPLE_LANES];

	for (unsigned i = 0; i < request->count; i++) {
		levels[0][i] = (uint8_t)lod[i];
		levels[1][i] = (uint8_t)ceilf(lod[i]);
	}
	if (!sample_levels(request, linear, levels[0], request->value) ||
		!sample_levels(request, linear, levels[1], upper))
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

static bool filter(struct eu_request *request, bool linear, const float *lod)
{
	const struct gen_sampler_state *state = &request->sampler->state;
	const bool has_levels = request->image->level_count > 1;
	uint8_t levels[EU_SAMPLE_LANES] = { 0 };

	if (state->mip_filter == GEN_MIP_LINEAR && has_levels &&
		!gen_format_is_int(request->image->format))
		return sample_between(request, linear, lod);
	if (has_levels && state->mip_filter != GEN_MIP_NONE)
		for (unsigned i = 0; i < request->count; i++)
			levels[i] = (uint8_t)(lod[i] + 0.5f);
	return sample_levels(request, linear, levels, request->value);
}

bool eu_filter_sample(struct eu_request *request, float *lod)
{
	const struct gen_sampler_state *state = &request->sampler->state;
	const bool is_int = gen_format_is_int(request->image->format);
	const bool linear = state->mag_filter == GEN_FILTER_LINEAR && !is_int;
	const bool two = state->min_filter != state->mag_filter && !is_int;
	uint32_t larger[4][EU_SAMPLE_LANES], smaller = 0;

	if (request->image->level_count == 0) {
		memset(request->value, 0, sizeof(request->value));
		return true;
	}
	if (two || request->image->level_count > 1)
		smaller = eu_filter_limit(request, lod);
	if (!filter(request, linear, lod))
		return false;
	if (!two || !smaller)
		return true;
	memcpy(larger, request->value, sizeof(larger));
	if (!filter(request, !linear, lod))
		return false;
	for (unsigned i = 0; i < request->count; i++)
		for (unsigned c = 0; c < 4 && !(smaller >> i & 1); c++)
			request->value[c][i] = larger[c][i];
	return true;
}

bool eu_filter_gather(struct eu_request *request)
{
	static const uint8_t levels[EU_SAMPLE_LANES];

	if (request->image->level_count == 0) {
		memset(request->value, 0, sizeof(request->value));
		return true;
	}
	return sample_levels(request, true, levels, request->value);
}
