// SPDX-License-Identifier: MIT
#ifndef DRM_FAULT_H
#define DRM_FAULT_H

#include "drm/memory/drm_vm.h"
#include "gen/gen_fault.h"

/*
 * Faults. A batch that faults stops its ring: GET_RESET_STATS of its context counts it, whoever
 * waits for the ring's objects is released, and later batches are queued but do not run until the
 * report is taken. EXECBUFFER2 does not return -EIO meanwhile: Intel's driver 22.43 turns that into
 * ZE_RESULT_ERROR_UNKNOWN, whereas its waits, which read the reset statistics twice a second,
 * return ZE_RESULT_ERROR_DEVICE_LOST.
 *
 * Once the report is taken the stopped batches are finished without their walkers. That writes the
 * tags and state that the driver believes to have been written, without which it would wait for
 * ever.
 */

/*
 * Allocates nothing: a fault that nobody is told of would stop its ring for ever. Stops the
 * timeline, which has not stopped, logs the fault and keeps its report, to which `batch`, a line
 * about the batch, and the buffers of `space` around the address are added. Under the lock.
 */
void drm_fault_raise(struct drm_device *device, struct drm_timeline *timeline,
	const struct drm_vm_snapshot *space, const struct gen_fault *reason, const char *batch);

/*
 * Copies the oldest report (NUL-terminated, cut at size), drops it and lets the ring that it
 * stopped run again. Returns the full length, 0 when there is none.
 */
size_t drm_fault_take(struct drm_device *device, char *text, size_t size);

#endif
