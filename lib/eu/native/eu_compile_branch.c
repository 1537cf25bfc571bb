// SPDX-License-Identifier: MIT
/*
 * Ways out of a block: to the stencils, where channels leave or the modes are others, and back at
 * the end of a loop.
 */
#include "eu/native/eu_compile.h"

#include "eu/state/eu_float_mode.h"

#include <string.h>

enum { AWAY = EU_RAX, BACK = EU_RDX, LEFT = EU_RCX };

/* AWAY: channels that are on and leave the loop. */
static void find_away(struct eu_translator *s, const struct eu_uop *u)
{
	struct eu_code *c = s->c;
	eu_general_memory(c, EU_GP_LOAD, AWAY, EU_RDI, EU_OFFSET(flag) + 4u * (u->shift >> 1));
	eu_general_shift(c, EU_SHIFT_RIGHT, 0, AWAY, u->shift & 1 ? 16 : 0);
	if (!(u->c >> 8)) {
		eu_put(c, 0xf7); /* not */
		eu_put(c, 0xd0 | AWAY);
	}
	eu_general_memory(c, EU_GP_AND, AWAY, EU_RDI, EU_OFFSET(act.bits));
}

/* Lets channels leave, unless these are all: BACK is what is on then. Jumps away if they are. */
static uint32_t leave(struct eu_translator *s, const struct eu_uop *u)
{
	const unsigned groups = s->kernel->lanes > 0xffff ? 4 : 2;
	struct eu_code *c = s->c;
	eu_general_memory(c, EU_GP_LOAD, BACK, EU_RDI, EU_OFFSET(act.bits));
	eu_general(c, EU_GP_XOR, BACK, AWAY);
	uint32_t all = eu_jump(c, EU_IF_ZERO);
	eu_general_memory(c, EU_GP_OR_TO, AWAY, EU_RDI, EU_OFFSET(wait) + 4u * u->m);
	eu_general_memory(c, EU_GP_STORE, BACK, EU_RDI, EU_OFFSET(act.bits));
	eu_vector(c, EU_V_FROM_GENERAL, 0, 0, BACK);
	eu_vector(c, EU_V_SPLAT_DWORD, 0, 0, 0);
	for (unsigned i = 0; i < groups; i++) {
		const uint32_t bits = i % 2 ? EU_CONSTANT_BITS_8 : EU_CONSTANT_BITS;
		if (i == 2)
			eu_vector_number(c, EU_V_SHIFT_BY, 2, 0, 0, 16); /* to the right */
		eu_vector_constant(c, EU_V_AND, 1, 0, bits);
		eu_vector_constant(c, EU_V_EQUAL, 1, 1, bits);
		eu_vector_memory(c, EU_V_STORE, 1, 0, EU_RDI, EU_OFFSET(act.lanes) + i * EU_UNIT);
	}
	return all;
}

/* Counts the branch and goes on at its target in that stream. */
static void go_back(struct eu_translator *s, const struct eu_uop *u, bool partial)
{
	struct eu_code *c = s->c;
	eu_general_memory(c, EU_GP_STORE | EU_GP_WIDE, LEFT, EU_RDI, EU_OFFSET(budget));
	eu_general_memory(c, EU_GP_ADD_NUMBER | EU_GP_WIDE, 0, EU_RDI, EU_OFFSET(instructions));
	eu_put_32(c, u->count);
	eu_put(c, 0xe9);
	eu_put_fixup(c, EU_FIXUP_PLACE, u->target + (partial ? s->kernel->uop_count : 0));
}

void eu_compile_loop(struct eu_translator *s)
{
	const struct eu_kernel *kernel = s->kernel;
	const struct eu_uop *u = &kernel->uops[s->index];
	const bool always = (u->c & 0xff) == GEN_PRED_NONE;
	struct eu_code *c = s->c;
	if (s->index >= 2 * kernel->uop_count || u->code != EU_UOP_loop ||
		(kernel->lanes & ~u->imm) || (!always && (u->c & 0xff) != GEN_PRED_SEQUENTIAL))
		return;
	eu_general_memory(c, EU_GP_LOAD | EU_GP_WIDE, LEFT, EU_RDI, EU_OFFSET(budget));
	eu_general(c, EU_GP_ADD_NUMBER | EU_GP_WIDE, 5, LEFT); /* sub */
	eu_put_32(c, u->count);
	uint32_t turn = eu_jump(c, EU_IF_NOT_GREATER), all = 0;
	if (!always) {
		find_away(s, u);
		uint32_t none = eu_jump(c, EU_IF_ZERO);
		all = leave(s, u);
		go_back(s, u, true);
		eu_jump_here(c, none);
	}
	go_back(s, u, s->index >= kernel->uop_count);
	eu_jump_here(c, turn);
	if (all)
		eu_jump_here(c, all);
}

