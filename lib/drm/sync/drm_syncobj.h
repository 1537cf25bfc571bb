// SPDX-License-Identifier: MIT
#ifndef DRM_SYNCOBJ_H
#define DRM_SYNCOBJ_H

#include "drm/sync/drm_fence.h"

/* A value of a sync object's timeline, and the fence that ends when the timeline reaches it: that
 * of all earlier values too. Value 0 is the only one of a binary object. */
struct drm_moment {
	uint64_t value;
	struct drm_fence *fence;
};

/*
 * A sync object holds one fence, which can be replaced (binary), or values in ascending order, each
 * with a fence. What it holds when a wait for it begins, or a batch that waits for it is submitted,
 * is what counts. Of the values that were reached it keeps the last.
 */
struct drm_syncobj {
	unsigned refs;
	struct drm_moment *moments;
	unsigned count, capacity;
};

/* Makes an object without a fence. Returns NULL when memory is short. */
struct drm_syncobj *drm_syncobj_create(void);
struct drm_syncobj *drm_syncobj_get(struct drm_syncobj *syncobj);
/* NULL does nothing. */
void drm_syncobj_put(struct drm_syncobj *syncobj);

/* The fence of the lowest value that is not below `value`, 0: of the last. NULL: there is none yet.
 * The object owns it. */
struct drm_fence *drm_syncobj_find(const struct drm_syncobj *syncobj, uint64_t value);

/* The last value that was reached; `submitted`: that has a fence. */
uint64_t drm_syncobj_value(const struct drm_syncobj *syncobj, bool submitted);

/* Drops all fences. */
void drm_syncobj_reset(struct drm_syncobj *syncobj);

/*
 * Signals in two steps, so that a submission fails before it has begun. The first makes room for
 * `room` moments and the moment itself; it returns 0 or -ENOMEM, and the moment's fence is the
 * caller's until the second step takes it, which cannot fail. `timeline`: the moment goes behind
 * the others, whose last value it does not fall below; else it replaces them.
 */
int drm_syncobj_prepare(struct drm_syncobj *syncobj, unsigned room, bool timeline, uint64_t value,
	const struct drm_fence *fence, struct drm_moment *out);
void drm_syncobj_commit(struct drm_device *device, struct drm_syncobj *syncobj, bool timeline,
	struct drm_moment moment);

/* What a wait is for; zeroed but for the first two. */
struct drm_wait {
	struct drm_syncobj *syncobj; /* a reference */
	uint64_t value;
	struct drm_fence *fence; /* once it is there */
};

enum drm_wait_flag {
	DRM_WAIT_ALL = 1,	/* for all, not for the first */
	DRM_WAIT_SUBMIT = 2,	/* for fences that are not there yet, too */
	DRM_WAIT_AVAILABLE = 4, /* for the fences to be there only */
};

/*
 * Waits until `deadline` (drm_timeline_wait); *first is the first that is reached. Releases the
 * lock meanwhile, and in the end the references. Returns 0, -EINVAL if a fence is not there and not
 * waited for, -ETIME, or -EINTR when the process ends.
 */
int drm_syncobj_wait(struct drm_device *device, struct drm_wait *waits, uint32_t count,
	unsigned flags, int64_t deadline, uint32_t *first);

#endif
