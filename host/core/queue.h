// SPDX-License-Identifier: MIT
#ifndef CORE_QUEUE_H
#define CORE_QUEUE_H

#include "core/context.h"
#include "core/event.h"
#include "core/obj.h"

#include <pthread.h>
#include <stdbool.h>

struct batch;
struct command;
struct l0_queue;
struct queue_held;

/*
 * An in-order command queue.
 *
 * A command whose wait list is on the device or done is appended at once to the open batch (a
 * Level Zero list). The batch is given to the device at a flush, when somebody waits for or asks
 * after one of its events, when it is full, or when the device has nothing to do. A command that
 * waits for something on the host (a user event, another context's event), and all that follow it
 * in this queue, is held on the host and appended when that has come: the device never waits for
 * the host.
 */
struct queue {
	struct obj base;
	struct context *context;
	struct device *device;
	cl_command_queue_properties properties;
	cl_queue_properties *given; /* as given, with the 0 at the end; NULL if none */
	size_t n_given;		    /* with the 0 at the end */
	struct l0_queue *l0;

	pthread_mutex_t lock; /* all that follows is under it */
	struct batch *open;   /* being appended to; NULL if nothing was */
	struct batch *first;  /* on the device, oldest first */
	struct batch *last;
	struct batch *spare;	 /* recycled */
	struct queue_held *held; /* on the host, oldest first */
	struct queue_held *held_last;
	unsigned eager; /* commands that an idle device waits for before it gets the open batch */
};

OBJ_DEFINE(queue, cl_command_queue, OBJ_QUEUE)

/* clCreateCommandQueueWithProperties; properties may be NULL. */
cl_int queue_create(struct context *context, struct device *device,
	const cl_queue_properties *properties, struct queue **out);
/* clCreateCommandQueue. */
cl_int queue_create_flags(struct context *context, struct device *device,
	cl_command_queue_properties flags, struct queue **out);

/* clReleaseCommandQueue: flushes, then releases. (clRetainCommandQueue is obj_retain.) */
cl_int queue_release(struct queue *queue);

cl_int queue_info(struct queue *queue, cl_command_queue_info param, size_t size, void *value,
	size_t *size_ret);

/* clFlush, clFinish. */
cl_int queue_flush(struct queue *queue);
cl_int queue_finish(struct queue *queue);

/*
 * The end of every clEnqueue*: checks the wait list (CL_INVALID_EVENT_WAIT_LIST,
 * CL_INVALID_CONTEXT), appends or holds the command, makes its event if `event` is not NULL, and
 * waits for it if command->blocking (CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST when something it
 * waited for failed). The command is copied if it must outlive the call. `queue` is valid.
 */
cl_int queue_submit(struct queue *queue, struct command *command, cl_uint n_wait,
	const cl_event *wait, cl_event *event);

#endif
