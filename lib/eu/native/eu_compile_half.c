// SPDX-License-Identifier: MIT
#include "eu/native/eu_compile_alu.h"
#include "eu/ops/eu_effect.h"

/* Halves, which are computed as floats. */

#define ADD_F	     EU_VEX(0, 1, 0x58)
#define FMA_ADD	     EU_VEX(1, 2, 0xb8)
#define FMA_SUBTRACT EU_VEX(1, 2, 0xba)
#define SPLAT_WORD   EU_VEX(1, 2, 0x79)
#define BLEND_WORDS  EU_VEX(1, 3, 0x0e)
#define SHIFT_WORDS  EU_VEX(1, 1, 0x71)
#define EQUAL_WORDS  EU_VEX(1, 1, 0x75)
#define ADD_WORDS    EU_VEX(1, 1, 0xfd)
#define GREATER_WORD EU_VEX(1, 1, 0x65)
#define SIGNS_8	     EU_VEX(1, 1, 0xd7) /* of bytes, as bits of a general register */

enum { NOT_APART = 8 };

/* -- From and to halves --------------------------------------------------------------------- */

bool eu_compile_spread_half(struct eu_translator *s, const struct eu_uop *u)
{
	if (eu_effect_is_masked(u) || u->d < EU_OFFSET(temp) || u->d >= EU_OFFSET(act))
		return false;
	eu_compile_sync(s, u->a, 2);
	int r = eu_compile_take(s);
	eu_vector_memory(s->c, SPLAT_WORD, r, 0, EU_RDI, u->a);
	eu_vector(s->c, EU_V_FROM_HALVES, r, 0, r);
	eu_compile_bind_splat(s, u->d, r);
	return true;
}

void eu_compile_pack_halves(struct eu_translator *s, int to, int x, const int from[2])
{
	eu_vector_number(s->c, TO_HALVES, from[0], 0, to, IN_MODE);
	eu_vector_number(s->c, TO_HALVES, from[1], 0, x, IN_MODE);
	eu_vector_number(s->c, HALF_INTO, to, to, x, 1);
}

/* -- Sums of products ----------------------------------------------------------------------- */

/*
 * The sum of a and the product, which is exact, was rounded to a float that may lie in the middle
 * of two halves: where it is not exact, the neighbour with an odd last bit.
 */
static void make_odd(struct eu_translator *s, const struct eu_detour *d)
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
}

static void write_odd(struct eu_translator *s, const struct eu_detour *d)
{
	make_odd(s, d);
	eu_jump_to(s->c, eu_jump(s->c, EU_ALWAYS), d->back);
}

/* The same, where they become halves, in d->other. */
static void write_odd_packed(struct eu_translator *s, const struct eu_detour *d)
{
	make_odd(s, d);
	eu_compile_pack_halves(s, d->other, d->to[0], d->at);
	eu_jump_to(s->c, eu_jump(s->c, EU_ALWAYS), d->back);
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

/* Jumps away unless the floats are safe. */
static uint32_t unless_safe(struct eu_translator *s, const struct eu_detour *d)
{
	const int x = d->to[0], y = d->to[1];
	is_safe(s, x, y, d->at[0]);
	if (d->lanes == 16) {
		is_safe(s, d->spare, y, d->at[1]);
		eu_vector(s->c, EU_V_AND, x, x, d->spare);
	}
	eu_vector(s->c, EU_V_SIGNS, EU_RAX, 0, x);
	eu_put(s->c, 0x3c); /* cmp al, the number */
	eu_put(s->c, 0xff);
	return eu_jump(s->c, EU_IF_NOT_ZERO);
}

/*
 * The same of sixteen sums of halves and products of such, of which `packed` are the halves: eight
 * pairs of low words tell the middle of two halves, and the halves whether they are denormals, or
 * what these may become. Below 2^-24 floats have all bits of such a sum, so that zeros are right.
 */
static uint32_t unless_safe_packed(struct eu_translator *s, const struct eu_detour *d, int packed)
{
	const int x = d->to[0], y = d->to[1];
	eu_compile_shift(s, BY_LEFT, x, d->at[1], 16);
	eu_vector_number(s->c, BLEND_WORDS, x, d->at[0], x, 0xaa);
	eu_vector_number(s->c, SHIFT_WORDS, BY_LEFT, x, x, 3);
	eu_vector_constant(s->c, EQUAL_WORDS, x, x, EU_CONSTANT_SIGNS_16);
	eu_vector(s->c, ADD_WORDS, y, packed, packed);
	eu_vector_constant(s->c, ADD_WORDS, y, y, EU_CONSTANT_MAGNITUDES_16);
	eu_vector_constant(s->c, GREATER_WORD, y, y, EU_CONSTANT_LEAST_16);
	eu_vector(s->c, EU_V_AND_NOT, x, x, y);
	eu_vector(s->c, SIGNS_8, EU_RAX, 0, x);
	eu_put(s->c, 0x83); /* cmp eax, -1 */
	eu_put(s->c, 0xf8);
	eu_put(s->c, 0xff);
	return eu_jump(s->c, EU_IF_NOT_ZERO);
}

/* What makes packed halves of the sums of mad_h, which nobody else wants: it is behind that. */
static const struct eu_uop *find_pack(
	const struct eu_translator *s, const struct eu_uop *u, unsigned channels)
{
	const struct eu_uop *next = u + 1;
	const unsigned unit = u->d / EU_UNIT;
	bool packs = eu_uop_info(u->code)->first == EU_UOP_mad_h && channels == 16 &&
		     next->code - (unsigned)eu_uop_code(EU_UOP_narrow_h, EU_WIDTH_16, 0) < 2 &&
		     next->a == u->d && eu_compile_can_bind(next->d, 8);
	return packs && !eu_units_has(&s->live[1].units, unit) &&
			       !eu_units_has(&s->live[1].units, unit + 1)
		       ? next
		       : NULL;
}

bool eu_compile_mad_half(struct eu_translator *s, const struct eu_uop *u, unsigned channels)
{
	const struct eu_uop *pack = find_pack(s, u, channels);
	struct eu_detour *d;
	if (!eu_compile_can_bind(u->d, channels) || eu_effect_is_masked(u) ||
		!eu_compile_plain(s, u) || !(d = eu_compile_detour(s)))
		return false;
	*d = (struct eu_detour){ .write = pack ? write_odd_packed : write_odd, .lanes = channels };
	for (unsigned half = 0; half < channels / 8; half++) {
		for (unsigned i = 0; i < 3; i++)
			d->in[half][i] = (int8_t)summand(s, u, i, half);
		int r = d->at[half] = eu_compile_take(s);
		eu_vector(s->c, EU_V_MOVE, r, 0, d->in[half][0]);
		eu_vector(s->c, FMA_ADD, r, d->in[half][1], d->in[half][2]);
	}
	for (unsigned i = 0; i < 2; i++)
		d->to[i] = eu_compile_take(s);
	d->spare = eu_compile_take(s);
	if (pack) {
		d->other = eu_compile_take(s);
		eu_compile_pack_halves(s, d->other, d->to[0], d->at);
	}
	d->from[0] = pack ? unless_safe_packed(s, d, d->other) : unless_safe(s, d);
	d->back = s->c->size;
	for (unsigned half = 0; half < channels / 8 && !pack; half++)
		eu_compile_bind(s, u->d + half * EU_UNIT, d->at[half]);
	if (pack) {
		eu_compile_unpin(s);
		s->holders[d->other].pinned = true;
		eu_compile_bind_words(s, pack, d->other, channels);
		s->index++;
	}
	return true;
}
