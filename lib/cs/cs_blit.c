// SPDX-License-Identifier: MIT
/* The copy engine's packets since Xe-HP: rectangles of pixels, linear or in tiles. */
#include "cs/cs_state.h"
#include "gen/gen_tile.h"
#include "util/util_bits.h"

/* Tilings of these packets; X tiles are 1, tiles of 64 KiB 3. */
enum { LINEAR = 0, TILE_4 = 2 };

/* A surface as a packet describes it in dwords from `p` on: pitch and tiling, then `base`. */
struct blit {
	uint64_t base;
	uint32_t pitch; /* bytes */
	unsigned tiling;
	uint32_t x, y; /* of the first pixel */
};

/* Bytes of a pixel, by the packet's colour depth; 0 when there is no such depth. */
static unsigned pixel_bytes(uint32_t header)
{
	static const uint8_t bytes[8] = { 1, 2, 4, 8, 12, 16 };

	return bytes[util_bits(header, 21, 19)];
}

/* `corner` and `offset` are the dwords with the first pixel and what is added to it. */
static struct blit read_surface(
	uint32_t layout, uint32_t corner, uint32_t offset, const uint32_t *base)
{
	unsigned tiling = util_bits(layout, 31, 30), unit = tiling == LINEAR ? 1 : 4;

	return (struct blit){
		.base = cs_address(base),
		.pitch = (util_bits(layout, 17, 0) + 1) * unit,
		.tiling = tiling,
		.x = util_bits(corner, 15, 0) + util_bits(offset, 13, 0),
		.y = util_bits(corner, 31, 16) + util_bits(offset, 29, 16),
	};
}

static bool check_surface(struct cs_stream *stream, const struct blit *blit)
{
	if (blit->tiling == LINEAR || blit->tiling == TILE_4)
		return true;
	cs_bad_packet(stream, "the device does not implement tiling %u", blit->tiling);
	return false;
}

static uint64_t pixel_address(const struct blit *blit, uint32_t x, uint32_t y, unsigned bytes)
{
	uint32_t at = (blit->x + x) * bytes;

	return blit->base + (blit->tiling == LINEAR ? gen_tile_linear(blit->pitch, at, blit->y + y)
						    : gen_tile_4(blit->pitch, at, blit->y + y));
}

/* Pixels that lie side by side in memory from x on, of `left`. */
static uint32_t run_of(const struct blit *blit, uint32_t x, uint32_t left, unsigned bytes)
{
	uint32_t room;

	if (blit->tiling == LINEAR)
		return left;
	room = (16 - (blit->x + x) * bytes % 16) / bytes;
	return util_min_u32(room ? room : 1, left);
}

enum cs_status cs_block_copy(struct cs_stream *stream, const uint32_t *p)
{
	unsigned bytes = pixel_bytes(p[0]);
	struct blit to = read_surface(p[1], p[2], p[6], p + 4);
	struct blit from = read_surface(p[8], p[7], p[11], p + 9);
	uint32_t x1 = util_bits(p[2], 15, 0), x2 = util_bits(p[3], 15, 0);
	uint32_t y1 = util_bits(p[2], 31, 16), y2 = util_bits(p[3], 31, 16);
	uint32_t width = x2 > x1 ? x2 - x1 : 0, height = y2 > y1 ? y2 - y1 : 0;

	if (bytes == 0)
		return cs_bad_packet(
			stream, "colour depth %u does not exist", util_bits(p[0], 21, 19));
	if (!check_surface(stream, &to) || !check_surface(stream, &from))
		return CS_FAULT;
	for (uint32_t y = 0; y < height; y++) {
		uint32_t count;

		for (uint32_t x = 0; x < width; x += count) {
			count = util_min_u32(run_of(&from, x, width - x, bytes),
				run_of(&to, x, width - x, bytes));
			if (!cs_copy(stream, pixel_address(&to, x, y, bytes),
				    pixel_address(&from, x, y, bytes), (uint64_t)count * bytes))
				return CS_FAULT;
		}
	}
	return CS_RUN;
}

enum cs_status cs_fast_color(struct cs_stream *stream, const uint32_t *p)
{
	unsigned bytes = pixel_bytes(p[0]);
	struct blit to = read_surface(p[1], p[2], p[6], p + 4);
	uint32_t x1 = util_bits(p[2], 15, 0), x2 = util_bits(p[3], 15, 0);
	uint32_t y1 = util_bits(p[2], 31, 16), y2 = util_bits(p[3], 31, 16);

	if (bytes == 0)
		return cs_bad_packet(
			stream, "colour depth %u does not exist", util_bits(p[0], 21, 19));
	if (!check_surface(stream, &to))
		return CS_FAULT;
	for (uint32_t y = 0; y1 + y < y2; y++)
		for (uint32_t x = 0; x1 + x < x2; x++)
			if (!cs_write(stream, "destination", pixel_address(&to, x, y, bytes), p + 7,
				    bytes))
				return CS_FAULT;
	return CS_RUN;
}
