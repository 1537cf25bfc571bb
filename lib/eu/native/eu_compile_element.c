// SPDX-License-Identifier: MIT
#include "eu/native/eu_compile_element.h"

#define SHUFFLE	    EU_VEX(0, 1, 0xc6)
#define LOW_PAIRS   EU_VEX(1, 1, 0x62)
#define HIGH_PAIRS  EU_VEX(1, 1, 0x6a)
#define LOW_HALVES  EU_VEX(0, 1, 0x14)
#define HIGH_HALVES EU_VEX(0, 1, 0x15)
#define PICK_HALVES EU_VEX(1, 3, 0x06)

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
	struct eu_translator *s, const struct eu_detour *d, const int data[4], unsigned half)
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
	struct eu_translator *s, const struct eu_detour *d, const int data[4], unsigned half)
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

void eu_element_store(
	struct eu_translator *s, const struct eu_detour *d, const int data[4], unsigned half)
{
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
		eu_vector_constant(s->c, EU_V_AND, x, data[0],
			d->element == BYTE ? EU_CONSTANT_BYTE : EU_CONSTANT_WORD);
		eu_vector(s->c, EU_V_PACK_WORDS, x, x, x);
		eu_vector_order(s->c, x, 0xd8);
		if (d->element == BYTE)
			eu_vector(s->c, EU_V_PACK_BYTES, x, x, x);
		eu_vector_store_low(s->c, x, d->element == BYTE, EU_RDX, EU_RAX, at);
	}
}
