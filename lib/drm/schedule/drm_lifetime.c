// SPDX-License-Identifier: MIT
#include "drm/schedule/drm_lifetime.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "drm/schedule/drm_context.h"
#include "drm/schedule/drm_engine.h"
#include "drm/schedule/drm_fault.h"
#include "drm/sync/drm_sync_fd.h"
#include "gen/gen_iga.h"
#include "util/util_thread.h"

enum { MILLISECOND = 1000000 };

static const struct {
	uint16_t class, instance;
} engine_rows[GEN_ENGINES] = {
	[GEN_ENGINE_RCS0] = { DRM_CLASS_RENDER, 0 },
	[GEN_ENGINE_BCS0] = { DRM_CLASS_COPY, 0 },
	[GEN_ENGINE_VCS0] = { DRM_CLASS_VIDEO, 0 },
	[GEN_ENGINE_VCS2] = { DRM_CLASS_VIDEO, 2 },
	[GEN_ENGINE_VECS0] = { DRM_CLASS_VIDEO_ENHANCE, 0 },
	[GEN_ENGINE_CCS0] = { DRM_CLASS_COMPUTE, 0 },
};

struct drm_device *drm_device_create(
	const struct gen_device *gen, const struct drm_front *front, bool null_execution)
{
	struct drm_device *device = calloc(1, sizeof(*device));
	struct gen_fault missing = { .kind = GEN_FAULT_NONE }; /* that of the first kernel */
	pthread_condattr_t attributes;

	if (!device)
		return NULL;
	/* Not while the first kernel waits for it, nor while another thread may fork. */
	if (!null_execution)
		iga_open(&missing);
	device->gen = gen;
	device->front = front;
	device->null_execution = null_execution;
	device->progresses = 1;
	pthread_mutex_init(&device->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&device->progress, &attributes);
	for (unsigned i = 0; i < GEN_ENGINES; i++) {
		struct drm_engine *engine = &device->engines[i];
		engine->device = device;
		engine->class = engine_rows[i].class;
		engine->instance = engine_rows[i].instance;
		engine->exists = gen->family->engines >> i & 1;
		pthread_cond_init(&engine->work, &attributes);
	}
	pthread_condattr_destroy(&attributes);
	return device;
}

void drm_device_destroy(struct drm_device *device)
{
	if (!device)
		return;
	pthread_mutex_lock(&device->lock);
	for (unsigned i = 0; i < GEN_ENGINES; i++)
		drm_engine_finish(&device->engines[i]);
	drm_sync_fd_finish(device);
	drm_device_unlock(device);
	while (drm_fault_take(device, NULL, 0))
		continue;
	for (unsigned i = 0; i < GEN_ENGINES; i++)
		pthread_cond_destroy(&device->engines[i].work);
	pthread_cond_destroy(&device->progress);
	pthread_mutex_destroy(&device->lock);
	free(device);
}

/* Ends what runs with faults. Returns whether anything ran. */
static bool expire_rings(struct drm_device *device)
{
	bool running = false;

	for (unsigned i = 0; i < GEN_ENGINES; i++) {
		for (struct drm_ring *ring = device->engines[i].rings; ring; ring = ring->next) {
			if (ring->timeline->stopped)
				continue;
			running = true;
			drm_ring_expire(ring);
		}
	}
	return running;
}

/* A signal handler that ends the process may have interrupted the thread that holds the lock.
 * Returns whether the lock was taken. */
static bool lock_within(struct drm_device *device, unsigned milliseconds)
{
	struct timespec until =
		util_time_after(CLOCK_REALTIME, (int64_t)milliseconds * MILLISECOND);

	return pthread_mutex_timedlock(&device->lock, &until) == 0;
}

static void *expire_main(void *self)
{
	struct drm_device *device = self;

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &device->expire_at, NULL) == EINTR)
		continue;
	pthread_mutex_lock(&device->lock);
	for (unsigned i = 0; i < GEN_ENGINES; i++) {
		for (struct drm_ring *ring = device->engines[i].rings; ring; ring = ring->next) {
			if (ring->timeline->completed < ring->expire_upto)
				drm_ring_expire(ring);
		}
	}
	drm_device_unlock(device);
	return NULL;
}

void drm_device_leave(struct drm_device *device, unsigned milliseconds)
{
	bool busy = false;

	device->expire_at = util_time_after(CLOCK_MONOTONIC, (int64_t)milliseconds * MILLISECOND);
	if (!lock_within(device, milliseconds))
		return;
	for (unsigned i = 0; i < GEN_ENGINES; i++) {
		for (struct drm_ring *ring = device->engines[i].rings; ring; ring = ring->next) {
			ring->expire_upto = ring->timeline->submitted;
			busy = true;
		}
	}
	drm_device_unlock(device);
	if (busy)
		util_thread_start(expire_main, device, "zerocl-exit", NULL);
}

void drm_device_quiesce(struct drm_device *device, unsigned milliseconds)
{
	struct timespec until =
		util_time_after(CLOCK_MONOTONIC, (int64_t)milliseconds * MILLISECOND);
	int rc = 0;

	if (!lock_within(device, milliseconds))
		return;
	device->waiters++;
	while (rc == 0 && expire_rings(device))
		rc = drm_device_wait(device, &device->progress, &until);
	device->waiters--;
	device->closing = true;
	drm_device_announce(device);
	drm_device_unlock(device);
}

int drm_file_open(struct drm_device *device, struct drm_file **out)
{
	struct drm_file *file = calloc(1, sizeof(*file));

	if (!file)
		return -ENOMEM;
	file->device = device;
	pthread_mutex_lock(&device->lock);
	device->files++;
	drm_device_unlock(device);
	*out = file;
	return 0;
}

static void free_contents(struct drm_file *file)
{
	drm_context_close_file(file);
	for (uint32_t id = 1; id <= file->spaces.count; id++)
		drm_vm_put(drm_ids_remove(&file->spaces, id));
	for (uint32_t id = 1; id <= file->objects.count; id++) {
		struct drm_bo *bo = drm_ids_remove(&file->objects, id);
		if (bo)
			bo->handles--;
		drm_bo_put(bo);
	}
	for (uint32_t id = 1; id <= file->syncobjs.count; id++)
		drm_syncobj_put(drm_ids_remove(&file->syncobjs, id));
	drm_ids_finish(&file->syncobjs);
	drm_ids_finish(&file->contexts);
	drm_ids_finish(&file->spaces);
	drm_ids_finish(&file->objects);
}

void drm_file_close(struct drm_file *file)
{
	struct drm_device *device = file->device;

	pthread_mutex_lock(&device->lock);
	if (!file->dead) /* else everything is the parent's, whose threads are not here */
		free_contents(file);
	device->files--;
	drm_device_unlock(device);
	free(file);
}
