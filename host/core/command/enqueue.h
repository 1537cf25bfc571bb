// SPDX-License-Identifier: MIT
#ifndef ENQUEUE_H
#define ENQUEUE_H

#include "core/batch/command.h"
#include "core/queue/queue.h"

/*
 * The room `command` holds the clEnqueue* entry points after their handles were converted: an
 * object is NULL when its handle was bad. Each function checks its arguments, describes the command
 * (struct command) and submits it; it never waits, appends or looks into a batch itself. Launches
 * and commands without work are here.
 */

/* What clEnqueueMigrate* allow. */
#define COMMAND_MIGRATION_FLAGS                                                                    \
	((cl_mem_migration_flags)CL_MIGRATE_MEM_OBJECT_HOST |                                      \
		CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)

/* Makes it a fill of `to`, which is `offset` bytes behind something aligned. CL_INVALID_VALUE. */
cl_int command_set_fill(struct command *command, char *to, size_t offset, const void *pattern,
	size_t pattern_size, size_t size);

/* clEnqueueNDRangeKernel; clEnqueueTask is one work-item of type CL_COMMAND_TASK. */
cl_int command_ndrange(struct queue *queue, struct kernel *kernel, cl_command_type type,
	cl_uint dims, const size_t *offset, const size_t *global, const size_t *local,
	const struct event_args *events);

/*
 * A place in the queue and no more: clEnqueueMarkerWithWaitList (CL_COMMAND_MARKER),
 * clEnqueueBarrierWithWaitList (CL_COMMAND_BARRIER), clEnqueueMarker and clEnqueueBarrier; and
 * what has nothing to do because host and device share the memory.
 */
cl_int command_marker(struct queue *queue, cl_command_type type, const struct event_args *events);

/* clEnqueueMigrateMemObjects. */
cl_int command_migrate(struct queue *queue, cl_uint n, const cl_mem *mems,
	cl_mem_migration_flags flags, const struct event_args *events);

/* clEnqueueAcquireExternalMemObjectsKHR and clEnqueueReleaseExternalMemObjectsKHR, by the type. */
cl_int command_hand_over(struct queue *queue, cl_command_type type, cl_uint n, const cl_mem *mems,
	const struct event_args *events);

#endif
