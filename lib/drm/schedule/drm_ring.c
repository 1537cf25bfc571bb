// SPDX-License-Identifier: MIT
#include "drm/schedule/drm_ring.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "drm/schedule/drm_fault.h"
#include "drm/schedule/drm_guard.h"
#include "drm/sync/drm_sync_fd.h"
#include "eu/watch/eu_command.h"

/* Called by EU threads. The space cannot change while the batch that they belong to executes. */
static bool find_binding(void *self, uint64_t address, struct eu_range *range)
{
	const struct drm_ring *ring = self;

	return drm_vm_snapshot_find(ring->executing, address, range);
}

static int create_stream(struct drm_device *device, struct drm_ring *ring)
{
	struct cs_config config;

	config = (struct cs_config){
		.device = device->gen,
		.bus = &ring->bus,
		.timestamp = drm_device_timestamp,
		.timestamp_self = device,
		.stop = &ring->stop,
		.null_execution = device->null_execution,
	};
	ring->stream = cs_stream_create(&config);
	return ring->stream ? 0 : -ENOMEM;
}

int drm_ring_create(
	struct drm_file *file, enum gen_engine engine, uint32_t context, struct drm_ring **out)
{
	struct drm_ring *ring = calloc(1, sizeof(*ring));

	if (!ring)
		return -ENOMEM;
	ring->refs = 1;
	ring->context = context;
	ring->engine = &file->device->engines[engine];
	ring->bus = (struct eu_bus){ .self = ring, .find = find_binding };
	ring->timeline = drm_timeline_create(ring->engine->class);
	if (!ring->timeline || create_stream(file->device, ring)) {
		drm_timeline_put(ring->timeline);
		free(ring);
		return -ENOMEM;
	}
	ring->file = file;
	ring->next_of_file = file->rings;
	file->rings = ring;
	*out = ring;
	return 0;
}

void drm_ring_put(struct drm_ring *ring)
{
	struct drm_ring **link;

	if (!ring || --ring->refs)
		return;
	link = &ring->file->rings;
	while (*link != ring)
		link = &(*link)->next_of_file;
	*link = ring->next_of_file;
	ring->timeline->detached = true;
	drm_timeline_put(ring->timeline);
	cs_stream_destroy(ring->stream);
	free(ring);
}

static void link_last(struct drm_ring *ring)
{
	struct drm_ring **last = &ring->engine->rings;

	while (*last)
		last = &(*last)->next;
	*last = ring;
	ring->next = NULL;
	ring->linked = true;
}

static void unlink_ring(struct drm_ring *ring)
{
	struct drm_ring **link = &ring->engine->rings;

	while (*link != ring)
		link = &(*link)->next;
	*link = ring->next;
	ring->linked = false;
}

void drm_ring_to_end(struct drm_ring *ring)
{
	unlink_ring(ring);
	link_last(ring);
}

void drm_batch_free(struct drm_batch *batch)
{
	if (!batch)
		return;
	drm_points_finish(&batch->dependencies);
	drm_vm_snapshot_put(batch->space);
	free(batch);
}

void drm_ring_submit(struct drm_ring *ring, struct drm_batch *batch)
{
	batch->number = ++ring->timeline->submitted;
	batch->next = NULL;
	if (ring->last)
		ring->last->next = batch;
	else
		ring->first = batch;
	ring->last = batch;
	if (!ring->linked) {
		ring->refs++;
		link_last(ring);
	}
	drm_device_call(ring->engine);
}

/* Takes the first batch off. Returns whether it was the last, for which the ring had a reference.
 */
static bool finish_first(struct drm_ring *ring)
{
	struct drm_batch *batch = ring->first;

	ring->timeline->completed = batch->number;
	ring->first = batch->next;
	ring->started = false;
	ring->executing = NULL;
	drm_batch_free(batch);
	if (ring->first)
		return false;
	ring->last = NULL;
	unlink_ring(ring);
	return true;
}

