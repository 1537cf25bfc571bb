// SPDX-License-Identifier: MIT
/*
 * Lowers what is frequent to micro-operations of its own: dword and float operations on contiguous
 * and scalar operands, other integer types and regions through temporaries. What it declines goes
 * through the general path, and must give the same bits there.
 */
#include "eu/eu_lower.h"

#include <stddef.h>
#include <string.h>

/* What is known of the integers in a source's dwords. */
enum sign { SIGN_ANY, SIGN_SIGNED, SIGN_UNSIGNED };

/* A source where micro-operations can read it: dwords, one for all channels or one for each. */
struct source {
	uint16_t offset;
	bool scalar;
	enum sign sign;
};

/* An instruction on its way. */
struct alu {
	struct eu_lowering *l;
	const struct gen_inst *inst;
	const struct eu_handlers *h;
	unsigned count;	     /* channels */
	enum eu_width width; /* of the handlers */
	bool is_float;	     /* sources are float */
	bool predicated;     /* the predicate masks (it does not choose) */
	unsigned temps;	     /* in use */
	struct source source[3];
};

static uint16_t new_temp(struct alu *a)
{
	return (uint16_t)(EU_OFFSET(temp) + a->temps++ * sizeof(int32_t) * GEN_MAX_LANES);
}

static enum eu_width width_of(unsigned count)
{
	return count == 1 ? EU_WIDTH_1 : count <= 8 ? EU_WIDTH_8 : EU_WIDTH_16;
}

static void emit_same(struct alu *a, eu_handler run, struct eu_uop uop)
{
	eu_lower_emit(a->l, &uop, run, run);
}

/* Writes for the channels that the instruction writes: `pair` is without and with a mask. */
static void emit_masked(struct alu *a, const eu_handler pair[2], struct eu_uop uop)
{
	unsigned lane = a->inst->channel_offset * 4u;
	if (a->predicated) {
		uop.m = (uint16_t)(EU_OFFSET(pm.lanes) + lane);
		eu_lower_emit(a->l, &uop, pair[1], pair[1]);
	} else if (a->inst->no_mask) {
		eu_lower_emit(a->l, &uop, pair[0], pair[0]);
	} else {
		uop.m = (uint16_t)(EU_OFFSET(act.lanes) + lane);
		eu_lower_emit(a->l, &uop, pair[0], pair[1]);
	}
}

/* The place of `count` constants in the pool; false when the pool is full. */
static bool constants(struct alu *a, const uint32_t *values, unsigned count, uint16_t *offset)
{
	struct eu_kernel *kernel = a->l->kernel;
	uint32_t at = 0;
	while (at + count <= kernel->pool_count &&
		memcmp(kernel->pool + at, values, count * sizeof *values) != 0)
		at++;
	if (at + count > kernel->pool_count) {
		at = kernel->pool_count;
		if (at + count > EU_POOL_DWORDS)
			return false;
		memcpy(kernel->pool + at, values, count * sizeof *values);
		kernel->pool_count += count;
	}
	*offset = (uint16_t)(EU_OFFSET(pool) + at * sizeof *values);
	return true;
}

static bool is_logic(unsigned op)
{
	return op == GEN_OP_and || op == GEN_OP_or || op == GEN_OP_xor || op == GEN_OP_not;
}

/* -- Sources -------------------------------------------------------------------------------- */

static bool immediate_vector(struct alu *a, const struct gen_operand *o, struct source *s)
{
	uint32_t values[16];
	for (unsigned i = 0; i < 16; i++) {
		uint32_t nibble = (uint32_t)(o->imm >> i % 8 * 4) & 15;
		values[i] = o->type == GEN_TYPE_V && nibble & 8 ? nibble | ~15u : nibble;
	}
	*s = (struct source){ 0, false, o->type == GEN_TYPE_V ? SIGN_SIGNED : SIGN_ANY };
	return o->type != GEN_TYPE_VF && constants(a, values, 16, &s->offset);
}

static bool immediate(struct alu *a, const struct gen_operand *o, struct source *s)
{
	uint32_t value = (uint32_t)o->imm;
	enum sign sign = SIGN_ANY;
	switch (o->type) {
	case GEN_TYPE_V:
	case GEN_TYPE_UV:
	case GEN_TYPE_VF:
		return immediate_vector(a, o, s);
	case GEN_TYPE_UW:
	case GEN_TYPE_HF:
		value &= 0xffff;
		break;
	case GEN_TYPE_W:
		value = (uint32_t)(int16_t)value;
		sign = value >> 31 ? SIGN_SIGNED : SIGN_ANY;
		break;
	case GEN_TYPE_D:
		sign = value >> 31 ? SIGN_SIGNED : SIGN_ANY;
		break;
	case GEN_TYPE_UD:
		sign = value >> 31 ? SIGN_UNSIGNED : SIGN_ANY;
		break;
	}
	*s = (struct source){ 0, true, sign };
	return constants(a, &value, 1, &s->offset);
}

