// SPDX-License-Identifier: MIT
#ifndef EU_FLOAT_MODE_H
#define EU_FLOAT_MODE_H

#include <fenv.h>
#include <stdint.h>

#include "eu/state/eu_half.h"

#ifdef __x86_64__
#include <xmmintrin.h>
#endif

/* Bits of cr0.0. */
enum {
	EU_CR0_ROUNDING_SHIFT = 4,
	EU_CR0_KEEP_DENORMALS_DF = 1 << 6,
	EU_CR0_KEEP_DENORMALS_F = 1 << 7,
	EU_CR0_KEEP_DENORMALS_HF = 1 << 10,
	EU_CR0_ROUND_INT = 1 << 12, /* float to int rounds as bits 5:4 say, else to zero */
};

static inline enum eu_rounding eu_cr0_rounding(uint32_t cr0)
{
	return (enum eu_rounding)(cr0 >> EU_CR0_ROUNDING_SHIFT & 3);
}

/*
 * The host's modes for single precision, as one word. Only x86 can flush denormals here; elsewhere
 * they are kept.
 */
#ifdef __x86_64__

#define EU_FLOAT_MODE_ROUNDING (3u << 13)

static inline unsigned eu_float_mode_get(void)
{
	return _mm_getcsr();
}

/*
 * To write it is dear, to read it is not; its lowest bits, which exceptions there were, nobody
 * reads. Compilers do not know that arithmetic depends on it, but keep loads and stores on their
 * side.
 */
static inline void eu_float_mode_set(unsigned mode)
{
	__asm__ volatile("" ::: "memory");
	if ((_mm_getcsr() ^ mode) & ~0x3fu)
		_mm_setcsr(mode);
	__asm__ volatile("" ::: "memory");
}

static inline unsigned eu_float_mode_of(uint32_t cr0)
{
	static const unsigned rounding[] = { 0, 2u << 13, 1u << 13, 3u << 13 };
	unsigned flush = cr0 & EU_CR0_KEEP_DENORMALS_F ? 0 : 0x8040;
	return 0x1f80 | rounding[eu_cr0_rounding(cr0)] | flush;
}

#else

#define EU_FLOAT_MODE_ROUNDING UINT32_MAX

static inline unsigned eu_float_mode_get(void)
{
	return (unsigned)fegetround();
}

static inline void eu_float_mode_set(unsigned mode)
{
	fesetround((int)mode);
}

static inline unsigned eu_float_mode_of(uint32_t cr0)
{
	static const int rounding[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
	return (unsigned)rounding[eu_cr0_rounding(cr0)];
}

#endif

/* How the host rounds now. */
static inline enum eu_rounding eu_float_mode_rounding(void)
{
	unsigned mode = eu_float_mode_get();
	for (uint32_t rounding = 1; rounding < 4; rounding++) {
		uint32_t cr0 = rounding << EU_CR0_ROUNDING_SHIFT | EU_CR0_KEEP_DENORMALS_F;
		if ((mode & EU_FLOAT_MODE_ROUNDING) ==
			(eu_float_mode_of(cr0) & EU_FLOAT_MODE_ROUNDING))
			return (enum eu_rounding)rounding;
	}
	return EU_ROUND_NEAREST;
}

/* Round to nearest, denormals kept. */
static inline unsigned eu_float_mode_plain(void)
{
	return eu_float_mode_of(EU_CR0_KEEP_DENORMALS_F);
}

/*
 * Makes them plain where they are `known`, which need not be read then; returns what
 * eu_float_mode_resume takes to restore them.
 */
static inline unsigned eu_float_mode_suspend(unsigned known)
{
	const unsigned plain = eu_float_mode_plain();
	unsigned mode = plain;

	if (known != plain) {
		mode = eu_float_mode_get();
		eu_float_mode_set(plain);
	}
	return mode;
}

static inline void eu_float_mode_resume(unsigned mode)
{
	if (mode != eu_float_mode_plain())
		eu_float_mode_set(mode);
}

#endif
