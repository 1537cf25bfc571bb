// SPDX-License-Identifier: MIT
#include "eu/native/eu_compile_element.h"

#define SHUFFLE	    EU_VEX(0, 1, 0xc6)
#define LOW_PAIRS   EU_VEX(1, 1, 0x62)
#define HIGH_PAIRS  EU_VEX(1, 1, 0x6a)
#define LOW_HALVES  EU_VEX(0, 1, 0x14)
#define HIGH_HALVES EU_VEX(0, 1, 0x15)
#define PICK_HALVES EU_VEX(1, 3, 0x06)
#define HALF_OF	    EU_VEX(1, 3, 0x39)
#define PUT_HALF    EU_VEX(1, 3, 0x38)
#define GATHER	    EU_VEX(1, 2, 0x90)

#define QUAD_TO_GENERAL	     EU_VEX(1 | EU_VEX_128 | EU_VEX_W, 1, 0x7e)
#define HIGH_QUAD_TO_GENERAL EU_VEX(1 | EU_VEX_128 | EU_VEX_W, 3, 0x16)
#define LOAD_DWORD	     EU_VEX(1 | EU_VEX_128, 1, 0x6e)
#define INSERT_DWORD	     EU_VEX(1 | EU_VEX_128, 3, 0x21)
#define STORE_BYTE_OF	     EU_VEX(1 | EU_VEX_128, 3, 0x14)
#define STORE_WORD_OF	     EU_VEX(1 | EU_VEX_128, 3, 0x15)
#define STORE_DWORD_OF	     EU_VEX(1 | EU_VEX_128, 3, 0x16)

unsigned eu_element_dword(const struct eu_detour *d, unsigned part)
{
	unsigned channel = 0;
	for (unsigned rest = d->channels; part > 0 || !(rest & 1); rest >>= 1, channel++)
		part -= rest & 1;
	return 4 * channel;
}

void eu_element_load_planes(struct eu_translator *s, const struct eu_detour *d, unsigned half)
{
	for (unsigned part = 0; part < d->parts; part++)
		eu_vector_indexed(s->c, EU_V_LOAD, d->to[2 * part + half], 0, EU_RDX, EU_RAX,
			eu_element_dword(d, part) + 32 * half);
}

static void load_pairs(struct eu_translator *s, const struct eu_detour *d, unsigned half)
{
	int x = d->to[half], y = d->to[2 + half], z = d->spare;
	eu_vector_indexed(s->c, EU_V_LOAD, x, 0, EU_RDX, EU_RAX, 64 * half);
	eu_vector_indexed(s->c, EU_V_LOAD, y, 0, EU_RDX, EU_RAX, 64 * half + 32);
	eu_vector_number(s->c, SHUFFLE, z, x, y, 0x88);
	eu_vector_number(s->c, SHUFFLE, y, x, y, 0xdd);
	eu_vector(s->c, EU_V_MOVE, x, 0, z);
	eu_vector_order(s->c, x, 0xd8);
	eu_vector_order(s->c, y, 0xd8);
}

static void load_quads(struct eu_translator *s, const struct eu_detour *d, unsigned half)
{
	struct eu_code *c = s->c;
	int x = d->to[half], y = d->to[2 + half], z = d->to[4 + half], w = d->to[6 + half];
	int v = d->spare;
	const int rows[] = { x, y, z, w };
	for (unsigned i = 0; i < 4; i++)
		eu_vector_indexed(c, EU_V_LOAD, rows[i], 0, EU_RDX, EU_RAX, 128 * half + 32 * i);
	eu_vector_number(c, PICK_HALVES, v, x, z, 0x20); /* lanes 0, 4 */
	eu_vector_number(c, PICK_HALVES, z, x, z, 0x31); /* 1, 5 */
	eu_vector_number(c, PICK_HALVES, x, y, w, 0x20); /* 2, 6 */
	eu_vector_number(c, PICK_HALVES, w, y, w, 0x31); /* 3, 7 */
	eu_vector(c, LOW_HALVES, y, v, z);
	eu_vector(c, HIGH_HALVES, v, v, z);
	eu_vector(c, LOW_HALVES, z, x, w);
	eu_vector(c, HIGH_HALVES, w, x, w);
	eu_vector_number(c, SHUFFLE, x, y, z, 0x44);
	eu_vector_number(c, SHUFFLE, y, y, z, 0xee);
	eu_vector_number(c, SHUFFLE, z, v, w, 0x44);
	eu_vector_number(c, SHUFFLE, w, v, w, 0xee);
}

