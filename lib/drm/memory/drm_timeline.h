// SPDX-License-Identifier: MIT
#ifndef DRM_TIMELINE_H
#define DRM_TIMELINE_H

#include "drm/memory/drm_device.h"

enum { DRM_REPORT_BYTES = 2048 };

/*
 * The order of one ring's batches: number n is over when completed >= n. When the ring has stopped
 * on a fault, the batches that it still holds count as over too, so that nobody waits for them.
 * Everything is under the device's lock.
 */
struct drm_timeline {
	unsigned refs;
	uint16_t engine_class;
	bool detached; /* the ring is gone */
	bool stopped;
	uint32_t faults; /* batches that were stopped and not acknowledged */
	uint64_t submitted, completed;
	uint64_t drain_upto; /* batches up to this number are finished without their walkers */
	/* What stopped it, until that is taken: in device->reports, or dropped. */
	struct drm_timeline *next_report;
	char report[DRM_REPORT_BYTES];
};

/* Returns NULL when memory is short. */
struct drm_timeline *drm_timeline_create(uint16_t engine_class);
struct drm_timeline *drm_timeline_get(struct drm_timeline *timeline);
/* NULL does nothing. */
void drm_timeline_put(struct drm_timeline *timeline);

bool drm_timeline_over(const struct drm_timeline *timeline, uint64_t number);

/* A batch, by its number on a timeline that it holds a reference of. */
struct drm_point {
	struct drm_timeline *timeline;
	uint64_t number;
};

/* A set of batches: of each timeline the last. Zeroed, it is empty. */
struct drm_points {
	struct drm_point *points;
	unsigned count;
};

/* Adds a batch. Returns 0 or -ENOMEM, which changes nothing. */
int drm_points_add(struct drm_points *points, struct drm_timeline *timeline, uint64_t number);
/* Adds those of `more` that are not over. Returns 0 or -ENOMEM. */
int drm_points_merge(struct drm_points *points, const struct drm_points *more);
/* Drops what is over. Returns whether nothing is left. */
bool drm_points_over(struct drm_points *points);
/* Empties the set. */
void drm_points_finish(struct drm_points *points);

/*
 * Waits for batch `number` until `deadline`, in nanoseconds of CLOCK_MONOTONIC, negative for none.
 * Releases the lock meanwhile. Returns 0 or -ETIME.
 */
int drm_timeline_wait(struct drm_device *device, const struct drm_timeline *timeline,
	uint64_t number, int64_t deadline);

/*
 * Waits for progress (drm_device_announce), until the deadline. Releases the lock meanwhile.
 * Returns 0, also when nothing happened, or -ETIME.
 */
int drm_timeline_doze(struct drm_device *device, int64_t deadline);

/*
 * The same, without the lock, and only for progress after *seen (device->progresses) was filled,
 * which is filled anew; one of 0 is filled at once.
 */
void drm_timeline_await(struct drm_device *device, uint64_t *seen, int64_t deadline);

/* Now, in nanoseconds of CLOCK_MONOTONIC. */
int64_t drm_timeline_now(void);

#endif
