// SPDX-License-Identifier: MIT
#include "eu/ops/eu_generic.h"

#include <string.h>
#include <tgmath.h>

#include "eu/state/eu_float_mode.h"
#include "eu/ops/eu_math.h"

/*
 * Double precision, in the host's rounding mode of the moment (that of cr0) with denormals kept:
 * the reader and the writer flush those.
 *
 * Half results are computed in double precision too, host in plain modes, and made odd when
 * inexact: the one rounding to half by the writer then gives what rounding the exact result once
 * would.
 *
 * The steps of division and square root, of doubles and floats, have wider operands between them: a
 * math macro register (mme) has what does not fit the general register beside it.
 */

/* Source s of channel i as comparisons see it: denormals may be flushed. */
static double comparand(const struct eu_call *call, unsigned s, unsigned i)
{
	static const struct {
		uint32_t keep;
		double least;
	} formats[GEN_TYPE_COUNT] = {
		[GEN_TYPE_HF] = { EU_CR0_KEEP_DENORMALS_HF, 0x1p-14 },
		[GEN_TYPE_F] = { EU_CR0_KEEP_DENORMALS_F, 0x1p-126 },
		[GEN_TYPE_DF] = { EU_CR0_KEEP_DENORMALS_DF, 0x1p-1022 },
	};
	unsigned type = call->general->inst.src[s].type;
	double value = call->source[s][i].d;
	bool flush = !(call->thread->cr[0] & formats[type].keep);
	return flush && fabs(value) < formats[type].least ? 0 : value;
}

#define REAL	  double
#define FIELD	  d
#define BELOW_ONE 0x1.fffffffffffffp-1
#define COMPARAND comparand
#include "eu/ops/eu_generic_real_tmpl.h"

/* -- Half results --------------------------------------------------------------------------- */

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

static double half_fraction(double x)
{
	double rest = fabs(x - floor(x));
	return rest > 1 - 0x1p-11 ? 1 - 0x1p-11 : rest;
}

REAL_OP(add_odd, add_odd(a, b, rounds_down(call)))
REAL_OP(mad_odd, add_odd(b *c, a, rounds_down(call)))
REAL_OP(frc_half, half_fraction(a))

static void real_mac(struct eu_call *call)
{
	for (unsigned i = 0; i < call->count; i++) {
		uint16_t acc;
		memcpy(&acc, call->thread->acc + eu_mac_offset(&call->general->inst) + 2 * i, 2);
		if ((acc & 0x7c00) == 0 && !(call->thread->cr[0] & EU_CR0_KEEP_DENORMALS_HF))
			acc &= 0x8000;
		call->result[i].d = add_odd(call->source[0][i].d * call->source[1][i].d,
			(double)eu_half_to_float(acc), rounds_down(call));
	}
}

static void real_math(struct eu_call *call)
{
	eu_math_fn function = eu_math_function(call->general->inst.function);
	for (unsigned i = 0; i < call->count; i++)
		call->result[i].d = function(call->source[0][i].d, call->source[1][i].d);
}

/* -- Math macros ---------------------------------------------------------------------------- */

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 wide;
#else
typedef long double wide;
#endif

/*
 * What an mme register adds to an element: an exponent that cannot overflow, and EXTRA_BITS more of
 * the significand. With these the remainder of a division is exact in 113 bits, the quotient before
 * the last step is right to the last of its bits, and the last step rounds once.
 */
enum { EXTRA_BITS = 7, EXTRA_MASK = (1 << EXTRA_BITS) - 1, EXPONENT_SHIFT = 16 };

/* Bits of the significand that a general register holds. */
static int register_bits(const struct eu_call *call)
{
	return call->general->inst.dst.type == GEN_TYPE_DF ? 53 : 24;
}

static wide scale(wide x, int exponent)
{
	for (; exponent > 1000; exponent -= 1000)
		x *= 0x1p1000;
	for (; exponent < -1000; exponent += 1000)
		x *= 0x1p-1000;
	return x * (wide)ldexp(1, exponent);
}

/* Source s of channel i. */
static wide load(const struct eu_call *call, unsigned s, unsigned i)
{
	double value = call->source[s][i].d;
	unsigned mme = call->general->inst.src[s].mme;
	int bits = register_bits(call), ignored;
	if (mme == 0 || value == 0 || !isfinite(value))
		return value;
	uint32_t word = call->thread->mme[mme - 1][i];
	int64_t significand = (int64_t)ldexp(frexp(fabs(value), &ignored), bits);
	wide exact = (wide)(significand << EXTRA_BITS | (word & EXTRA_MASK));
	return scale(
		value < 0 ? -exact : exact, (int16_t)(word >> EXPONENT_SHIFT) - bits - EXTRA_BITS);
}

