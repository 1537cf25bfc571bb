// SPDX-License-Identifier: MIT
/*
 * dpas: for each of `repeat` rows and each channel, a row of src2 times a column of src1 is added
 * to src0. In a step, of which there are `depth`, a channel multiplies the elements of a dword, or
 * as many of the narrower type; elements are packed. Each product is added by itself, in order and
 * rounded as cr0 says: Intel does not say how the hardware rounds within a step.
 */
#include "eu/ops/eu_generic.h"

#include <math.h>
#include <string.h>

#include "eu/state/eu_half.h"

enum { CHANNELS = 8, MOST_DEPTH = 8, MOST_ROWS = 8, MOST_ELEMENTS = 8 };

/* Bits of an element of src1 or src2; 0 when there is no such operand. */
static unsigned element_bits(unsigned type)
{
	switch (type) {
	case GEN_TYPE_U2:
	case GEN_TYPE_S2:
		return 2;
	case GEN_TYPE_U4:
	case GEN_TYPE_S4:
		return 4;
	case GEN_TYPE_UB:
	case GEN_TYPE_B:
		return 8;
	case GEN_TYPE_HF:
	case GEN_TYPE_BF:
		return 16;
	}
	return 0;
}

/* Elements that a channel multiplies in a step. */
static unsigned elements_of(const struct gen_inst *inst)
{
	unsigned a = element_bits(inst->src[1].type), b = element_bits(inst->src[2].type);

	return a == 16 ? 2 : a <= 4 && b <= 4 ? 8 : 4;
}

static const uint8_t *operand(const struct eu_call *call, const struct gen_operand *o)
{
	unsigned bits = element_bits(o->type);

	return call->thread->grf + o->reg * GEN_GRF_BYTES + o->sub * (bits ? bits : 32) / 8;
}

static int32_t int_at(const uint8_t *bytes, unsigned index, unsigned type)
{
	unsigned bits = element_bits(type), at = index * bits;
	uint32_t value = (uint32_t)bytes[at / 8] >> at % 8 & ((1u << bits) - 1);

	if (gen_type_is_signed((enum gen_type)type) && value >> (bits - 1))
		value |= ~UINT32_C(0) << bits;
	return (int32_t)value;
}

static float float_at(const uint8_t *bytes, unsigned index, unsigned type)
{
	uint16_t half;
	uint32_t word;
	float value;

	memcpy(&half, bytes + index * 2, 2);
	if (type == GEN_TYPE_HF)
		return eu_half_to_float(half);
	word = (uint32_t)half << 16;
	memcpy(&value, &word, 4);
	return value;
}

/* FUNCTION(name, C types of an element and of a sum, how an element is read, a product added) */
#define FUNCTION(name, value, sum, read, add)                                                      \
	static void name(struct eu_call *call)                                                     \
	{                                                                                          \
		const struct gen_inst *inst = &call->general->inst;                                \
		const unsigned n = elements_of(inst), steps = inst->function * n;                  \
		const uint8_t *column = operand(call, &inst->src[1]);                              \
		const uint8_t *row = operand(call, &inst->src[2]);                                 \
		const uint8_t *from = operand(call, &inst->src[0]);                                \
		uint8_t *to = (uint8_t *)(uintptr_t)operand(call, &inst->dst);                     \
		value columns[MOST_DEPTH * MOST_ELEMENTS][CHANNELS];                               \
		sum sums[MOST_ROWS][CHANNELS] = { { 0 } };                                         \
                                                                                                   \
		for (unsigned i = 0; i < steps; i++)                                               \
			for (unsigned c = 0; c < CHANNELS; c++)                                    \
				columns[i][c] = read(column, (i / n * CHANNELS + c) * n + i % n,   \
					inst->src[1].type);                                        \
		if (inst->src[0].file == GEN_FILE_GRF)                                             \
			memcpy(sums, from, inst->repeat * sizeof(sums[0]));                        \
		for (unsigned r = 0; r < inst->repeat; r++)                                        \
			for (unsigned i = 0; i < steps; i++) {                                     \
				value x = read(row, r * n * MOST_DEPTH + i, inst->src[2].type);    \
				for (unsigned c = 0; c < CHANNELS; c++)                            \
					sums[r][c] = add(x, columns[i][c], sums[r][c]);            \
			}                                                                          \
		for (unsigned r = 0; r < inst->repeat; r++)                                        \
			for (unsigned c = 0; c < CHANNELS; c++)                                    \
				if (call->lanes >> c & 1)                                          \
					memcpy(to + (r * CHANNELS + c) * 4, &sums[r][c], 4);       \
	}

#define ADD_INT(a, b, sum) ((sum) + (uint32_t)((a) * (b)))

FUNCTION(dpas_int, int32_t, uint32_t, int_at, ADD_INT)
FUNCTION(dpas_float, float, float, float_at, fmaf)

static bool fits(const struct gen_device *device, const struct gen_operand *o, unsigned bits)
{
	return o->file == GEN_FILE_GRF && o->addressing == GEN_DIRECT &&
	       (o->reg * GEN_GRF_BYTES + o->sub * 4u) * 8 + bits <=
		       gen_family_registers(device->family) * GEN_GRF_BYTES * 8;
}

eu_generic_fn eu_generic_dpas(const struct gen_device *device, const struct gen_inst *inst)
{
	unsigned a = element_bits(inst->src[1].type), b = element_bits(inst->src[2].type);
	unsigned rows = inst->repeat, sums = rows * CHANNELS * 32, type = inst->dst.type;
	bool is_float = type == GEN_TYPE_F;

	if (inst->exec_size != CHANNELS || inst->source_count != 3 || inst->saturate ||
		inst->cond != GEN_COND_NONE || inst->predicate != GEN_PRED_NONE || a == 0 ||
		b == 0 || (a == 16) != is_float || rows == 0 || rows > MOST_ROWS ||
		inst->function == 0 || inst->function > MOST_DEPTH)
		return NULL;
	if (is_float ? inst->src[1].type != inst->src[2].type || inst->src[0].type != type
		     : b == 16 || (type != GEN_TYPE_D && type != GEN_TYPE_UD) ||
				(inst->src[0].type != GEN_TYPE_D &&
					inst->src[0].type != GEN_TYPE_UD))
		return NULL;
	if (!fits(device, &inst->dst, sums) ||
		(inst->src[0].file != GEN_FILE_NULL && !fits(device, &inst->src[0], sums)) ||
		!fits(device, &inst->src[1], inst->function * elements_of(inst) * CHANNELS * a) ||
		!fits(device, &inst->src[2],
			((rows - 1) * MOST_DEPTH + inst->function) * elements_of(inst) * b))
		return NULL;
	return is_float ? dpas_float : dpas_int;
}
