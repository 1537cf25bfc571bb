// SPDX-License-Identifier: MIT
#include "eu/native/eu_compile_alu.h"
#include "eu/ops/eu_effect.h"

/* What is computed lane by lane, of dwords and floats. */

#define MULTIPLY	EU_VEX(1, 2, 0x40)
#define WORD_PRODUCTS	EU_VEX(1, 1, 0xf5)
#define BYTES_BY	EU_VEX(1, 2, 0x00)
#define WORDS_TO_DWORDS EU_VEX(1, 2, 0x33)

enum { ORDERED = 7, AT_MOST = 0x12, GREATER_F = 0x1e };
/*
 * Whether it reads low parts of dwords from the middle of aligned ones, and no more than is in
 * these.
 */
static bool is_low(const struct eu_uop *u)
{
	unsigned first = eu_uop_info(u->code)->first, at = u->a % 4;
	bool byte = first == EU_UOP_low_ub || first == EU_UOP_low_b;
	bool word = first == EU_UOP_low_uw || first == EU_UOP_low_w;
	return byte || (word && at <= 2);
}

int eu_compile_operand(
	struct eu_translator *s, const struct eu_uop *u, unsigned number, unsigned half)
{
	const uint16_t places[] = { u->a, u->b, u->c };
	unsigned kind = eu_uop_info(u->code)->operand[number + 1];
	if (kind == EU_OPERAND_MASK)
		return eu_compile_lanes(s, places[number] + half * EU_UNIT);
	if (kind != EU_OPERAND_LANES)
		return -1;
	if (eu_uop_span(u, number + 1).bytes == 4)
		return eu_compile_splat(s, places[number]);
	if (is_low(u))
		return eu_compile_lanes(s, (places[number] & ~3u) + half * EU_UNIT);
	return eu_compile_lanes(s, places[number] + half * EU_UNIT);
}

/* -- Values --------------------------------------------------------------------------------- */

static int shifted(
	struct eu_translator *s, const struct eu_columns *row, const struct eu_uop *u, int a, int b)
{
	int r = eu_compile_take(s);
	uint32_t number;
	if (eu_compile_constant(s, u->b, &number) && eu_uop_span(u, 2).bytes == 4) {
		eu_compile_shift(s, row->number, r, a, number & 31);
		return r;
	}
	eu_vector_constant(s->c, EU_V_AND, r, b, EU_CONSTANT_31);
	eu_vector(s->c, row->op, r, a, r);
	return r;
}

static int rotated(
	struct eu_translator *s, const struct eu_columns *row, const struct eu_uop *u, int a)
{
	int r = eu_compile_take(s), x = eu_compile_take(s);
	uint32_t number = 0;
	eu_compile_constant(s, u->b, &number);
	number = (row->number ? 32 - number : number) & 31;
	eu_compile_shift(s, BY_LEFT, r, a, number);
	eu_compile_shift(s, BY_RIGHT, x, a, 32 - number);
	eu_vector(s->c, EU_V_OR, r, r, x);
	return r;
}

/* Of a number and what is none, the number: not what the processor's instructions do. */
static int extreme(struct eu_translator *s, const struct eu_columns *row, int a, int b)
{
	int r = eu_compile_take(s), x = eu_compile_take(s);
	eu_vector_number(s->c, COMPARE_PS, r, a, b, row->number);
	eu_vector_number(s->c, COMPARE_PS, x, a, a, ORDERED);
	eu_vector(s->c, EU_V_AND, x, x, r);
	eu_compile_blend(s, r, x, a, b);
	return r;
}

static int saturated(struct eu_translator *s, int a)
{
	int r = eu_compile_take(s), x = eu_compile_take(s);
	eu_vector_constant(s->c, EU_VEX(0, 1, 0x5d), r, a, EU_CONSTANT_ONE);
	eu_vector(s->c, EU_V_XOR, x, x, x);
	eu_vector_number(s->c, COMPARE_PS, x, a, x, GREATER_F);
	eu_vector(s->c, EU_V_AND, r, r, x);
	return r;
}

/* No unit: the result is masked; another half is to read its sources. */
enum { MASKED = -1, NOT_ALONE = -2 };

/*
 * Whether a result may be where a source is: nobody reads that any more but the step, or it is the
 * unit at `to`, which the step writes.
 */
