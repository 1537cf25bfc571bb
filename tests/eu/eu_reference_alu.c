// SPDX-License-Identifier: MIT
#include "eu_reference_number.h"

#include <math.h>
#include <string.h>

/* A number as either kind; `nan` and infinities live in `f`. */
struct number {
	bool is_float;
	wide i;
	quad f;
};

static uint32_t cr0_of(const struct reference *r)
{
	uint32_t cr0;
	memcpy(&cr0, r->cr, 4);
	return cr0;
}

static unsigned mode_of(const struct reference *r)
{
	return cr0_of(r) >> 4 & 3;
}

static uint8_t *file_of(struct reference *r, unsigned file)
{
	switch (file) {
	case GEN_FILE_GRF:
		return r->thread->grf;
	case GEN_FILE_ACC:
		return r->acc;
	case GEN_FILE_A:
		return r->a0;
	case GEN_FILE_F:
		return r->flag;
	case GEN_FILE_CR:
		return r->cr;
	case GEN_FILE_SR:
		return r->sr;
	case GEN_FILE_CE:
		return r->ce;
	}
	return NULL;
}

static uint8_t *place(
	struct reference *r, const struct gen_operand *o, unsigned i, bool is_destination)
{
	unsigned size = gen_type_size(o->type), offset;
	unsigned width = o->width ? o->width : 1;
	if (is_destination)
		offset = i * o->hstride * size;
	else
		offset = (i / width * o->vstride + i % width * o->hstride) * size;
	if (o->addressing == GEN_DIRECT)
		return file_of(r, o->file) + o->reg * (o->file == GEN_FILE_F ? 4u : 32u) +
		       o->sub * size + offset;
	uint16_t address;
	unsigned word = o->sub;
	if (o->addressing == GEN_INDIRECT_VXH) {
		word += i / width;
		offset = i % width * o->hstride * size;
	}
	memcpy(&address, r->a0 + 2 * (word & 15), 2);
	return r->thread->grf + ((address + offset + (unsigned)o->offset) & 4095);
}

static uint64_t raw_source(struct reference *r, const struct gen_operand *o, unsigned i)
{
	uint64_t bits = 0;
	if (o->file == GEN_FILE_NULL)
		return 0;
	if (o->file != GEN_FILE_IMM) {
		memcpy(&bits, place(r, o, i, false), gen_type_size(o->type));
		return bits;
	}
	if (o->type == GEN_TYPE_UV || o->type == GEN_TYPE_V) {
		bits = o->imm >> (4 * (i % 8)) & 15;
		return o->type == GEN_TYPE_V && bits > 7 ? bits - 16 : bits;
	}
	if (o->type == GEN_TYPE_VF) {
		uint32_t b = (uint32_t)(o->imm >> (8 * (i % 4))) & 255;
		quad x = (b & 127) ? (16 + (quad)(b & 15)) / 16 * power((int)(b >> 4 & 7) - 3) : 0;
		return float_bits(b & 128 ? -x : x, &float_format);
	}
	return o->imm;
}

static bool logical(unsigned op)
{
	return op == GEN_OP_and || op == GEN_OP_or || op == GEN_OP_xor || op == GEN_OP_not;
}

static wide integer_of(uint64_t bits, unsigned type)
{
	unsigned size = type == GEN_TYPE_HF ? 2 : gen_type_size((enum gen_type)type);
	wide x = (wide)(bits & (UINT64_MAX >> (64 - 8 * size)));
	bool is_signed = type == GEN_TYPE_B || type == GEN_TYPE_W || type == GEN_TYPE_D ||
			 type == GEN_TYPE_V || type == GEN_TYPE_Q;
	return is_signed && x >> (8 * size - 1) ? x - ((wide)1 << (8 * size)) : x;
}

static quad flush(quad x, uint32_t cr0, const struct format *format)
{
	bool keep = cr0 >> format->keep & 1;
	quad least = power(format->lowest + format->digits - 1);
	return !keep && magnitude(x) < least ? (is_negative(x) ? -(quad)0 : 0) : x;
}

