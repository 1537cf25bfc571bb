// SPDX-License-Identifier: MIT
#ifndef I915_FAULT_H
#define I915_FAULT_H

#include "gen/gen_fault.h"
#include "i915/schedule/i915_ring.h"

/*
 * Faults. A batch that faults stops its ring: GET_RESET_STATS of its context counts it, those who
 * wait for the ring's objects are let go, and later batches are queued but do not run, until the
 * report is taken. EXECBUFFER2 does not say -EIO meanwhile: Intel's driver 22.43 turns that into
 * ZE_RESULT_ERROR_UNKNOWN, whereas its waits, which look at the reset statistics twice a second,
 * give ZE_RESULT_ERROR_DEVICE_LOST.
 *
 * Once the report is taken the stopped batches are finished without their walkers. That sends the
 * tags and state that the driver believes to have been sent, without which it would wait for ever.
 */

/* One fault that was not taken. */
struct i915_report {
	struct i915_report *next;
	struct i915_ring *ring; /* NULL once its context is gone */
	char text[];
};

/* Stops the ring for the fault of its first batch; logs and keeps the report. Under the lock. */
void i915_fault_raise(struct i915_ring *ring, const struct gen_fault *fault);

/* Forgets that a ring which goes away has reports. Under the lock. */
void i915_fault_detach(struct i915_ring *ring);

/*
 * Copies the oldest report (NUL-terminated, cut at size), drops it and resumes its ring when that
 * has no other. Gives the full length, 0 when there is none.
 */
size_t i915_fault_take(struct i915_device *device, char *text, size_t size);

#endif
