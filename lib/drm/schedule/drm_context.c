// SPDX-License-Identifier: MIT
#include "drm/schedule/drm_context.h"

#include <errno.h>
#include <stdlib.h>

#include "drm/schedule/drm_engine.h"

struct drm_context *drm_context_create(struct drm_file *file)
{
	struct drm_context *context = calloc(1, sizeof(*context));

	if (!context)
		return NULL;
	*context = (struct drm_context){
		.file = file,
		.vm = drm_vm_create(file->device),
		.persistent = true,
		.recoverable = true,
		.bannable = true,
	};
	if (!context->vm) {
		free(context);
		return NULL;
	}
	return context;
}

int drm_context_ring(
	struct drm_context *context, unsigned index, enum gen_engine engine, struct drm_ring **out)
{
	struct drm_ring **ring = &context->rings[index];
	int rc = 0;

	if (!*ring) {
		rc = drm_engine_start(&context->file->device->engines[engine]);
		if (rc == 0)
			rc = drm_ring_create(context->file, engine, context->id, ring);
		context->used |= rc == 0;
	}
	*out = *ring;
	return rc;
}

uint32_t drm_context_faults(const struct drm_context *context)
{
	uint32_t faults = 0;

	for (unsigned i = 0; i < DRM_CONTEXT_ENGINES; i++) {
		if (context->rings[i])
			faults += context->rings[i]->timeline->faults;
	}
	return faults;
}

static bool any_killed_runs(const struct drm_file *file)
{
	for (const struct drm_ring *ring = file->rings; ring; ring = ring->next_of_file) {
		if (ring->killed && ring->running)
			return true;
	}
	return false;
}

static void wait_for_killed(struct drm_file *file)
{
	struct drm_device *device = file->device;

	device->waiters++;
	while (any_killed_runs(file))
		drm_device_wait(device, &device->progress, NULL);
	device->waiters--;
}

void drm_context_destroy(struct drm_context *context)
{
	if (!context)
		return;
	if (!context->persistent || drm_context_faults(context)) {
		for (unsigned i = 0; i < DRM_CONTEXT_ENGINES; i++) {
			if (context->rings[i])
				drm_ring_kill(context->rings[i]);
		}
		wait_for_killed(context->file);
	}
	for (unsigned i = 0; i < DRM_CONTEXT_ENGINES; i++)
		drm_ring_put(context->rings[i]);
	drm_vm_put(context->vm);
	free(context);
}

void drm_context_close_file(struct drm_file *file)
{
	struct drm_ring *next;

	for (uint32_t id = 1; id <= file->contexts.count; id++)
		drm_context_destroy(drm_ids_remove(&file->contexts, id));
	drm_context_destroy(file->context);
	file->context = NULL;
	for (struct drm_ring *ring = file->rings; ring; ring = next) {
		next = ring->next_of_file;
		drm_ring_kill(ring);
	}
	wait_for_killed(file);
}