static bool same_type(const struct gen_inst *inst, unsigned s)
{
	return inst->src[s].type == inst->dst.type ||
	       (inst->src[s].type == GEN_TYPE_VF && inst->dst.type == GEN_TYPE_F);
}

static bool chooses(const struct gen_inst *inst)
{
	bool copies = inst->op == GEN_OP_mov && !inst->src[0].abs && !inst->src[0].neg;
	bool picks = inst->op == GEN_OP_sel && inst->cond == GEN_COND_NONE;
	bool all = copies || picks || inst->op == GEN_OP_csel;
	all &= !inst->saturate;
	for (unsigned s = 0; s < inst->source_count; s++)
		all &= same_type(inst, s);
	return all;
}

static struct number source(
	struct reference *r, const struct gen_inst *inst, unsigned s, unsigned i)
{
	const struct gen_operand *o = &inst->src[s];
	uint64_t bits = raw_source(r, o, i);
	struct number n = { .is_float = gen_type_is_float(o->type) };
	uint32_t cr0 = cr0_of(r);
	if (n.is_float) {
		if (chooses(inst))
			cr0 = 0x4c0;
		n.f = flush(float_value(bits, format_of(o->type)), cr0, format_of(o->type));
		if (o->abs)
			n.f = magnitude(n.f);
		if (o->neg)
			n.f = -n.f;
		return n;
	}
	n.i = integer_of(bits, o->type);
	if (logical(inst->op))
		n.i = o->neg ? ~n.i : n.i;
	else {
		if (o->abs && n.i < 0)
			n.i = -n.i;
		if (o->neg)
			n.i = -n.i;
	}
	n.f = (quad)n.i;
	return n;
}

static bool test(unsigned cond, quad a, quad b)
{
	bool unordered = is_nan(a) || is_nan(b);
	return cond == GEN_COND_EQ   ? a == b
	       : cond == GEN_COND_NE ? unordered || a != b
	       : cond == GEN_COND_GT ? a > b
	       : cond == GEN_COND_GE ? a >= b
	       : cond == GEN_COND_LT ? a < b
	       : cond == GEN_COND_LE ? a <= b
				     : cond == GEN_COND_UN && unordered;
}

static wide naive_bits(const struct gen_inst *inst, uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t x = 0;
	int n;
	switch (inst->op) {
	case GEN_OP_bfrev:
		for (n = 0; n < 32; n++)
			x |= (a >> n & 1) << (31 - n);
		return x;
	case GEN_OP_lzd:
		for (n = 31; n >= 0 && !(a >> n & 1); n--)
			;
		return 31 - n;
	case GEN_OP_cbit:
		for (n = 0; n < 32; n++)
			x += a >> n & 1;
		return x;
	case GEN_OP_fbl:
		for (n = 0; n < 32 && !(a >> n & 1); n++)
			;
		return n < 32 ? n : -1;
	case GEN_OP_fbh: {
		uint32_t sign = inst->src[0].type == GEN_TYPE_D ? a >> 31 : 0;
		for (n = 31; n >= 0 && (a >> n & 1) == sign; n--)
			;
		return n < 0 ? -1 : 31 - n;
	}
	case GEN_OP_bfi1:
		for (n = 0; n < (int)(a & 31); n++)
			x |= n + (int)(b & 31) < 32 ? 1u << (n + (int)(b & 31)) : 0;
		return x;
	case GEN_OP_bfi2:
		for (n = 0; n < 32 && !(a >> n & 1); n++)
			;
		return n == 32 ? c : (((uint64_t)b << n) & a) | (c & ~a);
	case GEN_OP_bfe: {
		int width = a & 31, first = b & 31;
		for (n = 0; n < width; n++)
			x |= (first + n < 32 ? c >> (first + n) & 1 : 0) << n;
		if (inst->src[2].type == GEN_TYPE_D && width && x >> (width - 1) & 1)
			for (n = width; n < 32; n++)
				x |= 1u << n;
		return x;
	}
	}
	return 0;
}

