// SPDX-License-Identifier: MIT
/*
 * Lowers what is frequent to micro-operations of its own: dword and float operations on contiguous
 * and scalar operands, other types and regions through temporaries. What it declines goes through
 * the general path, and must give the same bits there.
 */
#include "eu/code/eu_lower_operand.h"

#include <stddef.h>
#include <string.h>

/* -- Operations ----------------------------------------------------------------------------- */

static bool finish_unary(struct eu_alu *a, unsigned op)
{
	const struct eu_alu_source *x = &a->source[0];
	return eu_alu_finish(a,
		(struct eu_alu_step){ eu_uop_code(op, a->width, x->scalar), { .a = x->offset } });
}

static bool finish_binary(struct eu_alu *a, unsigned op, unsigned first, unsigned second)
{
	struct eu_alu_source *x = &a->source[first], *y = &a->source[second];
	if (x->scalar && y->scalar)
		eu_alu_spread(a, x);
	unsigned shape = x->scalar ? 1 : y->scalar ? 2 : 0;
	return eu_alu_finish(a, (struct eu_alu_step){ eu_uop_code(op, a->width, shape),
					{ .a = x->offset, .b = y->offset } });
}

static bool finish_ternary(struct eu_alu *a, unsigned op)
{
	struct eu_alu_source *s = a->source;
	if (s[0].scalar && s[1].scalar && s[2].scalar)
		eu_alu_spread(a, &s[0]);
	unsigned shape =
		(unsigned)s[0].scalar | (unsigned)s[1].scalar << 1 | (unsigned)s[2].scalar << 2;
	return eu_alu_finish(a, (struct eu_alu_step){ eu_uop_code(op, a->width, shape),
					{ .a = s[0].offset, .b = s[1].offset, .c = s[2].offset } });
}

/* Which comparison the integer sources want; false when their signs do not agree. */
static bool compare_kind(const struct eu_alu *a, enum eu_compare_kind *kind)
{
	enum eu_alu_sign x = a->source[0].sign, y = a->source[1].sign;
	bool has_signed = x == EU_SIGN_SIGNED || y == EU_SIGN_SIGNED;
	bool has_unsigned = x == EU_SIGN_UNSIGNED || y == EU_SIGN_UNSIGNED;
	*kind = a->is_float ? EU_COMPARE_f : has_unsigned ? EU_COMPARE_u : EU_COMPARE_i;
	return a->is_float || !(has_signed && has_unsigned);
}

/* IGC reads the channels that are on by comparing a register with itself. */
static bool compares_with_itself(const struct gen_inst *inst)
{
	const struct gen_operand *x = &inst->src[0], *y = &inst->src[1];
	return x->file == GEN_FILE_GRF && !memcmp(x, y, sizeof *x) &&
	       !gen_type_is_float((enum gen_type)x->type) && eu_alu_dst_is_null(inst);
}

static bool lower_known_cmp(struct eu_alu *a)
{
	const struct gen_inst *inst = a->inst;
	struct eu_uop uop = { .a = (uint16_t)a->count, .imm = inst->channel_offset };
	if (!eu_alu_flag_shift(a, inst->flag, &uop.shift))
		return false;
	uop.b = inst->cond == GEN_COND_EQ || inst->cond == GEN_COND_GE || inst->cond == GEN_COND_LE;
	uop.c = a->predicated ? EU_OFFSET(pm.bits) : EU_OFFSET(act.bits);
	eu_alu_emit_masked(a, EU_UOP_known_flags, uop);
	return true;
}

