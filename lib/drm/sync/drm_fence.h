// SPDX-License-Identifier: MIT
#ifndef DRM_FENCE_H
#define DRM_FENCE_H

#include "drm/memory/drm_timeline.h"

/*
 * Room sync: what programs wait for and hand on. Fences, sync objects, and their descriptors.
 * Everything is under the device's lock.
 */

/* A moment: when all batches of a set are over. Without batches it is over. It is shared; but for
 * batches that are over and leave the set, it does not change. */
struct drm_fence {
	unsigned refs;
	struct drm_points points;
};

/* Makes the fence of two others, either of which may be NULL. Of the second, batches count that are
 * not submitted yet. Returns NULL when memory is short. */
struct drm_fence *drm_fence_create(const struct drm_fence *a, const struct drm_fence *b);
struct drm_fence *drm_fence_get(struct drm_fence *fence);
/* NULL does nothing. */
void drm_fence_put(struct drm_fence *fence);
bool drm_fence_over(struct drm_fence *fence);

#endif
