// SPDX-License-Identifier: MIT
#include "eu/code/eu_kernel.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "eu/watch/eu_check.h"
#include "eu/state/eu_float_mode.h"
#include "eu/engine/eu_flow.h"
#include "eu/code/eu_lower.h"
#include "eu/message/eu_message.h"
#include "eu/native/eu_stencil.h"
#include "eu/watch/eu_probe.h"

enum { DATA_PORT_FENCE = 7 }; /* desc[18:14] */

static bool grow(void **array, uint32_t *capacity, uint32_t needed, size_t size)
{
	if (needed <= *capacity)
		return true;
	uint32_t wanted = *capacity ? 2 * *capacity : 64;
	void *larger = realloc(*array, wanted * size);
	if (!larger)
		return false;
	*array = larger;
	*capacity = wanted;
	return true;
}

void eu_lower_emit(
	struct eu_lowering *l, const struct eu_uop *uop, eu_handler full, eu_handler partial)
{
	uint32_t capacity = l->capacity;
	if (!grow((void **)&l->full, &capacity, l->count + 1, sizeof *l->full) ||
		!grow((void **)&l->partial, &l->capacity, l->count + 1, sizeof *l->partial)) {
		l->no_memory = true;
		return;
	}
	l->full[l->count] = *uop;
	l->full[l->count].run = full;
	l->partial[l->count] = *uop;
	l->partial[l->count].run = partial;
	l->count++;
}

static void emit_id(struct eu_lowering *l, enum eu_uop_id id, struct eu_uop uop)
{
	eu_lower_emit(l, &uop, l->handlers->by_id[id], l->handlers->by_id[id]);
}

static bool is_fence(const struct gen_inst *inst)
{
	return inst->op == GEN_OP_send && inst->sfid == GEN_SFID_DC0 && !inst->desc_in_a0 &&
	       (inst->desc >> 14 & 0x1f) == DATA_PORT_FENCE;
}

/* Whether nothing but moves and fences comes between an instruction and the end of the thread. */
static bool comes_last(const struct gen_program *program, uint32_t index)
{
	while (++index < program->count) {
		const struct gen_inst *inst = &program->inst[index];
		if (inst->end_of_thread)
			return inst->sfid == GEN_SFID_THREAD_SPAWNER &&
			       inst->predicate == GEN_PRED_NONE && inst->no_mask;
		if (is_fence(inst))
			continue;
		if (inst->op != GEN_OP_mov && inst->op != GEN_OP_nop &&
			(inst->op != GEN_OP_sync || inst->function == GEN_SYNC_BAR))
			break;
	}
	return false;
}

/* Messages that come to no more than a register that they clear, or the end. */
static bool emit_trivial_send(
	struct eu_lowering *l, const struct gen_inst *inst, const struct eu_send *send)
{
	if (!send->run || inst->predicate != GEN_PRED_NONE || !inst->no_mask)
		return false;
	if (inst->end_of_thread && send->access.kind == EU_ACCESS_END) {
		emit_id(l, EU_UOP_END, (struct eu_uop){ .count = (uint16_t)l->block });
		l->block = 0;
		return true;
	}
	if (inst->end_of_thread || !eu_message_is_weak_fence(send))
		return false;
	emit_id(l, EU_UOP_ORDER,
		(struct eu_uop){ .d = send->writes ? send->dst : EU_OFFSET(temp) });
	return true;
}

/* Messages with handlers of their own for what they mostly are. */
static bool emit_plain_send(
	struct eu_lowering *l, const struct gen_inst *inst, const struct eu_send *send)
{
	struct eu_access_plain plain;
	if (!send->run || inst->predicate != GEN_PRED_NONE || inst->end_of_thread ||
		!eu_access_is_plain(send, &plain))
		return false;
	const eu_handler *pair = l->handlers->message[plain.local][plain.write][plain.channels];
	if (!pair[0])
		return false;
	struct eu_uop uop = { .d = send->dst,
		.a = send->src0,
		.b = plain.data,
		.c = plain.local ? 0 : (uint16_t)(send->access.index * sizeof(struct eu_surface)),
		.imm = send->site,
		.target = 0xffff,
		.shift = inst->channel_offset };
	eu_lower_emit(l, &uop, pair[0], inst->no_mask ? pair[0] : pair[1]);
	return true;
}

