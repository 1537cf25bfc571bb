// SPDX-License-Identifier: MIT
#ifndef I915_REGION_H
#define I915_REGION_H

#include "drm/memory/drm_device.h"

/*
 * Memory regions, and what else only devices with memory of their own have. The queries are
 * functions of i915_query.c: they fill a zeroed answer and return its bytes, or a negative errno.
 */
int i915_regions_query(const struct drm_device *device, uint32_t flags, void *answer);
/* The table of the firmware: -ENODEV on devices without one. */
int i915_hwconfig_query(const struct drm_device *device, uint32_t flags, void *answer);

/* Where a new object may be. */
struct i915_regions {
	const struct drm_device *device;
	bool system; /* in system memory, too */
};

/*
 * I915_GEM_CREATE_EXT_MEMORY_REGIONS at `user` (i915_extension_fn) to a struct i915_regions:
 * regions of the device, none twice. Returns 0 or a negative errno.
 */
int i915_regions_read(void *self, uint64_t user);

#endif
