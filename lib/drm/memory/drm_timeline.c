// SPDX-License-Identifier: MIT
#include "drm/memory/drm_timeline.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

struct drm_timeline *drm_timeline_create(uint16_t engine_class)
{
	struct drm_timeline *timeline = calloc(1, sizeof(*timeline));

	if (timeline) {
		timeline->refs = 1;
		timeline->engine_class = engine_class;
	}
	return timeline;
}

struct drm_timeline *drm_timeline_get(struct drm_timeline *timeline)
{
	timeline->refs++;
	return timeline;
}

void drm_timeline_put(struct drm_timeline *timeline)
{
	if (timeline && --timeline->refs == 0)
		free(timeline);
}

bool drm_timeline_over(const struct drm_timeline *timeline, uint64_t number)
{
	return timeline->completed >= number || timeline->stopped;
}

int64_t drm_timeline_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int drm_points_add(struct drm_points *points, struct drm_timeline *timeline, uint64_t number)
{
	struct drm_point *more;

	for (unsigned i = 0; i < points->count; i++) {
		struct drm_point *point = &points->points[i];
		if (point->timeline != timeline)
			continue;
		if (point->number < number)
			point->number = number;
		return 0;
	}
	more = realloc(points->points, (points->count + 1) * sizeof(*more));
	if (!more)
		return -ENOMEM;
	points->points = more;
	more[points->count++] = (struct drm_point){ drm_timeline_get(timeline), number };
	return 0;
}

int drm_points_merge(struct drm_points *points, const struct drm_points *more)
{
	int rc = 0;

	for (unsigned i = 0; i < more->count && rc == 0; i++) {
		const struct drm_point *point = &more->points[i];
		if (!drm_timeline_over(point->timeline, point->number))
			rc = drm_points_add(points, point->timeline, point->number);
	}
	return rc;
}

bool drm_points_over(struct drm_points *points)
{
	while (points->count) {
		const struct drm_point *last = &points->points[points->count - 1];
		if (!drm_timeline_over(last->timeline, last->number))
			return false;
		drm_timeline_put(last->timeline);
		points->count--;
	}
	return true;
}

void drm_points_finish(struct drm_points *points)
{
	while (points->count)
		drm_timeline_put(points->points[--points->count].timeline);
	free(points->points);
	points->points = NULL;
}

int drm_timeline_doze(struct drm_device *device, int64_t deadline)
{
	struct timespec until = { deadline / 1000000000, deadline % 1000000000 };

	if (deadline >= 0 && drm_timeline_now() >= deadline)
		return -ETIME;
	device->waiters++;
	drm_device_wait(device, &device->progress, deadline < 0 ? NULL : &until);
	device->waiters--;
	return 0;
}

void drm_timeline_await(struct drm_device *device, uint64_t *seen, int64_t deadline)
{
	pthread_mutex_lock(&device->lock);
	while (*seen == device->progresses && !device->closing)
		if (drm_timeline_doze(device, deadline))
			break;
	*seen = device->progresses;
	drm_device_unlock(device);
}

int drm_timeline_wait(struct drm_device *device, const struct drm_timeline *timeline,
	uint64_t number, int64_t deadline)
{
	int rc = 0;

	while (!drm_timeline_over(timeline, number) && rc == 0)
		rc = drm_timeline_doze(device, deadline);
	return rc;
}