static bool may_own(const struct eu_translator *s, int reg, int32_t to)
{
	const int32_t key = s->holders[reg].key;
	return key >= 0 && !(key & (EU_SPLAT | EU_MASKS)) && to != NOT_ALONE &&
	       (key == to || !eu_units_has(&s->live->units, (unsigned)key / EU_UNIT));
}

/* A register with what `reg` holds, for a result: `reg` itself where it may be. */
static int own(struct eu_translator *s, int reg, int32_t to)
{
	if (may_own(s, reg, to)) {
		s->holders[reg].narrow = -1;
		return reg;
	}
	int r = eu_compile_take(s);
	eu_vector(s->c, EU_V_MOVE, r, 0, reg);
	s->holders[r].zeros = s->holders[reg].zeros;
	return r;
}

/* a + b * c, in the place of a factor rather than in that of a copy. */
static int fused(struct eu_translator *s, const struct eu_columns *row, const int in[3], int32_t to)
{
	enum { INTO_FACTOR = 0x10 }; /* less in the code */
	const int b = may_own(s, in[1], to) ? 1 : 2;
	int r;
	if (may_own(s, in[0], to) || !may_own(s, in[b], to)) {
		r = own(s, in[0], to);
		eu_vector(s->c, row->op, r, in[1], in[2]);
	} else {
		r = own(s, in[b], to);
		eu_vector(s->c, row->op - INTO_FACTOR, r, in[3 - b], in[0]);
	}
	s->holders[r].zeros = 0;
	return r;
}

/* Bits that LOW clears. */
static unsigned low_zeros(const struct eu_columns *row)
{
	return row->number * EU_UNIT == EU_CONSTANT_BYTE ? 24 : 16;
}

static int low(struct eu_translator *s, const struct eu_columns *row, const struct eu_uop *u, int a,
	int32_t to)
{
	unsigned shift = 8 * (u->a % 4);
	/* More high bits are 0 than it clears, or copies of the sign. */
	if (!shift &&
		s->holders[a].zeros > (row->form == EXTEND ? row->number : low_zeros(row) - 1))
		return own(s, a, to);
	int r = eu_compile_take(s);
	if (row->form == EXTEND) {
		eu_compile_shift(s, BY_LEFT, r, a, row->number - shift);
		eu_compile_shift(s, BY_SIGN, r, r, row->number);
		return r;
	}
	if (shift)
		eu_compile_shift(s, BY_RIGHT, r, a, shift);
	eu_vector_constant(s->c, row->op, r, shift ? r : a, row->number * (uint32_t)EU_UNIT);
	return r;
}

/* r = 0x1p31f <= a */
static void is_beyond(struct eu_translator *s, int r, int a)
{
	eu_vector_constant(s->c, EU_V_LOAD, r, 0, EU_CONSTANT_HALF_RANGE);
	eu_vector_number(s->c, COMPARE_PS, r, r, a, AT_MOST);
}

/* Rounded to zero; the least or greatest where it is beyond these, 0 for what is no number. */
static int integer(struct eu_translator *s, const struct eu_columns *row, int a)
{
	int r = eu_compile_take(s), x = eu_compile_take(s), y = eu_compile_take(s);
	if (row->number == 0) {
		eu_vector(s->c, row->op, r, 0, a); /* 0x80000000 where it is beyond */
		is_beyond(s, x, a);
		eu_vector(s->c, EU_V_XOR, r, r, x);
		eu_vector_number(s->c, COMPARE_PS, x, a, a, ORDERED);
		eu_vector(s->c, EU_V_AND, r, r, x);
		return r;
	}
	eu_vector(s->c, EU_V_XOR, x, x, x);
	eu_vector_number(s->c, COMPARE_PS, x, a, x, GREATER_F);
	eu_vector(s->c, EU_V_AND, r, a, x);
	/* What is in the upper half is moved to the lower one; what is still beyond, all is. */
	is_beyond(s, x, r);
	eu_vector_constant(s->c, EU_V_AND, y, x, EU_CONSTANT_HALF_RANGE);
	eu_vector(s->c, SUBTRACT_F, r, r, y);
	is_beyond(s, y, r);
	eu_vector(s->c, row->op, r, 0, r);
	eu_vector_constant(s->c, EU_V_AND, x, x, EU_CONSTANT_SIGN);
	eu_vector(s->c, EU_V_XOR, r, r, x);
	eu_vector(s->c, EU_V_OR, r, r, y);
	return r;
}

