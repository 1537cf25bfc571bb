// SPDX-License-Identifier: MIT
/*
 * Lowers frequent instructions to micro-operations of their own: operations on dwords and floats
 * with contiguous and scalar operands; other types and regions through temporaries. The generic
 * path executes all other instructions, and would give the same bits for these.
 */
#include "eu/code/eu_lower_operand.h"

#include <stddef.h>
#include <string.h>

struct rule;

/* How an opcode is lowered, and which rows of uop.def compute it: 0: none does. */
typedef bool rule_fn(struct eu_alu *a, const struct rule *rule);
struct rule {
	rule_fn *lower;
	uint16_t f, i, u; /* floats; integers; unsigned ones where that makes a difference */
	uint16_t half;	  /* to halves where that does */
	uint8_t limits;	  /* of operands, as follows */
};
enum { NOT_UNSIGNED = 1, ANY_ARGUMENT = 2 };

/* -- Operations ----------------------------------------------------------------------------- */

/* Computes the result by a row whose sources are a->source[order[…]]. */
static bool finish(struct eu_alu *a, unsigned row, unsigned count, const uint8_t order[])
{
	struct eu_uop uop = { .shift = 0 };
	uint16_t *const operands[] = { &uop.a, &uop.b, &uop.c };
	bool all_scalar = count > 1;
	unsigned shape = 0;
	for (unsigned i = 0; i < count; i++)
		all_scalar &= a->source[order[i]].scalar;
	if (all_scalar)
		eu_alu_spread(a, &a->source[order[0]]);
	for (unsigned i = 0; i < count; i++) {
		shape |= (unsigned)a->source[order[i]].scalar << i;
		*operands[i] = a->source[order[i]].offset;
	}
	return eu_alu_finish(a, (struct eu_alu_step){ eu_uop_code(row, a->width, shape), uop });
}

static const uint8_t in_order[] = { 0, 1, 2 }, reversed[] = { 1, 0 };

static bool finish_unary(struct eu_alu *a, unsigned row)
{
	return finish(a, row, 1, in_order);
}

static bool load_all(struct eu_alu *a, bool takes_modifiers)
{
	for (unsigned i = 0; i < a->inst->source_count; i++)
		if (!eu_alu_load(a, i, takes_modifiers))
			return false;
	return true;
}

