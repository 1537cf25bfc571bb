// SPDX-License-Identifier: MIT
#ifndef EU_CACHE_H
#define EU_CACHE_H

#include "eu/code/eu_kernel.h"

/*
 * Kernels that have been decoded and lowered, found again by the bytes of their code: the driver
 * may put another kernel where one was, or the same kernel somewhere else. Bounded; the kernel
 * that was used longest ago goes first. Not thread-safe.
 */
struct eu_cache;

enum { EU_CACHE_KERNELS = 1024 };

struct eu_cache *eu_cache_create(const struct gen_device *device);
void eu_cache_destroy(struct eu_cache *cache);

/*
 * The kernel at `address`. It stays valid until the next call. Returns NULL with *fault filled when
 * nothing is bound there, the code cannot be decoded, or memory is short.
 */
struct eu_kernel *eu_cache_find(struct eu_cache *cache, const struct eu_bus *bus, uint64_t address,
	struct gen_fault *fault);

#endif
