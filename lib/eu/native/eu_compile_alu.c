// SPDX-License-Identifier: MIT
#include "eu/native/eu_compile.h"
#include "eu/ops/eu_effect.h"

#include <string.h>

/* How a result comes from sources a, b, c; `op` is the instruction, `number` its last byte. */
enum form {
	NO_CODE,
	ONE,	  /* op(a) */
	ROUND,	  /* op(a, number) */
	CONSTANT, /* op(a, constant `number`) */
	NOT,
	NEGATE,
	LOW,	/* op(a, constant `number`), a at any byte */
	EXTEND, /* the sign of all but `number` bits, a at any byte */
	SATURATE,
	INTEGER, /* of a float; without a sign if number is 1 */
	MATH,	 /* op(a), or op(1, a) if number is 1, in plain modes */
	TWO,	 /* op(a, b) */
	EXTREME, /* a where it is a number and compares by `number`, or b is none; else b */
	SHIFT,	 /* op(a, b & 31), or by the number b */
	ROTATE,	 /* by the number b */
	FMA,	 /* op(a; b, c), into a */
	MULTIPLY_ADD,
	COMPARE_F, /* by predicate `number` */
	SAME,	   /* integers: op(a, b) == b; inverted if number is 1 */
	GREATER,   /* op(a, b), with a and b exchanged if number & 2, inverted if number & 1 */
	WIDEN,	   /* op of memory, number bytes for eight */
	NARROW_16, /* to words, which replace what `number` is of what was there: 1: the low byte */
	NARROW_8,
	NARROW_IN, /* op(…, constant `number`): bits of dwords */
	CARRY,	   /* op(a, b); the carry unless extreme `number` of result and a is the result */
	KNOWN,
	SELECT,
	FLAGS,
	PREDICATE,
	CLEAR,
};

/* The last columns of uop.def. */
static const struct row {
	uint8_t form, number;
	uint32_t op;
	uint8_t scalar; /* general registers: the instruction for one channel; 0: none */
} rows[] = {
#define COLUMNS(form, number, op, scalar, ...)		      { form, number, op, scalar },
#define ROW(name, form, d, a, b, c, reads, writes, does, ...) COLUMNS(__VA_ARGS__, 0, 0, 0, 0)
#include "eu/ops/uop.def"
};

#define SUBTRACT_F EU_VEX(0, 1, 0x5c)
#define SUBTRACT   EU_VEX(1, 1, 0xfa)
#define MULTIPLY   EU_VEX(1, 2, 0x40)
#define COMPARE_PS EU_VEX(0, 1, 0xc2)
#define BITS_PS	   EU_VEX(0, 1, 0x50)
#define BLEND	   EU_VEX(1, 3, 0x4a)
#define HALF_OF	   EU_VEX(1, 3, 0x39) /* vextracti128: from reg to rm */
#define HALVES	   EU_VEX(1, 3, 0x46) /* vperm2i128 */
#define BYTES_FROM EU_VEX(1, 3, 0x0f) /* vpalignr */

enum { ORDERED = 7, AT_MOST = 0x12, GREATER_F = 0x1e, BY_RIGHT = 2, BY_SIGN = 4, BY_LEFT = 6 };

static const struct row *row_of(const struct eu_uop *u)
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

static void shift_by(struct eu_translator *s, unsigned kind, int d, int a, unsigned number)
{
	eu_vector_number(s->c, EU_V_SHIFT_BY, (int)kind, d, a, number);
}

/* d = the mask m ? a : b */
static void blend(struct eu_translator *s, int d, int m, int a, int b)
{
	eu_vector_number(s->c, BLEND, d, b, a, (unsigned)m << 4);
}

/* -- Values --------------------------------------------------------------------------------- */

static int shifted(
	struct eu_translator *s, const struct row *row, const struct eu_uop *u, int a, int b)
{
	int r = eu_compile_take(s);
	uint32_t number;
	if (constant_of(s, u->b, &number) && eu_uop_span(u, 2).bytes == 4) {
		shift_by(s, row->number, r, a, number & 31);
		return r;
	}
	eu_vector_constant(s->c, EU_V_AND, r, b, EU_CONSTANT_31);
	eu_vector(s->c, row->op, r, a, r);
	return r;
}

