// SPDX-License-Identifier: MIT
#ifndef CORE_EVENT_H
#define CORE_EVENT_H

#include "core/context.h"
#include "core/obj.h"

#include <pthread.h>

struct batch;
struct event;
struct event_callback;
struct l0_event;
struct queue;

typedef void(CL_CALLBACK *event_notify_fn)(cl_event event, cl_int status, void *user_data);

enum event_time {
	EVENT_QUEUED,
	EVENT_SUBMIT,
	EVENT_START,
	EVENT_END,
	EVENT_N_TIMES /* CL_PROFILING_COMMAND_COMPLETE is EVENT_END: there are no child commands */
};

/*
 * An event: of a command, or a user event (queue is NULL). It is an ordinary object: clRetainEvent
 * and clReleaseEvent are obj_retain and obj_release.
 *
 * Lock order: queue->lock before event->lock; callbacks are called with none held.
 */
struct event {
	struct obj base;
	struct context *context;
	struct queue *queue; /* NULL for a user event */
	cl_command_type type;

	pthread_mutex_t lock;
	pthread_cond_t changed; /* of status */
	cl_int status;		/* under lock for writing; CL_QUEUED … CL_COMPLETE, or an error */
	struct l0_event *signal; /* under lock; the device signals it; NULL when there is none */
	struct event_callback *callbacks;   /* under lock */
	struct event_dependent *dependents; /* under lock; held commands that wait for it */
	cl_ulong times[EVENT_N_TIMES];	    /* ns of CLOCK_MONOTONIC; under lock */
};

OBJ_DEFINE(event, cl_event, OBJ_EVENT)

/* clCreateUserEvent. */
cl_int event_create_user(struct context *context, struct event **out);
/* clSetUserEventStatus: CL_INVALID_EVENT, CL_INVALID_VALUE, CL_INVALID_OPERATION. */
cl_int event_set_user_status(struct event *event, cl_int status);

/* clWaitForEvents: flushes what the events need, then waits. */
cl_int event_wait(cl_uint n, const cl_event *events);

/* clSetEventCallback. Called on a thread of the library. */
cl_int event_set_callback(
	struct event *event, cl_int status, event_notify_fn notify, void *user_data);

/* clGetEventInfo; asking for the status flushes the command's queue. */
cl_int event_info(
	struct event *event, cl_event_info param, size_t size, void *value, size_t *size_ret);
/* clGetEventProfilingInfo. */
cl_int event_profiling_info(
	struct event *event, cl_profiling_info param, size_t size, void *value, size_t *size_ret);

#endif
