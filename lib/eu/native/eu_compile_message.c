// SPDX-License-Identifier: MIT
#include "eu/native/eu_compile_alu.h"
#include "eu/native/eu_compile_element.h"
#include "eu/native/eu_compile_message.h"
#include "eu/ops/eu_effect.h"
#include "eu/ops/eu_send_uop.h"

/*
 * Loads and stores of elements side by side in line; loads of dwords that are the same for all
 * lanes, of words that overlap, and from anywhere, out of line, as stores to anywhere; everything
 * else by the stencil.
 */

#define MAX_U		EU_VEX(1, 2, 0x3f)
#define SPLAT_QUAD	EU_VEX(1, 2, 0x59)
#define SUBTRACT_QUADS	EU_VEX(1, 1, 0xfb)
#define SHUFFLE		EU_VEX(0, 1, 0xc6)
#define TEST		EU_VEX(1, 2, 0x17)
#define WIDEN_BYTES	EU_VEX(1, 2, 0x31)
#define LOAD_SOME	EU_VEX(1, 2, 0x8c)
#define STORE_SOME	EU_VEX(1, 2, 0x8e)
#define SUBTRACT_NUMBER (EU_GP_ADD_NUMBER | EU_GP_WIDE) /* with register 5 */

enum { PREFETCH = 4096, WAYS = 2 /* for the lanes of a message to lie */ };
/* How rows number the channels of bytes and words, beside masks of dwords. */
enum { ROW_BYTES = 16, ROW_WORDS, ROW_FORMS };

