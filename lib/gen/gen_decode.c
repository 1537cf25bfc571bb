// SPDX-License-Identifier: MIT
#include "gen/gen_decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/gen_iga.h"
#include "gen/gen_scan.h"
#include "util/util_bits.h"

/* The library's enumerations, as far as they are the same in all its versions. */
enum { KIND_DIRECT = 1, KIND_MACRO, KIND_INDIRECT, KIND_IMMEDIATE, KIND_LABEL };
enum { MODIFIER_ABS = 1, MODIFIER_NEG = 2, MODIFIER_NEG_ABS = 3 };
enum { OPTION_ACC_WR_EN = 0, OPTION_EOT = 4 };
enum { NO_MME = 8 };
enum { VERTICAL_VXH = 31, VERTICAL_INVALID = 63, WIDTH_INVALID = 31, HORIZONTAL_INVALID = 15 };
enum { REGISTER_NONE = 0xff, COND_EARLY_OUT = 0xff };
enum { LAST_STABLE_NAME = 8 };
enum { OPCODE_MASK = 0x7f };

/* iga::Type -> enum gen_type; the rest do not occur on these devices. */
static const uint8_t type_map[] = {
	[2] = GEN_TYPE_U2,
	[3] = GEN_TYPE_U4,
	[4] = GEN_TYPE_S2,
	[5] = GEN_TYPE_S4,
	[6] = GEN_TYPE_UB,
	[7] = GEN_TYPE_B,
	[8] = GEN_TYPE_UW,
	[9] = GEN_TYPE_W,
	[10] = GEN_TYPE_UD,
	[11] = GEN_TYPE_D,
	[12] = GEN_TYPE_UQ,
	[13] = GEN_TYPE_Q,
	[14] = GEN_TYPE_HF,
	[16] = GEN_TYPE_BF,
	[IGA_TYPE_F] = GEN_TYPE_F,
	[21] = GEN_TYPE_DF,
	[23] = GEN_TYPE_V,
	[24] = GEN_TYPE_UV,
	[25] = GEN_TYPE_VF,
};

/* iga::RegName of libiga64.so.1 -> enum gen_file. Version 2 inserted one after LAST_STABLE_NAME. */
static const uint8_t file_map[] = { GEN_FILE_NULL, GEN_FILE_NULL, GEN_FILE_A, GEN_FILE_ACC,
	GEN_FILE_MME, GEN_FILE_F, GEN_FILE_CE, GEN_FILE_MSG, GEN_FILE_SP, GEN_FILE_SR, GEN_FILE_CR,
	GEN_FILE_N, GEN_FILE_IP, GEN_FILE_TDR, GEN_FILE_TM, GEN_FILE_FC, GEN_FILE_DBG,
	GEN_FILE_GRF };

/* iga::FlagModifier -> enum gen_cond */
static const uint8_t cond_map[] = { GEN_COND_NONE, GEN_COND_EQ, GEN_COND_NE, GEN_COND_GT,
	GEN_COND_GE, GEN_COND_LT, GEN_COND_LE, GEN_COND_NONE, GEN_COND_OV, GEN_COND_UN };

/* iga::MathFC -> enum gen_math; the library counts without the hardware's gap at 8 */
static const uint8_t math_map[] = { 0, GEN_MATH_INV, GEN_MATH_LOG, GEN_MATH_EXP, GEN_MATH_SQT,
	GEN_MATH_RSQT, GEN_MATH_SIN, GEN_MATH_COS, GEN_MATH_FDIV, GEN_MATH_POW, GEN_MATH_IDIV,
	GEN_MATH_IQOT, GEN_MATH_IREM, GEN_MATH_INVM, GEN_MATH_RSQTM };

struct decoder {
	const struct gen_device *device;
	struct kv *kv;
	const uint8_t *code;
	int32_t pc;		/* of the instruction at hand */
	int32_t *index_of;	/* instruction index by pc / 8, -1 inside of one */
	const atomic_int *stop; /* or NULL */
	struct gen_fault *fault;
};

