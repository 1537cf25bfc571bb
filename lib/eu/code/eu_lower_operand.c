// SPDX-License-Identifier: MIT
#include "eu/code/eu_lower_operand.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "eu/state/eu_half.h"

uint16_t eu_alu_temp(struct eu_alu *a)
{
	assert(a->temps < EU_TEMPS);
	return (uint16_t)(EU_OFFSET(temp) + a->temps++ * sizeof(int32_t) * GEN_MAX_LANES);
}

void eu_alu_emit(struct eu_alu *a, unsigned code, struct eu_uop uop)
{
	eu_lower_emit_plain(a->l, code, uop);
}

void eu_alu_emit_masked(struct eu_alu *a, unsigned code, struct eu_uop uop)
{
	unsigned lane = a->inst->channel_offset * 4u;
	if (a->predicated) {
		uop.m = (uint16_t)(EU_OFFSET(pm.lanes) + lane);
		eu_lower_emit(a->l, code + 1, code + 1, &uop);
	} else if (a->inst->no_mask) {
		eu_lower_emit(a->l, code, code, &uop);
	} else {
		uop.m = (uint16_t)(EU_OFFSET(act.lanes) + lane);
		eu_lower_emit(a->l, code, code + 1, &uop);
	}
}

bool eu_alu_constants(struct eu_alu *a, const uint32_t *values, unsigned count, uint16_t *offset)
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

/* -- Sources -------------------------------------------------------------------------------- */

static bool immediate_vector(struct eu_alu *a, const struct gen_operand *o, struct eu_alu_source *s)
{
	uint32_t values[16];
	for (unsigned i = 0; i < 16; i++) {
		uint32_t nibble = (uint32_t)(o->imm >> i % 8 * 4) & 15;
		values[i] = o->type == GEN_TYPE_V && nibble & 8 ? nibble | ~15u : nibble;
	}
	*s = (struct eu_alu_source){ 0, false,
		o->type == GEN_TYPE_V ? EU_SIGN_SIGNED : EU_SIGN_ANY };
	return o->type != GEN_TYPE_VF && eu_alu_constants(a, values, 16, &s->offset);
}

static bool immediate(struct eu_alu *a, const struct gen_operand *o, struct eu_alu_source *s)
{
	uint32_t value = (uint32_t)o->imm;
	enum eu_alu_sign sign = EU_SIGN_ANY;
	switch (o->type) {
	case GEN_TYPE_V:
	case GEN_TYPE_UV:
	case GEN_TYPE_VF:
		return immediate_vector(a, o, s);
	case GEN_TYPE_HF: {
		float f = eu_half_to_float((uint16_t)value);
		memcpy(&value, &f, sizeof value);
		break;
	}
	case GEN_TYPE_UW:
		value &= 0xffff;
		break;
	case GEN_TYPE_W:
		value = (uint32_t)(int16_t)value;
		sign = value >> 31 ? EU_SIGN_SIGNED : EU_SIGN_ANY;
		break;
	case GEN_TYPE_D:
		sign = value >> 31 ? EU_SIGN_SIGNED : EU_SIGN_ANY;
		break;
	case GEN_TYPE_UD:
		sign = value >> 31 ? EU_SIGN_UNSIGNED : EU_SIGN_ANY;
		break;
	}
	*s = (struct eu_alu_source){ 0, true, sign };
	return eu_alu_constants(a, &value, 1, &s->offset);
}

static enum eu_alu_sign sign_of_type(unsigned type)
{
	switch (type) {
	case GEN_TYPE_D:
	case GEN_TYPE_W:
	case GEN_TYPE_B:
		return EU_SIGN_SIGNED;
	case GEN_TYPE_UD:
		return EU_SIGN_UNSIGNED;
	}
	return EU_SIGN_ANY;
}

int eu_alu_line_stride(const struct gen_operand *o, unsigned count)
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
		return EU_UOP_low_ub;
	case GEN_TYPE_B:
		return EU_UOP_low_b;
	case GEN_TYPE_UW:
	case GEN_TYPE_HF:
		return EU_UOP_low_uw;
	case GEN_TYPE_W:
		return EU_UOP_low_w;
	}
	return -1;
}

