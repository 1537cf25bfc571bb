// SPDX-License-Identifier: MIT
#include "eu/native/eu_compile_alu.h"

/* Elements of other sizes than dwords, and what is done to several at once. */

#define HALVES	     EU_VEX(1, 3, 0x46) /* vperm2i128 */
#define BYTES_FROM   EU_VEX(1, 3, 0x0f) /* vpalignr */
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
#define MAX_U	     EU_VEX(1, 2, 0x3f)

static void shift_wide(struct eu_translator *s, unsigned kind, int d, int a)
{
	eu_vector_number(s->c, SHIFT_WIDE, (int)kind, d, a, 32);
}

int eu_compile_narrow_part(struct eu_translator *s, unsigned offset)
{
	unsigned at = offset % EU_UNIT;
	int unit = eu_compile_lanes(s, offset - at), r, next;
	if (at == 0)
		return unit;
	r = eu_compile_take(s);
	if (at == 16) {
		eu_vector_number(s->c, HALF_OF, unit, 0, r, 1);
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

/* The register that has eight elements widened by the instruction; -1: none has. */
static int find_widened(struct eu_translator *s, uint32_t op, unsigned offset)
{
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++)
		if (s->holders[r].narrow == (int32_t)offset && s->holders[r].widen == op) {
			s->holders[r].used = ++s->clock;
			s->holders[r].pinned = true;
			return r;
		}
	return -1;
}

/* Whether the unit is in memory and nowhere else. */
static bool is_in_memory(const struct eu_translator *s, unsigned unit)
{
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++)
		if (s->holders[r].key == (int32_t)(unit * EU_UNIT))
			return false;
	return !eu_compile_is_pending(s, unit);
}

/* The register itself, or a copy if it holds something else than what is at `to`. */
static int copy_widened(struct eu_translator *s, int reg, unsigned to)
{
	const struct eu_holder *holder = &s->holders[reg];
	if (holder->key < 0 || holder->key == (int32_t)to)
		return reg;
	int r = eu_compile_take(s);
	eu_vector(s->c, EU_V_MOVE, r, 0, reg);
	s->holders[r].zeros = holder->zeros;
	return r;
}

int eu_compile_widen(struct eu_translator *s, uint32_t op, unsigned offset, unsigned to)
{
	int r = find_widened(s, op, offset);
	if (r >= 0)
		return copy_widened(s, r, to);
	if (offset % 16 == 0 && is_in_memory(s, offset / EU_UNIT)) {
		eu_compile_sync(s, offset, 16);
		r = eu_compile_take(s);
		eu_vector_memory(s->c, op, r, 0, EU_RDI, offset);
	} else {
		int part = eu_compile_narrow_part(s, offset);
		r = eu_compile_take(s);
		eu_vector(s->c, op, r, 0, part);
	}
	s->holders[r].zeros = op == WIDEN_UW ? 16 : 0;
	s->holders[r].narrow = (int32_t)offset;
	s->holders[r].widen = op;
	return r;
}

int eu_compile_widened(struct eu_translator *s, const struct eu_uop *u, unsigned half)
{
	const struct eu_columns *row = eu_compile_row(u);
	unsigned at = u->a + half * row->number;
	int r;
	if (row->number == 16)
		return eu_compile_widen(s, row->op, at, u->d + half * EU_UNIT);
	r = find_widened(s, row->op, at);
	if (r >= 0)
		return copy_widened(s, r, u->d + half * EU_UNIT);
	eu_compile_sync(s, at, 8);
	r = eu_compile_take(s);
	eu_vector_memory(s->c, row->op, r, 0, EU_RDI, at);
	if (row->op == WIDEN_UB)
		s->holders[r].zeros = 24;
	return r;
}

/* Dwords, if they have so few bits, are from now on what the elements at `to` are widened to. */
static void know_widened(
	struct eu_translator *s, uint32_t op, unsigned bits, unsigned offset, unsigned to)
{
	for (int r = 0; r < EU_COMPILE_REGISTERS; r++)
		if (s->holders[r].key == (int32_t)offset && s->holders[r].zeros + bits >= 32) {
			s->holders[r].narrow = (int32_t)to;
			s->holders[r].widen = op;
		}
}

