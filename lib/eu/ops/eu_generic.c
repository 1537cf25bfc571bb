// SPDX-License-Identifier: MIT
#include "eu/ops/eu_generic.h"

#include <math.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "eu/state/eu_float_mode.h"
#include "eu/ops/eu_branch.h"
#include "eu/ops/eu_uop.h"

unsigned eu_file_offset(unsigned file, unsigned *bytes)
{
#define FILE_ROW(member, size)                                                                     \
	{                                                                                          \
		EU_OFFSET(member), size                                                            \
	}
	static const struct {
		uint16_t offset, bytes;
	} files[] = {
		[GEN_FILE_NULL] = FILE_ROW(zero, 32),
		[GEN_FILE_GRF] = FILE_ROW(grf, GEN_GRF_COUNT * GEN_GRF_BYTES),
		[GEN_FILE_A] = FILE_ROW(a0_words, 32),
		[GEN_FILE_ACC] = FILE_ROW(acc, EU_ACC_BYTES),
		[GEN_FILE_F] = FILE_ROW(flag, 8),
		[GEN_FILE_CE] = FILE_ROW(ce, 4),
		[GEN_FILE_SR] = FILE_ROW(sr, 16),
		[GEN_FILE_CR] = FILE_ROW(cr, 16),
		[GEN_FILE_N] = FILE_ROW(n0, 16),
		[GEN_FILE_IP] = FILE_ROW(ip, 4),
		[GEN_FILE_TM] = FILE_ROW(tm, 32),
		[GEN_FILE_TDR] = FILE_ROW(tdr, 16),
	};
#undef FILE_ROW
	*bytes = file < sizeof files / sizeof files[0] ? files[file].bytes : 0;
	return *bytes ? files[file].offset : 0;
}

/*
 * Quadwords where the hardware has no arithmetic for them. IGC emits them for the operands of
 * 64-bit atomics: moved, shifted, added and combined bit by bit. No other operation has them there.
 */
static bool takes_quadwords(const struct gen_inst *inst)
{
	for (unsigned s = 0; s < inst->source_count; s++)
		if (gen_type_is_float(inst->src[s].type))
			return false;
	return (gen_ops[inst->op].types & GEN_TAKES_Q) && !gen_type_is_float(inst->dst.type) &&
	       !inst->saturate && inst->cond == GEN_COND_NONE;
}

static bool type_implemented(
	const struct gen_device *device, const struct gen_inst *inst, unsigned type)
{
	if (device->family->types >> type & 1)
		return true;
	return (type == GEN_TYPE_UQ || type == GEN_TYPE_Q) && takes_quadwords(inst);
}

static bool operand_init(const struct gen_device *device, const struct gen_inst *inst,
	const struct gen_operand *o, uint16_t *base)
{
	unsigned bytes;
	*base = 0;
	if (!type_implemented(device, inst, o->type))
		return false;
	if (o->file == GEN_FILE_IMM)
		return true;
	if (o->addressing != GEN_DIRECT)
		return o->file == GEN_FILE_GRF;
	*base = (uint16_t)eu_file_offset(o->file, &bytes);
	return bytes != 0 &&
	       (o->file == GEN_FILE_NULL ||
		       gen_operand_start(o) + gen_operand_bytes(o, inst->exec_size) <= bytes);
}

/* A step of a division or square root. */
static bool uses_macro(const struct gen_inst *inst)
{
	return inst->op == GEN_OP_madm ||
	       (inst->op == GEN_OP_math &&
		       (inst->function == GEN_MATH_INVM || inst->function == GEN_MATH_RSQTM));
}

static enum eu_class class_of(const struct gen_inst *inst)
{
	bool is_float = false, is_double = inst->dst.type == GEN_TYPE_DF || uses_macro(inst);
	for (unsigned s = 0; s < inst->source_count; s++) {
		is_float |= gen_type_is_float(inst->src[s].type);
		is_double |= inst->src[s].type == GEN_TYPE_DF;
	}
	if (is_double)
		return EU_CLASS_DOUBLE;
	if (!is_float)
		return EU_CLASS_INT;
	bool half =
		inst->dst.type == GEN_TYPE_HF && inst->op != GEN_OP_cmp && inst->op != GEN_OP_cmpn;
	return half ? EU_CLASS_HALF : EU_CLASS_FLOAT;
}

