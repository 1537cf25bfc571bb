// SPDX-License-Identifier: MIT
#include "eu/ops/eu_generic.h"

#include <math.h>
#include <string.h>

#include "eu/state/eu_float_mode.h"
#include "eu/ops/eu_math.h"

/*
 * Single precision runs in the host's current rounding and denormal modes (those of cr0). Half
 * results are computed in double precision, host in plain modes, and made odd when inexact: the
 * one rounding to half by the writer then gives what rounding the exact result once would.
 */

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

#define DOUBLE_OP(name, expression)                                                                \
	static void double_##name(struct eu_call *call)                                            \
	{                                                                                          \
		for (unsigned i = 0; i < call->count; i++) {                                       \
			double a = call->source[0][i].d, b = call->source[1][i].d,                 \
			       c = call->source[2][i].d;                                           \
			(void)a, (void)b, (void)c;                                                 \
			call->result[i].d = (expression);                                          \
		}                                                                                  \
	}

static bool rounds_down(const struct eu_call *call)
{
	return eu_cr0_rounding(call->thread->cr[0]) == EU_ROUND_DOWN;
}

/*
 * a + b, and when that is not exact the neighbour with an odd last bit. `down`: a sum that cancels
 * is -0, as in the mode that rounds down.
 */
static double add_odd(double a, double b, bool down)
{
	double sum = a + b;
	if (sum == 0 && down && (a != 0 || signbit(a) != signbit(b)))
		return -0.0;
	double a_part = sum - b, b_part = sum - a_part;
	double error = (a - a_part) + (b - b_part);
	if (!isfinite(sum) || error == 0)
		return sum;
	int64_t bits;
	memcpy(&bits, &sum, sizeof bits);
	if ((bits & 1) == 0)
		bits += (error > 0) == (sum > 0) ? 1 : -1;
	memcpy(&sum, &bits, sizeof bits);
	return sum;
}

/* Round to nearest even in any host mode. */
static double round_even(double x)
{
	double t = trunc(x), rest = fabs(x - t);
	if (rest > 0.5 || (rest == 0.5 && fmod(t, 2) != 0))
		t += copysign(1, x);
	return copysign(t, x);
}

static float fraction(float x)
{
	float rest = fabsf(x - floorf(x)); /* +0 in all modes */
	return rest >= 1 ? 0x1.fffffep-1f : rest;
}

static double half_fraction(double x)
{
	double rest = fabs(x - floor(x));
	return rest > 1 - 0x1p-11 ? 1 - 0x1p-11 : rest;
}

FLOAT_OP(copy, a)
FLOAT_OP(add, a + b)
FLOAT_OP(mul, a *b)
FLOAT_OP(mad, fmaf(b, c, a))
FLOAT_OP(frc, fraction(a))
FLOAT_OP(rndu, ceilf(a))
FLOAT_OP(rndd, floorf(a))
FLOAT_OP(rndz, truncf(a))
FLOAT_OP(rnde, (float)round_even(a))
DOUBLE_OP(copy, a)
DOUBLE_OP(add, add_odd(a, b, rounds_down(call)))
DOUBLE_OP(mul, a *b)
DOUBLE_OP(mad, add_odd(b *c, a, rounds_down(call)))
DOUBLE_OP(frc, half_fraction(a))
DOUBLE_OP(rndu, ceil(a))
DOUBLE_OP(rndd, floor(a))
DOUBLE_OP(rndz, trunc(a))
DOUBLE_OP(rnde, round_even(a))

static float acc_float(const struct eu_call *call, unsigned i)
{
	float acc;
	memcpy(&acc, call->thread->acc + 4 * i, 4);
	return acc;
}

FLOAT_OP(mac, fmaf(a, b, acc_float(call, i)))

static void double_mac(struct eu_call *call)
{
	for (unsigned i = 0; i < call->count; i++) {
		uint16_t acc;
		memcpy(&acc, call->thread->acc + 2 * i, 2);
		call->result[i].d = add_odd(call->source[0][i].d * call->source[1][i].d,
			(double)eu_half_to_float(acc), rounds_down(call));
	}
}

EU_COMPARE(compare, double, isnan(a) || isnan(b))

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

/* Source s of channel i as comparisons see it: halves may be flushed. */
static double comparand(const struct eu_call *call, unsigned s, unsigned i)
{
	double value = call->source[s][i].d;
	bool flush = call->general->inst.src[s].type == GEN_TYPE_HF &&
		     !(call->thread->cr[0] & EU_CR0_KEEP_DENORMALS_HF);
	return flush && fabs(value) < 0x1p-14 ? 0 : value;
}

static void double_sel(struct eu_call *call)
{
	unsigned cond = call->general->inst.cond;
	for (unsigned i = 0; i < call->count; i++) {
		double a = comparand(call, 0, i), b = comparand(call, 1, i);
		bool first;
		if (cond == GEN_COND_NONE)
			first = call->select >> i & 1;
		else
			first = !isnan(a) && (isnan(b) || compare(cond, a, b));
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

static void double_csel(struct eu_call *call)
{
	unsigned cond = call->general->inst.cond;
	for (unsigned i = 0; i < call->count; i++)
		call->result[i] = call->source[compare(cond, comparand(call, 2, i), 0) ? 0 : 1][i];
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

static void double_math(struct eu_call *call)
{
	eu_math_fn function = eu_math_function(call->general->inst.function);
	for (unsigned i = 0; i < call->count; i++)
		call->result[i].d = function(call->source[0][i].d, call->source[1][i].d);
}

eu_generic_fn eu_generic_float(const struct gen_inst *inst, enum eu_class class)
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
	static const eu_generic_fn doubles[GEN_OP_COUNT] = {
		[GEN_OP_mov] = double_copy,
		[GEN_OP_add] = double_add,
		[GEN_OP_mul] = double_mul,
		[GEN_OP_mad] = double_mad,
		[GEN_OP_mac] = double_mac,
		[GEN_OP_frc] = double_frc,
		[GEN_OP_rndu] = double_rndu,
		[GEN_OP_rndd] = double_rndd,
		[GEN_OP_rndz] = double_rndz,
		[GEN_OP_rnde] = double_rnde,
		[GEN_OP_sel] = double_sel,
		[GEN_OP_csel] = double_csel,
		[GEN_OP_math] = double_math,
	};
	if (inst->op == GEN_OP_math && !eu_math_function(inst->function))
		return NULL;
	return (class == EU_CLASS_FLOAT ? floats : doubles)[inst->op];
}
