// SPDX-License-Identifier: MIT
/*
 * ASTC in two dimensions, by its LDR profile. A block is a grid of weights, from the last bit down,
 * and one to four pairs of colours, from the first bits up: two sequences of integers in ranges of
 * 2 to 256 values, which share trits or quints, so that each integer can be read alone.
 */
#include <stdbool.h>

#include "gen/gen_block.h"
#include "gen/gen_format.h"
#include "util/util_bits.h"

__extension__ typedef unsigned __int128 word_t;

enum { PLAIN, TRITS, QUINTS };
enum { RANGES = 21, LEAST_COLOURS = 4, MOST_WEIGHTS = 64, MOST_COLOURS = 18, MOST_PARTS = 4 };

/* Integers that share their trits or quints, the bits of these, and how many come before each. */
static const struct {
	uint8_t integers, bits, before[6];
} packs[] = {
	[PLAIN] = { 1, 0, { 0 } },
	[TRITS] = { 5, 8, { 0, 2, 4, 5, 7, 8 } },
	[QUINTS] = { 3, 7, { 0, 3, 5, 7 } },
};

/* What a trit or quint counts in a colour or a weight, and how bits 1 and up are repeated. */
struct step {
	uint16_t digit, factor, down;
};
static const struct {
	uint8_t bits, kind;
	struct step colour, weight;
} ranges[RANGES] = {
	{ 1, PLAIN, { 0 }, { 0 } },
	{ 0, TRITS, { 0 }, { 32, 0, 0 } },
	{ 2, PLAIN, { 0 }, { 0 } },
	{ 0, QUINTS, { 0 }, { 16, 0, 0 } },
	{ 1, TRITS, { 204, 0, 0 }, { 50, 0, 0 } },
	{ 3, PLAIN, { 0 }, { 0 } },
	{ 1, QUINTS, { 113, 0, 0 }, { 28, 0, 0 } },
	{ 2, TRITS, { 93, 0x116, 0 }, { 23, 0x45, 0 } },
	{ 4, PLAIN, { 0 }, { 0 } },
	{ 2, QUINTS, { 54, 0x10c, 0 }, { 13, 0x42, 0 } },
	{ 3, TRITS, { 44, 0x85, 0 }, { 11, 0x21, 0 } },
	{ 5, PLAIN, { 0 }, { 0 } },
	{ 3, QUINTS, { 26, 0x105, 1 }, { 0 } },
	{ 4, TRITS, { 22, 0x41, 0 }, { 0 } },
	{ 6, PLAIN, { 0 }, { 0 } },
	{ 4, QUINTS, { 13, 0x81, 1 }, { 0 } },
	{ 5, TRITS, { 11, 0x81, 2 }, { 0 } },
	{ 7, PLAIN, { 0 }, { 0 } },
	{ 5, QUINTS, { 6, 0x101, 3 }, { 0 } },
	{ 6, TRITS, { 5, 0x101, 4 }, { 0 } },
	{ 8, PLAIN, { 0 }, { 0 } },
};

/* What the first bits of a block say. */
struct block {
	word_t word, reversed;
	unsigned columns, rows, planes, weight_range;
	unsigned second; /* the channel of the second plane */
	unsigned parts, seed, modes[MOST_PARTS];
	unsigned colours, colour_range;
};

static unsigned bits_of(word_t word, unsigned first, unsigned count)
{
	return (unsigned)(word >> first) & ((1u << count) - 1);
}

/* ---- integers ---- */

static unsigned trit(unsigned t, unsigned number)
{
	const bool all = util_bits(t, 4, 2) == 7, most = util_bits(t, 6, 5) == 3;
	const unsigned c = all ? util_bits(t, 7, 5) << 2 | (t & 3) : t & 31;

	if (number == 4)
		return all || most ? 2 : t >> 7;
	if (number == 3)
		return all ? 2 : most ? t >> 7 : util_bits(t, 6, 5);
	if ((c & 3) == 3)
		return number == 2 ? 2 : number == 1 ? c >> 4 : c & 8 ? 2 : c >> 2 & 1;
	if ((c >> 2 & 3) == 3)
		return number ? 2 : c & 3;
	return number == 2 ? c >> 4 : number == 1 ? c >> 2 & 3 : c & 2 ? 2 : c & 1;
}

static unsigned quint(unsigned q, unsigned number)
{
	const bool four = util_bits(q, 2, 1) == 3;
	const unsigned c = four ? (q >> 3 & 3) << 3 | (~q >> 5 & 3) << 1 | (q & 1) : q & 31;

	if (four && q >> 5 == 0)
		return number < 2 || q & 1 ? 4 : q >> 3 & 3;
	if (number == 2)
		return four ? 4 : q >> 5;
	if ((c & 7) == 5)
		return number ? 4 : c >> 3;
	return number ? c >> 3 : c & 7;
}