static bool refuse(struct decoder *decoder, const char *what)
{
	gen_fault_add(decoder->fault, GEN_FAULT_BAD_INSTRUCTION, "instruction at 0x%x: %s",
		(unsigned)decoder->pc, what);
	return false;
}

static bool decode_op(struct decoder *decoder, struct gen_inst *inst)
{
	enum gen_op op = gen_op_find(
		decoder->device->family->generation, decoder->code[decoder->pc] & OPCODE_MASK);

	if (op == GEN_OP_COUNT)
		return refuse(decoder, "opcode that these devices do not have");
	inst->op = (uint8_t)op;
	return true;
}

static bool is_branch(const struct gen_inst *inst)
{
	return gen_ops[inst->op].format == GEN_OPERANDS_BRANCH;
}

static bool decode_type(
	struct decoder *decoder, const struct gen_inst *inst, uint32_t type, uint8_t *out)
{
	*out = type < UTIL_ARRAY_SIZE(type_map) ? type_map[type] : GEN_TYPE_NONE;
	if (*out == GEN_TYPE_NONE && is_branch(inst))
		*out = GEN_TYPE_UD;
	return *out != GEN_TYPE_NONE || refuse(decoder, "an operand's type is not of this device");
}

static bool decode_file(struct decoder *decoder, uint32_t name, uint8_t *out)
{
	if (name == iga.grf) {
		*out = GEN_FILE_GRF;
		return true;
	}
	if (name > LAST_STABLE_NAME)
		name -= iga.grf - IGA_FIRST_GRF_NAME;
	if (name >= UTIL_ARRAY_SIZE(file_map))
		return refuse(decoder, "an operand's register file is unknown");
	*out = file_map[name];
	return true;
}

/*
 * The hardware takes a packed vector for a row of words and lays it under the destination's
 * channels: a channel of dwords meets every second element, one of qwords every fourth. What is
 * returned has element i at place i.
 */
static uint64_t settle_packed(const struct gen_inst *inst, uint64_t value)
{
	unsigned bytes = inst->dst.hstride * gen_type_size((enum gen_type)inst->dst.type);
	unsigned step = inst->has_dst && bytes > 2 ? bytes / 2 : 1;
	uint64_t settled = 0;

	for (unsigned i = 0; i < 8; i++)
		settled |= (value >> i * step % 8 * 4 & 15) << i * 4;
	return settled;
}

static void set_region(struct gen_operand *operand, uint32_t vertical, uint32_t width, uint32_t h)
{
	operand->vstride = (uint8_t)vertical;
	operand->width = (uint8_t)width;
	operand->hstride = (uint8_t)h;
}

/* Regions of three-source instructions: <v;h>, and of the last source only <h>. */
static void complete_ternary(uint32_t *vertical, uint32_t *width, uint32_t horizontal)
{
	if (*vertical == VERTICAL_INVALID) {
		*vertical = horizontal;
		*width = 1;
	} else if (horizontal == 0) {
		*width = *vertical == 0 ? 1 : *vertical;
	} else {
		*width = *vertical / horizontal;
	}
}

/* The files of registers whose regions the library writes (a0.0<8;8,1>) but does not tell. */
static const char *written_name(uint8_t file)
{
	return file == GEN_FILE_A ? "a0." : file == GEN_FILE_TM ? "tm0." : NULL;
}

/* Source n's region as the library writes it. Returns whether it does. */
static bool read_written_region(struct decoder *decoder, const struct gen_inst *inst, uint32_t n,
	uint32_t *vertical, uint32_t *width, uint32_t *horizontal)
{
	const char *name = written_name(inst->src[n].file);
	unsigned before = n && inst->src[0].file == inst->src[n].file;
	char text[256] = "";

	iga.kv_get_inst_syntax(decoder->kv, decoder->pc, text, sizeof(text), 0, NULL, NULL);
	for (const char *at = text; (at = strstr(at, name)) != NULL; at++) {
		if (sscanf(at + strlen(name), "%*u<%u;%u,%u>", vertical, width, horizontal) == 3 &&
			!before--)
			return true;
	}
	return false;
}