static enum sign sign_of_type(unsigned type)
{
	switch (type) {
	case GEN_TYPE_D:
	case GEN_TYPE_W:
	case GEN_TYPE_B:
		return SIGN_SIGNED;
	case GEN_TYPE_UD:
		return SIGN_UNSIGNED;
	}
	return SIGN_ANY;
}

/* Stride of a region that is one line, in elements; -1 when it is not. */
static int line_stride(const struct gen_operand *o, unsigned count)
{
	if (count == 1 || (o->vstride == 0 && o->hstride == 0) ||
		(o->vstride == 0 && o->width == 1))
		return 0;
	if (o->width == 1)
		return o->vstride;
	if (o->width >= count || o->vstride == o->width * o->hstride)
		return o->hstride;
	return -1;
}

/* The micro-operation that takes an element of a narrow type out of the dword it begins. */
static int low_part(unsigned type)
{
	switch (type) {
	case GEN_TYPE_UB:
		return EU_OP_low_ub;
	case GEN_TYPE_B:
		return EU_OP_low_b;
	case GEN_TYPE_UW:
	case GEN_TYPE_HF:
		return EU_OP_low_uw;
	case GEN_TYPE_W:
		return EU_OP_low_w;
	}
	return -1;
}

static void gather(struct alu *a, const struct gen_operand *o, uint16_t from, struct source *s)
{
	static const uint8_t ids[GEN_TYPE_COUNT] = {
		[GEN_TYPE_UB] = EU_UOP_GATHER_UB,
		[GEN_TYPE_B] = EU_UOP_GATHER_B,
		[GEN_TYPE_UW] = EU_UOP_GATHER_UW,
		[GEN_TYPE_HF] = EU_UOP_GATHER_UW,
		[GEN_TYPE_W] = EU_UOP_GATHER_W,
		[GEN_TYPE_D] = EU_UOP_GATHER_D,
		[GEN_TYPE_UD] = EU_UOP_GATHER_D,
		[GEN_TYPE_F] = EU_UOP_GATHER_D,
	};
	unsigned size = gen_type_size((enum gen_type)o->type);
	unsigned shift = o->width ? (unsigned)__builtin_ctz(o->width) : 0;
	s->offset = new_temp(a);
	s->scalar = false;
	emit_same(a, a->h->by_id[ids[o->type]],
		(struct eu_uop){ .d = s->offset,
			.a = from,
			.c = (uint16_t)a->count,
			.imm = o->vstride * size | o->hstride * size << 16 | shift << 24 });
}

/* A region in a register file that is memory. */
static bool direct_source(struct alu *a, const struct gen_operand *o, struct source *s)
{
	unsigned bytes, base = eu_file_offset(o->file, &bytes);
	unsigned size = gen_type_size((enum gen_type)o->type);
	int stride = line_stride(o, a->count), low = low_part(o->type);
	if (o->file != GEN_FILE_GRF && o->file != GEN_FILE_ACC && o->file != GEN_FILE_F &&
		o->file != GEN_FILE_A)
		return false;
	unsigned start = base + o->reg * (o->file == GEN_FILE_F ? 4u : 32u) + o->sub * size;
	s->sign = sign_of_type(o->type);
	s->scalar = stride == 0 && a->count > 1;
	s->offset = (uint16_t)start;
	if (size == 4 && (stride == 0 || stride == 1))
		return true;
	if (size < 4 && (stride == 0 || stride * (int)size == 4)) {
		s->offset = new_temp(a);
		enum eu_width width = stride == 0 ? EU_WIDTH_1 : a->width;
		emit_same(a, a->h->unary[low][width][0][0],
			(struct eu_uop){ .d = s->offset, .a = (uint16_t)start });
		return true;
	}
	if (size < 4 && stride == 1 && a->count >= 8) {
		static const uint8_t widen[GEN_TYPE_COUNT] = {
			[GEN_TYPE_UB] = EU_WIDEN_UB,
			[GEN_TYPE_B] = EU_WIDEN_B,
			[GEN_TYPE_UW] = EU_WIDEN_UW,
			[GEN_TYPE_W] = EU_WIDEN_W,
		};
		s->offset = new_temp(a);
		emit_same(a, a->h->widen[widen[o->type]][a->width],
			(struct eu_uop){ .d = s->offset, .a = (uint16_t)start });
		return true;
	}
	gather(a, o, (uint16_t)start, s);
	return true;
}

