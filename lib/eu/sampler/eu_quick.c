// SPDX-License-Identifier: MIT
#include "eu/sampler/eu_quick.h"

#include <string.h>

#include "eu/sampler/eu_image.h"
#include "eu/state/eu_host.h"
#include "gen/gen_tile.h"

/* `bits` are those of an offset that the index gets, lowest first. */
static struct eu_spread spread_of(uint32_t bits)
{
	struct eu_spread spread = { 0 };

	while (bits) {
		const unsigned first = (unsigned)__builtin_ctz(bits);
		const unsigned length = (unsigned)__builtin_ctz(~(bits >> first));
		const uint32_t mask = (1u << length) - 1;

		spread.mask[spread.runs] = mask << spread.above;
		spread.shift[spread.runs++] = first - spread.above;
		spread.above += length;
		bits &= ~(mask << first);
	}
	return spread;
}

/* How a tiling deals out the bits of an offset in a tile; rows that follow each other are none. */
static struct gen_tile_64 tile_of(const struct eu_image *image)
{
	static const struct gen_tile_64 tiles[] = { [GEN_TILE_X] = { 0x1ff, 0xe00, 0 },
		[GEN_TILE_Y] = { 0xe0f, 0x1f0, 0 },
		[GEN_TILE_4] = { 0x2cf, 0xd30, 0 } };
	const struct gen_surface_state *surface = &image->surface;

	if (surface->tile_mode == GEN_TILE_64)
		return *gen_tile_64_find(image->bytes, surface->type == GEN_SURFACE_3D);
	return tiles[surface->tile_mode];
}

static bool is_line(const struct gen_surface_state *surface)
{
	return surface->type == GEN_SURFACE_BUFFER ||
	       (surface->type == GEN_SURFACE_1D && surface->tile_mode == GEN_TILE_LINEAR);
}

static void place_axes(struct eu_quick *quick, const struct eu_image *image)
{
	const struct gen_surface_state *surface = &image->surface;
	const struct eu_level *level = &image->level[image->first_level];
	const bool line = is_line(surface), buffer = surface->type == GEN_SURFACE_BUFFER;
	const struct gen_tile_64 tile = line ? (struct gen_tile_64){ 0 } : tile_of(image);
	const uint32_t across = (uint32_t)__builtin_popcount(tile.x);
	const uint32_t down = (uint32_t)__builtin_popcount(tile.y);
	const uint32_t up = down + (uint32_t)__builtin_popcount(tile.z);
	const uint32_t first = buffer ? 0 : surface->min_array_element;

	quick->columns = spread_of(tile.x);
	quick->columns.mask[quick->columns.runs] = UINT32_MAX << across;
	quick->columns.shift[quick->columns.runs++] = up;
	quick->rows = spread_of(tile.y);
	quick->rows.stride = (line ? image->bytes : surface->pitch) << up;
	quick->left = level->x;
	quick->top = line ? 0 : level->y;
	if (tile.z) {
		quick->slices = spread_of(tile.z);
		quick->slices.stride = (surface->qpitch >> down) * quick->rows.stride;
		quick->front = first;
	} else {
		quick->step = buffer ? 0 : surface->qpitch;
		quick->top += first * quick->step;
	}
	quick->size[0] = level->width;
	quick->size[1] = level->height;
	quick->size[2] = level->depth;
}

/* How far the texels of level 0 reach from the base on. */
static uint64_t reach_of(const struct eu_quick *quick, const struct eu_image *image)
{
	const struct gen_surface_state *surface = &image->surface;
	/* Bits of an offset in a tile, those of columns and the rest. */
	const uint32_t across = quick->columns.above;
	const uint32_t up = quick->columns.shift[quick->columns.runs - 1];
	const uint64_t x = ((uint64_t)quick->left + quick->size[0]) * image->bytes - 1;
	const uint64_t y = (uint64_t)quick->top + quick->size[1] - 1 +
			   (uint64_t)(quick->size[2] - 1) * quick->step;
	const uint64_t z = (uint64_t)quick->front + quick->size[2] - 1;
	const uint64_t pitch = is_line(surface) ? image->bytes : surface->pitch;
	uint64_t rows = y >> quick->rows.above;

	if (quick->slices.runs)
		rows += (z >> quick->slices.above) * (surface->qpitch >> quick->rows.above);
	if (pitch & ((1u << across) - 1))
		return UINT64_MAX; /* no whole tiles */
	return (rows * pitch << up) + (((x >> across) + 1) << (across + up));
}