bool eu_alu_limit(struct eu_alu *a, unsigned row, uint32_t limit, struct eu_alu_source *s)
{
	struct eu_uop uop = { .a = s->offset };
	if (!eu_alu_constants(a, &limit, 1, &uop.b))
		return false;
	uop.d = eu_alu_temp(a);
	eu_alu_emit(a,
		eu_uop_code(
			row, s->scalar ? EU_WIDTH_1 : a->width, s->scalar || a->count == 1 ? 0 : 2),
		uop);
	s->offset = uop.d;
	return true;
}

static void gather(
	struct eu_alu *a, const struct gen_operand *o, uint16_t from, struct eu_alu_source *s)
{
	static const uint16_t ids[GEN_TYPE_COUNT] = {
		[GEN_TYPE_UB] = EU_UOP_gather_ub,
		[GEN_TYPE_B] = EU_UOP_gather_b,
		[GEN_TYPE_UW] = EU_UOP_gather_uw,
		[GEN_TYPE_HF] = EU_UOP_gather_uw,
		[GEN_TYPE_W] = EU_UOP_gather_w,
		[GEN_TYPE_D] = EU_UOP_gather_d,
		[GEN_TYPE_UD] = EU_UOP_gather_d,
		[GEN_TYPE_F] = EU_UOP_gather_d,
	};
	unsigned size = gen_type_size((enum gen_type)o->type);
	unsigned shift = o->width ? (unsigned)__builtin_ctz(o->width) : 0;
	s->offset = eu_alu_temp(a);
	s->scalar = false;
	eu_alu_emit(a, ids[o->type],
		(struct eu_uop){ .d = s->offset,
			.a = from,
			.c = (uint16_t)a->count,
			.imm = o->vstride * size | o->hstride * size << 16 | shift << 24 });
}

/*
 * Elements of a line that are two, four or eight bytes apart and smaller than that. The whole units
 * in which they lie are loaded, since the processor does not forward two stores to a load that ends
 * in the middle of a register.
 */
static bool apart(struct eu_alu *a, const struct gen_operand *o, unsigned unit, unsigned part,
	struct eu_alu_source *s)
{
	int low = o->type == GEN_TYPE_HF ? -1 : low_part(o->type);
	s->offset = (uint16_t)(s->offset - part);
	if (unit != 4) {
		unsigned row = unit == 2 ? EU_UOP_widen_uw : part < 4 ? EU_UOP_even : EU_UOP_odd;
		eu_alu_unary(a, row, s);
	}
	if (part % 4 && !eu_alu_limit(a, EU_UOP_shr, part % 4 * 8, s))
		return false;
	if (low >= 0)
		eu_alu_unary(a, (unsigned)low, s);
	return true;
}

/* A region in a register file that is memory. */
static bool direct_source(struct eu_alu *a, const struct gen_operand *o, struct eu_alu_source *s)
{
	static const uint16_t widen[GEN_TYPE_COUNT] = {
		[GEN_TYPE_UB] = EU_UOP_widen_ub,
		[GEN_TYPE_B] = EU_UOP_widen_b,
		[GEN_TYPE_UW] = EU_UOP_widen_uw,
		[GEN_TYPE_HF] = EU_UOP_widen_h,
		[GEN_TYPE_W] = EU_UOP_widen_w,
	};
	unsigned bytes, base = eu_file_offset(o->file, &bytes);
	unsigned size = gen_type_size((enum gen_type)o->type);
	int stride = eu_alu_line_stride(o, a->count);
	if (o->file != GEN_FILE_GRF && o->file != GEN_FILE_ACC && o->file != GEN_FILE_F &&
		o->file != GEN_FILE_A)
		return false;
	unsigned start = base + gen_operand_start(o);
	unsigned unit = stride > 0 && a->count > 1 ? size * (unsigned)stride : 0;
	s->sign = sign_of_type(o->type);
	s->scalar = stride == 0 && a->count > 1;
	s->offset = (uint16_t)start;
	if (size == 4 && (stride == 0 || stride == 1))
		return true;
	if (o->type == GEN_TYPE_HF && stride == 0) {
		eu_alu_unary(a, EU_UOP_f_from_h, s);
		return true;
	}
	if (size < 4 && stride == 0) {
		s->offset = eu_alu_temp(a);
		eu_alu_emit(a, eu_uop_code((unsigned)low_part(o->type), EU_WIDTH_1, 0),
			(struct eu_uop){ .d = s->offset, .a = (uint16_t)start });
		return true;
	}
	if (size < 4 && unit == size) {
		s->offset = eu_alu_temp(a);
		eu_alu_emit(a, eu_uop_code(widen[o->type], a->width, 0),
			(struct eu_uop){ .d = s->offset, .a = (uint16_t)start });
		return true;
	}
	if (size < 8 && (unit == 2 || unit == 4 || unit == 8)) {
		if (!apart(a, o, unit, (start - base) % unit, s))
			return false;
	} else {
		gather(a, o, (uint16_t)start, s);
	}
	if (o->type == GEN_TYPE_HF)
		eu_alu_unary(a, EU_UOP_f_from_h, s);
	return true;
}

