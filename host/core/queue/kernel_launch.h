// SPDX-License-Identifier: MIT
#ifndef KERNEL_LAUNCH_H
#define KERNEL_LAUNCH_H

#include "core/kernel/ndrange.h"
#include "l0/l0_list.h"

/*
 * Appends the launches that a prepared range is made of, with the arguments as they are now or, if
 * not NULL, as `args` has them. `signal` (may be NULL) comes when all are done; it has the time of
 * the first one's begin only if there is one, else `begin` has (NULL if nobody asks for times; not
 * touched when there is one part). kernel->lock is held.
 */
cl_int kernel_launch(struct l0_list *list, struct kernel *kernel, const struct ndrange *range,
	const struct kernel_arg *args, void *print, struct l0_event *begin,
	struct l0_event *signal);

#endif
