// SPDX-License-Identifier: MIT
/* BC6H and BC7: lines between endpoints, which texels choose by partitions. */
#include <stdbool.h>

#include "gen/gen_block.h"
#include "gen/gen_format.h"
#include "util/util_bits.h"

enum { CHANNELS = 4, MOST_SUBSETS = 3 };

/* ---- partitions: which subset each texel belongs to ---- */

/* A bit for each texel, the first one lowest. */
static const uint16_t pairs[64] = { 0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80,
	0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8, 0xff00, 0xfff0, 0xf000, 0xf710, 0x008e, 0x7100,
	0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce, 0x088c, 0x3110, 0x6666, 0x366c, 0x17e8, 0x0ff0,
	0x718e, 0x399c, 0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696, 0xa55a, 0x73ce,
	0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660, 0x0272, 0x04e4, 0x4e40, 0x2720,
	0xc936, 0x936c, 0x39c6, 0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744,
	0xee22 };

/* Two bits for each texel. */
static const uint32_t triples[64] = { 0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000,
	0xa0a05050, 0x5555a0a0, 0x5a5a5050, 0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090,
	0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250, 0xa5945040, 0x0a425054, 0xa5a5a500,
	0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500, 0x0050a4a4, 0xaaa59090,
	0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200, 0xa9a58000,
	0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
	0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44,
	0x66666600, 0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580,
	0xaa141414, 0x96960000, 0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080,
	0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254 };

/* Texels whose index lacks its highest bit, which is 0: number 0, and of each further subset: */
static const uint8_t pair_anchors[64] = { 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
	15, 15, 15, 2, 8, 2, 2, 8, 8, 15, 2, 8, 2, 2, 8, 8, 2, 2, 15, 15, 6, 8, 2, 8, 15, 15, 2, 8,
	2, 2, 2, 15, 15, 6, 6, 2, 6, 8, 15, 15, 2, 2, 15, 15, 15, 15, 15, 2, 2, 15 };
static const uint8_t triple_anchors[64][2] = { { 3, 15 }, { 3, 8 }, { 15, 8 }, { 15, 3 }, { 8, 15 },
	{ 3, 15 }, { 15, 3 }, { 15, 8 }, { 8, 15 }, { 8, 15 }, { 6, 15 }, { 6, 15 }, { 6, 15 },
	{ 5, 15 }, { 3, 15 }, { 3, 8 }, { 3, 15 }, { 3, 8 }, { 8, 15 }, { 15, 3 }, { 3, 15 },
	{ 3, 8 }, { 6, 15 }, { 10, 8 }, { 5, 3 }, { 8, 15 }, { 8, 6 }, { 6, 10 }, { 8, 15 },
	{ 5, 15 }, { 15, 10 }, { 15, 8 }, { 8, 15 }, { 15, 3 }, { 3, 15 }, { 5, 10 }, { 6, 10 },
	{ 10, 8 }, { 8, 9 }, { 15, 10 }, { 15, 6 }, { 3, 15 }, { 15, 8 }, { 5, 15 }, { 15, 3 },
	{ 15, 6 }, { 15, 6 }, { 15, 8 }, { 3, 15 }, { 15, 3 }, { 5, 15 }, { 5, 15 }, { 5, 15 },
	{ 8, 15 }, { 5, 15 }, { 10, 15 }, { 5, 15 }, { 10, 15 }, { 8, 15 }, { 13, 15 }, { 15, 3 },
	{ 12, 15 }, { 3, 15 }, { 3, 8 } };

static unsigned subset_of(unsigned subsets, unsigned partition, unsigned number)
{
	return subsets == 3   ? triples[partition] >> 2 * number & 3
	       : subsets == 2 ? pairs[partition] >> number & 1
			      : 0;
}

/* The index of a texel among those of `bits` each that begin at bit `first`. */
static unsigned read_index(const uint8_t *block, unsigned first, unsigned bits, unsigned subsets,
	unsigned partition, unsigned number)
{
	const uint8_t anchors[MOST_SUBSETS] = { 0,
		subsets == 3 ? triple_anchors[partition][0] : pair_anchors[partition],
		triple_anchors[partition][1] };
	unsigned place = first + number * bits, size = bits;

	for (unsigned i = 0; i < subsets; i++) {
		place -= anchors[i] < number;
		size -= anchors[i] == number;
	}
	return gen_block_bits(block, place, size);
}

/* How much of the second endpoint an index of that many bits stands for, in 64ths. */
static int weight_of(unsigned index, unsigned bits)
{
	const int steps = (1 << bits) - 1;

	return (64 * (int)index + steps / 2) / steps;
}

