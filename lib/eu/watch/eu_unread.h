// SPDX-License-Identifier: MIT
#ifndef EU_UNREAD_H
#define EU_UNREAD_H

#include "eu/ops/eu_kernel.h"

/*
 * Which elements of a load the kernel never looks at, a bit for each. Compilers load what lies
 * between two elements together with them; the program has not asked for it. 0 also when that
 * cannot be told: of loads whose registers functions or address registers may reach.
 */
uint8_t eu_unread_elements(const struct eu_kernel *kernel, const struct eu_send *send);

#endif
