// SPDX-License-Identifier: MIT
#ifndef FAILURE_ALLOC_H
#define FAILURE_ALLOC_H

#include <stdbool.h>

/*
 * The program is linked so that what it is made of, shared libraries aside, allocates through the
 * test: memory, maps, threads, streams and descriptors.
 */

/* The n-th from now on (1: the next), of any thread, fails, and so do the next `count` - 1; n = 0:
 * none. */
void failure_alloc_after(unsigned n, unsigned count);

/* Whether it has come to that; it is over then. */
bool failure_alloc_failed(void);

/* Whether the calling thread allocates for the test itself: that does not count. NULL: never. */
extern bool (*failure_alloc_spares)(void);

#endif
