// SPDX-License-Identifier: MIT
#ifndef GEN_STATE_H
#define GEN_STATE_H

#include <stdbool.h>
#include <stdint.h>

/* Indirect state that threads reach by themselves, as plain structs. Addresses have 48 bits. */

enum { GEN_SURFACE_STATE_DWORDS = 16 };

enum gen_surface_type {
	GEN_SURFACE_1D,
	GEN_SURFACE_2D,
	GEN_SURFACE_3D,
	GEN_SURFACE_CUBE,
	GEN_SURFACE_BUFFER,
	GEN_SURFACE_STRUCTURED_BUFFER,
	GEN_SURFACE_RESERVED,
	GEN_SURFACE_NULL,
};

enum gen_tile_mode { GEN_TILE_LINEAR, GEN_TILE_RESERVED, GEN_TILE_X, GEN_TILE_Y };

enum { GEN_FORMAT_RAW = 0x1ff };

/* RENDER_SURFACE_STATE of Gen9 to Gen12LP. Sizes are real ones, not minus one. */
struct gen_surface_state {
	uint8_t type;	 /* enum gen_surface_type */
	uint16_t format; /* the hardware's code */
	uint8_t tile_mode;
	bool array;
	uint8_t horizontal_alignment, vertical_alignment; /* texels: 4, 8, 16; 0 when reserved */
	uint32_t qpitch;				  /* rows between slices */
	uint8_t base_mip_level, mip_count;		  /* mip_count: levels in all */
	uint32_t width, height, depth;			  /* texels; depth also counts layers */
	uint32_t pitch;					  /* bytes between rows */
	uint16_t min_array_element, view_extent;
	uint16_t x_offset, y_offset; /* texels */
	uint8_t samples;
	uint8_t aux_mode;
	uint8_t select[4]; /* channel selects of red, green, blue, alpha */
	uint64_t base;
	/* Buffers: how many entries of `pitch` bytes, or bytes when the format is RAW. */
	uint64_t entries;
};

/* Parses the 16 dwords of a RENDER_SURFACE_STATE. */
void gen_surface_state_parse(
	const uint32_t dwords[GEN_SURFACE_STATE_DWORDS], struct gen_surface_state *out);

/* Bytes that a buffer surface spans; 0 for a null surface and for images. */
uint64_t gen_surface_state_bytes(const struct gen_surface_state *state);

/* A binding table entry: offset of the surface state from the surface state base. */
static inline uint32_t gen_binding_table_entry_offset(uint32_t dword)
{
	return dword & ~UINT32_C(63);
}

#endif
