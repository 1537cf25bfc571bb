// SPDX-License-Identifier: MIT
#ifndef I915_RING_H
#define I915_RING_H

#include "cs/cs_stream.h"
#include "i915/object/i915_vm.h"

/* What a batch waits for before it starts: another ring's batch that writes what it uses. */
struct i915_dependency {
	struct i915_timeline *timeline;
	uint64_t number;
};

/* A queued batch buffer. Owns everything that it points to. */
struct i915_batch {
	struct i915_batch *next;
	uint64_t number; /* on the ring's timeline */
	uint64_t address, length;
	struct i915_space *space;
	struct i915_dependency *dependencies;
	unsigned dependency_count;
};

/*
 * A context's queue on one engine: batches run one by one in the order in which they were
 * submitted. Under the device's lock, except that the engine's thread alone uses `stream` and
 * `executing` while `running` is set.
 */
struct i915_ring {
	struct i915_context *context; /* a reference, while the ring holds batches */
	struct i915_engine *engine;
	struct cs_stream *stream;
	struct eu_bus bus;
	atomic_int stop; /* ends what runs */
	struct i915_timeline *timeline;
	struct i915_batch *first, *last;
	struct i915_space *executing; /* the first batch's, once it was started */
	bool linked;		      /* in engine->rings */
	bool started;		      /* the first batch was given to the stream */
	bool running;		      /* the engine's thread is in the stream */
	bool killed;		      /* its context is gone: nothing runs any more */
	uint64_t drain;	 /* batches up to this number are finished without their walkers */
	uint64_t leave;	 /* batches up to this number were there when the process began to exit */
	uint32_t faults; /* batches that were stopped and not acknowledged */
	struct i915_ring *next;
};

/* Makes the ring, and the EU engine when it is the device's first. */
int i915_ring_create(
	struct i915_device *device, enum i915_engine_id engine, struct i915_ring **out);
/* The ring must hold no batch. */
void i915_ring_destroy(struct i915_ring *ring);

/* Queues a batch, which gets the timeline's next number, and takes it over. */
void i915_ring_submit(
	struct i915_ring *ring, struct i915_context *context, struct i915_batch *batch);
void i915_batch_free(struct i915_batch *batch);

/* Ends what runs and drops what waits, now or as soon as the engine's thread gets there. */
void i915_ring_kill(struct i915_ring *ring);

/* Ends the batch that runs, or comes next, as a fault: it hangs. The ring then is stopped. */
void i915_ring_expire(struct i915_ring *ring);

/* Lets a ring that a fault has stopped run again: see i915_fault.h. */
void i915_ring_resume(struct i915_ring *ring);

/* For the engine's thread: whether the first batch may run, and a turn of it. The turn drops the
 * lock while it executes, and may free the ring. Gives whether it ended at a semaphore. */
bool i915_ring_runnable(struct i915_ring *ring);
bool i915_ring_run(struct i915_ring *ring);

#endif
