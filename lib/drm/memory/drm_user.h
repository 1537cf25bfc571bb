// SPDX-License-Identifier: MIT
#ifndef DRM_USER_H
#define DRM_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Memory of the caller, as a kernel sees it: a pointer from an ioctl may have any value. These
 * functions return 0, or -EFAULT when the memory is not there.
 */
int drm_user_read(void *to, uint64_t from, size_t size);
int drm_user_write(uint64_t to, const void *from, size_t size);

/*
 * Whether every page of the range can be read (write: written too) by this process. The pages are
 * populated on the way, as pinning them does; their contents do not change. Returns 0 or -EFAULT.
 */
int drm_user_pin(uint64_t address, uint64_t size, bool write);

/*
 * Whether all of the range, which begins on a page, is mapped, in whatever way. Costs as much as
 * the mappings that it spans, not its pages.
 */
bool drm_user_mapped(uint64_t address, uint64_t size);

#endif