void eu_element_load(struct eu_translator *s, const struct eu_detour *d, unsigned half)
{
	static const uint32_t ops[] = { EU_VEX(1, 2, 0x31), EU_VEX(1, 2, 0x33) };
	switch (d->element) {
	case DWORD:
		eu_element_load_planes(s, d, half);
		return;
	case PAIR:
		load_pairs(s, d, half);
		return;
	case QUAD:
		load_quads(s, d, half);
		return;
	default:
		eu_vector_indexed(s->c, ops[d->element], d->to[half], 0, EU_RDX, EU_RAX,
			half * (8u << d->element));
	}
}

static void store_pairs(
	struct eu_translator *s, const struct eu_detour *d, const int8_t data[4], unsigned half)
{
	const int *to = d->to;
	for (unsigned i = 0; i < 2; i++) {
		eu_vector(s->c, EU_V_MOVE, to[i], 0, data[i]);
		eu_vector_order(s->c, to[i], 0xd8);
	}
	eu_vector(s->c, LOW_PAIRS, to[2], to[0], to[1]);
	eu_vector(s->c, HIGH_PAIRS, to[3], to[0], to[1]);
	eu_vector_indexed(s->c, EU_V_STORE, to[2], 0, EU_RDX, EU_RAX, 64 * half);
	eu_vector_indexed(s->c, EU_V_STORE, to[3], 0, EU_RDX, EU_RAX, 64 * half + 32);
}

static void store_quads(
	struct eu_translator *s, const struct eu_detour *d, const int8_t data[4], unsigned half)
{
	struct eu_code *c = s->c;
	const int *to = d->to;
	int x = d->spare;
	eu_vector(c, LOW_HALVES, to[0], data[0], data[1]);
	eu_vector(c, LOW_HALVES, to[1], data[2], data[3]);
	eu_vector(c, HIGH_HALVES, to[2], data[0], data[1]);
	eu_vector(c, HIGH_HALVES, to[3], data[2], data[3]);
	eu_vector_number(c, SHUFFLE, x, to[0], to[1], 0x44);	 /* lanes 0, 4 */
	eu_vector_number(c, SHUFFLE, to[0], to[0], to[1], 0xee); /* 1, 5 */
	eu_vector_number(c, SHUFFLE, to[1], to[2], to[3], 0x44); /* 2, 6 */
	eu_vector_number(c, SHUFFLE, to[2], to[2], to[3], 0xee); /* 3, 7 */
	for (unsigned i = 0; i < 4; i++) {
		eu_vector_number(c, PICK_HALVES, to[3], i % 2 ? to[1] : x, i % 2 ? to[2] : to[0],
			i / 2 ? 0x31 : 0x20);
		eu_vector_indexed(c, EU_V_STORE, to[3], 0, EU_RDX, EU_RAX, 128 * half + 32 * i);
	}
}

void eu_element_store(struct eu_translator *s, const struct eu_detour *d, unsigned half)
{
	const int8_t *data = d->data[half];
	uint32_t at = half * (8u << d->element);
	int x = d->to[0];
	switch (d->element) {
	case DWORD:
		eu_vector_indexed(s->c, EU_V_STORE, data[0], 0, EU_RDX, EU_RAX, at);
		return;
	case PAIR:
		store_pairs(s, d, data, half);
		return;
	case QUAD:
		store_quads(s, d, data, half);
		return;
	default:
		if (s->holders[data[0]].zeros + (8u << d->element) < 32)
			eu_vector_constant(s->c, EU_V_AND, x, data[0],
				d->element == BYTE ? EU_CONSTANT_BYTE : EU_CONSTANT_WORD);
		else
			x = data[0];
		eu_vector(s->c, EU_V_PACK_WORDS, d->to[0], x, x);
		x = d->to[0];
		eu_vector_order(s->c, x, 0xd8);
		if (d->element == BYTE)
			eu_vector(s->c, EU_V_PACK_BYTES, x, x, x);
		eu_vector_store_low(s->c, x, d->element == BYTE, EU_RDX, EU_RAX, at);
	}
}

