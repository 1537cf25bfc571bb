// SPDX-License-Identifier: MIT
#include "drm/schedule/drm_fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/util_log.h"

static void add_buffer(struct gen_fault *fault, const char *where,
	const struct drm_binding *binding, uint64_t distance)
{
	gen_fault_add(fault, fault->kind,
		"  %s 0x%012" PRIx64 "..0x%012" PRIx64 " (%" PRIu64 " bytes, %s), %" PRIu64
		" bytes away",
		where, binding->first, binding->end, binding->bo->size,
		binding->bo->userptr ? "user pointer" : "buffer", distance);
}

/* Names the buffers around the address that was not bound, or the one that holds it. */
static void add_neighbours(struct gen_fault *fault, const struct drm_vm_snapshot *space)
{
	uint64_t address = fault->address & EU_ADDRESS_MASK;
	size_t i = drm_vm_snapshot_index(space, address);

	if (fault->kind != GEN_FAULT_PAGE)
		return;
	if (i < space->count && space->bindings[i].first <= address) {
		add_buffer(fault, "in", &space->bindings[i], 0);
		return;
	}
	gen_fault_add(fault, fault->kind,
		"0x%012" PRIx64 " is in no buffer of %zu; nearest:", address, space->count);
	if (i > 0)
		add_buffer(fault, "below", &space->bindings[i - 1],
			address - space->bindings[i - 1].end + 1);
	if (i < space->count)
		add_buffer(fault, "above", &space->bindings[i], space->bindings[i].first - address);
}

/* Unlinks and returns *link, with the list's reference. */
static struct drm_timeline *unlink_report(struct drm_device *device, struct drm_timeline **link)
{
	struct drm_timeline *timeline = *link;

	*link = timeline->next_report;
	atomic_fetch_sub(&device->n_reports, 1);
	return timeline;
}

/* Nobody may ever ask for the reports of contexts that are gone: only a few are kept. */
static void drop_old_reports(struct drm_device *device)
{
	enum { MOST_DETACHED = 16 };
	struct drm_timeline **oldest = NULL;
	unsigned detached = 0;

	for (struct drm_timeline **link = &device->reports; *link; link = &(*link)->next_report) {
		if (!(*link)->detached)
			continue;
		if (!oldest)
			oldest = link;
		detached++;
	}
	if (detached >= MOST_DETACHED)
		drm_timeline_put(unlink_report(device, oldest));
}

void drm_fault_raise(struct drm_device *device, struct drm_timeline *timeline,
	const struct drm_vm_snapshot *space, const struct gen_fault *reason, const char *batch)
{
	struct drm_timeline **last = &device->reports;
	struct gen_fault fault = *reason;

	add_neighbours(&fault, space);
	gen_fault_add(&fault, fault.kind, "%s", batch);
	gen_fault_text(&fault, timeline->report, sizeof(timeline->report));
	util_log(UTIL_LOG_ERROR, "i915", "the device stopped:\n%s", timeline->report);

	drop_old_reports(device);
	while (*last)
		last = &(*last)->next_report;
	*last = drm_timeline_get(timeline);
	timeline->next_report = NULL;
	atomic_fetch_add(&device->n_reports, 1);
	timeline->faults++;
	timeline->stopped = true;
	device->reset_count++;
}

static void resume(struct drm_device *device, struct drm_timeline *timeline)
{
	timeline->faults = 0;
	timeline->stopped = false;
	timeline->drain_upto = timeline->submitted;
	for (unsigned i = 0; i < GEN_ENGINES; i++)
		drm_device_call(&device->engines[i]);
}

size_t drm_fault_take(struct drm_device *device, char *text, size_t size)
{
	size_t length = 0;

	if (text && size)
		text[0] = '\0';
	if (!atomic_load(&device->n_reports)) /* asked before each submission */
		return 0;
	pthread_mutex_lock(&device->lock);
	if (device->reports) {
		struct drm_timeline *timeline = unlink_report(device, &device->reports);
		length = strlen(timeline->report);
		if (text && size)
			snprintf(text, size, "%s", timeline->report);
		resume(device, timeline);
		drm_timeline_put(timeline);
	}
	drm_device_unlock(device);
	return length;
}
