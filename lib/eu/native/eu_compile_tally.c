// SPDX-License-Identifier: MIT
/* What kernels with counts do besides (struct eu_tally), and those with a probe (eu_probe.h). */
#include "eu/native/eu_compile.h"

enum {
	BYTE_TO = 0x0fb6, /* register = byte in memory */
	WIDE = EU_GP_WIDE,
	NUMBER = sizeof(uint64_t),
	LINE_SHIFT = 6,
	LINE = 1 << LINE_SHIFT, /* of the cache */
};

/* rcx: the thread's counts. */
static void load_tallies(struct eu_translator *s)
{
	eu_general_memory(
		s->c, EU_GP_LOAD | WIDE, EU_RCX, EU_RDI, offsetof(struct eu_thread, tallies));
}

static void count_one(struct eu_translator *s, uint32_t at)
{
	eu_general_memory(s->c, EU_GP_COUNT | WIDE, 0, EU_RCX, at);
}

/* Counts the bits of a register that are set, and loses them. */
static void count_bits(struct eu_translator *s, unsigned reg, uint32_t at)
{
	static const uint8_t popcnt[] = { 0xf3, 0x0f, 0xb8 };
	for (unsigned i = 0; i < sizeof(popcnt); i++)
		eu_put(s->c, popcnt[i]);
	eu_put(s->c, 0xc0 | reg << 3 | reg);
	eu_general_memory(s->c, EU_GP_ADD_TO | WIDE, reg, EU_RCX, at);
}

static void tally_part(struct eu_translator *s, const struct eu_uop *u)
{
	load_tallies(s);
	count_one(s, u->imm + EU_TALLY_PART * NUMBER);
	for (unsigned i = 0; i < 4 && s->kernel->lanes >> 8 * i != 0; i++) {
		eu_general_memory(
			s->c, BYTE_TO, EU_RSI, EU_RDI, offsetof(struct eu_thread, act.bits) + i);
		count_bits(s, EU_RSI, u->imm + (EU_TALLY_CHANNELS + i) * NUMBER);
	}
}

/* rdx: which of the channels in rsi, which are on, a predicate lets through, by flags in memory. */
static void find_channels(struct eu_translator *s, const struct eu_uop *u)
{
	eu_general_memory(s->c, EU_GP_LOAD, EU_RDX, EU_RDI, EU_OFFSET(flag) + 4u * (u->shift >> 1));
	eu_general_shift(s->c, EU_SHIFT_RIGHT, 0, EU_RDX, u->shift & 1 ? 16 : 0);
	if (u->c >> 8) {
		eu_put(s->c, 0xf7); /* not */
		eu_put(s->c, 0xd0 | EU_RDX);
	}
	eu_general(s->c, EU_GP_AND, EU_RDX, EU_RSI);
}

static void tally_bits(struct eu_translator *s, const struct eu_uop *u)
{
	struct eu_code *c = s->c;
	bool predicated = (u->c & 0xff) != GEN_PRED_NONE;
	if (predicated) /* first: it changes rsi and rcx */
		eu_compile_sync(s, EU_OFFSET(flag), sizeof(((struct eu_thread *)0)->flag));
	eu_put(c, 0xb8 | EU_RSI); /* mov esi, the number */
	eu_put_32(c, u->target);
	if (u->a)
		eu_general_memory(
			c, EU_GP_AND, EU_RSI, EU_RDI, offsetof(struct eu_thread, act.bits));
	load_tallies(s);
	if (!predicated) {
		count_bits(s, EU_RSI, u->imm + EU_TALLY_ON * NUMBER);
		return;
	}
	find_channels(s, u);
	eu_general(c, EU_GP_COMPARE, EU_RDX, EU_RSI);
	uint32_t all = eu_jump(c, EU_IF_ZERO);
	eu_general(c, EU_GP_TEST, EU_RDX, EU_RDX);
	uint32_t none = eu_jump(c, EU_IF_ZERO);
	count_one(s, u->imm + EU_TALLY_SPLIT * NUMBER);
	eu_jump_here(c, all);
	eu_jump_here(c, none);
	count_bits(s, EU_RDX, u->imm + EU_TALLY_ON * NUMBER);
}

