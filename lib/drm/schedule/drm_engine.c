// SPDX-License-Identifier: MIT
#include "drm/schedule/drm_engine.h"

#include <errno.h>

#include "eu/watch/eu_watch.h"
#include "util/util_thread.h"

enum {
	FIRST_PAUSE = 20000,   /* nanoseconds until a semaphore is read again, at first */
	LAST_PAUSE = 1000000,  /* at last */
	TIME_SLICE = 20000000, /* nanoseconds that a turn has the engine for itself */
};

/* The same where races are looked for: between walkers one after the other, above all. */
static const int64_t WATCHED_SLICE = INT64_C(5000000000);

/* The next ring in turn that can run; *runnable is how many can. */
static struct drm_ring *next_ring(struct drm_engine *engine, unsigned *runnable)
{
	struct drm_ring *next = NULL;

	*runnable = 0;
	for (struct drm_ring *ring = engine->rings; ring; ring = ring->next) {
		if (!drm_ring_runnable(ring))
			continue;
		if (!next)
			next = ring;
		++*runnable;
	}
	return next;
}

static void wait_for_work(struct drm_engine *engine, int64_t nanoseconds)
{
	struct timespec until = util_time_after(CLOCK_MONOTONIC, nanoseconds);

	drm_device_wait(engine->device, &engine->work, &until);
}

/* Nanoseconds for which the turns in progress still have the engine for themselves. */
static int64_t slice_left(const struct drm_engine *engine)
{
	int64_t last = INT64_MIN;

	for (unsigned i = 0; i < engine->lane_count; i++) {
		if (engine->lanes[i].busy && engine->lanes[i].began > last)
			last = engine->lanes[i].began;
	}
	if (last == INT64_MIN)
		return 0;
	return last + (eu_watch_wanted() & EU_WATCH_RACES ? WATCHED_SLICE : TIME_SLICE) -
	       drm_timeline_now();
}

/* The EUs of the first lane that is not busy, so that one context after the other uses the same. */
static struct drm_lane *take_lane(struct drm_engine *engine)
{
	struct drm_device *device = engine->device;
	struct drm_lane *lane = engine->lanes;

	while (lane->busy)
		lane++;
	lane->busy = true;
	lane->began = drm_timeline_now();
	if (!lane->eu && !device->null_execution &&
		(engine->class == DRM_CLASS_RENDER || engine->class == DRM_CLASS_COMPUTE))
		lane->eu = eu_engine_create(device->gen, 0);
	return lane;
}

/* Returns whether the turn ended at a semaphore. */
static bool run_turn(struct drm_engine *engine, struct drm_ring *ring)
{
	struct drm_lane *lane = take_lane(engine);
	bool blocked;

	drm_ring_to_end(ring);
	blocked = drm_ring_run(ring, lane->eu);
	lane->busy = false;
	return blocked;
}

static void *engine_main(void *self)
{
	struct drm_engine *engine = self;
	struct drm_device *device = engine->device;
	int64_t pause = FIRST_PAUSE;
	int64_t left;
	unsigned blocked = 0; /* turns in a row that ended at a semaphore */
	unsigned runnable;

	pthread_mutex_lock(&device->lock);
	while (!engine->ended) {
		if (device->wakes) {
			drm_device_unlock(device);
			pthread_mutex_lock(&device->lock);
			continue;
		}
		struct drm_ring *ring = next_ring(engine, &runnable);
		if (!ring) {
			drm_device_wait(device, &engine->work, NULL);
			blocked = 0;
		} else if ((left = slice_left(engine)) > 0) {
			wait_for_work(engine, left);
		} else if (blocked >= runnable) {
			wait_for_work(engine, pause);
			pause = pause < LAST_PAUSE ? pause * 2 : pause;
			blocked = 0;
		} else if (run_turn(engine, ring)) {
			blocked++;
		} else {
			blocked = 0;
			pause = FIRST_PAUSE;
		}
	}
	drm_device_unlock(device);
	return NULL;
}

static int add_lane(struct drm_engine *engine)
{
	struct drm_lane *lane = &engine->lanes[engine->lane_count];
	int rc = util_thread_start(engine_main, engine, "zerocl-engine", &lane->thread);

	if (rc == 0)
		engine->lane_count++;
	return rc;
}

int drm_engine_start(struct drm_engine *engine)
{
	return engine->lane_count ? 0 : add_lane(engine);
}

void drm_engine_submit(struct drm_ring *ring, struct drm_batch *batch)
{
	struct drm_engine *engine = ring->engine;
	unsigned rings = 0;

	drm_ring_submit(ring, batch);
	for (const struct drm_ring *other = engine->rings; other; other = other->next)
		rings++;
	/* Without another thread, turns last longer, which only matters to contexts that wait for
	 * each other. */
	if (rings > engine->lane_count && engine->lane_count < DRM_LANES)
		add_lane(engine);
}

void drm_engine_finish(struct drm_engine *engine)
{
	struct drm_device *device = engine->device;

	engine->ended = true;
	pthread_cond_broadcast(&engine->work);
	drm_device_unlock(device);
	for (unsigned i = 0; i < engine->lane_count; i++) {
		pthread_join(engine->lanes[i].thread, NULL);
		eu_engine_destroy(engine->lanes[i].eu);
	}
	pthread_mutex_lock(&device->lock);
	engine->lane_count = 0;
}
