// SPDX-License-Identifier: MIT
#include "eu/native/eu_compile_alu.h"

#include <string.h>

static const struct eu_columns rows[] = {
#define COLUMNS(form, number, op, scalar, ...)		      { form, number, op, scalar },
#define ROW(name, form, d, a, b, c, reads, writes, does, ...) COLUMNS(__VA_ARGS__, 0, 0, 0, 0)
#include "eu/ops/uop.def"
};

#define MULTIPLY	EU_VEX(1, 2, 0x40)
#define WORD_PRODUCTS	EU_VEX(1, 1, 0xf5)
#define BYTES_BY	EU_VEX(1, 2, 0x00)
#define WORDS_TO_DWORDS EU_VEX(1, 2, 0x33)

enum { ORDERED = 7, AT_MOST = 0x12, GREATER_F = 0x1e };

static const struct eu_columns *row_of(const struct eu_uop *u)
{
	return &rows[eu_uop_info(u->code) - eu_uop_info(0)];
}

/* The value of an operand that is a constant of the kernel. */
static bool constant_of(const struct eu_translator *s, unsigned offset, uint32_t *value)
{
	if (offset < EU_OFFSET(pool) || offset % 4)
		return false;
	*value = s->kernel->pool[(offset - EU_OFFSET(pool)) / 4];
	return true;
}

/* -- Values --------------------------------------------------------------------------------- */

static int shifted(
	struct eu_translator *s, const struct eu_columns *row, const struct eu_uop *u, int a, int b)
{
	int r = eu_compile_take(s);
	uint32_t number;
	if (constant_of(s, u->b, &number) && eu_uop_span(u, 2).bytes == 4) {
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
	constant_of(s, u->b, &number);
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

/*
 * A register with what `reg` holds, for a result at `offset`: `reg` itself where nobody reads that
 * behind the micro-operation, which writes all of `bytes` there.
 */
static int own(struct eu_translator *s, int reg, unsigned offset, unsigned bytes)
{
	const int32_t key = s->holders[reg].key;
	const bool is_unit = key >= 0 && !(key & (EU_SPLAT | EU_MASKS));
	const bool written = key >= (int32_t)offset && key < (int32_t)(offset + bytes);
	if (is_unit && (written || !eu_units_has(s->live, (unsigned)key / EU_UNIT))) {
		s->holders[reg].halves = -1;
		return reg;
	}
	int r = eu_compile_take(s);
	eu_vector(s->c, EU_V_MOVE, r, 0, reg);
	s->holders[r].zeros = s->holders[reg].zeros;
	return r;
}

/* Bits that LOW clears. */
static unsigned low_zeros(const struct eu_columns *row)
{
	return row->number * EU_UNIT == EU_CONSTANT_BYTE ? 24 : 16;
}

static int low(struct eu_translator *s, const struct eu_columns *row, const struct eu_uop *u, int a,
	unsigned channels)
{
	unsigned shift = 8 * (u->a % 4);
	/* More high bits are 0 than it clears, or copies of the sign. */
	if (!shift &&
		s->holders[a].zeros > (row->form == EXTEND ? row->number : low_zeros(row) - 1))
		return own(s, a, u->d, eu_effect_is_masked(u) ? 0 : 4 * channels);
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
		if (!constant_of(s, u->b, &number) || eu_uop_span(u, 2).bytes != 4)
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
	const int in[3], unsigned channels)
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
		return low(s, row, u, in[0], channels);
	case FROM_HALF:
		return from_half(s, in[0]);
	case TO_HALF:
		return to_half(s, in[0]);
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
	case FMA:
		eu_vector(s->c, EU_V_MOVE, r, 0, in[0]);
		eu_vector(s->c, row->op, r, in[1], in[2]);
		break;
	case MULTIPLY_ADD:
		eu_vector(s->c, MULTIPLY, r, in[1], in[2]);
		eu_vector(s->c, EU_V_ADD, r, r, in[0]);
		break;
	}
	return r;
}

/* -- Flags ---------------------------------------------------------------------------------- */

