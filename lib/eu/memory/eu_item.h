// SPDX-License-Identifier: MIT
#ifndef EU_ITEM_H
#define EU_ITEM_H

#include "eu/state/eu_dispatch.h"

/*
 * Work-items: their local ids, which the driver has put into the payload of each thread, three rows
 * of words. Drivers that leave them to the kernel have none there.
 */

/* The local id of a channel of a group's thread. False, with *id as it was, when it is not there.
 */
bool eu_item_find(
	const struct eu_dispatch *dispatch, uint32_t thread, unsigned channel, uint16_t id[3]);

/* The sizes of the walker's groups, as its local ids say; 0 when they are not there. */
void eu_item_sizes(const struct eu_dispatch *dispatch, uint32_t size[3]);

#endif
