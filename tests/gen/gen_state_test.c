// SPDX-License-Identifier: MIT
#include "test.h"

#include <string.h>

#include "gen/gen_state.h"

/* A 64 KiB raw buffer and a tiled image, as the compute runtime wrote them. */
static void parses_a_raw_buffer(void **state)
{
	const uint32_t dwords[GEN_SURFACE_STATE_DWORDS] = { 0x87fd4000, 0x04000000, 0x01ff007f, 0,
		0, 0x00004000, 0, 0, 0x53cf2000, 0xffffaaad };
	struct gen_surface_state parsed;

	(void)state;
	memset(&parsed, 0xa5, sizeof(parsed));
	gen_surface_state_parse(GEN_12, dwords, &parsed);
	assert_int_equal(parsed.type, GEN_SURFACE_BUFFER);
	assert_int_equal(parsed.format, GEN_FORMAT_RAW);
	assert_int_equal(parsed.entries, 0x10000);
	assert_int_equal(gen_surface_state_bytes(&parsed), 0x10000);
	assert_true(parsed.base == UINT64_C(0xaaad53cf2000));
}

static void counts_buffers_in_all_three_fields(void **state)
{
	/* size - 1 = 0x7f | 0x3fff << 7 | 0x7ff << 21: 4 GiB */
	uint32_t dwords[GEN_SURFACE_STATE_DWORDS] = { 0x87fc0000, 0, 0x3fff007f, 0xffe00000 };
	struct gen_surface_state parsed;

	(void)state;
	gen_surface_state_parse(GEN_12, dwords, &parsed);
	assert_true(gen_surface_state_bytes(&parsed) == UINT64_C(0x100000000));
	dwords[0] = 4u << 29 | 0x0d8u << 18; /* R32_FLOAT: entries, not bytes */
	dwords[2] = 9;
	dwords[3] = 3;
	gen_surface_state_parse(GEN_12, dwords, &parsed);
	assert_int_equal(parsed.entries, 10);
	assert_int_equal(gen_surface_state_bytes(&parsed), 40);
}

static void parses_an_image(void **state)
{
	const uint32_t dwords[GEN_SURFACE_STATE_DWORDS] = { 0x20097000, 0x04000000, 0x003f003f,
		0x000003ff, 0, 0, 0, 0x09770000, 0x10000, 0 };
	static const uint8_t identity[4] = { 4, 5, 6, 7 };
	struct gen_surface_state parsed;

	(void)state;
	gen_surface_state_parse(GEN_12, dwords, &parsed);
	assert_int_equal(parsed.type, GEN_SURFACE_2D);
	assert_int_equal(parsed.format, 2);
	assert_int_equal(parsed.tile_mode, GEN_TILE_Y);
	assert_int_equal(parsed.width, 64);
	assert_int_equal(parsed.height, 64);
	assert_int_equal(parsed.depth, 1);
	assert_int_equal(parsed.pitch, 1024);
	assert_memory_equal(parsed.select, identity, 4);
	assert_int_equal(gen_surface_state_bytes(&parsed), 0);
}

/* Xe-HPG: Tile4 and Tile64 instead of Y tiles, alignments in bytes, no tiled resources. */
static void parses_an_image_of_xe_hpg(void **state)
{
	uint32_t dwords[GEN_SURFACE_STATE_DWORDS] = { 0x20097000, 0x04000000, 0x003f003f,
		0x000003ff, 0, 3u << 18, 0, 0x09770000, 0x10000, 0 };
	static const uint8_t tiles[4] = { GEN_TILE_LINEAR, GEN_TILE_64, GEN_TILE_X, GEN_TILE_4 };
	struct gen_surface_state parsed;

	(void)state;
	for (uint32_t mode = 0; mode < 4; mode++) {
		dwords[0] = 0x20094000 | mode << 12;
		gen_surface_state_parse(GEN_HPG, dwords, &parsed);
		assert_int_equal(parsed.tile_mode, tiles[mode]);
		assert_int_equal(parsed.horizontal_alignment, 32);
		assert_true(parsed.aligns_bytes);
		assert_int_equal(parsed.tiled_resource_mode, 0);
		assert_int_equal(parsed.width, 64);
	}
	/* Scratch space: 4 KiB for each of many threads. */
	const uint32_t scratch[GEN_SURFACE_STATE_DWORDS] = { 6u << 29, 0, 0x1f007f, 4095 };
	gen_surface_state_parse(GEN_HPG, scratch, &parsed);
	assert_int_equal(parsed.type, GEN_SURFACE_SCRATCH);
	assert_int_equal(gen_surface_state_bytes(&parsed), 4096);
}