static bool indirect_source(struct eu_alu *a, const struct gen_operand *o, struct eu_alu_source *s)
{
	bool one_each = o->addressing == GEN_INDIRECT_VXH && o->width <= 1;
	if (!one_each || gen_type_size((enum gen_type)o->type) != 4 || o->sub + a->count > 16)
		return false;
	*s = (struct eu_alu_source){ eu_alu_temp(a), false, sign_of_type(o->type) };
	eu_alu_emit(a, EU_UOP_gather_indirect,
		(struct eu_uop){ .d = s->offset,
			.b = o->sub,
			.c = (uint16_t)a->count,
			.imm = (uint32_t)(int)o->offset });
	return true;
}

void eu_alu_unary(struct eu_alu *a, unsigned op, struct eu_alu_source *s)
{
	uint16_t temp = eu_alu_temp(a);
	enum eu_width width = s->scalar ? EU_WIDTH_1 : a->width;
	eu_alu_emit(a, eu_uop_code(op, width, 0), (struct eu_uop){ .d = temp, .a = s->offset });
	s->offset = temp;
}

/* Modifiers that the operation itself does not take. */
static bool modify(struct eu_alu *a, const struct gen_operand *o, struct eu_alu_source *s)
{
	if (!o->abs && !o->neg)
		return true;
	if (a->is_float) {
		eu_alu_unary(a,
			!o->abs	 ? EU_UOP_neg_f
			: o->neg ? EU_UOP_neg_abs_f
				 : EU_UOP_abs_f,
			s);
		return true;
	}
	if (gen_ops[a->inst->op].modifier == GEN_MODIFIER_INVERTS) {
		if (o->neg)
			eu_alu_unary(a, EU_UOP_not, s);
		return true;
	}
	/* Modulo 2^32 only: right where the result is taken modulo 2^32 too, or less. */
	switch (a->inst->op) {
	case GEN_OP_shl:
	case GEN_OP_shr:
	case GEN_OP_asr:
		if (s != &a->source[1])
			return false;
		break;
	case GEN_OP_sel:
		if (a->inst->cond != GEN_COND_NONE)
			return false;
		break;
	case GEN_OP_add:
	case GEN_OP_add3:
	case GEN_OP_mul:
	case GEN_OP_mad:
	case GEN_OP_mov:
		break;
	default:
		return false;
	}
	if (gen_type_is_float((enum gen_type)a->inst->dst.type))
		return false;
	if (o->abs && s->sign == EU_SIGN_SIGNED)
		eu_alu_unary(a, EU_UOP_abs_i, s);
	if (o->neg)
		eu_alu_unary(a, EU_UOP_neg_i, s);
	return true;
}

/* Where source `index` can be read, without its modifiers when the caller takes those. */
bool eu_alu_load(struct eu_alu *a, unsigned index, bool takes_modifiers)
{
	const struct gen_operand *o = &a->inst->src[index];
	struct eu_alu_source *s = &a->source[index];
	bool loaded = o->file == GEN_FILE_IMM	    ? immediate(a, o, s)
		      : o->addressing == GEN_DIRECT ? direct_source(a, o, s)
						    : indirect_source(a, o, s);
	return loaded && (takes_modifiers || modify(a, o, s));
}

