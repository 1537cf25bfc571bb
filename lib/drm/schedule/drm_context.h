// SPDX-License-Identifier: MIT
#ifndef DRM_CONTEXT_H
#define DRM_CONTEXT_H

#include "drm/schedule/drm_ring.h"

enum { DRM_CONTEXT_ENGINES = 64, DRM_NO_ENGINE = 0xff };

/*
 * A hardware context: rings over one address space. Everything is under the device's lock. Its
 * rings outlive it while they hold batches.
 */
struct drm_context {
	struct drm_file *file;
	uint32_t id; /* 0 for the file's own */
	struct drm_vm *vm;
	bool persistent, recoverable, bannable, no_error_capture;
	int32_t priority;
	/* What an index of the engine map stands for: enum gen_engine or DRM_NO_ENGINE. */
	uint8_t engines[DRM_CONTEXT_ENGINES];
	unsigned engine_count;
	bool legacy_engines; /* no map was set: the front's own numbers */
	struct drm_ring *rings[DRM_CONTEXT_ENGINES];
	bool used; /* has a ring: its address space and engines are settled */
};

/* Makes a context without engines. Returns NULL when memory is short. */
struct drm_context *drm_context_create(struct drm_file *file);
/*
 * Frees the context, which must have no id any more. Its batches run on if it is persistent and no
 * fault has stopped it; else they are dropped, and the call returns when none executes, because the
 * caller may free their memory next. Releases the lock meanwhile. NULL does nothing.
 */
void drm_context_destroy(struct drm_context *context);

/* The ring at rings[index], made for `engine` on its first use. Returns 0 or a negative errno. */
int drm_context_ring(
	struct drm_context *context, unsigned index, enum gen_engine engine, struct drm_ring **out);

/* Batches of the context that faults have stopped and nobody has acknowledged. */
uint32_t drm_context_faults(const struct drm_context *context);

/* Destroys the file's contexts, and all batches of destroyed ones. Releases the lock meanwhile. */
void drm_context_close_file(struct drm_file *file);

#endif