static int mix(int a, int b, int weight)
{
	return (a * (64 - weight) + b * weight + 32) >> 6;
}

/* ---- BC7 ---- */

static const struct bc7_mode {
	uint8_t subsets, partition, rotation, choice; /* bits, but of subsets */
	uint8_t colour, alpha;			      /* bits of a channel */
	uint8_t low, shared_low;		      /* bits below: for each endpoint, or subset */
	uint8_t index, second;			      /* bits of indices; alpha may have its own */
} bc7_modes[8] = {
	{ 3, 4, 0, 0, 4, 0, 1, 0, 3, 0 },
	{ 2, 6, 0, 0, 6, 0, 0, 1, 3, 0 },
	{ 3, 6, 0, 0, 5, 0, 0, 0, 2, 0 },
	{ 2, 6, 0, 0, 7, 0, 1, 0, 2, 0 },
	{ 1, 0, 2, 1, 5, 6, 0, 0, 2, 3 },
	{ 1, 0, 2, 0, 7, 8, 0, 0, 2, 2 },
	{ 1, 0, 0, 0, 7, 7, 1, 0, 4, 0 },
	{ 2, 6, 0, 0, 5, 5, 1, 0, 2, 0 },
};

/* Reads the two endpoints of a subset, 8 bits each, of those at bit `at`. Returns what follows. */
static unsigned read_endpoints(const struct bc7_mode *mode, const uint8_t *block, unsigned at,
	unsigned subset, int ends[2][CHANNELS])
{
	const unsigned count = 2 * mode->subsets;
	const unsigned low_at = at + count * (3 * mode->colour + mode->alpha);

	for (unsigned c = 0; c < CHANNELS; c++) {
		const unsigned bits = c == 3 ? mode->alpha : mode->colour;

		for (unsigned e = 0; e < 2; e++) {
			unsigned number = 2 * subset + e, size = bits;
			unsigned value = gen_block_bits(block, at + number * bits, bits);

			if (mode->low || mode->shared_low) {
				number = mode->low ? number : subset;
				value = value << 1 | gen_block_bits(block, low_at + number, 1);
				size++;
			}
			ends[e][c] = bits == 0
					     ? 255
					     : (int)(value << (8 - size) | value >> (2 * size - 8));
		}
		at += count * bits;
	}
	return low_at + count * mode->low + mode->subsets * mode->shared_low;
}

void gen_block_bc7(
	const struct gen_format *format, const uint8_t *block, unsigned x, unsigned y, void *texel)
{
	const unsigned number = 4 * y + x;
	const unsigned code = (unsigned)__builtin_ctz(block[0] | 0x100u);
	const struct bc7_mode *mode = &bc7_modes[code & 7];
	int ends[2][CHANNELS];
	uint8_t *out = texel;

	(void)format;
	if (code == 8) {
		memset(out, 0, CHANNELS);
		return;
	}
	unsigned at = code + 1;
	const unsigned partition = gen_block_bits(block, at, mode->partition);
	at += mode->partition;
	const unsigned rotation = gen_block_bits(block, at, mode->rotation);
	at += mode->rotation;
	const bool swapped = gen_block_bits(block, at, mode->choice);
	at += mode->choice;
	at = read_endpoints(mode, block, at, subset_of(mode->subsets, partition, number), ends);
	int weights[2];
	weights[0] = weight_of(
		read_index(block, at, mode->index, mode->subsets, partition, number), mode->index);
	weights[1] = weights[0];
	if (mode->second) {
		at += 16 * mode->index - 1;
		weights[1] =
			weight_of(read_index(block, at, mode->second, 1, 0, number), mode->second);
	}
	for (unsigned c = 0; c < CHANNELS; c++)
		out[c] = (uint8_t)mix(ends[0][c], ends[1][c], weights[(c == 3) != swapped]);
	if (rotation) {
		uint8_t alpha = out[3];
		out[3] = out[rotation - 1];
		out[rotation - 1] = alpha;
	}
}

/* ---- BC6H ---- */

enum { RW, GW, BW, RX, GX, BX, RY, GY, BY, RZ, GZ, BZ, FIELDS, MOST_PARTS = 24 };