/* Two scalars have no handler: the first is spread out. */
void eu_alu_spread(struct eu_alu *a, struct eu_alu_source *s)
{
	uint16_t temp = eu_alu_temp(a);
	eu_alu_emit(a, eu_uop_code(EU_UOP_mov, a->width, 1),
		(struct eu_uop){ .d = temp, .a = s->offset });
	s->offset = temp;
	s->scalar = false;
}

/* -- Destinations --------------------------------------------------------------------------- */

bool eu_alu_dst_is_null(const struct gen_inst *inst)
{
	return !inst->has_dst || inst->dst.file == GEN_FILE_NULL;
}

unsigned eu_alu_operand_start(const struct gen_operand *o)
{
	unsigned bytes, base = eu_file_offset(o->file, &bytes);
	return base + gen_operand_start(o);
}

/* Can a lane-wise handler of the instruction's width write the destination itself? */
bool eu_alu_dst_is_direct(const struct eu_alu *a)
{
	const struct gen_operand *o = &a->inst->dst;
	bool whole = a->count == 1 || a->count == 8 || a->count == 16;
	return !eu_alu_dst_is_null(a->inst) && o->addressing == GEN_DIRECT &&
	       gen_type_size((enum gen_type)o->type) == 4 && whole &&
	       (o->hstride == 1 || a->count == 1);
}

/* The row that writes elements `step` bytes apart, or 0. */
static unsigned narrow_row(unsigned size, unsigned step)
{
	static const uint16_t rows[5][9] = {
		[1] = { [1] = EU_UOP_narrow_8,
			[2] = EU_UOP_narrow_8_in_16,
			[4] = EU_UOP_narrow_8_in_32 },
		[2] = { [2] = EU_UOP_narrow_16, [4] = EU_UOP_narrow_16_in_32 },
		[4] = { [8] = EU_UOP_low_in_64 },
	};
	return size < 5 && step < 9 ? rows[size][step] : 0;
}

/* The same to a destination whose address is in a0. */
static void scatter_indirect(struct eu_alu *a, uint16_t from)
{
	static const uint16_t ids[] = { [1] = EU_UOP_scatter_indirect_8,
		[2] = EU_UOP_scatter_indirect_16,
		[4] = EU_UOP_scatter_indirect_32 };
	const struct gen_operand *o = &a->inst->dst;
	unsigned size = gen_type_size((enum gen_type)o->type);
	eu_alu_emit_masked(a, ids[size],
		(struct eu_uop){ .a = from,
			.b = o->sub & 15,
			.c = (uint16_t)a->count,
			.imm = (uint32_t)(int)o->offset,
			.target = o->hstride * size });
}

/* Sends dwords from a temporary out to a destination that handlers cannot write themselves. */
void eu_alu_scatter(struct eu_alu *a, uint16_t from)
{
	const struct gen_operand *o = &a->inst->dst;
	if (o->addressing != GEN_DIRECT) {
		scatter_indirect(a, from);
		return;
	}
	unsigned size = gen_type_size((enum gen_type)o->type);
	static const uint16_t ids[2][5] = {
		{ [1] = EU_UOP_scatter_8, [2] = EU_UOP_scatter_16, [4] = EU_UOP_scatter_32 },
		{ [1] = EU_UOP_copy_8, [2] = EU_UOP_copy_16, [4] = EU_UOP_copy_32 },
	};
	bool whole = a->count == 8 || a->count == 16;
	unsigned row = whole ? narrow_row(size, o->hstride * size) : 0;
	unsigned code = row ? eu_uop_code(row, a->width, 0) : ids[a->count == 1][size];
	eu_alu_emit_masked(a, code,
		(struct eu_uop){ .d = (uint16_t)eu_alu_operand_start(o),
			.a = from,
			.c = (uint16_t)a->count,
			.imm = o->hstride * size });
}

/* Flag bits from here on belong to the instruction's channels; false when they run over. */
bool eu_alu_flag_shift(const struct eu_alu *a, unsigned flag, uint16_t *shift)
{
	unsigned bit = (flag & 1) * 16u + a->inst->channel_offset;
	*shift = (uint16_t)((flag >> 1) * 32 + bit);
	return bit + a->count <= 32;
}