static bool indirect_source(struct alu *a, const struct gen_operand *o, struct source *s)
{
	bool one_each = o->addressing == GEN_INDIRECT_VXH && o->width <= 1;
	if (!one_each || gen_type_size((enum gen_type)o->type) != 4 || o->sub + a->count > 16)
		return false;
	*s = (struct source){ new_temp(a), false, sign_of_type(o->type) };
	emit_same(a, a->h->by_id[EU_UOP_GATHER_INDIRECT],
		(struct eu_uop){ .d = s->offset,
			.b = o->sub,
			.c = (uint16_t)a->count,
			.imm = (uint32_t)(int)o->offset });
	return true;
}

static void unary_temp(struct alu *a, enum eu_unary_op op, struct source *s)
{
	uint16_t temp = new_temp(a);
	enum eu_width width = s->scalar ? EU_WIDTH_1 : a->width;
	emit_same(a, a->h->unary[op][width][0][0], (struct eu_uop){ .d = temp, .a = s->offset });
	s->offset = temp;
}

/* Modifiers that the operation itself does not take. */
static bool modify(struct alu *a, const struct gen_operand *o, struct source *s)
{
	if (!o->abs && !o->neg)
		return true;
	if (a->is_float) {
		unary_temp(a, !o->abs ? EU_OP_neg_f : o->neg ? EU_OP_neg_abs_f : EU_OP_abs_f, s);
		return true;
	}
	if (is_logic(a->inst->op)) {
		if (o->neg)
			unary_temp(a, EU_OP_not, s);
		return true;
	}
	/* Modulo 2^32 only: right where the result is taken modulo 2^32 too. */
	switch (a->inst->op) {
	case GEN_OP_add:
	case GEN_OP_mul:
	case GEN_OP_mad:
	case GEN_OP_mov:
		break;
	default:
		return false;
	}
	if (a->inst->dst.type == GEN_TYPE_F)
		return false;
	if (o->abs && s->sign == SIGN_SIGNED)
		unary_temp(a, EU_OP_abs_i, s);
	if (o->neg)
		unary_temp(a, EU_OP_neg_i, s);
	return true;
}

/* Where source `index` can be read, without its modifiers when the caller takes those. */
static bool load(struct alu *a, unsigned index, bool takes_modifiers)
{
	const struct gen_operand *o = &a->inst->src[index];
	struct source *s = &a->source[index];
	bool loaded = o->file == GEN_FILE_IMM	    ? immediate(a, o, s)
		      : o->addressing == GEN_DIRECT ? direct_source(a, o, s)
						    : indirect_source(a, o, s);
	return loaded && (takes_modifiers || modify(a, o, s));
}

/* -- Destinations --------------------------------------------------------------------------- */

static bool dst_is_null(const struct gen_inst *inst)
{
	return !inst->has_dst || inst->dst.file == GEN_FILE_NULL;
}

static unsigned dst_start(const struct gen_operand *o)
{
	unsigned bytes, base = eu_file_offset(o->file, &bytes);
	return base + o->reg * (o->file == GEN_FILE_F ? 4u : 32u) +
	       o->sub * gen_type_size((enum gen_type)o->type);
}

/* Can a lane-wise handler of the instruction's width write the destination itself? */
static bool dst_is_direct(const struct alu *a)
{
	const struct gen_operand *o = &a->inst->dst;
	bool whole = a->count == 1 || a->count == 8 || a->count == 16;
	return !dst_is_null(a->inst) && gen_type_size((enum gen_type)o->type) == 4 && whole &&
	       (o->hstride == 1 || a->count == 1);
}

static bool dst_possible(const struct alu *a)
{
	const struct gen_operand *o = &a->inst->dst;
	if (dst_is_null(a->inst))
		return true;
	if (o->addressing != GEN_DIRECT)
		return false;
	if (o->file == GEN_FILE_ACC)
		return a->is_float || !a->l->has_mach || a->inst->op == GEN_OP_mul;
	return o->file == GEN_FILE_GRF || o->file == GEN_FILE_F || o->file == GEN_FILE_A;
}

