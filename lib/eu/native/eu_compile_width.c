// SPDX-License-Identifier: MIT
#include "eu/native/eu_compile_alu.h"

/* Elements of other sizes than dwords, and what is done to several at once. */

#define HALF_OF	     EU_VEX(1, 3, 0x39) /* vextracti128: from reg to rm */
#define HALF_INTO    EU_VEX(1, 3, 0x38)
#define HALVES	     EU_VEX(1, 3, 0x46) /* vperm2i128 */
#define BYTES_FROM   EU_VEX(1, 3, 0x0f) /* vpalignr */
#define TO_HALVES    EU_VEX(1, 3, 0x1d) /* from reg to rm */
#define PACK_SIGNED  EU_VEX(1, 1, 0x6b)
#define BLEND_BYTES  EU_VEX(1, 3, 0x4c)
#define BLEND_DWORDS EU_VEX(1, 3, 0x02)
#define SHUFFLE	     EU_VEX(0, 1, 0xc6)
#define WIDEN_UB     EU_VEX(1, 2, 0x31)
#define WIDEN_UW     EU_VEX(1, 2, 0x33)
#define WIDEN_UD     EU_VEX(1, 2, 0x35)
#define WIDEN_D	     EU_VEX(1, 2, 0x25)
#define MULTIPLY_U   EU_VEX(1, 1, 0xf4)
#define MULTIPLY_S   EU_VEX(1, 2, 0x28)
#define SHIFT_WIDE   EU_VEX(1, 1, 0x73)
#define SUBTRACT_F   EU_VEX(0, 1, 0x5c)
#define ADD_F	     EU_VEX(0, 1, 0x58)
#define FMA_ADD	     EU_VEX(1, 2, 0xb8)
#define FMA_SUBTRACT EU_VEX(1, 2, 0xba)
#define GREATER_I    EU_VEX(1, 1, 0x66)
#define MAX_U	     EU_VEX(1, 2, 0x3f)

enum { IN_MODE = 4, NOT_APART = 8 };

static void shift_wide(struct eu_translator *s, unsigned kind, int d, int a)
{
	eu_vector_number(s->c, SHIFT_WIDE, (int)kind, d, a, 32);
}

/* The 16 bytes of elements that eight lanes are made of, from the bytes of two units in a row. */
static int narrow_part(struct eu_translator *s, unsigned offset)
{
	unsigned at = offset % EU_UNIT;
	int unit = eu_compile_lanes(s, offset - at), next, r;
	if (at == 0)
		return unit;
	r = eu_compile_take(s);
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

static bool widen(struct eu_translator *s, const struct eu_columns *row, const struct eu_uop *u,
	unsigned channels)
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
		if (row->op == WIDEN_UB || row->op == WIDEN_UW)
			s->holders[r[half]].zeros = 32 - row->number;
		eu_compile_unpin(s);
		s->holders[r[0]].pinned = true;
	}
	for (unsigned half = 0; half < channels / 8; half++)
		eu_compile_bind(s, u->d + half * EU_UNIT, r[half]);
	return true;
}

/* Every other dword of two units in a row. */
static bool alternate(struct eu_translator *s, const struct eu_columns *row, const struct eu_uop *u,
	unsigned channels)
{
	int r[2] = { -1, -1 };
	if (!eu_compile_can_bind(u->d, channels))
		return false;
	for (unsigned half = 0; half < channels / 8; half++) {
		int low = eu_compile_lanes(s, u->a + 2 * half * EU_UNIT);
		int high = eu_compile_lanes(s, u->a + (2 * half + 1) * EU_UNIT);
		r[half] = eu_compile_take(s);
		eu_vector_number(s->c, SHUFFLE, r[half], low, high, row->number);
		eu_vector_order(s->c, r[half], 0xd8);
	}
	for (unsigned half = 0; half < channels / 8; half++)
		eu_compile_bind(s, u->d + half * EU_UNIT, r[half]);
	return true;
}

/* Eight dwords, of which the low bits count. */
static int low_bits(struct eu_translator *s, unsigned offset, unsigned bits)
{
	int a = eu_compile_lanes(s, offset), r;
	if (s->holders[a].zeros + bits >= 32)
		return a;
	r = eu_compile_take(s);
	eu_vector_constant(s->c, EU_V_AND, r, a, bits == 8 ? EU_CONSTANT_BYTE : EU_CONSTANT_WORD);
	return r;
}

