// SPDX-License-Identifier: MIT
#ifndef GEN_TILE_H
#define GEN_TILE_H

#include <stdint.h>

/*
 * Where byte `x` of row `y` of a surface lies, as an offset from its base. `pitch` is bytes between
 * rows; tiled surfaces have whole tiles, of 4 KiB, next to each other in it.
 */

static inline uint64_t gen_tile_linear(uint32_t pitch, uint32_t x, uint32_t y)
{
	return (uint64_t)y * pitch + x;
}

/* Tiles of 512 bytes by 8 rows, row by row. */
static inline uint64_t gen_tile_x(uint32_t pitch, uint32_t x, uint32_t y)
{
	return ((uint64_t)(y >> 3) * (pitch >> 9) + (x >> 9)) * 4096 + (y & 7) * 512 + (x & 511);
}

/* Tiles of 128 bytes by 32 rows: columns of 16 bytes, one below the other. */
static inline uint64_t gen_tile_y(uint32_t pitch, uint32_t x, uint32_t y)
{
	return ((uint64_t)(y >> 5) * (pitch >> 7) + (x >> 7)) * 4096 + (x >> 4 & 7) * 512 +
	       (y & 31) * 16 + (x & 15);
}

#endif