static bool has_halves_only(const struct gen_inst *inst)
{
	for (unsigned s = 0; s < inst->source_count; s++)
		if (inst->src[s].type != GEN_TYPE_HF)
			return false;
	return true;
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

static bool lower_cmp(struct eu_alu *a, const struct rule *rule)
{
	(void)rule;
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

static enum eu_width width_of(unsigned count)
{
	return count == 1 ? EU_WIDTH_1 : count <= 8 ? EU_WIDTH_8 : EU_WIDTH_16;
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

void eu_lower_predicate(struct eu_lowering *l, const struct gen_inst *inst, bool only_bits)
{
	struct eu_alu a = { .l = l, .inst = inst, .count = inst->exec_size };
	a.width = width_of(a.count);
	emit_predicate(&a, !inst->no_mask, only_bits);
}

/*
 * For rows that pass denormals on, where the instruction flushes them if cr0 says so: a product
 * does. False when the pool of constants is full.
 */
static bool flush_source(struct eu_alu *a, unsigned index)
{
	const uint32_t one = 0x3f800000;
	return !a->is_float || a->l->plain_denormals ||
	       eu_alu_limit(a, EU_UOP_mul_f, one, &a->source[index]);
}

/* Minimum and maximum, or a choice by the predicate. */
static bool lower_sel(struct eu_alu *a, const struct rule *rule)
{
	static const uint16_t least[] = { EU_UOP_min_f, EU_UOP_min_i, EU_UOP_min_u },
			      most[] = { EU_UOP_max_f, EU_UOP_max_i, EU_UOP_max_u };
	const struct gen_inst *inst = a->inst;
	enum eu_compare_kind kind;
	(void)rule;
	if (!load_all(a, false))
		return false;
	unsigned cond = inst->cond;
	bool takes_least = cond == GEN_COND_LT || cond == GEN_COND_LE;
	bool takes_most = cond == GEN_COND_GE || cond == GEN_COND_GT;
	/* Of two zeros these take the other one. */
	bool turned = cond == GEN_COND_LE || cond == GEN_COND_GT;
	if (takes_least || takes_most)
		return flush_source(a, 0) && flush_source(a, 1) && compare_kind(a, &kind) &&
		       finish(a, takes_least ? least[kind] : most[kind], 2,
			       turned ? reversed : in_order);
	if (cond != GEN_COND_NONE)
		return false;
	emit_predicate(a, false, false);
	unsigned shape = (unsigned)a->source[0].scalar | (unsigned)a->source[1].scalar << 1;
	uint16_t lanes = (uint16_t)(EU_OFFSET(pm.lanes) + 4 * inst->channel_offset);
	return eu_alu_finish(
		a, (struct eu_alu_step){ eu_uop_code(EU_UOP_select, a->width, shape),
			   { .a = a->source[0].offset, .b = a->source[1].offset, .c = lanes } });
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
	bool anywhere = a->inst->dst.addressing != GEN_DIRECT;
	unsigned d = eu_alu_operand_start(&a->inst->dst), reach = 4 * a->count;
	if (s->scalar)
		eu_alu_spread(a, s);
	else if (anywhere ||
		 (s->offset < d + a->count * a->inst->dst.hstride * 2 && d < s->offset + reach))
		eu_alu_unary(a, EU_UOP_mov, s);
	eu_alu_scatter(a, s->offset);
	return true;
}

/* Holds the integers of a source within the range of a type. */
static bool saturate(struct eu_alu *a, unsigned type, struct eu_alu_source *s)
{
	unsigned bits = 8 * gen_type_size((enum gen_type)type);
	bool is_signed = gen_type_is_signed((enum gen_type)type);
	uint32_t most = UINT32_MAX >> (32 - bits) >> is_signed, least = is_signed ? ~most : 0;
	if (s->sign == EU_SIGN_UNSIGNED)
		return most == UINT32_MAX || eu_alu_limit(a, EU_UOP_min_u, most, s);
	return (least == 0x80000000 || eu_alu_limit(a, EU_UOP_max_i, least, s)) &&
	       (most >= INT32_MAX || eu_alu_limit(a, EU_UOP_min_i, most, s));
}

/* Floats to integers: towards zero, to the nearest there is, NaN to 0. */
static bool lower_mov_to_int(struct eu_alu *a)
{
	unsigned type = a->inst->dst.type;
	struct eu_alu_source *s = &a->source[0];
	if (a->l->rounds_int)
		return false;
	if (gen_type_size((enum gen_type)type) == 4)
		return finish_unary(a, gen_type_is_signed((enum gen_type)type) ? EU_UOP_i_from_f
									       : EU_UOP_u_from_f);
	eu_alu_unary(a, EU_UOP_i_from_f, s);
	s->sign = EU_SIGN_SIGNED;
	return saturate(a, type, s) && finish_unary(a, EU_UOP_mov);
}

/* Integers to integers of another range. */
static bool lower_saturating_mov(struct eu_alu *a)
{
	const struct gen_operand *o = &a->inst->src[0];
	return !o->neg && !o->abs && a->inst->cond == GEN_COND_NONE && eu_alu_load(a, 0, false) &&
	       saturate(a, a->inst->dst.type, &a->source[0]) && finish_unary(a, EU_UOP_mov);
}

static bool lower_mov(struct eu_alu *a, const struct rule *rule)
{
	(void)rule;
	unsigned type = a->inst->dst.type;
	const struct gen_operand *o = &a->inst->src[0];
	bool to_float = gen_type_is_float((enum gen_type)type);
	if (!a->is_float && !to_float && a->inst->saturate)
		return lower_saturating_mov(a);
	if (!a->is_float && !to_float && gen_type_size((enum gen_type)type) < 4 &&
		!eu_alu_dst_is_null(a->inst) && a->inst->cond == GEN_COND_NONE && !o->neg &&
		!o->abs)
		return lower_narrowing_mov(a);
	if (!eu_alu_load(a, 0, a->is_float && to_float))
		return false;
	if (a->is_float && to_float && (o->neg || o->abs) && !flush_source(a, 0))
		return false;
	if (a->is_float == to_float)
		return finish_unary(a, float_modifier(a));
	if (!a->is_float)
		return finish_unary(a,
			a->source[0].sign == EU_SIGN_UNSIGNED ? EU_UOP_f_from_u : EU_UOP_f_from_i);
	return lower_mov_to_int(a);
}

/* Floats, to a half: of one of them the product with 1. */
static bool lower_add_to_half(struct eu_alu *a)
{
	static const uint32_t one = 0x3f800000;
	a->source[2] = (struct eu_alu_source){ .scalar = a->count > 1 };
	return load_all(a, false) && eu_alu_constants(a, &one, 1, &a->source[2].offset) &&
	       finish(a, EU_UOP_fma_h, 3, in_order);
}

/* With one negative source, a subtraction. */
static bool lower_add(struct eu_alu *a, const struct rule *rule)
{
	if (a->inst->dst.type == GEN_TYPE_HF && !has_halves_only(a->inst))
		return lower_add_to_half(a);
	const struct gen_operand *x = &a->inst->src[0], *y = &a->inst->src[1];
	unsigned sub = a->is_float ? EU_UOP_sub_f : EU_UOP_sub_i;
	bool minus_x = x->neg && !x->abs && !y->neg && !y->abs && x->file != GEN_FILE_IMM;
	bool minus_y = y->neg && !y->abs && !x->neg && !x->abs && y->file != GEN_FILE_IMM;
	if (!eu_alu_load(a, 0, minus_x) || !eu_alu_load(a, 1, minus_y))
		return false;
	if (minus_x || minus_y)
		return finish(a, sub, 2, minus_x ? reversed : in_order);
	return finish(a, a->is_float ? rule->f : rule->i, 2, in_order);
}

/* Two sums. */
static bool lower_add3(struct eu_alu *a, const struct rule *rule)
{
	struct eu_uop first = { .shift = 0 };
	unsigned shape;
	if (!load_all(a, false))
		return false;
	if (a->source[0].scalar && a->source[1].scalar)
		eu_alu_spread(a, &a->source[0]);
	shape = (unsigned)a->source[0].scalar | (unsigned)a->source[1].scalar << 1;
	first.a = a->source[0].offset;
	first.b = a->source[1].offset;
	first.d = eu_alu_temp(a);
	eu_alu_emit(a, eu_uop_code(rule->i, a->width, shape), first);
	a->source[0] = (struct eu_alu_source){ .offset = first.d };
	a->source[1] = a->source[2];
	return finish(a, rule->i, 2, in_order);
}

static bool lower_mad(struct eu_alu *a, const struct rule *rule)
{
	const struct gen_operand *s = a->inst->src;
	unsigned negative = (unsigned)s[0].neg + s[1].neg + s[2].neg;
	bool takes = a->is_float && negative == 1 && !s[0].abs && !s[1].abs && !s[2].abs;
	unsigned row = a->is_float ? rule->f : rule->i;
	if (a->inst->dst.type == GEN_TYPE_HF)
		return load_all(a, false) &&
		       finish(a, has_halves_only(a->inst) ? EU_UOP_mad_h : EU_UOP_fma_h, 3,
			       in_order);
	if (takes)
		row = s[0].neg ? EU_UOP_msub_f : EU_UOP_nmad_f;
	return load_all(a, takes) && finish(a, row, 3, in_order);
}

/* a * b + the accumulator, in single precision. */
static bool lower_mac(struct eu_alu *a, const struct rule *rule)
{
	static const uint8_t acc_first[] = { 2, 0, 1 };
	const struct gen_inst *inst = a->inst;
	if (inst->dst.type != GEN_TYPE_F || inst->src[0].type != GEN_TYPE_F ||
		inst->src[1].type != GEN_TYPE_F || !load_all(a, false))
		return false;
	a->source[2] = (struct eu_alu_source){ .offset = EU_OFFSET(acc) + eu_mac_offset(inst) };
	return finish(a, rule->f, 3, acc_first);
}

/* A choice by the third source, compared with zero: what is no row is one of the others turned. */
static bool lower_csel(struct eu_alu *a, const struct rule *rule)
{
	static const uint8_t swapped[] = { 1, 0, 2 };
	unsigned cond = a->inst->cond;
	(void)rule;
	if (!a->is_float || a->inst->dst.type != GEN_TYPE_F || !load_all(a, false))
		return false;
	if (cond == GEN_COND_LT || cond == GEN_COND_LE)
		eu_alu_unary(a, EU_UOP_neg_f, &a->source[2]);
	return finish(a,
		cond == GEN_COND_EQ || cond == GEN_COND_NE   ? EU_UOP_csel_f_eq
		: cond == GEN_COND_GT || cond == GEN_COND_LT ? EU_UOP_csel_f_gt
							     : EU_UOP_csel_f_ge,
		3, cond == GEN_COND_NE ? swapped : in_order);
}

static bool lower_bfn(struct eu_alu *a, const struct rule *rule)
{
	struct eu_alu_step step;
	(void)rule;
	return load_all(a, false) && eu_alu_bfn(a, &step) && eu_alu_finish(a, step);
}

/* An operation that one row computes. */
static bool lower_plain(struct eu_alu *a, const struct rule *rule)
{
	enum eu_compare_kind kind;
	unsigned row = a->is_float ? rule->f : rule->i;
	if (!row || !load_all(a, false))
		return false;
	if ((rule->limits & NOT_UNSIGNED) && a->source[0].sign == EU_SIGN_UNSIGNED)
		return false;
	if (!a->is_float && rule->u) {
		if (!compare_kind(a, &kind))
			return false;
		row = kind == EU_COMPARE_u ? rule->u : row;
	}
	return finish(a, row, a->inst->source_count, in_order);
}

/* Words are turned as dwords that have them twice. */
static bool lower_rotate(struct eu_alu *a, const struct rule *rule)
{
	unsigned type = a->inst->src[0].type;
	if (gen_type_size((enum gen_type)type) == 4)
		return lower_plain(a, rule);
	return type == GEN_TYPE_UW && load_all(a, false) &&
	       eu_alu_limit(a, EU_UOP_mul_i, 0x10001, &a->source[0]) &&
	       finish(a, rule->i, 2, in_order);
}

static bool lower_dp4a(struct eu_alu *a, const struct rule *rule)
{
	static const uint16_t rows[2][2] = { { EU_UOP_dp4a_uu, EU_UOP_dp4a_us },
		{ EU_UOP_dp4a_su, EU_UOP_dp4a_ss } };
	const struct gen_operand *s = a->inst->src;
	(void)rule;
	for (unsigned i = 0; i < 3; i++)
		if ((i > 0 && gen_type_size((enum gen_type)s[i].type) != 4) || s[i].neg || s[i].abs)
			return false;
	bool b = gen_type_is_signed((enum gen_type)s[1].type);
	bool c = gen_type_is_signed((enum gen_type)s[2].type);
	return load_all(a, false) && finish(a, rows[b][c], 3, in_order);
}

/* The field's own type says whether it is signed. */
static bool lower_bfe(struct eu_alu *a, const struct rule *rule)
{
	bool is_signed = gen_type_is_signed((enum gen_type)a->inst->src[2].type);
	return load_all(a, false) && finish(a, is_signed ? rule->i : rule->u, 3, in_order);
}

static bool lower_not(struct eu_alu *a, const struct rule *rule)
{
	return load_all(a, true) && finish_unary(a, a->inst->src[0].neg ? EU_UOP_mov : rule->i);
}

/* Where mul, mach, addc and subb put their dwords; false when that takes the generic path. */
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
	/* Threads start with what the first of these sets. */
	if (l->index != l->entry_inst || uop.imm != l->kernel->entry_cr0)
		eu_lower_emit_plain(l, EU_UOP_cr0, uop);
	return true;
}

/*
 * Vector code for round to nearest with denormals kept; the generic form of the instruction stays
 * at hand for other modes, and writes its destination itself where arguments are beyond what
 * vectors take. No half is.
 */
static bool lower_math_f(struct eu_alu *a, const struct rule *rule)
{
	struct eu_uop uop = { .imm = a->l->kernel->generic_count };
	uint16_t *const operands[] = { &uop.a, &uop.b };
	bool to_half = a->inst->dst.type == GEN_TYPE_HF, from_halves = has_halves_only(a->inst);
	unsigned row = to_half && rule->half ? rule->half : rule->f;
	unsigned count = eu_uop_info(row)->operand[2] == EU_OPERAND_NONE ? 1 : 2;
	bool direct = !to_half && !a->inst->saturate && eu_alu_dst_is_direct(a);
	if (!a->is_float || a->inst->cond || (to_half && !from_halves) ||
		!(direct || from_halves || (rule->limits & ANY_ARGUMENT)))
		return false;
	for (unsigned i = 0; i < count; i++) {
		if (!eu_alu_load(a, i, false))
			return false;
		if (a->source[i].scalar)
			eu_alu_spread(a, &a->source[i]);
		*operands[i] = a->source[i].offset;
	}
	uop.d = direct ? (uint16_t)eu_alu_operand_start(&a->inst->dst) : eu_alu_temp(a);
	a->l->kernel->generic_count++;
	if (direct) {
		eu_alu_emit_masked(a, eu_uop_code(row, a->width, 0), uop);
		return true;
	}
	eu_alu_emit(a, eu_uop_code(row, a->width, 0), uop);
	a->source[0] = (struct eu_alu_source){ .offset = uop.d };
	return finish_unary(a, to_half ? EU_UOP_near_h : EU_UOP_mov);
}

static bool lower_math(struct eu_alu *a, const struct rule *rule)
{
	enum { any_argument = ANY_ARGUMENT, small_arguments = 0 };
	static const struct rule rules[16] = {
#define MATH(name, function, arguments, ...)                                                       \
	[function] = { lower_math_f, .f = EU_UOP_math_##name, .limits = arguments },
#define MATH_HALF(name, function) [function].half = EU_UOP_math_##name##_h,
#include "eu/ops/uop.def"
		[GEN_MATH_IQOT] = { lower_plain, .i = EU_UOP_iqot_i, .u = EU_UOP_iqot_u },
		[GEN_MATH_IREM] = { lower_plain, .i = EU_UOP_irem_i, .u = EU_UOP_irem_u },
	};
	rule = &rules[a->inst->function & 15];
	return rule->lower && rule->lower(a, rule);
}

/* mul to the accumulator, mach, addc, subb: 64-bit arithmetic on dwords. */
static bool lower_wide(struct eu_alu *a, const struct rule *rule)
{
	const struct gen_inst *inst = a->inst;
	bool carries = gen_ops[inst->op].flags & GEN_DOES_CARRIES;
	struct eu_uop uop = { .d = 0 };
	if (inst->cond != GEN_COND_NONE || (carries && !inst->acc_wr_en) ||
		!wide_destination(a, &uop.d))
		return false;
	for (unsigned i = 0; i < 2; i++) {
		if (inst->src[i].neg || inst->src[i].abs || !eu_alu_load(a, i, true))
			return false;
		if (a->source[i].scalar)
			eu_alu_spread(a, &a->source[i]);
	}
	uop.imm = (a->source[0].sign == EU_SIGN_SIGNED ? EU_WIDE_A_SIGNED : 0) |
		  (a->source[1].sign == EU_SIGN_SIGNED ? EU_WIDE_B_SIGNED : 0) |
		  (inst->op == GEN_OP_mach && inst->acc_wr_en ? EU_WIDE_HIGH : 0);
	uop.a = a->source[0].offset;
	uop.b = a->source[1].offset;
	if (inst->op != GEN_OP_mach || !a->l->is_pair) {
		eu_alu_emit_masked(a, eu_uop_code(rule->i, a->width, 0), uop);
		return true;
	}
	/* With the `mul` before it the whole product, whose high dwords are the result. */
	eu_alu_emit_masked(a, eu_uop_code(EU_UOP_multiply, a->width, 0), uop);
	eu_alu_emit_masked(a, eu_uop_code(EU_UOP_mov, a->width, 0),
		(struct eu_uop){ .d = uop.d, .a = EU_OFFSET(acc_high) });
	return true;
}

static bool lower_mul(struct eu_alu *a, const struct rule *rule)
{
	static const struct rule to_acc = { lower_wide, .i = EU_UOP_multiply };
	if (!a->is_float && a->inst->dst.file == GEN_FILE_ACC &&
		gen_type_size((enum gen_type)a->inst->dst.type) == 4)
		return lower_wide(a, &to_acc);
	if (a->inst->dst.type == GEN_TYPE_HF && !has_halves_only(a->inst))
		return load_all(a, false) && finish(a, EU_UOP_mul_h, 2, in_order);
	return lower_plain(a, rule);
}

static const struct rule rules[GEN_OP_COUNT] = {
	[GEN_OP_mov] = { lower_mov },
	[GEN_OP_sel] = { lower_sel },
	[GEN_OP_cmp] = { lower_cmp },
	[GEN_OP_add] = { lower_add, .f = EU_UOP_add_f, .i = EU_UOP_add_i },
	[GEN_OP_add3] = { lower_add3, .i = EU_UOP_add_i },
	[GEN_OP_mad] = { lower_mad, .f = EU_UOP_mad_f, .i = EU_UOP_mad_i },
	[GEN_OP_mac] = { lower_mac, .f = EU_UOP_mad_f },
	[GEN_OP_csel] = { lower_csel },
	[GEN_OP_bfn] = { lower_bfn },
	[GEN_OP_mul] = { lower_mul, .f = EU_UOP_mul_f, .i = EU_UOP_mul_i },
	[GEN_OP_and] = { lower_plain, .i = EU_UOP_and },
	[GEN_OP_or] = { lower_plain, .i = EU_UOP_or },
	[GEN_OP_xor] = { lower_plain, .i = EU_UOP_xor },
	[GEN_OP_not] = { lower_not, .i = EU_UOP_not },
	[GEN_OP_shl] = { lower_plain, .i = EU_UOP_shl },
	[GEN_OP_shr] = { lower_plain, .i = EU_UOP_shr },
	[GEN_OP_asr] = { lower_plain, .i = EU_UOP_asr, .limits = NOT_UNSIGNED },
	[GEN_OP_rol] = { lower_rotate, .i = EU_UOP_rol },
	[GEN_OP_ror] = { lower_rotate, .i = EU_UOP_ror },
	[GEN_OP_rndd] = { lower_plain, .f = EU_UOP_rndd_f },
	[GEN_OP_rndu] = { lower_plain, .f = EU_UOP_rndu_f },
	[GEN_OP_rnde] = { lower_plain, .f = EU_UOP_rnde_f },
	[GEN_OP_rndz] = { lower_plain, .f = EU_UOP_rndz_f },
	[GEN_OP_dp4a] = { lower_dp4a },
	[GEN_OP_bfe] = { lower_bfe, .i = EU_UOP_bfe_i, .u = EU_UOP_bfe_u },
	[GEN_OP_bfi1] = { lower_plain, .i = EU_UOP_bfi1 },
	[GEN_OP_bfi2] = { lower_plain, .i = EU_UOP_bfi2 },
	[GEN_OP_lzd] = { lower_plain, .i = EU_UOP_lzd },
	[GEN_OP_fbl] = { lower_plain, .i = EU_UOP_fbl },
	[GEN_OP_cbit] = { lower_plain, .i = EU_UOP_cbit },
	[GEN_OP_bfrev] = { lower_plain, .i = EU_UOP_bfrev },
	[GEN_OP_mach] = { lower_wide, .i = EU_UOP_mach },
	[GEN_OP_macl] = { lower_wide, .i = EU_UOP_mach },
	[GEN_OP_addc] = { lower_wide, .i = EU_UOP_addc },
	[GEN_OP_subb] = { lower_wide, .i = EU_UOP_subb },
	[GEN_OP_math] = { lower_math },
};

/* -- The way in ----------------------------------------------------------------------------- */

static bool dst_has_fast_path(const struct eu_alu *a)
{
	const struct gen_operand *o = &a->inst->dst;
	if (eu_alu_dst_is_null(a->inst))
		return true;
	if (o->addressing != GEN_DIRECT)
		return o->file == GEN_FILE_GRF && o->addressing == GEN_INDIRECT_1X1;
	if (o->file == GEN_FILE_ACC)
		return gen_type_is_float((enum gen_type)o->type) || eu_lower_acc_is_low(a->l) ||
		       a->inst->op == GEN_OP_mul || gen_type_size((enum gen_type)o->type) < 4;
	return o->file == GEN_FILE_GRF || o->file == GEN_FILE_F || o->file == GEN_FILE_A ||
	       o->file == GEN_FILE_N;
}

static bool type_has_fast_path(const struct eu_alu *a, unsigned type)
{
	switch (type) {
	case GEN_TYPE_NONE:
	case GEN_TYPE_DF:
	case GEN_TYPE_Q:
	case GEN_TYPE_UQ:
	case GEN_TYPE_VF:
	case GEN_TYPE_BF:
		return false;
	case GEN_TYPE_HF:
		return a->l->plain_denormals;
	}
	return true;
}

/*
 * Sums, products, quotients and roots of halves in single precision, rounded again, are rounded
 * right: 24 bits are twice 11 and two more. (For the other functions of math.*, eu_math_test goes
 * through all halves.) That holds for halves only: mad_h, mul_h, fma_h make what is not exact odd.
 */
static bool half_result_has_fast_path(const struct gen_inst *inst)
{
	return inst->op == GEN_OP_mov || inst->op == GEN_OP_mul || inst->op == GEN_OP_add ||
	       inst->op == GEN_OP_mad || has_halves_only(inst);
}

static bool types_have_fast_path(struct eu_alu *a)
{
	const struct gen_inst *inst = a->inst;
	unsigned floats = 0, type = inst->dst.type;
	bool matters = !eu_alu_dst_is_null(inst) || inst->cond != GEN_COND_NONE;
	for (unsigned s = 0; s < inst->source_count; s++) {
		if (!type_has_fast_path(a, inst->src[s].type))
			return false;
		floats += gen_type_is_float((enum gen_type)inst->src[s].type);
	}
	a->is_float = floats > 0;
	if ((floats && floats != inst->source_count) || (matters && !type_has_fast_path(a, type)))
		return false;
	if (inst->op == GEN_OP_cmp)
		return true;
	if (matters && type == GEN_TYPE_HF && !half_result_has_fast_path(inst))
		return false;
	if (inst->op == GEN_OP_mov)
		return true;
	return !matters || a->is_float == gen_type_is_float((enum gen_type)type);
}

static bool has_fast_path(struct eu_alu *a)
{
	const struct gen_inst *inst = a->inst;
	uint16_t shift;
	bool whole = a->count == 1 || a->count == 8 || a->count == 16;
	bool known = inst->op == GEN_OP_cmp && compares_with_itself(inst) && !inst->predicate;
	if ((a->count > 16 && !known) || !types_have_fast_path(a) || !dst_has_fast_path(a))
		return false;
	if (inst->cond == GEN_COND_OV || inst->cond == GEN_COND_UN || inst->cond == GEN_COND_EO)
		return false;
	if (inst->cond != GEN_COND_NONE && !(gen_ops[inst->op].flags & GEN_DOES_SELECTS) &&
		((!whole && !known) || !eu_alu_flag_shift(a, inst->flag, &shift)))
		return false;
	if (inst->predicate != GEN_PRED_NONE &&
		(!eu_alu_flag_shift(a, inst->flag, &shift) ||
			(!whole && inst->channel_offset + 8 > GEN_MAX_LANES)))
		return false;
	if (inst->saturate && !gen_type_is_float((enum gen_type)inst->dst.type) &&
		inst->op != GEN_OP_mov)
		return false;
	return !inst->acc_wr_en || inst->op == GEN_OP_mach || inst->op == GEN_OP_addc ||
	       inst->op == GEN_OP_subb;
}

static bool lower_op(struct eu_alu *a)
{
	const struct rule *rule = &rules[a->inst->op];
	return rule->lower && rule->lower(a, rule);
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
	if (eu_alu_is_quad(inst))
		return eu_lower_quad(&a);
	if (!has_fast_path(&a))
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
