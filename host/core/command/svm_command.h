// SPDX-License-Identifier: MIT
#ifndef SVM_COMMAND_H
#define SVM_COMMAND_H

#include "core/queue/queue.h"

/*
 * Commands on shared virtual memory, section 5.6 of the specification. Host and device see an
 * allocation at one address and in the same bytes, so that a map is only a place in the queue.
 * usm_command.h has the copies and fills.
 */

typedef void(CL_CALLBACK *svm_free_fn)(
	cl_command_queue queue, cl_uint n, void *pointers[], void *user_data);

/* CL_INVALID_COMMAND_QUEUE; CL_INVALID_OPERATION if its device has no such memory. */
cl_int svm_check_queue(struct queue *queue);

/* clEnqueueSVMFree. `call` is called on a thread of the library's. */
cl_int svm_enqueue_free(struct queue *queue, cl_uint n, void *pointers[], svm_free_fn call,
	void *user_data, const struct event_args *events);

/* clEnqueueSVMMap, clEnqueueSVMUnmap, clEnqueueSVMMigrateMem. */
cl_int svm_map(struct queue *queue, cl_bool blocking, cl_map_flags flags, void *pointer,
	size_t size, const struct event_args *events);
cl_int svm_unmap(struct queue *queue, void *pointer, const struct event_args *events);
cl_int svm_migrate(struct queue *queue, cl_uint n, const void **pointers, const size_t *sizes,
	cl_mem_migration_flags flags, const struct event_args *events);

#endif
