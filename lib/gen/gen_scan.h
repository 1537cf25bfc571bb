// SPDX-License-Identifier: MIT
#ifndef GEN_SCAN_H
#define GEN_SCAN_H

#include <stddef.h>

#include "gen/gen_device.h"
#include "gen/gen_fault.h"

/*
 * Finds how long the kernel at `code` is, from the few bits of the encoding that say where an
 * instruction ends and where it may go. The kernel ends with the first end of a thread or of a
 * function that no branch or call passes; one that loops for ever, with the illegal instruction
 * behind its last branch, where channels would wait. A jump to an address in a register is such an
 * end, too, unless a call that comes back. What follows a kernel in memory (padding, another
 * kernel) is not looked at. Reads at most `limit` bytes. Returns 0 and fills *fault when the code
 * runs past `limit` or a branch leaves it.
 */
size_t gen_scan_kernel(
	const struct gen_device *device, const void *code, size_t limit, struct gen_fault *fault);

#endif