static bool same_type(const struct gen_inst *inst, unsigned s)
{
	return inst->src[s].type == inst->dst.type ||
	       (inst->src[s].type == GEN_TYPE_VF && inst->dst.type == GEN_TYPE_F);
}

/* mov and predicated sel between equal types, without modifiers, copy bits. */
static bool copies_raw(const struct gen_inst *inst)
{
	if ((inst->op != GEN_OP_mov && inst->op != GEN_OP_sel) || inst->cond != GEN_COND_NONE ||
		inst->saturate)
		return false;
	for (unsigned s = 0; s < inst->source_count; s++)
		if (!same_type(inst, s) || inst->src[s].abs || inst->src[s].neg)
			return false;
	return true;
}

static bool chooses(const struct gen_inst *inst)
{
	bool copies = inst->op == GEN_OP_mov && !inst->src[0].abs && !inst->src[0].neg;
	bool picks = inst->op == GEN_OP_sel && inst->cond == GEN_COND_NONE;
	if (!(copies || picks || inst->op == GEN_OP_csel) || inst->saturate)
		return false;
	for (unsigned s = 0; s < inst->source_count; s++)
		if (!same_type(inst, s))
			return false;
	return true;
}

/* What compares must say how. */
static bool lacks_condition(const struct gen_inst *inst)
{
	bool compares = (gen_ops[inst->op].flags & GEN_DOES_COMPARES) || inst->op == GEN_OP_csel;
	return compares && inst->cond == GEN_COND_NONE;
}

bool eu_generic_init(
	struct eu_generic *general, const struct gen_device *device, const struct gen_inst *inst)
{
	if (lacks_condition(inst))
		return false;
	general->inst = *inst;
	general->lanes = UINT32_MAX;
	general->whole = gen_op_is_dpas(inst->op);
	if (general->whole) {
		general->run = eu_generic_dpas(device, inst);
		return general->run != NULL;
	}
	if (inst->op == GEN_OP_smov) { /* a mov with a mask for its second source */
		if (inst->src[1].file != GEN_FILE_IMM)
			return false;
		general->lanes = (uint32_t)inst->src[1].imm;
		general->inst.op = GEN_OP_mov;
		general->inst.source_count = 1;
	}
	inst = &general->inst;
	if (!inst->has_dst) {
		general->inst.dst.file = GEN_FILE_NULL;
		if (inst->dst.type == GEN_TYPE_NONE)
			general->inst.dst.type = GEN_TYPE_UD;
	}
	general->inst.dst.width = 0; /* a destination is hstride alone */
	general->chooses = chooses(&general->inst);
	general->raw = copies_raw(&general->inst);
	general->class = general->raw ? EU_CLASS_INT : class_of(&general->inst);
	/* Writes to tm0 are hints: they ask for a pause before the next instruction. */
	if (inst->dst.file == GEN_FILE_IP || inst->exec_size > GEN_MAX_LANES ||
		inst->source_count > 3)
		return false;
	if (!operand_init(device, inst, &general->inst.dst, &general->dst_base))
		return false;
	for (unsigned s = 0; s < inst->source_count; s++)
		if (!operand_init(device, inst, &inst->src[s], &general->src_base[s]))
			return false;
	if (general->class == EU_CLASS_INT)
		general->run = eu_generic_int(inst);
	else if (general->class == EU_CLASS_FLOAT)
		general->run = eu_generic_float(inst);
	else
		general->run = eu_generic_double(inst, general->class);
	return general->run != NULL;
}

uint32_t eu_predicate_bits(const uint32_t flags[2], unsigned flag, unsigned predicate, bool invert)
{
	uint32_t bits = flags[flag >> 1] >> (flag & 1 ? 16 : 0);
	switch (predicate) {
	case GEN_PRED_NONE:
		return UINT32_MAX;
	case GEN_PRED_SEQUENTIAL:
		break;
	case GEN_PRED_ANYV:
		bits = (flags[0] | flags[1]) >> (flag & 1 ? 16 : 0);
		break;
	case GEN_PRED_ALLV:
		bits = (flags[0] & flags[1]) >> (flag & 1 ? 16 : 0);
		break;
	default: {
		bool all = (predicate - GEN_PRED_ANY2H) & 1;
		unsigned size = 2u << (predicate - GEN_PRED_ANY2H) / 2;
		uint32_t group = size == 32 ? UINT32_MAX : (1u << size) - 1, found = 0;
		for (unsigned first = 0; first < 32; first += size) {
			uint32_t part = bits >> first & group;
			if (all ? part == group : part != 0)
				found |= group << first;
		}
		bits = found;
	}
	}
	return invert ? ~bits : bits;
}