/* Sends dwords from a temporary out to a destination that handlers cannot write themselves. */
static void scatter(struct alu *a, uint16_t from)
{
	const struct gen_operand *o = &a->inst->dst;
	unsigned size = gen_type_size((enum gen_type)o->type);
	enum eu_masked_id id = size == 1   ? EU_MASKED_SCATTER_8
			       : size == 2 ? EU_MASKED_SCATTER_16
					   : EU_MASKED_SCATTER_32;
	emit_masked(a, a->h->masked[id],
		(struct eu_uop){ .d = (uint16_t)dst_start(o),
			.a = from,
			.c = (uint16_t)a->count,
			.imm = o->hstride * size });
}

/* The last step of a result: `pair` computes it from uop's sources into the right place. */
struct step {
	const eu_handler (*pair)[2];
	struct eu_uop uop;
};

/* Flag bits from here on belong to the instruction's channels; false when they run over. */
static bool flag_shift(const struct alu *a, unsigned flag, uint16_t *shift)
{
	unsigned bit = (flag & 1) * 16u + a->inst->channel_offset;
	*shift = (uint16_t)((flag >> 1) * 32 + bit);
	return bit + a->count <= 32;
}

static void emit_compare(struct alu *a, enum eu_compare_kind kind, unsigned cond,
	const struct source *x, const struct source *y)
{
	unsigned shape = x->scalar ? 1 : y->scalar ? 2 : 0;
	struct eu_uop uop = { .a = x->offset, .b = y->offset, .imm = a->inst->channel_offset };
	uop.c = a->predicated ? EU_OFFSET(pm.bits) : EU_OFFSET(act.bits);
	flag_shift(a, a->inst->flag, &uop.shift);
	emit_masked(a, a->h->compare[kind][cond][a->width][shape], uop);
}

/* Compares a finished result with zero, as its destination's type has it. */
static bool emit_condition(struct alu *a, uint16_t at)
{
	const struct gen_inst *inst = a->inst;
	static const uint32_t zero = 0;
	struct source x = { at, false, SIGN_ANY }, y = { 0, a->count > 1, SIGN_ANY };
	if (!constants(a, &zero, 1, &y.offset))
		return false;
	enum eu_compare_kind kind = inst->dst.type == GEN_TYPE_F    ? EU_COMPARE_f
				    : inst->dst.type == GEN_TYPE_UD ? EU_COMPARE_u
								    : EU_COMPARE_i;
	int low = low_part(inst->dst.type);
	if (low >= 0) {
		x.offset = new_temp(a);
		emit_same(a, a->h->unary[low][a->width][0][0],
			(struct eu_uop){ .d = x.offset, .a = at });
	}
	emit_compare(a, kind, inst->cond, &x, &y);
	return true;
}

/* Emits the step that computes the result, with saturation, destination and flags. */
static bool finish(struct alu *a, struct step step)
{
	const struct gen_inst *inst = a->inst;
	bool direct = dst_is_direct(a);
	uint16_t at = direct ? (uint16_t)dst_start(&inst->dst) : new_temp(a);
	bool writes_flags = inst->cond != GEN_COND_NONE && inst->op != GEN_OP_sel;
	if (inst->saturate) {
		uint16_t temp = new_temp(a);
		step.uop.d = temp;
		emit_same(a, (*step.pair)[0], step.uop);
		step.pair = &a->h->unary[EU_OP_sat_f][a->width][0];
		step.uop = (struct eu_uop){ .a = temp };
	}
	step.uop.d = at;
	if (direct)
		emit_masked(a, *step.pair, step.uop);
	else
		emit_same(a, (*step.pair)[0], step.uop);
	if (!direct && !dst_is_null(inst))
		scatter(a, at);
	return !writes_flags || emit_condition(a, at);
}

/* -- Operations ----------------------------------------------------------------------------- */

static bool finish_unary(struct alu *a, enum eu_unary_op op)
{
	const struct source *x = &a->source[0];
	return finish(
		a, (struct step){ &a->h->unary[op][a->width][x->scalar], { .a = x->offset } });
}

/* Two scalars have no handler: the first is spread out. */
static void spread(struct alu *a, struct source *s)
{
	uint16_t temp = new_temp(a);
	emit_same(a, a->h->unary[EU_OP_mov][a->width][1][0],
		(struct eu_uop){ .d = temp, .a = s->offset });
	s->offset = temp;
	s->scalar = false;
}

static bool finish_binary(struct alu *a, enum eu_binary_op op, unsigned first, unsigned second)
{
	struct source *x = &a->source[first], *y = &a->source[second];
	if (x->scalar && y->scalar)
		spread(a, x);
	unsigned shape = x->scalar ? 1 : y->scalar ? 2 : 0;
	return finish(a, (struct step){ &a->h->binary[op][a->width][shape],
				 { .a = x->offset, .b = y->offset } });
}

