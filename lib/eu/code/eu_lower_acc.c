// SPDX-License-Identifier: MIT
/*
 * What the accumulator holds for how long. IGC multiplies dwords by `mul` (low words, into the
 * accumulator) and `macl` right behind it. Where nobody reads the accumulator afterwards, one
 * multiplication does.
 */
#include "eu/code/eu_lower.h"

#include <stdlib.h>
#include <string.h>

static bool is_acc(const struct gen_operand *o)
{
	return o->file == GEN_FILE_ACC || o->file == GEN_FILE_MME;
}

static bool reads_acc(const struct gen_inst *inst)
{
	bool reads = gen_ops[inst->op].flags & GEN_DOES_READS_ACC;
	for (unsigned s = 0; s < inst->source_count; s++)
		reads |= is_acc(&inst->src[s]);
	return reads;
}

static bool writes_acc(const struct gen_inst *inst)
{
	return inst->acc_wr_en || (gen_ops[inst->op].flags & GEN_DOES_WRITES_ACC) ||
	       (inst->has_dst && is_acc(&inst->dst));
}

/* acc0's dwords from the first on. */
static bool is_plain(const struct gen_operand *o)
{
	return o->file == GEN_FILE_ACC && o->reg == 0 && o->sub == 0 &&
	       gen_type_size((enum gen_type)o->type) == 4;
}

/* Whether `reader` finds nothing in the accumulator but what `writer` has written. */
static bool covers(const struct gen_inst *writer, const struct gen_inst *reader)
{
	if (writer->predicate != GEN_PRED_NONE || writer->exec_size < reader->exec_size ||
		writer->channel_offset != reader->channel_offset ||
		(!writer->no_mask && reader->no_mask))
		return false;
	if (writer->dst.file == GEN_FILE_ACC &&
		(!is_plain(&writer->dst) || writer->dst.hstride != 1))
		return false;
	if (writer->dst.file != GEN_FILE_ACC && gen_type_size((enum gen_type)writer->dst.type) != 4)
		return false;
	for (unsigned s = 0; s < reader->source_count; s++)
		if ((reader->src[s].file == GEN_FILE_ACC && !is_plain(&reader->src[s])) ||
			reader->src[s].file == GEN_FILE_MME)
			return false;
	return writer->dst.file != GEN_FILE_MME;
}

static bool is_branch(const struct gen_inst *inst)
{
	return inst->jip >= 0 || inst->uip >= 0 || inst->op == GEN_OP_call ||
	       inst->op == GEN_OP_ret || inst->op == GEN_OP_calla;
}

/* Whether the channels that are on may be others at `index` than at the instruction before. */
static bool begins_block(const struct eu_lowering *l, uint32_t index)
{
	return index == 0 || l->label[index] != EU_NO_LABEL || l->loop_top[index] ||
	       is_branch(&l->kernel->program->inst[index - 1]);
}

/* Whether each reader of the accumulator reads only what the last writer before it has written. */
static bool is_local(const struct eu_lowering *l)
{
	const struct gen_program *program = l->kernel->program;

	for (uint32_t i = 0; i < program->count; i++) {
		const struct gen_inst *reader = &program->inst[i];
		uint32_t at = i;
		if (reader->op == GEN_OP_call || reader->op == GEN_OP_calla)
			return false;
		if (!reads_acc(reader))
			continue;
		do {
			if (begins_block(l, at))
				return false;
			at--;
		} while (!writes_acc(&program->inst[at]));
		if (!covers(&program->inst[at], reader))
			return false;
	}
	return true;
}

/* In a kernel where that is so: is what `index` has left there not read any more? */
static bool is_dead_after(const struct eu_lowering *l, uint32_t index)
{
	const struct gen_program *program = l->kernel->program;

	for (uint32_t i = index + 1; i < program->count && !begins_block(l, i); i++) {
		if (reads_acc(&program->inst[i]))
			return false;
		if (writes_acc(&program->inst[i]))
			return true;
	}
	return true;
}

static bool is_plain_dword(const struct gen_operand *o)
{
	return (o->type == GEN_TYPE_D || o->type == GEN_TYPE_UD) && !o->neg && !o->abs &&
	       o->addressing == GEN_DIRECT;
}

/* Whether `low` names the low words of the dwords that `whole` names. */
static bool is_low_word(const struct gen_operand *low, const struct gen_operand *whole)
{
	if (low->type != GEN_TYPE_UW || low->neg || low->abs || low->addressing != GEN_DIRECT ||
		low->file != whole->file)
		return false;
	if (low->file == GEN_FILE_IMM)
		return (uint16_t)low->imm == (uint16_t)whole->imm;
	return low->reg == whole->reg && low->sub == 2 * whole->sub &&
	       low->vstride == 2 * whole->vstride && low->width == whole->width &&
	       low->hstride == 2 * whole->hstride;
}