/* -- Sources -------------------------------------------------------------------------------- */

static const uint8_t *element(const struct eu_call *call, const struct gen_operand *o,
	uint16_t base, unsigned i, unsigned size)
{
	const struct eu_thread *thread = call->thread;
	unsigned address;
	if (o->addressing == GEN_DIRECT)
		return (const uint8_t *)thread + base + gen_operand_start(o) +
		       gen_operand_element(o, i) * size;
	const uint16_t *words = (const uint16_t *)(const void *)thread->a0_words;
	if (o->addressing == GEN_INDIRECT_1X1) {
		address = words[o->sub & 15] + gen_operand_element(o, i) * size;
	} else {
		unsigned width = o->width ? o->width : 1;
		address = words[(o->sub + i / width) & 15] + i % width * o->hstride * size;
	}
	address = (address + (unsigned)(int)o->offset) & (GEN_GRF_COUNT * GEN_GRF_BYTES - 1);
	if (address > GEN_GRF_COUNT * GEN_GRF_BYTES - size)
		address = GEN_GRF_COUNT * GEN_GRF_BYTES - size;
	return thread->grf + address;
}

/* Element i of an immediate, as the bits of its element type. */
static uint64_t immediate(const struct gen_operand *o, unsigned i)
{
	unsigned nibble = (unsigned)(o->imm >> i % 8 * 4) & 15;
	switch (o->type) {
	case GEN_TYPE_UV:
		return nibble;
	case GEN_TYPE_V:
		return nibble & 8 ? nibble | ~UINT64_C(15) : nibble;
	case GEN_TYPE_VF: {
		uint32_t byte = (uint32_t)(o->imm >> i % 4 * 8) & 0xff, sign = byte >> 7 << 31;
		return byte & 0x7f ? sign | ((byte >> 4 & 7) + 124) << 23 | (byte & 15) << 19
				   : sign;
	}
	}
	return o->imm;
}

static int64_t modify_int(const struct gen_inst *inst, const struct gen_operand *o, int64_t value)
{
	if (gen_ops[inst->op].modifier == GEN_MODIFIER_INVERTS)
		return o->neg ? ~value : value;
	/* The least quadword is its own negative. */
	if (o->abs && value < 0)
		value = (int64_t)(0 - (uint64_t)value);
	return o->neg ? (int64_t)(0 - (uint64_t)value) : value;
}

/* Floats of up to 32 bits, which single precision holds. */
static bool takes_float(unsigned type)
{
	return type == GEN_TYPE_HF || type == GEN_TYPE_F || type == GEN_TYPE_VF;
}

static double flush_double(double value, uint32_t cr0)
{
	return fabs(value) < 0x1p-1022 && !(cr0 & EU_CR0_KEEP_DENORMALS_DF) ? copysign(0, value)
									    : value;
}

/* The same of an operation in double precision that has an operand of 64 bits. */
static double load_double(const struct gen_operand *o, uint64_t bits, uint32_t cr0)
{
	double value;
	if (o->type == GEN_TYPE_UQ) {
		value = (double)bits;
	} else if (!gen_type_is_float((enum gen_type)o->type)) {
		value = (double)gen_type_extend(o->type, bits);
	} else {
		memcpy(&value, &bits, sizeof(value));
		value = flush_double(value, cr0);
	}
	if (o->abs)
		value = copysign(value, 1);
	return o->neg ? -value : value;
}