static bool finish_ternary(struct alu *a, enum eu_ternary_op op)
{
	struct source *s = a->source;
	if (s[0].scalar && s[1].scalar && s[2].scalar)
		spread(a, &s[0]);
	unsigned shape =
		(unsigned)s[0].scalar | (unsigned)s[1].scalar << 1 | (unsigned)s[2].scalar << 2;
	return finish(a, (struct step){ &a->h->ternary[op][a->width][shape],
				 { .a = s[0].offset, .b = s[1].offset, .c = s[2].offset } });
}

/* Which comparison the integer sources want; false when their signs do not agree. */
static bool compare_kind(const struct alu *a, enum eu_compare_kind *kind)
{
	enum sign x = a->source[0].sign, y = a->source[1].sign;
	bool has_signed = x == SIGN_SIGNED || y == SIGN_SIGNED;
	bool has_unsigned = x == SIGN_UNSIGNED || y == SIGN_UNSIGNED;
	*kind = a->is_float ? EU_COMPARE_f : has_unsigned ? EU_COMPARE_u : EU_COMPARE_i;
	return a->is_float || !(has_signed && has_unsigned);
}

/* IGC reads the channels that are on by comparing a register with itself. */
static bool compares_with_itself(const struct gen_inst *inst)
{
	const struct gen_operand *x = &inst->src[0], *y = &inst->src[1];
	return x->file == GEN_FILE_GRF && !memcmp(x, y, sizeof *x) &&
	       !gen_type_is_float((enum gen_type)x->type) && dst_is_null(inst);
}

static bool lower_known_cmp(struct alu *a)
{
	const struct gen_inst *inst = a->inst;
	struct eu_uop uop = { .a = (uint16_t)a->count, .imm = inst->channel_offset };
	if (!flag_shift(a, inst->flag, &uop.shift))
		return false;
	uop.b = inst->cond == GEN_COND_EQ || inst->cond == GEN_COND_GE || inst->cond == GEN_COND_LE;
	uop.c = a->predicated ? EU_OFFSET(pm.bits) : EU_OFFSET(act.bits);
	emit_masked(a, a->h->masked[EU_MASKED_FLAGS], uop);
	return true;
}

static bool lower_cmp(struct alu *a)
{
	const struct gen_inst *inst = a->inst;
	enum eu_compare_kind kind;
	struct eu_uop fill = { .d = 0 };
	if (compares_with_itself(inst))
		return lower_known_cmp(a);
	if (!load(a, 0, false) || !load(a, 1, false) || !compare_kind(a, &kind))
		return false;
	if (a->source[0].scalar && a->source[1].scalar)
		spread(a, &a->source[0]);
	if (!flag_shift(a, inst->flag, &fill.shift))
		return false;
	emit_compare(a, kind, inst->cond, &a->source[0], &a->source[1]);
	if (dst_is_null(inst))
		return true;
	if (dst_is_direct(a)) {
		fill.d = (uint16_t)dst_start(&inst->dst);
		emit_masked(a, a->h->flags[a->width], fill);
		return true;
	}
	fill.d = new_temp(a);
	emit_same(a, a->h->flags[a->width][0], fill);
	scatter(a, fill.d);
	return true;
}

static void emit_predicate(struct alu *a, bool leave_out_inactive)
{
	const struct gen_inst *inst = a->inst;
	emit_same(a, a->h->predicate[a->width],
		(struct eu_uop){ .a = leave_out_inactive,
			.b = (uint16_t)(EU_OFFSET(flag) + 4 * (inst->flag >> 1)),
			.c = EU_PREDICATE(inst->predicate, inst->predicate_invert),
			.shift = (inst->flag & 1) * 16,
			.imm = inst->channel_offset });
}

static bool lower_sel(struct alu *a)
{
	const struct gen_inst *inst = a->inst;
	static const enum eu_binary_op least[] = { EU_OP_min_f, EU_OP_min_i, EU_OP_min_u },
				       most[] = { EU_OP_max_f, EU_OP_max_i, EU_OP_max_u };
	enum eu_compare_kind kind;
	if (!load(a, 0, false) || !load(a, 1, false))
		return false;
	if (inst->cond == GEN_COND_LT || inst->cond == GEN_COND_GE)
		return compare_kind(a, &kind) &&
		       finish_binary(a, inst->cond == GEN_COND_LT ? least[kind] : most[kind], 0, 1);
	if (inst->cond != GEN_COND_NONE)
		return false;
	emit_predicate(a, false);
	unsigned shape = (unsigned)a->source[0].scalar | (unsigned)a->source[1].scalar << 1;
	return finish(a, (struct step){ &a->h->select[a->width][shape],
				 { .a = a->source[0].offset,
					 .b = a->source[1].offset,
					 .c = (uint16_t)(EU_OFFSET(pm.lanes) +
							 4 * inst->channel_offset) } });
}