/* The low bits of dwords as words: sixteen, or eight in the lower half. */
static int words_of(struct eu_translator *s, unsigned offset, unsigned bits, unsigned channels)
{
	int a = low_bits(s, offset, bits);
	int b = channels == 16 ? low_bits(s, offset + EU_UNIT, bits) : a, r = eu_compile_take(s);
	eu_vector(s->c, EU_V_PACK_WORDS, r, a, b);
	eu_vector_order(s->c, r, 0xd8);
	return r;
}

/* Floats as halves, in the same way. */
static int halves_of(struct eu_translator *s, unsigned offset, unsigned channels)
{
	int a = eu_compile_lanes(s, offset), r = eu_compile_take(s);
	eu_vector_number(s->c, TO_HALVES, a, 0, r, IN_MODE);
	if (channels == 16) {
		int b = eu_compile_lanes(s, offset + EU_UNIT), x = eu_compile_take(s);
		eu_vector_number(s->c, TO_HALVES, b, 0, x, IN_MODE);
		eu_vector_number(s->c, HALF_INTO, r, r, x, 1);
	}
	return r;
}

/* The mask of words that is as one of dwords. */
static int mask_of_words(struct eu_translator *s, unsigned offset, unsigned channels)
{
	int a = eu_compile_lanes(s, offset), r = eu_compile_take(s);
	int b = channels == 16 ? eu_compile_lanes(s, offset + EU_UNIT) : a;
	eu_vector(s->c, PACK_SIGNED, r, a, b);
	eu_vector_order(s->c, r, 0xd8);
	return r;
}

static bool narrow_16(struct eu_translator *s, const struct eu_columns *row, const struct eu_uop *u,
	unsigned channels)
{
	bool masked = eu_effect_is_masked(u), bytes = row->number == 1;
	if (channels == 8 ? u->d + 16u > EU_OFFSET(acc) : !eu_compile_can_bind(u->d, 8))
		return false;
	int r = row->number == 2 ? halves_of(s, u->a, channels)
				 : words_of(s, u->a, bytes ? 8 : 16, channels);
	int old = masked || bytes ? eu_compile_lanes(s, u->d) : -1;
	if (bytes) {
		int x = eu_compile_take(s);
		eu_vector_constant(s->c, EU_V_AND, x, old, EU_CONSTANT_HIGH_BYTES);
		eu_vector(s->c, EU_V_OR, r, r, x);
	}
	if (masked)
		eu_vector_number(s->c, BLEND_BYTES, r, old, r,
			(unsigned)mask_of_words(s, u->m, channels) << 4);
	if (channels == 16) {
		eu_compile_bind(s, u->d, r);
		return true;
	}
	eu_compile_drop(s, u->d, 16);
	eu_vector_number_memory(s->c, HALF_OF, r, EU_RDI, u->d, 0);
	return true;
}

static bool narrow_8(struct eu_translator *s, const struct eu_uop *u, unsigned channels)
{
	if (channels != 16 || eu_effect_is_masked(u) || u->d + 16u > EU_OFFSET(acc))
		return false;
	int r = words_of(s, u->a, 8, channels), x = eu_compile_take(s);
	eu_vector_number(s->c, HALF_OF, r, 0, x, 1);
	eu_vector(s->c, EU_V_PACK_BYTES, r, r, x);
	eu_compile_drop(s, u->d, 16);
	eu_vector_number_memory(s->c, HALF_OF, r, EU_RDI, u->d, 0);
	return true;
}

static bool narrow_in(struct eu_translator *s, const struct eu_columns *row, const struct eu_uop *u,
	unsigned channels)
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

static bool narrow_in_64(struct eu_translator *s, const struct eu_uop *u, unsigned channels)
{
	const unsigned to = u->d & ~4u, parts = channels / 4;
	int r[4];
	if (!eu_compile_can_bind(to, 2 * channels))
		return false;
	for (unsigned i = 0; i < parts; i++) {
		int a = eu_compile_lanes(s, u->a + i / 2 * EU_UNIT), x = r[i] = eu_compile_take(s);
		int old = eu_compile_lanes(s, to + i * EU_UNIT);
		eu_vector_number(s->c, HALF_OF, a, 0, x, i % 2);
		eu_vector(s->c, WIDEN_UD, x, 0, x);
		if (u->d & 4)
			shift_wide(s, BY_LEFT, x, x);
		eu_vector_number(s->c, BLEND_DWORDS, x, old, x, u->d & 4 ? 0xaa : 0x55);
		if (eu_effect_is_masked(u)) {
			int m = eu_compile_lanes(s, u->m + i / 2 * EU_UNIT);
			int wide = eu_compile_take(s);
			eu_vector_number(s->c, HALF_OF, m, 0, wide, i % 2);
			eu_vector(s->c, WIDEN_D, wide, 0, wide);
			eu_compile_blend(s, x, wide, x, old);
		}
		eu_compile_unpin(s);
		for (unsigned done = 0; done <= i; done++)
			s->holders[r[done]].pinned = true;
	}
	for (unsigned i = 0; i < parts; i++)
		eu_compile_bind(s, to + i * EU_UNIT, r[i]);
	return true;
}

