// SPDX-License-Identifier: MIT
/* BC1 to BC5. */
#include "gen/gen_block.h"

#include <math.h>
#include <stdbool.h>

#include "gen/gen_format.h"

/* ---- colours: two of them, and their mixtures ---- */

/* A mixture of channels of `most` at most, in thirds or halves, with 8 bits. */
static uint8_t mix(unsigned a, unsigned b, unsigned share, unsigned parts, unsigned most)
{
	unsigned whole = parts * most;

	return (uint8_t)((510 * (a * (parts - share) + b * share) + whole) / (2 * whole));
}

/* `four`: there are four colours, whichever comes first. */
static void decode_colour(const uint8_t *block, bool four, unsigned number, uint8_t *texel)
{
	static const uint8_t shares[2][4] = { { 0, 2, 1, 0 }, { 0, 3, 1, 2 } };
	const unsigned a = block[0] | block[1] << 8, b = block[2] | block[3] << 8;
	const unsigned index = block[4 + number / 4] >> number % 4 * 2 & 3;
	const bool thirds = four || a > b;
	const unsigned share = shares[thirds][index], parts = thirds ? 3 : 2;
	const bool none = !thirds && index == 3;

	texel[0] = mix(a >> 11, b >> 11, share, parts, 31);
	texel[1] = mix(a >> 5 & 63, b >> 5 & 63, share, parts, 63);
	texel[2] = mix(a & 31, b & 31, share, parts, 31);
	texel[3] = 255;
	if (none)
		memset(texel, 0, 4);
}

/* ---- single channels: two values, and their mixtures in sevenths or fifths ---- */

static double decode_channel(const uint8_t *block, bool with_sign, unsigned number)
{
	const double most = with_sign ? 127 : 255, least = with_sign ? -127 : 0;
	double a = with_sign ? fmax((int8_t)block[0], least) : block[0];
	double b = with_sign ? fmax((int8_t)block[1], least) : block[1];
	const unsigned parts = a > b ? 7 : 5;
	uint64_t word;
	unsigned index;

	memcpy(&word, block, sizeof(word));
	index = (unsigned)(word >> (16 + 3 * number) & 7);
	if (index < 2)
		return (index ? b : a) / most;
	if (index > parts)
		return (index == 7 ? most : least) / most;
	return (a * (parts + 1 - index) + b * (index - 1)) / (parts * most);
}

static void decode_channels(const struct gen_format *format, const uint8_t *block, bool with_sign,
	unsigned number, void *texel)
{
	float value[2];

	for (unsigned c = 0; c < format->bytes / 8u; c++)
		value[c] = (float)decode_channel(block + 8 * c, with_sign, number);
	memcpy(texel, value, format->decoded_bytes);
}

/* ---- the formats ---- */

GEN_BLOCK_DECODER(bc1, decode_colour(block, false, 4 * y + x, texel))
GEN_BLOCK_DECODER(bc4, decode_channels(format, block, false, 4 * y + x, texel))
GEN_BLOCK_DECODER(bc4_signed, decode_channels(format, block, true, 4 * y + x, texel))

void gen_block_bc2(
	const struct gen_format *format, const uint8_t *block, unsigned x, unsigned y, void *texel)
{
	const unsigned number = 4 * y + x;
	uint8_t *out = texel;

	(void)format;
	decode_colour(block + 8, true, number, out);
	out[3] = (uint8_t)(17 * (block[number / 2] >> number % 2 * 4 & 15));
}

void gen_block_bc3(
	const struct gen_format *format, const uint8_t *block, unsigned x, unsigned y, void *texel)
{
	const unsigned number = 4 * y + x;
	uint8_t *out = texel;

	(void)format;
	decode_colour(block + 8, true, number, out);
	out[3] = (uint8_t)lrint(255 * decode_channel(block, false, number));
}
