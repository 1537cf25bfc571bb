// SPDX-License-Identifier: MIT
#ifndef QUEUE_H
#define QUEUE_H

#include "core/device/context.h"
#include "core/batch/batch.h"
#include "core/queue/event.h"
#include "core/base/event_lock.h"
#include "core/base/obj.h"

#include <CL/cl_ext.h>
#include <pthread.h>
#include <stdbool.h>

struct deferred_work;
struct command;
struct l0_queue;
struct deferred;

/*
 * The room `queue` decides when commands run: queues, events, the order of commands, and what the
 * host does before and after them. It knows what a command is (core/batch/command.h), but neither
 * the entry points that make commands nor command buffers.
 *
 * A command queue. A command whose dependencies are complete or on the device is appended at once
 * to the open batch, a Level Zero list. The batch is submitted at a flush, when a thread waits for
 * or queries one of its events, when it is full, and when the device is idle. A command that
 * depends on something on the host (a user event, the host's part of a transfer) is deferred: it is
 * appended when that is complete, and so is every later command of an in-order queue. The device
 * never waits for the host.
 *
 * Commands of an out-of-order queue are appended without barriers between them, unless one depends
 * on another one of the same batch; see schedule.h.
 *
 * Locks: `lock` protects the fields below it. No thread copies, prints, waits for the device or
 * calls the application while it holds it. Lock order: queue->lock, kernel->lock, the lock of the
 * events.
 */
struct queue {
	struct obj base;
	struct context *context;
	struct device *device;
	unsigned place; /* of the device in the context */
	cl_command_queue_properties properties;
	cl_queue_priority_khr priority; /* hints */
	cl_queue_throttle_khr throttle;
	cl_queue_properties *given; /* as given, with the 0 at the end; NULL if none */
	size_t n_given;		    /* with the 0 at the end */
	struct l0_queue *l0;
	struct queue_order {	/* order.h; numbers of commands */
		bool is_wanted; /* fixed */
		uint32_t chain; /* fixed */
		uint32_t all;	/* under lock: after all commands so far … */
		uint32_t fence; /* … and the newest barrier */
	} order;
	/*
	 * Of the queue that a command buffer records with: gets each command instead of
	 * queue_submit. Such a queue has only the fields above. NULL for all others.
	 */
	cl_int (*record)(struct queue *queue, const struct command *command);

	pthread_mutex_t lock; /* protects the fields below */
	struct batch *open;   /* commands are appended to it; NULL if there are none */
	struct batch *first;  /* on the device, oldest first */
	struct batch *last;
	unsigned n_batches;  /* on the device */
	struct batch *spare; /* recycled */
	unsigned n_spare;
	atomic_size_t staged; /* bytes of staging memory that its batches use */
	unsigned n_epilogues; /* of batches that are open or on the device */
	bool out_of_order;    /* fixed */
	uint64_t serial;      /* of the newest batch */
	uint64_t fence; /* serial of the batch with the newest barrier of an out-of-order queue */
	unsigned eager; /* commands in the open batch that make an idle device get it */
	unsigned burst; /* commands since a thread last waited */
	uint64_t burst_began; /* when the first of them was enqueued, ns */
	uint64_t burst_ns;    /* how long the enqueueing of the burst took that a thread waits for;
				 0: it was short, or nobody waits */
	unsigned n_lags;      /* waits in a row that took longer than burst_ns; see wait.c */
	uint64_t last_end;    /* when the last command ended, ns; for profiling */
	bool unsettled;	      /* the driver may still look at kernels that print and are done … */
	struct obj **kept;    /* … so these references to them are kept */
	unsigned n_kept;
	bool resting; /* QUEUE_RESTS is the last that was reported to the poller */
	bool lost;    /* a command without an event was lost, and no call has reported it */

	struct event_lock events;   /* of the queue's; these two are under it as well */
	struct event *spare_events; /* memory only; linked by spare_next */
	unsigned n_spare_events;

	unsigned n_turns; /* threads that do a command of the queue on the host, without the lock */
	bool in_epilogue; /* a thread does the epilogue of `first`, without the lock */
	struct deferred *deferred; /* on the host, oldest first */
	struct deferred **deferred_end;
	struct deferred *candidates;   /* of these, whose dependencies have got further */
	bool scan_deferred;	       /* every deferred command may be ready */
	unsigned n_deferred_fences;    /* barriers among them */
	unsigned released_fences;      /* barriers that were among them */
	bool releasing, release_again; /* a thread is submitting deferred commands */
	bool stalled;		       /* a deferred command waits for batches to end */
	bool waking;		       /* `wake` is in a list of deferred work */
	struct event_dependent wake;
	pthread_cond_t changed; /* `deferred` became empty, or a turn or an epilogue ended */

