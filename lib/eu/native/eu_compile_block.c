// SPDX-License-Identifier: MIT
/* Messages without lanes: dwords for one channel, and blocks of whole registers. */
#include "eu/native/eu_compile_message.h"
#include "eu/ops/eu_effect.h"

/* Whether the memory of a message has a place in worker->surfaces, or is local. */
static bool has_window(const struct eu_access *access)
{
	return access->address == 4 && access->offset == 0 &&
	       (access->space == EU_SPACE_SLM ||
		       (access->space == EU_SPACE_SURFACE && access->index <= EU_BTI_LAST));
}

/* Whether a message loads dwords for one channel. */
static bool is_single(const struct eu_uop *u, const struct eu_send *send)
{
	const struct eu_access *access = &send->access;
	return u->code == EU_UOP_send_plain && u->target == 1 && access->first == u->shift &&
	       access->kind == EU_ACCESS_SCATTER && !access->writes && access->size == 4 &&
	       access->slot == 4 && access->shift == 0 && access->count <= 4 &&
	       !access->has_header && send->writes && has_window(access);
}

/* Such a message: the same for all channels, mostly. */
static bool load_single(struct eu_translator *s, const struct eu_uop *u, enum eu_before before)
{
	const struct eu_send *send = &s->kernel->sends[u->imm];
	const struct eu_access *access = &send->access;
	const struct eu_uop at = { .c = (uint16_t)(access->index * sizeof(struct eu_surface)) };
	struct eu_detour *d = is_single(u, send) ? eu_compile_detour(s) : NULL;
	uint32_t to = send->dst;
	if (!d)
		return false;
	*d = (struct eu_detour){ .write = eu_compile_write_call,
		.u = u,
		.index = s->index,
		.store = true,
		.before = (uint8_t)before };
	eu_compile_sync(s, send->src0 + access->at, 4);
	for (unsigned part = 0; access->channels >> part; part++)
		eu_compile_drop(s, to + part * access->lanes * 4u, 4);
	memcpy(d->holders, s->holders, sizeof(d->holders));
	d->pending = s->pending;
	s->address = -1;
	eu_general_memory(s->c, EU_GP_LOAD, EU_RAX, EU_RDI, send->src0 + access->at);
	eu_compile_load_window(s, &at, access->space);
	d->from[0] = eu_compile_jump_beyond(s, &at, access->space, access->bytes);
	if (before)
		eu_compile_tally_line(s, u - 1, access->bytes, EU_RCX);
	eu_general(s->c, EU_GP_ADD | EU_GP_WIDE, EU_RAX, EU_RDX);
	for (unsigned part = 0; access->channels >> part; part++) {
		if (!(access->channels >> part & 1))
			continue;
		eu_general_memory(s->c, EU_GP_LOAD, EU_RSI, EU_RAX, 4 * part);
		eu_general_memory(s->c, EU_GP_STORE, EU_RSI, EU_RDI, to);
		to += access->lanes * 4u;
	}
	d->back = s->c->size;
	return true;
}

/* Where a message has the block that it stores, in one piece. */
static uint32_t find_data(const struct eu_send *send)
{
	const unsigned first = send->mlen * (unsigned)GEN_GRF_BYTES, data = send->access.data;
	return data < first ? send->src0 + data : send->src1 + data - first;
}

/* Whether a message moves a block of one, two, four or eight registers. */
static bool is_block(const struct eu_uop *u, const struct eu_send *send)
{
	const struct eu_access *access = &send->access;
	const uint32_t all = UINT32_MAX >> (32 - send->exec_size);
	const unsigned units = access->bytes / EU_UNIT, first = send->mlen * EU_UNIT;
	return access->kind == EU_ACCESS_BLOCK && (u->target & all) == all && access->skip == 0 &&
	       access->bytes % EU_UNIT == 0 && units > 0 && units <= 8 && !(units & (units - 1)) &&
	       has_window(access) &&
	       (access->writes ? access->data >= first || access->data + access->bytes <= first
			       : send->writes);
}

/* Jumps away unless all lanes that a message has are on. */
static uint32_t jump_unless_all(struct eu_translator *s, const struct eu_uop *u)
{
	eu_general_memory(s->c, EU_GP_LOAD, EU_RAX, EU_RDI, u->a);
	eu_put(s->c, 0xf7); /* not eax */
	eu_put(s->c, 0xd0 | EU_RAX);
	eu_put(s->c, 0xa9); /* test eax, the number */
	eu_put_32(s->c, u->target << u->shift);
	return eu_jump(s->c, EU_IF_NOT_ZERO);
}

/* Such a message. */
static bool move_block(struct eu_translator *s, const struct eu_uop *u, enum eu_before before)
{
	const struct eu_send *send = &s->kernel->sends[u->imm];
	const struct eu_access *access = &send->access;
	const struct eu_uop at = { .c = (uint16_t)(access->index * sizeof(struct eu_surface)) };
	struct eu_detour *d = is_block(u, send) ? eu_compile_detour(s) : NULL;
	const unsigned units = access->bytes / EU_UNIT;
	if (!d)
		return false;
	*d = (struct eu_detour){ .write = eu_compile_write_call,
		.u = u,
		.index = s->index,
		.lanes = units > 1 ? 16 : 8,
		.parts = (uint8_t)(units > 1 ? units / 2 : 1),
		.store = access->writes,
		.before = (uint8_t)before,
		.result = send->dst };
	eu_compile_sync(s, send->src0 + access->at, 4);
	if (eu_effect_is_masked(u))
		eu_compile_sync(s, u->a, sizeof(uint32_t));
	for (unsigned i = 0; i < units; i++)
		d->to[i] = access->writes ? eu_compile_lanes(s, find_data(send) + i * EU_UNIT)
					  : eu_compile_take(s);
	memcpy(d->holders, s->holders, sizeof(d->holders));
	d->pending = s->pending;
	s->address = -1;
	if (eu_effect_is_masked(u))
		d->from[1] = jump_unless_all(s, u);
	eu_general_memory(s->c, EU_GP_LOAD, EU_RAX, EU_RDI, send->src0 + access->at);
	eu_general_shift(s->c, EU_SHIFT_LEFT, EU_GP_WIDE, EU_RAX, access->shift);
	eu_compile_load_window(s, &at, access->space);
	d->from[0] = eu_compile_jump_beyond(s, &at, access->space, access->bytes);
	if (before)
		eu_compile_tally_line(s, u - 1, access->bytes, EU_RCX);
	for (unsigned i = 0; i < units; i++)
		eu_vector_indexed(s->c, access->writes ? EU_V_STORE : EU_V_LOAD, d->to[i], 0,
			EU_RDX, EU_RAX, i * EU_UNIT);
	d->back = s->c->size;
	for (unsigned i = 0; i < units && !access->writes; i++)
		eu_compile_bind(s, send->dst + i * EU_UNIT, d->to[i]);
	return true;
}

bool eu_compile_plain_message(
	struct eu_translator *s, const struct eu_uop *u, enum eu_before before)
{
	return load_single(s, u, before) || move_block(s, u, before);
}
