// SPDX-License-Identifier: MIT
/* The copy engine's packets since Xe-HP: rectangles of pixels, linear or in tiles. */
#include "cs/cs_state.h"
#include "gen/gen_state.h"
#include "gen/gen_tile.h"
#include "util/util_bits.h"

/* Tilings of these packets; X tiles are 1. */
enum { LINEAR = 0, TILE_4 = 2, TILE_64 = 3 };

/* A slice of a surface as a packet describes it. */
struct blit {
	uint64_t base;
	uint32_t pitch;	 /* bytes */
	uint32_t qpitch; /* rows between slices */
	unsigned tiling;
	const struct gen_tile_64 *tile; /* of TILE_64 */
	bool is_3d;
	unsigned level;
	uint32_t x, y, z; /* of the first pixel */
	unsigned bytes;	  /* of a pixel */
};

/* Bytes of a pixel, by the packet's colour depth; 0 when there is no such depth. */
static unsigned pixel_bytes(uint32_t header)
{
	static const uint8_t bytes[8] = { 1, 2, 4, 8, 12, 16 };

	return bytes[util_bits(header, 21, 19)];
}

/*
 * The surface whose pitch, first pixel and base are in these dwords, with what is added to the
 * first pixel behind the base; from `extent` on are size and type, level and rows between slices,
 * and the slice.
 */
static struct blit read_surface(
	const uint32_t *p, unsigned pitch, unsigned corner, unsigned base, unsigned extent)
{
	const uint32_t layout = p[pitch], first = p[corner], offset = p[base + 2];
	unsigned tiling = util_bits(layout, 31, 30), unit = tiling == LINEAR ? 1 : 4;
	unsigned bytes = pixel_bytes(p[0]);
	bool is_3d = util_bits(p[extent], 31, 29) == GEN_SURFACE_3D;

	return (struct blit){
		.base = cs_address(p + base),
		.pitch = (util_bits(layout, 17, 0) + 1) * unit,
		.qpitch = util_bits(p[extent + 1], 20, 4) * 4,
		.tiling = tiling,
		.tile = bytes ? gen_tile_64_find(bytes, is_3d) : NULL,
		.is_3d = is_3d,
		.level = util_bits(p[extent + 1], 3, 0),
		.x = util_bits(first, 15, 0) + util_bits(offset, 13, 0),
		.y = util_bits(first, 31, 16) + util_bits(offset, 29, 16),
		.z = util_bits(p[extent + 2], 31, 21),
		.bytes = bytes,
	};
}

static bool check_surface(struct cs_stream *stream, const struct blit *blit)
{
	if (blit->level != 0)
		cs_bad_packet(stream, "the device does not copy level %u", blit->level);
	else if (blit->tiling == LINEAR || blit->tiling == TILE_4 ||
		 (blit->tiling == TILE_64 && blit->bytes != 12))
		return true;
	else
		cs_bad_packet(stream, "the device does not implement tiling %u", blit->tiling);
	return false;
}

static uint64_t pixel_address(const struct blit *blit, uint32_t x, uint32_t y)
{
	bool shares = blit->tiling == TILE_64 && blit->is_3d; /* tiles, between slices */
	uint32_t at = (blit->x + x) * blit->bytes;
	uint32_t row = blit->y + y + (shares ? 0 : blit->z * blit->qpitch);

	if (blit->tiling == TILE_64)
		return blit->base + gen_tile_64(blit->tile, blit->pitch, blit->qpitch, at, row,
					    shares ? blit->z : 0);
	return blit->base + (blit->tiling == LINEAR ? gen_tile_linear(blit->pitch, at, row)
						    : gen_tile_4(blit->pitch, at, row));
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
	struct blit to = read_surface(p, 1, 2, 4, 16);
	struct blit from = read_surface(p, 8, 7, 9, 19);
	uint32_t x1 = util_bits(p[2], 15, 0), x2 = util_bits(p[3], 15, 0);
	uint32_t y1 = util_bits(p[2], 31, 16), y2 = util_bits(p[3], 31, 16);
	uint32_t width = x2 > x1 ? x2 - x1 : 0, height = y2 > y1 ? y2 - y1 : 0;

	if (to.bytes == 0)
		return cs_bad_packet(
			stream, "colour depth %u does not exist", util_bits(p[0], 21, 19));
	if (!check_surface(stream, &to) || !check_surface(stream, &from))
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
	struct blit to = read_surface(p, 1, 2, 4, 13);
	uint32_t x1 = util_bits(p[2], 15, 0), x2 = util_bits(p[3], 15, 0);
	uint32_t y1 = util_bits(p[2], 31, 16), y2 = util_bits(p[3], 31, 16);

	if (to.bytes == 0)
		return cs_bad_packet(
			stream, "colour depth %u does not exist", util_bits(p[0], 21, 19));
	if (!check_surface(stream, &to))
		return CS_FAULT;
	for (uint32_t y = 0; y1 + y < y2; y++)
		for (uint32_t x = 0; x1 + x < x2; x++)
			if (!cs_write(stream, "destination", pixel_address(&to, x, y), p + 7,
				    to.bytes))
				return CS_FAULT;
	return CS_RUN;
}
