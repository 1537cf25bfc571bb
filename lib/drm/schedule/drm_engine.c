// SPDX-License-Identifier: MIT
#include "drm/schedule/drm_engine.h"

#include <signal.h>
#include <time.h>

#include "util/util_bits.h"

/* The next ring in turn that can go on; *runnable is how many can. */
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

/* A semaphore is a value in memory that anybody may write: look again soon, then less often. */
static void pause_for(struct drm_engine *engine, long *nanoseconds)
{
	struct timespec until = drm_time_after(CLOCK_MONOTONIC, *nanoseconds);

	pthread_cond_timedwait(&engine->work, &engine->device->lock, &until);
	if (*nanoseconds < 1000000)
		*nanoseconds *= 2;
}

static void *engine_main(void *self)
{
	enum { FIRST_PAUSE = 20000 };
	struct drm_engine *engine = self;
	struct drm_device *device = engine->device;
	long pause = FIRST_PAUSE;
	unsigned blocked = 0; /* turns in a row that ended at a semaphore */
	unsigned runnable;

	pthread_mutex_lock(&device->lock);
	while (!engine->ended) {
		struct drm_ring *ring = next_ring(engine, &runnable);
		if (!ring) {
			pthread_cond_wait(&engine->work, &device->lock);
			blocked = 0;
		} else if (blocked >= runnable) {
			pause_for(engine, &pause);
			blocked = 0;
		} else {
			drm_ring_to_end(ring);
			if (drm_ring_run(ring)) {
				blocked++;
			} else {
				blocked = 0;
				pause = FIRST_PAUSE;
			}
		}
	}
	pthread_mutex_unlock(&device->lock);
	return NULL;
}

int drm_engine_thread(void *(*start)(void *), void *self, const char *name, pthread_t *out)
{
	static const int own[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS };
	pthread_t thread;
	sigset_t all;
	sigset_t before;
	int rc;

	/* Only the signals that a thread causes itself. */
	sigfillset(&all);
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(own); i++)
		sigdelset(&all, own[i]);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = pthread_create(&thread, NULL, start, self);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc)
		return -rc;
	pthread_setname_np(thread, name);
	if (out)
		*out = thread;
	else
		pthread_detach(thread);
	return 0;
}

int drm_engine_start(struct drm_engine *engine)
{
	int rc;

	if (engine->started)
		return 0;
	rc = drm_engine_thread(engine_main, engine, "zerocl-i915", &engine->thread);
	if (rc == 0)
		engine->started = true;
	return rc;
}

void drm_engine_finish(struct drm_engine *engine)
{
	struct drm_device *device = engine->device;

	if (!engine->started)
		return;
	engine->ended = true;
	pthread_cond_signal(&engine->work);
	pthread_mutex_unlock(&device->lock);
	pthread_join(engine->thread, NULL);
	pthread_mutex_lock(&device->lock);
	engine->started = false;
	engine->ended = false;
}
