// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "i915/object/i915_bo.h"

struct i915_timeline *i915_timeline_get(struct i915_timeline *timeline)
{
	timeline->refs++;
	return timeline;
}

void i915_timeline_put(struct i915_timeline *timeline)
{
	if (timeline && --timeline->refs == 0)
		free(timeline);
}

static bool over(const struct i915_timeline *timeline, uint64_t number)
{
	/* A number that was never submitted belongs to an EXECBUFFER2 that failed. */
	return timeline->completed >= number || timeline->stopped || number > timeline->submitted;
}

bool i915_use_active(const struct i915_use *use, bool write)
{
	return !over(use->timeline, write ? use->written : use->read);
}

bool i915_bo_active(const struct i915_bo *bo)
{
	for (unsigned i = 0; i < bo->use_count; i++) {
		if (i915_use_active(&bo->uses[i], false))
			return true;
	}
	return false;
}

/* Forgets what is over for good, so that the list stays as short as the rings that are busy. */
static void prune(struct i915_bo *bo)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < bo->use_count; i++) {
		struct i915_use *use = &bo->uses[i];
		if (use->timeline->completed >= use->read)
			i915_timeline_put(use->timeline);
		else
			bo->uses[kept++] = *use;
	}
	bo->use_count = kept;
}

int i915_bo_use(struct i915_bo *bo, struct i915_timeline *timeline, uint64_t number, bool write)
{
	struct i915_use *use = NULL;

	for (unsigned i = 0; i < bo->use_count && !use; i++) {
		if (bo->uses[i].timeline == timeline)
			use = &bo->uses[i];
	}
	if (!use) {
		if (bo->use_count == bo->use_capacity)
			prune(bo);
		if (bo->use_count == bo->use_capacity) {
			unsigned capacity = bo->use_capacity ? bo->use_capacity * 2 : 2;
			struct i915_use *uses = realloc(bo->uses, capacity * sizeof *uses);
			if (!uses)
				return -ENOMEM;
			bo->uses = uses;
			bo->use_capacity = capacity;
		}
		use = &bo->uses[bo->use_count++];
		*use = (struct i915_use){ .timeline = i915_timeline_get(timeline) };
	}
	use->read = number;
	if (write)
		use->written = number;
	return 0;
}

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Waits for one batch; `deadline` in nanoseconds of CLOCK_MONOTONIC, negative for none. */
static int wait_over(struct i915_device *device, const struct i915_timeline *timeline,
	uint64_t number, int64_t deadline)
{
	int rc = 0;

	device->waiters++;
	while (!over(timeline, number) && rc == 0) {
		struct timespec until = { deadline / 1000000000, deadline % 1000000000 };
		if (deadline < 0)
			pthread_cond_wait(&device->progress, &device->lock);
		else if (now() >= deadline)
			rc = -ETIME;
		else
			pthread_cond_timedwait(&device->progress, &device->lock, &until);
	}
	device->waiters--;
	return rc;
}

int i915_bo_wait(struct i915_bo *bo, int64_t nanoseconds, int64_t *left)
{
	int64_t start = now();
	int64_t deadline = -1;
	struct i915_use *uses = NULL;
	unsigned count = 0;
	int rc = 0;

	if (nanoseconds >= 0)
		deadline = nanoseconds > INT64_MAX - start ? INT64_MAX : start + nanoseconds;
	if (i915_bo_active(bo)) {
		/* What uses it now, not what may come: a copy, because the lock will be dropped. */
		uses = malloc(bo->use_count * sizeof *uses);
		if (!uses)
			return -ENOMEM;
		for (; count < bo->use_count; count++) {
			uses[count] = bo->uses[count];
			i915_timeline_get(uses[count].timeline);
		}
	}
	for (unsigned i = 0; i < count; i++) {
		if (rc == 0)
			rc = wait_over(bo->device, uses[i].timeline, uses[i].read, deadline);
	}
	for (unsigned i = 0; i < count; i++)
		i915_timeline_put(uses[i].timeline);
	free(uses);
	*left = nanoseconds < 0 ? nanoseconds : deadline - now() > 0 ? deadline - now() : 0;
	return rc;
}
