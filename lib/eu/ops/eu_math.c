// SPDX-License-Identifier: MIT
#include "eu/ops/eu_math.h"

#include <math.h>
#include <stddef.h>

#include "eu/ops/eu_math_lane.h"
#include "gen/gen_inst.h"

#define MATH(name, value)                                                                          \
	static double math_##name(double a, double b)                                              \
	{                                                                                          \
		(void)b;                                                                           \
		return value;                                                                      \
	}
MATH(INV, 1 / a)
MATH(LOG, eu_math_log2(eu_math_all(a))[0])
MATH(EXP, eu_math_exp2(eu_math_all(a))[0])
MATH(SQT, sqrt(a))
MATH(RSQT, a == 0 ? copysign(INFINITY, 1 / a) : 1 / sqrt(a))
MATH(SIN, fabs(a) <= EU_MATH_SIN_LIMIT ? eu_math_sin(eu_math_all(a))[0] : sin(a))
MATH(COS, fabs(a) <= EU_MATH_SIN_LIMIT ? eu_math_cos(eu_math_all(a))[0] : cos(a))
MATH(FDIV, a / b)
MATH(POW, pow(fabs(a), b))

eu_math_fn eu_math_function(unsigned function)
{
#define ROW(name) [GEN_MATH_##name] = math_##name
	static const eu_math_fn functions[16] = { ROW(INV), ROW(LOG), ROW(EXP), ROW(SQT), ROW(RSQT),
		ROW(SIN), ROW(COS), ROW(FDIV), ROW(POW) };
	return function < 16 ? functions[function] : NULL;
}