static bool decode_region(struct decoder *decoder, const struct gen_inst *inst, uint32_t n,
	struct gen_operand *source)
{
	uint32_t vertical = VERTICAL_INVALID, width = WIDTH_INVALID, horizontal = 0;

	iga.kv_get_source_region(decoder->kv, decoder->pc, n, &vertical, &width, &horizontal);
	if (source->file == GEN_FILE_NULL || is_branch(inst) || gen_op_is_dpas(inst->op)) {
		set_region(source, 0, 1, 0);
		return true;
	}
	if (vertical == VERTICAL_INVALID && horizontal == HORIZONTAL_INVALID) {
		/* The library has none for these files; the assembler always means <0;1,0>. */
		if (inst->exec_size > 1 &&
			(source->file == GEN_FILE_GRF || source->file == GEN_FILE_ACC))
			return refuse(decoder, "a source has no region");
		vertical = horizontal = 0;
		width = 1;
		if (inst->exec_size > 1 && written_name(source->file) &&
			!read_written_region(decoder, inst, n, &vertical, &width, &horizontal))
			return refuse(decoder, "a source has no region");
	}
	if (vertical == VERTICAL_VXH) {
		source->addressing = GEN_INDIRECT_VXH;
		vertical = 0;
	} else if (width == WIDTH_INVALID) {
		complete_ternary(&vertical, &width, horizontal);
	}
	if (width == 0 || width > 16 || vertical > 32 || horizontal > 4)
		return refuse(decoder, "a source's region is malformed");
	if (source->addressing != GEN_INDIRECT_VXH &&
		(inst->exec_size == 1 || (vertical == 0 && horizontal == 0))) {
		vertical = horizontal = 0;
		width = 1;
	}
	set_region(source, vertical, width, horizontal);
	return true;
}

/* Register number and subregister of a direct operand, the a0 word of an indirect one. */
static bool decode_register(struct decoder *decoder, struct gen_operand *operand, uint32_t kind,
	uint32_t name, int32_t reg, int32_t sub)
{
	if (kind == KIND_INDIRECT) {
		operand->file = GEN_FILE_GRF;
		operand->addressing = GEN_INDIRECT_1X1;
		if (reg != 0 || sub < 0 || sub > 15)
			return refuse(decoder, "an address register is out of range");
	} else if (kind != KIND_DIRECT && kind != KIND_MACRO) {
		return refuse(decoder, "an operand is of an unknown kind");
	} else if (!decode_file(decoder, name, &operand->file)) {
		return false;
	} else if (reg < 0 || sub < 0 ||
		   (operand->file == GEN_FILE_GRF &&
			   ((unsigned)reg >= gen_family_registers(decoder->device->family) ||
				   (unsigned)sub * gen_type_size(operand->type) >=
					   GEN_GRF_BYTES))) {
		return refuse(decoder, "a register is out of range");
	}
	operand->reg = operand->addressing == GEN_DIRECT ? (uint8_t)reg : 0;
	operand->sub = (uint8_t)sub;
	return true;
}

/*
 * An operand of a math macro: a general register from its start, and a wider one that belongs to
 * it. Its elements are contiguous.
 */
static bool decode_macro(struct decoder *decoder, const struct gen_inst *inst,
	struct gen_operand *operand, uint32_t name, int32_t reg, int16_t number)
{
	if (inst->exec_size * gen_type_size((enum gen_type)operand->type) > GEN_GRF_BYTES ||
		number < 0 || number > NO_MME)
		return refuse(decoder, "an operand of a math macro is malformed");
	operand->mme = number == NO_MME ? 0 : (uint8_t)(number + 1);
	set_region(operand, operand == &inst->dst ? 0 : 1, 1, operand == &inst->dst);
	return decode_register(decoder, operand, KIND_MACRO, name, reg, 0);
}

