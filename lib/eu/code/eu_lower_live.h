// SPDX-License-Identifier: MIT
#ifndef EU_LOWER_LIVE_H
#define EU_LOWER_LIVE_H

#include "eu/code/eu_lower.h"

/*
 * Of the first `count` micro-operations, behind which channels only leave: whether nobody reads
 * what was in the registers that it writes, where it is executed or not, so that it may as well
 * have been written before. NULL when memory is short; the caller frees it.
 */
bool *eu_lower_find_fresh(const struct eu_lowering *l, uint32_t count);

#endif
