// SPDX-License-Identifier: MIT
#include "eu/native/eu_compile.h"
#include "eu/state/eu_float_mode.h"

/*
 * Loads and stores of elements side by side in line; loads of dwords that are the same for all
 * lanes, of words that overlap, and from anywhere out of line; everything else by the stencil.
 */

#define MAX_U	    EU_VEX(1, 2, 0x3f)
#define TEST	    EU_VEX(1, 2, 0x17)
#define GATHER	    EU_VEX(1, 2, 0x90)
#define WIDEN_BYTES EU_VEX(1, 2, 0x31)
#define SHUFFLE	    EU_VEX(0, 1, 0xc6)
#define LOW_PAIRS   EU_VEX(1, 1, 0x62)
#define HIGH_PAIRS  EU_VEX(1, 1, 0x6a)

enum { PREFETCH = 4096, FAR = 0x7fffffff };

/* What a lane moves, and how a half of the lanes is loaded or stored in line. */
enum element { BYTE, WORD, DWORD, PAIR };

static const struct kind {
	uint16_t first;
	uint8_t element;
	bool store, local;
} kinds[] = {
	{ EU_UOP_load_surface_16, BYTE, false, false },
	{ EU_UOP_load_surface_17, WORD, false, false },
	{ EU_UOP_load_surface_1, DWORD, false, false },
	{ EU_UOP_load_surface_3, PAIR, false, false },
	{ EU_UOP_store_surface_16, BYTE, true, false },
	{ EU_UOP_store_surface_17, WORD, true, false },
	{ EU_UOP_store_surface_1, DWORD, true, false },
	{ EU_UOP_store_surface_3, PAIR, true, false },
	{ EU_UOP_load_local_16, BYTE, false, true },
	{ EU_UOP_load_local_17, WORD, false, true },
	{ EU_UOP_load_local_1, DWORD, false, true },
	{ EU_UOP_load_local_3, PAIR, false, true },
	{ EU_UOP_store_local_16, BYTE, true, true },
	{ EU_UOP_store_local_17, WORD, true, true },
	{ EU_UOP_store_local_1, DWORD, true, true },
	{ EU_UOP_store_local_3, PAIR, true, true },
};

/* rcx: what knows the window; rdx: the host memory of its address 0. */
static void load_window(struct eu_translator *s, const struct eu_uop *u, bool local)
{
	const uint32_t wide = EU_GP_LOAD | EU_GP_WIDE;
	if (local) {
		eu_general_memory(s->c, wide, EU_RCX, EU_RDI, offsetof(struct eu_thread, group));
		eu_general_memory(s->c, wide, EU_RDX, EU_RCX, offsetof(struct eu_group, slm));
		return;
	}
	eu_general_memory(s->c, wide, EU_RCX, EU_RDI, offsetof(struct eu_thread, worker));
	eu_general_memory(s->c, wide, EU_RCX, EU_RCX, offsetof(struct eu_worker, surfaces));
	eu_general_memory(
		s->c, wide, EU_RDX, EU_RCX, u->c + (uint32_t)offsetof(struct eu_surface, host));
}

/* op of rsi and how far the window reaches. */
static void with_reach(struct eu_translator *s, const struct eu_uop *u, bool local, uint32_t op)
{
	if (local)
		eu_general_memory(s->c, op, EU_RSI, EU_RCX, offsetof(struct eu_group, slm_reach));
	else
		eu_general_memory(s->c, op | EU_GP_WIDE, EU_RSI, EU_RCX,
			u->c + (uint32_t)offsetof(struct eu_surface, reach));
}

/* rax: the address of lane 0; jumps away unless `bytes` from there on are in the window. */
static uint32_t jump_beyond(
	struct eu_translator *s, const struct eu_uop *u, bool local, unsigned bytes)
{
	eu_general_memory(s->c, EU_GP_ADDRESS | EU_GP_WIDE, EU_RSI, EU_RAX, bytes);
	if (local) {
		eu_general_memory(
			s->c, EU_GP_LOAD, EU_RCX, EU_RCX, offsetof(struct eu_group, slm_reach));
		eu_general(s->c, EU_GP_COMPARE | EU_GP_WIDE, EU_RSI, EU_RCX);
	} else {
		with_reach(s, u, local, EU_GP_COMPARE);
	}
	return eu_jump(s->c, EU_IF_ABOVE);
}

/* Zero flag unless all lanes' addresses are lane 0's and 1 << shift more for each lane; < 0: none.
 */
