// SPDX-License-Identifier: MIT
#include "drm/sync/drm_fence.h"

#include <stdlib.h>

struct drm_fence *drm_fence_create(const struct drm_fence *a, const struct drm_fence *b)
{
	struct drm_fence *fence = calloc(1, sizeof(*fence));
	int rc;

	if (!fence)
		return NULL;
	fence->refs = 1;
	rc = a ? drm_points_merge(&fence->points, &a->points) : 0;
	for (unsigned i = 0; b && i < b->points.count && rc == 0; i++)
		rc = drm_points_add(
			&fence->points, b->points.points[i].timeline, b->points.points[i].number);
	if (rc) {
		drm_fence_put(fence);
		return NULL;
	}
	return fence;
}

struct drm_fence *drm_fence_get(struct drm_fence *fence)
{
	fence->refs++;
	return fence;
}

void drm_fence_put(struct drm_fence *fence)
{
	if (!fence || --fence->refs)
		return;
	drm_points_finish(&fence->points);
	free(fence);
}

bool drm_fence_over(struct drm_fence *fence)
{
	return drm_points_over(&fence->points);
}
