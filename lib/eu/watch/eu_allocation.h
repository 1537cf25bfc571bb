// SPDX-License-Identifier: MIT
#ifndef EU_ALLOCATION_H
#define EU_ALLOCATION_H

#include <stdbool.h>
#include <stdint.h>

/*
 * How large allocations are to the byte, as the program in front has told: drivers round them up to
 * pages. For the checks of eu_check.h; nothing else depends on it. From any thread.
 */

struct eu_allocation {
	uint64_t first, end; /* GPU addresses */
};

/* Replaces what was known of these bytes. False when memory is short. */
bool eu_allocation_add(uint64_t address, uint64_t bytes);
/* Nothing is known of the allocation that begins there any more. */
void eu_allocation_remove(uint64_t address);

/* The last allocation that begins at or before an address; it may have ended before it. */
bool eu_allocation_find(uint64_t address, struct eu_allocation *out);

#endif