/* Goes on with the stencils for good. */
static void write_leave(struct eu_translator *s, const struct eu_detour *d)
{
	eu_jump_here(s->c, d->from[0]);
	eu_compile_write_back(s, d->holders, &d->pending);
	eu_put(s->c, 0xe9);
	eu_put_fixup(s->c, EU_FIXUP_STENCIL, d->index);
}

/* Zero flag if none of the lanes leaves; false: no registers hold their flags as masks. */
static bool test_masks(struct eu_translator *s, const struct eu_uop *u, uint32_t lanes)
{
	bool inverted[4];
	int r[4], count = 0;
	for (unsigned i = 0; i < 4; i++) {
		uint32_t eight = lanes >> 8 * i & 0xff;
		if (!eight)
			continue;
		r[count] =
			eu_compile_masks(s, EU_OFFSET(flag) + 2u * u->shift + i, &inverted[count]);
		if (eight != 0xff || r[count++] < 0)
			return false;
	}
	for (int i = 0; i < count; i++) {
		eu_compile_bits(s, i ? EU_RCX : EU_RAX, r[i], inverted[i] != u->c >> 8);
		if (i)
			eu_general(s->c, EU_GP_OR, EU_RAX, EU_RCX);
	}
	eu_general(s->c, EU_GP_TEST, EU_RAX, EU_RAX);
	return count > 0;
}

bool eu_compile_leave(struct eu_translator *s, const struct eu_uop *u, uint32_t lanes)
{
	static const uint32_t halves = EU_OFFSET(flag);
	if ((u->c & 0xff) != GEN_PRED_SEQUENTIAL)
		return false;
	struct eu_detour *d = eu_compile_detour(s);
	if (!d)
		return false;
	*d = (struct eu_detour){
		.write = write_leave, .u = u, .index = s->index, .pending = s->pending
	};
	memcpy(d->holders, s->holders, sizeof(d->holders));
	if (test_masks(s, u, lanes & u->imm)) {
		d->from[0] = eu_jump(s->c, EU_IF_NOT_ZERO);
		return true;
	}
	eu_compile_sync(s, halves, 8);
	eu_general_memory(s->c, EU_GP_LOAD, EU_RAX, EU_RDI, halves + 4 * (u->shift >> 1));
	eu_general_shift(s->c, EU_SHIFT_RIGHT, 0, EU_RAX, u->shift & 1 ? 16 : 0);
	if (u->c >> 8) {
		eu_put(s->c, 0xf7); /* not */
		eu_put(s->c, 0xd0);
	}
	eu_put(s->c, 0xa9); /* test eax, the number */
	eu_put_32(s->c, u->imm & lanes);
	d->from[0] = eu_jump(s->c, EU_IF_NOT_ZERO);
	return true;
}

bool eu_compile_plain(struct eu_translator *s, const struct eu_uop *u)
{
	struct eu_detour *d = s->is_plain ? NULL : eu_compile_detour(s);
	if (!d)
		return s->is_plain;
	*d = (struct eu_detour){
		.write = write_leave, .u = u, .index = s->index, .pending = s->pending
	};
	memcpy(d->holders, s->holders, sizeof(d->holders));
	eu_general_memory(s->c, EU_GP_LOAD, EU_RAX, EU_RDI, offsetof(struct eu_thread, cr));
	eu_put(s->c, 0x25); /* and eax, the number */
	eu_put_32(s->c, 3 << EU_CR0_ROUNDING_SHIFT | EU_CR0_KEEP_DENORMALS_F);
	eu_put(s->c, 0x3d); /* cmp */
	eu_put_32(s->c, EU_CR0_KEEP_DENORMALS_F);
	d->from[0] = eu_jump(s->c, EU_IF_NOT_ZERO);
	s->is_plain = true;
	return true;
}
