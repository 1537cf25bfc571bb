// SPDX-License-Identifier: MIT
#ifndef EU_MATH_LANE_H
#define EU_MATH_LANE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/*
 * Functions of math.* in double precision, to about 2^-50, for arguments that are floats: rounded
 * to single they are right but for a few in a hundred million. Without branches and calls, so that
 * loops over lanes become vector code; the same operations in the same order everywhere, so that
 * every build gives the same bits. Host in round-to-nearest.
 */

static inline uint64_t eu_math_bits(double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static inline double eu_math_double(uint64_t bits)
{
	double x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

/* 2^a. */
static inline double eu_math_exp2(double a)
{
	/* Beyond these limits floats are 0 or infinity anyway. */
	double x = a < -200 ? -200 : a;
	x = x > 200 ? 200 : x;
	/* Adding this leaves the nearest integer in the lowest bits. */
	double shifted = x + 0x1.8p52, r = x - (shifted - 0x1.8p52);
	double scale = eu_math_double((eu_math_bits(shifted) << 52) + (UINT64_C(1023) << 52));
	/* ln(2)^k / k! */
	double p = 0x1.816193166d0f9p-40;
	p = p * r + 0x1.c3bd650fc2986p-36;
	p = p * r + 0x1.e8cac7351bb25p-32;
	p = p * r + 0x1.e4cf5158b8ecap-28;
	p = p * r + 0x1.b5253d395e7c4p-24;
	p = p * r + 0x1.62c0223a5c824p-20;
	p = p * r + 0x1.ffcbfc588b0c7p-17;
	p = p * r + 0x1.430912f86c787p-13;
	p = p * r + 0x1.5d87fe78a6731p-10;
	p = p * r + 0x1.3b2ab6fba4e77p-7;
	p = p * r + 0x1.c6b08d704a0c0p-5;
	p = p * r + 0x1.ebfbdff82c58fp-3;
	p = p * r + 0x1.62e42fefa39efp-1;
	return p * r * scale + scale;
}

/* log2(a). */
static inline double eu_math_log2(double a)
{
	uint64_t bits = eu_math_bits(a);
	double m = eu_math_double((bits & UINT64_C(0xfffffffffffff)) | UINT64_C(1023) << 52);
	/* The biased exponent as a double, by way of the low bits of 2^52. */
	double e = eu_math_double(UINT64_C(0x4330000000000000) | bits >> 52) - (0x1p52 + 1023);
	double big = m > 0x1.6a09e667f3bcdp0 ? 1 : 0;
	m = big != 0 ? m * 0.5 : m;
	e = e + big;
	/* 2 / ln(2) / (2k + 1) */
	double s = (m - 1) / (m + 1), z = s * s;
	double p = 0x1.b5b96fca558e1p-4;
	p = p * z + 0x1.d8be0817f5ffep-4;
	p = p * z + 0x1.00ecd7e080215p-3;
	p = p * z + 0x1.1964ec6fc9491p-3;
	p = p * z + 0x1.3703c1f4d0ffep-3;
	p = p * z + 0x1.5b9ac9b743f0dp-3;
	p = p * z + 0x1.89f3b1694cffep-3;
	p = p * z + 0x1.c68f568d31760p-3;
	p = p * z + 0x1.0c9a84994022dp-2;
	p = p * z + 0x1.484b13d7c02a9p-2;
	p = p * z + 0x1.a61762a7aded9p-2;
	p = p * z + 0x1.2776c50ef9bfep-1;
	p = p * z + 0x1.ec709dc3a03fdp-1;
	p = p * z + 0x1.71547652b82fep+1;
	double r = p * s + e;
	r = a == 0 ? -INFINITY : r;
	r = a == INFINITY ? a : r;
	return a >= 0 ? r : NAN;
}

/* sin and cos take arguments up to here; beyond, the host's library has to reduce them. */
#define EU_MATH_SIN_LIMIT 1e5

static inline double eu_math_sin_quadrant(double a, uint64_t quadrant)
{
	double shifted = a * 0x1.45f306dc9c883p-1 + 0x1.8p52, k = shifted - 0x1.8p52;
	/* pi / 2 in three parts, of which the first two times k are exact. */
	double r = a - k * 0x1.921fb544p0;
	r = r - k * 0x1.0b4611a6p-34;
	r = r - k * 0x1.3198a2e037073p-69;
	uint64_t q = eu_math_bits(shifted) + quadrant;
	double z = r * r;
	double s = 0x1.952c77030ad4ap-49;
	s = s * z - 0x1.ae7f3e733b81fp-41;
	s = s * z + 0x1.6124613a86d09p-33;
	s = s * z - 0x1.ae64567f544e4p-26;
	s = s * z + 0x1.71de3a556c734p-19;
	s = s * z - 0x1.a01a01a01a01ap-13;
	s = s * z + 0x1.1111111111111p-7;
	s = s * z - 0x1.5555555555555p-3;
	s = s * z * r + r;
	double c = 0x1.ae7f3e733b81fp-45;
	c = c * z - 0x1.93974a8c07c9dp-37;
	c = c * z + 0x1.1eed8eff8d898p-29;
	c = c * z - 0x1.27e4fb7789f5cp-22;
	c = c * z + 0x1.a01a01a01a01ap-16;
	c = c * z - 0x1.6c16c16c16c17p-10;
	c = c * z + 0x1.5555555555555p-5;
	c = c * z - 0x1p-1;
	c = c * z + 1;
	/* Odd quadrants take the cosine, the upper two the other sign. */
	uint64_t odd = 0 - (q & 1);
	return eu_math_double(((eu_math_bits(c) & odd) | (eu_math_bits(s) & ~odd)) ^ (q & 2) << 62);
}

/* sin(a) and cos(a) for |a| up to the limit. */
static inline double eu_math_sin(double a)
{
	double r = eu_math_sin_quadrant(a, 0);
	return a == 0 ? a : r;
}

static inline double eu_math_cos(double a)
{
	return eu_math_sin_quadrant(a, 1);
}

#endif