/* The lanes of a comparison as masks, which are off where it holds if *invert. */
static int compared(
	struct eu_translator *s, const struct eu_columns *row, int a, int b, bool *invert)
{
	int r = eu_compile_take(s);
	*invert = false;
	switch (row->form) {
	case COMPARE_F:
		eu_vector_number(s->c, COMPARE_PS, r, a, b, row->number);
		break;
	case SAME:
		eu_vector(s->c, row->op, r, a, b);
		eu_vector(s->c, EU_V_EQUAL, r, r, b);
		*invert = row->number;
		break;
	default:
		eu_vector(s->c, row->op, r, row->number & 2 ? b : a, row->number & 2 ? a : b);
		*invert = row->number & 1;
	}
	return r;
}

/* rcx: the flags, turned so that bit `shift` is the lowest; and back. */
static void load_flags(struct eu_translator *s, unsigned shift)
{
	eu_general_memory(
		s->c, EU_GP_LOAD | EU_GP_WIDE, EU_RCX, EU_RDI, offsetof(struct eu_thread, flag));
	eu_general_shift(s->c, EU_SHIFT_ROR, EU_GP_WIDE, EU_RCX, shift);
}

static void store_flags(struct eu_translator *s, unsigned shift)
{
	eu_general_shift(s->c, EU_SHIFT_ROL, EU_GP_WIDE, EU_RCX, shift);
	eu_general_memory(
		s->c, EU_GP_STORE | EU_GP_WIDE, EU_RCX, EU_RDI, offsetof(struct eu_thread, flag));
}

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

/* The bits of a comparison, in eax: first those of half 0. */
static void load_byte_of(struct eu_translator *s, unsigned half, int masks, bool invert)
{
	eu_compile_bits(s, half ? EU_RDX : EU_RAX, masks, invert);
	if (half) {
		eu_general_shift(s->c, EU_SHIFT_LEFT, 0, EU_RDX, 8);
		eu_general(s->c, EU_GP_OR, EU_RAX, EU_RDX);
	}
}

/* Bits that a mask lets through go where eax has those of a comparison. */
static void merge_flags(struct eu_translator *s, const struct eu_uop *u, unsigned channels)
{
	eu_compile_drop(s, EU_OFFSET(flag), 8);
	eu_compile_sync(s, u->c, 4);
	eu_general_memory(s->c, EU_GP_LOAD, EU_RDX, EU_RDI, u->c);
	eu_general_shift(s->c, EU_SHIFT_RIGHT, 0, EU_RDX, u->imm & 31);
	load_flags(s, u->shift);
	eu_general(s->c, EU_GP_XOR, EU_RAX, EU_RCX);
	eu_general(s->c, EU_GP_AND, EU_RAX, EU_RDX);
	eu_put_general(s->c, channels == 16 ? EU_GP_WORD : EU_GP_WORD - 1);
	eu_put(s->c, 0xc0);
	eu_general(s->c, EU_GP_XOR | EU_GP_WIDE, EU_RCX, EU_RAX);
	store_flags(s, u->shift);
}

static bool compare(struct eu_translator *s, const struct eu_columns *row, const struct eu_uop *u,
	unsigned channels)
{
	bool invert;
	int r[2];
	if (u->shift % 8)
		return false;
	for (unsigned half = 0; half < channels / 8; half++) {
		int a = eu_compile_operand(s, u, 0, half), b = eu_compile_operand(s, u, 1, half);
		r[half] = compared(s, row, a, b, &invert);
	}
	for (unsigned half = 0; half < channels / 8; half++) {
		if (eu_uop_span(u, 3).bytes)
			load_byte_of(s, half, r[half], invert);
		else
			eu_compile_bind_masks(
				s, EU_OFFSET(flag) + u->shift / 8u + half, r[half], invert);
	}
	if (eu_uop_span(u, 3).bytes)
		merge_flags(s, u, channels);
	return true;
}

/* The lanes that bits 8 * half and up of eax stand for. */
static int lanes_of_bits(struct eu_translator *s, unsigned half)
{
	uint32_t bits = half ? EU_CONSTANT_BITS_8 : EU_CONSTANT_BITS;
	int r = eu_compile_take(s);
	eu_vector_from_eax(s->c, r);
	eu_vector(s->c, EU_V_SPLAT_DWORD, r, 0, r);
	eu_vector_constant(s->c, EU_V_AND, r, r, bits);
	eu_vector_constant(s->c, EU_V_EQUAL, r, r, bits);
	return r;
}