static const struct kind {
	uint16_t first;
	uint8_t channels; /* as rows have them */
	bool store;
	uint8_t space;
} kinds[] = {
#define MESSAGE(verb, space, channels)                                                             \
	{ EU_UOP_##verb##_##space##_##channels, channels, EU_ROW_##verb, EU_ROW_##space },
#include "eu/ops/uop.def"
};

/* 1 + what lies side by side in line; 0: messages with such channels are not known. */
static const uint8_t elements[2][ROW_FORMS] = {
	[EU_ROW_load] = { [1] = 1 + DWORD,
		[3] = 1 + PAIR,
		[5] = 1 + DWORD,
		[7] = 1 + DWORD,
		[15] = 1 + QUAD,
		[ROW_BYTES] = 1 + BYTE,
		[ROW_WORDS] = 1 + WORD },
	[EU_ROW_store] = { [1] = 1 + DWORD,
		[3] = 1 + PAIR,
		[15] = 1 + QUAD,
		[ROW_BYTES] = 1 + BYTE,
		[ROW_WORDS] = 1 + WORD },
};

/* In what rcx is the address of: where the window's `member` is, of surfaces and translations. */
#define IN_WINDOW(s, u, space, of_surface, of_translation)                                         \
	((space) == EU_SPACE_SURFACE                                                               \
			? (u)->c + (uint32_t)offsetof(struct eu_surface, of_surface)               \
			: (s)->kernel->sends[(u)->imm].site *                                      \
					  (uint32_t)sizeof(struct eu_translation) +                \
				  (uint32_t)offsetof(struct eu_translation, of_translation))

/* rcx: what knows windows at GPU addresses, or those of surfaces. */
static void load_windows(struct eu_translator *s, uint8_t space)
{
	const uint32_t wide = EU_GP_LOAD | EU_GP_WIDE;
	eu_general_memory(s->c, wide, EU_RCX, EU_RDI, offsetof(struct eu_thread, worker));
	eu_general_memory(s->c, wide, EU_RCX, EU_RCX,
		space == EU_SPACE_A64 ? offsetof(struct eu_worker, translations)
				      : offsetof(struct eu_worker, surfaces));
}

void eu_compile_load_window(struct eu_translator *s, const struct eu_uop *u, uint8_t space)
{
	const uint32_t wide = EU_GP_LOAD | EU_GP_WIDE;
	if (space == EU_SPACE_SLM) {
		eu_general_memory(s->c, wide, EU_RCX, EU_RDI, offsetof(struct eu_thread, group));
		eu_general_memory(s->c, wide, EU_RDX, EU_RCX, offsetof(struct eu_group, slm));
		return;
	}
	load_windows(s, space);
	eu_general_memory(s->c, wide, EU_RDX, EU_RCX, IN_WINDOW(s, u, space, host, range.host));
}

/* op of rsi and how far the window reaches. */
static void with_reach(struct eu_translator *s, const struct eu_uop *u, uint8_t space, uint32_t op)
{
	if (space == EU_SPACE_SLM)
		eu_general_memory(s->c, op, EU_RSI, EU_RCX, offsetof(struct eu_group, slm_reach));
	else
		eu_general_memory(s->c, op | EU_GP_WIDE, EU_RSI, EU_RCX,
			IN_WINDOW(s, u, space, reach, reach));
}

uint32_t eu_compile_jump_beyond(
	struct eu_translator *s, const struct eu_uop *u, uint8_t space, unsigned bytes)
{
	eu_general_memory(s->c, EU_GP_ADDRESS | EU_GP_WIDE, EU_RSI, EU_RAX, bytes);
	if (space == EU_SPACE_SLM) {
		eu_general_memory(
			s->c, EU_GP_LOAD, EU_RCX, EU_RCX, offsetof(struct eu_group, slm_reach));
		eu_general(s->c, EU_GP_COMPARE | EU_GP_WIDE, EU_RSI, EU_RCX);
	} else {
		with_reach(s, u, space, EU_GP_COMPARE);
	}
	return eu_jump(s->c, EU_IF_ABOVE);
}

/*
 * d->at: the offsets of lanes from the first address of the window on, of GPU addresses; of those
 * that are 4 GiB from there or more, what no window reaches.
 */
static void find_offsets(struct eu_translator *s, struct eu_detour *d)
{
	struct eu_code *c = s->c;
	const unsigned last = d->lanes / 8 - 1;
	const int x = d->spare = eu_compile_take(s), y = d->other = eu_compile_take(s);
	const int first = d->at[last];
	load_windows(s, EU_SPACE_A64);
	eu_vector_memory(c, SPLAT_QUAD, first, 0, EU_RCX,
		IN_WINDOW(s, d->u, EU_SPACE_A64, base, range.first));
	for (unsigned half = 0; half <= last; half++) {
		const int low = eu_compile_lanes(s, d->u->a + 2 * half * EU_UNIT);
		eu_vector(c, SUBTRACT_QUADS, x, low, first);
		s->holders[low].pinned = false;
		const int high = eu_compile_lanes(s, d->u->a + (2 * half + 1) * EU_UNIT);
		eu_vector(c, SUBTRACT_QUADS, y, high, first);
		s->holders[high].pinned = false;
		eu_vector_number(c, SHUFFLE, d->at[half], x, y, 0x88);
		eu_vector_number(c, SHUFFLE, y, x, y, 0xdd);
		eu_compile_shift(s, BY_LEFT, y, y, 16); /* addresses have 48 bits */
		eu_vector(c, EU_V_XOR, x, x, x);
		eu_vector(c, EU_V_EQUAL, y, y, x);
		eu_vector(c, EU_V_EQUAL, x, x, x);
		eu_vector(c, EU_V_AND_NOT, y, y, x);
		eu_vector(c, EU_V_OR, d->at[half], d->at[half], y);
		eu_vector_order(c, d->at[half], 0xd8);
	}
}

/*
 * Jumps away unless the addresses of all lanes, which are on, are lane 0's and 1 << shift more for
 * each lane; shift < 0: lane 0's. For some lanes, which seldom do, these are two jumps: one half is
 * enough to know.
 */
static void jump_unless_steps(
	struct eu_translator *s, const struct eu_detour *d, int shift, uint32_t away[2])
{
	const uint32_t steps = EU_CONSTANT_STEPS + (uint32_t)(2 * shift * EU_UNIT);
	const int x[2] = { d->spare, d->other };
	eu_vector(s->c, EU_V_SPLAT_DWORD, x[0], 0, d->at[0]);
	for (unsigned half = d->lanes / 8; half-- > 0;) {
		if (shift >= 0)
			eu_vector_constant(s->c, EU_V_ADD, x[half], x[0], steps + half * EU_UNIT);
		eu_vector(s->c, EU_V_XOR, x[half], shift < 0 ? x[0] : x[half], d->at[half]);
		if (!d->masked && half > 0)
			continue;
		if (!d->masked && d->lanes == 16)
			eu_vector(s->c, EU_V_OR, x[0], x[0], x[1]);
		eu_vector(s->c, TEST, x[half], 0, d->masked ? d->mask[half] : x[half]);
		away[half] = eu_jump(s->c, EU_IF_NOT_ZERO);
	}
}

/* rax: the address of lane 0, which is pending. */
static void load_pending(struct eu_translator *s, const struct eu_detour *d)
{
	int32_t slot = s->slots[d->u->a / EU_UNIT];
	uint32_t at = (uint32_t)slot * GEN_GRF_BYTES;
	if (s->address == slot)
		return;
	eu_general_memory(s->c, EU_GP_LOAD, EU_RAX, EU_R8, at);
	eu_general_memory(s->c, EU_GP_ADD, EU_RAX, EU_R9, at);
	s->address = slot;
}

/* The number of what a message of a sweep reaches from a line on; -1: there are too many. */
static int find_stretch(struct eu_translator *s, const struct eu_stretch *reach)
{
	struct eu_blocks *blocks = s->blocks;
	uint32_t i = 0;
	while (i < blocks->stretch_count) {
		const struct eu_stretch *other = &blocks->stretches[i];
		if (other->line == reach->line && other->shift == reach->shift &&
			other->local == reach->local && other->surface == reach->surface)
			break;
		i++;
	}
	if (i == EU_STRETCHES)
		return -1;
	if (i == blocks->stretch_count)
		blocks->stretches[blocks->stretch_count++] = *reach;
	if (blocks->stretches[i].bytes < reach->bytes)
		blocks->stretches[i].bytes = reach->bytes;
	return (int)i;
}

/* cmp of a byte at r10 and a number */
static uint32_t jump_unless(struct eu_translator *s, int place, unsigned number)
{
	eu_put(s->c, 0x41);
	eu_put(s->c, 0x80);
	eu_put_place(s->c, 7, EU_R10, (uint32_t)place);
	eu_put(s->c, number);
	return eu_jump(s->c, EU_IF_NOT_ZERO);
}

/*
 * rax: the address of lane 0, rdx: where it is from; jumps away unless it is known of all threads
 * of the sweep that the lanes lie in steps and `bytes` from there on in bounds. 0: it never is.
 */
static uint32_t jump_unless_known(
	struct eu_translator *s, const struct eu_detour *d, int shift, unsigned bytes)
{
	const struct eu_stretch reach = { (uint8_t)(d->line - 1), (uint8_t)shift,
		d->space == EU_SPACE_SLM, d->u->c, bytes };
	int number = s->is_sweep && d->line ? find_stretch(s, &reach) : -1;
	if (number < 0)
		return 0;
	uint32_t away = jump_unless(s, number, 0);
	load_pending(s, d);
	if (d->space == EU_SPACE_SLM)
		eu_compile_load_window(s, d->u, d->space);
	else
		eu_general_memory(s->c, EU_GP_LOAD | EU_GP_WIDE, EU_RDX, EU_R11,
			d->u->c + (uint32_t)offsetof(struct eu_surface, host));
	return away;
}

/* From out of line, with what is in rax there. */
static void go_back(struct eu_translator *s, const struct eu_detour *d)
{
	if (d->line)
		load_pending(s, d);
	s->address = -1;
	eu_jump_to(s->c, eu_jump(s->c, EU_ALWAYS), d->back);
}

/* Lets the stencil execute the message, which finds all in memory, and goes back. */
static void call_stencil(struct eu_translator *s, const struct eu_detour *d)
{
	eu_compile_write_back(s, d->holders, &d->pending);
	eu_compile_stencil(s, d->index);
	eu_compile_reload(s, d->holders);
	for (unsigned half = 0; half < d->lanes / 8 && !d->store; half++)
		for (unsigned part = 0; part < d->parts; part++)
			eu_vector_memory(s->c, EU_V_LOAD, d->to[2 * part + half], 0, EU_RDI,
				d->result + (part * d->lanes / 8 + half) * EU_UNIT);
	go_back(s, d);
}

/* Lets the stencil execute what comes before the message. */
static void call_before(struct eu_translator *s, const struct eu_detour *d)
{
	eu_compile_write_back(s, d->holders, &d->pending);
	eu_compile_stencil(s, d->index - 1);
	eu_compile_reload(s, d->holders);
}

/* Whether there are messages that the probe need not see. */
static bool is_quiet(const struct eu_translator *s)
{
	return s->kernel->probe->is_quiet && !s->kernel->is_function;
}

/* d->at, where these are pending. */
static void load_addresses(struct eu_translator *s, const struct eu_detour *d)
{
	for (unsigned half = 0; d->line && half < d->lanes / 8; half++)
		eu_compile_add_up(s, d->at[half], d->u->a / EU_UNIT + half);
}

/* Lets the probe see lanes that are not in line, unless it need not see the place of all. */
static void watch_elsewhere(struct eu_translator *s, const struct eu_detour *d)
{
	uint32_t apart[2], quiet = 0;
	if (is_quiet(s) && !d->masked) {
		load_addresses(s, d);
		eu_vector_to_general(s->c, EU_RAX, d->at[0]);
		jump_unless_steps(s, d, -1, apart);
		uint32_t loud = eu_compile_unless_quiet(s, d);
		quiet = eu_jump(s->c, EU_ALWAYS);
		eu_jump_here(s->c, apart[0]);
		eu_jump_here(s->c, loud);
	}
	call_before(s, d);
	if (quiet)
		eu_jump_here(s->c, quiet);
}

/* Where what was in line has left it: before what comes before the message. */
static void begin_detour(struct eu_translator *s, const struct eu_detour *d)
{
	for (unsigned i = 0; i < 3; i++)
		if (d->from[i])
			eu_jump_here(s->c, d->from[i]);
	s->address = -1;
	if (d->before == EU_BEFORE_PROBE)
		watch_elsewhere(s, d);
	else if (d->before)
		call_before(s, d);
}

void eu_compile_write_call(struct eu_translator *s, const struct eu_detour *d)
{
	begin_detour(s, d);
	call_stencil(s, d);
}

/* Bytes from a lane's address on that are to be there; narrow ones are gathered as dwords. */
static unsigned lane_bytes(const struct eu_detour *d)
{
	return eu_element_dword(d, d->parts - 1u) + 4;
}

/* d->spare: the last address that a lane may have. Jumps away where there is none. */
static uint32_t load_last_address(struct eu_translator *s, const struct eu_detour *d)
{
	struct eu_code *c = s->c;
	with_reach(s, d->u, d->space, EU_GP_LOAD);
	if (s->is_long) {	 /* offsets of the processor's gather have a sign */
		eu_put(c, 0xb8); /* mov eax, the number */
		eu_put_32(c, INT32_MAX);
		eu_general(c, EU_GP_COMPARE | EU_GP_WIDE, EU_RSI, EU_RAX);
		eu_general(c, EU_GP_MOVE_IF_ABOVE | EU_GP_WIDE, EU_RSI, EU_RAX);
	}
	eu_general(c, SUBTRACT_NUMBER, 5, EU_RSI);
	eu_put_32(c, lane_bytes(d));
	uint32_t none = eu_jump(c, EU_IF_BELOW);
	eu_vector(c, EU_V_FROM_GENERAL, d->spare, 0, EU_RSI);
	eu_vector(c, EU_V_SPLAT_DWORD, d->spare, 0, d->spare);
	return none;
}

/* Jumps away where the address of one of a half's lanes, which are on, is beyond d->spare. */
static uint32_t jump_if_beyond(struct eu_translator *s, const struct eu_detour *d, unsigned half)
{
	int x = d->other;
	eu_vector(s->c, MAX_U, x, d->at[half], d->spare);
	eu_vector(s->c, EU_V_XOR, x, x, d->spare);
	eu_vector(s->c, TEST, x, 0, d->masked ? d->mask[half] : x);
	return eu_jump(s->c, EU_IF_NOT_ZERO);
}

/* A dword of a half's lanes; those that are off keep what they have. */
static void gather_part(
	struct eu_translator *s, const struct eu_detour *d, unsigned part, unsigned half)
{
	int result = d->to[2 * part + half], to = d->merges ? d->spare : result;
	eu_element_gather(s, d, to, part, half);
	if (d->element < DWORD)
		eu_vector_constant(s->c, EU_V_AND, to, to,
			d->element == BYTE ? EU_CONSTANT_BYTE : EU_CONSTANT_WORD);
	if (d->merges)
		eu_compile_blend(s, result, d->mask[half], to, result);
}

/* Loads from anywhere; jumps that leave are added to `out`. */
static unsigned gather(
	struct eu_translator *s, const struct eu_detour *d, uint32_t *out, unsigned outs)
{
	const unsigned halves = d->lanes / 8;
	out[outs++] = load_last_address(s, d);
	for (unsigned half = 0; half < halves; half++)
		out[outs++] = jump_if_beyond(s, d, half);
	for (unsigned i = 0; i < d->parts * halves; i++)
		gather_part(s, d, i / halves, i % halves);
	go_back(s, d);
	return outs;
}

/* The same dwords for all lanes. */
static void load_same(struct eu_translator *s, const struct eu_detour *d)
{
	for (unsigned part = 0; part < d->parts; part++) {
		eu_vector_indexed(s->c, EU_V_SPLAT, d->to[2 * part], 0, EU_RDX, EU_RAX,
			eu_element_dword(d, part));
		if (d->lanes == 16)
			eu_vector(s->c, EU_V_MOVE, d->to[2 * part + 1], 0, d->to[2 * part]);
	}
}

static void load_shifted(struct eu_translator *s, const struct eu_detour *d)
{
	for (unsigned half = 0; half < d->lanes / 8; half++)
		eu_element_load_planes(s, d, half);
}

/* Words that overlap, as of pairs of bytes. */
static void load_overlapping(struct eu_translator *s, const struct eu_detour *d)
{
	for (unsigned half = 0; half < d->lanes / 8; half++) {
		eu_vector_indexed(s->c, WIDEN_BYTES, d->to[half], 0, EU_RDX, EU_RAX, 8 * half);
		eu_vector_indexed(s->c, WIDEN_BYTES, d->spare, 0, EU_RDX, EU_RAX, 8 * half + 1);
		eu_vector_number(s->c, EU_V_SHIFT_BY, 6, d->spare, d->spare, 8);
		eu_vector(s->c, EU_V_OR, d->to[half], d->to[half], d->spare);
	}
}

/*
 * How far apart the lanes of a load may lie besides side by side: 1 << shift bytes, or none;
 * `bytes` more than the last lane's address are read.
 */
static const struct step {
	int shift;
	void (*load)(struct eu_translator *s, const struct eu_detour *d);
} other_steps[] = {
	[WORD] = { BYTE, load_overlapping },
	[DWORD] = { EU_SAME, load_same },
	[PAIR] = { DWORD, load_shifted },
	[QUAD] = { DWORD, load_shifted },
};

/* Bytes that such a load reads. */
static unsigned other_bytes(const struct eu_detour *d)
{
	unsigned lanes = d->lanes - 1;
	return d->element == WORD    ? lanes + 2
	       : d->element == DWORD ? lane_bytes(d)
				     : 4 * lanes + lane_bytes(d);
}

/* If it is known of all threads of a sweep, nothing else is to be tried. */
static void load_known_steps(struct eu_translator *s, const struct eu_detour *d)
{
	const struct step *step = &other_steps[d->element];
	uint32_t away = jump_unless_known(s, d, step->shift, other_bytes(d));
	if (!away)
		return;
	step->load(s, d);
	go_back(s, d);
	eu_jump_here(s->c, away);
}

static void write_load(struct eu_translator *s, const struct eu_detour *d)
{
	const struct step *step = &other_steps[d->element];
	struct eu_code *c = s->c;
	uint32_t out[4];
	unsigned outs = 0;
	begin_detour(s, d);
	if (d->element != BYTE)
		load_known_steps(s, d);
	load_addresses(s, d);
	eu_vector_to_general(c, EU_RAX, d->at[0]);
	eu_compile_load_window(s, d->u, d->space);
	if (d->element != BYTE) {
		uint32_t anywhere[2];
		jump_unless_steps(s, d, step->shift == EU_SAME ? -1 : step->shift, anywhere);
		out[outs++] = eu_compile_jump_beyond(s, d->u, d->space, other_bytes(d));
		step->load(s, d);
		go_back(s, d);
		eu_jump_here(c, anywhere[0]);
	}
	outs = gather(s, d, out, outs);
	for (unsigned i = 0; i < outs; i++)
		eu_jump_here(c, out[i]);
	call_stencil(s, d);
}

/* Stores to anywhere; as gather. */
static unsigned scatter(
	struct eu_translator *s, const struct eu_detour *d, uint32_t *out, unsigned outs)
{
	const unsigned halves = d->lanes / 8;
	out[outs++] = load_last_address(s, d);
	for (unsigned half = 0; half < halves; half++)
		out[outs++] = jump_if_beyond(s, d, half);
	for (unsigned half = 0; half < halves; half++)
		eu_element_scatter(s, d, half);
	go_back(s, d);
	return outs;
}

/* A store, or a message of some lanes, that do not lie in a line. */
static void write_anywhere(struct eu_translator *s, const struct eu_detour *d)
{
	uint32_t out[3];
	begin_detour(s, d);
	load_addresses(s, d);
	eu_compile_load_window(s, d->u, d->space);
	unsigned outs = d->store ? scatter(s, d, out, 0) : gather(s, d, out, 0);
	for (unsigned i = 0; i < outs; i++)
		eu_jump_here(s->c, out[i]);
	call_stencil(s, d);
}

struct eu_detour *eu_compile_detour(struct eu_translator *s)
{
	if (s->detour_count + 1 >= s->detour_capacity) { /* there is room for one more */
		uint32_t capacity = s->detour_capacity ? 2 * s->detour_capacity : 32;
		struct eu_detour *all = realloc(s->detours, capacity * sizeof(*all));
		if (!all)
			return NULL;
		s->detours = all;
		s->detour_capacity = capacity;
	}
	return &s->detours[s->detour_count++];
}

/*
 * Fetches what lies ahead of `bytes` at rdx + rax, into the second cache: in the first it would
 * push out what is used sooner.
 */
static void prefetch(struct eu_translator *s, unsigned bytes)
{
	static const uint8_t code[] = { 0x0f, 0x18, 0x94, 0x02 }; /* prefetcht1 of rdx + rax + */
	for (unsigned at = 0; at == 0 || at + 64 <= bytes; at += 64) {
		for (unsigned i = 0; i < sizeof(code); i++)
			eu_put(s->c, code[i]);
		eu_put_32(s->c, PREFETCH + at);
	}
}

/* 1 + the number of the line in which pending addresses may lie; 0: they are not, or too many. */
static unsigned find_line(struct eu_translator *s, const struct eu_uop *u, unsigned lanes)
{
	struct eu_blocks *blocks = s->blocks;
	unsigned first = u->a / EU_UNIT, second = first + lanes / 8 - 1;
	uint32_t i = 0;
	if (u->a % EU_UNIT || !eu_compile_is_pending(s, first) || !eu_compile_is_pending(s, second))
		return 0;
	/* In a sweep thread->lines are not about lines: each way to lie needs a stretch. */
	if (s->is_sweep && blocks->stretch_count + WAYS > EU_STRETCHES)
		return 0;
	struct eu_line line = { s->slots[first], s->slots[second] };
	while (i < blocks->line_count && memcmp(&blocks->lines[i], &line, sizeof(line)) != 0)
		i++;
	if (i == EU_LINES)
		return 0;
	blocks->lines[i] = line;
	blocks->line_count += i == blocks->line_count;
	return i + 1;
}

/* rax: the address of lane 0; jumps away unless the lanes are side by side. */
static void load_first(struct eu_translator *s, struct eu_detour *d)
{
	if (!d->line) {
		s->address = -1;
		jump_unless_steps(s, d, d->element, d->from);
		eu_vector_to_general(s->c, EU_RAX, d->at[0]);
		return;
	}
	d->from[0] = jump_unless(s, d->line - 1, d->element);
	load_pending(s, d);
}

/* A register that a masked load changes, which is none of those that it needs besides. */
static int take_old(
	struct eu_translator *s, const struct eu_detour *d, unsigned part, unsigned half)
{
	int old = eu_compile_lanes(s, d->u->d + (part * d->lanes / 8 + half) * EU_UNIT), copy;
	if (old != d->at[0] && old != d->at[1] && old != d->mask[0] && old != d->mask[1])
		return old;
	copy = eu_compile_take(s);
	eu_vector(s->c, EU_V_MOVE, copy, 0, old);
	return copy;
}

/* The registers that the message needs. */
static void take_registers(struct eu_translator *s, struct eu_detour *d)
{
	const struct eu_uop *u = d->u;
	const unsigned halves = d->lanes / 8;
	const bool far = d->space == EU_SPACE_A64, take = d->line || far;
	for (unsigned i = 0; i < halves; i++)
		d->at[i] = take ? eu_compile_take(s) : eu_compile_lanes(s, u->a + i * EU_UNIT);
	if (far)
		find_offsets(s, d);
	for (unsigned i = 0; i < halves && d->masked; i++)
		d->mask[i] = eu_compile_lanes(s, u->m + i * EU_UNIT);
	for (unsigned i = 0; i < d->parts * halves && d->store; i++)
		d->data[i % halves][i / halves] = eu_compile_lanes(s, u->b + i * EU_UNIT);
	for (unsigned i = 0; i < d->parts * halves && d->merges && !d->store; i++)
		d->to[i / halves * 2 + i % halves] = take_old(s, d, i / halves, i % halves);
	for (unsigned i = 0; i < (d->store && d->parts > 2 ? 4 : 2u * d->parts) && !d->merges; i++)
		d->to[i] = eu_compile_take(s);
	if (!far) {
		d->spare = eu_compile_take(s);
		d->other = eu_compile_take(s);
	}
	memcpy(d->holders, s->holders, sizeof(d->holders));
	d->pending = s->pending;
}

/* The probe has to see it, and where it is; what is in line goes on. */
static void write_watched(struct eu_translator *s, const struct eu_detour *d)
{
	eu_jump_here(s->c, d->from[0]);
	s->address = -1;
	if (d->channels != 5 && d->channels != 7) { /* else elements lie in line */
		eu_general_memory(s->c, EU_GP_ADDRESS | EU_GP_WIDE, EU_RSI, EU_RAX, 1);
		eu_general_memory(s->c, EU_GP_STORE | EU_GP_WIDE, EU_RSI, EU_RDI,
			offsetof(struct eu_thread, line));
	}
	call_before(s, d);
	if (!d->line)
		eu_vector_to_general(s->c, EU_RAX, d->at[0]);
	eu_compile_load_window(s, d->u, d->space);
	go_back(s, d);
}

/*
 * Of a message that the probe sees wherever it lies: what is pending is stored on each way through
 * it, and so need not be again.
 */
static void store_pending(struct eu_translator *s, struct eu_detour *d)
{
	for (unsigned i = 0; i < GEN_GRF_COUNT / 64; i++) {
		d->pending.bits[i] &= ~s->stored.bits[i];
		s->stored.bits[i] |= d->pending.bits[i];
	}
}

/* Lets the probe see what is in line from rax on, unless it need not. */
static void watch_line(struct eu_translator *s, const struct eu_detour *d)
{
	struct eu_detour *watched = &s->detours[s->detour_count++];
	uint32_t loud = is_quiet(s) ? eu_compile_unless_quiet(s, d) : eu_jump(s->c, EU_ALWAYS);
	*watched = *d;
	watched->write = write_watched;
	watched->from[0] = loud;
	watched->from[1] = watched->from[2] = 0;
	watched->back = s->c->size;
}

/* All lanes. */
static void move_all(struct eu_translator *s, struct eu_detour *d, unsigned bytes)
{
	unsigned surfaces = EU_R11;
	d->from[0] = jump_unless_known(s, d, d->element, bytes);
	if (!d->from[0]) {
		load_first(s, d);
		eu_compile_load_window(s, d->u, d->space);
		d->from[2] = eu_compile_jump_beyond(s, d->u, d->space, bytes);
		surfaces = EU_RCX;
	}
	if (d->before == EU_BEFORE_TALLY)
		eu_compile_tally_line(
			s, d->u - 1, ((d->lanes - 1) << d->element) + d->u[-1].shift, surfaces);
	if (d->before == EU_BEFORE_PROBE)
		watch_line(s, d);
	if (!d->store && d->space != EU_SPACE_SLM && d->element <= PAIR)
		prefetch(s, bytes);
	for (unsigned half = 0; half < d->lanes / 8; half++) {
		if (d->store)
			eu_element_store(s, d, half);
		else
			eu_element_load(s, d, half);
	}
}

/* Some lanes: in line only dwords side by side. */
static void move_some(struct eu_translator *s, struct eu_detour *d, unsigned bytes)
{
	const unsigned halves = d->lanes / 8;
	s->address = -1;
	if (d->element != DWORD) {
		d->from[0] = eu_jump(s->c, EU_ALWAYS);
		return;
	}
	load_first(s, d);
	eu_compile_load_window(s, d->u, d->space);
	d->from[2] = eu_compile_jump_beyond(s, d->u, d->space, bytes);
	for (unsigned i = 0; i < d->parts * halves; i++) {
		unsigned part = i / halves, half = i % halves;
		int mask = d->mask[half], to = d->to[2 * part + half];
		uint32_t at = eu_element_dword(d, part) + 32 * half;
		if (d->store) {
			eu_vector_indexed(
				s->c, STORE_SOME, d->data[half][0], mask, EU_RDX, EU_RAX, at);
			continue;
		}
		eu_vector_indexed(
			s->c, LOAD_SOME, d->merges ? d->spare : to, mask, EU_RDX, EU_RAX, at);
		if (d->merges)
			eu_compile_blend(s, to, mask, d->spare, to);
	}
}

static bool message(struct eu_translator *s, const struct kind *kind, const struct eu_uop *u,
	enum eu_before before)
{
	const unsigned lanes = u->code - kind->first < 2 ? 16 : 8, halves = lanes / 8;
	struct eu_detour *d = eu_compile_detour(s);
	bool masked = eu_effect_is_masked(u);
	if (!d)
		return false;
	*d = (struct eu_detour){ .element = elements[kind->store][kind->channels] - 1,
		.write = masked || kind->store ? write_anywhere : write_load,
		.u = u,
		.index = s->index,
		.lanes = lanes,
		.channels = kind->channels < ROW_BYTES ? kind->channels : 1,
		.store = kind->store,
		.space = kind->space,
		.masked = masked,
		.merges = masked && (kind->store || eu_compile_merges(s, u)),
		.result = u->d,
		.before = (uint8_t)before,
		.line = masked || kind->space == EU_SPACE_A64 ? 0 : find_line(s, u, lanes) };
	d->parts = (uint8_t)__builtin_popcount(d->channels);
	unsigned bytes = (lanes << d->element) + (d->element == DWORD ? lane_bytes(d) - 4 : 0);
	take_registers(s, d);
	const bool seen = before == EU_BEFORE_PROBE && !is_quiet(s);
	if (seen)
		store_pending(s, d);
	if (masked)
		move_some(s, d, bytes);
	else
		move_all(s, d, bytes);
	d->back = s->c->size;
	/* So are the registers of the host; of flags, masks are not all. */
	for (int r = 0; r < EU_COMPILE_REGISTERS && seen; r++)
		s->holders[r].dirty &= !d->holders[r].dirty || (d->holders[r].key & EU_MASKS);
	for (unsigned i = 0; i < d->parts * halves && !kind->store; i++) {
		int to = d->to[i / halves * 2 + i % halves];
		s->holders[to].narrow = -1;
		s->holders[to].zeros =
			(uint8_t)(masked || d->element >= DWORD ? 0 : 32 - (8u << d->element));
		eu_compile_bind(s, u->d + i * EU_UNIT, to);
	}
	return true;
}

/* The kind of a message that has a translation; NULL: it has none. */
static const struct kind *find_kind(const struct eu_uop *u)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		unsigned variant = u->code - kinds[i].first, lanes = variant < 2 ? 16 : 8;
		if (u->code < kinds[i].first || variant >= EU_VARIANTS_MESSAGE)
			continue;
		const unsigned element = elements[kinds[i].store][kinds[i].channels];
		const bool slow =
			variant % 2 && element != 1 + DWORD && kinds[i].space != EU_SPACE_A64;
		bool is_known =
			element && (kinds[i].store ? !slow : eu_compile_can_bind(u->d, lanes));
		return is_known ? &kinds[i] : NULL;
	}
	return NULL;
}

