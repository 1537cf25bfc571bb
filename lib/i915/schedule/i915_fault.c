// SPDX-License-Identifier: MIT
#include "i915/schedule/i915_fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "i915/schedule/i915_context.h"
#include "util/util_log.h"

static void describe(struct gen_fault *fault, const char *where, const struct i915_binding *binding,
	uint64_t distance)
{
	gen_fault_add(fault, fault->kind,
		"  %s 0x%012" PRIx64 "..0x%012" PRIx64 " (%" PRIu64 " bytes, %s), %" PRIu64
		" bytes away",
		where, binding->first, binding->end, binding->bo->size,
		binding->bo->userptr ? "user pointer" : "buffer", distance);
}

/* Names the buffers around the address that was not bound, or the one that holds it. */
static void add_neighbours(struct gen_fault *fault, const struct i915_space *space)
{
	uint64_t address = fault->address & EU_ADDRESS_MASK;
	size_t i = i915_space_index(space, address);

	if (fault->kind != GEN_FAULT_PAGE)
		return;
	if (i < space->count && space->bindings[i].first <= address) {
		describe(fault, "in", &space->bindings[i], 0);
		return;
	}
	gen_fault_add(fault, fault->kind,
		"0x%012" PRIx64 " is in no buffer of %zu; nearest:", address, space->count);
	if (i > 0)
		describe(fault, "below", &space->bindings[i - 1],
			address - space->bindings[i - 1].end + 1);
	if (i < space->count)
		describe(fault, "above", &space->bindings[i], space->bindings[i].first - address);
}

/* Nobody may ever ask: of contexts that are gone, only a few reports are kept. */
static void forget_old(struct i915_device *device)
{
	enum { MOST_DETACHED = 16 };
	struct i915_report **oldest = NULL;
	unsigned detached = 0;

	for (struct i915_report **link = &device->reports; *link; link = &(*link)->next) {
		if ((*link)->ring)
			continue;
		if (!oldest)
			oldest = link;
		detached++;
	}
	if (detached >= MOST_DETACHED) {
		struct i915_report *report = *oldest;
		*oldest = report->next;
		atomic_fetch_sub(&device->n_reports, 1);
		free(report);
	}
}

void i915_fault_raise(struct i915_ring *ring, const struct gen_fault *reason)
{
	struct i915_device *device = ring->engine->device;
	struct i915_report **last = &device->reports;
	struct gen_fault fault = *reason;
	struct i915_report *report;
	size_t length;

	add_neighbours(&fault, ring->first->space);
	gen_fault_add(&fault, fault.kind, "context %" PRIu32 ", batch %" PRIu64 " at 0x%012" PRIx64,
		ring->context->id, ring->first->number, ring->first->address);
	if (atomic_load(&ring->stop))
		gen_fault_add(&fault, fault.kind, "the process exits");
	length = strnlen(fault.report, sizeof fault.report - 1);
	util_log(UTIL_LOG_ERROR, "i915", "the device stopped:\n%.*s", (int)length, fault.report);

	report = malloc(sizeof *report + length + 1);
	if (report) {
		report->next = NULL;
		report->ring = ring;
		memcpy(report->text, fault.report, length);
		report->text[length] = '\0';
		forget_old(device);
		while (*last)
			last = &(*last)->next;
		*last = report;
		atomic_fetch_add(&device->n_reports, 1);
	}
	ring->faults++;
	ring->timeline->stopped = true;
	device->reset_count++;
}

void i915_fault_detach(struct i915_ring *ring)
{
	for (struct i915_report *report = ring->engine->device->reports; report;
		report = report->next) {
		if (report->ring == ring)
			report->ring = NULL;
	}
}

size_t i915_fault_take(struct i915_device *device, char *text, size_t size)
{
	struct i915_report *report;
	size_t length = 0;

	if (text && size)
		text[0] = '\0';
	if (!atomic_load(&device->n_reports)) /* asked before each submission */
		return 0;
	pthread_mutex_lock(&device->lock);
	report = device->reports;
	if (report) {
		length = strlen(report->text);
		device->reports = report->next;
		atomic_fetch_sub(&device->n_reports, 1);
		if (report->ring)
			i915_ring_resume(report->ring);
	}
	pthread_mutex_unlock(&device->lock);
	if (report && text && size)
		snprintf(text, size, "%s", report->text);
	free(report);
	return length;
}