/* Moves what is of one of four lanes between `data` and rdx + index + dword. */
typedef void move_lane(
	struct eu_translator *s, int data, unsigned lane, unsigned index, uint32_t dword);

static void load_dword(
	struct eu_translator *s, int to, unsigned lane, unsigned index, uint32_t dword)
{
	const uint32_t op = lane ? INSERT_DWORD : LOAD_DWORD;
	eu_vector_indexed(s->c, op, to, lane ? to : 0, EU_RDX, index, dword);
	if (lane)
		eu_put(s->c, lane << 4);
}

static void store_byte(
	struct eu_translator *s, int data, unsigned lane, unsigned index, uint32_t dword)
{
	eu_vector_indexed(s->c, STORE_BYTE_OF, data, 0, EU_RDX, index, dword);
	eu_put(s->c, 4 * lane);
}

static void store_word(
	struct eu_translator *s, int data, unsigned lane, unsigned index, uint32_t dword)
{
	eu_vector_indexed(s->c, STORE_WORD_OF, data, 0, EU_RDX, index, dword);
	eu_put(s->c, 2 * lane);
}

static void store_dword(
	struct eu_translator *s, int data, unsigned lane, unsigned index, uint32_t dword)
{
	eu_vector_indexed(s->c, STORE_DWORD_OF, data, 0, EU_RDX, index, dword);
	eu_put(s->c, lane);
}

/* Four lanes, of the offsets in the lower half of `at`, in their order. */
static void move_four(struct eu_translator *s, move_lane *move, int data, int at, uint32_t dword)
{
	static const unsigned pairs[] = { EU_RAX, EU_RSI };
	eu_vector(s->c, QUAD_TO_GENERAL, at, 0, EU_RAX);
	eu_vector_number(s->c, HIGH_QUAD_TO_GENERAL, at, 0, EU_RSI, 1);
	for (unsigned lane = 0; lane < 4; lane++) {
		unsigned pair = pairs[lane / 2];
		if (lane % 2)
			eu_general_shift(s->c, EU_SHIFT_RIGHT, EU_GP_WIDE, pair, 32);
		else
			eu_general(s->c, EU_GP_LOAD, EU_RCX, pair);
		move(s, data, lane, lane % 2 ? pair : EU_RCX, dword);
	}
}

void eu_element_gather(
	struct eu_translator *s, const struct eu_detour *d, int to, unsigned part, unsigned half)
{
	const uint32_t dword = eu_element_dword(d, part);
	int at = d->at[half], x = d->other;
	if (s->is_long) {
		if (d->masked)
			eu_vector(s->c, EU_V_MOVE, x, 0, d->mask[half]);
		else
			eu_vector(s->c, EU_V_EQUAL, x, x, x);
		eu_vector(s->c, EU_V_XOR, to, to, to); /* else it waits for what was there */
		eu_vector_indexed(s->c, GATHER, to, x, EU_RDX, (unsigned)at, dword);
		return;
	}
	if (d->masked) {
		eu_vector(s->c, EU_V_AND, x, at, d->mask[half]);
		at = x;
	}
	move_four(s, load_dword, to, at, dword);
	eu_vector_number(s->c, HALF_OF, at, 0, x, 1);
	move_four(s, load_dword, x, x, dword);
	eu_vector_number(s->c, PUT_HALF, to, to, x, 1);
}

/* An element of each lane, all of which are on. */
static void scatter_all(struct eu_translator *s, const struct eu_detour *d, unsigned half)
{
	static move_lane *const moves[] = { store_byte, store_word, store_dword };
	move_lane *move = moves[d->element];
	int data = d->data[half][0];
	move_four(s, move, data, d->at[half], 0);
	eu_vector_number(s->c, HALF_OF, d->at[half], 0, d->other, 1);
	eu_vector_number(s->c, HALF_OF, data, 0, d->spare, 1);
	move_four(s, move, d->spare, d->other, 0);
}