static bool decode_source(struct decoder *decoder, struct gen_inst *inst, uint32_t n)
{
	const struct kv *kv = decoder->kv;
	struct gen_operand *source = &inst->src[n];
	uint32_t kind = iga.kv_get_source_register_kind(kv, decoder->pc, n);
	uint32_t modifier = iga.kv_get_source_modifier(kv, decoder->pc, n);

	if (!decode_type(
		    decoder, inst, iga.kv_get_source_data_type(kv, decoder->pc, n), &source->type))
		return false;
	if (kind == KIND_IMMEDIATE) {
		uint64_t value = 0;

		iga.kv_get_source_immediate(kv, decoder->pc, n, &value);
		source->file = GEN_FILE_IMM;
		if (source->type == GEN_TYPE_V || source->type == GEN_TYPE_UV)
			source->imm = settle_packed(inst, (uint32_t)value);
		else
			source->imm = (uint64_t)gen_type_extend((enum gen_type)source->type, value);
		set_region(source, 0, 1, 0);
		return true;
	}
	source->abs = modifier == MODIFIER_ABS || modifier == MODIFIER_NEG_ABS;
	source->neg = modifier == MODIFIER_NEG || modifier == MODIFIER_NEG_ABS;
	if (kind == KIND_MACRO) {
		int16_t number = -1;

		iga.kv_get_source_mme_number(kv, decoder->pc, n, &number);
		return decode_macro(decoder, inst, source,
			iga.kv_get_source_register_type(kv, decoder->pc, n),
			iga.kv_get_source_register(kv, decoder->pc, n), number);
	}
	if (!decode_register(decoder, source, kind,
		    iga.kv_get_source_register_type(kv, decoder->pc, n),
		    iga.kv_get_source_register(kv, decoder->pc, n),
		    iga.kv_get_source_sub_register(kv, decoder->pc, n)))
		return false;
	if (kind == KIND_INDIRECT)
		iga.kv_get_source_indirect_imm_off(kv, decoder->pc, n, &source->offset);
	return decode_region(decoder, inst, n, source);
}

static bool decode_destination(struct decoder *decoder, struct gen_inst *inst)
{
	const struct kv *kv = decoder->kv;
	struct gen_operand *dst = &inst->dst;
	uint32_t kind = iga.kv_get_destination_register_kind(kv, decoder->pc);
	uint32_t stride = 1;

	inst->has_dst = true;
	inst->saturate = iga.kv_get_destination_modifier(kv, decoder->pc) != 0;
	if (!decode_type(
		    decoder, inst, iga.kv_get_destination_data_type(kv, decoder->pc), &dst->type))
		return false;
	if (kind == KIND_MACRO) {
		int16_t number = -1;

		iga.kv_get_destination_mme_number(kv, decoder->pc, &number);
		return decode_macro(decoder, inst, dst,
			iga.kv_get_destination_register_type(kv, decoder->pc),
			iga.kv_get_destination_register(kv, decoder->pc), number);
	}
	if (!decode_register(decoder, dst, kind,
		    iga.kv_get_destination_register_type(kv, decoder->pc),
		    iga.kv_get_destination_register(kv, decoder->pc),
		    iga.kv_get_destination_sub_register(kv, decoder->pc)))
		return false;
	if (kind == KIND_INDIRECT)
		iga.kv_get_destination_indirect_imm_off(kv, decoder->pc, &dst->offset);
	iga.kv_get_destination_region(kv, decoder->pc, &stride);
	if (stride == HORIZONTAL_INVALID)
		stride = 1;
	if (stride == 0 || stride > 4)
		return refuse(decoder, "the destination's region is malformed");
	set_region(dst, 0, 1, stride);
	return true;
}

/* Bits of the instruction at hand that lie in one byte. */
static uint8_t read_bits(const struct decoder *decoder, unsigned lowest, unsigned count)
{
	return (uint8_t)(decoder->code[decoder->pc + (int32_t)(lowest / 8)] >> lowest % 8 &
			 ((1u << count) - 1));
}

