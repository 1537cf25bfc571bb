// SPDX-License-Identifier: MIT
/*
 * dpas: for each of `repeat` rows and each channel, a row of src2 times a column of src1 is added
 * to src0. In a step, of which there are `depth`, a channel multiplies the elements of a dword, or
 * as many of the narrower type; elements are packed. Each product is added by itself, in order and
 * rounded as cr0 says: Intel does not say how the hardware rounds within a step.
 *
 * dpasw: the first half of src2's registers is that of the thread with the even number of a pair,
 * the rest is that of the other one. Both get all of them.
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

/* Registers of a dpasw's src2; of these, the first (n + 1) / 2 are the even thread's. */
static unsigned shared_registers(const struct gen_inst *inst)
{
	unsigned bits = elements_of(inst) * element_bits(inst->src[2].type) * MOST_DEPTH;

	return (bits * inst->repeat / 8 + GEN_GRF_BYTES - 1) / GEN_GRF_BYTES;
}

/* Bits of src2 in the thread's own registers. */
static unsigned src2_bits(const struct gen_inst *inst)
{
	unsigned steps = (inst->repeat - 1u) * MOST_DEPTH + inst->function;

	return inst->op == GEN_OP_dpasw
		       ? (shared_registers(inst) + 1) / 2 * GEN_GRF_BYTES * 8
		       : steps * elements_of(inst) * element_bits(inst->src[2].type);
}

bool eu_dpas_meet(struct eu_thread *thread, const struct gen_inst *inst)
{
	struct eu_thread **place = &thread->group->waiting[thread->index / 2], *other = *place;
	unsigned count = shared_registers(inst), first = (count + 1) / 2;
	size_t at = inst->src[2].reg * GEN_GRF_BYTES;

	if (thread->meets == EU_MEETS_NOBODY && !other) {
		*place = thread;
		thread->meets = EU_MEETS_LATER;
	} else if (thread->meets == EU_MEETS_NOBODY) {
		const uint8_t *even = (thread->index & 1 ? other : thread)->grf + at;
		const uint8_t *odd = (thread->index & 1 ? thread : other)->grf + at;
		memcpy(thread->temp, even, first * GEN_GRF_BYTES);
		memcpy((uint8_t *)thread->temp + first * GEN_GRF_BYTES, odd,
			(count - first) * GEN_GRF_BYTES);
		memcpy(other->temp, thread->temp, count * GEN_GRF_BYTES);
		*place = NULL;
		other->meets = EU_MEETS_NOW;
	} else if (thread->meets == EU_MEETS_NOW) {
		thread->meets = EU_MEETS_NOBODY;
	}
	return thread->meets == EU_MEETS_NOBODY;
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
		const uint8_t *row = inst->op == GEN_OP_dpasw                                      \
					     ? (const uint8_t *)call->thread->temp                 \
					     : operand(call, &inst->src[2]);                       \
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
		!fits(device, &inst->src[2], src2_bits(inst)) ||
		(inst->op == GEN_OP_dpasw && inst->src[2].sub))
		return NULL;
	return is_float ? dpas_float : dpas_int;
}
