// SPDX-License-Identifier: MIT
#ifndef SVM_H
#define SVM_H

#include "core/queue/queue.h"
#include "core/memory/usm.h"

/*
 * Shared virtual memory, section 5.6 of the specification. Host and device see an allocation at one
 * address and in the same bytes: a map is a place in the queue. usm_command.h has the copies and
 * fills.
 */

typedef void(CL_CALLBACK *svm_free_fn)(
	cl_command_queue queue, cl_uint n, void *pointers[], void *user_data);

/* clSVMAlloc: *out, or an error of which the caller tells only that there is one. */
cl_int svm_alloc(
	struct context *context, cl_svm_mem_flags flags, size_t size, cl_uint align, void **out);

/* clSVMFree. What is no allocation of the context is left alone. */
void svm_free(struct context *context, void *pointer);

/* clEnqueueSVMFree. `call` is called on a thread of the library's. */
cl_int svm_enqueue_free(struct queue *queue, cl_uint n, void *pointers[], svm_free_fn call,
	void *user_data, cl_uint n_wait, const cl_event *wait, cl_event *event);

/* clEnqueueSVMMap, clEnqueueSVMUnmap, clEnqueueSVMMigrateMem. */
cl_int svm_map(struct queue *queue, cl_bool blocking, cl_map_flags flags, void *pointer,
	size_t size, cl_uint n_wait, const cl_event *wait, cl_event *event);
cl_int svm_unmap(
	struct queue *queue, void *pointer, cl_uint n_wait, const cl_event *wait, cl_event *event);
cl_int svm_migrate(struct queue *queue, cl_uint n, const void **pointers, const size_t *sizes,
	cl_mem_migration_flags flags, cl_uint n_wait, const cl_event *wait, cl_event *event);

#endif