/* Puts lanes, made of eax, in two units. */
static void bind_bits(struct eu_translator *s, unsigned offset, unsigned channels)
{
	for (unsigned half = 0; half < channels / 8; half++) {
		eu_compile_bind(s, offset + half * EU_UNIT, lanes_of_bits(s, half));
		eu_compile_unpin(s);
	}
}

/* eax: the channels that a predicate lets through. */
static bool load_predicate(struct eu_translator *s, const struct eu_uop *u)
{
	bool all = u->group == EU_GROUP_ALL;
	if (u->group == EU_GROUP_NONE && (u->c & 0xff) != GEN_PRED_SEQUENTIAL)
		return false;
	eu_compile_sync(s, u->b, 4);
	eu_general_memory(s->c, EU_GP_LOAD, EU_RAX, EU_RDI, u->b);
	eu_general_shift(s->c, EU_SHIFT_RIGHT, 0, EU_RAX, u->shift);
	if (u->group != EU_GROUP_NONE) {
		eu_put(s->c, 0x25); /* and eax, the number */
		eu_put_32(s->c, u->target);
		if (all) {
			eu_put(s->c, 0x35); /* xor */
			eu_put_32(s->c, u->target);
		}
		eu_put(s->c, 0xf7); /* neg eax */
		eu_put(s->c, 0xd8);
		eu_put(s->c, 0x19); /* sbb eax, eax: ones unless it was 0 */
		eu_put(s->c, 0xc0);
	}
	if (all != (u->c >> 8)) {
		eu_put(s->c, 0xf7); /* not */
		eu_put(s->c, 0xd0);
	}
	if (u->a)
		eu_general_memory(s->c, EU_GP_AND, EU_RAX, EU_RDI, EU_OFFSET(act.bits));
	return true;
}

/* Puts flags from a byte on in units as lanes if registers hold them as masks. */
static bool bind_masks(
	struct eu_translator *s, unsigned place, bool invert, unsigned offset, unsigned channels)
{
	bool inverted[2];
	int r[2] = { -1, -1 };
	for (unsigned half = 0; half < channels / 8; half++)
		if ((r[half] = eu_compile_masks(s, place + half, &inverted[half])) < 0)
			return false;
	for (unsigned half = 0; half < channels / 8; half++) {
		int x = eu_compile_take(s);
		if (inverted[half] != invert) {
			eu_vector(s->c, EU_V_EQUAL, x, x, x);
			eu_vector(s->c, EU_V_XOR, x, x, r[half]);
		} else {
			eu_vector(s->c, EU_V_MOVE, x, 0, r[half]);
		}
		eu_compile_bind(s, offset + half * EU_UNIT, x);
	}
	return true;
}

/* Where nobody wants the predicate's bits, and no channel of those that are named is off. */
static bool known_predicate(struct eu_translator *s, const struct eu_uop *u, unsigned channels)
{
	const unsigned shift = u->shift + u->imm, place = u->b + shift / 8;
	return u->group == EU_GROUP_NONE && (u->c & 0xff) == GEN_PRED_SEQUENTIAL &&
	       (!u->a || s->is_sweep) && shift % 8 == 0 &&
	       !eu_units_has(s->live, EU_OFFSET(pm.bits) / EU_UNIT) &&
	       bind_masks(s, place, u->c >> 8, EU_OFFSET(pm.lanes) + 4 * u->imm, channels);
}

static bool predicate(struct eu_translator *s, const struct eu_uop *u, unsigned channels)
{
	unsigned to = EU_OFFSET(pm.lanes) + 4 * u->imm;
	if (channels > 1 && to % EU_UNIT)
		return false;
	if (channels > 1 && known_predicate(s, u, channels))
		return true;
	if (!load_predicate(s, u))
		return false;
	eu_compile_drop(s, EU_OFFSET(pm.bits), 4);
	eu_general_memory(s->c, EU_GP_STORE, EU_RAX, EU_RDI, EU_OFFSET(pm.bits));
	eu_general_shift(s->c, EU_SHIFT_RIGHT, 0, EU_RAX, u->imm);
	if (channels > 1) {
		bind_bits(s, to, channels);
		return true;
	}
	eu_compile_drop(s, to, 4);
	eu_put(s->c, 0x83); /* and eax, 1 */
	eu_put(s->c, 0xe0);
	eu_put(s->c, 1);
	eu_put(s->c, 0xf7); /* neg eax */
	eu_put(s->c, 0xd8);
	eu_general_memory(s->c, EU_GP_STORE, EU_RAX, EU_RDI, to);
	return true;
}

