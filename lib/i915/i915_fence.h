// SPDX-License-Identifier: MIT
#ifndef I915_FENCE_H
#define I915_FENCE_H

#include <libdrm/i915_drm.h>

#include "drm/sync/drm_syncobj.h"

/* A sync object that a submission signals. */
struct i915_signal {
	struct drm_syncobj *syncobj; /* the file's */
	uint64_t value;
	struct drm_moment moment;
};

/*
 * What the flags FENCE_IN, FENCE_OUT, FENCE_ARRAY and the extension TIMELINE_FENCES of one
 * EXECBUFFER2 ask for. Zeroed, with out_fd -1, nothing. In the order of a submission, under the
 * device's lock:
 */
struct i915_fences {
	struct i915_signal *signals;
	uint32_t signal_count, prepared;
	struct drm_fence *done; /* the batch's, if anything is signalled */
	int out_fd;		/* of FENCE_OUT, -1: none */
	/* While they are read. */
	struct drm_file *file;
	struct drm_points *waits;
	bool has_list; /* an extension has given one */
};

/* Reads them, and adds to `waits` what the batch waits for. Returns 0 or a negative errno. */
int i915_fences_read(struct i915_fences *fences, struct drm_file *file,
	const struct drm_i915_gem_execbuffer2 *request, struct drm_points *waits);
/* Makes all that is signalled by batch `number` of the timeline. Returns 0 or a negative errno. */
int i915_fences_prepare(struct i915_fences *fences, struct drm_device *device, uint64_t flags,
	struct drm_timeline *timeline, uint64_t number);
/* The batch was submitted: hands it all out. */
void i915_fences_commit(struct i915_fences *fences, struct drm_device *device,
	struct drm_i915_gem_execbuffer2 *request);
/* Frees what was read; whatever was prepared and not committed is dropped. */
void i915_fences_finish(struct i915_fences *fences);

#endif