static wide rotate(uint32_t x, unsigned count, unsigned bits, bool left)
{
	for (count %= bits; count; count--)
		x = left ? x << 1 | (x >> (bits - 1) & 1) : (x >> 1 | (x & 1) << (bits - 1));
	return bits == 16 ? x & 0xffff : x;
}

/* Sums and products. */
static bool arithmetic_op(const struct reference *r, const struct gen_inst *inst, unsigned i,
	wide a, wide b, wide c, wide *out)
{
	switch (inst->op) {
	case GEN_OP_add:
		*out = a + b;
		return true;
	case GEN_OP_add3:
		*out = a + b + c;
		return true;
	case GEN_OP_bfn:
		*out = 0;
		for (unsigned n = 0; n < 32; n++) {
			unsigned row = (unsigned)(a >> n & 1) | (unsigned)(b >> n & 1) << 1 |
				       (unsigned)(c >> n & 1) << 2;
			*out |= (wide)(inst->function >> row & 1) << n;
		}
		return true;
	case GEN_OP_addc:
		*out = (wide)(uint32_t)a + (uint32_t)b;
		return true;
	case GEN_OP_subb:
		*out = (wide)(uint32_t)a - (uint32_t)b;
		return true;
	case GEN_OP_mul:
		*out = a * b;
		return true;
	case GEN_OP_mad:
		*out = a + b * c;
		return true;
	case GEN_OP_avg:
		*out = (a + b + 1) >> 1;
		return true;
	case GEN_OP_mac:
		*out = r->acc_wide[i] + a * b;
		return gen_type_size(inst->dst.type) == 4;
	case GEN_OP_mach:
	case GEN_OP_macl:
		*out = r->acc_wide[i] + a * (b >> 16) * 65536;
		return true;
	case GEN_OP_dp4a: {
		bool p = inst->src[1].type == GEN_TYPE_D, q = inst->src[2].type == GEN_TYPE_D;
		*out = a;
		for (unsigned k = 0; k < 4; k++)
			*out += integer_of((uint64_t)b >> (8 * k), p ? GEN_TYPE_B : GEN_TYPE_UB) *
				integer_of((uint64_t)c >> (8 * k), q ? GEN_TYPE_B : GEN_TYPE_UB);
		return true;
	}
	case GEN_OP_math:
		if (inst->function == GEN_MATH_IQOT)
			*out = b ? a / b : -1;
		else if (inst->function == GEN_MATH_IREM)
			*out = b ? a % b : a;
		else
			return false;
		return true;
	}
	return false;
}

/* Integer results, exact. False when the opcode is unknown. */
static bool integer_op(const struct reference *r, const struct gen_inst *inst, unsigned i,
	const struct number *s, bool predicate, wide *out)
{
	wide a = s[0].i, b = s[1].i, c = s[2].i;
	bool quadwords =
		gen_type_size(inst->dst.type) == 8 || gen_type_size(inst->src[0].type) == 8;
	unsigned count = (unsigned)b & (quadwords ? 63 : 31),
		 bits = gen_type_size(inst->src[0].type) == 2 ? 16 : 32;
	switch (inst->op) {
	case GEN_OP_mov:
		*out = a;
		return true;
	case GEN_OP_sel:
		*out = (inst->cond ? test(inst->cond, (quad)a, (quad)b) : predicate) ? a : b;
		return true;
	case GEN_OP_csel:
		*out = test(inst->cond, (quad)c, 0) ? a : b;
		return true;
	case GEN_OP_not:
		*out = ~a;
		return true;
	case GEN_OP_and:
		*out = a & b;
		return true;
	case GEN_OP_or:
		*out = a | b;
		return true;
	case GEN_OP_xor:
		*out = a ^ b;
		return true;
	case GEN_OP_shl:
		*out = a * ((wide)1 << count);
		return true;
	case GEN_OP_shr:
		*out = quadwords ? (wide)((uint64_t)a >> count) : (wide)((uint32_t)a >> count);
		return true;
	case GEN_OP_asr:
		*out = a >> count;
		return true;
	case GEN_OP_rol:
	case GEN_OP_ror:
		*out = rotate((uint32_t)a, (unsigned)b & (bits - 1), bits, inst->op == GEN_OP_rol);
		return true;
	case GEN_OP_bfrev:
	case GEN_OP_lzd:
	case GEN_OP_cbit:
	case GEN_OP_fbl:
	case GEN_OP_fbh:
	case GEN_OP_bfi1:
	case GEN_OP_bfi2:
	case GEN_OP_bfe:
		*out = naive_bits(inst, (uint32_t)a, (uint32_t)b, (uint32_t)c);
		return true;
	}
	return arithmetic_op(r, inst, i, a, b, c, out);
}

