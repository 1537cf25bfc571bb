// SPDX-License-Identifier: MIT
#ifndef I915_IOCTL_H
#define I915_IOCTL_H

#include "drm/memory/drm_device.h"

/*
 * The i915 kernel interface: what <drm/i915_drm.h> describes, and nothing else. The ioctls are a
 * table (i915_ioctl.c) of handlers, and so are parameters, queries and context parameters; what
 * they act on is in lib/drm, where other interfaces find it too.
 */
extern const struct drm_front i915_front;

/*
 * One ioctl on an open file, as the kernel's drm_ioctl: by the number alone, the sizes of the
 * caller's and our struct may differ. `argument` is the caller's pointer and may be anything.
 * 0 or -errno; -EINVAL for requests that are not known, which ZEROCL_LOG=debug tells.
 */
int i915_ioctl(struct drm_file *file, unsigned long request, uint64_t argument);

/* mmap(2) of the file at an offset that GEM_MMAP_OFFSET gave. Address or -errno. */
intptr_t i915_mmap(struct drm_file *file, void *address, size_t length, int protection, int flags,
	uint64_t offset);

#endif
