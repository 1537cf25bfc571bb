// SPDX-License-Identifier: MIT
#ifndef KERNEL_LAUNCH_H
#define KERNEL_LAUNCH_H

#include "core/kernel/ndrange.h"
#include "l0/l0_list.h"

/*
 * Takes an instance of the kernel for the device at `place` and gives it the arguments as they are
 * now or, if not NULL, as `args` has them. The caller gives it back with kernel_give. Locks:
 * kernel->lock is held.
 */
cl_int kernel_launch_begin(struct kernel *kernel, unsigned place, const struct kernel_arg *args,
	struct kernel_instance **out);

/*
 * Appends the launches that a prepared range is made of, with the arguments that `l0` has.
 * `signal` (may be NULL) comes when all are done; it has the time of the first one's begin only if
 * there is one, else `begin` has (NULL if nobody asks for times; not touched when there is one
 * part).
 */
cl_int kernel_launch(struct l0_list *list, const struct kernel_form *form, struct l0_kernel *l0,
	const struct ndrange *range, void *print, struct l0_event *begin, struct l0_event *signal);

#endif