static unsigned sequence_bits(unsigned range, unsigned count)
{
	const unsigned kind = ranges[range].kind, together = packs[kind].integers;

	return count * ranges[range].bits + (count * packs[kind].bits + together - 1) / together;
}

/* One of `count` integers, spread over `width` bits. */
static unsigned read_integer(
	word_t word, unsigned range, unsigned count, unsigned number, unsigned width)
{
	const unsigned bits = ranges[range].bits, kind = ranges[range].kind;
	const unsigned together = packs[kind].integers, place = number % together;
	const uint8_t *before = packs[kind].before;
	const struct step *step = width == 8 ? &ranges[range].colour : &ranges[range].weight;
	unsigned low, digit, result, digits = 0;

	/* zeros are what the last pack lacks */
	word &= ((word_t)1 << sequence_bits(range, count)) - 1;
	word >>= number / together * (together * bits + packs[kind].bits);
	low = result = bits_of(word, place * bits + before[place], bits);
	if (kind == PLAIN) {
		unsigned done = bits;
		for (; done < width; done += bits)
			result = result << bits | low;
		return result >> (done - width);
	}
	for (unsigned i = 0; i < together; i++)
		digits |= bits_of(word, (i + 1) * bits + before[i], before[i + 1] - before[i])
			  << before[i];
	digit = kind == TRITS ? trit(digits, place) : quint(digits, place);
	if (bits == 0)
		return digit * step->digit;
	result = digit * step->digit + ((low >> 1) * step->factor >> step->down);
	if (low & 1)
		result ^= (2u << width) - 1;
	return result >> 2 | (low & 1) << (width - 1);
}

/* ---- the head ---- */

static word_t reverse(word_t word)
{
	word_t result = 0;

	for (unsigned half = 0; half < 2; half++) {
		uint64_t part = __builtin_bswap64((uint64_t)(word >> 64 * half));
		static const uint64_t masks[] = { UINT64_C(0x0f0f0f0f0f0f0f0f),
			UINT64_C(0x3333333333333333), UINT64_C(0x5555555555555555) };
		for (unsigned i = 0, by = 4; i < 3; i++, by /= 2)
			part = (part & masks[i]) << by | (part >> by & masks[i]);
		result = result << 64 | part;
	}
	return result;
}

/* The grid of weights. */
static bool read_grid(struct block *block)
{
	const unsigned mode = bits_of(block->word, 0, 11), a = util_bits(mode, 6, 5);
	const unsigned kind = util_bits(mode, 3, 2), b = util_bits(mode, 8, 7);
	const bool first = mode & 3;
	unsigned high = util_bits(mode, 9, 9), range = first ? mode & 3 : kind, bits;

	block->planes = 1 + (mode >> 10);
	if (!first && b == 2) {
		block->columns = a + 6;
		block->rows = util_bits(mode, 10, 9) + 6;
		block->planes = 1;
		high = 0;
	} else if (!first) {
		block->columns = b == 0 ? 12 : b == 1 ? a + 2 : a == 0 ? 6 : 10;
		block->rows = b == 0 ? a + 2 : b == 1 ? 12 : a == 0 ? 10 : 6;
		if (b == 3 && a > 1)
			return false;
	} else if (kind < 2 || (kind == 3 && b > 1)) {
		block->columns = kind == 3 ? (b & 1) + 2 : b + 4 * (kind + 1);
		block->rows = a + 2;
	} else {
		block->columns = a + 2;
		block->rows = kind == 2 ? b + 8 : b + 6;
	}
	if (!range)
		return false;
	block->weight_range = 2 * range + util_bits(mode, 4, 4) - 2 + 6 * high;
	if (block->columns * block->rows * block->planes > MOST_WEIGHTS)
		return false;
	bits = sequence_bits(block->weight_range, block->columns * block->rows * block->planes);
	return bits >= 24 && bits <= 96;
}