static quad round_integral(quad x, unsigned op)
{
	quad m = magnitude(x);
	if (is_nan(x) || m >= power(100))
		return x;
	wide whole = (wide)m;
	quad rest = m - (quad)whole;
	bool negative = is_negative(x);
	if (op == GEN_OP_rnde)
		whole += rest > (quad)0.5 || (rest == (quad)0.5 && (whole & 1));
	if (op == GEN_OP_rndu)
		whole += !negative && rest != 0;
	if (op == GEN_OP_rndd || op == GEN_OP_frc)
		whole += negative && rest != 0;
	return negative ? -(quad)whole : (quad)whole;
}

static quad naive_sqrt(quad x)
{
	if (x < 0)
		return (quad)NAN;
	if (x == 0 || is_nan(x) || x > power(10000))
		return x;
	int e = exponent_of(x) / 2;
	quad root = power(e);
	for (int n = 0; n < 12; n++)
		root = (root + x / root) / 2;
	return root;
}

/* A sum that cancels is -0 when rounding down. */
static quad sum(const struct reference *r, quad a, quad b)
{
	quad x = a + b;
	if (x == 0 && mode_of(r) == 2 && (a != 0 || is_negative(a) != is_negative(b)))
		return -(quad)0;
	/* What 113 bits cannot hold still decides how to round: a nudge in its place. */
	quad part = x - b, error = (a - part) + (b - (x - part));
	if (error != 0 && !is_nan(error) && (quad)(long double)x == x)
		x += error > 0 ? magnitude(x) * power(-108) : -magnitude(x) * power(-108);
	return x;
}

/* What a step within an instruction comes to, in single precision. */
static quad step(const struct reference *r, quad x)
{
	const struct format *format = format_of(GEN_TYPE_F);
	bool keep = cr0_of(r) >> format->keep & 1;
	return float_value(float_bits(round_to(x, format, mode_of(r), keep), format), format);
}

/* A source as comparisons see it. */
static quad comparand(const struct reference *r, const struct gen_inst *inst, unsigned s, quad x)
{
	const struct format *format = format_of(inst->src[s].type);
	return format ? flush(x, cr0_of(r), format) : x;
}

/*
 * The float that lies in the accumulators for channel i: acc0 has those of 8 channels in single
 * precision or 16 in half, acc1 has those of the next. Denormals as cr0 has them.
 */
static quad float_acc(const struct reference *r, const struct gen_inst *inst, unsigned i)
{
	const struct format *format = format_of(inst->dst.type);
	unsigned channel = inst->channel_offset + i;
	uint32_t bits = 0;
	if (inst->dst.type == GEN_TYPE_F)
		memcpy(&bits, r->acc + 4 * (channel < 16 ? channel : channel - 16), 4);
	else
		memcpy(&bits, r->acc + 2 * channel, 2);
	return flush(float_value(bits, format), cr0_of(r), format);
}