/* A SEND's operands are whole registers. */
static bool decode_payload(
	struct decoder *decoder, struct gen_operand *operand, uint32_t name, int32_t reg)
{
	operand->type = GEN_TYPE_UD;
	set_region(operand, 1, 1, 0);
	if (!decode_file(decoder, name, &operand->file))
		return false;
	if (operand->file != GEN_FILE_NULL && operand->file != GEN_FILE_GRF)
		return refuse(decoder, "a SEND's operand is not a general register");
	if (operand->file == GEN_FILE_GRF &&
		(reg < 0 || (unsigned)reg >= gen_family_registers(decoder->device->family)))
		return refuse(decoder, "a register is out of range");
	operand->reg = operand->file == GEN_FILE_GRF ? (uint8_t)reg : 0;
	return true;
}

static bool check_payload(
	const struct decoder *decoder, const struct gen_operand *operand, unsigned registers)
{
	return operand->file == GEN_FILE_NULL ||
	       operand->reg + registers <= gen_family_registers(decoder->device->family);
}

static bool decode_send(struct decoder *decoder, struct gen_inst *inst)
{
	const struct kv *kv = decoder->kv;
	int32_t pc = decoder->pc;
	uint8_t exdesc_reg = REGISTER_NONE, exdesc_sub = 0, desc_reg = REGISTER_NONE, desc_sub = 0;
	const uint8_t wide = decoder->device->family->wide_handle;
	uint32_t length[3] = { 0, 0, 0 };
	int32_t count = iga.kv_get_number_sources(kv, pc);

	for (int32_t n = 0; n < count && n < 2; n++) {
		if (!decode_payload(decoder, &inst->src[n],
			    iga.kv_get_source_register_type(kv, pc, (uint32_t)n),
			    iga.kv_get_source_register(kv, pc, (uint32_t)n)))
			return false;
	}
	inst->source_count = (uint8_t)(count < 2 ? count : 2);
	inst->has_dst = true;
	if (!decode_payload(decoder, &inst->dst, iga.kv_get_destination_register_type(kv, pc),
		    iga.kv_get_destination_register(kv, pc)))
		return false;
	inst->dst.vstride = 0;
	inst->dst.hstride = 1;
	iga.kv_get_send_descs(kv, pc, &inst->exdesc, &inst->desc);
	iga.kv_get_send_indirect_descs(kv, pc, &exdesc_reg, &exdesc_sub, &desc_reg, &desc_sub);
	inst->desc_in_a0 = desc_reg != REGISTER_NONE;
	inst->exdesc_in_a0 = exdesc_reg != REGISTER_NONE;
	inst->exdesc_sub = inst->exdesc_in_a0 ? exdesc_sub : 0;
	if (inst->desc_in_a0)
		inst->desc = 0;
	if (inst->exdesc_in_a0)
		inst->exdesc = 0;
	if ((inst->desc_in_a0 && (desc_reg != 0 || desc_sub != 0)) || inst->exdesc_sub > 7)
		return refuse(decoder, "a descriptor's address register is out of range");
	iga.kv_get_message_len(kv, pc, &length[0], &length[1], &length[2]);
	inst->mlen = (uint8_t)(length[0] <= 31 ? length[0] : 0);
	inst->xlen = (uint8_t)(length[1] <= 31 ? length[1] : 0);
	inst->rlen = (uint8_t)(length[2] <= 31 ? length[2] : 0);
	inst->xlen_in_a0 = inst->exdesc_in_a0 && length[1] > 31;
	inst->wide_handle = wide != 0 && (!inst->exdesc_in_a0 || read_bits(decoder, wide, 1));
	inst->sfid = read_bits(decoder, decoder->device->family->sfid, 4);
	if (!check_payload(decoder, &inst->src[0], inst->mlen) ||
		!check_payload(decoder, &inst->src[1], inst->xlen) ||
		!check_payload(decoder, &inst->dst, inst->rlen))
		return refuse(decoder, "a SEND's registers run past the last one");
	return true;
}

