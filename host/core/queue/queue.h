// SPDX-License-Identifier: MIT
#ifndef QUEUE_H
#define QUEUE_H

#include "core/device/context.h"
#include "core/queue/event.h"
#include "core/base/event_lock.h"
#include "core/base/obj.h"

#include <CL/cl_ext.h>
#include <pthread.h>
#include <stdbool.h>

struct deferred_work;
struct batch;
struct batch_launch;
struct command;
struct l0_queue;
struct deferred;

/*
 * A command queue.
 *
 * A command whose wait list is on the device or done is appended at once to the open batch (a
 * Level Zero list). The batch is given to the device at a flush, when somebody waits for or asks
 * after one of its events, when it is full, or when the device has nothing to do. A command that
 * waits for something on the host (a user event, the host's part of a transfer) is held on the host
 * and appended when that has come, and so are all that follow it in an in-order queue: the device
 * never waits for the host.
 *
 * Commands of an out-of-order queue are appended without barriers between them, unless one waits
 * for another of the same batch; schedule.h says who waits for whom.
 */
struct queue {
	struct obj base;
	struct context *context;
	struct device *device;
	cl_command_queue_properties properties;
	cl_queue_priority_khr priority; /* hints */
	cl_queue_throttle_khr throttle;
	cl_queue_properties *given; /* as given, with the 0 at the end; NULL if none */
	size_t n_given;		    /* with the 0 at the end */
	struct l0_queue *l0;
	/* Of a command buffer, whose commands are checked as those of a queue are: takes what
	 * queue_submit gets. Such a queue has no more than what stands above. NULL for all others.
	 */
	cl_int (*record)(struct queue *queue, const struct command *command);

	pthread_mutex_t lock; /* what follows is under it */
	struct batch *open;   /* being appended to; NULL if nothing was */
	struct batch *first;  /* on the device, oldest first */
	struct batch *last;
	unsigned n_batches;  /* on the device */
	struct batch *spare; /* recycled */
	unsigned n_spare;
	atomic_size_t staged; /* bytes of staging memory that its batches use */
	unsigned n_epilogues; /* what the host has still to do for batches that are open or on the
			      device */
	bool out_of_order;    /* fixed */
	uint64_t serial;      /* of the newest batch */
	uint64_t fence; /* serial of the batch with the newest barrier of an out-of-order queue */
	unsigned eager; /* commands that an idle device waits for before it gets the open batch */
	unsigned burst; /* commands since somebody waited */
	uint64_t last_end; /* when the last command ended, ns; for profiling */
	bool unsettled;	   /* the driver may still look at kernels that print and are done … */
	struct obj **kept; /* … so these references to them are kept */
	unsigned n_kept;
	bool resting; /* QUEUE_RESTS is the last that was reported to the poller */
	bool lost;    /* a command without event was lost, and nobody was told */

	struct event_lock events;   /* of the queue's; these two are under it as well */
	struct event *spare_events; /* memory only; linked by spare_next */
	unsigned n_spare_events;

	unsigned n_turns; /* threads that do a command of the queue on the host, without the lock */
	bool in_epilogue; /* a thread does the epilogue of `first`, without the lock */
	struct deferred *deferred; /* on the host, oldest first */
	struct deferred **deferred_end;
	struct deferred *candidates;   /* of these, whose dependencies have got further */
	bool scan_deferred;	       /* every held command may be ready */
	unsigned n_deferred_fences;    /* barriers among them */
	unsigned released_fences;      /* barriers that were among them */
	bool releasing, release_again; /* a thread is appending held commands */
	bool stalled;		       /* a held command waits for batches to end */
	bool waking;		       /* `wake` is in an work */
	struct event_dependent wake;
	pthread_cond_t changed; /* `held` became empty, or a turn or an epilogue ended */

	struct queue *context_next; /* under context->lock */
	struct queue *poll_next;    /* these are under worker_lock; see poller.c */
	atomic_bool is_polled;
	uint64_t poll_flush; /* when the poller flushes it, ns */
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
/* clFinish of all queues of the context. */
void queue_finish_all(struct context *context);

/*
 * The end of every clEnqueue*: checks the wait list (CL_INVALID_EVENT_WAIT_LIST,
 * CL_INVALID_CONTEXT), appends or holds the command, makes its event if `event` is not NULL, and
 * waits for it if command->blocking (CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST when something it
 * waited for failed). The command is copied if it must outlive the call. `queue` is valid.
 */
cl_int queue_submit(struct queue *queue, struct command *command, cl_uint n_wait,
	const cl_event *wait, cl_event *event);

/* What follows is for events, held commands and poller.h. */

/* Flushes and looks for `event` of this queue, for `timeout_ns` at most. Hold no lock. */
void queue_look(struct queue *queue, struct event *event, uint64_t timeout_ns);

enum queue_state {
	QUEUE_IDLE,
	QUEUE_RESTS, /* nothing is on the device, and something waits for a flush */
	QUEUE_BUSY
};

/* Flushes if `push`, and waits a little for the oldest batch. Hold no lock. */
enum queue_state queue_step(struct queue *queue, bool push, uint64_t timeout_ns);

/* The rest is called with queue->lock held. */

/* Gives the open batch to the device. On an error its commands fail with it. */
cl_int queue_push(struct queue *queue, struct deferred_work *work);
/* Pushes if the batch is full or the device has nothing to do. */
void queue_pace(struct queue *queue, struct deferred_work *work);
/*
 * Ends the commands of batches that are done or lost. Releases the lock while it does their
 * epilogues, and returns at once while another thread does.
 */
void queue_retire(struct queue *queue, struct deferred_work *work);
/* Whether a command must wait for the oldest batch before it can be appended. */
bool queue_is_full(const struct queue *queue, const struct command *command);
/* Waits for the oldest batch, if there is one; pushes if there is none. Releases the lock. */
void queue_wait_first(struct queue *queue, struct deferred_work *work);
/* Releases held commands whose turn may have come, when the work runs. */
void queue_wake(struct queue *queue, struct deferred_work *work);
/* Pushes and waits for everything. */
void queue_drain(struct queue *queue, struct deferred_work *work);
/* Makes sure that there is an open batch. */
cl_int queue_open(struct queue *queue, struct deferred_work *work);
/*
 * Opens a spare batch whose list holds the launch and nothing else, with room for n_objs objects.
 * Returns false if there is none.
 */
bool queue_open_again(struct queue *queue, const struct batch_launch *launch, unsigned n_objs);
/* Nothing is on the device or on its way there. */
bool queue_is_idle(const struct queue *queue);

#endif
