// SPDX-License-Identifier: MIT
/* The branch back at the end of a loop, behind a block. */
#include "eu/native/eu_compile.h"

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