enum { ROWS = offsetof(struct eu_thread, scatter) }; /* offsets, then pairs of dwords */

/* Puts two dwords of each lane side by side in rows of thread->scatter. */
static void put_pairs(struct eu_translator *s, const struct eu_detour *d, int x, int y, uint32_t to)
{
	eu_vector(s->c, LOW_PAIRS, d->spare, x, y);
	eu_vector(s->c, HIGH_PAIRS, d->other, x, y);
	for (unsigned i = 0; i < 4; i++)
		eu_vector_number_memory(
			s->c, HALF_OF, i % 2 ? d->other : d->spare, EU_RDI, to + 16 * i, i / 2);
}

/* Loads what is of a lane: `lane`, or the one in rax. */
static void load_row(struct eu_translator *s, uint32_t op, unsigned reg, uint32_t at, int lane)
{
	const unsigned shift = op & EU_GP_WIDE ? 3 : 2;
	if (lane >= 0) {
		eu_general_memory(s->c, op, reg, EU_RDI, at + ((unsigned)lane << shift));
		return;
	}
	eu_put_general(s->c, op);
	eu_put(s->c, 0x84 | reg << 3);
	eu_put(s->c, shift << 6 | EU_RAX << 3 | EU_RDI);
	eu_put_32(s->c, at);
}

/* lane: negative: the first of those in ecx. */
static void scatter_lane(struct eu_translator *s, const struct eu_detour *d, int lane)
{
	static const uint32_t stores[] = { EU_GP_STORE_BYTE, EU_GP_STORE | EU_GP_SHORT,
		EU_GP_STORE };
	const unsigned element = d->element < DWORD ? d->element : DWORD;
	for (unsigned part = 0; part < d->parts; part += 2) {
		const uint32_t wide = part + 1 < d->parts ? EU_GP_WIDE : 0;
		if (lane < 0)
			eu_general(s->c, EU_GP_FIRST_BIT, EU_RAX, EU_RCX);
		if (part == 0)
			load_row(s, EU_GP_LOAD, EU_RSI, ROWS, lane);
		load_row(s, EU_GP_LOAD | wide, EU_RAX, ROWS + EU_UNIT + 32 * part, lane);
		eu_general_indexed(s->c, wide ? EU_GP_STORE | wide : stores[element], EU_RAX,
			EU_RDX, EU_RSI, 4 * part);
	}
}

/* The lanes that are on. */
static void scatter_some(struct eu_translator *s, const struct eu_detour *d, unsigned half)
{
	struct eu_code *c = s->c;
	eu_vector(c, EU_V_SIGNS, EU_RCX, 0, d->mask[half]);
	eu_general(c, EU_GP_TEST, EU_RCX, EU_RCX);
	uint32_t none = eu_jump(c, EU_IF_ZERO), next = c->size;
	scatter_lane(s, d, -1);
	eu_general_memory(c, EU_GP_ADDRESS, EU_RAX, EU_RCX, (uint32_t)-1);
	eu_general(c, EU_GP_AND, EU_RCX, EU_RAX);
	eu_jump_to(c, eu_jump(c, EU_IF_NOT_ZERO), next);
	eu_jump_here(c, none);
}

void eu_element_scatter(struct eu_translator *s, const struct eu_detour *d, unsigned half)
{
	const int8_t *data = d->data[half];
	if (!d->masked && d->parts == 1) {
		scatter_all(s, d, half);
		return;
	}
	eu_vector_memory(s->c, EU_V_STORE, d->at[half], 0, EU_RDI, ROWS);
	for (unsigned part = 0; part < d->parts; part += 2) {
		uint32_t to = ROWS + EU_UNIT + 32 * part;
		if (part + 1 < d->parts)
			put_pairs(s, d, data[part], data[part + 1], to);
		else
			eu_vector_memory(s->c, EU_V_STORE, data[part], 0, EU_RDI, to);
	}
	if (d->masked)
		scatter_some(s, d, half);
	for (int lane = 0; lane < 8 && !d->masked; lane++)
		scatter_lane(s, d, lane);
}