static bool lower_cmp(struct eu_alu *a)
{
	const struct gen_inst *inst = a->inst;
	enum eu_compare_kind kind;
	struct eu_uop fill = { .d = 0 };
	if (compares_with_itself(inst))
		return lower_known_cmp(a);
	if (!eu_alu_load(a, 0, false) || !eu_alu_load(a, 1, false) || !compare_kind(a, &kind))
		return false;
	if (a->source[0].scalar && a->source[1].scalar)
		eu_alu_spread(a, &a->source[0]);
	if (!eu_alu_flag_shift(a, inst->flag, &fill.shift))
		return false;
	eu_alu_compare(a, kind, inst->cond, &a->source[0], &a->source[1]);
	if (eu_alu_dst_is_null(inst))
		return true;
	if (eu_alu_dst_is_direct(a)) {
		fill.d = (uint16_t)eu_alu_operand_start(&inst->dst);
		eu_alu_emit_masked(a, eu_uop_code(EU_UOP_flags, a->width, 0), fill);
		return true;
	}
	fill.d = eu_alu_temp(a);
	eu_alu_emit(a, eu_uop_code(EU_UOP_flags, a->width, 0), fill);
	eu_alu_scatter(a, fill.d);
	return true;
}

/* The predicate as its micro-operations want it. */
static struct eu_uop predicate_uop(const struct eu_alu *a, bool leave_out_inactive)
{
	const struct gen_inst *inst = a->inst;
	struct eu_uop uop = { .a = leave_out_inactive,
		.b = (uint16_t)(EU_OFFSET(flag) + 4 * (inst->flag >> 1)),
		.c = EU_PREDICATE(inst->predicate, inst->predicate_invert),
		.shift = (inst->flag & 1) * 16,
		.imm = inst->channel_offset };
	if (inst->predicate < GEN_PRED_ANY2H)
		return uop;
	unsigned size = 2u << (inst->predicate - GEN_PRED_ANY2H) / 2;
	unsigned first = inst->channel_offset / size * size;
	if (inst->channel_offset + a->count > first + size)
		return uop;
	uop.group = (inst->predicate - GEN_PRED_ANY2H) & 1 ? EU_GROUP_ALL : EU_GROUP_ANY;
	uop.target = (size == 32 ? UINT32_MAX : (1u << size) - 1) << first;
	return uop;
}

/* Puts the predicate into pm: its bits, and its lanes unless only the bits are wanted. */
static void emit_predicate(struct eu_alu *a, bool leave_out_inactive, bool only_bits)
{
	enum eu_width width = only_bits ? EU_WIDTH_1 : a->width;
	eu_alu_emit(
		a, eu_uop_code(EU_UOP_predicate, width, 0), predicate_uop(a, leave_out_inactive));
}

static bool lower_sel(struct eu_alu *a)
{
	const struct gen_inst *inst = a->inst;
	static const unsigned least[] = { EU_UOP_min_f, EU_UOP_min_i, EU_UOP_min_u },
			      most[] = { EU_UOP_max_f, EU_UOP_max_i, EU_UOP_max_u };
	enum eu_compare_kind kind;
	if (!eu_alu_load(a, 0, false) || !eu_alu_load(a, 1, false))
		return false;
	if (inst->cond == GEN_COND_LT || inst->cond == GEN_COND_GE)
		return compare_kind(a, &kind) &&
		       finish_binary(a, inst->cond == GEN_COND_LT ? least[kind] : most[kind], 0, 1);
	if (inst->cond != GEN_COND_NONE)
		return false;
	emit_predicate(a, false, false);
	unsigned shape = (unsigned)a->source[0].scalar | (unsigned)a->source[1].scalar << 1;
	return eu_alu_finish(a, (struct eu_alu_step){ eu_uop_code(EU_UOP_select, a->width, shape),
					{ .a = a->source[0].offset,
						.b = a->source[1].offset,
						.c = (uint16_t)(EU_OFFSET(pm.lanes) +
								4 * inst->channel_offset) } });
}

static unsigned float_modifier(const struct eu_alu *a)
{
	const struct gen_operand *o = &a->inst->src[0];
	if (!a->is_float || !(o->neg || o->abs))
		return EU_UOP_mov;
	return !o->abs ? EU_UOP_neg_f : o->neg ? EU_UOP_neg_abs_f : EU_UOP_abs_f;
}