static bool decode_targets(struct decoder *decoder, struct gen_inst *inst, uint32_t size)
{
	int32_t targets[3] = { -1, -1, -1 };
	uint32_t count = iga.kv_get_inst_targets(decoder->kv, decoder->pc, targets);
	int32_t *const slots[2] = { &inst->jip, &inst->uip };

	for (uint32_t i = 0; i < count && i < 2; i++) {
		if (targets[i] < 0 || (uint32_t)targets[i] >= size || targets[i] % 8 != 0 ||
			decoder->index_of[targets[i] / 8] < 0)
			return refuse(decoder, "a branch into the middle of an instruction");
		*slots[i] = decoder->index_of[targets[i] / 8];
	}
	return true;
}

static bool decode_controls(struct decoder *decoder, struct gen_inst *inst)
{
	const struct kv *kv = decoder->kv;
	int32_t pc = decoder->pc;
	uint32_t lanes = iga.kv_get_execution_size(kv, pc);
	uint32_t cond = iga.kv_get_flag_modifier(kv, pc);
	uint32_t predicate = iga.kv_get_predicate(kv, pc);
	int32_t flag_reg = iga.kv_get_flag_register(kv, pc);
	int32_t flag_sub = iga.kv_get_flag_sub_register(kv, pc);

	inst->exec_size = (uint8_t)lanes;
	inst->channel_offset = (uint8_t)(iga.kv_get_channel_offset(kv, pc) * 4);
	inst->no_mask = iga.kv_get_mask_control(kv, pc) != 0;
	inst->acc_wr_en = iga.kv_has_inst_opt(kv, pc, OPTION_ACC_WR_EN);
	inst->end_of_thread = iga.kv_has_inst_opt(kv, pc, OPTION_EOT);
	inst->predicate = (uint8_t)predicate;
	inst->predicate_invert = predicate != 0 && iga.kv_get_is_inverse_predicate(kv, pc) != 0;
	inst->flag = (uint8_t)((flag_reg & 1) * 2 + (flag_sub & 1));
	if (cond == COND_EARLY_OUT)
		inst->cond = GEN_COND_EO;
	else if (cond < UTIL_ARRAY_SIZE(cond_map))
		inst->cond = cond_map[cond];
	if (lanes == 0 || lanes > GEN_MAX_LANES || (lanes & (lanes - 1)) != 0 ||
		inst->channel_offset + lanes > GEN_MAX_LANES)
		return refuse(decoder, "its channels are out of range");
	if (predicate > GEN_PRED_ALL32H || (cond != COND_EARLY_OUT && cond > 9))
		return refuse(decoder, "its predicate or condition is unknown");
	return true;
}

/*
 * One name for what generations call differently. mach without AccWrEn is what the hardware since
 * Gen10 calls macl: the low half. sends has its payload in two places, as each SEND of Gen12 may.
 * wait waits for the barrier's count, n0.0, as sync.bar does, or for another.
 */
static void settle_op(const struct decoder *decoder, struct gen_inst *inst)
{
	switch (inst->op) {
	case GEN_OP_mach:
		if (!inst->acc_wr_en && decoder->device->family->has_macl)
			inst->op = GEN_OP_macl;
		break;
	case GEN_OP_sends:
		inst->op = GEN_OP_send;
		break;
	case GEN_OP_sendsc:
		inst->op = GEN_OP_sendc;
		break;
	case GEN_OP_wait:
		inst->op = GEN_OP_sync;
		inst->function = iga.kv_get_source_sub_register(decoder->kv, decoder->pc, 0) == 0
					 ? GEN_SYNC_BAR
					 : GEN_SYNC_HOST;
		break;
	}
}