/* The kinds of colours, and where they are. */
static bool read_kinds(struct block *block)
{
	const unsigned parts = 1 + bits_of(block->word, 11, 2), more = 3 * parts - 4;
	unsigned end = 128 - sequence_bits(block->weight_range,
				     block->columns * block->rows * block->planes);
	unsigned kinds = bits_of(block->word, parts > 1 ? 23 : 13, parts > 1 ? 6 : 4);
	int room;

	block->parts = parts;
	block->seed = bits_of(block->word, 13, 10);
	if (parts > 1 && kinds & 3) {
		end -= more;
		kinds |= bits_of(block->word, end, more) << 6;
	}
	for (unsigned i = 0; i < parts; i++) {
		const unsigned wide = (kinds & 3) - 1 + (kinds >> (2 + i) & 1);
		block->modes[i] = parts == 1 ? kinds
				  : (kinds & 3) == 0
					  ? kinds >> 2
					  : wide << 2 | (kinds >> (2 + parts + 2 * i) & 3);
		block->colours += 2 * (block->modes[i] >> 2) + 2;
	}
	if (block->planes > 1) {
		end -= 2;
		block->second = bits_of(block->word, end, 2);
	}
	room = (int)end - (parts > 1 ? 29 : 17);
	block->colour_range = RANGES - 1;
	while (block->colour_range >= LEAST_COLOURS &&
		(int)sequence_bits(block->colour_range, block->colours) > room)
		block->colour_range--;
	return block->colours <= MOST_COLOURS && block->colour_range >= LEAST_COLOURS &&
	       !(block->planes > 1 && parts == MOST_PARTS);
}

/* ---- parts, weights and colours of a texel ---- */

static unsigned part_of(const struct block *block, bool small, unsigned x, unsigned y)
{
	const unsigned parts = block->parts;
	uint32_t seed = block->seed + (parts - 1) * 1024, n = seed, sum[4];
	unsigned best = 0;

	n ^= n >> 15;
	n -= n << 17;
	n += n << 7;
	n += n << 4;
	n ^= n >> 5;
	n += n << 16;
	n ^= n >> 7;
	n ^= n >> 3;
	n ^= n << 6;
	n ^= n >> 17;
	for (unsigned i = 0; i < 4; i++) {
		const unsigned shifts[2] = { parts == 3 ? 6 : 5, seed & 2 ? 4 : 5 };
		const uint32_t across = n >> 8 * i & 15, down = n >> (8 * i + 4) & 15;
		sum[i] = (across * across >> shifts[seed & 1]) * (x << small) +
			 (down * down >> shifts[~seed & 1]) * (y << small) + (n >> (14 - 4 * i));
		sum[i] = i < parts ? sum[i] & 63 : 0;
		if (sum[i] > sum[best])
			best = i;
	}
	return best;
}

/* Of a plane, 0 to 64. */
static unsigned weight_of(const struct block *block, const struct gen_format *format, unsigned x,
	unsigned y, unsigned plane)
{
	const unsigned width = format->width, height = format->height;
	const unsigned s = (1024 + width / 2) / (width - 1) * x * (block->columns - 1) + 32;
	const unsigned t = (1024 + height / 2) / (height - 1) * y * (block->rows - 1) + 32;
	const unsigned fs = s >> 6 & 15, ft = t >> 6 & 15, both = (fs * ft + 8) >> 4;
	const unsigned shares[4] = { 16 - fs - ft + both, fs - both, ft - both, both };
	unsigned sum = 8;

	for (unsigned i = 0; i < 4; i++) {
		const unsigned at = ((t >> 10) + i / 2) * block->columns + (s >> 10) + i % 2;
		unsigned weight;
		if (!shares[i])
			continue;
		weight = read_integer(block->reversed, block->weight_range,
			block->columns * block->rows * block->planes, at * block->planes + plane,
			6);
		/* in full: 64; those without bits are counted so */
		if (ranges[block->weight_range].bits && weight > 32)
			weight++;
		sum += weight * shares[i];
	}
	return sum >> 4;
}

static int clamp(int value)
{
	return value < 0 ? 0 : value > 255 ? 255 : value;
}

/* What the integers of a pair say in a mode; false if it is one of the HDR profile. */
static bool read_pair(unsigned mode, int *v, int pair[2][4])
{
	static const uint16_t hdr = 0xc88c, offsets = 0x2220; /* a bit for each mode */
	const unsigned channels = mode < 4 ? 1 : mode < 6 ? 2 : mode < 12 ? 3 : 4;
	const bool scale = mode == 6 || mode == 10, grey = channels < 3;

	if (hdr >> mode & 1)
		return false;
	if (mode == 1) {
		v[0] = v[0] >> 2 | (v[1] & 0xc0);
		v[1] = v[0] + (v[1] & 0x3f);
	}
	for (unsigned c = 0; offsets >> mode & 1 && c < channels; c++) {
		v[2 * c] = v[2 * c] >> 1 | (v[2 * c + 1] & 0x80);
		v[2 * c + 1] = v[2 * c] + ((v[2 * c + 1] >> 1 & 0x3f) ^ 0x20) - 0x20;
	}
	for (unsigned i = 0; i < 2; i++) {
		for (unsigned c = 0; c < 3; c++)
			pair[i][c] = scale ? i ? v[c] : v[c] * v[3] >> 8 : v[grey ? i : 2 * c + i];
		pair[i][3] = mode == 10 ? v[4 + i] : channels % 2 ? 255 : v[2 * (channels - 1) + i];
	}
	if (!scale && !grey &&
		pair[1][0] + pair[1][1] + pair[1][2] < pair[0][0] + pair[0][1] + pair[0][2]) {
		for (unsigned c = 0; c < 4; c++) {
			int other = pair[0][c];
			pair[0][c] = pair[1][c];
			pair[1][c] = other;
		}
		for (unsigned i = 0; i < 2; i++)
			for (unsigned c = 0; c < 2; c++)
				pair[i][c] = (pair[i][c] + pair[i][2]) >> 1;
	}
	for (unsigned i = 0; i < 8; i++)
		pair[i / 4][i % 4] = clamp(pair[i / 4][i % 4]);
	return true;
}

