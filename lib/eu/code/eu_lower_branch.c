// SPDX-License-Identifier: MIT
#include "eu/code/eu_lower.h"

/*
 * Where the channels that leave at a branch come back, as an instruction index, and whether the
 * branch goes back. DESIGN: wait masks instead of an instruction pointer for each channel.
 */
struct branch {
	unsigned uop;	/* EU_UOP_… */
	int32_t wait;	/* instruction where channels wait, or -1 */
	int32_t target; /* instruction to jump to at once, or -1 */
	bool invert;	/* channels whose predicate is false leave */
	bool all;	/* the predicate does not matter */
};

static bool is_op(const struct eu_lowering *l, int32_t index, enum gen_op op)
{
	const struct gen_program *program = l->kernel->program;
	return index >= 0 && (uint32_t)index < program->count && program->inst[index].op == op;
}

static struct branch branch_back(int32_t own, int32_t target)
{
	return (struct branch){ EU_UOP_loop, own + 1, target, false, false };
}

static struct branch describe_goto(
	const struct eu_lowering *l, const struct gen_inst *inst, int32_t own)
{
	if (inst->backward || inst->uip <= own)
		return branch_back(own, inst->uip);
	bool invert = l->kernel->device->family->inverts_goto && inst->predicate != GEN_PRED_NONE;
	return (struct branch){ EU_UOP_leave, inst->uip, -1, invert, false };
}

static struct branch describe_jmpi(const struct gen_inst *inst, int32_t own)
{
	if (inst->jip > own)
		return (struct branch){ EU_UOP_skip, inst->jip, -1, false, false };
	return (struct branch){ EU_UOP_jump, -1, inst->jip, false, false };
}

/* False when it is a branch that the engine does not implement. */
static bool describe(const struct eu_lowering *l, uint32_t index, struct branch *b)
{
	const struct gen_inst *inst = &l->kernel->program->inst[index];
	int32_t own = (int32_t)index;
	switch (inst->op) {
	case GEN_OP_if:
		*b = (struct branch){ EU_UOP_leave, inst->jip, -1, true, false };
		return true;
	case GEN_OP_else:
		*b = (struct branch){ EU_UOP_leave, inst->uip, -1, false, true };
		if (inst->uip < 0)
			b->wait = inst->jip;
		return true;
	case GEN_OP_break:
		*b = (struct branch){ EU_UOP_leave,
			is_op(l, inst->uip, GEN_OP_while) ? inst->uip + 1 : inst->uip, -1, false,
			false };
		return true;
	case GEN_OP_cont:
	case GEN_OP_halt:
		*b = (struct branch){ EU_UOP_leave, inst->uip, -1, false, false };
		return true;
	case GEN_OP_while:
		*b = branch_back(own, inst->jip);
		return inst->jip >= 0;
	case GEN_OP_goto:
		*b = describe_goto(l, inst, own);
		return inst->uip >= 0;
	case GEN_OP_jmpi:
		*b = describe_jmpi(inst, own);
		return inst->jip >= 0;
	case GEN_OP_call:
		*b = (struct branch){ EU_UOP_call, -1, inst->jip, false, false };
		return inst->jip >= 0 && inst->dst.file == GEN_FILE_GRF;
	case GEN_OP_ret:
		*b = (struct branch){ EU_UOP_return, -1, -1, false, false };
		return inst->src[0].file == GEN_FILE_GRF;
	}
	return false;
}

bool eu_lower_labels(struct eu_lowering *l, struct gen_fault *fault)
{
	struct eu_kernel *kernel = l->kernel;
	int32_t count = (int32_t)kernel->program->count;
	for (int32_t i = 0; i < count; i++) {
		struct branch b;
		if (!describe(l, (uint32_t)i, &b))
			continue;
		bool leaves = b.uop == EU_UOP_leave || b.uop == EU_UOP_skip;
		if (b.wait >= count || b.target >= count || (leaves && b.wait <= i)) {
			gen_fault_add(fault, GEN_FAULT_BAD_INSTRUCTION,
				"the branch at 0x%x leads nowhere", kernel->program->inst[i].ip);
			return false;
		}
		if (b.wait >= 0)
			l->label[b.wait] = 0;
		if (b.target >= 0)
			l->loop_top[b.target] = true;
	}
	for (int32_t i = 0; i < count; i++)
		if (l->label[i] != EU_NO_LABEL)
			l->label[i] = kernel->label_count++;
	if (kernel->label_count > EU_LABELS) {
		gen_fault_add(fault, GEN_FAULT_BAD_INSTRUCTION,
			"%u places where channels wait; the device has room for %d",
			kernel->label_count, EU_LABELS);
		return false;
	}
	return true;
}