/* Integers to narrower ones, or as they are: a scatter takes the low bytes of each dword. */
static bool lower_narrowing_mov(struct eu_alu *a)
{
	const struct gen_operand *o = &a->inst->src[0];
	struct eu_alu_source *s = &a->source[0];
	bool one = a->count == 1 && o->file == GEN_FILE_GRF && o->addressing == GEN_DIRECT &&
		   gen_type_size((enum gen_type)o->type) >=
			   gen_type_size((enum gen_type)a->inst->dst.type);
	if (one || (o->file == GEN_FILE_F && a->count == 1)) {
		eu_alu_scatter(a, (uint16_t)eu_alu_operand_start(o));
		return true;
	}
	if (!eu_alu_load(a, 0, true))
		return false;
	unsigned d = eu_alu_operand_start(&a->inst->dst), reach = 4 * a->count;
	if (s->scalar)
		eu_alu_spread(a, s);
	else if (s->offset < d + a->count * a->inst->dst.hstride * 2 && d < s->offset + reach)
		eu_alu_unary(a, EU_UOP_mov, s);
	eu_alu_scatter(a, s->offset);
	return true;
}

static bool lower_mov(struct eu_alu *a)
{
	unsigned type = a->inst->dst.type;
	const struct gen_operand *o = &a->inst->src[0];
	bool to_float = gen_type_is_float((enum gen_type)type);
	if (!a->is_float && !to_float && gen_type_size((enum gen_type)type) < 4 &&
		!eu_alu_dst_is_null(a->inst) && a->inst->cond == GEN_COND_NONE && !o->neg &&
		!o->abs)
		return lower_narrowing_mov(a);
	if (!eu_alu_load(a, 0, a->is_float && to_float))
		return false;
	if (a->is_float == to_float)
		return finish_unary(a, float_modifier(a));
	if (!a->is_float)
		return finish_unary(a,
			a->source[0].sign == EU_SIGN_UNSIGNED ? EU_UOP_f_from_u : EU_UOP_f_from_i);
	if (a->l->rounds_int || a->inst->saturate || (type != GEN_TYPE_D && type != GEN_TYPE_UD))
		return false;
	return finish_unary(a, type == GEN_TYPE_D ? EU_UOP_i_from_f : EU_UOP_u_from_f);
}

static bool lower_add(struct eu_alu *a)
{
	const struct gen_operand *x = &a->inst->src[0], *y = &a->inst->src[1];
	unsigned sub = a->is_float ? EU_UOP_sub_f : EU_UOP_sub_i;
	bool minus_x = x->neg && !x->abs && !y->neg && !y->abs && x->file != GEN_FILE_IMM;
	bool minus_y = y->neg && !y->abs && !x->neg && !x->abs && y->file != GEN_FILE_IMM;
	if (!eu_alu_load(a, 0, minus_x) || !eu_alu_load(a, 1, minus_y))
		return false;
	if (minus_x)
		return finish_binary(a, sub, 1, 0);
	if (minus_y)
		return finish_binary(a, sub, 0, 1);
	return finish_binary(a, a->is_float ? EU_UOP_add_f : EU_UOP_add_i, 0, 1);
}

static bool lower_mad(struct eu_alu *a)
{
	const struct gen_operand *s = a->inst->src;
	unsigned negative = (unsigned)s[0].neg + s[1].neg + s[2].neg;
	bool takes = a->is_float && negative == 1 && !s[0].abs && !s[1].abs && !s[2].abs;
	for (unsigned i = 0; i < 3; i++)
		if (!eu_alu_load(a, i, takes))
			return false;
	if (!takes)
		return finish_ternary(a, a->is_float ? EU_UOP_mad_f : EU_UOP_mad_i);
	return finish_ternary(a, s[0].neg ? EU_UOP_msub_f : EU_UOP_nmad_f);
}

static bool lower_binary(struct eu_alu *a, unsigned op)
{
	return eu_alu_load(a, 0, false) && eu_alu_load(a, 1, false) && finish_binary(a, op, 0, 1);
}

