// SPDX-License-Identifier: MIT
#include "drm/sync/drm_syncobj.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct drm_syncobj *drm_syncobj_create(void)
{
	struct drm_syncobj *syncobj = calloc(1, sizeof(*syncobj));

	if (syncobj)
		syncobj->refs = 1;
	return syncobj;
}

struct drm_syncobj *drm_syncobj_get(struct drm_syncobj *syncobj)
{
	syncobj->refs++;
	return syncobj;
}

void drm_syncobj_put(struct drm_syncobj *syncobj)
{
	if (!syncobj || --syncobj->refs)
		return;
	drm_syncobj_reset(syncobj);
	free(syncobj->moments);
	free(syncobj);
}

struct drm_fence *drm_syncobj_find(const struct drm_syncobj *syncobj, uint64_t value)
{
	unsigned i = 0;

	if (syncobj->count && value == 0)
		return syncobj->moments[syncobj->count - 1].fence;
	while (i < syncobj->count && syncobj->moments[i].value < value)
		i++;
	return i < syncobj->count ? syncobj->moments[i].fence : NULL;
}

uint64_t drm_syncobj_value(const struct drm_syncobj *syncobj, bool submitted)
{
	unsigned i = syncobj->count;

	while (i && !submitted && !drm_fence_over(syncobj->moments[i - 1].fence))
		i--;
	return i ? syncobj->moments[i - 1].value : 0;
}

/* Drops the first moments. */
static void drop(struct drm_syncobj *syncobj, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		drm_fence_put(syncobj->moments[i].fence);
	syncobj->count -= count;
	if (syncobj->count)
		memmove(syncobj->moments, syncobj->moments + count,
			syncobj->count * sizeof(*syncobj->moments));
}

void drm_syncobj_reset(struct drm_syncobj *syncobj)
{
	drop(syncobj, syncobj->count);
}

/* Drops the moments that were reached, but for the last of them. */
static void drop_reached(struct drm_syncobj *syncobj)
{
	unsigned reached = 0;

	while (reached < syncobj->count && drm_fence_over(syncobj->moments[reached].fence))
		reached++;
	if (reached > 1)
		drop(syncobj, reached - 1);
}

int drm_syncobj_prepare(struct drm_syncobj *syncobj, unsigned room, bool timeline, uint64_t value,
	const struct drm_fence *fence, struct drm_moment *out)
{
	const struct drm_moment *last = NULL;

	if (timeline)
		drop_reached(syncobj);
	if (syncobj->count + room > syncobj->capacity) {
		unsigned capacity = (syncobj->count + room) * 2;
		struct drm_moment *more =
			realloc(syncobj->moments, capacity * sizeof(*syncobj->moments));
		if (!more)
			return -ENOMEM;
		syncobj->moments = more;
		syncobj->capacity = capacity;
	}
	if (timeline && syncobj->count)
		last = &syncobj->moments[syncobj->count - 1];
	out->value = !timeline ? 0 : last && last->value > value ? last->value : value;
	out->fence = drm_fence_create(last ? last->fence : NULL, fence);
	return out->fence ? 0 : -ENOMEM;
}

void drm_syncobj_commit(struct drm_device *device, struct drm_syncobj *syncobj, bool timeline,
	struct drm_moment moment)
{
	if (!timeline)
		drm_syncobj_reset(syncobj);
	syncobj->moments[syncobj->count++] = moment;
	drm_device_announce(device);
}

/* How many of the waits are reached; *first is the first of them. */
static uint32_t count_reached(
	struct drm_wait *waits, uint32_t count, unsigned flags, uint32_t *first)
{
	uint32_t reached = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct drm_wait *wait = &waits[i];
		if (!wait->fence) {
			struct drm_fence *fence = drm_syncobj_find(wait->syncobj, wait->value);
			wait->fence = fence ? drm_fence_get(fence) : NULL;
		}
		if (!wait->fence || (!(flags & DRM_WAIT_AVAILABLE) && !drm_fence_over(wait->fence)))
			continue;
		if (reached++ == 0)
			*first = i;
	}
	return reached;
}

int drm_syncobj_wait(struct drm_device *device, struct drm_wait *waits, uint32_t count,
	unsigned flags, int64_t deadline, uint32_t *first)
{
	uint32_t enough = flags & DRM_WAIT_ALL ? count : 1;
	int rc = 0;

	for (uint32_t i = 0; i < count && !(flags & (DRM_WAIT_SUBMIT | DRM_WAIT_AVAILABLE)); i++) {
		if (!drm_syncobj_find(waits[i].syncobj, waits[i].value))
			rc = -EINVAL;
	}
	while (rc == 0 && count_reached(waits, count, flags, first) < enough)
		rc = device->closing ? -EINTR : drm_timeline_doze(device, deadline);
	for (uint32_t i = 0; i < count; i++) {
		drm_fence_put(waits[i].fence);
		drm_syncobj_put(waits[i].syncobj);
	}
	return rc;
}
