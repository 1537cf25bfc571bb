// SPDX-License-Identifier: MIT
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "gen/gen_tile.h"

/*
 * Tiles as the PRM draws them: the address bits within a tile, lowest first, each a bit of the
 * column (x0 …) or of the row (y0 …).
 */
static const char *const x_bits[] = { "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "y0",
	"y1", "y2" };
static const char *const y_bits[] = { "x0", "x1", "x2", "x3", "y0", "y1", "y2", "y3", "y4", "x4",
	"x5", "x6" };
static const char *const bits_4[] = { "x0", "x1", "x2", "x3", "y0", "y1", "x4", "x5", "y2", "x6",
	"y3", "y4" };

static uint32_t swizzle(const char *const bits[12], uint32_t x, uint32_t y)
{
	uint32_t offset = 0;

	for (unsigned i = 0; i < 12; i++)
		offset |= ((bits[i][0] == 'x' ? x : y) >> (bits[i][1] - '0') & 1) << i;
	return offset;
}

static void test_tiles(void **state)
{
	(void)state;
	for (uint32_t y = 0; y < 64; y++)
		for (uint32_t x = 0; x < 2048; x++) {
			assert_int_equal(gen_tile_x(2048, x, y),
				(y / 8 * 4 + x / 512) * 4096 + swizzle(x_bits, x % 512, y % 8));
			assert_int_equal(gen_tile_y(2048, x, y),
				(y / 32 * 16 + x / 128) * 4096 + swizzle(y_bits, x % 128, y % 32));
			assert_int_equal(gen_tile_4(2048, x, y),
				(y / 32 * 16 + x / 128) * 4096 + swizzle(bits_4, x % 128, y % 32));
			assert_int_equal(gen_tile_linear(2500, x, y), y * 2500 + x);
		}
}

/* Tile64: bits of the offset, highest first, by the size of a texel, flat and deep. */
static const char *const bits_64[2][5] = {
	{ "YYYXYYXYXXYYXXXX", "YYXXYYXYXXYYXXXX", "YYXXYYXYXXYYXXXX", "YXXXYYXYXXYYXXXX",
		"YXXXYYXYXXYYXXXX" },
	{ "ZZZXYYZYZXYYXXXX", "ZZZYYXZYZXYYXXXX", "ZZYXYXZYZXYYXXXX", "ZZYXXXZYZXYYXXXX",
		"ZZYXXXZYZXYYXXXX" },
};

static void test_tiles_of_64_kib(void **state)
{
	enum { PITCH = 2048, ROWS = 512 };
	uint64_t seed = 1;

	(void)state;
	for (unsigned i = 0; i < 100000; i++) {
		uint64_t random = seed = seed * 6364136223846793005u + 1442695040888963407u;
		unsigned deep = i % 2, size = i / 2 % 5;
		uint32_t at[3] = { random >> 20 & (PITCH - 1), random >> 33 & (ROWS - 1),
			deep ? random >> 45 & 63 : 0 };
		uint32_t rest[3] = { at[0], at[1], at[2] }, tiles[3] = { 1, 1, 1 }, offset = 0;

		for (unsigned bit = 0; bit < 16; bit++) {
			unsigned axis = (unsigned)(bits_64[deep][size][15 - bit] - 'X');

			offset |= (rest[axis] & 1) << bit;
			rest[axis] >>= 1;
			tiles[axis] *= 2;
		}
		assert_int_equal(gen_tile_64(gen_tile_64_find(1u << size, deep), PITCH, ROWS, at[0],
					 at[1], at[2]),
			((uint64_t)(rest[2] * (ROWS / tiles[1]) + rest[1]) * (PITCH / tiles[0]) +
				rest[0]) *
					65536 +
				offset);
	}
}

/* Every byte of a surface of whole tiles is used once. */
static void test_fills(void **state)
{
	enum { PITCH = 1024, ROWS = 64 };
	uint64_t (*const functions[])(uint32_t, uint32_t, uint32_t) = { gen_tile_linear, gen_tile_x,
		gen_tile_y, gen_tile_4 };
	uint8_t *seen = malloc(PITCH * ROWS);

	(void)state;
	assert_non_null(seen);
	for (unsigned i = 0; i < 4; i++) {
		memset(seen, 0, PITCH * ROWS);
		for (uint32_t y = 0; y < ROWS; y++)
			for (uint32_t x = 0; x < PITCH; x++) {
				uint64_t offset = functions[i](PITCH, x, y);
				assert_true(offset < PITCH * ROWS);
				assert_int_equal(seen[offset]++, 0);
			}
	}
	free(seen);
}

static void test_is_large(void **state)
{
	(void)state;
	assert_int_equal(gen_tile_y(262144, 262143, 0x7fffffff),
		UINT64_C(0x3ffffff) * 2048 * 4096 + 2048 * 4096 - 1);
	assert_int_equal(gen_tile_linear(262144, 5, 0xffffffff), 0xffffffff * 262144ull + 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tiles),
		cmocka_unit_test(test_tiles_of_64_kib),
		cmocka_unit_test(test_fills),
		cmocka_unit_test(test_is_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
