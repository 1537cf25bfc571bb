// SPDX-License-Identifier: MIT
#include "i915/schedule/i915_engine.h"

#include <signal.h>
#include <time.h>

#include "util/util_bits.h"

/* The next ring in turn that can go on; *runnable is how many can. */
static struct i915_ring *pick(struct i915_engine *engine, unsigned *runnable)
{
	struct i915_ring *next = NULL;

	*runnable = 0;
	for (struct i915_ring *ring = engine->rings; ring; ring = ring->next) {
		if (!i915_ring_runnable(ring))
			continue;
		if (!next)
			next = ring;
		++*runnable;
	}
	return next;
}

static void to_end(struct i915_ring *ring)
{
	struct i915_ring **last = &ring->engine->rings;

	i915_engine_unlink(ring);
	while (*last)
		last = &(*last)->next;
	*last = ring;
	ring->next = NULL;
	ring->linked = true;
}

/* A semaphore is a value in memory that anybody may write: look again soon, then less often. */
static void pause_for(struct i915_engine *engine, long *nanoseconds)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += *nanoseconds;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	pthread_cond_timedwait(&engine->work, &engine->device->lock, &until);
	if (*nanoseconds < 1000000)
		*nanoseconds *= 2;
}

static void *engine_main(void *self)
{
	enum { FIRST_PAUSE = 20000 };
	struct i915_engine *engine = self;
	struct i915_device *device = engine->device;
	long pause = FIRST_PAUSE;
	unsigned blocked = 0; /* turns in a row that ended at a semaphore */
	unsigned runnable;

	pthread_mutex_lock(&device->lock);
	while (!engine->ended) {
		struct i915_ring *ring = pick(engine, &runnable);
		if (!ring) {
			pthread_cond_wait(&engine->work, &device->lock);
			blocked = 0;
		} else if (blocked >= runnable) {
			pause_for(engine, &pause);
			blocked = 0;
		} else {
			to_end(ring);
			if (i915_ring_run(ring)) {
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

int i915_engine_thread(void *(*start)(void *), void *self, const char *name, pthread_t *out)
{
	static const int own[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS };
	pthread_t thread;
	sigset_t all;
	sigset_t before;
	int rc;

	/* The application's signals are not ours to take, except those that a thread causes itself.
	 */
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

int i915_engine_start(struct i915_engine *engine)
{
	int rc;

	if (engine->started)
		return 0;
	rc = i915_engine_thread(engine_main, engine, "zerocl-i915", &engine->thread);
	if (rc == 0)
		engine->started = true;
	return rc;
}

void i915_engine_finish(struct i915_engine *engine)
{
	struct i915_device *device = engine->device;

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

void i915_engine_link(struct i915_ring *ring)
{
	struct i915_ring **last = &ring->engine->rings;

	if (!ring->linked) {
		while (*last)
			last = &(*last)->next;
		*last = ring;
		ring->next = NULL;
		ring->linked = true;
	}
	pthread_cond_signal(&ring->engine->work);
}

void i915_engine_unlink(struct i915_ring *ring)
{
	struct i915_ring **link = &ring->engine->rings;

	if (!ring->linked)
		return;
	while (*link != ring)
		link = &(*link)->next;
	*link = ring->next;
	ring->linked = false;
}