static bool lower_shift(struct eu_alu *a)
{
	static const uint16_t ops[GEN_OP_COUNT] = {
		[GEN_OP_shl] = EU_UOP_shl,
		[GEN_OP_shr] = EU_UOP_shr,
		[GEN_OP_asr] = EU_UOP_asr,
		[GEN_OP_rol] = EU_UOP_rol,
		[GEN_OP_ror] = EU_UOP_ror,
	};
	bool rotates = a->inst->op == GEN_OP_rol || a->inst->op == GEN_OP_ror;
	if (rotates && gen_type_size((enum gen_type)a->inst->src[0].type) != 4)
		return false;
	if (!eu_alu_load(a, 0, false) || !eu_alu_load(a, 1, false))
		return false;
	if (a->inst->op == GEN_OP_asr && a->source[0].sign == EU_SIGN_UNSIGNED)
		return false;
	return finish_binary(a, ops[a->inst->op], 0, 1);
}

static bool lower_not(struct eu_alu *a)
{
	const struct gen_operand *o = &a->inst->src[0];
	return eu_alu_load(a, 0, true) && finish_unary(a, o->neg ? EU_UOP_mov : EU_UOP_not);
}

static bool lower_bits(struct eu_alu *a)
{
	static const uint16_t ops[GEN_OP_COUNT] = {
		[GEN_OP_lzd] = EU_UOP_lzd,
		[GEN_OP_fbl] = EU_UOP_fbl,
		[GEN_OP_cbit] = EU_UOP_cbit,
		[GEN_OP_bfrev] = EU_UOP_bfrev,
	};
	return eu_alu_load(a, 0, false) && finish_unary(a, ops[a->inst->op]);
}

/* iqot and irem; false for other functions. */
static bool lower_divide(struct eu_alu *a)
{
	enum eu_compare_kind kind;
	bool quotient = a->inst->function == GEN_MATH_IQOT;
	if ((!quotient && a->inst->function != GEN_MATH_IREM) || !eu_alu_load(a, 0, false) ||
		!eu_alu_load(a, 1, false) || !compare_kind(a, &kind))
		return false;
	if (kind == EU_COMPARE_u)
		return finish_binary(a, quotient ? EU_UOP_iqot_u : EU_UOP_irem_u, 0, 1);
	return finish_binary(a, quotient ? EU_UOP_iqot_i : EU_UOP_irem_i, 0, 1);
}

static bool lower_round(struct eu_alu *a)
{
	static const uint16_t ops[GEN_OP_COUNT] = {
		[GEN_OP_rndd] = EU_UOP_rndd_f,
		[GEN_OP_rndu] = EU_UOP_rndu_f,
		[GEN_OP_rnde] = EU_UOP_rnde_f,
		[GEN_OP_rndz] = EU_UOP_rndz_f,
	};
	return a->is_float && eu_alu_load(a, 0, false) && finish_unary(a, ops[a->inst->op]);
}

static bool overlaps(unsigned x, unsigned y, unsigned bytes)
{
	return x != y && x < y + bytes && y < x + bytes;
}

/* What goes lane by lane must not read what it has written for a lane before. */
static void keep_apart(struct eu_alu *a, struct eu_alu_source *s, unsigned d)
{
	unsigned bytes = 4 * a->count;
	if (s->scalar || overlaps(s->offset, d, bytes) ||
		overlaps(s->offset, EU_OFFSET(acc), bytes)) {
		uint16_t temp = eu_alu_temp(a);
		eu_alu_emit(a, eu_uop_code(EU_UOP_mov, a->width, s->scalar),
			(struct eu_uop){ .d = temp, .a = s->offset });
		s->offset = temp;
		s->scalar = false;
	}
}

/* Where mul, mach, addc and subb put their dwords; false when that takes the general path. */
static bool wide_destination(const struct eu_alu *a, uint16_t *d)
{
	const struct gen_operand *o = &a->inst->dst;
	*d = (uint16_t)(eu_alu_dst_is_null(a->inst) ? 0 : eu_alu_operand_start(o));
	if (a->inst->op == GEN_OP_mul)
		return *d == EU_OFFSET(acc) && eu_alu_dst_is_direct(a);
	return eu_alu_dst_is_direct(a) && o->file == GEN_FILE_GRF;
}