/* A floating point value with its modifiers; denormals are flushed when cr0 says so. */
static union eu_value load_float(
	const struct eu_call *call, const struct gen_operand *o, uint64_t bits, enum eu_class class)
{
	union eu_value value;
	uint32_t word = (uint32_t)bits;
	uint32_t cr0 = call->general->chooses ? UINT32_MAX : call->thread->cr[0];
	float f;
	if (class == EU_CLASS_DOUBLE && !takes_float(o->type)) {
		value.d = load_double(o, bits, cr0);
		return value;
	}
	if (o->type == GEN_TYPE_HF) {
		if ((word & 0x7c00) == 0 && !(cr0 & EU_CR0_KEEP_DENORMALS_HF))
			word &= 0x8000;
		f = eu_half_to_float((uint16_t)word);
	} else if (o->type == GEN_TYPE_BF || o->type == GEN_TYPE_F || o->type == GEN_TYPE_VF) {
		if (o->type == GEN_TYPE_BF)
			word <<= 16;
		if ((word & 0x7f800000) == 0 && !(cr0 & EU_CR0_KEEP_DENORMALS_F))
			word &= 0x80000000;
		memcpy(&f, &word, sizeof f);
	} else {
		f = (float)gen_type_extend(o->type, bits);
	}
	memcpy(&word, &f, sizeof word);
	if (o->abs)
		word &= 0x7fffffff;
	if (o->neg)
		word ^= 0x80000000;
	memcpy(&f, &word, sizeof f);
	if (class == EU_CLASS_FLOAT)
		value.f = f;
	else
		value.d = (double)f;
	return value;
}

static void load_source(struct eu_call *call, unsigned s)
{
	const struct eu_generic *general = call->general;
	const struct gen_operand *o = &general->inst.src[s];
	unsigned size = gen_type_size(o->type);
	for (unsigned i = 0; i < call->count; i++) {
		uint64_t bits = 0;
		if (o->file == GEN_FILE_IMM)
			bits = immediate(o, i);
		else
			memcpy(&bits, element(call, o, general->src_base[s], i, size), size);
		if (general->raw)
			call->source[s][i].i = (int64_t)bits;
		else if (general->class == EU_CLASS_INT)
			call->source[s][i].i =
				modify_int(&general->inst, o, gen_type_extend(o->type, bits));
		else
			call->source[s][i] = load_float(call, o, bits, general->class);
	}
}

/* -- Results -------------------------------------------------------------------------------- */

static void int_range(unsigned type, int64_t *low, int64_t *high)
{
	unsigned bits = 8 * gen_type_size((enum gen_type)type);
	bool is_signed = gen_type_is_signed((enum gen_type)type);
	*high = (int64_t)(UINT64_MAX >> (bits < 64 ? 64 - bits + is_signed : 1));
	*low = is_signed ? -*high - 1 : 0;
}

