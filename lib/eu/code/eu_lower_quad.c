// SPDX-License-Identifier: MIT
/* Integers of 64 bits, which Gen9 has: rows of their own, with narrower sources widened. */
#include "eu/code/eu_lower_operand.h"

static bool is_quad(unsigned type)
{
	return type == GEN_TYPE_Q || type == GEN_TYPE_UQ;
}

bool eu_alu_is_quad(const struct gen_inst *inst)
{
	bool any = !eu_alu_dst_is_null(inst) && is_quad(inst->dst.type);

	for (unsigned s = 0; s < inst->source_count; s++)
		any |= is_quad(inst->src[s].type);
	return any;
}

static bool shifts(const struct gen_inst *inst)
{
	return inst->op == GEN_OP_shl || inst->op == GEN_OP_shr || inst->op == GEN_OP_asr;
}

/* One value for all channels, which lies at `at`. */
static uint16_t spread(struct eu_alu *a, uint16_t at)
{
	uint16_t temp = eu_alu_temp(a);

	eu_alu_emit(a, eu_uop_code(EU_UOP_spread_q, a->width, 0),
		(struct eu_uop){ .d = temp, .a = at });
	return temp;
}

static uint16_t unary(struct eu_alu *a, unsigned row, uint16_t at)
{
	uint16_t temp = eu_alu_temp(a);

	eu_alu_emit(a, eu_uop_code(row, a->width, 0), (struct eu_uop){ .d = temp, .a = at });
	return temp;
}

static bool load_immediate(struct eu_alu *a, const struct gen_operand *o, uint16_t *at)
{
	uint64_t value = o->imm;

	switch (o->type) {
	case GEN_TYPE_Q:
	case GEN_TYPE_UQ:
		break;
	case GEN_TYPE_D:
		value = (uint64_t)(int32_t)value;
		break;
	case GEN_TYPE_UD:
		value = (uint32_t)value;
		break;
	case GEN_TYPE_W:
		value = (uint64_t)(int16_t)value;
		break;
	case GEN_TYPE_UW:
		value = (uint16_t)value;
		break;
	default:
		return false;
	}
	if (!eu_alu_constants(a, (uint32_t[]){ (uint32_t)value, (uint32_t)(value >> 32) }, 2, at))
		return false;
	*at = spread(a, *at);
	return true;
}

static bool load_quad(struct eu_alu *a, const struct gen_operand *o, uint16_t *at)
{
	int stride = eu_alu_line_stride(o, a->count);

	if (o->file != GEN_FILE_GRF || o->addressing != GEN_DIRECT || o->abs)
		return false;
	*at = (uint16_t)eu_alu_operand_start(o);
	if (a->count > 1 && stride == 0)
		*at = spread(a, *at);
	else if (a->count > 1 && stride != 1)
		return false;
	if (o->neg && shifts(a->inst))
		return false; /* what is shifted has 65 bits */
	if (o->neg)
		*at = unary(a,
			gen_ops[a->inst->op].modifier == GEN_MODIFIER_INVERTS ? EU_UOP_not_q
									      : EU_UOP_neg_q,
			*at);
	return true;
}

/* Where source `index` is, in 64 bits for each channel. */
static bool load(struct eu_alu *a, unsigned index, uint16_t *at)
{
	const struct gen_operand *o = &a->inst->src[index];
	struct eu_alu_source *s = &a->source[index];
	bool is_signed = gen_type_is_signed((enum gen_type)o->type);

	if (gen_type_is_float((enum gen_type)o->type))
		return false;
	if (is_quad(o->type) && o->file != GEN_FILE_IMM)
		return load_quad(a, o, at);
	if (o->neg || o->abs)
		return false;
	if (o->file == GEN_FILE_IMM)
		return load_immediate(a, o, at);
	if (!eu_alu_load(a, index, true))
		return false;
	if (s->scalar)
		eu_alu_spread(a, s);
	*at = unary(a, is_signed ? EU_UOP_widen_q_i : EU_UOP_widen_q_u, s->offset);
	return true;
}

static bool is_lowered(const struct eu_alu *a, unsigned row)
{
	const struct gen_inst *inst = a->inst;
	const struct gen_operand *d = &inst->dst;
	uint16_t shift;

	/* That the count has 64 bits makes no shift one of 64. */
	if (shifts(inst) && !is_quad(d->type) && !is_quad(inst->src[0].type))
		return false;
	return row && inst->cond == GEN_COND_NONE && !inst->saturate && !inst->acc_wr_en &&
	       (a->count == 1 || a->count == 8 || a->count == 16) && !eu_alu_dst_is_null(inst) &&
	       d->file == GEN_FILE_GRF && d->addressing == GEN_DIRECT &&
	       !gen_type_is_float((enum gen_type)d->type) &&
	       (!is_quad(d->type) || d->hstride == 1 || a->count == 1) &&
	       (inst->predicate == GEN_PRED_NONE || eu_alu_flag_shift(a, inst->flag, &shift));
}

bool eu_lower_quad(struct eu_alu *a)
{
	static const uint16_t rows[GEN_OP_COUNT] = {
		[GEN_OP_mov] = EU_UOP_mov_q,
		[GEN_OP_not] = EU_UOP_not_q,
		[GEN_OP_add] = EU_UOP_add_q,
		[GEN_OP_mul] = EU_UOP_mul_q,
		[GEN_OP_and] = EU_UOP_and_q,
		[GEN_OP_or] = EU_UOP_or_q,
		[GEN_OP_xor] = EU_UOP_xor_q,
		[GEN_OP_shl] = EU_UOP_shl_q,
		[GEN_OP_shr] = EU_UOP_shr_q,
		[GEN_OP_asr] = EU_UOP_asr_q,
	};
	const struct gen_inst *inst = a->inst;
	uint32_t start = a->l->count;
	struct eu_uop uop = { .d = 0 };
	unsigned row = rows[inst->op];

	if (!is_lowered(a, row))
		return false;
	if (row == EU_UOP_asr_q && inst->src[0].type == GEN_TYPE_UQ)
		row = EU_UOP_shr_q;
	if (!load(a, 0, &uop.a) || (inst->source_count > 1 && !load(a, 1, &uop.b))) {
		a->l->count = start;
		return false;
	}
	if (a->predicated)
		eu_lower_predicate(a->l, inst, false);
	uop.d = (uint16_t)eu_alu_operand_start(&inst->dst);
	if (is_quad(inst->dst.type)) {
		eu_alu_emit_masked(a, eu_uop_code(row, a->width, 0), uop);
		return true;
	}
	uop.d = eu_alu_temp(a);
	eu_alu_emit(a, eu_uop_code(row, a->width, 0), uop);
	if (a->count > 1)
		uop.d = unary(a, EU_UOP_even, uop.d);
	return eu_alu_finish(
		a, (struct eu_alu_step){ eu_uop_code(EU_UOP_mov, a->width, 0), { .a = uop.d } });
}