/* Of the low words of dwords. */
static int from_half(struct eu_translator *s, int a)
{
	int r = eu_compile_take(s);
	eu_vector_constant(s->c, BYTES_BY, r, a, EU_CONSTANT_WORDS_LOW);
	eu_vector_order(s->c, r, 0x08);
	eu_vector(s->c, EU_V_FROM_HALVES, r, 0, r);
	return r;
}

static int to_half(struct eu_translator *s, int a)
{
	int r = eu_compile_take(s);
	eu_vector_number(s->c, TO_HALVES, a, 0, r, IN_MODE);
	eu_vector(s->c, WORDS_TO_DWORDS, r, 0, r);
	return r;
}

static int nearest_half(struct eu_translator *s, int a)
{
	int r = eu_compile_take(s);
	eu_vector_number(s->c, TO_HALVES, a, 0, r, TO_NEAREST);
	eu_vector(s->c, EU_V_FROM_HALVES, r, 0, r);
	return r;
}

/* Whether it multiplies dwords that are words without a sign: a product of words does. */
static bool multiplies_words(
	const struct eu_translator *s, const struct eu_columns *row, const int in[3])
{
	return row->op == MULTIPLY && s->holders[in[0]].zeros > 16 && s->holders[in[1]].zeros > 16;
}

/* The high bits of a result that are 0, as far as those of its sources say so. */
static unsigned zeros_of(const struct eu_translator *s, const struct eu_columns *row,
	const struct eu_uop *u, const int in[3])
{
	unsigned z[3], least, most, number = 0;
	for (unsigned i = 0; i < 3; i++)
		z[i] = in[i] < 0 ? 0 : s->holders[in[i]].zeros;
	least = z[0] < z[1] ? z[0] : z[1];
	most = z[0] < z[1] ? z[1] : z[0];
	switch (row->form) {
	case LOW:
		return low_zeros(row);
	case SHIFT:
		if (!eu_compile_constant(s, u->b, &number) || eu_uop_span(u, 2).bytes != 4)
			return 0;
		number = z[0] + (row->number == BY_LEFT ? 0 - (number & 31) : number & 31);
		return (int)number < 0 || (row->number == BY_SIGN && !z[0]) ? 0
		       : number > 32					    ? 32
									    : number;
	case SELECT:
		return least;
	case TWO:
		return row->op == EU_V_AND			   ? most
		       : row->op == EU_V_OR || row->op == EU_V_XOR ? least
		       : row->op == EU_V_ADD && least > 0	   ? least - 1
		       : row->op == MULTIPLY && z[0] + z[1] > 32   ? z[0] + z[1] - 32
								   : 0;
	default:
		return 0;
	}
}

static int value(struct eu_translator *s, const struct eu_columns *row, const struct eu_uop *u,
	const int in[3], int32_t to)
{
	int r;
	switch (row->form) {
	case SHIFT:
		return shifted(s, row, u, in[0], in[1]);
	case ROTATE:
		return rotated(s, row, u, in[0]);
	case EXTREME:
		return extreme(s, row, in[0], in[1]);
	case SATURATE:
		return saturated(s, in[0]);
	case INTEGER:
		return integer(s, row, in[0]);
	case LOW:
	case EXTEND:
		return low(s, row, u, in[0], to);
	case FROM_HALF:
		return from_half(s, in[0]);
	case TO_HALF:
		return to_half(s, in[0]);
	case NEAREST_HALF:
		return nearest_half(s, in[0]);
	case FMA:
		return fused(s, row, in, to);
	}
	r = eu_compile_take(s);
	switch (row->form) {
	case ONE:
	case MATH:
		if (row->number)
			eu_vector_constant(s->c, EU_V_LOAD, r, 0, EU_CONSTANT_ONE);
		eu_vector(s->c, row->op, r, row->number ? r : 0, in[0]);
		break;
	case ROUND:
		eu_vector_number(s->c, row->op, r, 0, in[0], row->number);
		break;
	case CONSTANT:
		eu_vector_constant(s->c, row->op, r, in[0], row->number * (uint32_t)EU_UNIT);
		break;
	case NOT:
		eu_vector(s->c, EU_V_EQUAL, r, r, r);
		eu_vector(s->c, EU_V_XOR, r, r, in[0]);
		break;
	case NEGATE:
		eu_vector(s->c, EU_V_XOR, r, r, r);
		eu_vector(s->c, SUBTRACT, r, r, in[0]);
		break;
	case TWO:
		eu_vector(s->c, multiplies_words(s, row, in) ? WORD_PRODUCTS : row->op, r, in[0],
			in[1]);
		break;
	case SELECT:
		eu_compile_blend(s, r, in[2], in[0], in[1]);
		break;
	case MULTIPLY_ADD:
		eu_vector(s->c, MULTIPLY, r, in[1], in[2]);
		eu_vector(s->c, EU_V_ADD, r, r, in[0]);
		break;
	}
	return r;
}