static void emit_send(
	struct eu_lowering *l, const struct gen_inst *inst, const struct eu_send *send)
{
	const eu_handler *by_id = l->handlers->by_id;
	struct eu_uop uop = { .imm = send->site };
	uint32_t all = inst->exec_size == 32 ? UINT32_MAX : (1u << inst->exec_size) - 1;
	if (emit_trivial_send(l, inst, send) || emit_plain_send(l, inst, send))
		return;
	if (send->run && inst->predicate == GEN_PRED_NONE && !inst->end_of_thread) {
		uop.target = all;
		uop.shift = inst->channel_offset;
		eu_lower_emit(l, &uop, by_id[EU_UOP_SEND_PLAIN],
			by_id[inst->no_mask ? EU_UOP_SEND_PLAIN : EU_UOP_SEND_PART]);
		return;
	}
	uop.shift = inst->flag;
	if (inst->predicate != GEN_PRED_NONE)
		uop.c = EU_PREDICATE(inst->predicate, inst->predicate_invert);
	uop.a = !inst->no_mask;
	if (inst->end_of_thread) {
		uop.count = (uint16_t)l->block;
		l->block = 0;
	}
	emit_id(l, EU_UOP_SEND, uop);
}

static void lower_send(struct eu_lowering *l, uint32_t index)
{
	struct eu_kernel *kernel = l->kernel;
	const struct gen_inst *inst = &kernel->program->inst[index];
	if (!grow((void **)&kernel->sends, &l->send_capacity, kernel->send_count + 1,
		    sizeof *kernel->sends)) {
		l->no_memory = true;
		return;
	}
	bool has_dst = inst->has_dst && inst->dst.file == GEN_FILE_GRF;
	struct eu_send *send = &kernel->sends[kernel->send_count];
	*send = (struct eu_send){
		.inst = index,
		.site = kernel->send_count,
		.desc = inst->desc,
		.exdesc = inst->exdesc,
		.dst = (uint16_t)(has_dst ? inst->dst.reg * GEN_GRF_BYTES : 0),
		.src0 = (uint16_t)(inst->src[0].reg * GEN_GRF_BYTES),
		.src1 = (uint16_t)(inst->src[1].reg * GEN_GRF_BYTES),
		.sfid = inst->sfid,
		.mlen = inst->mlen,
		.xlen = inst->xlen,
		.rlen = inst->rlen,
		.exec_size = inst->exec_size,
		.channel_offset = inst->channel_offset,
		.writes = has_dst && (inst->rlen > 0 || inst->desc_in_a0),
		.last = comes_last(kernel->program, index),
	};
	if (!eu_flow_send_fits(send)) {
		emit_id(l, EU_UOP_FAULT, (struct eu_uop){ .imm = index });
		return;
	}
	struct gen_fault unbound = { .kind = GEN_FAULT_NONE };
	if (!inst->desc_in_a0 && !inst->exdesc_in_a0 &&
		eu_message_bind(kernel->device, send, &unbound) != 0)
		send->run = NULL; /* reported when it is reached, by binding it again */
	emit_send(l, inst, send);
	kernel->send_count++;
}

static void lower_general(struct eu_lowering *l, uint32_t index)
{
	struct eu_kernel *kernel = l->kernel;
	if (!grow((void **)&kernel->generals, &l->general_capacity, kernel->general_count + 1,
		    sizeof *kernel->generals)) {
		l->no_memory = true;
		return;
	}
	struct eu_general *general = &kernel->generals[kernel->general_count];
	if (!eu_general_init(general, kernel->device, &kernel->program->inst[index])) {
		emit_id(l, EU_UOP_FAULT, (struct eu_uop){ .imm = index });
		return;
	}
	if (eu_lower_alu(l, &kernel->program->inst[index]))
		return;
	emit_id(l, EU_UOP_GENERAL, (struct eu_uop){ .imm = kernel->general_count++ });
}