/* A function of math.*; false when it is unknown. */
static bool math(unsigned function, quad a, quad b, quad *out)
{
	if (function == GEN_MATH_INV)
		*out = 1 / a;
	else if (function == GEN_MATH_FDIV)
		*out = a / b;
	else if (function == GEN_MATH_SQT)
		*out = naive_sqrt(a);
	else if (function == GEN_MATH_RSQT)
		*out = 1 / naive_sqrt(a);
	else if (function == GEN_MATH_LOG)
		*out = log2l((long double)a);
	else if (function == GEN_MATH_EXP)
		*out = exp2l((long double)a);
	else if (function == GEN_MATH_SIN)
		*out = sinl((long double)a);
	else if (function == GEN_MATH_COS)
		*out = cosl((long double)a);
	else if (function == GEN_MATH_POW)
		*out = powl(fabsl((long double)a), (long double)b);
	else
		return false;
	return true;
}

static bool float_op(const struct reference *r, const struct gen_inst *inst, unsigned i,
	const struct number *s, bool predicate, quad *out)
{
	quad a = s[0].f, b = s[1].f, c = s[2].f;
	switch (inst->op) {
	case GEN_OP_mov:
		*out = a;
		return true;
	case GEN_OP_sel:
		if (!inst->cond)
			*out = predicate ? a : b;
		else
			*out = is_nan(a)   ? b
			       : is_nan(b) ? a
			       : test(inst->cond, comparand(r, inst, 0, a),
					 comparand(r, inst, 1, b))
				       ? a
				       : b;
		return true;
	case GEN_OP_csel:
		*out = test(inst->cond, comparand(r, inst, 2, c), 0) ? a : b;
		return true;
	case GEN_OP_add:
		*out = sum(r, a, b);
		return true;
	case GEN_OP_mul:
		*out = a * b;
		return true;
	case GEN_OP_mad:
		*out = sum(r, a, b * c);
		return true;
	case GEN_OP_lrp:
		*out = sum(r, a * b, step(r, step(r, sum(r, 1, -a)) * c));
		return true;
	case GEN_OP_mac:
		*out = sum(r, float_acc(r, inst, i), a * b);
		return inst->dst.type == GEN_TYPE_F || inst->dst.type == GEN_TYPE_HF;
	case GEN_OP_rndu:
	case GEN_OP_rndd:
	case GEN_OP_rnde:
	case GEN_OP_rndz:
		*out = round_integral(a, inst->op);
		return true;
	case GEN_OP_frc:
		*out = magnitude(sum(r, a, -round_integral(a, GEN_OP_frc)));
		b = 1 - power(inst->dst.type == GEN_TYPE_HF ? -11 : -24);
		*out = *out > b ? b : *out;
		return true;
	case GEN_OP_math:
		return math(inst->function, a, b, out);
	}
	return false;
}

/* The bits of a result in the destination's type. */
static uint64_t finish(struct reference *r, const struct gen_inst *inst, struct number n)
{
	unsigned type = inst->dst.type, mode = inst->op == GEN_OP_math ? 0 : mode_of(r);
	uint32_t cr0 = chooses(inst) ? 0x4c0 : cr0_of(r);
	if (gen_type_is_float((enum gen_type)type)) {
		quad x = n.is_float ? n.f : (quad)n.i;
		if (inst->saturate)
			x = x > 0 ? (x < 1 ? x : 1) : 0;
		const struct format *format = format_of(type);
		mode = type == GEN_TYPE_BF ? 0 : mode;
		return float_bits(round_to(x, format, mode, cr0 >> format->keep & 1), format);
	}
	unsigned bits = 8 * gen_type_size((enum gen_type)type);
	bool is_signed = gen_type_is_signed((enum gen_type)type);
	wide high = ((wide)1 << (bits - is_signed)) - 1, low = is_signed ? -high - 1 : 0;
	wide x = n.i;
	if (n.is_float)
		x = is_nan(n.f) ? 0 : n.f >= (quad)high ? high : n.f <= (quad)low ? low : (wide)n.f;
	if (inst->saturate)
		x = x < low ? low : x > high ? high : x;
	return (uint64_t)x;
}