static bool carry(struct eu_translator *s, const struct eu_columns *row, const struct eu_uop *u,
	unsigned channels)
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

/* -- Products of 64 bits -------------------------------------------------------------------- */

/* The low and the high dwords of products; where only one source has a sign, that is put right. */
static void multiply(struct eu_translator *s, unsigned sign, const int in[2], int *low, int *high)
{
	const uint32_t op = sign == (EU_WIDE_A_SIGNED | EU_WIDE_B_SIGNED) ? MULTIPLY_S : MULTIPLY_U;
	int x = eu_compile_take(s), even = eu_compile_take(s);
	*low = eu_compile_take(s);
	*high = eu_compile_take(s);
	shift_wide(s, BY_RIGHT, x, in[0]);
	shift_wide(s, BY_RIGHT, *high, in[1]);
	eu_vector(s->c, op, *high, x, *high);
	eu_vector(s->c, op, even, in[0], in[1]);
	shift_wide(s, BY_LEFT, x, *high);
	eu_vector_number(s->c, BLEND_DWORDS, *low, even, x, 0xaa);
	shift_wide(s, BY_RIGHT, x, even);
	eu_vector_number(s->c, BLEND_DWORDS, *high, x, *high, 0xaa);
	if (sign != EU_WIDE_A_SIGNED && sign != EU_WIDE_B_SIGNED)
		return;
	bool second = sign == EU_WIDE_B_SIGNED;
	eu_compile_shift(s, BY_SIGN, x, in[second], 31);
	eu_vector(s->c, EU_V_AND, x, x, in[!second]);
	eu_vector(s->c, SUBTRACT, *high, *high, x);
}

/* What a lane has, unless its mask is on. */
static void merge(
	struct eu_translator *s, const struct eu_uop *u, unsigned at, unsigned half, int r)
{
	if (eu_effect_is_masked(u))
		eu_compile_blend(s, r, eu_compile_lanes(s, u->m + half * EU_UNIT), r,
			eu_compile_lanes(s, at + half * EU_UNIT));
	eu_compile_bind(s, at + half * EU_UNIT, r);
}

static bool is_acc(unsigned offset)
{
	return offset >= EU_OFFSET(acc) && offset < EU_OFFSET(a0_words);
}

/* One half after the other. */
static bool product(struct eu_translator *s, const struct eu_uop *u, unsigned channels)
{
	const unsigned acc = EU_OFFSET(acc), acc_high = EU_OFFSET(acc_high);
	if (is_acc(u->a) || is_acc(u->b))
		return false;
	for (unsigned half = 0; half < channels / 8; half++) {
		int in[2] = { eu_compile_lanes(s, u->a + half * EU_UNIT),
			eu_compile_lanes(s, u->b + half * EU_UNIT) };
		int low, high;
		multiply(s, u->imm & (EU_WIDE_A_SIGNED | EU_WIDE_B_SIGNED), in, &low, &high);
		merge(s, u, acc, half, low);
		merge(s, u, acc_high, half, high);
		eu_compile_unpin(s);
	}
	return true;
}

/* -- Halves --------------------------------------------------------------------------------- */

/*
 * The sum of a and the product, which is exact, was rounded to a float that may lie in the middle
 * of two halves: where it is not exact, the neighbour with an odd last bit.
 */
