// SPDX-License-Identifier: MIT
#ifndef EU_HALF_H
#define EU_HALF_H

#include <stdbool.h>
#include <stdint.h>

/* Rounding modes, as cr0.0 bits 5:4 number them. */
enum eu_rounding {
	EU_ROUND_NEAREST,
	EU_ROUND_UP,
	EU_ROUND_DOWN,
	EU_ROUND_ZERO,
};

/* Exact. NaNs keep sign and payload and become quiet, as with the host's own conversion. */
float eu_half_to_float(uint16_t half);

/*
 * Rounds once. Overflow gives infinity or the largest number, as the mode says; NaNs keep their
 * sign and the top of the payload and become quiet. Without keep_denormals results below 2^-14
 * become zeros of their sign.
 */
uint16_t eu_half_from_double(double value, enum eu_rounding mode, bool keep_denormals);

#endif
