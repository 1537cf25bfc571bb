// SPDX-License-Identifier: MIT
#include "drm/memory/drm_device.h"

enum { SECOND = 1000000000 };

uint64_t drm_device_timestamp(void *self)
{
	const struct drm_device *device = self;
	uint64_t hz = device->gen->family->timestamp_hz;
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC_RAW, &time);
	return (uint64_t)time.tv_sec * hz + (uint64_t)time.tv_nsec * hz / SECOND;
}

void drm_device_announce(struct drm_device *device)
{
	if (device->waiters)
		pthread_cond_broadcast(&device->progress);
}

struct timespec drm_time_after(clockid_t clock, int64_t nanoseconds)
{
	struct timespec time;

	clock_gettime(clock, &time);
	time.tv_sec += nanoseconds / SECOND;
	time.tv_nsec += nanoseconds % SECOND;
	if (time.tv_nsec >= SECOND) {
		time.tv_nsec -= SECOND;
		time.tv_sec++;
	}
	return time;
}