static const struct bc6h_mode {
	uint8_t code, subsets;
	bool differences; /* the other endpoints are given as such */
	uint8_t sizes[4]; /* bits: of the first endpoint's channels, of the others' red, … */
	struct {
		uint8_t field, low, bits;
	} parts[MOST_PARTS]; /* 0 bits: there are no more */
} bc6h_modes[] = {
#define SIZES(...)                                                                                 \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}
#define PART(field, low, bits)                                                                     \
	{                                                                                          \
		field, low, bits                                                                   \
	}
#define RW(...) PART(RW, __VA_ARGS__)
#define GW(...) PART(GW, __VA_ARGS__)
#define BW(...) PART(BW, __VA_ARGS__)
#define RX(...) PART(RX, __VA_ARGS__)
#define GX(...) PART(GX, __VA_ARGS__)
#define BX(...) PART(BX, __VA_ARGS__)
#define RY(...) PART(RY, __VA_ARGS__)
#define GY(...) PART(GY, __VA_ARGS__)
#define BY(...) PART(BY, __VA_ARGS__)
#define RZ(...) PART(RZ, __VA_ARGS__)
#define GZ(...) PART(GZ, __VA_ARGS__)
#define BZ(...) PART(BZ, __VA_ARGS__)
#define MODE(code, subsets, differences, sizes, ...)                                               \
	{ code, subsets, differences, sizes, { __VA_ARGS__ } },
#include "gen/gen_block_bc6h.def"
};

static int extend(int value, unsigned bits)
{
	return (int)((uint32_t)value << (32 - bits)) >> (32 - bits);
}

/* Reads the parts from bit `at` on. Returns what follows. */
static unsigned read_fields(
	const struct bc6h_mode *mode, const uint8_t *block, unsigned at, int fields[FIELDS])
{
	memset(fields, 0, FIELDS * sizeof(*fields));
	for (unsigned i = 0; i < MOST_PARTS && mode->parts[i].bits; i++) {
		const unsigned bits = mode->parts[i].bits;

		fields[mode->parts[i].field] |=
			(int)(gen_block_bits(block, at, bits) << mode->parts[i].low);
		at += bits;
	}
	return at;
}

/* Makes endpoints of the fields, as wide as the first one. */
static void make_endpoints(const struct bc6h_mode *mode, bool with_sign, int fields[FIELDS])
{
	const unsigned size = mode->sizes[0];

	for (unsigned f = 0; f < FIELDS; f++) {
		const bool is_difference = f > BW && mode->differences;
		const unsigned bits = f > BW ? mode->sizes[1 + f % 3] : size;

		if (is_difference)
			fields[f] = (fields[f % 3] + extend(fields[f], bits)) & ((1 << size) - 1);
		if (with_sign)
			fields[f] = extend(fields[f], size);
	}
}

/* An endpoint with 16 bits. */
static int widen(int value, unsigned bits, bool with_sign)
{
	const int size = value < 0 ? -value : value, most = (1 << (bits - with_sign)) - 1;
	int wide;

	if (bits >= (with_sign ? 16 : 15) || value == 0)
		return value;
	if (size >= most)
		wide = with_sign ? 0x7fff : 0xffff;
	else
		wide = with_sign ? ((size << 15) + 0x4000) >> (bits - 1)
				 : ((size << 16) + 0x8000) >> bits;
	return value < 0 ? -wide : wide;
}

/* The bits of a half, of which the whole range means finite numbers. */
static uint16_t half_of(int value, bool with_sign)
{
	if (!with_sign)
		return (uint16_t)(value * 31 >> 6);
	return (uint16_t)(value < 0 ? (-value * 31 >> 5) | 0x8000 : value * 31 >> 5);
}

static void decode_bc6h(const uint8_t *block, bool with_sign, unsigned number, void *texel)
{
	const unsigned code_bits = block[0] & 2 ? 5 : 2;
	const struct bc6h_mode *mode = bc6h_modes;
	const struct bc6h_mode *end = mode + UTIL_ARRAY_SIZE(bc6h_modes);
	uint16_t out[3] = { 0, 0, 0 };
	int fields[FIELDS];

	while (mode < end && mode->code != gen_block_bits(block, 0, code_bits))
		mode++;
	if (mode < end) {
		unsigned at = read_fields(mode, block, code_bits, fields), partition = 0;
		const unsigned bits = mode->subsets == 2 ? 3 : 4;

		if (mode->subsets == 2) {
			partition = gen_block_bits(block, at, 5);
			at += 5;
		}
		make_endpoints(mode, with_sign, fields);
		const int *ends = fields + 6 * subset_of(mode->subsets, partition, number);
		int weight = weight_of(
			read_index(block, at, bits, mode->subsets, partition, number), bits);
		for (unsigned c = 0; c < 3; c++)
			out[c] = half_of(
				mix(widen(ends[c], mode->sizes[0], with_sign),
					widen(ends[c + 3], mode->sizes[0], with_sign), weight),
				with_sign);
	}
	memcpy(texel, out, sizeof(out));
}

GEN_BLOCK_DECODER(bc6h, decode_bc6h(block, false, 4 * y + x, texel))
GEN_BLOCK_DECODER(bc6h_signed, decode_bc6h(block, true, 4 * y + x, texel))
