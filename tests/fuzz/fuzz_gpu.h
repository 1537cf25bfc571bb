// SPDX-License-Identifier: MIT
#ifndef FUZZ_GPU_H
#define FUZZ_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include "eu/state/eu_bus.h"

/*
 * GPU memory of fuzzers: buffers at GPU addresses of their own, each from malloc, so that the
 * address sanitizer sees every access beyond one.
 */

enum { FUZZ_GPU_BUFFERS = 8 };

struct fuzz_gpu {
	struct eu_range buffers[FUZZ_GPU_BUFFERS];
	unsigned count;
	struct eu_bus bus;
};

void fuzz_gpu_init(struct fuzz_gpu *gpu);
/* Frees all buffers. */
void fuzz_gpu_finish(struct fuzz_gpu *gpu);

/* A new buffer of zeroes, with a copy of `data` (may be NULL) at its start. Its host address. */
void *fuzz_gpu_add(struct fuzz_gpu *gpu, uint64_t address, uint64_t bytes, const void *data,
	uint64_t data_bytes);

/* Surface states at `address`, which is a buffer's: a binding table, and what it refers to. */
enum { FUZZ_SURFACES_BYTES = 0x1000 };
void fuzz_gpu_surfaces(void *at, uint64_t data_address, uint32_t data_bytes);

#endif