bool eu_lower_begins_block(const struct eu_lowering *l, uint32_t index)
{
	return index == 0 || l->label[index] != EU_NO_LABEL || l->loop_top[index] ||
	       gen_ops[l->kernel->program->inst[index - 1].op].class == GEN_CLASS_BRANCH;
}

/* The first label after instruction `index`. */
static uint16_t next_label(const struct eu_lowering *l, uint32_t index)
{
	for (uint32_t i = index + 1; i < l->kernel->program->count; i++)
		if (l->label[i] != EU_NO_LABEL)
			return (uint16_t)l->label[i];
	return 0;
}

/* Where `dwords` dwords of a general register begin; false when they are not that. */
static bool find_dwords(const struct gen_operand *o, unsigned dwords, uint16_t *offset)
{
	unsigned start = o->reg * 32u + o->sub * 4u;
	*offset = (uint16_t)(EU_OFFSET(grf) + start);
	return o->file == GEN_FILE_GRF && o->addressing == GEN_DIRECT &&
	       start + 4 * dwords <= GEN_GRF_BYTES * GEN_GRF_COUNT;
}

/* A call or a jump whose target is in a register: a function pointer, the way back from there. */
static bool lower_far_call(struct eu_lowering *l, const struct gen_inst *inst, uint32_t index)
{
	struct eu_uop uop = { .imm = index,
		.target = l->count + 1, /* where it comes back */
		.shift = inst->flag,
		.c = EU_PREDICATE(inst->predicate, inst->predicate_invert) };
	if (inst->op != GEN_OP_jmpi &&
		(!find_dwords(&inst->dst, 2, &uop.d) || gen_type_size(inst->dst.type) != 4))
		return false;
	if (!find_dwords(&inst->src[0], 1, &uop.b) || gen_type_size(inst->src[0].type) != 4)
		return false;
	eu_lower_emit_counting(l, EU_UOP_call_far, uop);
	return true;
}

static bool lower(struct eu_lowering *l, uint32_t index)
{
	const struct gen_program *program = l->kernel->program;
	const struct gen_inst *inst = &program->inst[index];
	struct branch b;
	if (inst->op == GEN_OP_calla || (gen_inst_calls(inst) && inst->jip < 0))
		return lower_far_call(l, inst, index);
	if (!describe(l, index, &b))
		return false;
	struct eu_uop uop = {
		.c = EU_PREDICATE(inst->predicate, inst->predicate_invert != b.invert),
		.shift = inst->flag,
		.imm = gen_inst_channels(inst),
		.d = next_label(l, index),
		.target = b.target >= 0 ? (uint32_t)b.target : l->count + 1,
		.label = b.wait >= 0 ? (uint16_t)l->label[b.wait] : 0,
	};
	if (b.all)
		uop.c = GEN_PRED_NONE;
	else if (inst->predicate == GEN_PRED_NONE && b.invert)
		uop.imm = 0; /* an `if` without a predicate: nobody leaves */
	if (b.uop == EU_UOP_jump || b.uop == EU_UOP_skip)
		uop.b = inst->channel_offset;
	if (b.uop == EU_UOP_call) {
		uint32_t ip = inst->ip + inst->size;
		if (!find_dwords(&inst->dst, 2, &uop.d))
			return false;
		uop.b = (uint16_t)ip;
		uop.label = (uint16_t)(ip >> 16);
	}
	if (b.uop == EU_UOP_return && !find_dwords(&inst->src[0], 2, &uop.a))
		return false;
	eu_lower_emit_counting(l, b.uop, uop);
	return true;
}

void eu_lower_branch(struct eu_lowering *l, uint32_t index)
{
	unsigned op = l->kernel->program->inst[index].op;
	/* The places where channels meet have their label's micro-operation. */
	if (op != GEN_OP_endif && op != GEN_OP_join && !lower(l, index))
		eu_lower_emit_plain(l, EU_UOP_fault, (struct eu_uop){ .imm = index });
}

/* Past what only joins or counts: a jump takes its channels along and has counted already. */
static uint32_t branch_target_uop(const struct eu_lowering *l, uint32_t index)
{
	uint32_t uop = l->kernel->inst_uop[index];
	unsigned code = l->full[uop].code;
	return code == EU_UOP_label || code == EU_UOP_count ? uop + 1 : uop;
}

void eu_lower_resolve(struct eu_lowering *l)
{
	for (uint32_t i = 0; i < l->count; i++) {
		unsigned code = l->full[i].code;
		if (code != EU_UOP_loop && code != EU_UOP_jump && code != EU_UOP_call)
			continue;
		l->full[i].target = branch_target_uop(l, l->full[i].target);
		l->partial[i].target = l->full[i].target;
	}
}
