// SPDX-License-Identifier: MIT
#ifndef GEN_FORMAT_H
#define GEN_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/gen_block.h"
#include "gen/gen_inst.h"

/*
 * Formats of image surfaces, and what their bits mean. Channels are red, green, blue, alpha, in
 * this order everywhere. The value of a channel is a dword: a float (normalized and float formats)
 * or an integer (integer formats).
 */

enum { GEN_TEXEL_BYTES = 16 }; /* at most */

enum gen_format_kind {
	GEN_FORMAT_UNORM, /* v / (2^bits - 1) */
	GEN_FORMAT_SNORM, /* v / (2^(bits - 1) - 1), not below -1 */
	GEN_FORMAT_UINT,
	GEN_FORMAT_SINT,
	GEN_FORMAT_FLOAT,  /* 32, 16, 11 and 10 bits */
	GEN_FORMAT_SRGB,   /* as UNORM, and red, green and blue follow the curve of sRGB */
	GEN_FORMAT_SHARED, /* v * 2^(e - 24), with one e of five bits on top; it is only read */
};

/* Where a channel lies, from the lowest bit of the texel's first byte. No bits: it is absent. */
struct gen_channel {
	uint8_t shift, bits;
};

/*
 * A format. Absent channels read as 0, an absent alpha as 1; two channels may lie at the same place
 * (luminance, intensity), and then the first one is what is written.
 */
struct gen_format {
	const char *name;	   /* as the PRM has it, without the prefix */
	uint8_t bytes;		   /* of a texel, or of a block of texels */
	uint8_t decoded_bytes;	   /* that a texel takes in gen_format_decode */
	uint8_t width, height;	   /* of a block: 1 if texels stand alone */
	gen_block_decode *unblock; /* NULL then; else gen_format_decode takes what it makes */
	uint8_t kind;		   /* enum gen_format_kind */
	/*
	 * Packed YUV: texels of 2 bytes share their chroma with a neighbour. `pair` holds the bytes
	 * of the pair that are Cr, Y of the even texel, Cb, Y of the odd one. Use
	 * gen_format_unpair.
	 */
	bool paired;
	uint8_t pair[4];
	struct gen_channel channel[4];
};

/* The format of a surface state's code; NULL when it is not one of an image that OpenCL knows. */
const struct gen_format *gen_format_find(unsigned code);

/*
 * The format by which a typed read of that generation returns texels: what the data port cannot
 * convert, fixed point before Gen11 and packed channels before Xe-HPG, are bits of the same size.
 */
const struct gen_format *gen_format_of_typed_read(
	const struct gen_format *format, enum gen_generation generation);

static inline bool gen_format_is_int(const struct gen_format *format)
{
	return format->kind == GEN_FORMAT_UINT || format->kind == GEN_FORMAT_SINT;
}

/* What a channel that the format lacks reads as. */
uint32_t gen_format_absent(const struct gen_format *format, unsigned channel);

/*
 * Decodes `count` texels, one after another in memory, into values[channel][i]. Correctly rounded.
 * The host has to round to nearest and to keep denormals.
 */
void gen_format_decode(const struct gen_format *format, const void *texels, unsigned count,
	uint32_t *const values[4]);

/*
 * Encodes values[channel][i] into `count` texels of a format that can be written, which those in
 * blocks cannot: floats are
 * multiplied by the largest integer in single precision, rounded to nearest even and clamped (NaN
 * gives 0), as OpenCL prefers (section 8.3.1); integers saturate. The host has to round to nearest
 * and to keep denormals.
 */
void gen_format_encode(const struct gen_format *format, const uint32_t *const values[4],
	unsigned count, void *texels);

/*
 * Sets the bits of the texel (format->bytes of them) that hold the channels of `channels`: bit 0
 * red … bit 3 alpha.
 */
void gen_format_mask(const struct gen_format *format, unsigned channels, uint8_t *mask);

/* The channels, as bits, that are all of a texel together; 0 if there is more in it. */
uint8_t gen_format_fill(const struct gen_format *format);

/*
 * Paired formats: makes the texel that gen_format_decode takes (4 bytes, as the format says of
 * itself) from the 4 bytes of a pair.
 */
void gen_format_unpair(
	const struct gen_format *format, const uint8_t pair[4], bool odd, uint8_t texel[4]);

#endif
