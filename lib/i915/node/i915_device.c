// SPDX-License-Identifier: MIT
#include "i915/node/i915_device.h"

#include <errno.h>
#include <libdrm/i915_drm.h>
#include <stdlib.h>
#include <time.h>

#include "i915/schedule/i915_context.h"
#include "i915/schedule/i915_engine.h"
#include "i915/schedule/i915_fault.h"

/* As DRM_I915_QUERY_ENGINE_INFO of Tiger Lake lists them. */
static const struct {
	uint16_t class, instance;
} engine_rows[I915_ENGINES] = {
	[I915_RCS0] = { I915_ENGINE_CLASS_RENDER, 0 },
	[I915_BCS0] = { I915_ENGINE_CLASS_COPY, 0 },
	[I915_VCS0] = { I915_ENGINE_CLASS_VIDEO, 0 },
	[I915_VCS2] = { I915_ENGINE_CLASS_VIDEO, 2 },
	[I915_VECS0] = { I915_ENGINE_CLASS_VIDEO_ENHANCE, 0 },
};

struct i915_device *i915_device_create(const struct gen_device *gen, bool null_execution)
{
	struct i915_device *device = calloc(1, sizeof *device);
	pthread_condattr_t attributes;

	if (!device)
		return NULL;
	device->gen = gen;
	device->null_execution = null_execution;
	pthread_mutex_init(&device->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&device->progress, &attributes);
	for (unsigned i = 0; i < I915_ENGINES; i++) {
		struct i915_engine *engine = &device->engines[i];
		engine->device = device;
		engine->class = engine_rows[i].class;
		engine->instance = engine_rows[i].instance;
		pthread_cond_init(&engine->work, &attributes);
	}
	pthread_condattr_destroy(&attributes);
	return device;
}

void i915_device_destroy(struct i915_device *device)
{
	if (!device)
		return;
	pthread_mutex_lock(&device->lock);
	for (unsigned i = 0; i < I915_ENGINES; i++)
		i915_engine_finish(&device->engines[i]);
	pthread_mutex_unlock(&device->lock);
	while (i915_fault_take(device, NULL, 0))
		continue;
	eu_engine_destroy(device->eu);
	for (unsigned i = 0; i < I915_ENGINES; i++)
		pthread_cond_destroy(&device->engines[i].work);
	pthread_cond_destroy(&device->progress);
	pthread_mutex_destroy(&device->lock);
	free(device);
}

/* Ends what runs as a fault, so that a driver that waits for it hears of it. */
static bool expire_rings(struct i915_device *device)
{
	bool running = false;

	for (unsigned i = 0; i < I915_ENGINES; i++) {
		for (struct i915_ring *ring = device->engines[i].rings; ring; ring = ring->next) {
			if (ring->timeline->stopped)
				continue;
			running = true;
			i915_ring_expire(ring);
		}
	}
	return running;
}

static struct timespec in_future(clockid_t clock, unsigned milliseconds)
{
	struct timespec time;

	clock_gettime(clock, &time);
	time.tv_sec += milliseconds / 1000;
	time.tv_nsec += (long)(milliseconds % 1000) * 1000000;
	if (time.tv_nsec >= 1000000000) {
		time.tv_nsec -= 1000000000;
		time.tv_sec++;
	}
	return time;
}

/* Who exits may hold the lock already: a signal handler does. Gives whether it was taken. */
static bool lock_within(struct i915_device *device, unsigned milliseconds)
{
	struct timespec until = in_future(CLOCK_REALTIME, milliseconds);

	return pthread_mutex_timedlock(&device->lock, &until) == 0;
}

static void *leave_main(void *self)
{
	struct i915_device *device = self;

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &device->leave_at, NULL) == EINTR)
		continue;
	pthread_mutex_lock(&device->lock);
	for (unsigned i = 0; i < I915_ENGINES; i++) {
		for (struct i915_ring *ring = device->engines[i].rings; ring; ring = ring->next) {
			if (ring->timeline->completed < ring->leave)
				i915_ring_expire(ring);
		}
	}
	pthread_mutex_unlock(&device->lock);
	return NULL;
}

void i915_device_leave(struct i915_device *device, unsigned milliseconds)
{
	bool busy = false;

	device->leave_at = in_future(CLOCK_MONOTONIC, milliseconds);
	if (!lock_within(device, milliseconds))
		return;
	for (unsigned i = 0; i < I915_ENGINES; i++) {
		for (struct i915_ring *ring = device->engines[i].rings; ring; ring = ring->next) {
			ring->leave = ring->timeline->submitted;
			busy = true;
		}
	}
	pthread_mutex_unlock(&device->lock);
	if (busy)
		i915_engine_thread(leave_main, device, "zerocl-exit", NULL);
}

void i915_device_quiesce(struct i915_device *device, unsigned milliseconds)
{
	struct timespec until = in_future(CLOCK_MONOTONIC, milliseconds);
	int rc = 0;

	if (!lock_within(device, milliseconds))
		return;
	device->waiters++;
	while (rc == 0 && expire_rings(device))
		rc = pthread_cond_timedwait(&device->progress, &device->lock, &until);
	device->waiters--;
	pthread_mutex_unlock(&device->lock);
}

uint64_t i915_device_timestamp(void *self)
{
	const struct i915_device *device = self;
	uint64_t hz = device->gen->timestamp_hz;
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC_RAW, &time);
	return (uint64_t)time.tv_sec * hz + (uint64_t)time.tv_nsec * hz / 1000000000;
}

int i915_file_open(struct i915_device *device, struct i915_file **out)
{
	struct i915_file *file = calloc(1, sizeof *file);

	if (!file)
		return -ENOMEM;
	file->device = device;
	atomic_init(&file->refs, 1);
	pthread_mutex_lock(&device->lock);
	device->files++;
	pthread_mutex_unlock(&device->lock);
	*out = file;
	return 0;
}

void i915_file_get(struct i915_file *file)
{
	atomic_fetch_add_explicit(&file->refs, 1, memory_order_relaxed);
}

static void file_free(struct i915_file *file)
{
	i915_context_close_file(file);
	for (uint32_t id = 1; id <= file->spaces.count; id++)
		i915_vm_put(i915_ids_remove(&file->spaces, id));
	for (uint32_t id = 1; id <= file->objects.count; id++) {
		struct i915_bo *bo = i915_ids_remove(&file->objects, id);
		if (bo)
			bo->handles--;
		i915_bo_put(bo);
	}
	i915_ids_finish(&file->contexts);
	i915_ids_finish(&file->spaces);
	i915_ids_finish(&file->objects);
	free(file);
}

void i915_file_put(struct i915_file *file)
{
	struct i915_device *device = file->device;

	if (atomic_fetch_sub_explicit(&file->refs, 1, memory_order_acq_rel) != 1)
		return;
	pthread_mutex_lock(&device->lock);
	if (!file->dead) /* else everything is the parent's, and its threads are not here */
		file_free(file);
	device->files--;
	pthread_mutex_unlock(&device->lock);
}
