// SPDX-License-Identifier: MIT
#ifndef DEFERRED_WORK_H
#define DEFERRED_WORK_H

#include <stdbool.h>

struct batch;
struct callback;
struct context;
struct event_callback;
struct event_dependent;
struct l0_device;
struct obj;

/* Work that must be done without locks. Initialized with { 0 }, done by deferred_work_run. */
struct deferred_work {
	struct batch *retired;
	struct event_dependent *dependents;
	struct callback *calls, *last_call;   /* with a reference to the event each */
	struct event_callback *continuations; /* the same */
	struct obj **kept;		      /* references; malloc'ed */
	unsigned n_kept;
	struct l0_device *lost; /* it was lost, and commands with it; else NULL */
};

/*
 * Recycles retired batches (of any queue that the caller keeps alive), reports a loss to `context`,
 * gives callbacks to the callback thread, runs continuations, and submits deferred commands whose
 * dependencies got further. Locks: none may be held.
 */
void deferred_work_run(struct context *context, struct deferred_work *work);

/* Gives callbacks to the callback thread and runs continuations. Locks: none may be held. */
void deferred_work_call(struct deferred_work *work);

#endif