static enum eu_unary_op float_modifier(const struct alu *a)
{
	const struct gen_operand *o = &a->inst->src[0];
	if (!a->is_float || !(o->neg || o->abs))
		return EU_OP_mov;
	return !o->abs ? EU_OP_neg_f : o->neg ? EU_OP_neg_abs_f : EU_OP_abs_f;
}

/* Where a direct operand begins in struct eu_thread. */
static uint16_t source_start(const struct gen_operand *o)
{
	return (uint16_t)dst_start(o);
}

/* Integers to narrower ones, or as they are: a scatter takes the low bytes of each dword. */
static bool lower_narrowing_mov(struct alu *a)
{
	const struct gen_operand *o = &a->inst->src[0];
	struct source *s = &a->source[0];
	bool one = a->count == 1 && o->file == GEN_FILE_GRF && o->addressing == GEN_DIRECT &&
		   gen_type_size((enum gen_type)o->type) >=
			   gen_type_size((enum gen_type)a->inst->dst.type);
	if (one || (o->file == GEN_FILE_F && a->count == 1)) {
		scatter(a, source_start(o));
		return true;
	}
	if (!load(a, 0, true))
		return false;
	unsigned d = dst_start(&a->inst->dst), reach = 4 * a->count;
	if (s->scalar)
		spread(a, s);
	else if (s->offset < d + a->count * a->inst->dst.hstride * 2 && d < s->offset + reach)
		unary_temp(a, EU_OP_mov, s);
	scatter(a, s->offset);
	return true;
}

static bool lower_mov(struct alu *a)
{
	unsigned type = a->inst->dst.type;
	const struct gen_operand *o = &a->inst->src[0];
	if (!a->is_float && gen_type_size((enum gen_type)type) < 4 && !dst_is_null(a->inst) &&
		a->inst->cond == GEN_COND_NONE && !o->neg && !o->abs)
		return lower_narrowing_mov(a);
	bool to_float = gen_type_is_float((enum gen_type)type);
	if (!load(a, 0, a->is_float && to_float))
		return false;
	if (a->is_float == to_float)
		return finish_unary(a, float_modifier(a));
	if (!a->is_float)
		return finish_unary(
			a, a->source[0].sign == SIGN_UNSIGNED ? EU_OP_f_from_u : EU_OP_f_from_i);
	if (a->l->rounds_int || a->inst->saturate || (type != GEN_TYPE_D && type != GEN_TYPE_UD))
		return false;
	return finish_unary(a, type == GEN_TYPE_D ? EU_OP_i_from_f : EU_OP_u_from_f);
}

static bool lower_add(struct alu *a)
{
	const struct gen_operand *x = &a->inst->src[0], *y = &a->inst->src[1];
	enum eu_binary_op sub = a->is_float ? EU_OP_sub_f : EU_OP_sub_i;
	bool minus_x = x->neg && !x->abs && !y->neg && !y->abs && x->file != GEN_FILE_IMM;
	bool minus_y = y->neg && !y->abs && !x->neg && !x->abs && y->file != GEN_FILE_IMM;
	if (!load(a, 0, minus_x) || !load(a, 1, minus_y))
		return false;
	if (minus_x)
		return finish_binary(a, sub, 1, 0);
	if (minus_y)
		return finish_binary(a, sub, 0, 1);
	return finish_binary(a, a->is_float ? EU_OP_add_f : EU_OP_add_i, 0, 1);
}

static bool lower_mad(struct alu *a)
{
	const struct gen_operand *s = a->inst->src;
	unsigned negative = (unsigned)s[0].neg + s[1].neg + s[2].neg;
	bool takes = a->is_float && negative == 1 && !s[0].abs && !s[1].abs && !s[2].abs;
	for (unsigned i = 0; i < 3; i++)
		if (!load(a, i, takes))
			return false;
	if (!takes)
		return finish_ternary(a, a->is_float ? EU_OP_mad_f : EU_OP_mad_i);
	return finish_ternary(a, s[0].neg ? EU_OP_msub_f : EU_OP_nmad_f);
}

