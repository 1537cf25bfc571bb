// SPDX-License-Identifier: MIT
#ifndef EU_MATH_LANE_H
#define EU_MATH_LANE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

/*
 * Functions of math.* in double precision, to about 2^-50, for arguments that are floats: rounded
 * to single they are right but for a few in a hundred million. Without branches and calls, on as
 * many doubles as a register of the host holds; the same operations in the same order
 * everywhere, so that every build gives the same bits. Host in round-to-nearest.
 */
#if defined __AVX512F__
enum { EU_MATH_LANES = 8 };
#elif defined __AVX2__
enum { EU_MATH_LANES = 4 };
#else
enum { EU_MATH_LANES = 2 };
#endif
typedef double eu_doubles __attribute__((vector_size(EU_MATH_LANES * 8)));
typedef float eu_floats __attribute__((vector_size(EU_MATH_LANES * 4)));
typedef uint64_t eu_quads __attribute__((vector_size(EU_MATH_LANES * 8)));

#define EU_MATH_PICK(mask, a, b)                                                                   \
	((eu_doubles)(((eu_quads)(mask) & (eu_quads)(a)) | (~(eu_quads)(mask) & (eu_quads)(b))))

static inline eu_doubles eu_math_all(double x)
{
	return x - (eu_doubles){ 0 }; /* -0 stays */
}

#if defined __AVX512F__

#define eu_math_greater(a, b) ((eu_quads)((a) > (b)))
#define eu_math_equal(a, b)   ((eu_quads)((a) == (b)))
#define eu_math_max(a, b)     ((eu_doubles)_mm512_max_pd((__m512d)(a), (__m512d)(b)))
#define eu_math_min(a, b)     ((eu_doubles)_mm512_min_pd((__m512d)(a), (__m512d)(b)))
#define eu_math_fma(a, b, c)  ((eu_doubles)_mm512_fmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c)))
#define eu_math_widen(a)      ((eu_doubles)_mm512_cvtps_pd((__m256)(a)))
#define eu_math_narrow(a)     ((eu_floats)_mm512_cvtpd_ps((__m512d)(a)))

#elif defined __AVX2__

#define eu_math_greater(a, b) ((eu_quads)_mm256_cmp_pd((__m256d)(a), (__m256d)(b), _CMP_GT_OQ))
#define eu_math_equal(a, b)   ((eu_quads)_mm256_cmp_pd((__m256d)(a), (__m256d)(b), _CMP_EQ_OQ))
#define eu_math_max(a, b)     ((eu_doubles)_mm256_max_pd((__m256d)(a), (__m256d)(b)))
#define eu_math_min(a, b)     ((eu_doubles)_mm256_min_pd((__m256d)(a), (__m256d)(b)))
#define eu_math_fma(a, b, c)  ((eu_doubles)_mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
#define eu_math_widen(a)      ((eu_doubles)_mm256_cvtps_pd((__m128)(a)))
#define eu_math_narrow(a)     ((eu_floats)_mm256_cvtpd_ps((__m256d)(a)))

#else

#define eu_math_greater(a, b) ((eu_quads)((a) > (b)))
#define eu_math_equal(a, b)   ((eu_quads)((a) == (b)))
#define eu_math_max(a, b)     EU_MATH_PICK(eu_math_greater(a, b), a, b)
#define eu_math_min(a, b)     EU_MATH_PICK(eu_math_greater(b, a), a, b)
#define eu_math_widen(a)      __builtin_convertvector(a, eu_doubles)
#define eu_math_narrow(a)     __builtin_convertvector(a, eu_floats)

static inline eu_doubles eu_math_fma(eu_doubles a, eu_doubles b, eu_doubles c)
{
	for (unsigned i = 0; i < EU_MATH_LANES; i++)
		a[i] = fma(a[i], b[i], c[i]);
	return a;
}

#endif

/* Of what no float is, the neighbour with an odd last bit: rounded again, it is rounded once. */
static inline eu_doubles eu_math_odd(eu_doubles a)
{
	const eu_quads bit = (eu_quads){ 0 } + (UINT64_C(1) << 29), rest = (eu_quads)a & (bit - 1);
	return (eu_doubles)(((eu_quads)a & ~(bit - 1)) | ((eu_quads)(rest != 0) & bit));
}

/*
 * The sum of c[i] * x^i: even and odd powers by themselves, since each step waits for the one
 * before.
 */
static inline __attribute__((always_inline)) eu_doubles eu_math_series(
	const double *c, unsigned count, eu_doubles x)
{
	eu_doubles z = x * x, last = eu_math_all(c[count - 1]), other = eu_math_all(c[count - 2]);

#pragma GCC unroll 16
	for (unsigned i = count - 2; i-- > 0;) {
		eu_doubles next = eu_math_fma(last, z, eu_math_all(c[i]));
		last = other;
		other = next;
	}
	/* `last` is the sum whose lowest power is 1, `other` that from 0 on */
	return eu_math_fma(last, x, other);
}
#define EU_MATH_SERIES(x, ...)                                                                     \
	eu_math_series((const double[]){ __VA_ARGS__ },                                            \
		sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double), x)

