// SPDX-License-Identifier: MIT
#ifndef KERNEL_BLOCKS_H
#define KERNEL_BLOCKS_H

#include "core/kernel/kernel.h"

/*
 * Tells the context's pfn_notify if argument `index`, which was just set, breaks a restriction of
 * cl_intel_subgroups on the block functions that the kernel has: pointers, host_ptr and origins of
 * 4 bytes for reads and 16 for writes; images of buffers with a pitch of 64 bytes and an origin of
 * 32. A hint, not an error: the kernel may not use the argument so. kernel->lock is not held.
 */
void kernel_blocks_check(struct kernel *kernel, cl_uint index);

#endif