static bool lower_binary(struct alu *a, enum eu_binary_op op)
{
	return load(a, 0, false) && load(a, 1, false) && finish_binary(a, op, 0, 1);
}

static bool lower_shift(struct alu *a)
{
	static const uint8_t ops[GEN_OP_COUNT] = {
		[GEN_OP_shl] = EU_OP_shl,
		[GEN_OP_shr] = EU_OP_shr,
		[GEN_OP_asr] = EU_OP_asr,
		[GEN_OP_rol] = EU_OP_rol,
		[GEN_OP_ror] = EU_OP_ror,
	};
	bool rotates = a->inst->op == GEN_OP_rol || a->inst->op == GEN_OP_ror;
	if (rotates && gen_type_size((enum gen_type)a->inst->src[0].type) != 4)
		return false;
	if (!load(a, 0, false) || !load(a, 1, false))
		return false;
	if (a->inst->op == GEN_OP_asr && a->source[0].sign == SIGN_UNSIGNED)
		return false;
	return finish_binary(a, (enum eu_binary_op)ops[a->inst->op], 0, 1);
}

static bool lower_not(struct alu *a)
{
	const struct gen_operand *o = &a->inst->src[0];
	return load(a, 0, true) && finish_unary(a, o->neg ? EU_OP_mov : EU_OP_not);
}

static bool lower_round(struct alu *a)
{
	static const uint8_t ops[GEN_OP_COUNT] = {
		[GEN_OP_rndd] = EU_OP_rndd_f,
		[GEN_OP_rndu] = EU_OP_rndu_f,
		[GEN_OP_rnde] = EU_OP_rnde_f,
		[GEN_OP_rndz] = EU_OP_rndz_f,
	};
	return a->is_float && load(a, 0, false) &&
	       finish_unary(a, (enum eu_unary_op)ops[a->inst->op]);
}

static bool overlaps(unsigned x, unsigned y, unsigned bytes)
{
	return x != y && x < y + bytes && y < x + bytes;
}

/* What goes lane by lane must not read what it has written for a lane before. */
static void keep_apart(struct alu *a, struct source *s, unsigned d)
{
	unsigned bytes = 4 * a->count;
	if (s->scalar || overlaps(s->offset, d, bytes) ||
		overlaps(s->offset, EU_OFFSET(acc), bytes)) {
		uint16_t temp = new_temp(a);
		emit_same(a, a->h->unary[EU_OP_mov][a->width][s->scalar][0],
			(struct eu_uop){ .d = temp, .a = s->offset });
		s->offset = temp;
		s->scalar = false;
	}
}

/* Where mul, mach, addc and subb put their dwords; false when that takes the general path. */
static bool wide_destination(const struct alu *a, uint16_t *d)
{
	const struct gen_operand *o = &a->inst->dst;
	*d = (uint16_t)(dst_is_null(a->inst) ? 0 : dst_start(o));
	if (a->inst->op == GEN_OP_mul)
		return *d == EU_OFFSET(acc) && dst_is_direct(a);
	return dst_is_direct(a) && o->file == GEN_FILE_GRF;
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
	eu_lower_emit(l, &uop, l->handlers->by_id[EU_UOP_CR0], l->handlers->by_id[EU_UOP_CR0]);
	return true;
}

/* Keeps its general form at hand for the modes that it is not made for. */
static bool lower_math(struct alu *a)
{
	static const int8_t ops[16] = {
		[GEN_MATH_INV] = EU_MATH_INV + 1,
		[GEN_MATH_SQT] = EU_MATH_SQT + 1,
		[GEN_MATH_RSQT] = EU_MATH_RSQT + 1,
	};
	int op = ops[a->inst->function & 15] - 1;
	if (op < 0 || !a->is_float || a->predicated || a->inst->saturate || !dst_is_direct(a) ||
		!load(a, 0, false))
		return false;
	if (a->source[0].scalar)
		spread(a, &a->source[0]);
	emit_masked(a, a->h->math[op][a->width],
		(struct eu_uop){ .d = (uint16_t)dst_start(&a->inst->dst),
			.a = a->source[0].offset,
			.imm = a->l->kernel->general_count++ });
	return true;
}

