// SPDX-License-Identifier: MIT
/*
 * What single and double precision have in common. The includer defines REAL, the type; FIELD, its
 * member of union eu_value; BELOW_ONE, the greatest number below one; and COMPARAND(call, s, i),
 * source s of channel i as sel and csel compare it.
 */
#include <stdbool.h>

#define REAL_OP(name, expression)                                                                  \
	static void real_##name(struct eu_call *call)                                              \
	{                                                                                          \
		for (unsigned i = 0; i < call->count; i++) {                                       \
			REAL a = call->source[0][i].FIELD, b = call->source[1][i].FIELD,           \
			     c = call->source[2][i].FIELD;                                         \
			(void)a, (void)b, (void)c;                                                 \
			call->result[i].FIELD = (expression);                                      \
		}                                                                                  \
	}

/* Round to nearest even in any host mode. */
static REAL round_even(REAL x)
{
	const REAL one = 1, two = 2;
	REAL t = trunc(x), rest = fabs(x - t);
	if (rest > one / 2 || (rest == one / 2 && fmod(t, two) != 0))
		t += copysign(one, x);
	return copysign(t, x);
}

static REAL fraction(REAL x)
{
	REAL rest = fabs(x - floor(x)); /* +0 in all modes */
	return rest >= 1 ? BELOW_ONE : rest;
}

REAL_OP(mov, a)
REAL_OP(add, a + b)
REAL_OP(mul, a *b)
REAL_OP(mad, fma(b, c, a))
REAL_OP(frc, fraction(a))
REAL_OP(rndu, ceil(a))
REAL_OP(rndd, floor(a))
REAL_OP(rndz, trunc(a))
REAL_OP(rnde, round_even(a))

/* In the type's own precision, so that denormals are flushed when the mode says so. */
EU_COMPARE(compare, REAL, isnan(a) || isnan(b))

static void real_cmp(struct eu_call *call)
{
	for (unsigned i = 0; i < call->count; i++)
		if (compare(call->general->inst.cond, call->source[0][i].FIELD,
			    call->source[1][i].FIELD))
			call->true_lanes |= 1u << i;
}

/* Minimum and maximum take the operand that is a number. */
static void real_sel(struct eu_call *call)
{
	unsigned cond = call->general->inst.cond;
	for (unsigned i = 0; i < call->count; i++) {
		REAL a = COMPARAND(call, 0, i), b = COMPARAND(call, 1, i);
		bool first = cond == GEN_COND_NONE ? call->select >> i & 1
						   : !isnan(a) && (isnan(b) || compare(cond, a, b));
		call->result[i] = call->source[first ? 0 : 1][i];
	}
}

static void real_csel(struct eu_call *call)
{
	unsigned cond = call->general->inst.cond;
	for (unsigned i = 0; i < call->count; i++)
		call->result[i] = call->source[compare(cond, COMPARAND(call, 2, i), 0) ? 0 : 1][i];
}