/* All true or all false for some channels. */
static bool known_flags(struct eu_translator *s, const struct eu_uop *u)
{
	uint32_t all = UINT32_MAX >> (32 - u->a);
	eu_compile_drop(s, EU_OFFSET(flag), 8);
	load_flags(s, u->shift);
	if (eu_effect_is_masked(u)) {
		eu_compile_sync(s, u->c, 4);
		eu_general_memory(s->c, EU_GP_LOAD, EU_RAX, EU_RDI, u->c);
		eu_general_shift(s->c, EU_SHIFT_RIGHT, 0, EU_RAX, u->imm & 31);
		eu_put(s->c, 0x25); /* and eax, the number */
	} else {
		eu_put(s->c, 0xb8); /* mov */
	}
	eu_put_32(s->c, all);
	eu_general(s->c, EU_GP_OR | EU_GP_WIDE, EU_RCX, EU_RAX);
	if (!u->b)
		eu_general(s->c, EU_GP_XOR | EU_GP_WIDE, EU_RCX, EU_RAX);
	store_flags(s, u->shift);
	return true;
}

static bool flags(struct eu_translator *s, const struct eu_uop *u, unsigned channels)
{
	if (!eu_compile_can_bind(u->d, channels) || eu_effect_is_masked(u))
		return false;
	if (u->shift % 8 == 0 &&
		bind_masks(s, EU_OFFSET(flag) + u->shift / 8u, false, u->d, channels))
		return true;
	eu_compile_sync(s, EU_OFFSET(flag), 8);
	load_flags(s, u->shift);
	eu_general(s->c, EU_GP_LOAD, EU_RAX, EU_RCX);
	bind_bits(s, u->d, channels);
	return true;
}

/* -- Whole micro-operations ------------------------------------------------------------------ */

static bool clear(struct eu_translator *s, const struct eu_uop *u)
{
	int r = eu_compile_take(s);
	eu_vector(s->c, EU_V_XOR, r, r, r);
	eu_compile_bind(s, u->d, r);
	return true;
}

static bool knows_scalar(
	const struct eu_translator *s, const struct eu_columns *row, const struct eu_uop *u)
{
	bool temp = u->d >= EU_OFFSET(temp) && u->d < EU_OFFSET(act);
	bool flag = u->d >= EU_OFFSET(flag) && u->d + 4u <= EU_OFFSET(sr);
	uint32_t number;
	return row->scalar && !eu_effect_is_masked(u) && (u->d < EU_OFFSET(acc) || temp || flag) &&
	       (row->form != SHIFT || constant_of(s, u->b, &number));
}

/* A half in eax to a float, or back. */
static void scalar_half(struct eu_translator *s, bool from)
{
	int x = eu_compile_take(s);
	eu_vector_from_eax(s->c, x);
	if (from)
		eu_vector(s->c, EU_V_FROM_HALVES, x, 0, x);
	else
		eu_vector_number(s->c, TO_HALVES, x, 0, x, IN_MODE);
	eu_vector_to_general(s->c, EU_RAX, x);
}

/* Of what was stored in parts, the processor does not forward the whole. */
static uint32_t load_of(const struct eu_columns *row)
{
	switch (row->form) {
	case LOW:
	case FROM_HALF:
		return EU_GP_WORD;
	case COPY:
		return row->number == 1 ? EU_GP_WORD - 1 : EU_GP_WORD;
	}
	return EU_GP_LOAD;
}