static uint64_t int_from_float(double value, unsigned type, uint32_t cr0)
{
	bool is_signed = gen_type_is_signed((enum gen_type)type);
	int bits = (int)(8 * gen_type_size((enum gen_type)type) - is_signed);
	if (isnan(value))
		return 0;
	if (cr0 & EU_CR0_ROUND_INT) {
		static const int modes[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
		int saved = fegetround();
		fesetround(modes[eu_cr0_rounding(cr0)]);
		value = rint(value);
		fesetround(saved);
	}
	if (value >= ldexp(1, bits))
		return UINT64_MAX >> (64 - bits);
	if (value < 0)
		return is_signed && value > -ldexp(1, bits) ? (uint64_t)(int64_t)value
		       : is_signed			    ? UINT64_MAX << bits
							    : 0;
	return (uint64_t)value;
}

static double saturate(double value)
{
	return value > 0 ? value < 1 ? value : 1 : 0;
}

/* The nearest bfloat16, of two the even one. */
static uint16_t bfloat_bits(float value)
{
	uint32_t word;

	memcpy(&word, &value, sizeof(word));
	if (isnan(value))
		return (uint16_t)(word >> 16 | 0x40);
	return (uint16_t)((word + 0x7fff + (word >> 16 & 1)) >> 16);
}

/* Converts one result to the destination's type; returns its bits. */
static uint64_t convert_result(const struct eu_call *call, union eu_value result)
{
	const struct gen_inst *inst = &call->general->inst;
	enum eu_class class = call->general->class;
	uint32_t cr0 = call->thread->cr[0], word;
	unsigned type = inst->dst.type;
	if (call->general->raw)
		return (uint64_t)result.i;
	if (!gen_type_is_float((enum gen_type)type)) {
		int64_t value = result.i, low, high;
		if (class != EU_CLASS_INT)
			return int_from_float(
				class == EU_CLASS_FLOAT ? (double)result.f : result.d, type, cr0);
		if (inst->saturate) {
			int_range(type, &low, &high);
			value = value < low ? low : value > high ? high : value;
		}
		return (uint64_t)value;
	}
	if (type == GEN_TYPE_BF)
		return bfloat_bits(inst->saturate ? (float)saturate((double)result.f) : result.f);
	if (type == GEN_TYPE_HF) {
		double value = class == EU_CLASS_INT	 ? (double)result.i
			       : class == EU_CLASS_FLOAT ? (double)result.f
							 : result.d;
		/* math.* rounds to nearest whatever the mode. */
		enum eu_rounding rounding =
			inst->op == GEN_OP_math ? EU_ROUND_NEAREST : eu_cr0_rounding(cr0);
		if (inst->saturate)
			value = saturate(value);
		return eu_half_from_double(value, rounding,
			call->general->chooses || (cr0 & EU_CR0_KEEP_DENORMALS_HF));
	}
	if (type == GEN_TYPE_DF) {
		result.d = flush_double(inst->saturate ? saturate(result.d) : result.d,
			call->general->chooses ? UINT32_MAX : cr0);
		return (uint64_t)result.i;
	}
	float value = class == EU_CLASS_FLOAT		 ? result.f
		      : class != EU_CLASS_INT		 ? (float)result.d
		      : inst->src[0].type == GEN_TYPE_UQ ? (float)(uint64_t)result.i
							 : (float)result.i;
	if (class == EU_CLASS_DOUBLE && fabsf(value) < 0x1p-126f &&
		!(cr0 & EU_CR0_KEEP_DENORMALS_F))
		value = copysignf(0, value);
	if (inst->saturate)
		value = (float)saturate((double)value);
	memcpy(&word, &value, sizeof word);
	return word;
}

/* Compares a final result, as its destination holds it, with zero. */
static bool holds(unsigned cond, unsigned type, uint64_t bits, union eu_value exact, uint32_t cr0)
{
	double value;
	if (type == GEN_TYPE_HF) {
		if ((bits & 0x7c00) == 0 && !(cr0 & EU_CR0_KEEP_DENORMALS_HF))
			bits &= 0x8000;
		value = (double)eu_half_to_float((uint16_t)bits);
	} else if (type == GEN_TYPE_F || type == GEN_TYPE_BF) {
		uint32_t word = (uint32_t)bits << (type == GEN_TYPE_BF ? 16 : 0);
		float f;
		if ((word & 0x7f800000) == 0 && !(cr0 & EU_CR0_KEEP_DENORMALS_F))
			word &= 0x80000000;
		memcpy(&f, &word, sizeof f);
		value = (double)f;
	} else if (type == GEN_TYPE_DF) {
		memcpy(&value, &bits, sizeof(value));
		value = flush_double(value, cr0);
	} else {
		value = type == GEN_TYPE_UQ ? (double)bits : (double)gen_type_extend(type, bits);
	}
	switch (cond) {
	case GEN_COND_EQ:
		return value == 0;
	case GEN_COND_NE:
		return value != 0;
	case GEN_COND_GT:
		return value > 0;
	case GEN_COND_GE:
		return value >= 0;
	case GEN_COND_LT:
		return value < 0;
	case GEN_COND_LE:
		return value <= 0;
	case GEN_COND_OV:
		return gen_type_is_float((enum gen_type)type)
			       ? isinf(value)
			       : exact.i != gen_type_extend(type, bits);
	case GEN_COND_UN:
		return isnan(value);
	}
	return false;
}

static void write_flags(struct eu_call *call, uint32_t found)
{
	const struct gen_inst *inst = &call->general->inst;
	unsigned shift = inst->channel_offset + (inst->flag & 1) * 16u;
	uint32_t *flag = &call->thread->flag[inst->flag >> 1];
	if (shift < 32)
		*flag = (*flag & ~(call->lanes << shift)) | (found & call->lanes) << shift;
}

static void store_element(struct eu_call *call, unsigned i, uint64_t bits, int64_t exact)
{
	const struct eu_generic *general = call->general;
	const struct gen_operand *o = &general->inst.dst;
	unsigned size = gen_type_size(o->type);
	uint8_t *to = (uint8_t *)(uintptr_t)element(call, o, general->dst_base, i, size);
	memcpy(to, &bits, size);
	if (o->file == GEN_FILE_ACC && size == 4 && general->class == EU_CLASS_INT &&
		!gen_type_is_float(o->type))
		call->thread->acc_high[(to - call->thread->acc) / 4] = (int32_t)(exact >> 32);
	if (general->inst.acc_wr_en && o->file != GEN_FILE_ACC && size * (i + 1) <= EU_ACC_BYTES)
		switch (general->inst.op) {
		case GEN_OP_addc:
		case GEN_OP_subb:
		case GEN_OP_mach:
			break;
		default:
			memcpy(call->thread->acc + size * i, &bits, size);
		}
}

static void write_results(struct eu_call *call)
{
	const struct gen_inst *inst = &call->general->inst;
	bool compares = gen_ops[inst->op].flags & GEN_DOES_COMPARES;
	bool early = inst->cond == GEN_COND_EO; /* the operation has found them */
	bool flags =
		early || (inst->cond != GEN_COND_NONE && (gen_ops[inst->op].flags & GEN_DOES_COND));
	uint32_t found = call->true_lanes;
	for (unsigned i = 0; i < call->count; i++) {
		if (!(call->lanes >> i & 1))
			continue;
		uint64_t bits = compares ? 0 - (uint64_t)(found >> i & 1)
					 : convert_result(call, call->result[i]);
		if (flags && !compares && !early &&
			holds(inst->cond, inst->dst.type, bits, call->result[i],
				call->thread->cr[0]))
			found |= 1u << i;
		if (inst->dst.file != GEN_FILE_NULL)
			store_element(call, i, bits, call->result[i].i);
	}
	if (flags)
		write_flags(call, found);
}

/* Files whose contents are made when they are read. */
static void refresh_files(struct eu_thread *thread, const struct gen_inst *inst)
{
	for (unsigned s = 0; s < inst->source_count; s++) {
		if (inst->src[s].file == GEN_FILE_TM) {
			struct timespec now;
			clock_gettime(CLOCK_MONOTONIC, &now);
			uint64_t ticks = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
			thread->tm[0] = (uint32_t)ticks;
			thread->tm[1] = (uint32_t)(ticks >> 32);
		} else if (inst->src[s].file == GEN_FILE_CE) {
			thread->ce = thread->act.bits;
		} else if (inst->src[s].file == GEN_FILE_IP) {
			thread->ip = eu_branch_base(thread) + inst->ip;
		}
	}
}

void eu_generic_run(struct eu_thread *thread, const struct eu_generic *general)
{
	const struct gen_inst *inst = &general->inst;
	struct eu_call call;
	uint32_t all = gen_inst_channels(inst) >> inst->channel_offset;
	call.thread = thread;
	call.general = general;
	call.count = inst->exec_size;
	call.true_lanes = 0;
	call.select = eu_predicate_bits(
			      thread->flag, inst->flag, inst->predicate, inst->predicate_invert) >>
		      inst->channel_offset;
	uint32_t active = inst->no_mask ? all : thread->act.bits >> inst->channel_offset;
	bool selects = inst->op == GEN_OP_sel && inst->cond == GEN_COND_NONE;
	call.lanes = active & all & (selects ? all : call.select) & general->lanes;
	if (general->whole) {
		general->run(&call);
		return;
	}
	refresh_files(thread, inst);
	bool is_double = general->class == EU_CLASS_HALF || general->class == EU_CLASS_DOUBLE;
	unsigned mode = 0;
	if (is_double) {
		uint32_t cr0 = general->class == EU_CLASS_DOUBLE ? thread->cr[0] : 0;
		mode = eu_float_mode_get();
		eu_float_mode_set(eu_float_mode_of(cr0 | EU_CR0_KEEP_DENORMALS_F));
	}
	for (unsigned s = 0; s < inst->source_count; s++)
		load_source(&call, s);
	for (unsigned s = inst->source_count; s < 3; s++)
		memset(call.source[s], 0, sizeof call.source[s][0] * call.count);
	general->run(&call);
	write_results(&call);
	if (is_double)
		eu_float_mode_set(mode);
	if (inst->dst.file == GEN_FILE_CR) {
		thread->float_mode = eu_float_mode_of(thread->cr[0]);
		eu_float_mode_set(thread->float_mode);
	}
}