/* 2^a. */
static inline eu_doubles eu_math_exp2(eu_doubles a)
{
	/* Beyond these limits floats are 0 or infinity anyway. */
	eu_doubles x = eu_math_min(eu_math_all(200), eu_math_max(eu_math_all(-200), a));
	/* Adding this leaves the nearest integer in the lowest bits. */
	eu_doubles shifted = x + 0x1.8p52, r = x - (shifted - 0x1.8p52);
	eu_doubles scale = (eu_doubles)(((eu_quads)shifted << 52) + (UINT64_C(1023) << 52));
	/* (2^r - 1) / r */
	eu_doubles p = EU_MATH_SERIES(r, 0x1.62e42fefa3a12p-1, 0x1.ebfbdff82c433p-3,
		0x1.c6b08d703e200p-5, 0x1.3b2ab6fbd6996p-7, 0x1.5d87fe9b81a00p-10,
		0x1.4309126c83c85p-13, 0x1.ffcb58eb38274p-17, 0x1.62c146a1e16d2p-20,
		0x1.b671971d8f1ecp-24, 0x1.e3aa705eb0ff4p-28);
	return eu_math_fma(p * r, scale, scale);
}

/* log2(a). */
static inline eu_doubles eu_math_log2(eu_doubles a)
{
	eu_quads bits = (eu_quads)a;
	eu_doubles m = (eu_doubles)((bits & UINT64_C(0xfffffffffffff)) | UINT64_C(1023) << 52);
	/* The biased exponent as a double, by way of the low bits of 2^52. */
	eu_doubles e = (eu_doubles)(UINT64_C(0x4330000000000000) | bits >> 52) - (0x1p52 + 1023);
	eu_quads big = eu_math_greater(m, eu_math_all(0x1.6a09e667f3bcdp0));
	m = (eu_doubles)((eu_quads)m - (big & UINT64_C(1) << 52)); /* half of it */
	e = e + (eu_doubles)(big & UINT64_C(1023) << 52);
	/* log2((1 + s) / (1 - s)) / s */
	eu_doubles s = (m - 1) / (m + 1), z = s * s;
	eu_doubles p = EU_MATH_SERIES(z, 0x1.71547652b82fep+1, 0x1.ec709dc3a047ep-1,
		0x1.2776c50ee37e3p-1, 0x1.a61762d6c67e5p-2, 0x1.484afb66daa94p-2,
		0x1.0ca1643c9dce5p-2, 0x1.c46d5398ca5acp-3, 0x1.b59a3805ef912p-3);
	eu_doubles r = eu_math_fma(p, s, e);
	r = EU_MATH_PICK(eu_math_equal(a, eu_math_all(INFINITY)), a, r);
	r = EU_MATH_PICK(eu_math_greater(a, eu_math_all(0)), r, eu_math_all(NAN));
	return EU_MATH_PICK(eu_math_equal(a, eu_math_all(0)), eu_math_all(-INFINITY), r);
}

/* sin and cos take arguments up to here; beyond, the host's library has to reduce them. */
#define EU_MATH_SIN_LIMIT 1e5

static inline eu_doubles eu_math_sin_quadrant(eu_doubles a, uint64_t quadrant)
{
	eu_doubles shifted = a * 0x1.45f306dc9c883p-1 + 0x1.8p52, k = shifted - 0x1.8p52;
	/* pi / 2 in three parts, of which the first two times k are exact. */
	eu_doubles r = a - k * 0x1.921fb544p0;
	r = r - k * 0x1.0b4611a6p-34;
	r = r - k * 0x1.3198a2e037073p-69;
	eu_quads q = (eu_quads)shifted + quadrant;
	eu_doubles z = r * r;
	eu_doubles s = EU_MATH_SERIES(z, -0x1.5555555555555p-3, 0x1.1111111111111p-7,
		-0x1.a01a01a01a01ap-13, 0x1.71de3a556c734p-19, -0x1.ae64567f544e4p-26,
		0x1.6124613a86d09p-33, -0x1.ae7f3e733b81fp-41, 0x1.952c77030ad4ap-49);
	s = eu_math_fma(s * z, r, r);
	eu_doubles c = EU_MATH_SERIES(z, 1, -0x1p-1, 0x1.5555555555555p-5, -0x1.6c16c16c16c17p-10,
		0x1.a01a01a01a01ap-16, -0x1.27e4fb7789f5cp-22, 0x1.1eed8eff8d898p-29,
		-0x1.93974a8c07c9dp-37, 0x1.ae7f3e733b81fp-45);
	/* Odd quadrants take the cosine, the upper two the other sign. */
	return (eu_doubles)((eu_quads)EU_MATH_PICK(0 - (q & 1), c, s) ^ (q & 2) << 62);
}

/* sin(a) and cos(a) for |a| up to the limit. */
static inline eu_doubles eu_math_sin(eu_doubles a)
{
	return EU_MATH_PICK(eu_math_equal(a, eu_math_all(0)), a, eu_math_sin_quadrant(a, 0));
}

static inline eu_doubles eu_math_cos(eu_doubles a)
{
	return eu_math_sin_quadrant(a, 1);
}

#endif