/* Stores what eax holds; flags are always stored as a whole. */
static void store_scalar(struct eu_translator *s, unsigned d, unsigned bytes)
{
	unsigned first = EU_OFFSET(flag), shift = 8 * (d - first);
	const uint32_t ops[] = {
		[1] = EU_GP_STORE - 1, [2] = EU_GP_STORE | EU_GP_SHORT, [4] = EU_GP_STORE
	};
	eu_compile_drop(s, d, bytes);
	if (bytes == 1 || d < first || d + bytes > first + 8) {
		eu_general_memory(s->c, ops[bytes], EU_RAX, EU_RDI, d);
		return;
	}
	load_flags(s, shift);
	if (bytes == 2) {
		eu_general(s->c, EU_GP_LOAD | EU_GP_SHORT, EU_RCX, EU_RAX);
	} else {
		eu_general_shift(s->c, EU_SHIFT_RIGHT, EU_GP_WIDE, EU_RCX, 32);
		eu_general_shift(s->c, EU_SHIFT_LEFT, EU_GP_WIDE, EU_RCX, 32);
		eu_general(s->c, EU_GP_OR | EU_GP_WIDE, EU_RCX, EU_RAX);
	}
	store_flags(s, shift);
}

/* One channel, in general registers: memory to memory. */
static bool scalar(struct eu_translator *s, const struct eu_columns *row, const struct eu_uop *u)
{
	static const uint8_t kinds[] = {
		[BY_RIGHT] = EU_SHIFT_RIGHT, [BY_SIGN] = EU_SHIFT_SIGN, [BY_LEFT] = EU_SHIFT_LEFT
	};
	uint32_t number = 0;
	if (!knows_scalar(s, row, u))
		return false;
	constant_of(s, u->b, &number);
	unsigned bytes = row->form == COPY ? row->number : 4;
	eu_compile_sync(s, u->a, 4);
	eu_general_memory(s->c, load_of(row), EU_RAX, EU_RDI, u->a);
	switch (row->form) {
	case TWO:
		eu_compile_sync(s, u->b, 4);
		eu_general_memory(s->c, row->scalar == 0xaf ? EU_GP_MULTIPLY : row->scalar, EU_RAX,
			EU_RDI, u->b);
		break;
	case SHIFT:
		eu_general_shift(s->c, kinds[row->number], 0, EU_RAX, number & 31);
		break;
	case NOT:
	case NEGATE:
		eu_put(s->c, 0xf7);
		eu_put(s->c, row->form == NOT ? 0xd0 : 0xd8);
		break;
	case FROM_HALF:
	case TO_HALF:
		scalar_half(s, row->form == FROM_HALF);
		break;
	}
	store_scalar(s, u->d, bytes);
	return true;
}

/* The 64 bits of one product to the accumulator. */
static bool scalar_product(struct eu_translator *s, const struct eu_uop *u)
{
	unsigned sign = u->imm & (EU_WIDE_A_SIGNED | EU_WIDE_B_SIGNED);
	if (eu_effect_is_masked(u) || sign == EU_WIDE_A_SIGNED || sign == EU_WIDE_B_SIGNED)
		return false;
	eu_compile_sync(s, u->a, 4);
	eu_compile_sync(s, u->b, 4);
	eu_compile_drop(s, EU_OFFSET(acc), 4);
	eu_compile_drop(s, EU_OFFSET(acc_high), 4);
	eu_general_memory(s->c, EU_GP_LOAD, EU_RAX, EU_RDI, u->a);
	eu_general_memory(s->c, 0xf7, sign ? 5 : 4, EU_RDI, u->b); /* imul, mul */
	eu_general_memory(s->c, EU_GP_STORE, EU_RAX, EU_RDI, EU_OFFSET(acc));
	eu_general_memory(s->c, EU_GP_STORE, EU_RDX, EU_RDI, EU_OFFSET(acc_high));
	return true;
}

