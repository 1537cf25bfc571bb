// SPDX-License-Identifier: MIT
#ifndef BATCH_H
#define BATCH_H

#include "core/batch/command.h"
#include "core/device/context.h"
#include "l0/l0_list.h"

struct event;
struct queue;

/*
 * The room `batch` puts commands into Level Zero lists: a batch, the description of a command, and
 * how each kind of command is appended. It knows neither the order of commands nor events of the
 * application; the room `queue` decides what goes into which batch, and when that is submitted.
 *
 * A batch: a Level Zero list, and what must live until the device has executed it. It is open, then
 * on the device, then retired and recycled. Locks: all fields are under the lock of its queue.
 */

/* What a batch knows of its queue; fixed. */
struct batch_target {
	struct context *context;
	struct device *device;
	unsigned place; /* of the device in the context */
	struct l0_queue *l0;
	atomic_size_t *staged; /* bytes of staging memory that the queue's batches use */
};

/* Staging memory: the device reaches it, and data of the application passes through it. */
struct batch_stage {
	struct batch_stage *next;
	size_t size, used;
	char *address;
};

/*
 * The one launch that a list holds. Appending it again would give the same list, so the list itself
 * is submitted again: that makes a launch that is waited for each time a fifth shorter.
 */
struct batch_launch {
	uint64_t state; /* of the kernel; 0: the list holds something else */
	struct ndrange range;
};

/* A kernel that is among `objs` with what its arguments name. */
struct batch_known {
	const struct kernel *kernel; /* NULL: none */
	unsigned version;	     /* of its arguments' objects */
};

#define BATCH_KNOWN 8

struct batch {
	struct batch *next;
	struct queue *queue; /* not a reference; the queue's business, NULL in a recording */
	struct batch_target target;
	struct l0_list *list;
	uint64_t serial; /* in its queue; from 1 */
	uint32_t order;	 /* of its one command; 0: order.h is not wanted */
	unsigned n_commands;
	unsigned n_works;	 /* commands for the device, without barriers */
	unsigned n_ordered;	 /* of these, the ones before the last barrier */
	unsigned pins;		 /* threads that use `list` without the lock */
	bool prints;		 /* kernels in it may print … */
	bool driver_prints;	 /* … through the driver */
	bool retired;		 /* no longer the queue's; the last pin recycles it */
	struct l0_event *signal; /* of all its events, in an out-of-order queue without
				    profiling: signalled at the end of the batch; or NULL */

	unsigned n_objs, max_objs;
	struct obj **objs; /* references */
	struct batch_known known[BATCH_KNOWN];
	unsigned n_events, max_events;
	struct event **events; /* references, the queue's business; of the batch's own commands */
	unsigned n_signals, max_signals;
	struct l0_event **signals; /* references; waited for or signalled */
	unsigned n_epilogues, max_epilogues;
	struct box_copy *epilogues; /* copies of the host, when the batch is done */
	struct batch_stage *stages;
	struct print_buffer *print; /* into which its kernels print; NULL: none does */

	uint64_t submit_ns;    /* of CLOCK_MONOTONIC */
	uint64_t submit_ticks; /* of the device at that moment, if `clocked` */
	bool clocked;
	struct batch_launch launch;
};

/* Names a launch by the state of its kernel and its range. */
void batch_launch_init(struct batch_launch *out, uint64_t state, const struct ndrange *range);

/* Returns an open batch in *out. */
cl_int batch_create(const struct batch_target *target, struct batch **out);
/* The batch has no events, and is not on the device, unless that is lost. NULL is allowed. */
void batch_destroy(struct batch *batch);

/*
 * Releases what a retired batch without events holds and resets its list, unless that can be
 * submitted again. On an error the batch can only be destroyed. Locks: none may be held, for
 * objects are destroyed.
 */
cl_int batch_empty(struct batch *batch);

/* Resets the list of an empty batch. On an error it can only be destroyed. */
cl_int batch_reset(struct batch *batch);

/* Makes room for so many more, so that the functions that follow cannot fail. */
cl_int batch_reserve(
	struct batch *batch, unsigned objs, unsigned events, unsigned signals, unsigned epilogues);
void batch_add_obj(struct batch *batch, struct obj *obj);
/* These two take over the caller's reference. */
void batch_add_event(struct batch *batch, struct event *event);
void batch_add_signal(struct batch *batch, struct l0_event *signal);
void batch_add_epilogue(struct batch *batch, const struct box_copy *copy);

/* Appends a barrier behind all that the batch has. `signal`, which may be NULL, comes with it. */
cl_int batch_barrier(struct batch *batch, struct l0_event *signal);

/* Whether the device reaches memory of the application. */
bool batch_reaches(const struct batch *batch, const void *address);

/* `size` bytes that the device reaches and that live as long as the batch's content. */
cl_int batch_stage(struct batch *batch, size_t size, char **out);
/* The same for the bytes of a region, tightly packed. */
cl_int batch_stage_box(struct batch *batch, const size_t region[3], struct box *out);

/* Staging memory that belongs to no batch yet; NULL is allowed to destroy. Locks: none needed. */
cl_int batch_stage_create(const struct batch_target *target, size_t size, struct batch_stage **out);
void batch_stage_destroy(const struct batch_target *target, struct batch_stage *stage);
/* Gives it to the batch, with nothing left in it to use. */
void batch_add_stage(struct batch *batch, struct batch_stage *stage);

#endif