/* The significand as an integer of so many bits, rounded to nearest even, and *exponent. */
static int64_t round_to(wide magnitude, int bits, int *exponent)
{
	int power = 0;
	for (; magnitude >= 0x1p1000; power += 1000)
		magnitude *= 0x1p-1000;
	for (; magnitude < 0x1p-1000; power -= 1000)
		magnitude *= 0x1p1000;
	frexp((double)magnitude, exponent);
	wide rest = scale(magnitude, bits - *exponent);
	if (rest < (wide)(INT64_C(1) << (bits - 1))) { /* the double was rounded up to a power */
		rest *= 2;
		--*exponent;
	}
	int64_t significand = (int64_t)rest;
	rest -= (wide)significand;
	significand += rest > 0.5 || (rest == 0.5 && (significand & 1));
	if (significand >> bits) {
		significand >>= 1;
		++*exponent;
	}
	*exponent += power;
	return significand;
}

/*
 * The result of channel i, rounded as cr0 says or split between both registers. The exponent that
 * the general register shows is the nearest that it can hold.
 */
static void store(struct eu_call *call, unsigned i, wide value)
{
	const struct gen_inst *inst = &call->general->inst;
	int bits = register_bits(call), most = bits == 53 ? 1000 : 100, exponent;
	if (inst->dst.mme == 0) {
		/* Conversions of wide numbers are calls that move freely past changes of the mode.
		 */
		volatile wide exact = value;
		eu_float_mode_set(eu_float_mode_of(call->thread->cr[0] | EU_CR0_KEEP_DENORMALS_F));
		volatile double result = bits == 53 ? (double)exact : (double)(float)exact;
		eu_float_mode_set(eu_float_mode_plain());
		call->result[i].d = result;
		return;
	}
	double rounded = (double)value;
	call->result[i].d = rounded;
	if (value == 0 || value != value || value - value != 0)
		return;
	int64_t significand = round_to(value < 0 ? -value : value, bits + EXTRA_BITS, &exponent);
	int shown = exponent > most ? most : exponent < -most ? -most : exponent;
	call->result[i].d =
		copysign(ldexp((double)(significand >> EXTRA_BITS), shown - bits), rounded);
	if (call->lanes >> i & 1)
		call->thread->mme[inst->dst.mme - 1][i] =
			(uint32_t)(significand & EXTRA_MASK) | (uint32_t)(uint16_t)exponent
								       << EXPONENT_SHIFT;
}

/* Executes f for each channel in plain modes. */
static void each(struct eu_call *call, wide (*f)(struct eu_call *call, unsigned i))
{
	unsigned mode = eu_float_mode_get();
	eu_float_mode_set(eu_float_mode_plain());
	for (unsigned i = 0; i < call->count; i++)
		store(call, i, f(call, i));
	eu_float_mode_set(mode);
}

static wide multiply_add(struct eu_call *call, unsigned i)
{
	return load(call, 0, i) + load(call, 1, i) * load(call, 2, i);
}

static void real_madm(struct eu_call *call)
{
	each(call, multiply_add);
}

/*
 * The first approximation; or, when the operands are such that the steps would not work, the final
 * result, which the flag of the channel says.
 */
static wide invert(struct eu_call *call, unsigned i)
{
	double a = call->source[0][i].d, b = call->source[1][i].d;
	bool early = a == 0 || b == 0 || !isfinite(a) || !isfinite(b);
	if (early)
		call->true_lanes |= 1u << i;
	return early ? (wide)(a / b) : 1 / (wide)b;
}

static void real_invm(struct eu_call *call)
{
	each(call, invert);
}

static wide invert_root(struct eu_call *call, unsigned i)
{
	double a = call->source[0][i].d;
	bool early = !(a > 0) || !isfinite(a);
	if (early)
		call->true_lanes |= 1u << i;
	return early ? (wide)sqrt(a) : 1 / (wide)sqrt(a);
}

static void real_rsqtm(struct eu_call *call)
{
	each(call, invert_root);
}

eu_generic_fn eu_generic_double(const struct gen_inst *inst, enum eu_class class)
{
	static const struct {
		eu_generic_fn wide, half;
	} by_op[GEN_OP_COUNT] = {
#define ROW(op, half) [GEN_OP_##op] = { real_##op, half }
		ROW(mov, real_mov), ROW(add, real_add_odd), ROW(mul, real_mul),
		ROW(mad, real_mad_odd), ROW(frc, real_frc_half), ROW(rndu, real_rndu),
		ROW(rndd, real_rndd), ROW(rndz, real_rndz), ROW(rnde, real_rnde),
		ROW(sel, real_sel), ROW(csel, real_csel),
		ROW(cmp, NULL), [GEN_OP_cmpn] = { real_cmp, NULL },
		ROW(madm, NULL), [GEN_OP_mac] = { NULL, real_mac }
	};
	bool is_half = class == EU_CLASS_HALF;
	if (inst->op != GEN_OP_math)
		return is_half ? by_op[inst->op].half : by_op[inst->op].wide;
	if (is_half)
		return eu_math_function(inst->function) ? real_math : NULL;
	if (inst->function == GEN_MATH_INVM)
		return real_invm;
	return inst->function == GEN_MATH_RSQTM ? real_rsqtm : NULL;
}
