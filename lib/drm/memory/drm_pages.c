// SPDX-License-Identifier: MIT
#include "drm/memory/drm_pages.h"

#include <sys/mman.h>
#include <sys/sysinfo.h>

#include "drm/memory/drm_raw.h"
#include "util/util_bits.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

enum { MOST_FILLED = 1 << 28 };

intptr_t drm_pages_reserve(size_t size, int flags)
{
	intptr_t room, start;

	flags |= MAP_ANONYMOUS;
	if (size < DRM_LARGE_PAGE || size > SIZE_MAX - DRM_LARGE_PAGE)
		return drm_raw_mmap(NULL, size, PROT_NONE, flags, -1, 0);
	size = util_align_up(size, 4096);
	room = drm_raw_mmap(NULL, size + DRM_LARGE_PAGE, PROT_NONE, flags, -1, 0);
	if (drm_raw_failed(room))
		return room;
	start = (intptr_t)util_align_up((uintptr_t)room, DRM_LARGE_PAGE);
	if (start > room)
		drm_raw_munmap((void *)room, (size_t)(start - room));
	if (start < room + DRM_LARGE_PAGE)
		drm_raw_munmap((char *)start + size, (size_t)(room + DRM_LARGE_PAGE - start));
	return start;
}

/*
 * Of a large page of which a part is there, the kernel makes a whole one at once, also where memory
 * files have none by themselves (Linux 6.1).
 */
void drm_pages_fill(const uint8_t *host, uint64_t size)
{
	uint64_t whole = size & ~(uint64_t)(DRM_LARGE_PAGE - 1);
	struct sysinfo info;

	if (!whole || whole > MOST_FILLED || sysinfo(&info) ||
		whole > (uint64_t)info.freeram * info.mem_unit / 4)
		return;
	for (uint64_t at = 0; at < whole; at += DRM_LARGE_PAGE)
		(void)*(const volatile uint8_t *)(host + at);
	(void)drm_raw_madvise((void *)(uintptr_t)host, whole, MADV_COLLAPSE);
}