static quad final_value(uint64_t bits, unsigned type)
{
	const struct format *format = format_of(type);
	return format ? float_value(bits, format) : (quad)integer_of(bits, type);
}

static bool raw_copy(const struct gen_inst *inst)
{
	if ((inst->op != GEN_OP_mov && inst->op != GEN_OP_sel) || inst->cond || inst->saturate)
		return false;
	for (unsigned s = 0; s < inst->source_count; s++)
		if (!same_type(inst, s) || inst->src[s].abs || inst->src[s].neg)
			return false;
	return true;
}

/* Computes channel i: its result's bits and whether its condition holds. */
static bool channel(struct reference *r, const struct gen_inst *inst, unsigned i, bool predicate,
	uint64_t *bits, wide *exact, bool *condition)
{
	struct number s[3] = { { 0 } }, n = { .is_float = false };
	for (unsigned k = 0; k < inst->source_count; k++) {
		s[k] = source(r, inst, k, i);
		n.is_float |= s[k].is_float;
	}
	*exact = 0;
	if (raw_copy(inst)) {
		*bits = raw_source(r, &inst->src[inst->op == GEN_OP_sel && !predicate], i);
		return true;
	}
	if (inst->op == GEN_OP_cmp) {
		*condition = n.is_float ? test(inst->cond, s[0].f, s[1].f)
					: test(inst->cond, (quad)s[0].i, (quad)s[1].i);
		*bits = *condition ? ~UINT64_C(0) : 0;
		return true;
	}
	bool known = n.is_float ? float_op(r, inst, i, s, predicate, &n.f)
				: integer_op(r, inst, i, s, predicate, &n.i);
	*exact = n.i;
	if (inst->op == GEN_OP_mach && inst->acc_wr_en)
		n.i = n.i >> 32;
	*bits = finish(r, inst, n);
	quad value = final_value(*bits, inst->dst.type);
	if (format_of(inst->dst.type))
		value = flush(value, cr0_of(r), format_of(inst->dst.type));
	*condition = test(inst->cond, value, 0);
	return known;
}

static bool predicate_bit(const struct reference *r, const struct gen_inst *inst, unsigned i)
{
	uint32_t flags[2], half = inst->flag & 1 ? 16 : 0;
	unsigned channel = i + inst->channel_offset;
	memcpy(flags, r->flag, 8);
	uint32_t f = flags[inst->flag >> 1] >> half;
	bool bit;
	if (inst->predicate == GEN_PRED_NONE)
		return true;
	if (inst->predicate == GEN_PRED_SEQUENTIAL) {
		bit = f >> channel & 1;
	} else if (inst->predicate <= GEN_PRED_ALLV) {
		bool p = flags[0] >> half >> channel & 1, q = flags[1] >> half >> channel & 1;
		bit = inst->predicate == GEN_PRED_ANYV ? p || q : p && q;
	} else {
		unsigned size = 2u << (inst->predicate - GEN_PRED_ANY2H) / 2, found = 0;
		for (unsigned k = 0; k < size; k++)
			found += f >> (channel / size * size + k) & 1;
		bit = (inst->predicate - GEN_PRED_ANY2H) & 1 ? found == size : found > 0;
	}
	return bit != inst->predicate_invert;
}

static void set_acc(struct reference *r, unsigned i, wide value)
{
	uint32_t low = (uint32_t)value;
	memcpy(r->acc + 4 * i, &low, 4);
	r->acc_wide[i] = (int64_t)(uint64_t)value;
}

/* The number that source s of a macro's step is for channel i. */
static quad macro_source(struct reference *r, const struct gen_inst *inst, unsigned s, unsigned i)
{
	const struct gen_operand *o = &inst->src[s];
	if (o->mme)
		return o->neg ? -r->wide[o->mme - 1][i] : r->wide[o->mme - 1][i];
	return source(r, inst, s, i).f;
}