/* What is translated here. */
static const bool by_lanes[PRODUCT + 1] = { [ONE] = true,
	[ROUND] = true,
	[CONSTANT] = true,
	[NOT] = true,
	[NEGATE] = true,
	[LOW] = true,
	[EXTEND] = true,
	[SATURATE] = true,
	[INTEGER] = true,
	[MATH] = true,
	[TWO] = true,
	[EXTREME] = true,
	[SHIFT] = true,
	[ROTATE] = true,
	[FMA] = true,
	[MULTIPLY_ADD] = true,
	[SELECT] = true,
	[FROM_HALF] = true,
	[TO_HALF] = true,
	[NEAREST_HALF] = true };

static bool can_do_lanes(const struct eu_translator *s, const struct eu_columns *row,
	const struct eu_uop *u, unsigned channels)
{
	uint32_t number;
	return eu_compile_can_bind(u->d, channels) &&
	       ((row->form != LOW && row->form != EXTEND) || u->a % 4 == 0 ||
		       (is_low(u) && eu_uop_span(u, 1).bytes != 4)) &&
	       (row->form != ROTATE ||
		       (eu_compile_constant(s, u->b, &number) && eu_uop_span(u, 2).bytes == 4));
}

/* Eight lanes; masked, what was there stays where the mask is off. Returns the register. */
static int half_of(struct eu_translator *s, const struct eu_uop *u, unsigned half, bool alone)
{
	const struct eu_columns *row = eu_compile_row(u);
	int in[3] = { eu_compile_operand(s, u, 0, half), eu_compile_operand(s, u, 1, half),
		eu_compile_operand(s, u, 2, half) };
	unsigned zeros = zeros_of(s, row, u, in);
	int32_t to = eu_compile_merges(s, u) ? MASKED : (int32_t)(u->d + half * EU_UNIT);
	int r = value(s, row, u, in, alone ? to : NOT_ALONE);
	if (s->holders[r].zeros < zeros)
		s->holders[r].zeros = (uint8_t)zeros;
	if (eu_compile_merges(s, u)) {
		int mask = eu_compile_lanes(s, u->m + half * EU_UNIT);
		int old = eu_compile_lanes(s, u->d + half * EU_UNIT);
		eu_compile_blend(s, r, mask, r, old);
		if (s->holders[r].zeros > s->holders[old].zeros)
			s->holders[r].zeros = s->holders[old].zeros;
	}
	return r;
}

bool eu_compile_both_halves(struct eu_translator *s, const struct eu_columns *row,
	const struct eu_uop *u, unsigned channels)
{
	int r[2] = { -1, -1 };
	if (!can_do_lanes(s, row, u, channels) || (row->form == MATH && !eu_compile_plain(s, u)))
		return false;
	for (unsigned half = 0; half < channels / 8; half++) {
		r[half] = half_of(s, u, half, false);
		eu_compile_unpin(s);
		s->holders[r[half]].pinned = s->holders[r[0]].pinned = true;
	}
	for (unsigned half = 0; half < channels / 8; half++)
		eu_compile_bind(s, u->d + half * EU_UNIT, r[half]);
	return true;
}

bool eu_compile_is_step(const struct eu_translator *s, const struct eu_uop *u)
{
	const struct eu_columns *row = eu_compile_row(u);
	unsigned shape, channels = eu_uop_channels(u->code, &shape);
	if (row->form == WIDEN)
		return eu_compile_can_bind(u->d, channels);
	if (row->form == NARROW_16)
		return channels == 16 && !eu_effect_is_masked(u) && eu_compile_can_bind(u->d, 8);
	return channels > 1 && by_lanes[row->form] && (row->form != MATH || s->is_plain) &&
	       can_do_lanes(s, row, u, channels);
}

void eu_compile_step(struct eu_translator *s, const struct eu_uop *u, unsigned half)
{
	const unsigned form = eu_compile_row(u)->form;
	if (form == NARROW_16)
		eu_compile_pack(s, u, u->b, 16);
	else
		eu_compile_bind(s, u->d + half * EU_UNIT,
			form == WIDEN ? eu_compile_widened(s, u, half) : half_of(s, u, half, true));
}