/* cr0.0 or-ed or xor-ed with an immediate. */
static bool lower_cr0(struct eu_lowering *l, const struct gen_inst *inst)
{
	const struct gen_operand *d = &inst->dst, *s = &inst->src[0];
	bool cr0 = d->file == GEN_FILE_CR && d->reg == 0 && d->sub == 0 && d->type == GEN_TYPE_UD &&
		   s->file == GEN_FILE_CR && s->reg == 0 && s->sub == 0 && s->type == GEN_TYPE_UD &&
		   !s->neg && inst->src[1].file == GEN_FILE_IMM && !inst->src[1].neg;
	if (!cr0 || inst->exec_size != 1 || !inst->no_mask || inst->cond || inst->predicate)
		return false;
	uint32_t value = (uint32_t)inst->src[1].imm;
	if (inst->src[1].type == GEN_TYPE_UW)
		value &= 0xffff;
	else if (inst->src[1].type != GEN_TYPE_UD)
		return false;
	struct eu_uop uop = { .imm = value };
	if (inst->op == GEN_OP_xor)
		uop = (struct eu_uop){ .target = value };
	else if (inst->op != GEN_OP_or)
		return false;
	eu_lower_emit_plain(l, EU_UOP_cr0, uop);
	return true;
}

/* Keeps its general form at hand for the modes that it is not made for. */
static bool lower_math(struct eu_alu *a)
{
	static const uint16_t ops[16] = {
		[GEN_MATH_INV] = EU_UOP_math_inv,
		[GEN_MATH_SQT] = EU_UOP_math_sqt,
		[GEN_MATH_RSQT] = EU_UOP_math_rsqt,
		[GEN_MATH_EXP] = EU_UOP_math_exp,
		[GEN_MATH_LOG] = EU_UOP_math_log,
		[GEN_MATH_SIN] = EU_UOP_math_sin,
		[GEN_MATH_COS] = EU_UOP_math_cos,
	};
	unsigned op = ops[a->inst->function & 15];
	if (!op || a->predicated || a->inst->saturate || !eu_alu_dst_is_direct(a) ||
		!eu_alu_load(a, 0, false))
		return false;
	if (a->source[0].scalar)
		eu_alu_spread(a, &a->source[0]);
	eu_alu_emit_masked(a, eu_uop_code(op, a->width, 0),
		(struct eu_uop){ .d = (uint16_t)eu_alu_operand_start(&a->inst->dst),
			.a = a->source[0].offset,
			.imm = a->l->kernel->generic_count++ });
	return true;
}

/* mul to the accumulator, mach, addc, subb: 64-bit arithmetic on dwords. */
static bool lower_wide(struct eu_alu *a)
{
	const struct gen_inst *inst = a->inst;
	static const uint16_t ids[GEN_OP_COUNT] = {
		[GEN_OP_mul] = EU_UOP_multiply,
		[GEN_OP_mach] = EU_UOP_mach,
		[GEN_OP_macl] = EU_UOP_mach,
		[GEN_OP_addc] = EU_UOP_addc,
		[GEN_OP_subb] = EU_UOP_subb,
	};
	bool carries = inst->op == GEN_OP_addc || inst->op == GEN_OP_subb;
	struct eu_uop uop = { .c = (uint16_t)a->count };
	if (inst->cond != GEN_COND_NONE || (carries && !inst->acc_wr_en) ||
		!wide_destination(a, &uop.d))
		return false;
	for (unsigned i = 0; i < 2; i++) {
		if (inst->src[i].neg || inst->src[i].abs || !eu_alu_load(a, i, true))
			return false;
		keep_apart(a, &a->source[i], uop.d);
	}
	uop.imm = (a->source[0].sign == EU_SIGN_SIGNED ? EU_WIDE_A_SIGNED : 0) |
		  (a->source[1].sign == EU_SIGN_SIGNED ? EU_WIDE_B_SIGNED : 0) |
		  (inst->op == GEN_OP_mach && inst->acc_wr_en ? EU_WIDE_HIGH : 0);
	uop.a = a->source[0].offset;
	uop.b = a->source[1].offset;
	eu_alu_emit_masked(a, ids[inst->op], uop);
	return true;
}

/* -- The way in ----------------------------------------------------------------------------- */

