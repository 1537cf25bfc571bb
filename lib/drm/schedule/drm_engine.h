// SPDX-License-Identifier: MIT
#ifndef DRM_ENGINE_H
#define DRM_ENGINE_H

#include "drm/schedule/drm_ring.h"

/*
 * The threads of an engine. One ring after the other has a turn. A turn that lasts for longer than
 * a time slice, because a kernel runs, is preempted in this sense: another ring's turn starts
 * beside it, on EUs of its own, and the host's scheduler divides the processors between them. So
 * contexts whose kernels wait for each other make progress. An engine has as many threads as ever
 * held batches at once. All under the device's lock.
 */

/* Starts the first thread when none runs yet. Returns 0 or a negative errno. */
int drm_engine_start(struct drm_engine *engine);
/* Queues a batch, which gets the timeline's next number. Takes ownership of it. */
void drm_engine_submit(struct drm_ring *ring, struct drm_batch *batch);
/* Ends the threads; the rings must have been killed. Releases the lock while it waits. */
void drm_engine_finish(struct drm_engine *engine);

#endif
