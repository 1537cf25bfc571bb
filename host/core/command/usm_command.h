// SPDX-License-Identifier: MIT
#ifndef USM_COMMAND_H
#define USM_COMMAND_H

#include "core/command/enqueue.h"

/*
 * Commands on memory that is named by pointers. They serve the entry points of shared virtual
 * memory and of unified shared memory, which differ in `type` and in few errors. A pointer may
 * also be into memory of the application's that the device does not reach.
 */

/* clEnqueueSVMMemcpy, clEnqueueMemcpyINTEL. */
cl_int usm_copy(struct queue *queue, cl_command_type type, cl_bool blocking, void *to,
	const void *from, size_t size, const struct event_args *events);

/* clEnqueueSVMMemFill, clEnqueueMemFillINTEL, clEnqueueMemsetINTEL. */
cl_int usm_fill(struct queue *queue, cl_command_type type, void *to, const void *pattern,
	size_t pattern_size, size_t size, const struct event_args *events);

/* clEnqueueMigrateMemINTEL, clEnqueueMemAdviseINTEL. */
cl_int usm_migrate(struct queue *queue, const void *pointer, size_t size,
	cl_mem_migration_flags flags, const struct event_args *events);
cl_int usm_advise(struct queue *queue, const void *pointer, size_t size, cl_mem_advice_intel advice,
	const struct event_args *events);

/* clMemBlockingFreeINTEL: finishes all queues of the context first. */
cl_int usm_free_blocking(struct context *context, void *pointer);

#endif
