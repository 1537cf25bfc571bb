// SPDX-License-Identifier: MIT
#include "gen/gen_state.h"

#include "util/util_bits.h"

#define ADDRESS_MASK UINT64_C(0xffffffffffff)

/* What fields of a surface's state mean in each generation. */
static const struct layout {
	uint8_t tile_modes[4], across[4];
	uint16_t clear_bytes, clear_rows;
	uint8_t format_end; /* 27 where there is ASTC */
	bool aligns_bytes, has_tiled_resources, has_clear_address;
} layouts[GEN_GENERATIONS] = {
#define TILES_Y                                                                                    \
	{ GEN_TILE_LINEAR, GEN_TILE_RESERVED, GEN_TILE_X, GEN_TILE_Y },                            \
	{                                                                                          \
		0, 4, 8, 16                                                                        \
	}
	[GEN_9] = { TILES_Y, 256, 32, 27, false, true, false },
	[GEN_11] = { TILES_Y, 256, 32, 27, false, true, true },
	[GEN_12] = { TILES_Y, 256, 16, 27, false, true, true },
#undef TILES_Y
	[GEN_HPG] = { { GEN_TILE_LINEAR, GEN_TILE_64, GEN_TILE_X, GEN_TILE_4 }, { 16, 32, 64, 128 },
		1024, 16, 26, true, false, true },
};

static const uint8_t alignments[4] = { 0, 4, 8, 16 };

static uint64_t buffer_entries(const uint32_t *d)
{
	uint64_t last = util_bits(d[2], 6, 0);

	last |= (uint64_t)util_bits(d[2], 29, 16) << 7;
	last |= (uint64_t)util_bits(d[3], 31, 21) << 21;
	return last + 1;
}

void gen_surface_state_parse(enum gen_generation generation,
	const uint32_t d[GEN_SURFACE_STATE_DWORDS], struct gen_surface_state *out)
{
	const struct layout *layout = &layouts[generation];

	*out = (struct gen_surface_state){
		.type = (uint8_t)util_bits(d[0], 31, 29),
		.array = util_bits(d[0], 28, 28) != 0,
		.format = (uint16_t)util_bits(d[0], layout->format_end, 18),
		.vertical_alignment = alignments[util_bits(d[0], 17, 16)],
		.horizontal_alignment = layout->across[util_bits(d[0], 15, 14)],
		.aligns_bytes = layout->aligns_bytes,
		.tile_mode = layout->tile_modes[util_bits(d[0], 13, 12)],
		.base_mip_level = (uint8_t)util_bits(d[1], 23, 19),
		.qpitch = util_bits(d[1], 14, 0) << 2,
		.width = util_bits(d[2], 13, 0) + 1,
		.height = util_bits(d[2], 29, 16) + 1,
		.depth = util_bits(d[3], 31, 21) + 1,
		.pitch = util_bits(d[3], 17, 0) + 1,
		.min_array_element = (uint16_t)util_bits(d[4], 28, 18),
		.view_extent = (uint16_t)(util_bits(d[4], 17, 7) + 1),
		.samples = (uint8_t)(1u << util_bits(d[4], 5, 3)),
		.x_offset = (uint16_t)(util_bits(d[5], 31, 25) << 2),
		.y_offset = (uint16_t)(util_bits(d[5], 23, 21) << 2),
		.mip_count = (uint8_t)(util_bits(d[5], 3, 0) + 1),
		.aux_mode = (uint8_t)util_bits(d[6], 2, 0),
		.min_lod = (uint8_t)util_bits(d[5], 7, 4),
		.tiled_resource_mode =
			layout->has_tiled_resources ? (uint8_t)util_bits(d[5], 19, 18) : 0,
		.select = { (uint8_t)util_bits(d[7], 27, 25), (uint8_t)util_bits(d[7], 24, 22),
			(uint8_t)util_bits(d[7], 21, 19), (uint8_t)util_bits(d[7], 18, 16) },
		.base = (d[8] | (uint64_t)d[9] << 32) & ADDRESS_MASK,
		.clear_bytes = layout->clear_bytes,
		.clear_rows = layout->clear_rows,
	};
	if (layout->has_clear_address && util_bits(d[10], 10, 10))
		out->clear_address =
			((d[12] & ~UINT32_C(63)) | (uint64_t)d[13] << 32) & ADDRESS_MASK;
	if (out->type == GEN_SURFACE_BUFFER || out->type == GEN_SURFACE_STRUCTURED_BUFFER)
		out->entries = buffer_entries(d);
}