	struct queue *context_next; /* under context->lock, as the next; which names this one */
	struct queue **context_link;
	struct queue *poll_next; /* these are under worker_lock; see poller.c */
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

cl_int queue_info(struct queue *queue, cl_command_queue_info param, const struct info *info);

/* clFlush, clFinish. */
cl_int queue_flush(struct queue *queue);
cl_int queue_finish(struct queue *queue);
/* clFinish of all queues of the context. */
void queue_finish_all(struct context *context);

/* The last arguments of every clEnqueue*: num_events_in_wait_list, event_wait_list, event. */
struct event_args {
	cl_uint n_waits;
	const cl_event *waits;
	cl_event *event;
};
#define NO_EVENTS (&(struct event_args){ 0 })

/* Errors: CL_INVALID_EVENT_WAIT_LIST; CL_INVALID_CONTEXT. */
cl_int queue_check_waits(const struct queue *queue, const struct event_args *events);

/*
 * The last step of every clEnqueue*: checks the wait list, appends or defers the command, creates
 * its event if events->event is not NULL, and waits for it if command->blocking. Copies the command
 * if it outlives the call. `queue` is valid.
 *
 * Errors: CL_INVALID_EVENT_WAIT_LIST; CL_INVALID_CONTEXT; CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_
 * LIST when a blocking command depends on one that failed; CL_INVALID_OPERATION when its memory is
 * of another device; CL_OUT_OF_*.
 */
cl_int queue_submit(struct queue *queue, struct command *command, const struct event_args *events);

/* What its batches know of it, and those that a command buffer records for it. */
static inline struct batch_target queue_target(struct queue *queue)
{
	return (struct batch_target){ .context = queue->context,
		.device = queue->device,
		.place = queue->place,
		.l0 = queue->l0,
		.staged = &queue->staged };
}

/* The rest is for the room itself. */

/*
 * Flushes and waits for `event` of this queue, for `timeout_ns` at most; 0: looks once. A fault of
 * the virtual device ends the event in both cases, the reset of a real GPU only when it waits.
 * Locks: none may be held.
 */
void queue_look(struct queue *queue, struct event *event, uint64_t timeout_ns);

enum queue_state {
	QUEUE_IDLE,
	QUEUE_RESTS, /* nothing is on the device, and something waits for a flush */
	QUEUE_BUSY
};

/* Flushes if `push`, and waits for the oldest batch, for `timeout_ns` at most. Locks: none may be
 * held. */
enum queue_state queue_step(struct queue *queue, bool push, uint64_t timeout_ns);

/* Waits for all commands that were enqueued before, deferred ones included. Locks: none may be
 * held. */
void queue_settle(struct queue *queue);
/* CL_OUT_OF_RESOURCES if commands were lost that no call has reported. Locks: none may be held. */
cl_int queue_take_loss(struct queue *queue);
/* Empties the batch and keeps it for later, or destroys it. Locks: none may be held. */
void queue_recycle(struct batch *batch);

/* Locks: queue->lock is held for the functions that follow. */

/* Submits the open batch. On an error its commands fail. */
cl_int queue_push(struct queue *queue, struct deferred_work *work);
/*
 * Ends the commands of batches that are done or lost. Releases the lock while it does their
 * epilogues, and returns at once while another thread does.
 */
void queue_retire(struct queue *queue, struct deferred_work *work);
/* Whether a command must wait for the oldest batch before it can be appended. */
bool queue_is_full(const struct queue *queue, const struct command *command);
/* After a command was appended: pushes if the batch is full or the device has nothing to do. */
void queue_pace(struct queue *queue, struct deferred_work *work);
/* Whether a launch without a wait list only has to be appended to the open batch and counted. */
bool queue_is_steady(const struct queue *queue);
/* Waits for the oldest batch, if there is one; pushes if there is none. Releases the lock. */
void queue_wait_first(struct queue *queue, struct deferred_work *work);
/* Adds to `work` to submit the deferred commands that are ready. */
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
/* The same, after an epilogue that another thread does now. */
void queue_retire_all(struct queue *queue, struct deferred_work *work);
/* Gives a batch that has left the queue to `work`, unless a thread has pinned it. */
void queue_let_go(struct batch *batch, struct deferred_work *work);
/* Ends the events of a batch that is done or was never submitted. */
void queue_end_events(struct batch *batch, cl_int status, struct deferred_work *work);
/* Takes a pin away, and lets the batch go after the last one. */
void queue_unpin(struct batch *batch, struct deferred_work *work);
/* Whether nothing is on the device or in the open batch. */
bool queue_is_idle(const struct queue *queue);

#endif
