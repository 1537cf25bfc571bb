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

/*
 * Which lanes of a load the kernel never looks at, a bit for each, nor at copies of what they load.
 * Only of loads that are done for no channel, with which compilers load what is the same for all;
 * 0 if nothing at all is done with what is loaded.
 */
uint32_t eu_unread_lanes(const struct eu_kernel *kernel, const struct eu_send *send);

/* How many bytes at the end of a block that is loaded the kernel never looks at; not all of them.
 */
unsigned eu_unread_tail(const struct eu_kernel *kernel, const struct eu_send *send);

#endif