/*
 * A step of a division or a root. What goes from step to step is as exact as can be: it is kept
 * beside the register, which shows it rounded. Numbers with which the steps would not come to the
 * result get it at once, and the flag.
 */
static bool macro_step(struct reference *r, const struct gen_inst *inst, uint32_t active)
{
	const struct format *format = format_of(inst->dst.type);
	unsigned size = gen_type_size(inst->dst.type);
	if (!format)
		return false;
	for (unsigned i = 0; i < inst->exec_size; i++) {
		quad a = macro_source(r, inst, 0, i), b = macro_source(r, inst, 1, i), x;
		unsigned bit = i + inst->channel_offset, mode = mode_of(r);
		bool roots = inst->function == GEN_MATH_RSQTM, early = false;
		if (!(inst->no_mask || active >> bit & 1) || !predicate_bit(r, inst, i))
			continue;
		if (inst->op == GEN_OP_madm) {
			quad c = macro_source(r, inst, 2, i);
			x = inst->dst.mme ? a + b * c : sum(r, a, b * c);
		} else {
			early = is_nan(a - a) ||
				(roots ? !(a > 0) : a == 0 || b == 0 || is_nan(b - b));
			x = roots ? naive_sqrt(a) : early ? a / b : b;
			x = early ? x : 1 / x;
			uint8_t *byte = r->flag + (inst->flag >> 1) * 4 +
					(bit + (inst->flag & 1) * 16u) / 8;
			*byte = (uint8_t)((*byte & ~(1u << bit % 8)) | (unsigned)early << bit % 8);
			mode = 0;
		}
		if (inst->dst.mme)
			r->wide[inst->dst.mme - 1][i] = x;
		uint64_t bits = float_bits(
			round_to(x, format, mode, cr0_of(r) >> format->keep & 1), format);
		memcpy(place(r, &inst->dst, i, true), &bits, size);
	}
	return true;
}

/* Bits of an element of dpas's matrices. */
static unsigned element_bits(unsigned type)
{
	bool two = type == GEN_TYPE_U2 || type == GEN_TYPE_S2;
	bool four = type == GEN_TYPE_U4 || type == GEN_TYPE_S4;
	return two ? 2 : four ? 4 : 8 * gen_type_size((enum gen_type)type);
}

/* Element n of a matrix of dpas, which is packed from its first register on. */
static struct number element(const struct reference *r, const struct gen_operand *o, unsigned n)
{
	unsigned bits = element_bits(o->type), first = (o->reg * 32u + o->sub) * 8 + n * bits;
	uint64_t value = 0;
	if (o->sub)
		first = o->reg * 256u + o->sub * bits + n * bits;
	for (unsigned i = 0; i < bits; i++)
		value |= (uint64_t)(r->thread->grf[(first + i) / 8] >> (first + i) % 8 & 1) << i;
	if (o->type == GEN_TYPE_BF)
		return (struct number){ .f = float_value(value << 16, &float_format) };
	if (o->type == GEN_TYPE_HF)
		return (struct number){ .f = float_value(value, &half_format) };
	bool is_signed = gen_type_is_signed((enum gen_type)o->type);
	return (struct number){ .i = (wide)value -
				     ((wide)(is_signed && value >> (bits - 1)) << bits) };
}

