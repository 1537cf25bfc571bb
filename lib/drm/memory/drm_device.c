// SPDX-License-Identifier: MIT
#include "drm/memory/drm_device.h"

#define PROGRESS (1u << 31) /* in wakes; the other bits are engines' */

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
	device->progresses++;
	if (device->waiters)
		device->wakes |= PROGRESS;
}

void drm_device_call(struct drm_engine *engine)
{
	engine->device->wakes |= 1u << (engine - engine->device->engines);
}

static void wake(struct drm_device *device, unsigned wakes)
{
	if (wakes & PROGRESS)
		pthread_cond_broadcast(&device->progress);
	for (wakes &= ~PROGRESS; wakes; wakes &= wakes - 1)
		pthread_cond_signal(&device->engines[__builtin_ctz(wakes)].work);
}

static unsigned take_wakes(struct drm_device *device)
{
	unsigned wakes = device->wakes;

	device->wakes = 0;
	return wakes;
}

void drm_device_unlock(struct drm_device *device)
{
	unsigned wakes = take_wakes(device);

	pthread_mutex_unlock(&device->lock);
	wake(device, wakes);
}

int drm_device_wait(
	struct drm_device *device, pthread_cond_t *condition, const struct timespec *until)
{
	wake(device, take_wakes(device));
	return until ? pthread_cond_timedwait(condition, &device->lock, until)
		     : pthread_cond_wait(condition, &device->lock);
}
