// SPDX-License-Identifier: MIT
/* ETC1, ETC2 and EAC. Their blocks are words of 64 bits, the highest byte first. */
#include <stdbool.h>

#include "gen/gen_block.h"
#include "gen/gen_format.h"
#include "util/util_bits.h"

struct colour {
	int channel[3];
};

static uint64_t read_word(const uint8_t *block)
{
	uint64_t word;

	memcpy(&word, block, sizeof(word));
	return __builtin_bswap64(word);
}

static int clamp(int value, int least, int most)
{
	return value < least ? least : value > most ? most : value;
}

static int extend(unsigned value, unsigned bits)
{
	return (int)(value << (8 - bits) | value >> (2 * bits - 8));
}

/* Texels are counted down the columns. */
static unsigned index_of(uint64_t word, unsigned number)
{
	return (unsigned)((word >> (number + 16) & 1) << 1 | (word >> number & 1));
}

static void put(const struct colour *colour, int more, uint8_t *texel)
{
	for (unsigned c = 0; c < 3; c++)
		texel[c] = (uint8_t)clamp(colour->channel[c] + more, 0, 255);
}

/* ---- the kinds of blocks ---- */

/* A colour for each half, and steps from it. `base` is the half's; `opaque`: see decode. */
static void decode_halves(uint64_t word, const struct colour base[2], bool opaque, unsigned x,
	unsigned y, uint8_t *texel)
{
	static const uint8_t steps[8][2] = { { 2, 8 }, { 5, 17 }, { 9, 29 }, { 13, 42 }, { 18, 60 },
		{ 24, 80 }, { 33, 106 }, { 47, 183 } };
	const bool flip = util_bits(word, 32, 32);
	const bool second = (flip ? y : x) >= 2;
	const unsigned index = index_of(word, 4 * x + y);
	const uint8_t *step = steps[second ? util_bits(word, 36, 34) : util_bits(word, 39, 37)];
	int more = index & 1 || opaque ? step[index & 1] : 0;

	put(&base[second], index & 2 ? -more : more, texel);
}

/* Four colours: of two, one or both of them with steps to both sides. */
static void decode_paint(const struct colour *base, const int8_t more[4], unsigned distance,
	unsigned index, uint8_t *texel)
{
	static const uint8_t distances[8] = { 3, 6, 11, 16, 23, 32, 41, 64 };

	put(base, more[index] * distances[distance], texel);
}

static void decode_t(uint64_t word, unsigned index, uint8_t *texel)
{
	static const int8_t more[4] = { 0, 1, 0, -1 };
	const struct colour colours[2] = {
		{ { 17 * (int)(util_bits(word, 60, 59) << 2 | util_bits(word, 57, 56)),
			17 * (int)util_bits(word, 55, 52), 17 * (int)util_bits(word, 51, 48) } },
		{ { 17 * (int)util_bits(word, 47, 44), 17 * (int)util_bits(word, 43, 40),
			17 * (int)util_bits(word, 39, 36) } },
	};
	unsigned distance = util_bits(word, 35, 34) << 1 | util_bits(word, 32, 32);

	decode_paint(&colours[index != 0], more, distance, index, texel);
}

static void decode_h(uint64_t word, unsigned index, uint8_t *texel)
{
	static const int8_t more[4] = { 1, -1, 1, -1 };
	const unsigned channels[2][3] = {
		{ util_bits(word, 62, 59), util_bits(word, 58, 56) << 1 | util_bits(word, 52, 52),
			util_bits(word, 51, 51) << 3 | util_bits(word, 49, 47) },
		{ util_bits(word, 46, 43), util_bits(word, 42, 39), util_bits(word, 38, 35) },
	};
	const unsigned *chosen = channels[index >> 1];
	const struct colour colour = { { 17 * (int)chosen[0], 17 * (int)chosen[1],
		17 * (int)chosen[2] } };
	unsigned order[2];

	for (unsigned i = 0; i < 2; i++)
		order[i] = channels[i][0] << 8 | channels[i][1] << 4 | channels[i][2];
	decode_paint(&colour, more,
		util_bits(word, 34, 34) << 2 | util_bits(word, 32, 32) << 1 |
			(order[0] >= order[1]),
		index, texel);
}

/* A plane through the colours of three corners. */
static void decode_planar(uint64_t word, unsigned x, unsigned y, uint8_t *texel)
{
	const int corners[3][3] = {
		{ extend(util_bits(word, 62, 57), 6),
			extend(util_bits(word, 38, 34) << 1 | util_bits(word, 32, 32), 6),
			extend(util_bits(word, 18, 13), 6) },
		{ extend(util_bits(word, 56, 56) << 6 | util_bits(word, 54, 49), 7),
			extend(util_bits(word, 31, 25), 7), extend(util_bits(word, 12, 6), 7) },
		{ extend(util_bits(word, 48, 48) << 5 | util_bits(word, 44, 43) << 3 |
				  util_bits(word, 41, 39),
			  6),
			extend(util_bits(word, 24, 19), 6), extend(util_bits(word, 5, 0), 6) },
	};

	for (unsigned c = 0; c < 3; c++) {
		const int *at = corners[c];
		int sum = (int)x * (at[1] - at[0]) + (int)y * (at[2] - at[0]) + 4 * at[0] + 2;
		texel[c] = (uint8_t)(sum < 0 ? 0 : clamp(sum / 4, 0, 255));
	}
}