/* What comes before a message, with that. */
static bool with_message(struct eu_translator *s, const struct eu_uop *u)
{
	const bool is_one = u->code == EU_UOP_tally_one;
	const struct kind *kind = is_one ? NULL : find_kind(u + 1);
	enum eu_before before = EU_BEFORE_NOTHING;
	if (is_one && eu_uop_info(u[1].code)->first == EU_UOP_send_plain)
		before = EU_BEFORE_TALLY;
	else if (kind)
		before = eu_compile_find_before(
			s, u, kind->space, 1u << (elements[kind->store][kind->channels] - 1));
	if (!before || eu_effect_is_masked(u + 1))
		return false;
	s->index++;
	if (is_one ? eu_compile_plain_message(s, u + 1, before) : message(s, kind, u + 1, before))
		return true;
	s->index--;
	return false;
}

bool eu_compile_message(struct eu_translator *s, const struct eu_uop *u)
{
	if (eu_uop_info(u->code)->first == EU_UOP_send_plain)
		return eu_compile_plain_message(s, u, EU_BEFORE_NOTHING);
	if (u->code == EU_UOP_tally_near_8 || u->code == EU_UOP_tally_near_16 ||
		u->code == EU_UOP_tally_one || u->code == EU_UOP_probe)
		return with_message(s, u);
	const struct kind *kind = find_kind(u);
	return kind && message(s, kind, u, EU_BEFORE_NOTHING);
}
