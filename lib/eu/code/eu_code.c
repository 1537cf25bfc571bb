// SPDX-License-Identifier: MIT
#include "eu/code/eu_code.h"

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "eu/state/eu_float_mode.h"
#include "eu/code/eu_lower.h"
#include "eu/native/eu_stencil.h"

static void lower_sync(struct eu_lowering *l, uint32_t index)
{
	unsigned function = l->kernel->program->inst[index].function;
	if (function == GEN_SYNC_BAR)
		eu_lower_emit_plain(l, EU_UOP_barrier, (struct eu_uop){ .imm = index });
	else if (function == GEN_SYNC_HOST)
		eu_lower_emit_plain(l, EU_UOP_fault, (struct eu_uop){ .imm = index });
}

static void lower_inst(struct eu_lowering *l, uint32_t index)
{
	const struct gen_inst *inst = &l->kernel->program->inst[index];
	l->index = index;
	if (++l->block == UINT16_MAX)
		eu_lower_emit_counting(l, EU_UOP_count, (struct eu_uop){ 0 });
	bool counted = l->counts && eu_lower_tally(l, index);
	if (l->probed || (!counted && l->wants_probe && l->wants_probe(inst, l->probes)))
		eu_lower_emit_plain(l, EU_UOP_probe, (struct eu_uop){ .imm = index });
	switch (gen_ops[inst->op].class) {
	case GEN_CLASS_NOP:
		break;
	case GEN_CLASS_SYNC:
		lower_sync(l, index);
		break;
	case GEN_CLASS_SEND:
		eu_lower_send(l, index);
		break;
	case GEN_CLASS_BRANCH:
		eu_lower_branch(l, index);
		break;
	default:
		eu_lower_arithmetic(l, index);
	}
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
		/* Such threads are in different places: without a prologue. */
		if (inst->op == GEN_OP_dpasw)
			l->layout.known = false;
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

/* Whether it does the same whatever cr0 says: integers, and messages that only read. */
static bool is_modeless(const struct eu_lowering *l, uint32_t index)
{
	const struct gen_inst *inst = &l->kernel->program->inst[index];
	struct eu_send send;
	switch (gen_ops[inst->op].class) {
	case GEN_CLASS_NOP:
		return true;
	case GEN_CLASS_SYNC:
		return true;
	case GEN_CLASS_SEND:
		return eu_lower_decode(l, index, &send) && send.access.reads && !send.access.writes;
	case GEN_CLASS_ALU:
		break;
	default:
		return false;
	}
	for (unsigned s = 0; s < inst->source_count; s++)
		if (gen_type_is_float(inst->src[s].type) || inst->src[s].file == GEN_FILE_CR)
			return false;
	return inst->dst.file != GEN_FILE_CR && !gen_type_is_float(inst->dst.type);
}

/* The `or cr0` that kernels begin with, behind nothing but loads of their arguments. */
static void find_entry_cr0(struct eu_lowering *l)
{
	const struct gen_program *program = l->kernel->program;
	for (uint32_t i = 0; i < program->count; i++) {
		const struct gen_inst *inst = &program->inst[i];
		if (sets_cr0(inst)) {
			l->kernel->entry_cr0 = (uint32_t)inst->src[1].imm;
			l->entry_inst = i;
			return;
		}
		if (!is_modeless(l, i))
			break;
	}
	l->entry_inst = EU_NO_LABEL;
}

static void lower_program(struct eu_lowering *l)
{
	struct eu_kernel *kernel = l->kernel;
	if (l->layout.known)
		eu_lower_emit_plain(l, EU_UOP_keep, (struct eu_uop){ 0 });
	for (uint32_t i = 0; i < kernel->program->count && !l->no_memory; i++) {
		kernel->inst_uop[i] = l->count;
		if (l->label[i] != EU_NO_LABEL) {
			kernel->label_uop[l->label[i]] = l->count + 1;
			eu_lower_emit_counting(l, EU_UOP_label,
				(struct eu_uop){
					.label = (uint16_t)l->label[i], .target = l->count + 1 });
		} else if (l->loop_top[i]) {
			eu_lower_emit_counting(l, EU_UOP_count, (struct eu_uop){ 0 });
		}
		lower_inst(l, i);
	}
	/* Running off the end is a fault of the last instruction. */
	eu_lower_emit_plain(l, EU_UOP_fault, (struct eu_uop){ .imm = kernel->program->count - 1 });
}

/* Channels that any masked instruction names: with all of these on, no mask is needed. */
static uint32_t masked_channels(const struct gen_program *program)
{
	uint32_t lanes = 0;
	for (uint32_t i = 0; i < program->count; i++) {
		const struct gen_inst *inst = &program->inst[i];
		if (!inst->no_mask && inst->op != GEN_OP_sync && inst->op != GEN_OP_nop)
			lanes |= gen_inst_channels(inst);
	}
	/* A thread without any has one that jumps, or nobody would be where it jumps to. */
	return lanes ? lanes : 1;
}

/* Whether a micro-operation changes what is only set when a thread starts. */
static bool changes_state(const struct eu_kernel *kernel, const struct eu_uop *u)
{
	const struct eu_uop_info *info = eu_uop_info(u->code);
	struct eu_span d = eu_uop_span(u, 0);
	unsigned file = GEN_FILE_GRF;
	if (info->does & EU_DOES_GENERIC)
		file = kernel->generics[u->imm].inst.dst.file;
	return (info->writes & (EU_A0 | EU_CR)) || info->first == EU_UOP_call ||
	       info->first == EU_UOP_call_far ||
	       (file != GEN_FILE_GRF && file != GEN_FILE_ACC && file != GEN_FILE_F &&
		       file != GEN_FILE_NULL) ||
	       (d.bytes > 0 && d.first + d.bytes > EU_OFFSET(a0_words) &&
		       d.first < EU_OFFSET(mme) &&
		       (d.first < EU_OFFSET(flag) || d.first + d.bytes > EU_OFFSET(sr)));
}

/* Puts the streams one behind the other and sets what executes each micro-operation. */
static bool join_streams(struct eu_lowering *l)
{
	struct eu_kernel *kernel = l->kernel;
	kernel->uops = malloc((2 * (size_t)l->count + 3) * sizeof(*kernel->uops));
	if (l->no_memory || !kernel->uops)
		return false;
	kernel->uop_count = l->count;
	memcpy(kernel->uops, l->full, l->count * sizeof(*kernel->uops));
	memcpy(kernel->uops + l->count, l->partial, l->count * sizeof(*kernel->uops));
	for (uint32_t i = 0; i < 2 * l->count; i++) {
		kernel->uops[i].run = l->handlers->by_code[kernel->uops[i].code];
		assert(kernel->uops[i].run);
		kernel->changes_state |= changes_state(kernel, &kernel->uops[i]);
	}
	kernel->changes_state |= l->probed; /* who stops threads may change all of it */
	return true;
}

static int lower(struct eu_lowering *l, struct gen_fault *fault)
{
	struct eu_kernel *kernel = l->kernel;
	uint32_t count = kernel->program->count;
	l->label = malloc((count + 1) * sizeof *l->label);
	l->loop_top = calloc(count + 1, sizeof *l->loop_top);
	l->pair = calloc(count + 1, sizeof(*l->pair));
	kernel->inst_uop = calloc(count + 1, sizeof *kernel->inst_uop);
	kernel->pool = calloc(EU_POOL_DWORDS, sizeof *kernel->pool);
	kernel->tally = l->counts ? calloc(count, sizeof *kernel->tally) : NULL;
	if (!l->label || !l->loop_top || !l->pair || !kernel->inst_uop || !kernel->pool ||
		(l->counts && !kernel->tally))
		goto no_memory;
	memset(l->label, 0xff, (count + 1) * sizeof *l->label);
	if (!eu_lower_labels(l, fault))
		return -1;
	kernel->label_uop = calloc(kernel->label_count + 1, sizeof *kernel->label_uop);
	if (!kernel->label_uop)
		goto no_memory;
	find_entry_cr0(l);
	survey(l);
	eu_lower_survey_acc(l);
	lower_program(l);
	if (l->no_memory)
		goto no_memory;
	eu_lower_resolve(l);
	if (l->layout.known)
		eu_lower_prologue(l);
	if (join_streams(l))
		return 0;
no_memory:
	gen_fault_add(fault, GEN_FAULT_NO_MEMORY, "no memory for the kernel's micro-operations");
	return -1;
}

struct eu_kernel *eu_kernel_create(
	const struct gen_device *device, const struct gen_program *program, struct gen_fault *fault)
{
	struct eu_options options = { .target = eu_target_select() };
	return eu_kernel_create_for(device, program, options, fault);
}

static void lowering_finish(struct eu_lowering *l)
{
	free(l->full);
	free(l->partial);
	free(l->label);
	free(l->loop_top);
	free(l->pair);
}

struct eu_kernel *eu_kernel_create_for(const struct gen_device *device,
	const struct gen_program *program, struct eu_options options, struct gen_fault *fault)
{
	static atomic_uint_fast64_t serial;
	struct eu_lowering l = { .handlers = eu_handlers_of(options.target.host),
		.probed = options.create_probe && !options.wants_probe,
		.wants_probe = options.create_probe ? options.wants_probe : NULL,
		.probes = options.probes,
		.counts = options.counts };
	if (!l.probed)
		l.layout = options.layout;
	struct eu_kernel *kernel = calloc(1, sizeof(*kernel));
	if (!kernel || program->count == 0) {
		gen_fault_add(fault, kernel ? GEN_FAULT_BAD_STATE : GEN_FAULT_NO_MEMORY,
			kernel ? "a kernel without instructions" : "no memory for a kernel");
		free(kernel);
		return NULL;
	}
	l.kernel = kernel;
	kernel->device = device;
	kernel->is_function = options.is_function;
	kernel->program = program;
	kernel->serial = atomic_fetch_add(&serial, 1) + 1;
	kernel->lanes = masked_channels(program);
	kernel->registers_end = l.layout.known;
	int failed = lower(&l, fault);
	lowering_finish(&l);
	if (failed) {
		eu_kernel_destroy(kernel);
		return NULL;
	}
	if (options.create_probe)
		kernel->probe = options.create_probe(kernel, options.probes);
	if (kernel->tally && !kernel->probe) {
		gen_fault_add(fault, GEN_FAULT_NO_MEMORY, "no memory for counts");
		eu_kernel_destroy(kernel);
		return NULL;
	}
	if (options.target.stencils && !l.probed)
		eu_stencil_apply(kernel, options.target.host);
	return kernel;
}

void eu_kernel_destroy(struct eu_kernel *kernel)
{
	if (!kernel)
		return;
	if (kernel->probe)
		kernel->probe->destroy(kernel->probe);
	eu_stencil_finish(kernel);
	free(kernel->uops);
	free(kernel->inst_uop);
	free(kernel->label_uop);
	free(kernel->pool);
	free(kernel->tally);
	free(kernel->sends);
	free(kernel->generics);
	free(kernel);
}