/* Each channel in 16 bits. Leaves `value` as it is where there is no colour. */
static void mix(const struct block *block, const struct gen_format *format, unsigned x, unsigned y,
	unsigned value[4])
{
	const bool small = format->width * format->height < 31;
	const bool srgb = format->kind == GEN_FORMAT_SRGB;
	const unsigned part = block->parts > 1 ? part_of(block, small, x, y) : 0;
	unsigned first = 0, weights[2];
	int v[8], pair[2][4];

	for (unsigned i = 0; i < part; i++)
		first += 2 * (block->modes[i] >> 2) + 2;
	for (unsigned i = 0; i < 2 * (block->modes[part] >> 2) + 2; i++)
		v[i] = (int)read_integer(block->word >> (block->parts > 1 ? 29 : 17),
			block->colour_range, block->colours, first + i, 8);
	if (!read_pair(block->modes[part], v, pair))
		return;
	for (unsigned i = 0; i < block->planes; i++)
		weights[i] = weight_of(block, format, x, y, i);
	for (unsigned c = 0; c < 4; c++) {
		const unsigned weight = weights[block->planes > 1 && c == block->second];
		unsigned ends[2];
		for (unsigned i = 0; i < 2; i++)
			ends[i] = (unsigned)pair[i][c] << 8 |
				  (srgb && c < 3 ? 0x80 : (unsigned)pair[i][c]);
		value[c] = (ends[0] * (64 - weight) + ends[1] * weight + 32) >> 6;
	}
}

/* All texels are one colour; not if it is one of the HDR profile. */
static bool is_plain(word_t word)
{
	const bool everywhere =
		bits_of(word, 12, 26) == 0x3ffffff && bits_of(word, 38, 26) == 0x3ffffff;

	return bits_of(word, 9, 3) == 6 &&
	       (everywhere || (bits_of(word, 12, 13) < bits_of(word, 25, 13) &&
				      bits_of(word, 38, 13) < bits_of(word, 51, 13)));
}

/* value / 65536 as a half, towards 0, but for the greatest, which is 1. */
static uint16_t half_of(unsigned value)
{
	unsigned top = value ? 31 - (unsigned)__builtin_clz(value) : 0;

	if (value == 0xffff)
		return 0x3c00;
	if (top < 2)
		return (uint16_t)(value << 8);
	return (uint16_t)((top - 1) << 10 | ((value << 10 >> top) & 0x3ff));
}

void gen_block_astc(
	const struct gen_format *format, const uint8_t *bytes, unsigned x, unsigned y, void *texel)
{
	unsigned value[4] = { 0xffff, 0, 0xffff, 0xffff }; /* of blocks that mean nothing */
	struct block block = { 0 };
	uint16_t halfs[4];
	uint8_t tops[4];

	memcpy(&block.word, bytes, sizeof(block.word));
	block.reversed = reverse(block.word);
	if (bits_of(block.word, 0, 9) == 0x1fc) {
		for (unsigned c = 0; c < 4 && is_plain(block.word); c++)
			value[c] = bits_of(block.word, 64 + 16 * c, 16);
	} else if (read_grid(&block) && block.columns <= format->width &&
		   block.rows <= format->height && read_kinds(&block)) {
		mix(&block, format, x, y, value);
	}
	for (unsigned c = 0; c < 4; c++) {
		halfs[c] = half_of(value[c]);
		tops[c] = (uint8_t)(value[c] >> 8);
	}
	if (format->kind == GEN_FORMAT_SRGB)
		memcpy(texel, tops, sizeof(tops));
	else
		memcpy(texel, halfs, sizeof(halfs));
}
