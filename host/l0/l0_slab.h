// SPDX-License-Identifier: MIT
#ifndef L0_SLAB_H
#define L0_SLAB_H

#include "l0/l0_context.h"

/*
 * Small pieces of L0_MEMORY_SHARED memory, many to an allocation. If each had its own, it would
 * take pages of two address spaces, an object of the kernel driver and a mapping, of which a
 * process may have 65,530; and the driver searches all allocations for that of each pointer
 * argument.
 */

/* Larger pieces are not small. */
#define L0_SLAB_MAX 4096

struct l0_slab;

/*
 * A piece of `size` bytes (1 to L0_SLAB_MAX), aligned to 128 at least; *slab is what l0_slab_free
 * wants. The bytes are undefined. The errors of l0_memory_alloc. Any thread.
 */
cl_int l0_slab_alloc(struct l0_context *context, size_t size, struct l0_slab **slab, void **out);

/* The device must not be using it any more. */
void l0_slab_free(struct l0_slab *slab, void *address);

#endif