/* Wakes who waits for the ring's timeline to advance or to stop. */
static void announce(struct drm_ring *ring)
{
	struct drm_device *device = ring->engine->device;

	drm_sync_fd_announce(device);
	drm_device_announce(device);
	for (unsigned i = 0; i < GEN_ENGINES; i++) {
		struct drm_engine *engine = &device->engines[i];
		if (engine != ring->engine && engine->rings)
			drm_device_call(engine);
	}
}

static void finish_batch(struct drm_ring *ring)
{
	bool empty = finish_first(ring);

	announce(ring);
	if (empty)
		drm_ring_put(ring);
}

static void drop_batches(struct drm_ring *ring)
{
	cs_stream_reset(ring->stream);
	while (!finish_first(ring))
		continue;
	announce(ring);
	drm_ring_put(ring);
}

void drm_ring_kill(struct drm_ring *ring)
{
	ring->killed = true;
	atomic_store(&ring->stop, 1);
	if (!ring->running && ring->first)
		drop_batches(ring);
}

void drm_ring_expire(struct drm_ring *ring)
{
	atomic_store(&ring->stop, 1);
	pthread_cond_signal(&ring->engine->work);
}

bool drm_ring_runnable(struct drm_ring *ring)
{
	struct drm_batch *batch = ring->first;

	if (!batch || ring->running || ring->timeline->stopped)
		return false;
	return drm_points_over(&batch->dependencies);
}

/* Without the lock: the ring is marked as running, which keeps everybody else out. */
static enum cs_status execute(struct drm_ring *ring, bool start, bool drain)
{
	enum { BUDGET = 4096 };
	struct drm_batch *batch = ring->first;

	eu_command_enter(batch->command);
	cs_stream_skip_walkers(ring->stream, drain);
	if (start) {
		ring->executing = batch->space;
		cs_stream_start(ring->stream, batch->address, batch->length);
	}
	return cs_stream_run(ring->stream, BUDGET);
}

static void raise_fault(struct drm_ring *ring, const struct gen_fault *fault)
{
	char line[160];

	snprintf(line, sizeof(line), "context %" PRIu32 ", batch %" PRIu64 " at 0x%012" PRIx64 "%s",
		ring->context, ring->first->number, ring->first->address,
		fault->kind == GEN_FAULT_HANG && atomic_load(&ring->stop) ? "\nthe process exits"
									  : "");
	drm_fault_raise(ring->engine->device, ring->timeline, ring->first->space, fault, line);
	cs_stream_reset(ring->stream);
	ring->started = false;
	atomic_store(&ring->stop, 0);
	announce(ring);
}

bool drm_ring_run(struct drm_ring *ring, struct eu_engine *eu)
{
	struct drm_device *device = ring->engine->device;
	bool start = !ring->started;
	bool drain = device->closing || ring->first->number <= ring->timeline->drain_upto;
	struct drm_guard guard = { .space = ring->first->space, .stop = &ring->stop };
	struct gen_fault lost;
	enum cs_status status;

	ring->running = true;
	ring->started = true;
	drm_device_unlock(device);
	drm_guard_begin(&guard);
	cs_stream_set_engine(ring->stream, eu);
	status = execute(ring, start, drain);
	drm_guard_end(&guard);
	pthread_mutex_lock(&device->lock);
	ring->running = false;
	if (ring->killed) {
		drop_batches(ring);
	} else if (drain && (status == CS_FAULT || atomic_load(&guard.lost))) {
		cs_stream_reset(ring->stream);
		finish_batch(ring);
	} else if (drm_guard_fault(&guard, &lost)) {
		raise_fault(ring, &lost);
	} else if (status == CS_DONE) {
		atomic_store(&ring->stop, 0); /* too late to expire */
		finish_batch(ring);
	} else if (status == CS_FAULT) {
		raise_fault(ring, cs_stream_fault(ring->stream));
	}
	return status == CS_BLOCKED;
}
