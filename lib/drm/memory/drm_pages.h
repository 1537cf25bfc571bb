// SPDX-License-Identifier: MIT
#ifndef DRM_PAGES_H
#define DRM_PAGES_H

#include <stddef.h>
#include <stdint.h>

/*
 * Large pages of the host. Most of what streams through memory costs otherwise is looking up where
 * its pages are, and most of what memory costs that is new is asking for it page by page.
 */
enum { DRM_LARGE_PAGE = 1 << 21 }; /* of x86-64; elsewhere it does no harm */

/*
 * Reserves `size` bytes of addresses without memory, by mmap(2) with `flags` (MAP_PRIVATE or
 * MAP_SHARED …) and MAP_ANONYMOUS. Begins on a large page where it has the size of one. Returns the
 * address or a negative errno.
 */
intptr_t drm_pages_reserve(size_t size, int flags);

/*
 * Gets memory for all large pages within a mapping of a memory file that begins on one, where the
 * host gives it; the rest comes when it is touched. What the file holds stays. Does nothing to more
 * than a quarter of a gigabyte, or of what the host has free: a program that asks for so much may
 * not want all of it.
 */
void drm_pages_fill(const uint8_t *host, uint64_t size);

#endif
