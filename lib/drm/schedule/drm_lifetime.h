// SPDX-License-Identifier: MIT
#ifndef DRM_LIFETIME_H
#define DRM_LIFETIME_H

#include "drm/memory/drm_device.h"

/* How devices and open files begin and end. */

/* Makes a device without threads. Returns NULL when memory is short. */
struct drm_device *drm_device_create(
	const struct gen_device *gen, const struct drm_front *front, bool null_execution);

/* Stops all batches, joins the threads and frees the device; all files must have been closed. */
void drm_device_destroy(struct drm_device *device);

/*
 * The process begins to exit. Batches that are there now and not over after `milliseconds` end with
 * a fault, so that nobody waits for them for ever. Returns at once.
 */
void drm_device_leave(struct drm_device *device, unsigned milliseconds);

/*
 * The process is about to end. Ends all batches with faults, which releases those who wait for
 * them, and waits at most `milliseconds` until none runs. Later batches end without their walkers.
 * Locks: none may be held.
 */
void drm_device_quiesce(struct drm_device *device, unsigned milliseconds);

/* Returns 0 or -ENOMEM. */
int drm_file_open(struct drm_device *device, struct drm_file **out);
/* Stops the file's batches and frees its objects. No call may be in progress. */
void drm_file_close(struct drm_file *file);

#endif
