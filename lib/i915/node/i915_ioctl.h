// SPDX-License-Identifier: MIT
#ifndef I915_IOCTL_H
#define I915_IOCTL_H

#include "i915/node/i915_device.h"

/*
 * One ioctl on an open file, as the kernel's drm_ioctl: by the number alone, the sizes of the
 * caller's and our struct may differ. `argument` is the caller's pointer and may be anything.
 * 0 or -errno; -EINVAL for requests that are not known, which ZEROCL_LOG=debug tells.
 */
int i915_ioctl(struct i915_file *file, unsigned long request, uint64_t argument);

/* mmap(2) of the file at an offset that GEM_MMAP_OFFSET gave. Address or -errno. */
intptr_t i915_mmap(struct i915_file *file, void *address, size_t length, int protection, int flags,
	uint64_t offset);

#endif
