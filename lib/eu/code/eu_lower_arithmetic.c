// SPDX-License-Identifier: MIT
#include "eu/code/eu_lower.h"

#include <string.h>

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

static void lower_one(struct eu_lowering *l, uint32_t index)
{
	struct eu_kernel *kernel = l->kernel;
	const struct gen_inst *inst = &kernel->program->inst[index];
	if (!eu_lower_reserve(l, (void **)&kernel->generics, &l->generic_capacity,
		    kernel->generic_count + 1, sizeof(*kernel->generics)))
		return;
	if (!eu_generic_init(&kernel->generics[kernel->generic_count], kernel->device, inst)) {
		eu_lower_emit_plain(l, EU_UOP_fault, (struct eu_uop){ .imm = index });
		return;
	}
	if (inst->op == GEN_OP_dpasw)
		eu_lower_emit_plain(
			l, EU_UOP_meet, (struct eu_uop){ .imm = kernel->generic_count });
	if (!eu_lower_alu(l, inst))
		eu_lower_emit_plain(
			l, EU_UOP_generic, (struct eu_uop){ .imm = kernel->generic_count++ });
}

void eu_lower_arithmetic(struct eu_lowering *l, uint32_t index)
{
	const struct gen_inst *inst = &l->kernel->program->inst[index];
	if (is_dummy(inst) || is_pause(inst) || eu_lower_pair(l, index))
		return;
	if (l->pair[index] != 0) /* one after the other, then */
		lower_one(l, l->pair[index] - 1);
	lower_one(l, index);
}
