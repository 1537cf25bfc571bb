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

/* Where element `i` of a direct operand is in the register file, in bytes. */
static unsigned element_at(const struct gen_operand *o, unsigned i, bool is_destination)
{
	const unsigned apart = is_destination ? i * o->hstride : gen_operand_element(o, i);

	return gen_operand_start(o) + apart * gen_type_size((enum gen_type)o->type);
}

/* The bytes of a register that the elements of an operand consist of. */
static uint32_t elements_of(
	unsigned reg, const struct gen_operand *o, unsigned count, bool is_destination)
{
	const unsigned bytes =
		is_destination ? gen_destination_bytes(o, count) : gen_operand_bytes(o, count);
	uint32_t all = bytes_of(reg, gen_operand_start(o), bytes), found = 0;

	for (unsigned i = 0; all && i < count; i++)
		found |= bytes_of(reg, element_at(o, i, is_destination),
			gen_type_size((enum gen_type)o->type));
	return found;
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

/*
 * What a message reads of its first source: whole registers, or the addresses of its lanes alone,
 * which may be in the middle of a header. Returns how many bytes, *from on.
 */
static unsigned first_bytes(const struct eu_kernel *kernel, uint32_t at, unsigned *from)
{
	const struct gen_inst *inst = &kernel->program->inst[at];
	const struct eu_send *send = find_send(kernel, at);
	const struct eu_access *access = send ? &send->access : NULL;
	const unsigned bytes = inst->mlen * GEN_GRF_BYTES;
	const bool is_block = access && access->kind == EU_ACCESS_BLOCK;
	const bool has_lanes =
		access && (access->kind == EU_ACCESS_SCATTER || access->kind == EU_ACCESS_ATOMIC);

	*from = 0;
	if (!send || !send->run || !(is_block || (has_lanes && !access->has_header)) ||
		access->address == 0 || access->first != 0 || access->space == EU_SPACE_STATELESS ||
		((access->writes || access->operands) && access->data < bytes))
		return bytes;
	uint32_t lanes = is_block ? 1 : gen_inst_channels(inst) >> send->channel_offset;
	*from = access->at;
	return (32 - (unsigned)__builtin_clz(lanes | 1)) * access->address;
}

static uint32_t read_of(const struct eu_kernel *kernel, uint32_t at, unsigned reg)
{
	const struct gen_inst *inst = &kernel->program->inst[at];
	bool is_send = gen_ops[inst->op].class == GEN_CLASS_SEND;
	uint32_t read = 0;

	if (gen_inst_calls(inst) || inst->op == GEN_OP_ret || gen_op_is_dpas(inst->op) ||
		(is_send && (inst->desc_in_a0 || inst->xlen_in_a0)))
		return UINT32_MAX;
	unsigned from[] = { 0, 0 };
	const unsigned bytes[] = { is_send ? first_bytes(kernel, at, from) : 0,
		inst->xlen * GEN_GRF_BYTES };
	for (unsigned i = 0; i < inst->source_count; i++) {
		const struct gen_operand *o = &inst->src[i];
		if (o->file != GEN_FILE_GRF)
			continue;
		if (o->addressing != GEN_DIRECT)
			return UINT32_MAX;
		read |= is_send ? bytes_of(reg, o->reg * GEN_GRF_BYTES + (i < 2 ? from[i] : 0),
					  i < 2 ? bytes[i] : 0)
				: elements_of(reg, o, inst->exec_size, false);
	}
	return read;
}

enum { MOST_COPIES = 3 };

/* What is looked for: uses of an element of a load, but for stores that pass it on. */
struct search {
	const struct eu_kernel *kernel;
	const struct gen_program *program;
	const struct eu_send *load;
	uint32_t at;	 /* the load, or a copy of what it left … */
	unsigned copies; /* … which is so many copies behind it */
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
	return elements_of(reg, d, inst->exec_size, true);
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

static bool is_used(const struct search *s, unsigned reg, unsigned byte, unsigned count);

/* Whether the instruction copies what it reads of a register to where nobody looks at it. */
static bool is_idle_copy(const struct search *s, uint32_t at, unsigned reg, uint32_t read)
{
	const struct gen_inst *inst = &s->program->inst[at];
	const struct gen_operand *from = &inst->src[0], *to = &inst->dst;
	const unsigned size = gen_type_size((enum gen_type)to->type);
	struct search copy = *s;

	if (s->copies == MOST_COPIES || inst->op != GEN_OP_mov || inst->saturate ||
		inst->cond != GEN_COND_NONE || inst->predicate != GEN_PRED_NONE || from->abs ||
		from->neg || from->type != to->type || to->file != GEN_FILE_GRF ||
		to->addressing != GEN_DIRECT)
		return false;
	copy.at = at;
	copy.copies++;
	for (unsigned i = 0; i < inst->exec_size; i++) {
		unsigned place = element_at(to, i, true);
		if ((bytes_of(reg, element_at(from, i, false), size) & read) &&
			is_used(&copy, place / GEN_GRF_BYTES, place % GEN_GRF_BYTES, size))
			return false;
	}
	return true;
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
		if (read && (read & ~passed_of(s, i, reg)) && !is_idle_copy(s, i, reg, read))
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
	const uint32_t load = s->at;
	const uint32_t bytes = UINT32_MAX >> (32 - count) << byte;
	uint32_t behind = bytes, before = bytes;

	if (!is_read(s, load + 1, program->count, reg, &behind) &&
		!is_read(s, find_loop(program, load), load, reg, &before))
		return false;
	return count == 1 || is_used(s, reg, byte, count / 2) ||
	       is_used(s, reg, byte + count / 2, count / 2);
}

/* Whether the search finds a use of bytes from `first` on: in one register, or whole registers. */
static bool is_used_at(const struct search *s, unsigned first, unsigned bytes)
{
	const unsigned part = bytes < GEN_GRF_BYTES ? bytes : GEN_GRF_BYTES, end = first + bytes;
	bool used = false;

	for (unsigned at = first; at < end && !used; at += part)
		used = is_used(s, at / GEN_GRF_BYTES, at % GEN_GRF_BYTES, part);
	return used;
}

/* Whether it is a load of that kind whose result the kernel gets. */
static bool is_load(const struct eu_send *send, enum eu_access_kind kind)
{
	return send->run && send->access.kind == kind && !send->access.writes && send->writes;
}

/* Elements of a load of which the search finds no use. */
static uint8_t find_unused(const struct eu_kernel *kernel, const struct eu_send *send, bool passes)
{
	struct search s = { kernel, kernel->program, send, send->inst, 0, 0, passes };
	const struct eu_access *access = &send->access;
	unsigned bytes = access->lanes * access->slot, at = send->dst;
	uint8_t unused = 0;

	if (!is_load(send, EU_ACCESS_SCATTER) || !(access->channels & (access->channels - 1)))
		return 0;
	for (unsigned j = 0; access->channels >> j != 0; j++) {
		if (!(access->channels >> j & 1))
			continue;
		unused |= (uint8_t)(!is_used_at(&s, at, bytes) << j);
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

/* Those of the lanes that the search finds no use of. */
static uint32_t find_unused_lanes(const struct search *s, uint32_t lanes)
{
	const struct eu_access *access = &s->load->access;
	const unsigned elements = (unsigned)__builtin_popcount(access->channels);
	uint32_t unused = 0;

	for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);
		bool used = false;
		for (unsigned j = 0; j < elements && !used; j++)
			used = is_used_at(s,
				s->load->dst + (j * access->lanes + lane) * access->slot,
				access->slot);
		unused |= (uint32_t)!used << lane;
	}
	return unused;
}

uint32_t eu_unread_lanes(const struct eu_kernel *kernel, const struct eu_send *send)
{
	struct search s = { kernel, kernel->program, send, send->inst, 0, 0, false };
	const struct eu_access *access = &send->access;
	const struct gen_inst *inst = &kernel->program->inst[send->inst];

	if (!is_load(send, EU_ACCESS_SCATTER) || !inst->no_mask)
		return 0;
	uint32_t lanes = gen_inst_channels(inst) >> send->channel_offset &
			 UINT32_MAX >> (32 - access->lanes);
	uint32_t unread = find_unused_lanes(&s, lanes);
	s.copies = MOST_COPIES;
	/* What not even a copy looks at, the program has loaded, for nothing. */
	return unread == lanes && find_unused_lanes(&s, lanes) == lanes ? 0 : unread;
}

unsigned eu_unread_tail(const struct eu_kernel *kernel, const struct eu_send *send)
{
	enum { STEP = 4 };
	const struct search s = { kernel, kernel->program, send, send->inst, 0, 0, false };
	const struct eu_access *access = &send->access;
	unsigned first = send->dst + access->skip, end = access->bytes;

	if (!is_load(send, EU_ACCESS_BLOCK))
		return 0;
	while (end >= STEP && !is_used_at(&s, first + end - STEP, STEP))
		end -= STEP;
	return end ? access->bytes - end : 0;
}