/* What vectors make of a channel of so many bits. */
static enum eu_quick_kind kind_of(const struct gen_format *format, unsigned bits)
{
	switch (format->kind) {
	case GEN_FORMAT_UINT:
		return bits == 32 ? EU_QUICK_WHOLE : EU_QUICK_UINT;
	case GEN_FORMAT_SINT:
		return bits == 32 ? EU_QUICK_WHOLE : EU_QUICK_SINT;
	case GEN_FORMAT_UNORM:
		return bits <= 16 ? EU_QUICK_UNORM : EU_QUICK_NONE;
	case GEN_FORMAT_SNORM:
		return bits <= 16 ? EU_QUICK_SNORM : EU_QUICK_NONE;
	case GEN_FORMAT_FLOAT:
		return bits == 32 ? EU_QUICK_WHOLE : bits == 16 ? EU_QUICK_HALF : EU_QUICK_NONE;
	default:
		return EU_QUICK_NONE;
	}
}

/* How vectors take texels of a format apart, and put them together. */
static struct eu_quick_format find_format(const struct gen_format *format)
{
	struct eu_quick_format quick = { .kind = EU_QUICK_NONE };

	if (format->unblock || format->paired)
		return quick;
	for (unsigned c = 0; c < 4; c++) {
		const unsigned bits = format->channel[c].bits;
		const unsigned shift = format->channel[c].shift % 32;
		const unsigned sign = format->kind == GEN_FORMAT_SNORM;

		quick.channel[c].absent = gen_format_absent(format, c);
		if (bits == 0)
			continue;
		quick.present |= (uint8_t)(1u << c);
		quick.kind = (uint8_t)kind_of(format, bits);
		if (quick.kind == EU_QUICK_NONE)
			break;
		quick.channel[c].dword = format->channel[c].shift / 32;
		quick.channel[c].up = (uint8_t)(32 - shift - bits);
		quick.channel[c].down = (uint8_t)(32 - bits);
		quick.channel[c].shift = (uint8_t)shift;
		quick.channel[c].mask = UINT32_MAX >> (32 - bits);
		quick.channel[c].most = (float)((1u << (bits % 32 - sign)) - 1);
	}
	return quick;
}

/*
 * Which channels of a message become those of texels, whole ones; returns them as bits, or 0. The
 * first of those that the surface selects the same one for counts.
 */
static uint8_t find_sources(const struct eu_image *image, uint8_t source[4])
{
	enum { SELECT_RED = 4 };
	uint8_t found = 0, sources = 0;

	for (unsigned c = 4; c-- > 0;) {
		const unsigned select = image->surface.select[c];

		if (select < SELECT_RED)
			continue;
		source[select - SELECT_RED] = (uint8_t)c;
		found |= (uint8_t)(1u << (select - SELECT_RED));
	}
	for (unsigned c = 0; c < 4; c++)
		if (image->fill >> c & 1)
			sources |= (uint8_t)(1u << source[c]);
	return (found & image->fill) == image->fill ? sources : 0;
}

void eu_quick_describe(struct eu_image *image, enum gen_generation generation)
{
	const struct gen_surface_state *surface = &image->surface;
	struct eu_quick *quick = &image->quick;
	const bool line = surface->type == GEN_SURFACE_1D || surface->type == GEN_SURFACE_BUFFER;
	const bool deep = surface->type == GEN_SURFACE_3D;

	*quick = (struct eu_quick){ 0 };
	if (eu_target_select().host == EU_HOST_BASE || image->level_count == 0 ||
		(image->bytes & (image->bytes - 1)) != 0 ||
		!(line || deep || surface->type == GEN_SURFACE_2D) ||
		(surface->type == GEN_SURFACE_BUFFER && surface->pitch != image->bytes))
		return;
	quick->log_bytes = (uint8_t)__builtin_ctz(image->bytes);
	quick->axes = line ? 1 : deep ? 3 : 2;
	quick->row = line ? -1 : 1;
	quick->layer = deep ? 2 : surface->array ? (int8_t)quick->axes : -1;
	place_axes(quick, image);
	quick->format = find_format(image->format);
	quick->typed = find_format(gen_format_of_typed_read(image->format, generation));
	quick->sources = find_sources(image, quick->source);
	const uint64_t reach = reach_of(quick, image);
	quick->ready = quick->size[0] > 0 && reach <= image->reach && reach <= INT32_MAX;
}
