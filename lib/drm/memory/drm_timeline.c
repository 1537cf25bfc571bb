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
	/* A number that was never submitted belongs to a submission that failed. */
	return timeline->completed >= number || timeline->stopped || number > timeline->submitted;
}

int64_t drm_timeline_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int drm_timeline_wait(struct drm_device *device, const struct drm_timeline *timeline,
	uint64_t number, int64_t deadline)
{
	int rc = 0;

	device->waiters++;
	while (!drm_timeline_over(timeline, number) && rc == 0) {
		struct timespec until = { deadline / 1000000000, deadline % 1000000000 };
		if (deadline < 0)
			pthread_cond_wait(&device->progress, &device->lock);
		else if (drm_timeline_now() >= deadline)
			rc = -ETIME;
		else
			pthread_cond_timedwait(&device->progress, &device->lock, &until);
	}
	device->waiters--;
	return rc;
}