bool eu_compile_tally(struct eu_translator *s, const struct eu_uop *u)
{
	unsigned predicate = u->c & 0xff;
	switch (u->code) {
	case EU_UOP_tally_full:
		load_tallies(s);
		count_one(s, u->imm + EU_TALLY_FULL * NUMBER);
		return true;
	case EU_UOP_tally_part:
		tally_part(s, u);
		return true;
	case EU_UOP_tally_bits:
		if (predicate != GEN_PRED_NONE && predicate != GEN_PRED_SEQUENTIAL)
			return false;
		tally_bits(s, u);
		return true;
	}
	return false;
}

void eu_compile_tally_line(
	struct eu_translator *s, const struct eu_uop *tally, unsigned bytes, unsigned surfaces)
{
	const bool has_lines = (tally->b & 0xff) == EU_TALLY_SURFACE;
	struct eu_code *c = s->c;
	if (has_lines) {
		eu_general_memory(c, EU_GP_LOAD, EU_RSI, surfaces,
			tally->c + (uint32_t)offsetof(struct eu_surface, base));
		eu_general(c, EU_GP_ADD, EU_RSI, EU_RAX);
		eu_general(c, 0x81, 4, EU_RSI); /* and esi, the number */
		eu_put_32(c, LINE - 1);
		eu_general(c, EU_GP_ADD_NUMBER, 0, EU_RSI);
		eu_put_32(c, bytes + LINE - 1);
		eu_general_shift(c, EU_SHIFT_RIGHT, 0, EU_RSI, LINE_SHIFT);
	}
	load_tallies(s);
	count_one(s, tally->target + EU_TALLY_NEAR * NUMBER);
	if (has_lines)
		eu_general_memory(c, EU_GP_ADD_TO | WIDE, EU_RSI, EU_RCX,
			tally->target + EU_TALLY_MORE * NUMBER);
}

enum eu_before eu_compile_find_before(
	const struct eu_translator *s, const struct eu_uop *u, enum eu_space space, unsigned apart)
{
	const struct eu_probe *probe = s->kernel->probe;
	bool is_surface = space == EU_SPACE_SURFACE;
	if (u->code != EU_UOP_probe)
		return is_surface || apart == u->shift ? EU_BEFORE_TALLY : EU_BEFORE_NOTHING;
	if (!s->kernel->registers_end || !probe)
		return EU_BEFORE_NOTHING;
	return is_surface || (space == EU_SPACE_SLM && !probe->is_quiet) ? EU_BEFORE_PROBE
									 : EU_BEFORE_NOTHING;
}

uint32_t eu_compile_unless_quiet(struct eu_translator *s, const struct eu_detour *d)
{
	const uint32_t wide = EU_GP_LOAD | WIDE;
	const uint32_t place = d->u->imm * (uint32_t)sizeof(struct eu_translation);
	struct eu_code *c = s->c;
	eu_general_memory(c, wide, EU_RCX, EU_RDI, offsetof(struct eu_thread, worker));
	eu_general_memory(c, wide, EU_RCX, EU_RCX, offsetof(struct eu_worker, translations));
	eu_general(c, EU_GP_LOAD, EU_RSI, EU_RAX);
	eu_general_memory(c, EU_GP_SUB, EU_RSI, EU_RCX,
		place + (uint32_t)offsetof(struct eu_translation, quiet_first));
	eu_general_memory(c, EU_GP_COMPARE, EU_RSI, EU_RCX,
		place + (uint32_t)offsetof(struct eu_translation, quiet_count));
	return eu_jump(c, EU_IF_NOT_BELOW);
}