/* Lane by lane; masked, what was there stays where the mask is off. */
static bool lanes(struct eu_translator *s, const struct eu_columns *row, const struct eu_uop *u,
	unsigned channels)
{
	int r[2] = { -1, -1 };
	uint32_t number;
	if (!eu_compile_can_bind(u->d, channels) ||
		((row->form == LOW || row->form == EXTEND) && u->a % 4 &&
			(!is_low(u) || eu_uop_span(u, 1).bytes == 4)) ||
		(row->form == ROTATE &&
			(!constant_of(s, u->b, &number) || eu_uop_span(u, 2).bytes != 4)) ||
		(row->form == MATH && !eu_compile_plain(s, u)))
		return false;
	for (unsigned half = 0; half < channels / 8; half++) {
		int in[3] = { eu_compile_operand(s, u, 0, half), eu_compile_operand(s, u, 1, half),
			eu_compile_operand(s, u, 2, half) };
		unsigned zeros = zeros_of(s, row, u, in);
		if (row->form == SELECT) {
			r[half] = eu_compile_take(s);
			eu_compile_blend(s, r[half], in[2], in[0], in[1]);
		} else {
			r[half] = value(s, row, u, in, channels);
		}
		if (s->holders[r[half]].zeros < zeros)
			s->holders[r[half]].zeros = (uint8_t)zeros;
		if (eu_effect_is_masked(u)) {
			int mask = eu_compile_lanes(s, u->m + half * EU_UNIT);
			int old = eu_compile_lanes(s, u->d + half * EU_UNIT);
			eu_compile_blend(s, r[half], mask, r[half], old);
			if (s->holders[r[half]].zeros > s->holders[old].zeros)
				s->holders[r[half]].zeros = s->holders[old].zeros;
		}
		eu_compile_unpin(s);
		s->holders[r[half]].pinned = s->holders[r[0]].pinned = true;
	}
	for (unsigned half = 0; half < channels / 8; half++)
		eu_compile_bind(s, u->d + half * EU_UNIT, r[half]);
	return true;
}

bool eu_compile_alu(struct eu_translator *s, const struct eu_uop *u)
{
	const struct eu_columns *row = row_of(u);
	unsigned shape, channels = eu_uop_channels(u->code, &shape);
	if (row->form == NO_CODE)
		return false;
	if (row->form == CLEAR)
		return clear(s, u);
	if (row->form == KNOWN)
		return known_flags(s, u);
	if (channels == 1 && row->form == PRODUCT)
		return scalar_product(s, u);
	if (channels == 1 && row->form == FROM_HALF && eu_compile_spread_half(s, u))
		return true;
	if (channels == 1)
		return row->form == PREDICATE ? predicate(s, u, 1) : scalar(s, row, u);
	switch (row->form) {
	case COMPARE_F:
	case SAME:
	case GREATER:
		return compare(s, row, u, channels);
	case PREDICATE:
		return predicate(s, u, channels);
	case FLAGS:
		return flags(s, u, channels);
	case WIDEN:
	case NARROW_16:
	case NARROW_8:
	case NARROW_IN:
	case NARROW_IN_64:
	case ALTERNATE:
	case CARRY:
	case PRODUCT:
		return eu_compile_width(s, row, u, channels);
	case MAD_HALF:
		return eu_compile_mad_half(s, u, channels);
	default:
		return lanes(s, row, u, channels);
	}
}

/* Whether a micro-operation is one of one channel that `scalar` knows. */
static bool is_scalar(struct eu_translator *s, const struct eu_uop *u)
{
	const struct eu_columns *row = row_of(u);
	unsigned shape;
	return row->form != CLEAR && row->form != KNOWN && row->form != PREDICATE &&
	       eu_uop_channels(u->code, &shape) == 1 && knows_scalar(s, row, u);
}

bool eu_compile_unless(struct eu_translator *s, const struct eu_uop *u)
{
	unsigned past = u->past;
	for (unsigned i = 1; i <= past; i++)
		if (!is_scalar(s, u + i))
			return false;
	if (past == 0 || past > 8 || u->imm > 31 || !load_predicate(s, u))
		return false;
	/* Registers of the host hold the same on both ways. */
	for (unsigned i = 1; i <= past; i++) {
		eu_compile_sync(s, u[i].a, 4);
		if (eu_uop_span(u + i, 2).bytes)
			eu_compile_sync(s, u[i].b, 4);
		eu_compile_drop(s, u[i].d, 4);
	}
	eu_put(s->c, 0xa9); /* test eax, the number */
	eu_put_32(s->c, 1u << u->imm);
	uint32_t over = eu_jump(s->c, EU_IF_ZERO);
	for (unsigned i = 1; i <= past; i++)
		scalar(s, row_of(u + i), u + i);
	eu_jump_here(s->c, over);
	return true;
}