static void parses_a_null_surface(void **state)
{
	const uint32_t dwords[GEN_SURFACE_STATE_DWORDS] = { 0xe0000000, 0, 0x3fff3fff, 0xffffffff };
	struct gen_surface_state parsed;

	(void)state;
	gen_surface_state_parse(GEN_12, dwords, &parsed);
	assert_int_equal(parsed.type, GEN_SURFACE_NULL);
	assert_int_equal(gen_surface_state_bytes(&parsed), 0);
	assert_int_equal(gen_binding_table_entry_offset(0x12345fff), 0x12345fc0);
}

static void parses_levels(void **state)
{
	/* minimum level 3 of 5, tiled resource mode 2, auxiliary mode 5 */
	const uint32_t dwords[GEN_SURFACE_STATE_DWORDS] = { 0x30097000, 0x10, 0, 0, 0,
		2u << 18 | 3u << 4 | 4, 5 };
	struct gen_surface_state parsed;

	(void)state;
	gen_surface_state_parse(GEN_12, dwords, &parsed);
	assert_true(parsed.array);
	assert_int_equal(parsed.min_lod, 3);
	assert_int_equal(parsed.mip_count, 5);
	assert_int_equal(parsed.tiled_resource_mode, 2);
	assert_int_equal(parsed.aux_mode, 5);
	assert_int_equal(parsed.qpitch, 64);
}

static void parses_a_sampler(void **state)
{
	/* bias -1.5, linear but for the levels, lod 0.25 to 14, wrap, mirror, border */
	const uint32_t dwords[GEN_SAMPLER_STATE_DWORDS] = { 0x10000000u | 1u << 20 | 1u << 17 |
								    1u << 14 | 0x1e80u << 1,
		64u << 20 | 14u * 256 << 8, 0x123c0u | 2, 0u << 6 | 1u << 3 | 4u | 1u << 10 };
	struct gen_sampler_state parsed;

	(void)state;
	memset(&parsed, 0xa5, sizeof(parsed));
	gen_sampler_state_parse(dwords, &parsed);
	assert_false(parsed.disabled);
	assert_int_equal(parsed.min_filter, GEN_FILTER_LINEAR);
	assert_int_equal(parsed.mag_filter, GEN_FILTER_LINEAR);
	assert_int_equal(parsed.mip_filter, GEN_MIP_NEAREST);
	assert_true(parsed.lod_bias == -1.5f);
	assert_true(parsed.min_lod == 0.25f);
	assert_true(parsed.max_lod == 14.0f);
	assert_int_equal(parsed.border, 0x123c0);
	assert_int_equal(parsed.address[0], GEN_ADDRESS_WRAP);
	assert_int_equal(parsed.address[1], GEN_ADDRESS_MIRROR);
	assert_int_equal(parsed.address[2], GEN_ADDRESS_BORDER);
	assert_true(parsed.unnormalized);
	assert_true(parsed.skip_srgb);
	assert_false(parsed.chroma_key);
	assert_false(parsed.reduction);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parses_a_raw_buffer),
		cmocka_unit_test(counts_buffers_in_all_three_fields),
		cmocka_unit_test(parses_an_image),
		cmocka_unit_test(parses_an_image_of_xe_hpg),
		cmocka_unit_test(parses_a_null_surface),
		cmocka_unit_test(parses_levels),
		cmocka_unit_test(parses_a_sampler),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