/* IGC's work-around for a hazard: writes registers with themselves. */
static bool is_dummy(const struct gen_inst *inst)
{
	const struct gen_operand *d = &inst->dst, *s = &inst->src[0];
	return inst->op == GEN_OP_csel && d->file == GEN_FILE_GRF && d->hstride == 1 &&
	       s->file == GEN_FILE_GRF && d->reg == s->reg && d->sub == s->sub &&
	       d->type == s->type && !memcmp(s, &inst->src[1], sizeof *s) && !s->neg && !s->abs &&
	       s->addressing == GEN_DIRECT && s->width == s->vstride && s->hstride == 1;
}

/*
 * A write to tm0.4 asks for a pause before the next instruction: a hint to who waits in a loop.
 * Here such a thread has no other's time to save, since they take turns.
 */
static bool is_pause(const struct gen_inst *inst)
{
	return inst->op == GEN_OP_mov && inst->dst.file == GEN_FILE_TM &&
	       inst->dst.addressing == GEN_DIRECT &&
	       inst->dst.sub * gen_type_size(inst->dst.type) == 16 && inst->exec_size == 1 &&
	       inst->cond == GEN_COND_NONE;
}

static bool lower_far_call(struct eu_lowering *l, uint32_t index)
{
	struct eu_uop uop;
	eu_handler call = eu_flow_far_call(&l->kernel->program->inst[index], index, &uop);
	if (!call)
		return false;
	uop.count = (uint16_t)l->block;
	l->block = 0;
	eu_lower_emit(l, &uop, call, call);
	return true;
}

static void lower_inst(struct eu_lowering *l, uint32_t index)
{
	const struct gen_inst *inst = &l->kernel->program->inst[index];
	l->block++;
	if (l->watched)
		eu_lower_emit(l, &(struct eu_uop){ .imm = index }, eu_watch_step, eu_watch_step);
	switch (inst->op) {
	case GEN_OP_nop:
		return;
	case GEN_OP_sync:
		if (inst->function == GEN_SYNC_BAR)
			emit_id(l, EU_UOP_BARRIER, (struct eu_uop){ .imm = index });
		else if (inst->function == GEN_SYNC_HOST)
			emit_id(l, EU_UOP_FAULT, (struct eu_uop){ .imm = index });
		return;
	case GEN_OP_send:
	case GEN_OP_sendc:
	case GEN_OP_sends:
	case GEN_OP_sendsc:
		lower_send(l, index);
		return;
	}
	if (lower_far_call(l, index) || eu_lower_flow(l, index) || is_dummy(inst) ||
		is_pause(inst) || eu_lower_multiply(l, index))
		return;
	if (l->product[index] != 0) /* one after the other, then */
		lower_general(l, l->product[index] - 1);
	lower_general(l, index);
}

static void survey_cr(struct eu_lowering *l, const struct gen_inst *inst)
{
	const struct gen_operand *last = &inst->src[inst->source_count - 1];
	uint32_t bits = last->file == GEN_FILE_IMM ? (uint32_t)last->imm : UINT32_MAX;
	uint32_t keep = EU_CR0_KEEP_DENORMALS_F | EU_CR0_KEEP_DENORMALS_HF;
	l->rounds_int |= (bits & EU_CR0_ROUND_INT) != 0;
	if (inst->op != GEN_OP_or && (inst->op != GEN_OP_xor || (bits & keep)))
		l->plain_denormals = false;
}

