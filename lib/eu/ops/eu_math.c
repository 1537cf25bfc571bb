// SPDX-License-Identifier: MIT
#include "eu/ops/eu_math.h"

#include <math.h>
#include <stddef.h>

#include "eu/ops/eu_math_lane.h"
#include "gen/gen_inst.h"

static double math_inv(double a, double b)
{
	(void)b;
	return 1 / a;
}

static double math_log(double a, double b)
{
	(void)b;
	return eu_math_log2(a);
}

static double math_exp(double a, double b)
{
	(void)b;
	return eu_math_exp2(a);
}

static double math_sqt(double a, double b)
{
	(void)b;
	return sqrt(a);
}

static double math_rsqt(double a, double b)
{
	(void)b;
	return a == 0 ? copysign(INFINITY, 1 / a) : 1 / sqrt(a);
}

static double math_sin(double a, double b)
{
	(void)b;
	return fabs(a) <= EU_MATH_SIN_LIMIT ? eu_math_sin(a) : sin(a);
}

static double math_cos(double a, double b)
{
	(void)b;
	return fabs(a) <= EU_MATH_SIN_LIMIT ? eu_math_cos(a) : cos(a);
}

static double math_fdiv(double a, double b)
{
	return a / b;
}

static double math_pow(double a, double b)
{
	return pow(fabs(a), b);
}

eu_math_fn eu_math_function(unsigned function)
{
	static const eu_math_fn functions[16] = {
		[GEN_MATH_INV] = math_inv,
		[GEN_MATH_LOG] = math_log,
		[GEN_MATH_EXP] = math_exp,
		[GEN_MATH_SQT] = math_sqt,
		[GEN_MATH_RSQT] = math_rsqt,
		[GEN_MATH_SIN] = math_sin,
		[GEN_MATH_COS] = math_cos,
		[GEN_MATH_FDIV] = math_fdiv,
		[GEN_MATH_POW] = math_pow,
	};
	return function < 16 ? functions[function] : NULL;
}
