// SPDX-License-Identifier: MIT
#ifndef EU_ALLOCATION_H
#define EU_ALLOCATION_H

#include <stdbool.h>
#include <stdint.h>

/*
 * How large allocations are to the byte, as the program in front has told: drivers round them up to
 * pages. And which of their bytes have been written. For the checks of eu_check.h; nothing else
 * depends on it. From any thread.
 */

struct eu_allocation {
	uint64_t first, end; /* GPU addresses */
	uint64_t *written;   /* eu_written.h; stays valid for ever. NULL: as if all of it were */
	uint64_t born;	     /* eu_allocation_moment when it was added … */
	bool is_programs;    /* … by the program itself, not for what a driver does for it */
	uintptr_t created;   /* where the program has called for it; 0: not known */
	uintptr_t released;  /* the same of its release; 0: it is there */
};

/* How many have been added so far; the second counts one more, of which nothing else is known. */
uint64_t eu_allocation_moment(void);
uint64_t eu_allocation_count(void);

/* Replaces what was known of these bytes. False when memory is short. */
bool eu_allocation_add(uint64_t address, uint64_t bytes);
/* Nobody has written a byte of the allocation that begins there. */
void eu_allocation_clear(uint64_t address);
/* The program has made it, just now. */
void eu_allocation_own(uint64_t address);
/* Nothing is known of the allocation that begins there any more. */
void eu_allocation_remove(uint64_t address);

/* The host has written these bytes, or may do so at any time: `bytes` 0 is the whole allocation. */
void eu_allocation_write(uint64_t address, uint64_t bytes);

/*
 * The last allocation that begins at or before an address; it may have ended before it. A host
 * thread finds the one that it has found before without a lock.
 */
bool eu_allocation_find(uint64_t address, struct eu_allocation *out);

/* One of the last allocations of the program that held the address and are gone; the newest. */
bool eu_allocation_find_released(uint64_t address, struct eu_allocation *out);

#endif