static bool dst_possible(const struct eu_alu *a)
{
	const struct gen_operand *o = &a->inst->dst;
	if (eu_alu_dst_is_null(a->inst))
		return true;
	if (o->addressing != GEN_DIRECT)
		return false;
	if (o->file == GEN_FILE_ACC)
		return gen_type_is_float((enum gen_type)o->type) || !a->l->has_mach ||
		       a->inst->op == GEN_OP_mul || gen_type_size((enum gen_type)o->type) < 4;
	return o->file == GEN_FILE_GRF || o->file == GEN_FILE_F || o->file == GEN_FILE_A;
}

static bool type_possible(const struct eu_alu *a, unsigned type)
{
	switch (type) {
	case GEN_TYPE_NONE:
	case GEN_TYPE_DF:
	case GEN_TYPE_Q:
	case GEN_TYPE_UQ:
	case GEN_TYPE_VF:
		return false;
	case GEN_TYPE_HF:
		return a->l->plain_denormals;
	}
	return true;
}

/*
 * Sums and products of halves in single precision, rounded again, are rounded right: 24 bits are
 * twice 11 and two more. That holds for halves only, and not for mad.
 */
static bool half_result_possible(const struct gen_inst *inst)
{
	if (inst->op == GEN_OP_mov)
		return true;
	for (unsigned s = 0; s < inst->source_count; s++)
		if (inst->src[s].type != GEN_TYPE_HF)
			return false;
	return inst->op != GEN_OP_mad && inst->op != GEN_OP_math;
}

static bool types_possible(struct eu_alu *a)
{
	const struct gen_inst *inst = a->inst;
	unsigned floats = 0, type = inst->dst.type;
	bool matters = !eu_alu_dst_is_null(inst) || inst->cond != GEN_COND_NONE;
	for (unsigned s = 0; s < inst->source_count; s++) {
		if (!type_possible(a, inst->src[s].type))
			return false;
		floats += gen_type_is_float((enum gen_type)inst->src[s].type);
	}
	a->is_float = floats > 0;
	if ((floats && floats != inst->source_count) || (matters && !type_possible(a, type)))
		return false;
	if (inst->op == GEN_OP_cmp)
		return true;
	if (matters && type == GEN_TYPE_HF && !half_result_possible(inst))
		return false;
	if (inst->op == GEN_OP_mov)
		return true;
	return !matters || a->is_float == gen_type_is_float((enum gen_type)type);
}

static bool possible(struct eu_alu *a)
{
	const struct gen_inst *inst = a->inst;
	uint16_t shift;
	bool whole = a->count == 1 || a->count == 8 || a->count == 16;
	bool known = inst->op == GEN_OP_cmp && compares_with_itself(inst) && !inst->predicate;
	if ((a->count > 16 && !known) || !types_possible(a) || !dst_possible(a))
		return false;
	if (inst->cond == GEN_COND_OV || inst->cond == GEN_COND_UN || inst->cond == GEN_COND_EO)
		return false;
	if (inst->cond != GEN_COND_NONE && inst->op != GEN_OP_sel &&
		((!whole && !known) || !eu_alu_flag_shift(a, inst->flag, &shift)))
		return false;
	if (inst->predicate != GEN_PRED_NONE &&
		(!eu_alu_flag_shift(a, inst->flag, &shift) ||
			(!whole && inst->channel_offset + 8 > GEN_MAX_LANES)))
		return false;
	if (inst->saturate && !gen_type_is_float((enum gen_type)inst->dst.type))
		return false;
	return !inst->acc_wr_en || inst->op == GEN_OP_mach || inst->op == GEN_OP_addc ||
	       inst->op == GEN_OP_subb;
}

