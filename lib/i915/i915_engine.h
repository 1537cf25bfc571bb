// SPDX-License-Identifier: MIT
#ifndef I915_ENGINE_H
#define I915_ENGINE_H

#include "i915/i915_ring.h"

/* The thread of an engine and its list of rings that hold batches. All under the device's lock. */

/* Starts the thread when it does not run yet. */
int i915_engine_start(struct i915_engine *engine);
/* Ends the thread; its rings must have been killed. Drops the lock while it waits. */
void i915_engine_finish(struct i915_engine *engine);

/* Gives the ring its turns, and wakes the thread. Nothing when it has them. */
void i915_engine_link(struct i915_ring *ring);
void i915_engine_unlink(struct i915_ring *ring);

#endif