static int rotated(struct eu_translator *s, const struct row *row, const struct eu_uop *u, int a)
{
	int r = eu_compile_take(s), x = eu_compile_take(s);
	uint32_t number = 0;
	constant_of(s, u->b, &number);
	number = (row->number ? 32 - number : number) & 31;
	shift_by(s, BY_LEFT, r, a, number);
	shift_by(s, BY_RIGHT, x, a, 32 - number);
	eu_vector(s->c, EU_V_OR, r, r, x);
	return r;
}

/* Of a number and what is none, the number: not what the processor's instructions do. */
static int extreme(struct eu_translator *s, const struct row *row, int a, int b)
{
	int r = eu_compile_take(s), x = eu_compile_take(s);
	eu_vector_number(s->c, COMPARE_PS, r, a, b, row->number);
	eu_vector_number(s->c, COMPARE_PS, x, a, a, ORDERED);
	eu_vector(s->c, EU_V_AND, x, x, r);
	blend(s, r, x, a, b);
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

static int low(struct eu_translator *s, const struct row *row, const struct eu_uop *u, int a)
{
	int r = eu_compile_take(s);
	unsigned shift = 8 * (u->a % 4);
	if (row->form == EXTEND) {
		shift_by(s, BY_LEFT, r, a, row->number - shift);
		shift_by(s, BY_SIGN, r, r, row->number);
		return r;
	}
	if (shift)
		shift_by(s, BY_RIGHT, r, a, shift);
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
static int integer(struct eu_translator *s, const struct row *row, int a)
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

static int value(
	struct eu_translator *s, const struct row *row, const struct eu_uop *u, const int in[3])
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
		return low(s, row, u, in[0]);
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
		eu_vector(s->c, row->op, r, in[0], in[1]);
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

/* The lanes of a comparison, as bits in a general register. */
static void compared(struct eu_translator *s, const struct row *row, int a, int b, unsigned to)
{
	int r = eu_compile_take(s);
	bool invert = false;
	switch (row->form) {
	case COMPARE_F:
		eu_vector_number(s->c, COMPARE_PS, r, a, b, row->number);
		break;
	case SAME:
		eu_vector(s->c, row->op, r, a, b);
		eu_vector(s->c, EU_V_EQUAL, r, r, b);
		invert = row->number;
		break;
	default:
		eu_vector(s->c, row->op, r, row->number & 2 ? b : a, row->number & 2 ? a : b);
		invert = row->number & 1;
	}
	eu_vector(s->c, BITS_PS, (int)to, 0, r);
	if (invert) {
		eu_put_general(s->c, 0x83); /* xor with a byte: 0xff of these bits */
		eu_put(s->c, 0xf0 | to);
		eu_put(s->c, 0xff);
	}
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

static int operand(struct eu_translator *s, const struct eu_uop *u, unsigned number, unsigned half)
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

static void compare(
	struct eu_translator *s, const struct row *row, const struct eu_uop *u, unsigned channels)
{
	for (unsigned half = 0; half < channels / 8; half++) {
		int a = operand(s, u, 0, half), b = operand(s, u, 1, half);
		compared(s, row, a, b, half ? EU_RDX : EU_RAX);
		eu_put_general(s->c, EU_GP_WORD - 1); /* movzx of a byte */
		eu_put(s->c, half ? 0xd2 : 0xc0);
		eu_compile_unpin(s);
	}
	if (channels == 16) {
		eu_general_shift(s->c, EU_SHIFT_LEFT, 0, EU_RDX, 8);
		eu_general(s->c, EU_GP_OR, EU_RAX, EU_RDX);
	}
	eu_compile_drop(s, EU_OFFSET(flag), 8);
	if (eu_uop_span(u, 3).bytes) {
		eu_compile_sync(s, u->c, 4);
		eu_general_memory(s->c, EU_GP_LOAD, EU_RDX, EU_RDI, u->c);
		eu_general_shift(s->c, EU_SHIFT_RIGHT, 0, EU_RDX, u->imm & 31);
		load_flags(s, u->shift);
		eu_general(s->c, EU_GP_XOR, EU_RAX, EU_RCX);
		eu_general(s->c, EU_GP_AND, EU_RAX, EU_RDX);
		eu_put_general(s->c, channels == 16 ? EU_GP_WORD : EU_GP_WORD - 1);
		eu_put(s->c, 0xc0);
		eu_general(s->c, EU_GP_XOR | EU_GP_WIDE, EU_RCX, EU_RAX);
	} else {
		load_flags(s, u->shift);
		eu_general(s->c, channels == 16 ? EU_GP_LOAD | EU_GP_SHORT : EU_GP_LOAD - 1, EU_RCX,
			EU_RAX);
	}
	store_flags(s, u->shift);
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
	if (u->group != EU_GROUP_NONE || (u->c & 0xff) != GEN_PRED_SEQUENTIAL)
		return false;
	eu_compile_sync(s, u->b, 4);
	eu_general_memory(s->c, EU_GP_LOAD, EU_RAX, EU_RDI, u->b);
	eu_general_shift(s->c, EU_SHIFT_RIGHT, 0, EU_RAX, u->shift);
	if (u->c >> 8) {
		eu_put(s->c, 0xf7); /* not */
		eu_put(s->c, 0xd0);
	}
	if (u->a)
		eu_general_memory(s->c, EU_GP_AND, EU_RAX, EU_RDI, EU_OFFSET(act.bits));
	return true;
}

static bool predicate(struct eu_translator *s, const struct eu_uop *u, unsigned channels)
{
	unsigned to = EU_OFFSET(pm.lanes) + 4 * u->imm;
	if ((channels > 1 && to % EU_UNIT) || !load_predicate(s, u))
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
	if (eu_effect_is_masked(u) || u->a > 31)
		return false;
	eu_compile_drop(s, EU_OFFSET(flag), 8);
	load_flags(s, u->shift);
	eu_put(s->c, 0xb8); /* mov eax, the number */
	eu_put_32(s->c, (1u << u->a) - 1);
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
	load_flags(s, u->shift);
	eu_general(s->c, EU_GP_LOAD, EU_RAX, EU_RCX);
	bind_bits(s, u->d, channels);
	return true;
}

/* -- Other forms ---------------------------------------------------------------------------- */

/* The 16 bytes of elements that eight lanes are made of, from the bytes of two units in a row. */
static int narrow_part(struct eu_translator *s, unsigned offset)
{
	unsigned at = offset % EU_UNIT;
	int r = eu_compile_take(s), unit = eu_compile_lanes(s, offset - at), next;
	if (at % 16 == 0) {
		eu_vector_number(s->c, HALF_OF, unit, 0, r, at / 16);
		return r;
	}
	next = at > 16 ? eu_compile_lanes(s, offset - at + EU_UNIT) : unit;
	eu_vector_number(s->c, HALVES, r, unit, next, 0x21);
	if (at < 16)
		eu_vector_number(s->c, BYTES_FROM, r, r, unit, at % 16);
	else {
		int x = eu_compile_take(s);
		eu_vector_number(s->c, HALF_OF, next, 0, x, 0);
		eu_vector_number(s->c, BYTES_FROM, r, x, r, at % 16);
	}
	return r;
}

static bool widen(
	struct eu_translator *s, const struct row *row, const struct eu_uop *u, unsigned channels)
{
	int r[2] = { -1, -1 };
	if (!eu_compile_can_bind(u->d, channels))
		return false;
	for (unsigned half = 0; half < channels / 8; half++) {
		unsigned at = u->a + half * row->number;
		if (row->number == 16) {
			int part = narrow_part(s, at);
			r[half] = eu_compile_take(s);
			eu_vector(s->c, row->op, r[half], 0, part);
		} else {
			eu_compile_sync(s, at, 8);
			r[half] = eu_compile_take(s);
			eu_vector_memory(s->c, row->op, r[half], 0, EU_RDI, at);
		}
		eu_compile_unpin(s);
		s->holders[r[0]].pinned = true;
	}
	for (unsigned half = 0; half < channels / 8; half++)
		eu_compile_bind(s, u->d + half * EU_UNIT, r[half]);
	return true;
}

/* Sixteen dwords, of which the constant's bits count, as words. */
static int words_of(struct eu_translator *s, unsigned offset, uint32_t constant)
{
	int a = eu_compile_lanes(s, offset), b = eu_compile_lanes(s, offset + EU_UNIT);
	int r = eu_compile_take(s), x = eu_compile_take(s);
	eu_vector_constant(s->c, EU_V_AND, r, a, constant);
	eu_vector_constant(s->c, EU_V_AND, x, b, constant);
	eu_vector(s->c, EU_V_PACK_WORDS, r, r, x);
	eu_vector_order(s->c, r, 0xd8);
	return r;
}

static bool narrow_16(
	struct eu_translator *s, const struct row *row, const struct eu_uop *u, unsigned channels)
{
	if (channels != 16 || !eu_compile_can_bind(u->d, 8) || eu_effect_is_masked(u))
		return false;
	int r = words_of(s, u->a, row->number ? EU_CONSTANT_BYTE : EU_CONSTANT_WORD);
	if (row->number) {
		int x = eu_compile_take(s), old = eu_compile_lanes(s, u->d);
		eu_vector_constant(s->c, EU_V_AND, x, old, EU_CONSTANT_HIGH_BYTES);
		eu_vector(s->c, EU_V_OR, r, r, x);
	}
	eu_compile_bind(s, u->d, r);
	return true;
}

static bool narrow_8(struct eu_translator *s, const struct eu_uop *u, unsigned channels)
{
	if (channels != 16 || eu_effect_is_masked(u) || u->d + 16u > EU_OFFSET(acc))
		return false;
	int r = words_of(s, u->a, EU_CONSTANT_BYTE), x = eu_compile_take(s);
	eu_vector_number(s->c, HALF_OF, r, 0, x, 1);
	eu_vector(s->c, EU_V_PACK_BYTES, r, r, x);
	eu_compile_drop(s, u->d, 16);
	eu_vector_number_memory(s->c, HALF_OF, r, EU_RDI, u->d, 0);
	return true;
}

static bool narrow_in(
	struct eu_translator *s, const struct row *row, const struct eu_uop *u, unsigned channels)
{
	int r[2];
	if (!eu_compile_can_bind(u->d, channels) || eu_effect_is_masked(u))
		return false;
	for (unsigned half = 0; half < channels / 8; half++) {
		int old = eu_compile_lanes(s, u->d + half * EU_UNIT);
		r[half] = eu_compile_take(s);
		eu_vector(s->c, EU_V_XOR, r[half], old, eu_compile_lanes(s, u->a + half * EU_UNIT));
		eu_vector_constant(
			s->c, EU_V_AND, r[half], r[half], row->number * (uint32_t)EU_UNIT);
		eu_vector(s->c, EU_V_XOR, r[half], r[half], old);
	}
	for (unsigned half = 0; half < channels / 8; half++)
		eu_compile_bind(s, u->d + half * EU_UNIT, r[half]);
	return true;
}

static bool carry(
	struct eu_translator *s, const struct row *row, const struct eu_uop *u, unsigned channels)
{
	int r[2], carries[2], ones = eu_compile_take(s);
	if (!eu_compile_can_bind(u->d, channels) || eu_effect_is_masked(u))
		return false;
	eu_vector(s->c, EU_V_EQUAL, ones, ones, ones);
	for (unsigned half = 0; half < channels / 8; half++) {
		int a = eu_compile_lanes(s, u->a + half * EU_UNIT);
		r[half] = eu_compile_take(s);
		carries[half] = eu_compile_take(s);
		eu_vector(s->c, row->op, r[half], a, eu_compile_lanes(s, u->b + half * EU_UNIT));
		eu_vector(s->c, EU_VEX(1, 2, row->number), carries[half], r[half], a);
		eu_vector(s->c, EU_V_EQUAL, carries[half], carries[half], r[half]);
		eu_vector(s->c, SUBTRACT, carries[half], carries[half], ones);
	}
	for (unsigned half = 0; half < channels / 8; half++) {
		int zero = eu_compile_take(s);
		eu_vector(s->c, EU_V_XOR, zero, zero, zero);
		eu_compile_bind(s, EU_OFFSET(acc) + half * EU_UNIT, carries[half]);
		eu_compile_bind(s, EU_OFFSET(acc_high) + half * EU_UNIT, zero);
		eu_compile_bind(s, u->d + half * EU_UNIT, r[half]);
	}
	return true;
}

static bool clear(struct eu_translator *s, const struct eu_uop *u)
{
	int r = eu_compile_take(s);
	eu_vector(s->c, EU_V_XOR, r, r, r);
	eu_compile_bind(s, u->d, r);
	return true;
}

static bool knows_scalar(
	const struct eu_translator *s, const struct row *row, const struct eu_uop *u)
{
	bool temp = u->d >= EU_OFFSET(temp) && u->d < EU_OFFSET(act);
	bool flag = u->d >= EU_OFFSET(flag) && u->d + 4u <= EU_OFFSET(sr);
	uint32_t number;
	return row->scalar && !eu_effect_is_masked(u) && (u->d < EU_OFFSET(acc) || temp || flag) &&
	       (row->form != SHIFT || constant_of(s, u->b, &number));
}

/* One channel, in general registers: memory to memory. */
static bool scalar(struct eu_translator *s, const struct row *row, const struct eu_uop *u)
{
	static const uint8_t kinds[] = {
		[BY_RIGHT] = EU_SHIFT_RIGHT, [BY_SIGN] = EU_SHIFT_SIGN, [BY_LEFT] = EU_SHIFT_LEFT
	};
	uint32_t number = 0;
	if (!knows_scalar(s, row, u))
		return false;
	constant_of(s, u->b, &number);
	eu_compile_sync(s, u->a, 4);
	eu_general_memory(s->c, EU_GP_LOAD, EU_RAX, EU_RDI, u->a);
	switch (row->form) {
	case TWO:
		eu_compile_sync(s, u->b, 4);
		eu_general_memory(s->c, row->scalar == 0xaf ? EU_GP_MULTIPLY : row->scalar, EU_RAX,
			EU_RDI, u->b);
		break;
	case SHIFT:
		eu_general_shift(s->c, kinds[row->number], 0, EU_RAX, number & 31);
		break;
	case LOW:
		eu_general(s->c, EU_GP_WORD, EU_RAX, EU_RAX);
		break;
	case NOT:
	case NEGATE:
		eu_put(s->c, 0xf7);
		eu_put(s->c, row->form == NOT ? 0xd0 : 0xd8);
		break;
	}
	eu_compile_drop(s, u->d, 4);
	eu_general_memory(s->c, EU_GP_STORE, EU_RAX, EU_RDI, u->d);
	return true;
}

/* Lane by lane; masked, what was there stays where the mask is off. */
static bool lanes(
	struct eu_translator *s, const struct row *row, const struct eu_uop *u, unsigned channels)
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
		int in[3] = { operand(s, u, 0, half), operand(s, u, 1, half),
			operand(s, u, 2, half) };
		if (row->form == SELECT) {
			r[half] = eu_compile_take(s);
			blend(s, r[half], in[2], in[0], in[1]);
		} else {
			r[half] = value(s, row, u, in);
		}
		if (eu_effect_is_masked(u)) {
			int mask = eu_compile_lanes(s, u->m + half * EU_UNIT);
			blend(s, r[half], mask, r[half],
				eu_compile_lanes(s, u->d + half * EU_UNIT));
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
	const struct row *row = row_of(u);
	unsigned shape, channels = eu_uop_channels(u->code, &shape);
	if (row->form == NO_CODE)
		return false;
	if (row->form == CLEAR)
		return clear(s, u);
	if (row->form == KNOWN)
		return known_flags(s, u);
	if (channels == 1)
		return row->form == PREDICATE ? predicate(s, u, 1) : scalar(s, row, u);
	switch (row->form) {
	case COMPARE_F:
	case SAME:
	case GREATER:
		compare(s, row, u, channels);
		return true;
	case PREDICATE:
		return predicate(s, u, channels);
	case FLAGS:
		return flags(s, u, channels);
	case WIDEN:
		return widen(s, row, u, channels);
	case NARROW_16:
		return narrow_16(s, row, u, channels);
	case NARROW_8:
		return narrow_8(s, u, channels);
	case NARROW_IN:
		return narrow_in(s, row, u, channels);
	case CARRY:
		return carry(s, row, u, channels);
	default:
		return lanes(s, row, u, channels);
	}
}

/* Whether a micro-operation is one of one channel that `scalar` knows. */
static bool is_scalar(struct eu_translator *s, const struct eu_uop *u)
{
	const struct row *row = row_of(u);
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