static bool decode_function(struct decoder *decoder, struct gen_inst *inst)
{
	uint32_t function = 0;

	switch (inst->op) {
	case GEN_OP_sync:
		inst->function = (uint8_t)iga.kv_get_syncfc(decoder->kv, decoder->pc);
		return true;
	case GEN_OP_math:
	case GEN_OP_goto:
	case GEN_OP_bfn:
	case GEN_OP_dpas:
	case GEN_OP_dpasw:
		break;
	default:
		return true;
	}
	if (iga.kv_get_subfunction(decoder->kv, decoder->pc, &function) != 0)
		return refuse(decoder, "its function is unknown");
	if (inst->op == GEN_OP_goto) {
		inst->backward = function != 0;
		return true;
	}
	inst->function = (uint8_t)function;
	if (gen_op_is_dpas(inst->op)) { /* depth and repeat count */
		inst->function = (uint8_t)(function >> 8);
		inst->repeat = (uint8_t)function;
	} else if (inst->op == GEN_OP_math) {
		if (function == 0 || function >= UTIL_ARRAY_SIZE(math_map))
			return refuse(decoder, "its function is unknown");
		inst->function = math_map[function];
	}
	return true;
}

static bool decode_operands(struct decoder *decoder, struct gen_inst *inst, uint32_t size)
{
	int32_t count = iga.kv_get_number_sources(decoder->kv, decoder->pc);

	if (gen_ops[inst->op].format == GEN_OPERANDS_SYNC)
		return true;
	if (!decode_targets(decoder, inst, size))
		return false;
	if (iga.kv_get_has_destination(decoder->kv, decoder->pc) > 0 &&
		!decode_destination(decoder, inst))
		return false;
	for (int32_t n = 0; n < count; n++) {
		if (n > 2)
			return refuse(decoder, "it has more than three sources");
		if (iga.kv_get_source_register_kind(decoder->kv, decoder->pc, (uint32_t)n) ==
			KIND_LABEL)
			continue;
		if (!decode_source(decoder, inst, (uint32_t)n))
			return false;
		inst->source_count = (uint8_t)(n + 1);
	}
	return true;
}

static bool decode_inst(struct decoder *decoder, struct gen_inst *inst, uint32_t size)
{
	inst->jip = inst->uip = -1;
	if (!decode_op(decoder, inst))
		return false;
	if (gen_ops[inst->op].format == GEN_OPERANDS_NONE) {
		inst->exec_size = 1;
		return true;
	}
	if (!decode_controls(decoder, inst) || !decode_function(decoder, inst))
		return false;
	settle_op(decoder, inst);
	if (gen_ops[inst->op].format == GEN_OPERANDS_SEND)
		return decode_send(decoder, inst);
	return decode_operands(decoder, inst, size);
}

static bool is_stopped(struct decoder *decoder)
{
	if (!decoder->stop || !atomic_load_explicit(decoder->stop, memory_order_relaxed))
		return false;
	gen_fault_add(decoder->fault, GEN_FAULT_HANG, "stopped while a kernel was decoded");
	return true;
}

/* Cuts the code into instructions; fills index_of and the instructions' places. */
static bool number_instructions(struct decoder *decoder, struct gen_program *program)
{
	for (uint32_t pc = 0; pc < program->code_size;) {
		int32_t size = iga.kv_get_inst_size(decoder->kv, (int32_t)pc);

		decoder->pc = (int32_t)pc;
		if (is_stopped(decoder))
			return false;
		if ((size != 8 && size != 16) || pc + (uint32_t)size > program->code_size)
			return refuse(decoder, "it cannot be decoded");
		decoder->index_of[pc / 8] = (int32_t)program->count;
		program->inst[program->count].ip = pc;
		program->inst[program->count].size = (uint8_t)size;
		program->count++;
		pc += (uint32_t)size;
	}
	return true;
}

static bool decode_program(struct decoder *decoder, struct gen_program *program)
{
	char error[512] = "";
	int status = 0;
	bool done = true;

	decoder->kv = iga.kv_create(decoder->device->family->iga_platform, program->code,
		program->code_size, &status, error, sizeof(error), 0);
	if (!decoder->kv || status != 0) {
		gen_fault_add(decoder->fault, GEN_FAULT_BAD_INSTRUCTION,
			"the machine code cannot be decoded: %.*s", (int)strcspn(error, "\n"),
			error);
		done = false;
	}
	done = done && number_instructions(decoder, program);
	for (uint32_t i = 0; done && i < program->count; i++) {
		decoder->pc = (int32_t)program->inst[i].ip;
		done = !is_stopped(decoder) &&
		       decode_inst(decoder, &program->inst[i], program->code_size);
	}
	if (decoder->kv)
		iga.kv_delete(decoder->kv);
	return done;
}

