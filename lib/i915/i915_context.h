// SPDX-License-Identifier: MIT
#ifndef I915_CONTEXT_H
#define I915_CONTEXT_H

#include "drm/schedule/drm_context.h"

struct drm_i915_gem_context_param;

/* Sets *out to the context of that id, 0 being the file's own. Returns 0, -ENOENT or -ENOMEM. */
int i915_context_find(struct drm_file *file, uint64_t id, struct drm_context **out);

/* Sets *out to the ring that the engine bits of EXECBUFFER2's flags select. Returns 0, -EINVAL or
 * -ENOMEM. */
int i915_context_ring(struct drm_context *context, uint64_t exec_flags, struct drm_ring **out);

/* CONTEXT_SETPARAM, of the ioctl and of the extension of CONTEXT_CREATE. */
int i915_context_set(struct drm_context *context, struct drm_i915_gem_context_param *param);

#endif