/*
 * `differs`: the second colour is given as a difference, else the block may say so itself. Sums
 * beyond 5 bits mean other kinds of blocks. `opaque`: no index means a texel that is not there.
 */
static void decode(uint64_t word, bool differs, bool opaque, unsigned x, unsigned y, uint8_t *texel)
{
	const unsigned index = index_of(word, 4 * x + y);
	unsigned strays = 0;
	struct colour base[2];

	for (unsigned c = 0; c < 3; c++) {
		const unsigned high = 63 - 8 * c;
		const unsigned first = util_bits(word, high, high - 4);
		const int sum = (int)first + (int)(util_bits(word, high - 5, high - 7) ^ 4) - 4;

		if (sum < 0 || sum > 31)
			strays |= 1u << c;
		base[0].channel[c] = extend(first, 5);
		base[1].channel[c] = extend((unsigned)sum & 31, 5);
		if (!differs) {
			base[0].channel[c] = 17 * (int)util_bits(word, high, high - 3);
			base[1].channel[c] = 17 * (int)util_bits(word, high - 4, high - 7);
		}
	}
	texel[3] = 255;
	if (differs && strays && !(strays & 3)) {
		decode_planar(word, x, y, texel);
	} else if (!opaque && index == 2) {
		memset(texel, 0, 4);
	} else if (!differs || !strays) {
		decode_halves(word, base, opaque, x, y, texel);
	} else if (strays & 1) {
		decode_t(word, index, texel);
	} else {
		decode_h(word, index, texel);
	}
}

/* ---- single channels ---- */

static const int8_t eac_steps[16][8] = {
	{ -3, -6, -9, -15, 2, 5, 8, 14 },
	{ -3, -7, -10, -13, 2, 6, 9, 12 },
	{ -2, -5, -8, -13, 1, 4, 7, 12 },
	{ -2, -4, -6, -13, 1, 3, 5, 12 },
	{ -3, -6, -8, -12, 2, 5, 7, 11 },
	{ -3, -7, -9, -11, 2, 6, 8, 10 },
	{ -4, -7, -8, -11, 3, 6, 7, 10 },
	{ -3, -5, -8, -11, 2, 4, 7, 10 },
	{ -2, -6, -8, -10, 1, 5, 7, 9 },
	{ -2, -5, -8, -10, 1, 4, 7, 9 },
	{ -2, -4, -8, -10, 1, 3, 7, 9 },
	{ -2, -5, -7, -10, 1, 4, 6, 9 },
	{ -3, -4, -7, -10, 2, 3, 6, 9 },
	{ -1, -2, -3, -10, 0, 1, 2, 9 },
	{ -4, -6, -8, -9, 3, 5, 7, 8 },
	{ -3, -5, -7, -9, 2, 4, 6, 8 },
};

static int eac_step(uint64_t word, unsigned number)
{
	return eac_steps[util_bits(word, 51, 48)][word >> (45 - 3 * number) & 7];
}

/* 11 bits. */
static float decode_eac(uint64_t word, bool with_sign, unsigned number)
{
	const int times = 8 * (int)util_bits(word, 55, 52);
	const int more = eac_step(word, number) * (times ? times : 1);
	const int base = (int)util_bits(word, 63, 56);

	if (!with_sign)
		return (float)clamp(8 * base + 4 + more, 0, 2047) / 2047.0f;
	return (float)clamp(8 * clamp((int8_t)base, -127, 127) + more, -1023, 1023) / 1023.0f;
}

static void decode_channels(const struct gen_format *format, const uint8_t *block, bool with_sign,
	unsigned number, void *texel)
{
	float value[2];

	for (unsigned c = 0; c < format->bytes / 8u; c++)
		value[c] = decode_eac(read_word(block + 8 * c), with_sign, number);
	memcpy(texel, value, format->decoded_bytes);
}

/* ---- the formats ---- */

/* Bit 33: of ETC2, that the second colour is a difference; else, that all texels are there. */
GEN_BLOCK_DECODER(etc2, decode(read_word(block), block[3] & 2, true, x, y, texel))
GEN_BLOCK_DECODER(etc2_punch, decode(read_word(block), true, block[3] & 2, x, y, texel))
GEN_BLOCK_DECODER(eac, decode_channels(format, block, false, 4 * x + y, texel))
GEN_BLOCK_DECODER(eac_signed, decode_channels(format, block, true, 4 * x + y, texel))

void gen_block_etc2_alpha(
	const struct gen_format *format, const uint8_t *block, unsigned x, unsigned y, void *texel)
{
	const uint64_t word = read_word(block);
	const int alpha = (int)util_bits(word, 63, 56) +
			  (int)util_bits(word, 55, 52) * eac_step(word, 4 * x + y);

	gen_block_etc2(format, block + 8, x, y, texel);
	((uint8_t *)texel)[3] = (uint8_t)clamp(alpha, 0, 255);
}
