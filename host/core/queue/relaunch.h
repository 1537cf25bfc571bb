// SPDX-License-Identifier: MIT
#ifndef RELAUNCH_H
#define RELAUNCH_H

#include "core/queue/queue.h"

/*
 * The short way of a launch into the queue. Programs launch a kernel again and again over the same
 * range: its instance has been prepared for that, and nearly always the queue has nothing to do but
 * to append it. That saves a fifth of the time of an enqueue; queue_submit does the same for every
 * command.
 */

/* What clEnqueueNDRangeKernel was given. */
struct relaunch {
	struct kernel *kernel;
	cl_command_type type;
	cl_uint dims;
	const size_t *offset, *global, *local; /* offset and local may be NULL */
};

/*
 * Appends a launch like the newest one of the kernel, its arguments aside, if it waits for nothing
 * and the queue does nothing else with it. Returns false, with nothing done, if it is not as simple
 * as that: then the long way is to be gone, which finds the errors. *rc: as from queue_submit.
 * Locks: none may be held.
 */
bool relaunch(struct queue *queue, const struct relaunch *launch, const struct event_args *events,
	cl_int *rc);

#endif