void eu_alu_compare(struct eu_alu *a, enum eu_compare_kind kind, unsigned cond,
	const struct eu_alu_source *x, const struct eu_alu_source *y)
{
	unsigned shape = x->scalar ? 1 : y->scalar ? 2 : 0;
	struct eu_uop uop = { .a = x->offset, .b = y->offset, .imm = a->inst->channel_offset };
	uop.c = a->predicated ? EU_OFFSET(pm.bits) : EU_OFFSET(act.bits);
	eu_alu_flag_shift(a, a->inst->flag, &uop.shift);
	eu_alu_emit_masked(
		a, eu_uop_code(eu_uop_compare(kind, (enum gen_cond)cond), a->width, shape), uop);
}

/* Compares a finished result with zero, as its destination's type has it. */
static bool emit_condition(struct eu_alu *a, uint16_t at)
{
	const struct gen_inst *inst = a->inst;
	static const uint32_t zero = 0;
	struct eu_alu_source x = { at, false, EU_SIGN_ANY }, y = { 0, a->count > 1, EU_SIGN_ANY };
	if (!eu_alu_constants(a, &zero, 1, &y.offset))
		return false;
	bool to_float = gen_type_is_float((enum gen_type)inst->dst.type);
	enum eu_compare_kind kind = to_float			    ? EU_COMPARE_f
				    : inst->dst.type == GEN_TYPE_UD ? EU_COMPARE_u
								    : EU_COMPARE_i;
	int low = low_part(inst->dst.type);
	if (low >= 0) {
		eu_alu_unary(a, (unsigned)low, &x);
		if (to_float)
			eu_alu_unary(a, EU_UOP_f_from_h, &x);
	}
	eu_alu_compare(a, kind, inst->cond, &x, &y);
	return true;
}

/* Whether the elements of the destination lie side by side, for all channels of a handler. */
static bool is_packed(const struct eu_alu *a)
{
	return !eu_alu_dst_is_null(a->inst) && a->inst->dst.addressing == GEN_DIRECT &&
	       a->inst->dst.hstride == 1 && (a->count == 8 || a->count == 16);
}

/* Emits the step that computes the result, with saturation, destination and flags. */
bool eu_alu_finish(struct eu_alu *a, struct eu_alu_step step)
{
	const struct gen_inst *inst = a->inst;
	bool direct = eu_alu_dst_is_direct(a);
	uint16_t at = direct ? (uint16_t)eu_alu_operand_start(&inst->dst) : eu_alu_temp(a);
	bool writes_flags =
		inst->cond != GEN_COND_NONE && !(gen_ops[inst->op].flags & GEN_DOES_SELECTS);
	if (inst->saturate && gen_type_is_float((enum gen_type)inst->dst.type)) {
		uint16_t temp = eu_alu_temp(a);
		step.uop.d = temp;
		eu_alu_emit(a, step.code, step.uop);
		step.code = eu_uop_code(EU_UOP_sat_f, a->width, 0);
		step.uop = (struct eu_uop){ .a = temp };
	}
	if (inst->dst.type == GEN_TYPE_HF) {
		bool packed = is_packed(a) && !writes_flags;
		step.uop.d = eu_alu_temp(a);
		eu_alu_emit(a, step.code, step.uop);
		step.code = eu_uop_code(packed ? EU_UOP_narrow_h : EU_UOP_h_from_f, a->width, 0);
		step.uop = (struct eu_uop){ .a = step.uop.d };
		if (packed) {
			step.uop.d = (uint16_t)eu_alu_operand_start(&inst->dst);
			eu_alu_emit_masked(a, step.code, step.uop);
			return true;
		}
	}
	step.uop.d = at;
	if (direct)
		eu_alu_emit_masked(a, step.code, step.uop);
	else
		eu_alu_emit(a, step.code, step.uop);
	if (!direct && !eu_alu_dst_is_null(inst))
		eu_alu_scatter(a, at);
	return !writes_flags || emit_condition(a, at);
}