static void test_steps(
	struct eu_translator *s, const int at[2], const int x[2], unsigned lanes, int shift)
{
	const uint32_t steps = EU_CONSTANT_STEPS + (uint32_t)(2 * shift * EU_UNIT);
	eu_vector(s->c, EU_V_SPLAT_DWORD, x[0], 0, at[0]);
	if (lanes == 16 && shift < 0)
		eu_vector(s->c, EU_V_XOR, x[1], x[0], at[1]);
	if (lanes == 16 && shift >= 0)
		eu_vector_constant(s->c, EU_V_ADD, x[1], x[0], steps + EU_UNIT);
	if (shift >= 0)
		eu_vector_constant(s->c, EU_V_ADD, x[0], x[0], steps);
	eu_vector(s->c, EU_V_XOR, x[0], x[0], at[0]);
	if (lanes == 16 && shift >= 0)
		eu_vector(s->c, EU_V_XOR, x[1], x[1], at[1]);
	if (lanes == 16)
		eu_vector(s->c, EU_V_OR, x[0], x[0], x[1]);
	eu_vector(s->c, TEST, x[0], 0, x[0]);
}

/* Goes on with the stencils at the message, which finds all in memory. */
static void leave(struct eu_translator *s, const struct eu_detour *d)
{
	eu_compile_write_back(s, d->holders, &d->pending);
	eu_put(s->c, 0xe9);
	eu_put_fixup(s->c, EU_FIXUP_STENCIL, d->index);
}

static void write_leave(struct eu_translator *s, const struct eu_detour *d)
{
	eu_jump_here(s->c, d->from[0]);
	if (d->from[1])
		eu_jump_here(s->c, d->from[1]);
	leave(s, d);
}

/* Loads from anywhere in the first 2 GiB; jumps that leave are added to `out`. */
static unsigned gather(
	struct eu_translator *s, const struct eu_detour *d, uint32_t *out, unsigned outs)
{
	struct eu_code *c = s->c;
	with_reach(s, d->u, d->local, EU_GP_LOAD);
	eu_put(c, 0xb8); /* mov eax, the number */
	eu_put_32(c, FAR);
	eu_general(c, EU_GP_COMPARE | EU_GP_WIDE, EU_RSI, EU_RAX);
	out[outs++] = eu_jump(c, EU_IF_ABOVE);
	eu_general(c, EU_GP_LOAD, EU_RAX, EU_RSI);
	eu_put(c, 0x83); /* sub eax, 4 */
	eu_put(c, 0xe8);
	eu_put(c, 4);
	out[outs++] = eu_jump(c, EU_IF_BELOW);
	eu_vector_from_eax(c, d->to[0]);
	eu_vector(c, EU_V_SPLAT_DWORD, d->to[0], 0, d->to[0]);
	eu_vector(c, MAX_U, d->to[1], d->to[0], d->at[0]);
	if (d->lanes == 16)
		eu_vector(c, MAX_U, d->to[1], d->to[1], d->at[1]);
	eu_vector(c, EU_V_XOR, d->to[1], d->to[1], d->to[0]);
	eu_vector(c, TEST, d->to[1], 0, d->to[1]);
	out[outs++] = eu_jump(c, EU_IF_NOT_ZERO);
	for (unsigned half = 0; half < d->lanes / 8; half++) {
		eu_vector(c, EU_V_EQUAL, d->spare, d->spare, d->spare);
		eu_vector_indexed(
			c, GATHER, d->to[half], d->spare, EU_RDX, (unsigned)d->at[half], 0);
		if (d->element != DWORD)
			eu_vector_constant(c, EU_V_AND, d->to[half], d->to[half],
				d->element == BYTE ? EU_CONSTANT_BYTE : EU_CONSTANT_WORD);
	}
	eu_jump_to(c, eu_jump(c, EU_ALWAYS), d->back);
	return outs;
}

/* The same dword for all lanes. */
static uint32_t load_same(struct eu_translator *s, const struct eu_detour *d)
{
	uint32_t out = jump_beyond(s, d->u, d->local, 4);
	eu_vector_indexed(s->c, EU_V_SPLAT, d->to[0], 0, EU_RDX, EU_RAX, 0);
	if (d->lanes == 16)
		eu_vector(s->c, EU_V_MOVE, d->to[1], 0, d->to[0]);
	return out;
}

/* Words that overlap, as of pairs of bytes. */
static uint32_t load_overlapping(struct eu_translator *s, const struct eu_detour *d)
{
	uint32_t out = jump_beyond(s, d->u, d->local, d->lanes + 1);
	for (unsigned half = 0; half < d->lanes / 8; half++) {
		eu_vector_indexed(s->c, WIDEN_BYTES, d->to[half], 0, EU_RDX, EU_RAX, 8 * half);
		eu_vector_indexed(s->c, WIDEN_BYTES, d->spare, 0, EU_RDX, EU_RAX, 8 * half + 1);
		eu_vector_number(s->c, EU_V_SHIFT_BY, 6, d->spare, d->spare, 8);
		eu_vector(s->c, EU_V_OR, d->to[half], d->to[half], d->spare);
	}
	return out;
}