/* mul to the accumulator, mach, addc, subb: 64-bit arithmetic on dwords. */
static bool lower_wide(struct alu *a)
{
	const struct gen_inst *inst = a->inst;
	static const uint8_t ids[GEN_OP_COUNT] = {
		[GEN_OP_mul] = EU_MASKED_MULTIPLY,
		[GEN_OP_mach] = EU_MASKED_MACH,
		[GEN_OP_macl] = EU_MASKED_MACH,
		[GEN_OP_addc] = EU_MASKED_ADDC,
		[GEN_OP_subb] = EU_MASKED_SUBB,
	};
	bool carries = inst->op == GEN_OP_addc || inst->op == GEN_OP_subb;
	struct eu_uop uop = { .c = (uint16_t)a->count };
	if (inst->cond != GEN_COND_NONE || (carries && !inst->acc_wr_en) ||
		!wide_destination(a, &uop.d))
		return false;
	for (unsigned i = 0; i < 2; i++) {
		if (inst->src[i].neg || inst->src[i].abs || !load(a, i, true))
			return false;
		keep_apart(a, &a->source[i], uop.d);
	}
	uop.imm = (a->source[0].sign == SIGN_SIGNED ? EU_WIDE_A_SIGNED : 0) |
		  (a->source[1].sign == SIGN_SIGNED ? EU_WIDE_B_SIGNED : 0) |
		  (inst->op == GEN_OP_mach && inst->acc_wr_en ? EU_WIDE_HIGH : 0);
	uop.a = a->source[0].offset;
	uop.b = a->source[1].offset;
	emit_masked(a, a->h->masked[ids[inst->op]], uop);
	return true;
}

/* -- The way in ----------------------------------------------------------------------------- */

static bool types_possible(struct alu *a)
{
	const struct gen_inst *inst = a->inst;
	unsigned floats = 0;
	for (unsigned s = 0; s < inst->source_count; s++) {
		unsigned type = inst->src[s].type;
		if (type == GEN_TYPE_HF || type == GEN_TYPE_DF || type == GEN_TYPE_Q ||
			type == GEN_TYPE_UQ || type == GEN_TYPE_VF || type == GEN_TYPE_NONE)
			return false;
		floats += type == GEN_TYPE_F;
	}
	unsigned type = inst->dst.type;
	if (!dst_is_null(inst) || inst->cond != GEN_COND_NONE)
		if (type == GEN_TYPE_HF || type == GEN_TYPE_DF || type == GEN_TYPE_Q ||
			type == GEN_TYPE_UQ || type == GEN_TYPE_NONE)
			return false;
	a->is_float = floats > 0;
	if (floats && floats != inst->source_count)
		return false;
	if (inst->op == GEN_OP_mov || inst->op == GEN_OP_cmp)
		return true;
	return (dst_is_null(inst) && inst->cond == GEN_COND_NONE) ||
	       a->is_float == (type == GEN_TYPE_F);
}

static bool possible(struct alu *a)
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
		((!whole && !known) || !flag_shift(a, inst->flag, &shift)))
		return false;
	if (inst->predicate != GEN_PRED_NONE &&
		(!flag_shift(a, inst->flag, &shift) ||
			(!whole && inst->channel_offset + 8 > GEN_MAX_LANES)))
		return false;
	if (inst->saturate && inst->dst.type != GEN_TYPE_F)
		return false;
	return !inst->acc_wr_en || inst->op == GEN_OP_mach || inst->op == GEN_OP_addc ||
	       inst->op == GEN_OP_subb;
}

static bool lower_op(struct alu *a)
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
		return lower_binary(a, f ? EU_OP_mul_f : EU_OP_mul_i);
	case GEN_OP_and:
		return lower_binary(a, EU_OP_and);
	case GEN_OP_or:
		return lower_binary(a, EU_OP_or);
	case GEN_OP_xor:
		return lower_binary(a, EU_OP_xor);
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
		return lower_math(a);
	}
	return false;
}

bool eu_lower_alu(struct eu_lowering *l, const struct gen_inst *inst)
{
	struct alu a = { .l = l, .inst = inst, .h = l->handlers, .count = inst->exec_size };
	uint32_t start = l->count;
	a.width = width_of(a.count);
	bool chooses = inst->op == GEN_OP_sel && inst->cond == GEN_COND_NONE;
	a.predicated = inst->predicate != GEN_PRED_NONE && !chooses;
	if (lower_cr0(l, inst))
		return true;
	if (!possible(&a))
		return false;
	if (dst_is_null(inst) && inst->cond == GEN_COND_NONE && !inst->acc_wr_en)
		return true; /* waits for what a message returns */
	if (a.predicated)
		emit_predicate(&a, !inst->no_mask);
	if (lower_op(&a))
		return true;
	l->count = start;
	return false;
}
