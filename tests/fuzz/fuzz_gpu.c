// SPDX-License-Identifier: MIT
#include "fuzz_gpu.h"

#include <stdlib.h>
#include <string.h>

static bool find(void *self, uint64_t address, struct eu_range *range)
{
	const struct fuzz_gpu *gpu = self;

	for (unsigned i = 0; i < gpu->count; i++)
		if (address >= gpu->buffers[i].first && address < gpu->buffers[i].end) {
			*range = gpu->buffers[i];
			return true;
		}
	return false;
}

void fuzz_gpu_init(struct fuzz_gpu *gpu)
{
	gpu->count = 0;
	gpu->bus = (struct eu_bus){ .self = gpu, .find = find };
}

void fuzz_gpu_finish(struct fuzz_gpu *gpu)
{
	for (unsigned i = 0; i < gpu->count; i++)
		free(gpu->buffers[i].host);
	gpu->count = 0;
}

void *fuzz_gpu_add(struct fuzz_gpu *gpu, uint64_t address, uint64_t bytes, const void *data,
	uint64_t data_bytes)
{
	uint8_t *host = calloc(1, bytes);

	if (!host || gpu->count == FUZZ_GPU_BUFFERS)
		abort();
	if (data)
		memcpy(host, data, data_bytes);
	gpu->buffers[gpu->count++] = (struct eu_range){ address, address + bytes, host, 0, NULL };
	return host;
}

/* A surface of `bytes`: a raw buffer, or (type 1) an image of four times 32 bits a texel. */
static void put_surface(uint32_t *state, unsigned type, uint64_t address, uint32_t bytes)
{
	uint32_t last = bytes - 1;

	memset(state, 0, 64);
	state[0] = type << 29 | (type == 4 ? 0x1ffu : 0x0d7u) << 18;
	state[2] = type == 4 ? (last & 0x7f) | (last >> 7 & 0x3fff) << 16 : 15u << 16 | 15;
	state[3] = type == 4 ? (last >> 21) << 21 : 63;
	state[7] = 4u << 25 | 5u << 22 | 6u << 19 | 7u << 16;
	state[8] = (uint32_t)address;
	state[9] = (uint32_t)(address >> 32);
}

void fuzz_gpu_surfaces(void *at, uint64_t data_address, uint32_t data_bytes)
{
	static const uint8_t types[8] = { 4, 4, 4, 7, 4, 1, 2, 0 };
	uint32_t *table = at;

	for (unsigned i = 0; i < 16; i++) {
		uint32_t offset = 0x400 + 64 * i;
		uint32_t size = i % 8 == 1 ? 64 : i % 8 == 2 ? data_bytes * 4 : data_bytes;
		table[i] = offset;
		put_surface(table + offset / 4, types[i % 8], data_address + (i % 8 == 4 ? 52 : 0),
			size);
	}
}
