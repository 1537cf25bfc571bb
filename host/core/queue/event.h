// SPDX-License-Identifier: MIT
#ifndef EVENT_H
#define EVENT_H

#include "core/device/context.h"
#include "core/base/obj.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct deferred_work;
struct batch;
struct event;
struct l0_event;
struct queue;
struct deferred;
struct event_callback;

typedef void(CL_CALLBACK *event_notify_fn)(cl_event event, cl_int status, void *user_data);

enum event_time { EVENT_QUEUED, EVENT_SUBMIT, EVENT_START, EVENT_END, EVENT_N_TIMES };

/* Where the command of an event is. It only ever goes forward. */
enum event_stage {
	EVENT_DEFERRED, /* it waits for the host: a user event not yet set, a command behind one */
	EVENT_OPEN,	/* in a batch that the device has not got */
	EVENT_DEVICE,	/* in a batch that the device has got */
	EVENT_DONE	/* complete or failed */
};

/* One queue that defers commands until an event is at `stage`. */
struct event_dependent {
	struct event_dependent *next;
	enum event_stage stage;
	struct queue *queue;	   /* a reference */
	struct deferred *deferred; /* a reference; NULL: whichever command of the queue */
};

/* What an event of a queue that is profiled has besides. */
struct event_profile {
	struct l0_event *begin; /* has the time of the start if `signal` has not; else NULL */
	cl_ulong times[EVENT_N_TIMES]; /* ns of CLOCK_MONOTONIC; 0: not yet */
};

/*
 * An event: of a command, or a user event (queue is NULL). It is an ordinary object: clRetainEvent
 * and clReleaseEvent are obj_retain and obj_release. A program may have millions of them: the
 * struct is of two cache lines.
 *
 * Lock order: queue->lock, then the event's (event_lock.h). Callbacks are called on the
 * callback thread, with no lock held.
 */
struct event {
	struct obj base;     /* a user event has a reference to its context … */
	struct queue *queue; /* … others have one to their queue; NULL for a user event */
	union {
		struct batch *batch;	  /* under queue->lock; while OPEN or DEVICE */
		struct event *spare_next; /* while it is recycled; see queue.h */
	};
	cl_command_type type;
	unsigned position; /* n_works of the batch with it; fixed once OPEN */
	uint32_t order;	   /* order.h; fixed once OPEN or, of a user event, DONE */
	atomic_bool
		has_epilogue; /* the host has a part, when the batch is done, in it or before it */
	bool is_profiled;     /* fixed */

	/* What follows is changed under the lock of the queue's events, or of the context's. */
	atomic_int stage;	 /* enum event_stage; changes after all else */
	atomic_int status;	 /* CL_QUEUED … CL_COMPLETE, or an error */
	unsigned losses;	 /* l0_list_losses of its list, once on the DEVICE */
	struct l0_event *signal; /* the device signals it; NULL when DONE or never there */
	struct event_callback *callbacks;
	struct event_dependent *dependents; /* queues that defer commands until it moves on */
	struct event_profile profile[];	    /* one, or none */
};

OBJ_DEFINE(event, cl_event, OBJ_EVENT)

/* clCreateUserEvent. */
cl_int event_create_user(struct context *context, struct event **out);
/* clSetUserEventStatus: CL_INVALID_EVENT, CL_INVALID_VALUE, CL_INVALID_OPERATION. */
cl_int event_set_user_status(struct event *event, cl_int status);

/* The same for an event that is a user event, to a status that is valid. */
cl_int event_end_user(struct event *event, cl_int status, struct deferred_work *work);

/* clWaitForEvents: flushes what the events need, then waits. */
cl_int event_wait(cl_uint n, const cl_event *events);

/* clSetEventCallback. */
cl_int event_set_callback(
	struct event *event, cl_int status, event_notify_fn notify, void *user_data);

/*
 * A continuation: what the runtime itself does once an event is DONE. It runs with no lock held on
 * the thread that ends the event, and must neither wait nor call the application. `status` is
 * CL_COMPLETE or an error.
 */
typedef void (*event_continue_fn)(cl_int status, void *data, struct deferred_work *work);

/* Memory for a continuation, so that event_continue cannot fail: to be freed unless that gets it;
 * NULL without memory. */
struct event_callback *event_continuation_create(event_continue_fn run, void *data);
/* Replaces `data`. */
void event_continuation_set_data(struct event_callback *continuation, void *data);
/* Runs the continuation when the event is DONE, or now. Takes over its memory. Hold no lock. */
void event_continue(struct event *event, struct event_callback *continuation);

/* clGetEventInfo; asking for the status flushes the command's queue. */
cl_int event_info(struct event *event, cl_event_info param, const struct info *info);
/* clGetEventProfilingInfo. */
cl_int event_profiling_info(struct event *event, cl_profiling_info param, const struct info *info);

/* What follows is for queues. */

/* An event of a command of `queue`, DEFERRED or OPEN, and CL_QUEUED. */
cl_int event_create(
	struct queue *queue, cl_command_type type, enum event_stage stage, struct event **out);
/* Frees the memory of events that the queue keeps for the next ones. */
void event_free_spare(struct queue *queue);

/* Where it is now: looks at the device, and flushes its queue if it is OPEN. Hold no lock. */
enum event_stage event_poll(struct event *event);

/* Waits until it is DONE; gives its status. Hold no lock. */
cl_int event_wait_done(struct event *event);

/*
 * These move it to OPEN, to DEVICE (with the l0_list_losses of its list), and to DONE. Commands
 * that were deferred for it, and callbacks, go to the work.
 */
void event_opened(struct event *event, struct deferred_work *work);
void event_done(struct event *event, cl_int status, struct deferred_work *work);
/* The same for n events of one queue; those that are DONE stay so. */
void event_submitted(
	struct event *const *events, unsigned n, unsigned losses, struct deferred_work *work);
void event_all_done(
	struct event *const *events, unsigned n, cl_int status, struct deferred_work *work);

/* Runs those of the list, and those that come meanwhile. Hold no lock. */
void event_run_continuations(struct deferred_work *work);

/* Sets one of its times, if anybody can ask for it. */
static inline void event_set_time(struct event *event, enum event_time time, uint64_t ns)
{
	if (event->is_profiled)
		event->profile->times[time] = ns;
}

/* A reference to its signal while it is on the device, else NULL; then *losses is that of the list
 * that signals it. */
struct l0_event *event_signal(struct event *event, unsigned *losses);

/*
 * Makes `deferred` a candidate of `queue` when the event is at `stage`; *added is false if it is
 * there already. Takes over the reference to `deferred` if it adds it. CL_OUT_OF_HOST_MEMORY.
 */
cl_int event_add_dependent(struct event *event, struct queue *queue, struct deferred *deferred,
	enum event_stage stage, bool *added);

static inline enum event_stage event_stage(struct event *event)
{
	return (enum event_stage)atomic_load(&event->stage);
}

/* Its status when DONE, else CL_QUEUED. */
cl_int event_result(struct event *event);
/* Whether one of them is DONE and failed. */
bool event_any_failed(struct event *const *events, unsigned n);

#endif