/* Whether `mul` and `macl` are one multiplication of dwords. */
static bool is_pair(const struct gen_inst *mul, const struct gen_inst *macl)
{
	return mul->op == GEN_OP_mul && macl->op == GEN_OP_macl && !macl->acc_wr_en &&
	       !mul->acc_wr_en && is_plain(&mul->dst) && mul->dst.hstride == 1 &&
	       is_plain_dword(&macl->dst) && macl->dst.file == GEN_FILE_GRF &&
	       mul->exec_size == macl->exec_size && mul->channel_offset == macl->channel_offset &&
	       mul->predicate == GEN_PRED_NONE && macl->predicate == GEN_PRED_NONE &&
	       mul->cond == GEN_COND_NONE && macl->cond == GEN_COND_NONE && !mul->saturate &&
	       !macl->saturate && is_plain_dword(&mul->src[0]) && is_plain_dword(&macl->src[0]) &&
	       is_plain_dword(&macl->src[1]) &&
	       (mul->src[0].file == GEN_FILE_GRF || mul->src[0].file == GEN_FILE_IMM) &&
	       (mul->src[1].file == GEN_FILE_GRF || mul->src[1].file == GEN_FILE_IMM) &&
	       !memcmp(&mul->src[0], &macl->src[0], sizeof mul->src[0]) &&
	       is_low_word(&mul->src[1], &macl->src[1]);
}

/* The bytes of the registers, from `*start` to `*end`, that a direct operand may reach. */
static void find_extent(
	const struct gen_operand *o, unsigned exec_size, unsigned *start, unsigned *end)
{
	unsigned size = gen_type_size((enum gen_type)o->type), width = o->width ? o->width : 1;
	unsigned last = exec_size - 1;

	*start = o->reg * GEN_GRF_BYTES + o->sub * size;
	if (o->vstride == 0 && o->width <= 1) /* a destination, or a scalar */
		*end = *start + (last * o->hstride + 1) * size;
	else
		*end = *start +
		       (last / width * o->vstride + last % width * o->hstride + width) * size;
}

/* Whether an instruction leaves the sources of a later one alone. */
static bool spares(const struct gen_inst *inst, const struct gen_inst *later)
{
	unsigned from, to, start, end;

	if (!inst->has_dst || inst->dst.file != GEN_FILE_GRF)
		return inst->op != GEN_OP_send && inst->op != GEN_OP_sendc &&
		       inst->op != GEN_OP_sends && inst->op != GEN_OP_sendsc;
	if (inst->sfid != 0 || inst->rlen != 0 || inst->op == GEN_OP_send ||
		inst->dst.addressing != GEN_DIRECT)
		return false;
	find_extent(&inst->dst, inst->exec_size, &from, &to);
	for (unsigned s = 0; s < 2; s++) {
		if (later->src[s].file != GEN_FILE_GRF)
			continue;
		find_extent(&later->src[s], later->exec_size, &start, &end);
		if (from < end && start < to)
			return false;
	}
	return true;
}

/* The `mul` that the `macl` at `index` goes with, if both may be one; else `index`. */
static uint32_t find_mul(const struct eu_lowering *l, uint32_t index)
{
	const struct gen_program *program = l->kernel->program;
	const struct gen_inst *macl = &program->inst[index];

	for (uint32_t i = index; !begins_block(l, i);) {
		const struct gen_inst *inst = &program->inst[--i];
		if (writes_acc(inst))
			return is_pair(inst, macl) ? i : index;
		if (reads_acc(inst) || !spares(inst, macl))
			break;
	}
	return index;
}

void eu_lower_survey_acc(struct eu_lowering *l)
{
	const struct gen_program *program = l->kernel->program;

	l->kernel->keeps_acc = !is_local(l);
	if (l->kernel->keeps_acc || l->probed)
		return;
	for (uint32_t i = 0; i < program->count; i++) {
		uint32_t mul = program->inst[i].op == GEN_OP_macl ? find_mul(l, i) : i;
		if (mul == i || !is_dead_after(l, i))
			continue;
		l->product[mul] = i + 1;
		l->product[i] = mul + 1;
	}
}

bool eu_lower_multiply(struct eu_lowering *l, uint32_t index)
{
	const struct gen_program *program = l->kernel->program;
	struct gen_inst product = program->inst[index];

	if (l->product[index] == 0)
		return false;
	if (product.op == GEN_OP_mul)
		return true; /* when its `macl` comes */
	product.op = GEN_OP_mul;
	return eu_lower_alu(l, &product);
}
