// SPDX-License-Identifier: MIT
#ifndef SEMAPHORE_H
#define SEMAPHORE_H

#include "core/device/context.h"
#include "core/queue/event.h"
#include "core/base/obj.h"
#include "core/queue/queue.h"

#include <CL/cl_ext.h>

/*
 * cl_khr_semaphore, section 5.13 of the specification: binary semaphores. A signal is a place in
 * its queue with an event, a wait one that waits for the event of the signal that nobody has waited
 * for yet. A wait may come first: then it waits for a user event that the signal sets.
 */
struct semaphore {
	struct obj base;
	struct context *context;
	struct device *device;			 /* whose queues signal it and wait for it */
	cl_semaphore_properties_khr *properties; /* as given, with the 0 at the end */
	size_t n_properties;

	pthread_mutex_t lock;
	struct event *signal;  /* under lock: of the signal to be waited for; NULL: there is none */
	struct event *promise; /* under lock: what waits for a signal to come; NULL if none does */
};

OBJ_DEFINE(semaphore, cl_semaphore_khr, OBJ_SEMAPHORE)

/* clCreateSemaphoreWithPropertiesKHR. */
cl_int semaphore_create(struct context *context, const cl_semaphore_properties_khr *properties,
	struct semaphore **out);

/* clEnqueueWaitSemaphoresKHR, clEnqueueSignalSemaphoresKHR. */
cl_int semaphore_wait(struct queue *queue, cl_uint n, const cl_semaphore_khr *semaphores,
	const struct event_args *events);
cl_int semaphore_signal(struct queue *queue, cl_uint n, const cl_semaphore_khr *semaphores,
	const struct event_args *events);

/* clGetSemaphoreInfoKHR. */
cl_int semaphore_info(
	struct semaphore *semaphore, cl_semaphore_info_khr param, const struct info *info);

#endif