/* Finds out what the whole program does that single instructions must know of. */
static void survey(struct eu_lowering *l)
{
	const struct gen_program *program = l->kernel->program;
	l->plain_denormals = true;
	for (uint32_t i = 0; i < program->count; i++) {
		const struct gen_inst *inst = &program->inst[i];
		if (inst->op == GEN_OP_mach || inst->op == GEN_OP_macl || inst->op == GEN_OP_mac)
			l->has_mach = true;
		if (inst->dst.file == GEN_FILE_CR)
			survey_cr(l, inst);
	}
	uint32_t keep = EU_CR0_KEEP_DENORMALS_F | EU_CR0_KEEP_DENORMALS_HF;
	if ((l->kernel->entry_cr0 & keep) != keep)
		l->plain_denormals = false;
}

static bool sets_cr0(const struct gen_inst *inst)
{
	return inst->op == GEN_OP_or && inst->dst.file == GEN_FILE_CR && inst->dst.reg == 0 &&
	       inst->dst.sub == 0 && inst->dst.type == GEN_TYPE_UD && inst->no_mask &&
	       inst->predicate == GEN_PRED_NONE && inst->src[1].file == GEN_FILE_IMM;
}

/* The `or cr0` that kernels begin with, when no branch, message or float comes before it. */
static uint32_t entry_cr0(const struct gen_program *program)
{
	for (uint32_t i = 0; i < program->count; i++) {
		const struct gen_inst *inst = &program->inst[i];
		bool moves = inst->op == GEN_OP_mov && !gen_type_is_float(inst->dst.type) &&
			     !gen_type_is_float(inst->src[0].type);
		if (sets_cr0(inst))
			return (uint32_t)inst->src[1].imm;
		if (!moves && inst->op != GEN_OP_sync && inst->op != GEN_OP_nop)
			break;
	}
	return 0;
}

static void lower_program(struct eu_lowering *l)
{
	struct eu_kernel *kernel = l->kernel;
	for (uint32_t i = 0; i < kernel->program->count && !l->no_memory; i++) {
		kernel->inst_uop[i] = l->count;
		if (l->label[i] != EU_NO_LABEL) {
			kernel->label_uop[l->label[i]] = l->count + 1;
			emit_id(l, EU_UOP_LABEL,
				(struct eu_uop){ .label = (uint16_t)l->label[i],
					.target = l->count + 1,
					.count = (uint16_t)l->block });
			l->block = 0;
		} else if (l->loop_top[i]) {
			emit_id(l, EU_UOP_COUNT, (struct eu_uop){ .count = (uint16_t)l->block });
			l->block = 0;
		}
		lower_inst(l, i);
	}
	/* Running off the end is a fault of the last instruction. */
	emit_id(l, EU_UOP_FAULT, (struct eu_uop){ .imm = kernel->program->count - 1 });
}

/*
 * A micro-operation without a handler would be a mistake of lowering: a thread that comes there
 * stops with a report instead of jumping to nowhere.
 */
static void guard_handlers(struct eu_lowering *l)
{
	eu_handler fault = l->handlers->by_id[EU_UOP_FAULT];
	uint32_t inst = 0;
	for (uint32_t i = 0; i < l->count; i++) {
		while (inst + 1 < l->kernel->program->count && l->kernel->inst_uop[inst + 1] <= i)
			inst++;
		if (!l->full[i].run)
			l->full[i] = (struct eu_uop){ .run = fault, .imm = inst };
		if (!l->partial[i].run)
			l->partial[i] = (struct eu_uop){ .run = fault, .imm = inst };
	}
}

/* Channels that any masked instruction names: with all of these on, no mask is needed. */
static uint32_t masked_channels(const struct gen_program *program)
{
	uint32_t lanes = 0;
	for (uint32_t i = 0; i < program->count; i++) {
		const struct gen_inst *inst = &program->inst[i];
		uint32_t all = inst->exec_size == 32 ? UINT32_MAX : (1u << inst->exec_size) - 1;
		if (!inst->no_mask && inst->op != GEN_OP_sync && inst->op != GEN_OP_nop)
			lanes |= all << inst->channel_offset;
	}
	/* A thread without any has one that jumps, or nobody would be where it jumps to. */
	return lanes ? lanes : 1;
}

