// SPDX-License-Identifier: MIT
#ifndef GEN_STATE_H
#define GEN_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/gen_inst.h"

/* Indirect state that threads reach by themselves, as plain structs. Addresses have 48 bits. */

enum { GEN_SURFACE_STATE_DWORDS = 16, GEN_SURFACE_COLOUR = 12, GEN_SAMPLER_STATE_DWORDS = 4 };

enum gen_surface_type {
	GEN_SURFACE_1D,
	GEN_SURFACE_2D,
	GEN_SURFACE_3D,
	GEN_SURFACE_CUBE,
	GEN_SURFACE_BUFFER,
	GEN_SURFACE_STRUCTURED_BUFFER,
	GEN_SURFACE_SCRATCH, /* a buffer for each thread, `pitch` bytes apart */
	GEN_SURFACE_NULL,
};

enum gen_tile_mode {
	GEN_TILE_LINEAR,
	GEN_TILE_RESERVED,
	GEN_TILE_X,
	GEN_TILE_Y,
	GEN_TILE_4,
	GEN_TILE_64,
};

enum { GEN_FORMAT_RAW = 0x1ff };

/* What a surface has beside its texels: nothing, which of them are cleared, how deep they are in
 * larger rectangles, or which of them are cleared or compressed (lossless). */
enum gen_aux_mode { GEN_AUX_NONE, GEN_AUX_CCS_D, GEN_AUX_HIZ = 3, GEN_AUX_CCS_E = 5 };

/* RENDER_SURFACE_STATE. Sizes are real ones, not minus one. */
struct gen_surface_state {
	uint8_t type;	 /* enum gen_surface_type */
	uint16_t format; /* the hardware's code */
	uint8_t tile_mode;
	bool array;
	/* Of levels: texels, but bytes across since Xe-HP; 0 when reserved. */
	uint8_t horizontal_alignment, vertical_alignment;
	bool aligns_bytes;
	uint32_t qpitch;		   /* rows between slices */
	uint8_t base_mip_level, mip_count; /* mip_count: levels in all */
	uint32_t width, height, depth;	   /* texels; depth also counts layers */
	uint32_t pitch;			   /* bytes between rows */
	uint16_t min_array_element, view_extent;
	uint16_t x_offset, y_offset; /* texels */
	uint8_t samples;
	uint8_t aux_mode;	     /* enum gen_aux_mode; others are for drawing */
	uint8_t min_lod;	     /* added to the level that a message asks for */
	uint8_t tiled_resource_mode; /* 0: none, the tile mode is all there is */
	uint8_t select[4];	     /* channel selects of red, green, blue, alpha */
	uint64_t base;
	/* Address of the colour, four dwords, of texels that are noted as cleared; 0: it is in the
	 * state, from GEN_SURFACE_COLOUR on. A pixel that notes them stands for clear_bytes of each
	 * of clear_rows rows. */
	uint64_t clear_address;
	uint16_t clear_bytes, clear_rows;
	/* Buffers: how many entries of `pitch` bytes, or bytes when the format is RAW. */
	uint64_t entries;
};

/* Parses the 16 dwords of a RENDER_SURFACE_STATE of that generation. */
void gen_surface_state_parse(enum gen_generation generation,
	const uint32_t dwords[GEN_SURFACE_STATE_DWORDS], struct gen_surface_state *out);

/*
 * The surface that a 3DSTATE_DEPTH_BUFFER, 8 dwords of that generation, describes: the level that
 * is drawn to is the last one. Returns false if it describes none that is written.
 */
bool gen_depth_buffer_parse(
	enum gen_generation generation, const uint32_t *dwords, struct gen_surface_state *out);

/* Bytes that a buffer surface spans, of one thread if it is for scratch; 0 for a null surface and
 * for images. */
uint64_t gen_surface_state_bytes(const struct gen_surface_state *state);

enum gen_filter { GEN_FILTER_NEAREST, GEN_FILTER_LINEAR };

enum gen_mip_filter { GEN_MIP_NONE, GEN_MIP_NEAREST, GEN_MIP_LINEAR = 3 };

enum gen_address_mode {
	GEN_ADDRESS_WRAP,
	GEN_ADDRESS_MIRROR,
	GEN_ADDRESS_CLAMP, /* to the edge */
	GEN_ADDRESS_CUBE,
	GEN_ADDRESS_BORDER,
	GEN_ADDRESS_MIRROR_ONCE,
	GEN_ADDRESS_HALF_BORDER,
	GEN_ADDRESS_MIRROR_101,
};

/* SAMPLER_STATE. */
struct gen_sampler_state {
	bool disabled;
	uint8_t min_filter, mag_filter; /* enum gen_filter; others are not OpenCL's */
	uint8_t mip_filter;		/* enum gen_mip_filter */
	float min_lod, max_lod, lod_bias;
	uint32_t border;    /* offset of the border colour from the dynamic state base */
	uint8_t address[3]; /* enum gen_address_mode, of x, y and z */
	bool unnormalized;  /* coordinates count texels */
	bool skip_srgb;	    /* sRGB texels are taken as UNORM */
	bool chroma_key, reduction;
	uint8_t shadow; /* texels become 0 where they are so, as against the reference, else 1 */
};

void gen_sampler_state_parse(
	const uint32_t dwords[GEN_SAMPLER_STATE_DWORDS], struct gen_sampler_state *out);

/* A binding table entry: offset of the surface state from the surface state base. */
static inline uint32_t gen_binding_table_entry_offset(uint32_t dword)
{
	return dword & ~UINT32_C(63);
}

#endif
