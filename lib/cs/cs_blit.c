// SPDX-License-Identifier: MIT
/* The copy engine's packets since Xe-HP: rectangles of pixels, linear or in tiles. */
#include "cs/cs_state.h"
#include "gen/gen_state.h"
#include "gen/gen_tile.h"
#include "util/util_bits.h"

/* Tilings of these packets. */
enum { LINEAR, TILE_X, TILE_4, TILE_64 };

/* A surface as a packet describes it. */
struct blit {
	uint64_t base;
	uint32_t pitch;	 /* bytes */
	uint32_t qpitch; /* rows between slices */
	unsigned tiling;
	const struct gen_tile_64 *tile; /* of TILE_64 */
	uint32_t x, y, z;		/* of the first pixel; z: of slices that share tiles */
	unsigned bytes;			/* of a pixel */
};

/*
 * The surface whose pitch, first pixel and base are in these dwords, with what is added to the
 * first pixel behind the base; from `extent` on are type, level and rows between slices, and slice.
 * False, with a report, if the device has no such one.
 */
static bool read_surface(struct cs_stream *stream, const uint32_t *p, unsigned pitch,
	unsigned corner, unsigned base, unsigned extent, struct blit *blit)
{
	static const uint8_t sizes[8] = { 1, 2, 4, 8, 12, 16 }; /* by the colour depth */
	const uint32_t layout = p[pitch], first = p[corner], offset = p[base + 2];
	const unsigned tiling = util_bits(layout, 31, 30), bytes = sizes[util_bits(p[0], 21, 19)];
	const uint32_t slice = util_bits(p[extent + 2], 31, 21);
	const bool is_3d = util_bits(p[extent], 31, 29) == GEN_SURFACE_3D;

	if (bytes == 0)
		cs_bad_packet(stream, "colour depth %u does not exist", util_bits(p[0], 21, 19));
	else if (util_bits(p[extent + 1], 3, 0) != 0)
		cs_bad_packet(stream, "the device does not copy levels");
	else if (tiling == TILE_X || (tiling == TILE_64 && bytes == 12))
		cs_bad_packet(stream, "the device does not implement tiling %u", tiling);
	else {
		*blit = (struct blit){
			.base = cs_address(p + base),
			.pitch = (util_bits(layout, 17, 0) + 1) * (tiling == LINEAR ? 1 : 4),
			.qpitch = util_bits(p[extent + 1], 20, 4) * 4,
			.tiling = tiling,
			.tile = gen_tile_64_find(bytes, is_3d),
			.x = util_bits(first, 15, 0) + util_bits(offset, 13, 0),
			.y = util_bits(first, 31, 16) + util_bits(offset, 29, 16),
			.bytes = bytes,
		};
		if (tiling == TILE_64 && is_3d)
			blit->z = slice;
		else
			blit->y += slice * blit->qpitch;
		return true;
	}
	return false;
}

static uint64_t pixel_address(const struct blit *blit, uint32_t x, uint32_t y)
{
	x = (blit->x + x) * blit->bytes;
	y += blit->y;
	if (blit->tiling == TILE_64)
		return blit->base +
		       gen_tile_64(blit->tile, blit->pitch, blit->qpitch, x, y, blit->z);
	return blit->base + (blit->tiling == LINEAR ? gen_tile_linear(blit->pitch, x, y)
						    : gen_tile_4(blit->pitch, x, y));
}

/* Pixels that lie side by side in memory from x on, of `left`. */
static uint32_t run_of(const struct blit *blit, uint32_t x, uint32_t left)
{
	uint32_t room;

	if (blit->tiling == LINEAR)
		return left;
	room = (16 - (blit->x + x) * blit->bytes % 16) / blit->bytes;
	return util_min_u32(room ? room : 1, left);
}

enum cs_status cs_block_copy(struct cs_stream *stream, const uint32_t *p)
{
	struct blit to, from;
	uint32_t x1 = util_bits(p[2], 15, 0), x2 = util_bits(p[3], 15, 0);
	uint32_t y1 = util_bits(p[2], 31, 16), y2 = util_bits(p[3], 31, 16);
	uint32_t width = x2 > x1 ? x2 - x1 : 0, height = y2 > y1 ? y2 - y1 : 0;

	if (!read_surface(stream, p, 1, 2, 4, 16, &to) ||
		!read_surface(stream, p, 8, 7, 9, 19, &from))
		return CS_FAULT;
	for (uint32_t y = 0; y < height; y++) {
		uint32_t count;

		for (uint32_t x = 0; x < width; x += count) {
			count = util_min_u32(
				run_of(&from, x, width - x), run_of(&to, x, width - x));
			if (!cs_copy(stream, pixel_address(&to, x, y), pixel_address(&from, x, y),
				    (uint64_t)count * to.bytes))
				return CS_FAULT;
		}
	}
	return CS_RUN;
}

enum cs_status cs_fast_color(struct cs_stream *stream, const uint32_t *p)
{
	struct blit to;
	uint32_t x1 = util_bits(p[2], 15, 0), x2 = util_bits(p[3], 15, 0);
	uint32_t y1 = util_bits(p[2], 31, 16), y2 = util_bits(p[3], 31, 16);

	if (!read_surface(stream, p, 1, 2, 4, 13, &to))
		return CS_FAULT;
	for (uint32_t y = 0; y1 + y < y2; y++)
		for (uint32_t x = 0; x1 + x < x2; x++)
			if (!cs_write(stream, "destination", pixel_address(&to, x, y), p + 7,
				    to.bytes))
				return CS_FAULT;
	return CS_RUN;
}
