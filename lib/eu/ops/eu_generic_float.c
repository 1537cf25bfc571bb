// SPDX-License-Identifier: MIT
#include "eu/ops/eu_generic.h"

#include <math.h>
#include <string.h>

#include "eu/state/eu_float_mode.h"
#include "eu/ops/eu_math.h"

/* Single precision runs in the host's current rounding and denormal modes, those of cr0. */

#define FLOAT_OP(name, expression)                                                                 \
	static void float_##name(struct eu_call *call)                                             \
	{                                                                                          \
		for (unsigned i = 0; i < call->count; i++) {                                       \
			float a = call->source[0][i].f, b = call->source[1][i].f,                  \
			      c = call->source[2][i].f;                                            \
			(void)a, (void)b, (void)c;                                                 \
			call->result[i].f = (expression);                                          \
		}                                                                                  \
	}

/* Round to nearest even in any host mode. */
static float round_even(float x)
{
	float t = truncf(x), rest = fabsf(x - t);
	if (rest > 0.5f || (rest == 0.5f && fmodf(t, 2) != 0))
		t += copysignf(1, x);
	return copysignf(t, x);
}

static float fraction(float x)
{
	float rest = fabsf(x - floorf(x)); /* +0 in all modes */
	return rest >= 1 ? 0x1.fffffep-1f : rest;
}

FLOAT_OP(copy, a)
FLOAT_OP(add, a + b)
FLOAT_OP(mul, a *b)
FLOAT_OP(mad, fmaf(b, c, a))
FLOAT_OP(frc, fraction(a))
FLOAT_OP(rndu, ceilf(a))
FLOAT_OP(rndd, floorf(a))
FLOAT_OP(rndz, truncf(a))
FLOAT_OP(rnde, round_even(a))
static float acc_float(const struct eu_call *call, unsigned i)
{
	float acc;
	memcpy(&acc, call->thread->acc + 4 * i, 4);
	return acc;
}

FLOAT_OP(mac, fmaf(a, b, acc_float(call, i)))

/* In single precision, so that denormals are flushed when the mode says so. */
EU_COMPARE(compare_float, float, isnan(a) || isnan(b))

static void float_cmp(struct eu_call *call)
{
	for (unsigned i = 0; i < call->count; i++)
		if (compare_float(
			    call->general->inst.cond, call->source[0][i].f, call->source[1][i].f))
			call->true_lanes |= 1u << i;
}

/* Minimum and maximum take the operand that is a number. */
static void float_sel(struct eu_call *call)
{
	unsigned cond = call->general->inst.cond;
	for (unsigned i = 0; i < call->count; i++) {
		float a = call->source[0][i].f, b = call->source[1][i].f;
		bool first;
		if (cond == GEN_COND_NONE)
			first = call->select >> i & 1;
		else
			first = !isnan(a) && (isnan(b) || compare_float(cond, a, b));
		call->result[i] = call->source[first ? 0 : 1][i];
	}
}

static void float_csel(struct eu_call *call)
{
	unsigned cond = call->general->inst.cond;
	for (unsigned i = 0; i < call->count; i++)
		call->result[i] =
			call->source[compare_float(cond, call->source[2][i].f, 0) ? 0 : 1][i];
}

static float flush_denormal(float x, bool keep)
{
	return !keep && fabs((double)x) < 0x1p-126 ? copysignf(0, x) : x;
}

/* The host's library wants its plain modes. */
static void float_math(struct eu_call *call)
{
	eu_math_fn function = eu_math_function(call->general->inst.function);
	bool keep = call->thread->cr[0] & EU_CR0_KEEP_DENORMALS_F;
	unsigned mode = eu_float_mode_get();
	eu_float_mode_set(eu_float_mode_plain());
	for (unsigned i = 0; i < call->count; i++) {
		float a = flush_denormal(call->source[0][i].f, keep);
		float b = flush_denormal(call->source[1][i].f, keep);
		call->result[i].f = flush_denormal((float)function((double)a, (double)b), keep);
	}
	eu_float_mode_set(mode);
}

eu_generic_fn eu_generic_float(const struct gen_inst *inst)
{
	static const eu_generic_fn floats[GEN_OP_COUNT] = {
		[GEN_OP_mov] = float_copy,
		[GEN_OP_add] = float_add,
		[GEN_OP_mul] = float_mul,
		[GEN_OP_mad] = float_mad,
		[GEN_OP_mac] = float_mac,
		[GEN_OP_frc] = float_frc,
		[GEN_OP_rndu] = float_rndu,
		[GEN_OP_rndd] = float_rndd,
		[GEN_OP_rndz] = float_rndz,
		[GEN_OP_rnde] = float_rnde,
		[GEN_OP_cmp] = float_cmp,
		[GEN_OP_cmpn] = float_cmp,
		[GEN_OP_sel] = float_sel,
		[GEN_OP_csel] = float_csel,
		[GEN_OP_math] = float_math,
	};
	if (inst->op == GEN_OP_math && !eu_math_function(inst->function))
		return NULL;
	return floats[inst->op];
}
