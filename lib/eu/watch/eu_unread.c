// SPDX-License-Identifier: MIT
#include "eu/watch/eu_unread.h"

#include <stdlib.h>

/* The bytes of register `reg` among `bytes` from `first` on, a bit for each. */
static uint32_t bytes_of(unsigned reg, unsigned first, unsigned bytes)
{
	unsigned start = reg * GEN_GRF_BYTES, end = first + bytes;
	unsigned from = first > start ? first - start : 0, to = end > start ? end - start : 0;

	to = to < GEN_GRF_BYTES ? to : GEN_GRF_BYTES;
	return from < to ? UINT32_MAX >> (32 - (to - from)) << from : 0;
}

static int compare_places(const void *at, const void *send)
{
	const uint32_t inst = *(const uint32_t *)at, other = ((const struct eu_send *)send)->inst;

	return (inst > other) - (inst < other);
}

/* The message that the instruction is; NULL: it is none. */
static const struct eu_send *find_send(const struct eu_kernel *kernel, uint32_t at)
{
	return kernel->send_count == 0 ? NULL
				       : bsearch(&at, kernel->sends, kernel->send_count,
						 sizeof *kernel->sends, compare_places);
}

/* What a message reads of its first source: whole registers, or the addresses of its lanes alone.
 */
static unsigned first_bytes(const struct eu_kernel *kernel, uint32_t at)
{
	const struct gen_inst *inst = &kernel->program->inst[at];
	const struct eu_send *send = find_send(kernel, at);
	const struct eu_access *access = send ? &send->access : NULL;
	const unsigned bytes = inst->mlen * GEN_GRF_BYTES;

	if (!send || !send->run || access->address == 0 || access->has_header || access->at != 0 ||
		access->first != 0 ||
		((access->writes || access->operands) && access->data < bytes))
		return bytes;
	uint32_t lanes = gen_inst_channels(inst) >> send->channel_offset;
	unsigned addresses = (32 - (unsigned)__builtin_clz(lanes | 1)) * access->address;
	return addresses < bytes ? addresses : bytes;
}

static uint32_t read_of(const struct eu_kernel *kernel, uint32_t at, unsigned reg)
{
	const struct gen_inst *inst = &kernel->program->inst[at];
	bool is_send = gen_ops[inst->op].class == GEN_CLASS_SEND;
	uint32_t read = 0;

	if ((gen_ops[inst->op].flags & GEN_DOES_CALLS) || inst->op == GEN_OP_ret ||
		gen_op_is_dpas(inst->op) || (is_send && (inst->desc_in_a0 || inst->xlen_in_a0)))
		return UINT32_MAX;
	const unsigned bytes[] = { is_send ? first_bytes(kernel, at) : 0,
		inst->xlen * GEN_GRF_BYTES };
	for (unsigned i = 0; i < inst->source_count; i++) {
		const struct gen_operand *o = &inst->src[i];
		if (o->file != GEN_FILE_GRF)
			continue;
		if (o->addressing != GEN_DIRECT)
			return UINT32_MAX;
		read |= is_send ? bytes_of(reg, o->reg * GEN_GRF_BYTES, i < 2 ? bytes[i] : 0)
				: bytes_of(reg, gen_operand_start(o),
					  gen_operand_bytes(o, inst->exec_size));
	}
	return read;
}

/* What is looked for: uses of an element of a load, but for stores that pass it on. */
struct search {
	const struct eu_kernel *kernel;
	const struct gen_program *program;
	const struct eu_send *load;
	unsigned element;
	bool passes; /* stores that take it as the same element do not count */
};

/* The bytes of register `reg` that a store of as many elements takes as the same element. */
static uint32_t passed_of(const struct search *s, uint32_t at, unsigned reg)
{
	const struct eu_send *store = s->passes ? find_send(s->kernel, at) : NULL;
	const struct eu_access *load = &s->load->access;

	if (!store || !store->run || store->access.kind != EU_ACCESS_SCATTER ||
		!store->access.writes || store->access.channels != load->channels ||
		store->access.slot != load->slot || store->access.lanes != load->lanes)
		return 0;
	const unsigned bytes = load->lanes * load->slot, cut = store->mlen * GEN_GRF_BYTES;
	const unsigned first = store->access.data + s->element * bytes;

	return bytes_of(reg, first < cut ? store->src0 + first : store->src1 + first - cut, bytes);
}

/* What is written for all channels that are on, each element as a whole. */
static uint32_t written_of(const struct gen_inst *inst, unsigned reg)
{
	const struct gen_operand *d = &inst->dst;

	if (!inst->has_dst || d->file != GEN_FILE_GRF || d->addressing != GEN_DIRECT ||
		(inst->predicate != GEN_PRED_NONE && inst->op != GEN_OP_sel))
		return 0;
	if (gen_ops[inst->op].class == GEN_CLASS_SEND)
		return bytes_of(reg, d->reg * GEN_GRF_BYTES, inst->rlen * GEN_GRF_BYTES);
	if (d->hstride != 1)
		return 0;
	return bytes_of(reg, gen_operand_start(d), gen_destination_bytes(d, inst->exec_size));
}

/* The next instruction behind `at` where channels may come by another way; `count`: there is none.
 */
static uint32_t find_join(const struct gen_program *program, uint32_t from, uint32_t at)
{
	uint32_t join = program->count;

	for (uint32_t i = from; i < at; i++) {
		const int32_t targets[] = { program->inst[i].jip, program->inst[i].uip };
		for (unsigned k = 0; k < 2; k++)
			if (targets[k] > (int64_t)at && (uint32_t)targets[k] < join)
				join = (uint32_t)targets[k];
	}
	return join;
}

