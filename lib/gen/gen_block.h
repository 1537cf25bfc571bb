// SPDX-License-Identifier: MIT
#ifndef GEN_BLOCK_H
#define GEN_BLOCK_H

#include <stdint.h>
#include <string.h>

/*
 * Blocks of texels that are compressed together: BC1 to BC7 (S3TC, RGTC, BPTC), ETC1, ETC2, EAC and
 * ASTC.
 * The Khronos Data Format Specification says what their bits mean.
 */

enum { GEN_BLOCK_BYTES = 16 }; /* at most */

struct gen_format;

/*
 * Decodes the texel in column x and row y of a block, as the channels of `format` say
 * (gen_format.def). Where a specification allows for several results (BC1 to BC3), the exact one is
 * rounded to 8 bits.
 */
typedef void gen_block_decode(
	const struct gen_format *format, const uint8_t *block, unsigned x, unsigned y, void *texel);

gen_block_decode gen_block_bc1; /* BC2 and BC3 have an alpha of their own, */
gen_block_decode gen_block_bc2; /* and four colours in any case */
gen_block_decode gen_block_bc3;
gen_block_decode gen_block_bc4;	       /* one or two channels of floats, with or … */
gen_block_decode gen_block_bc4_signed; /* … without a sign */
gen_block_decode gen_block_bc6h;       /* halfs */
gen_block_decode gen_block_bc6h_signed;
gen_block_decode gen_block_bc7;
gen_block_decode gen_block_etc2;
gen_block_decode gen_block_etc2_punch; /* with alpha of 0 or 1 */
gen_block_decode gen_block_etc2_alpha;
gen_block_decode gen_block_eac; /* as bc4 */
gen_block_decode gen_block_eac_signed;
gen_block_decode gen_block_astc; /* halfs, or bytes if the format is sRGB */

/* gen_block_NAME, which does that: a statement about format, block, x, y and texel. */
#define GEN_BLOCK_DECODER(name, statement)                                                         \
	void gen_block_##name(const struct gen_format *format, const uint8_t *block, unsigned x,   \
		unsigned y, void *texel)                                                           \
	{                                                                                          \
		(void)format;                                                                      \
		statement;                                                                         \
	}

/* Bits of a block of 16 bytes, at most 32, the lowest of the first byte being number 0. */
static inline uint32_t gen_block_bits(const uint8_t *block, unsigned first, unsigned count)
{
	unsigned byte = first < 64 ? first / 8 : 8;
	uint64_t word;

	memcpy(&word, block + byte, sizeof(word));
	return (uint32_t)(word >> (first - 8 * byte)) & (uint32_t)((UINT64_C(1) << count) - 1);
}

#endif
