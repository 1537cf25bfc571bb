// SPDX-License-Identifier: MIT
#ifndef I915_ENGINE_H
#define I915_ENGINE_H

#include "i915/schedule/i915_ring.h"

/* The thread of an engine and its list of rings that hold batches. All under the device's lock. */

/*
 * Makes a thread that takes none of the application's signals. It is detached when `out` is NULL.
 * 0 or -errno.
 */
int i915_engine_thread(void *(*start)(void *), void *self, const char *name, pthread_t *out);

/* Starts the thread when it does not run yet. */
int i915_engine_start(struct i915_engine *engine);
/* Ends the thread; its rings must have been killed. Drops the lock while it waits. */
void i915_engine_finish(struct i915_engine *engine);

/* Gives the ring its turns, and wakes the thread. Nothing when it has them. */
void i915_engine_link(struct i915_ring *ring);
void i915_engine_unlink(struct i915_ring *ring);

#endif
