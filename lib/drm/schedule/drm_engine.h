// SPDX-License-Identifier: MIT
#ifndef DRM_ENGINE_H
#define DRM_ENGINE_H

#include "drm/schedule/drm_ring.h"

/* The thread of an engine. All under the device's lock. */

/*
 * Makes a thread that takes none of the application's signals. It is detached when `out` is NULL.
 * Returns 0 or a negative errno.
 */
int drm_engine_thread(void *(*start)(void *), void *self, const char *name, pthread_t *out);

/* Starts the thread when it does not run yet. Returns 0 or a negative errno. */
int drm_engine_start(struct drm_engine *engine);
/* Ends the thread; its rings must have been killed. Releases the lock while it waits. */
void drm_engine_finish(struct drm_engine *engine);

#endif
