// SPDX-License-Identifier: MIT
#include "i915/schedule/i915_ring.h"

#include <errno.h>
#include <stdlib.h>

#include "i915/schedule/i915_context.h"
#include "i915/schedule/i915_engine.h"
#include "i915/schedule/i915_fault.h"

/* Called by EU threads. The space cannot change while the batch that they belong to executes. */
static bool find(void *self, uint64_t address, struct eu_range *range)
{
	const struct i915_ring *ring = self;

	return i915_space_find(ring->executing, address, range);
}

static int create_stream(struct i915_device *device, struct i915_ring *ring)
{
	struct cs_config config;

	if (!device->eu && !device->null_execution)
		device->eu = eu_engine_create(device->gen, 0);
	if (!device->eu && !device->null_execution)
		return -ENOMEM;
	config = (struct cs_config){
		.device = device->gen,
		.bus = &ring->bus,
		.engine = device->eu,
		.timestamp = i915_device_timestamp,
		.timestamp_self = device,
		.stop = &ring->stop,
		.null_execution = device->null_execution,
	};
	ring->stream = cs_stream_create(&config);
	return ring->stream ? 0 : -ENOMEM;
}

int i915_ring_create(struct i915_device *device, enum i915_engine_id engine, struct i915_ring **out)
{
	struct i915_ring *ring = calloc(1, sizeof *ring);
	int rc = -ENOMEM;

	if (!ring)
		return rc;
	ring->engine = &device->engines[engine];
	ring->bus = (struct eu_bus){ .self = ring, .find = find };
	ring->timeline = calloc(1, sizeof *ring->timeline);
	if (ring->timeline) {
		ring->timeline->refs = 1;
		ring->timeline->engine_class = ring->engine->class;
		rc = create_stream(device, ring);
	}
	if (rc == 0)
		rc = i915_engine_start(ring->engine);
	if (rc) {
		i915_ring_destroy(ring);
		return rc;
	}
	*out = ring;
	return 0;
}

void i915_ring_destroy(struct i915_ring *ring)
{
	if (!ring)
		return;
	i915_fault_detach(ring);
	cs_stream_destroy(ring->stream);
	i915_timeline_put(ring->timeline);
	free(ring);
}

void i915_batch_free(struct i915_batch *batch)
{
	if (!batch)
		return;
	for (unsigned i = 0; i < batch->dependency_count; i++)
		i915_timeline_put(batch->dependencies[i].timeline);
	free(batch->dependencies);
	i915_space_put(batch->space);
	free(batch);
}

void i915_ring_submit(
	struct i915_ring *ring, struct i915_context *context, struct i915_batch *batch)
{
	batch->number = ++ring->timeline->submitted;
	batch->next = NULL;
	if (ring->last)
		ring->last->next = batch;
	else
		ring->first = batch;
	ring->last = batch;
	if (!ring->context)
		ring->context = i915_context_get(context);
	i915_engine_link(ring);
}

/* Takes the first batch off. Returns the context whose reference the ring held when it was last. */
static struct i915_context *finish_first(struct i915_ring *ring)
{
	struct i915_batch *batch = ring->first;
	struct i915_context *context = NULL;

	ring->timeline->completed = batch->number;
	ring->first = batch->next;
	ring->started = false;
	ring->executing = NULL;
	if (!ring->first) {
		ring->last = NULL;
		i915_engine_unlink(ring);
		context = ring->context;
		ring->context = NULL;
	}
	i915_batch_free(batch);
	return context;
}

/* Tells those who wait that the ring's timeline went on, or that it has stopped. */
static void announce(struct i915_ring *ring)
{
	struct i915_device *device = ring->engine->device;

	if (device->waiters)
		pthread_cond_broadcast(&device->progress);
	for (unsigned i = 0; i < I915_ENGINES; i++) {
		struct i915_engine *engine = &device->engines[i];
		if (engine != ring->engine && engine->rings)
			pthread_cond_signal(&engine->work);
	}
}

static void finish_batch(struct i915_ring *ring)
{
	struct i915_context *context = finish_first(ring);

	announce(ring);
	i915_context_put(context);
}

static void drop_all(struct i915_ring *ring)
{
	struct i915_context *context = NULL;

	cs_stream_reset(ring->stream);
	while (ring->first)
		context = finish_first(ring);
	announce(ring);
	i915_context_put(context);
}

void i915_ring_kill(struct i915_ring *ring)
{
	ring->killed = true;
	atomic_store(&ring->stop, 1);
	if (!ring->running && ring->first)
		drop_all(ring);
}

void i915_ring_expire(struct i915_ring *ring)
{
	atomic_store(&ring->stop, 1);
	pthread_cond_signal(&ring->engine->work);
}

void i915_ring_resume(struct i915_ring *ring)
{
	ring->faults = 0;
	ring->timeline->stopped = false;
	ring->drain = ring->timeline->submitted;
	pthread_cond_signal(&ring->engine->work);
}

bool i915_ring_runnable(struct i915_ring *ring)
{
	struct i915_batch *batch = ring->first;

	if (!batch || ring->running || ring->timeline->stopped)
		return false;
	while (batch->dependency_count) {
		struct i915_dependency *last = &batch->dependencies[batch->dependency_count - 1];
		if (last->timeline->completed < last->number && !last->timeline->stopped)
			return false;
		i915_timeline_put(last->timeline);
		batch->dependency_count--;
	}
	return true;
}

/* Without the lock: the ring is marked as running, which keeps everybody else out. */
static enum cs_status execute(struct i915_ring *ring, bool start, bool drain)
{
	enum { BUDGET = 4096 };
	struct i915_batch *batch = ring->first;

	cs_stream_skip_walkers(ring->stream, drain);
	if (start) {
		ring->executing = batch->space;
		cs_stream_start(ring->stream, batch->address, batch->length);
	}
	return cs_stream_run(ring->stream, BUDGET);
}

bool i915_ring_run(struct i915_ring *ring)
{
	struct i915_device *device = ring->engine->device;
	bool start = !ring->started;
	bool drain = ring->first->number <= ring->drain;
	enum cs_status status;

	ring->running = true;
	ring->started = true;
	pthread_mutex_unlock(&device->lock);
	status = execute(ring, start, drain);
	pthread_mutex_lock(&device->lock);
	ring->running = false;
	if (ring->killed) {
		drop_all(ring);
	} else if (status == CS_DONE) {
		atomic_store(&ring->stop, 0); /* too late to expire */
		finish_batch(ring);
	} else if (status == CS_FAULT && drain) {
		cs_stream_reset(ring->stream);
		finish_batch(ring);
	} else if (status == CS_FAULT) {
		i915_fault_raise(ring, cs_stream_fault(ring->stream));
		cs_stream_reset(ring->stream);
		ring->started = false;
		atomic_store(&ring->stop, 0);
		announce(ring);
	}
	return status == CS_BLOCKED;
}