static struct gen_program *program_create(const void *code, size_t size)
{
	struct gen_program *program = calloc(1, sizeof(*program));

	if (!program)
		return NULL;
	program->code_size = (uint32_t)size;
	program->code = malloc(size);
	program->inst = calloc(size / 8, sizeof(*program->inst));
	if (!program->code || !program->inst) {
		gen_program_destroy(program);
		return NULL;
	}
	memcpy(program->code, code, size);
	return program;
}

struct gen_program *gen_decode_until(const struct gen_device *device, const void *code,
	size_t limit, const atomic_int *stop, struct gen_fault *fault)
{
	struct decoder decoder = { .device = device, .stop = stop, .fault = fault };
	size_t most = limit < GEN_PROGRAM_BYTES ? limit : GEN_PROGRAM_BYTES;
	size_t size = gen_scan_kernel(device, code, most, fault);
	struct gen_program *program;
	bool done;

	if (size == 0)
		return NULL;
	program = program_create(code, size);
	if (program)
		decoder.index_of = malloc((size / 8 + 1) * sizeof(*decoder.index_of));
	if (!decoder.index_of) {
		gen_fault_add(fault, GEN_FAULT_NO_MEMORY, "no memory to decode a kernel");
		gen_program_destroy(program);
		return NULL;
	}
	memset(decoder.index_of, 0xff, (size / 8 + 1) * sizeof(*decoder.index_of));
	decoder.code = program->code;
	done = !is_stopped(&decoder) && iga_open(fault) && decode_program(&decoder, program);
	free(decoder.index_of);
	if (done)
		return program;
	gen_program_destroy(program);
	return NULL;
}

void gen_program_destroy(struct gen_program *program)
{
	if (!program)
		return;
	free(program->inst);
	free(program->code);
	free(program);
}

struct gen_disassembly {
	const struct gen_program *program;
	struct kv *kv; /* or NULL: only mnemonics are known */
};

struct gen_disassembly *gen_disassembly_create(
	const struct gen_device *device, const struct gen_program *program)
{
	struct gen_disassembly *disassembly = calloc(1, sizeof(*disassembly));
	struct gen_fault ignored = { .kind = GEN_FAULT_NONE };
	int status = 0;

	if (!disassembly)
		return NULL;
	disassembly->program = program;
	if (iga_open(&ignored))
		disassembly->kv = iga.kv_create(device->family->iga_platform, program->code,
			program->code_size, &status, NULL, 0, 0);
	return disassembly;
}

void gen_disassembly_text(
	const struct gen_disassembly *disassembly, uint32_t index, char *text, size_t size)
{
	const struct gen_inst *inst = &disassembly->program->inst[index];
	size_t length = 0;

	if (disassembly->kv)
		length = iga.kv_get_inst_syntax(
			disassembly->kv, (int32_t)inst->ip, text, size, 0, NULL, NULL);
	if (length == 0)
		snprintf(text, size, "%s", gen_ops[inst->op].name);
}

void gen_disassembly_destroy(struct gen_disassembly *disassembly)
{
	if (disassembly && disassembly->kv)
		iga.kv_delete(disassembly->kv);
	free(disassembly);
}

void gen_disassemble(const struct gen_device *device, const struct gen_program *program,
	uint32_t index, char *text, size_t size)
{
	struct gen_disassembly *disassembly = gen_disassembly_create(device, program);

	if (disassembly)
		gen_disassembly_text(disassembly, index, text, size);
	else
		snprintf(text, size, "%s", gen_ops[program->inst[index].op].name);
	gen_disassembly_destroy(disassembly);
}
