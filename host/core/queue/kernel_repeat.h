// SPDX-License-Identifier: MIT
#ifndef KERNEL_REPEAT_H
#define KERNEL_REPEAT_H

#include "core/kernel/kernel.h"

/*
 * Launching again what was launched last, over the same range with the same arguments, changes
 * nothing in the l0_kernel: the driver stores there what is there already. So threads that do so
 * take no lock and may do it at the same time, each for its own list. Whoever changes something
 * stops it first.
 */

/* Whether the kernel's last launch may be repeated now, by this thread; if so,
 * kernel_repeat_end must follow, and until then kernel->repeated, the arguments and the l0_kernel
 * stay as they are. Hold no lock that somebody with kernel->lock may want. */
bool kernel_repeat_begin(struct kernel *kernel);
void kernel_repeat_end(struct kernel *kernel);

/* Whether clEnqueueNDRangeKernel is given what kernel->repeated was made from, which is *out then:
 * there is nothing to be checked. NULL as there. */
bool kernel_repeat_find(struct kernel *kernel, cl_uint dims, const size_t *offset,
	const size_t *global, const size_t *local, struct ndrange *out);

/* Whether the range is kernel->repeated; between begin and end. */
bool kernel_repeat_is(const struct kernel *kernel, const struct ndrange *range);

/*
 * A number for what may be repeated now, if that is over the range, else 0. Two launches with the
 * same number are the same, whatever happened to the kernel in between.
 */
uint64_t kernel_repeat_id(struct kernel *kernel, const struct ndrange *range);

/* What follows is called with kernel->lock held. Nobody repeats anything from now on … */
void kernel_repeat_pause(struct kernel *kernel);
/* … and what was launched last cannot be repeated any more: something of what is named above is
 * about to be changed. */
void kernel_repeat_stop(struct kernel *kernel);
/* The kernel, paused, was launched over the range with its own arguments: if that was so twice
 * before, and can be repeated at all, it may be from now on. */
void kernel_repeat_allow(struct kernel *kernel, const struct ndrange *range);

#endif
