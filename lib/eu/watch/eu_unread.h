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

/*
 * Which elements of a load go nowhere but into the same element of stores, a bit for each: the
 * kernel copies them, with whatever lies between or behind what the program has asked for.
 */
uint8_t eu_unread_passed(const struct eu_kernel *kernel, const struct eu_send *send);

#endif
