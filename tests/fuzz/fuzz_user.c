// SPDX-License-Identifier: MIT
/*
 * Takes the place of lib/i915/object/i915_user.c: nothing but the arena is memory of the caller, so
 * that pointers which a fuzzer makes up cannot reach its own memory.
 */
#include "fuzz_user.h"

#include <errno.h>
#include <string.h>

#include "i915/object/i915_user.h"

static bool inside(uint64_t address, uint64_t size)
{
	return address >= FUZZ_ARENA && address - FUZZ_ARENA <= FUZZ_ARENA_BYTES &&
	       size <= FUZZ_ARENA_BYTES - (address - FUZZ_ARENA);
}

int i915_user_read(void *to, uint64_t from, size_t size)
{
	if (size == 0)
		return 0;
	if (!inside(from, size))
		return -EFAULT;
	memcpy(to, (const void *)(uintptr_t)from, size);
	return 0;
}

int i915_user_write(uint64_t to, const void *from, size_t size)
{
	if (size == 0)
		return 0;
	if (!inside(to, size))
		return -EFAULT;
	memcpy((void *)(uintptr_t)to, from, size);
	return 0;
}

int i915_user_pin(uint64_t address, uint64_t size, bool write)
{
	(void)write;
	return size == 0 || inside(address, size) ? 0 : -EFAULT;
}

bool i915_user_mapped(uint64_t address, uint64_t size)
{
	return inside(address, size);
}