/* Rows of one matrix times columns of another; floats are rounded once for each product. */
static bool multiply_matrices(struct reference *r, const struct gen_inst *inst, uint32_t active)
{
	unsigned a = element_bits(inst->src[1].type), b = element_bits(inst->src[2].type);
	unsigned n = a == 16 ? 2 : a <= 4 && b <= 4 ? 8 : 4;
	bool keep = cr0_of(r) >> float_format.keep & 1;
	uint32_t result[8][8];
	for (unsigned row = 0; row < inst->repeat; row++)
		for (unsigned c = 0; c < 8; c++) {
			uint32_t bits = 0;
			if (inst->src[0].file != GEN_FILE_NULL)
				memcpy(&bits,
					r->thread->grf + inst->src[0].reg * 32 + row * 32 + c * 4,
					4);
			quad x = flush(float_value(bits, &float_format), cr0_of(r), &float_format);
			wide whole = bits;
			for (unsigned k = 0; k < inst->function * n; k++) {
				struct number u =
					element(r, &inst->src[1], (k / n * 8 + c) * n + k % n);
				struct number v = element(r, &inst->src[2], row * n * 8 + k);
				whole += u.i * v.i;
				u.f = flush(u.f, cr0_of(r), &float_format);
				v.f = flush(v.f, cr0_of(r), &float_format);
				x = round_to(sum(r, x, u.f * v.f), &float_format, mode_of(r), keep);
			}
			result[row][c] =
				a == 16 ? (uint32_t)float_bits(x, &float_format) : (uint32_t)whole;
		}
	for (unsigned row = 0; row < inst->repeat; row++)
		for (unsigned c = 0; c < 8; c++)
			if (inst->no_mask || active >> (c + inst->channel_offset) & 1)
				memcpy(r->thread->grf + inst->dst.reg * 32 + row * 32 + c * 4,
					&result[row][c], 4);
	return true;
}

bool reference_alu(struct reference *r, const struct gen_inst *original, uint32_t active)
{
	struct gen_inst plain = *original;
	const struct gen_inst *inst = &plain;
	uint32_t kept = UINT32_MAX;
	if (inst->op == GEN_OP_dpas)
		return multiply_matrices(r, inst, active);
	if (inst->op == GEN_OP_dpasw) /* two threads' */
		return false;
	if (inst->op == GEN_OP_madm || inst->cond == GEN_COND_EO)
		return macro_step(r, inst, active);
	memcpy(r->ce, &active, sizeof(r->ce));
	if (inst->op == GEN_OP_smov) {
		kept = (uint32_t)inst->src[1].imm;
		plain.op = GEN_OP_mov;
		plain.source_count = 1;
	}
	uint64_t bits[32] = { 0 };
	wide exact[32];
	bool condition[32] = { false }, on[32];
	unsigned size = gen_type_size(inst->dst.type);
	for (unsigned i = 0; i < inst->exec_size; i++) {
		bool p = predicate_bit(r, inst, i);
		bool selects = inst->op == GEN_OP_sel && !inst->cond;
		on[i] = (inst->no_mask || active >> (i + inst->channel_offset) & 1) &&
			(selects || p) && (kept >> i & 1);
		if (!channel(r, inst, i, p, &bits[i], &exact[i], &condition[i]))
			return false;
	}
	for (unsigned i = 0; i < inst->exec_size; i++) {
		if (!on[i])
			continue;
		if (inst->dst.file != GEN_FILE_NULL && inst->has_dst) {
			uint8_t *to = place(r, &inst->dst, i, true);
			memcpy(to, &bits[i], size);
			if (inst->dst.file == GEN_FILE_ACC && size == 4)
				r->acc_wide[(to - r->acc) / 4] = (int64_t)exact[i];
		}
		if (inst->acc_wr_en && inst->op == GEN_OP_mach)
			set_acc(r, i, exact[i]);
		if (inst->acc_wr_en && (inst->op == GEN_OP_addc || inst->op == GEN_OP_subb))
			set_acc(r, i, exact[i] < 0 || exact[i] >> 32 ? 1 : 0);
		unsigned bit = i + inst->channel_offset + (inst->flag & 1) * 16u;
		if (inst->cond && inst->op != GEN_OP_sel && inst->op != GEN_OP_csel && bit < 32) {
			uint8_t *byte = r->flag + (inst->flag >> 1) * 4 + bit / 8;
			*byte = (uint8_t)((*byte & ~(1u << bit % 8)) | (unsigned)condition[i]
									       << bit % 8);
		}
	}
	return true;
}

uint32_t reference_source(struct reference *r, const struct gen_inst *inst, unsigned s, unsigned i)
{
	return (uint32_t)raw_source(r, &inst->src[s], i);
}
