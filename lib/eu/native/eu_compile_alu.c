// SPDX-License-Identifier: MIT
#include "eu/native/eu_compile_alu.h"

#include <string.h>

static const struct eu_columns rows[] = {
#define COLUMNS(form, number, op, scalar, ...)		      { form, number, op, scalar },
#define ROW(name, form, d, a, b, c, reads, writes, does, ...) COLUMNS(__VA_ARGS__, 0, 0, 0, 0)
#include "eu/ops/uop.def"
};

const struct eu_columns *eu_compile_row(const struct eu_uop *u)
{
	return &rows[eu_uop_info(u->code) - eu_uop_info(0)];
}

bool eu_compile_constant(const struct eu_translator *s, unsigned offset, uint32_t *value)
{
	if (offset < EU_OFFSET(pool) || offset % 4)
		return false;
	*value = s->kernel->pool[(offset - EU_OFFSET(pool)) / 4];
	return true;
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
		bool same = inverted[half] == invert;
		bool last =
			!eu_units_has(&s->live->units, EU_UNITS + place + half - EU_OFFSET(flag));
		int x = same && last ? r[half] : eu_compile_take(s);
		if (same && !last)
			eu_vector(s->c, EU_V_MOVE, x, 0, r[half]);
		if (!same) {
			eu_vector(s->c, EU_V_EQUAL, x, x, x);
			eu_vector(s->c, EU_V_XOR, x, x, r[half]);
		}
		eu_compile_bind(s, offset + half * EU_UNIT, x);
	}
	return true;
}

/*
 * Where nobody wants the predicate's bits, no channel of those that are named is off, and their
 * flags are of one register.
 */
static bool known_predicate(struct eu_translator *s, const struct eu_uop *u, unsigned channels)
{
	const unsigned shift = u->shift + u->imm, place = u->b + shift / 8;
	return u->group == EU_GROUP_NONE && (u->c & 0xff) == GEN_PRED_SEQUENTIAL &&
	       (!u->a || s->is_sweep) && shift % 8 == 0 && shift + channels <= 32 &&
	       !eu_units_has(&s->live->units, EU_OFFSET(pm.bits) / EU_UNIT) &&
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
	       (row->form != SHIFT || eu_compile_constant(s, u->b, &number));
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
	eu_compile_constant(s, u->b, &number);
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

bool eu_compile_alu(struct eu_translator *s, const struct eu_uop *u)
{
	const struct eu_columns *row = eu_compile_row(u);
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
		return eu_compile_both_halves(s, row, u, channels);
	}
}

/* Whether a micro-operation is one of one channel that `scalar` knows. */
static bool is_scalar(struct eu_translator *s, const struct eu_uop *u)
{
	const struct eu_columns *row = eu_compile_row(u);
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
		scalar(s, eu_compile_row(u + i), u + i);
	eu_jump_here(s->c, over);
	return true;
}