bool gen_depth_buffer_parse(
	enum gen_generation generation, const uint32_t *d, struct gen_surface_state *out)
{
	static const uint16_t formats[8] = { [1] = 0x0d8, [3] = 0x0d9, [5] = 0x10a };
	/* Fields have other places since Gen12. */
	const bool moved = generation >= GEN_12;
	const uint16_t format = formats[moved ? util_bits(d[1], 26, 24) : util_bits(d[1], 20, 18)];

	*out = (struct gen_surface_state){ .type = GEN_SURFACE_2D,
		.format = format,
		.tile_mode = generation < GEN_HPG	    ? GEN_TILE_Y
			     : util_bits(d[6], 31, 30) == 1 ? GEN_TILE_64
							    : GEN_TILE_4,
		.array = true,
		.select = { 4, 5, 6, 7 },
		.horizontal_alignment = moved || format == formats[5] ? 8 : 4,
		.vertical_alignment = moved && format == formats[5] ? 8 : 4,
		.qpitch = util_bits(d[7], 14, 0) << 2,
		.width = (moved ? util_bits(d[4], 14, 1) : util_bits(d[4], 17, 4)) + 1,
		.height = (moved ? util_bits(d[4], 30, 17) : util_bits(d[4], 31, 18)) + 1,
		.depth = (moved ? util_bits(d[5], 30, 20) : util_bits(d[5], 31, 21)) + 1,
		.min_array_element =
			(uint16_t)(moved ? util_bits(d[5], 18, 8) : util_bits(d[5], 20, 10)),
		.pitch = util_bits(d[1], 17, 0) + 1,
		.mip_count =
			(uint8_t)(1 + (moved ? util_bits(d[7], 19, 16) : util_bits(d[4], 3, 0))),
		.samples = 1,
		.base = (d[2] | (uint64_t)d[3] << 32) & ADDRESS_MASK };
	return format && util_bits(d[1], 28, 28) && util_bits(d[1], 31, 29) == GEN_SURFACE_2D;
}

uint64_t gen_surface_state_bytes(const struct gen_surface_state *state)
{
	if (state->type == GEN_SURFACE_SCRATCH)
		return state->pitch;
	return state->entries * (state->format == GEN_FORMAT_RAW ? 1 : state->pitch);
}

void gen_sampler_state_parse(
	const uint32_t d[GEN_SAMPLER_STATE_DWORDS], struct gen_sampler_state *out)
{
	int32_t bias = (int32_t)(d[0] << 18) >> 19; /* s4.8 in bits 13:1 */

	*out = (struct gen_sampler_state){
		.disabled = util_bits(d[0], 31, 31) != 0,
		.mip_filter = (uint8_t)util_bits(d[0], 21, 20),
		.mag_filter = (uint8_t)util_bits(d[0], 19, 17),
		.min_filter = (uint8_t)util_bits(d[0], 16, 14),
		.lod_bias = (float)bias / 256.0f,
		.min_lod = (float)util_bits(d[1], 31, 20) / 256.0f,
		.max_lod = (float)util_bits(d[1], 19, 8) / 256.0f,
		.chroma_key = util_bits(d[1], 7, 7) != 0,
		.shadow = (uint8_t)util_bits(d[1], 3, 1),
		.border = d[2] & ~UINT32_C(63),
		.skip_srgb = util_bits(d[2], 1, 1) != 0,
		.address = { (uint8_t)util_bits(d[3], 8, 6), (uint8_t)util_bits(d[3], 5, 3),
			(uint8_t)util_bits(d[3], 2, 0) },
		.reduction = util_bits(d[3], 9, 9) != 0,
		.unnormalized = util_bits(d[3], 10, 10) != 0,
	};
}