static bool lower_op(struct eu_alu *a)
{
	const struct gen_inst *inst = a->inst;
	bool f = a->is_float;
	switch (inst->op) {
	case GEN_OP_mov:
		return lower_mov(a);
	case GEN_OP_sel:
		return lower_sel(a);
	case GEN_OP_cmp:
		return lower_cmp(a);
	case GEN_OP_add:
		return lower_add(a);
	case GEN_OP_mad:
		return lower_mad(a);
	case GEN_OP_mul:
		if (!f && inst->dst.file == GEN_FILE_ACC)
			return lower_wide(a);
		return lower_binary(a, f ? EU_UOP_mul_f : EU_UOP_mul_i);
	case GEN_OP_and:
		return lower_binary(a, EU_UOP_and);
	case GEN_OP_or:
		return lower_binary(a, EU_UOP_or);
	case GEN_OP_xor:
		return lower_binary(a, EU_UOP_xor);
	case GEN_OP_not:
		return lower_not(a);
	case GEN_OP_shl:
	case GEN_OP_shr:
	case GEN_OP_asr:
	case GEN_OP_rol:
	case GEN_OP_ror:
		return lower_shift(a);
	case GEN_OP_rndd:
	case GEN_OP_rndu:
	case GEN_OP_rnde:
	case GEN_OP_rndz:
		return lower_round(a);
	case GEN_OP_mach:
	case GEN_OP_macl:
	case GEN_OP_addc:
	case GEN_OP_subb:
		return lower_wide(a);
	case GEN_OP_math:
		return f ? lower_math(a) : lower_divide(a);
	case GEN_OP_lzd:
	case GEN_OP_fbl:
	case GEN_OP_cbit:
	case GEN_OP_bfrev:
		return lower_bits(a);
	}
	return false;
}

static enum eu_width width_of(unsigned count)
{
	return count == 1 ? EU_WIDTH_1 : count <= 8 ? EU_WIDTH_8 : EU_WIDTH_16;
}

/* Copies of halves without modifiers are copies of words. */
static const struct gen_inst *copy_as_words(const struct gen_inst *inst, struct gen_inst *words)
{
	if ((inst->op != GEN_OP_mov && inst->op != GEN_OP_sel) || inst->cond || inst->saturate ||
		inst->dst.type != GEN_TYPE_HF)
		return inst;
	*words = *inst;
	words->dst.type = GEN_TYPE_UW;
	for (unsigned s = 0; s < inst->source_count; s++) {
		const struct gen_operand *o = &inst->src[s];
		if (o->type != GEN_TYPE_HF || o->neg || o->abs)
			return inst;
		words->src[s].type = GEN_TYPE_UW;
	}
	return words;
}

/* One channel with a predicate: passed over, or executed without any mask. */
static bool lower_one(struct eu_alu *a, struct gen_inst *plain)
{
	struct eu_lowering *l = a->l;
	uint32_t start = l->count;
	struct eu_uop unless = predicate_uop(a, !a->inst->no_mask);
	eu_alu_emit(a, EU_UOP_unless, unless);
	*plain = *a->inst;
	plain->no_mask = true;
	a->inst = plain;
	a->predicated = false;
	if (!lower_op(a) || l->no_memory) {
		l->count = start;
		return false;
	}
	l->full[start].past = l->partial[start].past = (uint16_t)(l->count - start - 1);
	return true;
}

bool eu_lower_alu(struct eu_lowering *l, const struct gen_inst *original)
{
	struct gen_inst words;
	const struct gen_inst *inst = copy_as_words(original, &words);
	struct eu_alu a = { .l = l, .inst = inst, .count = inst->exec_size };
	uint32_t start = l->count;
	a.width = width_of(a.count);
	bool chooses = inst->op == GEN_OP_sel && inst->cond == GEN_COND_NONE;
	a.predicated = inst->predicate != GEN_PRED_NONE && !chooses;
	if (lower_cr0(l, inst))
		return true;
	if (!possible(&a))
		return false;
	if (eu_alu_dst_is_null(inst) && inst->cond == GEN_COND_NONE && !inst->acc_wr_en)
		return true; /* waits for what a message returns */
	if (a.predicated && a.count == 1)
		return lower_one(&a, &words);
	if (a.predicated)
		emit_predicate(
			&a, !inst->no_mask, inst->op == GEN_OP_cmp && eu_alu_dst_is_null(inst));
	if (lower_op(&a))
		return true;
	l->count = start;
	return false;
}