static void write_odd(struct eu_translator *s, const struct eu_detour *d)
{
	struct eu_code *c = s->c;
	const int x = d->to[0], y = d->to[1], z = d->spare;
	eu_jump_here(c, d->from[0]);
	eu_vector(c, EU_V_XOR, z, z, z);
	for (unsigned half = 0; half < d->lanes / 8; half++) {
		const int8_t *in = d->in[half];
		int r = d->at[half];
		eu_vector(c, SUBTRACT_F, x, r, in[0]);
		eu_vector(c, SUBTRACT_F, y, r, x);
		eu_vector(c, SUBTRACT_F, y, in[0], y);
		eu_vector(c, FMA_SUBTRACT, x, in[1], in[2]);
		eu_vector(c, ADD_F, y, y, x);
		eu_vector_number(c, COMPARE_PS, x, y, z, NOT_APART);
		eu_vector(c, EU_V_XOR, y, y, r);
		eu_compile_shift(s, BY_SIGN, y, y, 31);
		eu_vector(c, EU_V_ADD, y, y, r);
		eu_vector_constant(c, EU_V_OR, y, y, EU_CONSTANT_1);
		eu_compile_blend(s, r, x, r, y);
	}
	eu_jump_to(c, eu_jump(c, EU_ALWAYS), d->back);
}

/* x: ones where a float is not in the middle of two halves, whatever its rest; denormals may be. */
static void is_safe(struct eu_translator *s, int x, int y, int r)
{
	eu_compile_shift(s, BY_LEFT, x, r, 19);
	eu_vector_constant(s->c, EU_V_EQUAL, x, x, EU_CONSTANT_SIGN);
	eu_compile_shift(s, BY_LEFT, y, r, 1);
	eu_vector_constant(s->c, EU_V_ADD, y, y, EU_CONSTANT_MAGNITUDE);
	eu_vector_constant(s->c, GREATER_I, y, y, EU_CONSTANT_LEAST_HALF);
	eu_vector(s->c, EU_V_AND_NOT, x, x, y);
}

/* Of a + b * c; a product is a sum with -0, which changes nothing where it rounds to nearest. */
static int summand(struct eu_translator *s, const struct eu_uop *u, unsigned number, unsigned half)
{
	if (eu_uop_info(u->code)->first == EU_UOP_mad_h)
		return eu_compile_operand(s, u, number, half);
	if (number > 0)
		return eu_compile_operand(s, u, number - 1, half);
	int zero = eu_compile_take(s);
	eu_vector_constant(s->c, EU_V_LOAD, zero, 0, EU_CONSTANT_SIGN);
	return zero;
}

static bool mad_half(struct eu_translator *s, const struct eu_uop *u, unsigned channels)
{
	struct eu_detour *d;
	if (!eu_compile_can_bind(u->d, channels) || eu_effect_is_masked(u) ||
		!eu_compile_plain(s, u) || !(d = eu_compile_detour(s)))
		return false;
	*d = (struct eu_detour){ .write = write_odd, .lanes = channels };
	for (unsigned half = 0; half < channels / 8; half++) {
		for (unsigned i = 0; i < 3; i++)
			d->in[half][i] = (int8_t)summand(s, u, i, half);
		int r = d->at[half] = eu_compile_take(s);
		eu_vector(s->c, EU_V_MOVE, r, 0, d->in[half][0]);
		eu_vector(s->c, FMA_ADD, r, d->in[half][1], d->in[half][2]);
	}
	int x = d->to[0] = eu_compile_take(s), y = d->to[1] = eu_compile_take(s);
	d->spare = eu_compile_take(s);
	is_safe(s, x, y, d->at[0]);
	if (channels == 16) {
		is_safe(s, d->spare, y, d->at[1]);
		eu_vector(s->c, EU_V_AND, x, x, d->spare);
	}
	eu_vector(s->c, EU_V_SIGNS, EU_RAX, 0, x);
	eu_put(s->c, 0x3c); /* cmp al, the number */
	eu_put(s->c, 0xff);
	d->from[0] = eu_jump(s->c, EU_IF_NOT_ZERO);
	d->back = s->c->size;
	for (unsigned half = 0; half < channels / 8; half++)
		eu_compile_bind(s, u->d + half * EU_UNIT, d->at[half]);
	return true;
}

bool eu_compile_width(struct eu_translator *s, const struct eu_columns *row, const struct eu_uop *u,
	unsigned channels)
{
	switch (row->form) {
	case WIDEN:
		return widen(s, row, u, channels);
	case ALTERNATE:
		return alternate(s, row, u, channels);
	case NARROW_16:
		return narrow_16(s, row, u, channels);
	case NARROW_8:
		return narrow_8(s, u, channels);
	case NARROW_IN:
		return narrow_in(s, row, u, channels);
	case NARROW_IN_64:
		return narrow_in_64(s, u, channels);
	case CARRY:
		return carry(s, row, u, channels);
	case PRODUCT:
		return product(s, u, channels);
	case MAD_HALF:
		return mad_half(s, u, channels);
	}
	return false;
}
