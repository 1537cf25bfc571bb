// SPDX-License-Identifier: MIT
#ifndef GEN_TILE_H
#define GEN_TILE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Where byte `x` of row `y` of a surface lies, as an offset from its base: what the column adds and
 * what the row adds. `pitch` is bytes between rows; tiled surfaces have whole tiles, of 4 KiB, next
 * to each other in it.
 */
#define GEN_TILE(name, column, row)                                                                \
	static inline uint32_t gen_tile_##name##_column(uint32_t x)                                \
	{                                                                                          \
		return column;                                                                     \
	}                                                                                          \
	static inline uint64_t gen_tile_##name##_row(uint32_t pitch, uint32_t y)                   \
	{                                                                                          \
		return row;                                                                        \
	}                                                                                          \
	static inline uint64_t gen_tile_##name(uint32_t pitch, uint32_t x, uint32_t y)             \
	{                                                                                          \
		return gen_tile_##name##_column(x) + gen_tile_##name##_row(pitch, y);              \
	}

GEN_TILE(linear, x, (uint64_t)y *pitch)
/* Tiles of 512 bytes by 8 rows, row by row. */
GEN_TILE(x, (x >> 9) * 4096 + (x & 511), (uint64_t)(y >> 3) * (pitch >> 9) * 4096 + (y & 7) * 512)
/* Tiles of 128 bytes by 32 rows: columns of 16 bytes, one below the other. */
GEN_TILE(y, (x >> 4) * 512 + (x & 15), (uint64_t)(y >> 5) * (pitch >> 7) * 4096 + (y & 31) * 16)
/*
 * Tile4: tiles of 128 bytes by 32 rows, of blocks of 16 bytes by 4 rows. Bits of the offset in a
 * tile, lowest first: x0-3, y0-1, x4-5, y2, x6, y3-4.
 */
GEN_TILE(4, (x >> 7) * 4096 + (x & 15) + (x >> 4 & 3) * 64 + (x >> 6 & 1) * 512,
	(uint64_t)(y >> 5) * (pitch >> 7) * 4096 + (y & 3) * 16 + (y >> 2 & 1) * 256 +
		(y >> 3 & 3) * 1024)

/* Tile64: which bits of an offset in a tile of 64 KiB come from x (in bytes), y and z. */
struct gen_tile_64 {
	uint16_t x, y, z;
};

/* The tile of texels of that many bytes; three-dimensional surfaces have tiles of their own. */
static inline const struct gen_tile_64 *gen_tile_64_find(uint32_t texel_bytes, bool is_3d)
{
	static const struct gen_tile_64 tiles[2][5] = {
		{ { 0x12cf, 0xed30, 0 }, { 0x32cf, 0xcd30, 0 }, { 0x32cf, 0xcd30, 0 },
			{ 0x72cf, 0x8d30, 0 }, { 0x72cf, 0x8d30, 0 } },
		{ { 0x104f, 0x0d30, 0xe280 }, { 0x044f, 0x1930, 0xe280 },
			{ 0x144f, 0x2930, 0xc280 }, { 0x1c4f, 0x2130, 0xc280 },
			{ 0x1c4f, 0x2130, 0xc280 } },
	};

	return &tiles[is_3d][__builtin_ctz(texel_bytes)];
}

/* The low bits of `value` at the places of `mask`; what is left of it goes to *rest. */
static inline uint32_t gen_tile_deposit(uint32_t value, uint32_t mask, uint32_t *rest)
{
	uint32_t bits = 0;

	for (; mask != 0; mask &= mask - 1, value >>= 1)
		bits |= (value & 1) != 0 ? mask & (0 - mask) : 0;
	*rest = value;
	return bits;
}

static inline uint64_t gen_tile_64_column(const struct gen_tile_64 *tile, uint32_t x)
{
	uint32_t across, offset = gen_tile_deposit(x, tile->x, &across);

	return (uint64_t)across * 65536 + offset;
}

/* `rows` are those between slices, whole tiles. */
static inline uint64_t gen_tile_64_row(
	const struct gen_tile_64 *tile, uint32_t pitch, uint32_t rows, uint32_t y, uint32_t z)
{
	uint32_t down, deep;
	uint32_t offset = gen_tile_deposit(y, tile->y, &down) | gen_tile_deposit(z, tile->z, &deep);

	pitch >>= __builtin_popcount(tile->x);
	rows >>= __builtin_popcount(tile->y);
	return ((uint64_t)deep * rows + down) * pitch * 65536 + offset;
}

static inline uint64_t gen_tile_64(const struct gen_tile_64 *tile, uint32_t pitch, uint32_t rows,
	uint32_t x, uint32_t y, uint32_t z)
{
	return gen_tile_64_column(tile, x) + gen_tile_64_row(tile, pitch, rows, y, z);
}

#endif
