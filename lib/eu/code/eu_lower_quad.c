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

/* Whether it orders its sources. */
static bool compares(const struct gen_inst *inst)
{
	return inst->op == GEN_OP_cmp || (inst->op == GEN_OP_sel && inst->cond != GEN_COND_NONE);
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
	uint64_t value = (uint64_t)gen_type_extend((enum gen_type)o->type, o->imm);

	if (o->type == GEN_TYPE_V || o->type == GEN_TYPE_UV)
		return false;
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
	if (o->neg && (shifts(a->inst) || compares(a->inst)))
		return false; /* has 65 bits */
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

static bool has_destination(const struct eu_alu *a)
{
	const struct gen_inst *inst = a->inst;
	const struct gen_operand *d = &inst->dst;

	if (inst->op == GEN_OP_cmp)
		return eu_alu_dst_is_null(inst);
	return (inst->cond == GEN_COND_NONE || inst->op == GEN_OP_sel) &&
	       !eu_alu_dst_is_null(inst) && d->file == GEN_FILE_GRF &&
	       d->addressing == GEN_DIRECT && !gen_type_is_float((enum gen_type)d->type) &&
	       (!is_quad(d->type) || d->hstride == 1 || a->count == 1);
}

static bool is_lowered(const struct eu_alu *a)
{
	const struct gen_inst *inst = a->inst;
	bool flags = inst->predicate != GEN_PRED_NONE || inst->op == GEN_OP_cmp;
	uint16_t shift;

	/* That the count has 64 bits makes no shift one of 64. */
	if (shifts(inst) && !is_quad(inst->dst.type) && !is_quad(inst->src[0].type))
		return false;
	return !inst->saturate && !inst->acc_wr_en &&
	       (a->count == 1 || a->count == 8 || a->count == 16) && has_destination(a) &&
	       (!flags || eu_alu_flag_shift(a, inst->flag, &shift));
}

/*
 * All ones in each channel in which the sources are as the condition says, or as it does not say:
 * *inverse. False where one may be above all that the other's type holds.
 */
static bool emit_order(struct eu_alu *a, const struct eu_uop *sources, uint16_t *at, bool *inverse)
{
	static const struct {
		uint16_t row;
		bool swapped, inverse;
	} orders[16] = {
		[GEN_COND_EQ] = { EU_UOP_equal_q, false, false },
		[GEN_COND_NE] = { EU_UOP_equal_q, false, true },
		[GEN_COND_LT] = { EU_UOP_less_q, false, false },
		[GEN_COND_GE] = { EU_UOP_less_q, false, true },
		[GEN_COND_GT] = { EU_UOP_less_q, true, false },
		[GEN_COND_LE] = { EU_UOP_less_q, true, true },
	};
	const struct gen_operand *x = a->inst->src;
	bool big = x[0].type == GEN_TYPE_UQ || x[1].type == GEN_TYPE_UQ, is_signed = false;
	unsigned cond = a->inst->cond, row = orders[cond].row;
	struct eu_uop uop = *sources;

	for (unsigned i = 0; i < 2; i++)
		is_signed |= gen_type_is_signed((enum gen_type)x[i].type);
	if (!row || (big && is_signed))
		return false;
	if (row == EU_UOP_less_q && big)
		row = EU_UOP_less_uq;
	if (orders[cond].swapped)
		uop = (struct eu_uop){ .a = uop.b, .b = uop.a };
	*at = uop.d = eu_alu_temp(a);
	*inverse = orders[cond].inverse;
	eu_alu_emit(a, eu_uop_code(row, a->width, 0), uop);
	return true;
}

static bool emit_compare(struct eu_alu *a, const struct eu_uop *sources)
{
	static const uint32_t zero = 0;
	struct eu_alu_source order = { 0 }, none = { .scalar = a->count > 1 };
	bool inverse;

	if (!emit_order(a, sources, &order.offset, &inverse) ||
		!eu_alu_constants(a, &zero, 1, &none.offset))
		return false;
	if (a->count > 1)
		order.offset = unary(a, EU_UOP_even, order.offset);
	eu_alu_compare(a, EU_COMPARE_i, inverse ? GEN_COND_EQ : GEN_COND_NE, &order, &none);
	return true;
}

/* sources->b with the bits of sources->a where the choice falls on it, in a temporary. */
static bool emit_choice(struct eu_alu *a, struct eu_uop *sources)
{
	uint16_t lanes = (uint16_t)(EU_OFFSET(pm.lanes) + 4 * a->inst->channel_offset), at = 0;
	bool inverse = false;

	if (a->inst->cond != GEN_COND_NONE && !emit_order(a, sources, &at, &inverse))
		return false;
	if (a->inst->cond == GEN_COND_NONE) {
		eu_lower_predicate(a->l, a->inst, false);
		at = unary(a, EU_UOP_widen_q_i, lanes);
	}
	struct eu_uop uop = { .d = eu_alu_temp(a), .a = sources->a, .b = sources->b };
	eu_alu_emit(a, eu_uop_code(EU_UOP_xor_q, a->width, 0), uop);
	uop = (struct eu_uop){ .d = uop.d, .a = uop.d, .b = at };
	eu_alu_emit(a, eu_uop_code(EU_UOP_and_q, a->width, 0), uop);
	uop.b = inverse ? sources->a : sources->b;
	eu_alu_emit(a, eu_uop_code(EU_UOP_xor_q, a->width, 0), uop);
	*sources = (struct eu_uop){ .a = uop.d };
	return true;
}

bool eu_lower_quad(struct eu_alu *a)
{
	static const uint16_t rows[GEN_OP_COUNT] = {
		[GEN_OP_mov] = EU_UOP_mov_q,
		[GEN_OP_sel] = EU_UOP_mov_q,
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

	if ((!row && inst->op != GEN_OP_cmp) || !is_lowered(a))
		return false;
	if (row == EU_UOP_asr_q && inst->src[0].type == GEN_TYPE_UQ)
		row = EU_UOP_shr_q;
	if (!load(a, 0, &uop.a) || (inst->source_count > 1 && !load(a, 1, &uop.b)) ||
		(inst->op == GEN_OP_sel && !emit_choice(a, &uop))) {
		a->l->count = start;
		return false;
	}
	if (a->predicated)
		eu_lower_predicate(a->l, inst, false);
	if (inst->op == GEN_OP_cmp) {
		if (!emit_compare(a, &uop))
			a->l->count = start;
		return a->l->count > start;
	}
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
