// SPDX-License-Identifier: MIT
#ifndef I915_HANDLER_H
#define I915_HANDLER_H

#include "drm/memory/drm_bo.h"
#include "drm/sync/drm_syncobj_ioctl.h"

/*
 * One function for each ioctl, called with the device's lock held. `data` is the argument in kernel
 * memory: as long as the request's struct, extended with zeroes when the caller's is shorter. What
 * it leaves there is copied back to the caller, also when it fails. Returns 0 or a negative errno.
 */
typedef int i915_handler(struct drm_file *file, void *data);
typedef int i915_object_handler(struct drm_bo *bo, void *data);

#define IOCTL(request, handler)			     i915_handler handler;
#define OBJECT_IOCTL(request, handler, type, member) i915_object_handler handler;
#include "i915/i915_ioctl.def"
#undef IOCTL
#undef OBJECT_IOCTL

/*
 * Reads a chain of extensions: calls the function that `functions` has for the name of each, in
 * their order. -EINVAL for names without one and for bits that must be zero, -E2BIG for chains that
 * may have no end, or what a function returns.
 */
typedef int i915_extension_fn(void *self, uint64_t user);
int i915_extensions_read(
	uint64_t user, i915_extension_fn *const *functions, unsigned count, void *self);

/* The system memory of the device, in bytes: what the host has. */
uint64_t i915_memory_size(void);

#endif
