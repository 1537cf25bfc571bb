// SPDX-License-Identifier: MIT
#include "eu/ops/eu_uop.h"

#include <assert.h>
#include <stdio.h>

/* Operands are 16-bit offsets; those that wait are not among them. */
static_assert(offsetof(struct eu_thread, wait) <= UINT16_MAX, "an operand's place has 16 bits");
static_assert(EU_UOP_cmp_u_le == EU_UOP_cmp_f_eq + (EU_COMPARE_u * 6 + GEN_COND_LE - GEN_COND_EQ) *
							   EU_VARIANTS_BINARY,
	"comparisons are in the order of their kinds and conditions");
static_assert(sizeof(struct eu_uop) == 32, "a micro-operation is half a line of the cache");

/* Shapes for several channels, and whether there are variants with a mask. */
#define SHAPES_PLAIN	    0, false
#define SHAPES_MASKED	    0, true
#define SHAPES_LANES	    1, false
#define SHAPES_LANES_MASKED 1, true
#define SHAPES_UNARY	    2, true
#define SHAPES_BINARY	    3, true
#define SHAPES_TERNARY	    7, true
#define SHAPES_SELECT	    4, true
#define SHAPES_MESSAGE	    0, true

static const struct eu_uop_info rows[] = {
#define ROW(name, form, d, a, b, c, reads, writes, does, ...)                                      \
	{ #name, EU_UOP_##name, SHAPES_##form,                                                     \
		{ EU_OPERAND_##d, EU_OPERAND_##a, EU_OPERAND_##b, EU_OPERAND_##c }, reads, writes, \
		does },
#include "eu/ops/uop.def"
};

/* The row of each code. */
#define TIMES_2(x)	    x, x
#define TIMES_4(x)	    TIMES_2(x), TIMES_2(x)
#define TIMES_14(x)	    TIMES_4(x), TIMES_4(x), TIMES_4(x), TIMES_2(x)
#define ROW_PLAIN(x)	    x
#define ROW_MASKED(x)	    TIMES_2(x)
#define ROW_LANES(x)	    TIMES_2(x), x
#define ROW_MESSAGE(x)	    TIMES_4(x)
#define ROW_LANES_MASKED(x) TIMES_4(x), TIMES_2(x)
#define ROW_UNARY(x)	    TIMES_4(x), TIMES_4(x), TIMES_2(x)
#define ROW_BINARY(x)	    TIMES_14(x)
#define ROW_SELECT(x)	    TIMES_14(x), TIMES_4(x)
#define ROW_TERNARY(x)	    TIMES_14(x), TIMES_14(x), TIMES_2(x)
enum {
#define ROW(name, ...) NUMBER_##name,
#include "eu/ops/uop.def"
};
static const uint8_t row_numbers[] = {
#define ROW(name, form, ...) ROW_##form(NUMBER_##name),
#include "eu/ops/uop.def"
};
static_assert(sizeof(row_numbers) == EU_UOP_CODES, "a row for each code");
static_assert(sizeof(rows) / sizeof(*rows) <= UINT8_MAX, "numbers of rows have 8 bits");

const struct eu_uop_info *eu_uop_info(unsigned code)
{
	return &rows[row_numbers[code]];
}

uint16_t eu_uop_code(unsigned row, enum eu_width width, unsigned shape)
{
	const struct eu_uop_info *info = eu_uop_info(row);
	unsigned variant = width == EU_WIDTH_1 ? 0 : 1 + (width - 1) * info->shapes + shape;

	return (uint16_t)(row + (variant << info->masked));
}

unsigned eu_uop_channels(unsigned code, unsigned *shape)
{
	const struct eu_uop_info *info = eu_uop_info(code);
	unsigned variant = (code - info->first) >> info->masked;

	*shape = 0;
	if (info->shapes == 0 || variant == 0)
		return 1;
	*shape = (variant - 1) % info->shapes;
	return variant - 1 < info->shapes ? 8 : 16;
}

static bool has_mask(const struct eu_uop_info *info, unsigned code)
{
	return info->masked && (code - info->first) % 2 != 0;
}

void eu_uop_name(unsigned code, char *text, size_t size)
{
	const struct eu_uop_info *info = eu_uop_info(code);
	char shapes[4] = "";
	unsigned shape, channels = eu_uop_channels(code, &shape);

	for (unsigned i = 0; i < 3 && info->operand[i + 1] == EU_OPERAND_LANES; i++) {
		shapes[i] = shape >> i & 1 ? 'S' : 'C';
		shapes[i + 1] = 0;
	}
	if (info->shapes == 0)
		snprintf(text, size, "%s%s", info->name, has_mask(info, code) ? ".m" : "");
	else
		snprintf(text, size, "%s.%u%s%s%s", info->name, channels, *shapes ? "." : "",
			shapes, has_mask(info, code) ? ".m" : "");
}

/* Bytes from the first to the last of u->c elements in a region. */
static unsigned region_bytes(const struct eu_uop *u, unsigned size)
{
	unsigned row = u->imm & 0xffff, column = u->imm >> 16 & 0xff, shift = u->imm >> 24;
	unsigned last = u->c - 1u, most = 0;

	for (unsigned i = 0; i <= last; i++) {
		unsigned at = (i >> shift) * row + (i & ((1u << shift) - 1)) * column;
		most = at > most ? at : most;
	}
	return most + size;
}

struct eu_span eu_uop_span(const struct eu_uop *u, unsigned number)
{
	const struct eu_uop_info *info = eu_uop_info(u->code);
	const uint16_t places[] = { u->d, u->a, u->b, u->c, u->m };
	bool masked = has_mask(info, u->code);
	unsigned shape, channels = eu_uop_channels(u->code, &shape);
	unsigned kind = number < 4 ? info->operand[number] : EU_OPERAND_NONE, bytes = 0;

	if (info->operand[0] >= EU_OPERAND_DWORDS || info->operand[1] == EU_OPERAND_DWORDS)
		channels = u->c; /* a loop */
	/* Comparisons have theirs at c, messages in t->act. */
	if (number == 4 && masked && info->operand[3] != EU_OPERAND_BITS &&
		!(info->does & EU_DOES_SEND))
		kind = EU_OPERAND_MASK;
	switch (kind) {
	case EU_OPERAND_BYTE:
	case EU_OPERAND_WORD:
	case EU_OPERAND_DWORD:
		bytes = 1u << (kind - EU_OPERAND_BYTE);
		break;
	case EU_OPERAND_BITS:
		bytes = masked ? 4 : 0;
		break;
	case EU_OPERAND_PAIR:
		bytes = 8;
		break;
	case EU_OPERAND_REGISTER:
		bytes = GEN_GRF_BYTES;
		break;
	case EU_OPERAND_LANES:
		bytes = number > 0 && shape >> (number - 1) & 1 ? 4 : 4 * channels;
		break;
	case EU_OPERAND_LANES_8:
	case EU_OPERAND_LANES_16:
		bytes = channels << (kind - EU_OPERAND_LANES_8);
		break;
	case EU_OPERAND_LANES_64:
		bytes = 8 * channels;
		break;
	case EU_OPERAND_MASK:
		bytes = 4 * channels;
		break;
	case EU_OPERAND_DWORDS:
		bytes = 4u * u->c;
		break;
	case EU_OPERAND_REGION_8:
	case EU_OPERAND_REGION_16:
	case EU_OPERAND_REGION_32:
		bytes = region_bytes(u, 1u << (kind - EU_OPERAND_REGION_8));
		break;
	case EU_OPERAND_ELEMENTS_8:
	case EU_OPERAND_ELEMENTS_16:
	case EU_OPERAND_ELEMENTS_32:
		bytes = (u->c - 1u) * u->imm + (1u << (kind - EU_OPERAND_ELEMENTS_8));
		break;
	}
	return (struct eu_span){ places[number], (uint16_t)bytes };
}

const struct eu_handlers *eu_handlers_of(enum eu_host host)
{
#ifdef __x86_64__
	if (host == EU_HOST_AVX512)
		return &eu_handlers_avx512;
	if (host == EU_HOST_AVX2)
		return &eu_handlers_avx2;
#endif
	(void)host;
	return &eu_handlers_base;
}