static void write_load(struct eu_translator *s, const struct eu_detour *d)
{
	struct eu_code *c = s->c;
	uint32_t out[4];
	unsigned outs = 0;
	eu_jump_here(c, d->from[0]);
	eu_jump_here(c, d->from[1]);
	for (unsigned half = 0; d->line && half < d->lanes / 8; half++)
		eu_compile_add_up(s, d->at[half], d->u->a / EU_UNIT + half);
	eu_vector_to_general(c, EU_RAX, d->at[0]);
	load_window(s, d->u, d->local);
	if (d->element != BYTE) {
		test_steps(s, d->at, d->to, d->lanes, d->element == WORD ? 0 : -1);
		uint32_t anywhere = eu_jump(c, EU_IF_NOT_ZERO);
		out[outs++] = d->element == WORD ? load_overlapping(s, d) : load_same(s, d);
		eu_jump_to(c, eu_jump(c, EU_ALWAYS), d->back);
		eu_jump_here(c, anywhere);
	}
	outs = gather(s, d, out, outs);
	for (unsigned i = 0; i < outs; i++)
		eu_jump_here(c, out[i]);
	leave(s, d);
}

struct eu_detour *eu_compile_detour(struct eu_translator *s)
{
	if (s->detour_count == s->detour_capacity) {
		uint32_t capacity = s->detour_capacity ? 2 * s->detour_capacity : 32;
		struct eu_detour *all = realloc(s->detours, capacity * sizeof(*all));
		if (!all)
			return NULL;
		s->detours = all;
		s->detour_capacity = capacity;
	}
	return &s->detours[s->detour_count++];
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

static void prefetch(struct eu_translator *s)
{
	static const uint8_t code[] = { 0x0f, 0x18, 0x8c, 0x02 }; /* prefetcht0 of rdx + rax + */
	for (unsigned i = 0; i < sizeof(code); i++)
		eu_put(s->c, code[i]);
	eu_put_32(s->c, PREFETCH);
}

/* A half of the lanes, from memory at rdx + rax. */
static void load_half(
	struct eu_translator *s, const struct kind *kind, const int to[4], int z, unsigned half)
{
	static const uint32_t ops[] = { EU_VEX(1, 2, 0x31), EU_VEX(1, 2, 0x33), EU_V_LOAD };
	if (kind->element != PAIR) {
		eu_vector_indexed(s->c, ops[kind->element], to[half], 0, EU_RDX, EU_RAX,
			half * (8u << kind->element));
		return;
	}
	int x = to[half], y = to[2 + half];
	eu_vector_indexed(s->c, EU_V_LOAD, x, 0, EU_RDX, EU_RAX, 64 * half);
	eu_vector_indexed(s->c, EU_V_LOAD, y, 0, EU_RDX, EU_RAX, 64 * half + 32);
	eu_vector_number(s->c, SHUFFLE, z, x, y, 0x88);
	eu_vector_number(s->c, SHUFFLE, y, x, y, 0xdd);
	eu_vector(s->c, EU_V_MOVE, x, 0, z);
	eu_vector_order(s->c, x, 0xd8);
	eu_vector_order(s->c, y, 0xd8);
}

/* The same to memory. */
static void store_half(struct eu_translator *s, const struct kind *kind, int data, int more,
	const int to[4], unsigned half)
{
	uint32_t at = half * (8u << kind->element);
	int x = to[0], y = to[1];
	switch (kind->element) {
	case DWORD:
		eu_vector_indexed(s->c, EU_V_STORE, data, 0, EU_RDX, EU_RAX, at);
		return;
	case PAIR:
		eu_vector(s->c, EU_V_MOVE, x, 0, data);
		eu_vector(s->c, EU_V_MOVE, y, 0, more);
		eu_vector_order(s->c, x, 0xd8);
		eu_vector_order(s->c, y, 0xd8);
		eu_vector(s->c, LOW_PAIRS, to[2], x, y);
		eu_vector(s->c, HIGH_PAIRS, to[3], x, y);
		eu_vector_indexed(s->c, EU_V_STORE, to[2], 0, EU_RDX, EU_RAX, at);
		eu_vector_indexed(s->c, EU_V_STORE, to[3], 0, EU_RDX, EU_RAX, at + 32);
		return;
	default:
		eu_vector_constant(s->c, EU_V_AND, x, data,
			kind->element == BYTE ? EU_CONSTANT_BYTE : EU_CONSTANT_WORD);
		eu_vector(s->c, EU_V_PACK_WORDS, x, x, x);
		eu_vector_order(s->c, x, 0xd8);
		if (kind->element == BYTE)
			eu_vector(s->c, EU_V_PACK_BYTES, x, x, x);
		eu_vector_store_low(s->c, x, kind->element == BYTE, EU_RDX, EU_RAX, at);
	}
}

/* The number of the line in which pending addresses may lie; -1: they are not, or too many. */
static int find_line(struct eu_translator *s, const struct eu_uop *u, unsigned lanes)
{
	struct eu_blocks *blocks = s->blocks;
	unsigned first = u->a / EU_UNIT, second = first + lanes / 8 - 1;
	uint32_t i = 0;
	if (u->a % EU_UNIT || !eu_compile_is_pending(s, first) || !eu_compile_is_pending(s, second))
		return -1;
	struct eu_line line = { s->slots[first], s->slots[second] };
	while (i < blocks->line_count && memcmp(&blocks->lines[i], &line, sizeof(line)) != 0)
		i++;
	if (i == EU_LINES)
		return -1;
	blocks->lines[i] = line;
	blocks->line_count += i == blocks->line_count;
	return (int)i;
}

/* rax: the address of lane 0; jumps away unless the lanes are side by side. */
static uint32_t load_first(struct eu_translator *s, const struct eu_detour *d, int line)
{
	uint32_t away;
	if (line < 0) {
		test_steps(s, d->at, d->to, d->lanes, d->element);
		away = eu_jump(s->c, EU_IF_NOT_ZERO);
		eu_vector_to_general(s->c, EU_RAX, d->at[0]);
		return away;
	}
	uint32_t at = s->slots[d->u->a / EU_UNIT] * (uint32_t)GEN_GRF_BYTES;
	eu_put(s->c, 0x41); /* cmp of a byte at r10 and a number */
	eu_put(s->c, 0x80);
	eu_put_place(s->c, 7, EU_R10, (uint32_t)line);
	eu_put(s->c, d->element);
	away = eu_jump(s->c, EU_IF_NOT_ZERO);
	eu_general_memory(s->c, EU_GP_LOAD, EU_RAX, EU_R8, at);
	eu_general_memory(s->c, EU_GP_ADD, EU_RAX, EU_R9, at);
	return away;
}

static bool message(
	struct eu_translator *s, const struct kind *kind, const struct eu_uop *u, unsigned lanes)
{
	const unsigned halves = lanes / 8, parts = kind->element == PAIR ? 2 : 1;
	struct eu_detour *d = eu_compile_detour(s);
	int data[4] = { 0 };
	if (!d)
		return false;
	*d = (struct eu_detour){ .element = kind->element,
		.write = kind->store || kind->element == PAIR ? write_leave : write_load,
		.u = u,
		.index = s->index,
		.lanes = lanes,
		.local = kind->local };
	int line = find_line(s, u, lanes);
	d->line = line >= 0;
	for (unsigned i = 0; i < halves; i++)
		d->at[i] = d->line ? eu_compile_take(s) : eu_compile_lanes(s, u->a + i * EU_UNIT);
	for (unsigned i = 0; i < 2 * parts; i++) {
		unsigned place = (i / 2 * halves + i % 2) * EU_UNIT;
		if (kind->store && i % 2 < halves)
			data[i] = eu_compile_lanes(s, u->b + place);
		d->to[i] = eu_compile_take(s);
	}
	d->spare = eu_compile_take(s);
	memcpy(d->holders, s->holders, sizeof(d->holders));
	d->pending = s->pending;
	d->from[0] = load_first(s, d, line);
	load_window(s, u, kind->local);
	d->from[1] = jump_beyond(s, u, kind->local, lanes << kind->element);
	if (!kind->store && !kind->local)
		prefetch(s);
	for (unsigned half = 0; half < halves && !kind->store; half++)
		load_half(s, kind, d->to, d->spare, half);
	for (unsigned half = 0; half < halves && kind->store; half++)
		store_half(s, kind, data[half], data[2 + half], d->to, half);
	d->back = s->c->size;
	for (unsigned i = 0; i < 2 * parts && !kind->store; i++)
		if (i % 2 < halves)
			eu_compile_bind(s, u->d + (i / 2 * halves + i % 2) * EU_UNIT, d->to[i]);
	return true;
}

bool eu_compile_message(struct eu_translator *s, const struct eu_uop *u)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		unsigned variant = u->code - kinds[i].first;
		if (u->code < kinds[i].first || variant > 2 || variant == 1)
			continue;
		return (kinds[i].store || eu_compile_can_bind(u->d, variant ? 8 : 16)) &&
		       message(s, &kinds[i], u, variant ? 8 : 16);
	}
	return false;
}