static bool widen(struct eu_translator *s, const struct eu_uop *u, unsigned channels)
{
	int r[2] = { -1, -1 };
	if (!eu_compile_can_bind(u->d, channels))
		return false;
	for (unsigned half = 0; half < channels / 8; half++) {
		r[half] = eu_compile_widened(s, u, half);
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

/* The low bits of dwords as words: sixteen, or eight in the lower half if the other ones are none.
 */
static int words_of(struct eu_translator *s, unsigned offset, unsigned other, unsigned bits)
{
	int a = low_bits(s, offset, bits);
	int b = other ? low_bits(s, other, bits) : a, r = eu_compile_take(s);
	eu_vector(s->c, EU_V_PACK_WORDS, r, a, b);
	eu_vector_order(s->c, r, 0xd8);
	return r;
}

/* Floats as halves, in the same way. */
static int halves_of(struct eu_translator *s, unsigned offset, unsigned other)
{
	int in[2] = { eu_compile_lanes(s, offset) }, r = eu_compile_take(s);
	if (other) {
		in[1] = eu_compile_lanes(s, other);
		eu_compile_pack_halves(s, r, eu_compile_take(s), in);
	} else {
		eu_vector_number(s->c, TO_HALVES, in[0], 0, r, IN_MODE);
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

void eu_compile_bind_words(
	struct eu_translator *s, const struct eu_uop *u, int r, unsigned channels)
{
	if (eu_effect_is_masked(u)) {
		int old = eu_compile_lanes(s, u->d), mask = mask_of_words(s, u->m, channels);
		eu_vector_number(s->c, BLEND_BYTES, r, old, r, (unsigned)mask << 4);
	}
	if (channels == 16) {
		eu_compile_bind(s, u->d, r);
		return;
	}
	eu_compile_drop(s, u->d, 16);
	eu_vector_number_memory(s->c, HALF_OF, r, EU_RDI, u->d, 0);
}

void eu_compile_pack(
	struct eu_translator *s, const struct eu_uop *u, unsigned other, unsigned channels)
{
	const unsigned how = eu_compile_row(u)->number;
	int r = how == 2 ? halves_of(s, u->a, other) : words_of(s, u->a, other, how == 1 ? 8 : 16);
	if (how == 1) {
		int old = eu_compile_lanes(s, u->d), x = eu_compile_take(s);
		eu_vector_constant(s->c, EU_V_AND, x, old, EU_CONSTANT_HIGH_BYTES);
		eu_vector(s->c, EU_V_OR, r, r, x);
	}
	eu_compile_bind_words(s, u, r, channels);
	if (how || eu_effect_is_masked(u))
		return;
	know_widened(s, WIDEN_UW, 16, u->a, u->d);
	if (other)
		know_widened(s, WIDEN_UW, 16, other, u->d + 16);
}

static bool narrow_16(struct eu_translator *s, const struct eu_uop *u, unsigned channels)
{
	if (channels == 8 ? u->d + 16u > EU_OFFSET(acc) : !eu_compile_can_bind(u->d, 8))
		return false;
	eu_compile_pack(s, u, channels == 16 ? u->a + EU_UNIT : 0, channels);
	return true;
}

static bool narrow_8(struct eu_translator *s, const struct eu_uop *u, unsigned channels)
{
	if (channels != 16 || eu_effect_is_masked(u) || u->d + 16u > EU_OFFSET(acc))
		return false;
	int r = words_of(s, u->a, u->a + EU_UNIT, 8), x = eu_compile_take(s);
	eu_vector_number(s->c, HALF_OF, r, 0, x, 1);
	eu_vector(s->c, EU_V_PACK_BYTES, r, r, x);
	eu_compile_drop(s, u->d, 16);
	eu_vector_number_memory(s->c, HALF_OF, r, EU_RDI, u->d, 0);
	for (unsigned half = 0; half < 2; half++)
		know_widened(s, WIDEN_UB, 8, u->a + half * EU_UNIT, u->d + half * 8);
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

bool eu_compile_width(struct eu_translator *s, const struct eu_columns *row, const struct eu_uop *u,
	unsigned channels)
{
	switch (row->form) {
	case WIDEN:
		return widen(s, u, channels);
	case ALTERNATE:
		return alternate(s, row, u, channels);
	case NARROW_16:
		return narrow_16(s, u, channels);
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
	}
	return false;
}
