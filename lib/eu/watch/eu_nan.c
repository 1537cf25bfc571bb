// SPDX-License-Identifier: MIT
/*
 * The observer that finds instructions that make a NaN of operands that are none: each instruction
 * on floating-point numbers is first executed on a copy of the thread.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eu/ops/eu_generic.h"
#include "eu/state/eu_half.h"
#include "eu/watch/eu_check.h"
#include "eu/watch/eu_watch.h"

/* What the observer keeps of a kernel: the instructions that compute, one after the other. */
struct plan {
	uint32_t *numbers; /* of each instruction: its place in `generals` and 1; 0: none */
	struct eu_generic *generals;
};

/* Operands of which the elements can be found without executing anything. */
static bool is_plain(const struct gen_operand *o)
{
	return o->file == GEN_FILE_IMM || (o->file == GEN_FILE_GRF && o->addressing == GEN_DIRECT);
}

static bool wants(const struct gen_inst *inst)
{
	/* The steps of divisions and square roots exchange numbers wider than a register. */
	bool is_step = inst->op == GEN_OP_madm ||
		       (inst->op == GEN_OP_math && (inst->function == GEN_MATH_INVM ||
							   inst->function == GEN_MATH_RSQTM));
	bool is_plain_all = inst->has_dst && gen_type_is_float(inst->dst.type) &&
			    inst->dst.file == GEN_FILE_GRF && inst->dst.addressing == GEN_DIRECT;

	for (unsigned s = 0; s < inst->source_count; s++)
		is_plain_all &= is_plain(&inst->src[s]);
	return is_plain_all && !is_step && gen_ops[inst->op].class != GEN_CLASS_SEND &&
	       inst->op != GEN_OP_mov && inst->op != GEN_OP_sel;
}

static void destroy(void *facts)
{
	struct plan *plan = facts;

	if (plan) {
		free(plan->numbers);
		free(plan->generals);
	}
	free(plan);
}

static void *create(const struct eu_watched *watched)
{
	const struct gen_program *program = watched->kernel->program;
	struct plan *plan = calloc(1, sizeof *plan);
	uint32_t count = 0;

	if (!plan)
		return NULL;
	plan->numbers = calloc(program->count, sizeof *plan->numbers);
	plan->generals = calloc(program->count, sizeof *plan->generals);
	if (!plan->numbers || !plan->generals) {
		destroy(plan);
		return NULL;
	}
	for (uint32_t i = 0; i < program->count; i++) {
		struct eu_generic *general = &plan->generals[count];
		if (wants(&program->inst[i]) &&
			eu_generic_init(general, watched->kernel->device, &program->inst[i]) &&
			!general->whole)
			plan->numbers[i] = ++count;
	}
	return plan;
}

/* Element i of an operand as a number; for what is no floating-point number, 0. */
static double find_value(const struct eu_thread *thread, const struct gen_operand *o, unsigned i)
{
	const uint8_t *bytes = thread->grf + gen_operand_start(o) +
			       gen_operand_element(o, i) * gen_type_size(o->type);
	uint16_t half;
	float single;
	double value = 0;

	if (o->file == GEN_FILE_IMM)
		bytes = (const uint8_t *)&o->imm;
	if (o->type == GEN_TYPE_HF) {
		memcpy(&half, bytes, sizeof half);
		return (double)eu_half_to_float(half);
	}
	if (o->type == GEN_TYPE_F) {
		memcpy(&single, bytes, sizeof single);
		return (double)single;
	}
	if (o->type == GEN_TYPE_DF)
		memcpy(&value, bytes, sizeof value);
	return value;
}

/* Of element i: reports what made a NaN. */
static bool find_nan(const struct eu_event *event, const struct gen_inst *inst,
	const struct eu_thread *after, unsigned i)
{
	char values[96] = "";
	size_t used = 0;

	if (!isnan(find_value(after, &inst->dst, i)))
		return false;
	for (unsigned s = 0; s < inst->source_count; s++) {
		double value = find_value(event->thread, &inst->src[s], i);
		if (isnan(value))
			return false;
		value = inst->src[s].abs ? fabs(value) : value;
		value = inst->src[s].neg ? -value : value;
		if (gen_type_is_float(inst->src[s].type))
			used += (size_t)snprintf(values + used, sizeof values - used, "%s%g",
				used ? ", " : "", value);
	}
	eu_check_report(event->thread, event->inst, (int)(i + inst->channel_offset), EU_CHECK_NANS,
		"nan", "%s makes a NaN of %s", gen_ops[inst->op].name, values);
	return true;
}

static void step(const struct eu_event *event)
{
	static _Thread_local struct eu_thread *after;
	const struct plan *plan = event->facts;
	const struct gen_inst *inst = &event->thread->kernel->program->inst[event->inst];

	if (!plan || !plan->numbers[event->inst] || event->channels == 0)
		return;
	if (!after)
		after = aligned_alloc(_Alignof(struct eu_thread), sizeof *after);
	if (!after)
		return;
	memcpy(after, event->thread, offsetof(struct eu_thread, frames));
	eu_generic_run(after, &plan->generals[plan->numbers[event->inst] - 1]);
	for (unsigned i = 0; i < inst->exec_size; i++)
		if ((event->channels >> (i + inst->channel_offset) & 1) &&
			find_nan(event, inst, after, i))
			return;
}

const struct eu_observer eu_nan_observer = {
	.wanted = EU_WATCH_NANS, .create = create, .destroy = destroy, .wants = wants, .step = step
};
