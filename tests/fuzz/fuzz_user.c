// SPDX-License-Identifier: MIT
/*
 * Takes the place of lib/drm/memory/drm_user.c: nothing but the arena is memory of the caller, so
 * that pointers which a fuzzer makes up cannot reach its own memory.
 */
#include "fuzz_user.h"

#include <errno.h>
#include <string.h>

#include "drm/memory/drm_user.h"

static bool inside(uint64_t address, uint64_t size)
{
	return address >= FUZZ_ARENA && address - FUZZ_ARENA <= FUZZ_ARENA_BYTES &&
	       size <= FUZZ_ARENA_BYTES - (address - FUZZ_ARENA);
}

int drm_user_read(void *to, uint64_t from, size_t size)
{
	if (size == 0)
		return 0;
	if (!inside(from, size))
		return -EFAULT;
	memcpy(to, (const void *)(uintptr_t)from, size);
	return 0;
}

int drm_user_write(uint64_t to, const void *from, size_t size)
{
	if (size == 0)
		return 0;
	if (!inside(to, size))
		return -EFAULT;
	memcpy((void *)(uintptr_t)to, from, size);
	return 0;
}

int drm_user_pin(uint64_t address, uint64_t size, bool write)
{
	(void)write;
	return size == 0 || inside(address, size) ? 0 : -EFAULT;
}

bool drm_user_mapped(uint64_t address, uint64_t size)
{
	return inside(address, size);
}
