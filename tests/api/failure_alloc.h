// SPDX-License-Identifier: MIT
#ifndef FAILURE_ALLOC_H
#define FAILURE_ALLOC_H

#include <stdbool.h>

/*
 * The program is linked so that the allocations of what it is made of come here, those of shared
 * libraries aside. The n-th from now on (1: the next), of any thread, fails; 0: none.
 */
void failure_alloc_after(unsigned n);

/* Whether it has come to that; it is over then. */
bool failure_alloc_failed(void);

#endif
