// SPDX-License-Identifier: MIT
#ifndef EU_CACHE_H
#define EU_CACHE_H

#include "eu/code/eu_code.h"

/*
 * Kernels that have been decoded and lowered, found again by the bytes of their code: the driver
 * may put another kernel where one was, or the same kernel somewhere else. Bounded; the kernel
 * that was used longest ago goes first.
 */
struct eu_cache;

enum { EU_CACHE_KERNELS = 1024 };

struct eu_cache *eu_cache_create(const struct gen_device *device);
void eu_cache_destroy(struct eu_cache *cache);

/*
 * Finds or creates the kernel at `address` with these options. Returns NULL with *fault filled when
 * nothing is bound there, the code cannot be decoded, memory is short, or *stop becomes non-zero.
 * It and all functions stay valid until the next call; no thread may execute any of an earlier
 * call. Not thread-safe.
 */
struct eu_kernel *eu_cache_find(struct eu_cache *cache, const struct eu_bus *bus, uint64_t address,
	struct eu_options options, const atomic_int *stop, struct gen_fault *fault);

/*
 * Finds or creates the function at `address`, called by a thread of the kernel that was found
 * last. For eu_worker.find_function: the cache is worker->cache. Thread-safe.
 */
const struct eu_kernel *eu_cache_find_function(struct eu_worker *worker, uint64_t address);

#endif