/*
 * Whether bytes *left of a register may be read from one instruction to another, in the order of
 * the code, with what was in them before. Takes out of *left what is written for whoever may come
 * later; what is written in a branch is, until another way joins.
 */
static bool is_read(
	const struct search *s, uint32_t from, uint32_t end, unsigned reg, uint32_t *left)
{
	const struct gen_program *program = s->program;
	uint32_t again = from;

	for (uint32_t i = from; i < end && *left; i++) {
		const struct gen_inst *inst = &program->inst[i];
		uint32_t written = written_of(inst, reg) & *left;
		uint32_t read = i >= again ? read_of(s->kernel, i, reg) & *left : 0;
		if (read && (read & ~passed_of(s, i, reg)))
			return true;
		if (!written && !inst->end_of_thread)
			continue;
		uint32_t join = find_join(program, from, i);
		if (join == program->count)
			*left &= inst->end_of_thread ? 0 : ~written;
		else if (written == *left || inst->end_of_thread)
			again = join > again ? join : again;
	}
	return false;
}

/* Where the loops begin that `load` is in, or `load`. */
static uint32_t find_loop(const struct gen_program *program, uint32_t load)
{
	uint32_t first = load;

	for (uint32_t i = load; i < program->count; i++) {
		const int32_t targets[] = { program->inst[i].jip, program->inst[i].uip };
		for (unsigned k = 0; k < 2; k++)
			if (targets[k] >= 0 && (uint32_t)targets[k] < first)
				first = (uint32_t)targets[k];
	}
	return first;
}

/*
 * Whether bytes that the load leaves in a register may be read, behind it or around loops; of
 * `count` bytes from `byte` on, a power of two. Parts are looked at apart: others may be written in
 * branches that write this one.
 */
static bool is_used(const struct search *s, unsigned reg, unsigned byte, unsigned count)
{
	const struct gen_program *program = s->program;
	const uint32_t load = s->load->inst;
	const uint32_t bytes = UINT32_MAX >> (32 - count) << byte;
	uint32_t behind = bytes, before = bytes;

	if (!is_read(s, load + 1, program->count, reg, &behind) &&
		!is_read(s, find_loop(program, load), load, reg, &before))
		return false;
	return count == 1 || is_used(s, reg, byte, count / 2) ||
	       is_used(s, reg, byte + count / 2, count / 2);
}

/* Elements of a load of which the search finds no use. */
static uint8_t find_unused(const struct eu_kernel *kernel, const struct eu_send *send, bool passes)
{
	struct search s = { kernel, kernel->program, send, 0, passes };
	const struct eu_access *access = &send->access;
	unsigned bytes = access->lanes * access->slot, at = send->dst;
	uint8_t unused = 0;

	if (!send->run || access->kind != EU_ACCESS_SCATTER || access->writes || !send->writes ||
		!(access->channels & (access->channels - 1)))
		return 0;
	for (unsigned j = 0; access->channels >> j != 0; j++) {
		if (!(access->channels >> j & 1))
			continue;
		bool used = false;
		for (unsigned reg = at / GEN_GRF_BYTES; reg * GEN_GRF_BYTES < at + bytes; reg++)
			used = used || is_used(&s, reg, 0, GEN_GRF_BYTES);
		unused |= (uint8_t)(!used << j);
		s.element++;
		at += bytes;
	}
	return unused;
}

uint8_t eu_unread_elements(const struct eu_kernel *kernel, const struct eu_send *send)
{
	const uint8_t unread = find_unused(kernel, send, false);

	return unread == send->access.channels ? 0 : unread;
}

uint8_t eu_unread_passed(const struct eu_kernel *kernel, const struct eu_send *send)
{
	return find_unused(kernel, send, true);
}

/* Whether the search finds a use of bytes that the load leaves. */
static bool is_used_at(const struct search *s, unsigned first, unsigned bytes)
{
	return is_used(s, first / GEN_GRF_BYTES, first % GEN_GRF_BYTES, bytes);
}

uint32_t eu_unread_lanes(const struct eu_kernel *kernel, const struct eu_send *send)
{
	const struct search s = { kernel, kernel->program, send, 0, false };
	const struct eu_access *access = &send->access;
	const struct gen_inst *inst = &kernel->program->inst[send->inst];
	const unsigned elements = (unsigned)__builtin_popcount(access->channels);
	uint32_t lanes = gen_inst_channels(inst) >> send->channel_offset, unread = 0;

	if (!send->run || access->kind != EU_ACCESS_SCATTER || access->writes || !send->writes ||
		!inst->no_mask)
		return 0;
	lanes &= UINT32_MAX >> (32 - access->lanes);
	for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);
		bool used = false;
		for (unsigned j = 0; j < elements && !used; j++)
			used = is_used_at(&s, send->dst + (j * access->lanes + lane) * access->slot,
				access->slot);
		unread |= (uint32_t)!used << lane;
	}
	return unread == lanes ? 0 : unread;
}

unsigned eu_unread_tail(const struct eu_kernel *kernel, const struct eu_send *send)
{
	enum { STEP = 4 };
	const struct search s = { kernel, kernel->program, send, 0, false };
	const struct eu_access *access = &send->access;
	unsigned first = send->dst + access->skip, end = access->bytes;

	if (!send->run || access->kind != EU_ACCESS_BLOCK || access->writes || !send->writes)
		return 0;
	while (end >= STEP && !is_used_at(&s, first + end - STEP, STEP))
		end -= STEP;
	return end ? access->bytes - end : 0;
}
