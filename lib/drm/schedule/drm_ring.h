// SPDX-License-Identifier: MIT
#ifndef DRM_RING_H
#define DRM_RING_H

#include "cs/cs_stream.h"
#include "drm/memory/drm_vm.h"

/*
 * Room schedule: rings and the batches in them, the threads that execute them, contexts, faults,
 * and the lifetime of devices and files. Nothing here knows a kernel interface.
 */

/* A queued batch buffer. Owns everything that it points to. */
struct drm_batch {
	struct drm_batch *next;
	uint64_t number; /* on the ring's timeline */
	uint64_t address, length;
	struct drm_vm_snapshot *space;
	struct drm_points dependencies; /* batches that must end first */
	uint32_t command;		/* of the program, that it is part of (eu_command.h) */
};

/*
 * A context's queue on one engine: batches run one by one in the order in which they were
 * submitted. Under the device's lock, except that the engine's thread alone uses `stream` and
 * `executing` while `running` is set.
 */
struct drm_ring {
	unsigned refs;	  /* of its context, and one while the ring holds batches */
	uint32_t context; /* id, for reports */
	struct drm_file *file;
	struct drm_ring *next_of_file;
	struct drm_engine *engine;
	struct cs_stream *stream;
	struct eu_bus bus;
	atomic_int stop; /* ends what runs */
	struct drm_timeline *timeline;
	struct drm_batch *first, *last;
	struct drm_vm_snapshot *executing; /* the first batch's, once it was started */
	bool linked;			   /* in engine->rings */
	bool started;			   /* the first batch was given to the stream */
	bool running;			   /* the engine's thread is in the stream */
	bool killed;			   /* its context is gone: nothing runs any more */
	uint64_t expire_upto; /* batches up to this number were there when the process began to exit
			       */
	struct drm_ring *next;
};

/* Makes a ring of the file for context `context`. Returns 0 or -ENOMEM. */
int drm_ring_create(
	struct drm_file *file, enum gen_engine engine, uint32_t context, struct drm_ring **out);
/* Drops a reference. NULL does nothing. */
void drm_ring_put(struct drm_ring *ring);

/* Queues a batch, which gets the timeline's next number. Takes ownership of it. */
void drm_ring_submit(struct drm_ring *ring, struct drm_batch *batch);
/* NULL does nothing. */
void drm_batch_free(struct drm_batch *batch);

/* Ends what runs and drops what waits, at once or when the engine's thread leaves the ring. */
void drm_ring_kill(struct drm_ring *ring);

/* Ends the batch that runs, or comes next, with a fault: it hangs. The ring then is stopped. */
void drm_ring_expire(struct drm_ring *ring);

/* For the engine's thread: whether the first batch may run. */
bool drm_ring_runnable(struct drm_ring *ring);
/* For the engine's thread: executes some packets, without the lock, walkers on `eu`. May free the
 * ring. Returns whether it ended at a semaphore that is not satisfied. */
bool drm_ring_run(struct drm_ring *ring, struct eu_engine *eu);
/* For the engine's thread: puts the ring behind the engine's others. */
void drm_ring_to_end(struct drm_ring *ring);

#endif