static bool join_streams(struct eu_lowering *l)
{
	struct eu_kernel *kernel = l->kernel;
	kernel->uops = malloc(2 * (size_t)l->count * sizeof *kernel->uops);
	if (l->no_memory || !kernel->uops)
		return false;
	kernel->uop_count = l->count;
	memcpy(kernel->uops, l->full, l->count * sizeof *kernel->uops);
	memcpy(kernel->uops + l->count, l->partial, l->count * sizeof *kernel->uops);
	return true;
}

static int lower(struct eu_lowering *l, struct gen_fault *fault)
{
	struct eu_kernel *kernel = l->kernel;
	uint32_t count = kernel->program->count;
	l->label = malloc((count + 1) * sizeof *l->label);
	l->loop_top = calloc(count + 1, sizeof *l->loop_top);
	l->product = calloc(count + 1, sizeof *l->product);
	kernel->inst_uop = calloc(count + 1, sizeof *kernel->inst_uop);
	kernel->pool = calloc(EU_POOL_DWORDS, sizeof *kernel->pool);
	if (!l->label || !l->loop_top || !l->product || !kernel->inst_uop || !kernel->pool)
		goto no_memory;
	memset(l->label, 0xff, (count + 1) * sizeof *l->label);
	if (!eu_lower_labels(l, fault))
		return -1;
	kernel->label_uop = calloc(kernel->label_count + 1, sizeof *kernel->label_uop);
	if (!kernel->label_uop)
		goto no_memory;
	kernel->entry_cr0 = entry_cr0(kernel->program);
	survey(l);
	eu_lower_survey_acc(l);
	lower_program(l);
	if (l->no_memory)
		goto no_memory;
	eu_lower_resolve(l);
	guard_handlers(l);
	if (join_streams(l))
		return 0;
no_memory:
	gen_fault_add(fault, GEN_FAULT_NO_MEMORY, "no memory for the kernel's micro-operations");
	return -1;
}

struct eu_kernel *eu_kernel_create(
	const struct gen_device *device, const struct gen_program *program, struct gen_fault *fault)
{
	enum eu_host host = eu_host_select();
	struct eu_kernel *kernel =
		eu_kernel_create_with(device, program, eu_handlers_of(host), fault);
	if (kernel && !kernel->watch && !eu_check_on() && eu_stencil_wanted())
		eu_stencil_apply(kernel, host);
	return kernel;
}

struct eu_kernel *eu_kernel_create_with(const struct gen_device *device,
	const struct gen_program *program, const struct eu_handlers *handlers,
	struct gen_fault *fault)
{
	static atomic_uint_fast64_t serial;
	unsigned watched = eu_watch_wanted();
	struct eu_lowering l = { .handlers = handlers, .watched = watched != 0 };
	l.kernel = calloc(1, sizeof *l.kernel);
	if (!l.kernel) {
		gen_fault_add(fault, GEN_FAULT_NO_MEMORY, "no memory for a kernel");
		return NULL;
	}
	l.kernel->device = device;
	l.kernel->program = program;
	l.kernel->serial = atomic_fetch_add(&serial, 1) + 1;
	l.kernel->lanes = masked_channels(program);
	int failed = program->count == 0 ? -1 : lower(&l, fault);
	free(l.full);
	free(l.partial);
	free(l.label);
	free(l.loop_top);
	free(l.product);
	if (failed == 0 && watched)
		l.kernel->watch = eu_watch_create(l.kernel, watched);
	if (failed == 0)
		return l.kernel;
	if (program->count == 0)
		gen_fault_add(fault, GEN_FAULT_BAD_STATE, "a kernel without instructions");
	eu_kernel_destroy(l.kernel);
	return NULL;
}

void eu_kernel_destroy(struct eu_kernel *kernel)
{
	if (!kernel)
		return;
	eu_watch_destroy(kernel->watch);
	eu_stencil_finish(kernel);
	free(kernel->uops);
	free(kernel->inst_uop);
	free(kernel->label_uop);
	free(kernel->pool);
	free(kernel->sends);
	free(kernel->generals);
	free(kernel);
}
