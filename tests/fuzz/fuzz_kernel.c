// SPDX-License-Identifier: MIT
/*
 * Machine code of any kind through the decoder and the engine. The input's first 8 bytes say how it
 * is started, the rest is code.
 */
#include <stdlib.h>
#include <string.h>

#include "eu/engine/eu_engine.h"
#include "fuzz_family.h"
#include "fuzz_gpu.h"

#define CODE	 UINT64_C(0x800100010000)
#define PAYLOAD	 UINT64_C(0x10000)
#define SURFACES UINT64_C(0x20000)
#define DATA	 UINT64_C(0x7f0000100000)
#define SCRATCH	 UINT64_C(0x400000)

enum {
	CONFIG_BYTES = 8,
	DATA_BYTES = 4096,
	CROSS_REGISTERS = 6,
	SCRATCH_BYTES = 1 << 20,
	MOST_BYTES = 64 << 10,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

static struct eu_engine *engines[FUZZ_FAMILIES];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	setenv("ZEROCL_VGPU_HANG_MS", "20", 1);
	for (unsigned i = 0; i < FUZZ_FAMILIES; i++)
		if (!(engines[i] = eu_engine_create(fuzz_family(i), 1)))
			return -1;
	return 0;
}

/*
 * Half of the time whole instructions are moved, copied or exchanged, which keeps them valid; the
 * rest is the library's.
 */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	size_t units = size > CONFIG_BYTES ? (size - CONFIG_BYTES) / 8 : 0;

	srand(seed);
	if (units < 4 || rand() % 2)
		return LLVMFuzzerMutate(data, size, most);
	uint8_t *code = data + CONFIG_BYTES, copy[64];
	size_t length = 8 * (1 + (size_t)rand() % 4);
	size_t from = 8 * ((size_t)rand() % (units - 3)), to = 8 * ((size_t)rand() % (units - 3));
	if (from + length > units * 8 || to + length > units * 8)
		return LLVMFuzzerMutate(data, size, most);
	switch (rand() % 3) {
	case 0: /* over another */
		memmove(code + to, code + from, length);
		return size;
	case 1: /* out of the way */
		memmove(code + to, code + to + length, units * 8 - to - length);
		return size - length;
	}
	if (size + length > most)
		return size;
	memcpy(copy, code + from, length);
	memmove(code + to + length, code + to, size - CONFIG_BYTES - to);
	memcpy(code + to, copy, length);
	return size + length;
}

/* Arguments that are buffers, sizes and small numbers, and local ids. */
static void put_payload(uint8_t *at, unsigned threads)
{
	for (unsigned i = 0; i < CROSS_REGISTERS * 4; i++) {
		uint64_t value = i % 3 ? DATA + 64 * i : 64 * i;
		memcpy(at + 8 * i, &value, sizeof value);
	}
	for (unsigned i = 0; i < threads * 3 * 16; i++)
		memcpy(at + CROSS_REGISTERS * 32 + 2 * i, &(uint16_t){ (uint16_t)(i % 48 / 3) }, 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const atomic_int never;
	struct gen_fault fault = { .kind = GEN_FAULT_NONE };
	struct fuzz_gpu gpu;

	if (size < CONFIG_BYTES + 8 || size > MOST_BYTES)
		return 0;
	unsigned threads = 1 + data[1] % 3, registers = CROSS_REGISTERS + 3 * threads;
	struct eu_dispatch dispatch = {
		.bus = &gpu.bus,
		.kernel = CODE,
		.instruction_base = CODE & ~UINT64_C(0xffffffff),
		.simd = (uint8_t)(8u << data[0] % 3),
		.threads_per_group = threads,
		.group_end = { 1 + data[2] % 2, 1, 1 },
		.right_mask = data[3] ? data[3] : UINT32_MAX,
		.payload = PAYLOAD,
		.payload_bytes = registers * 32,
		.cross_thread_registers = CROSS_REGISTERS,
		.per_thread_registers = 3,
		.surface_state_base = SURFACES,
		.binding_table_base = SURFACES,
		.dynamic_state_base = SURFACES,
		.bindless_surface_base = SURFACES,
		.bindless_sampler_base = SURFACES,
		.general_state_base = SCRATCH,
		.scratch_bytes_per_thread = 1024,
		.slm_bytes = 1024u << data[4] % 7,
		.barrier = true,
		.cr0 = data[5],
	};
	dispatch.right_mask &= UINT32_MAX >> (32 - dispatch.simd);
	if (dispatch.right_mask == 0)
		return 0;
	fuzz_gpu_init(&gpu);
	put_payload(fuzz_gpu_add(&gpu, PAYLOAD, registers * 32, NULL, 0), threads);
	fuzz_gpu_surfaces(
		fuzz_gpu_add(&gpu, SURFACES, FUZZ_SURFACES_BYTES, NULL, 0), DATA, DATA_BYTES);
	fuzz_gpu_add(&gpu, DATA, DATA_BYTES, NULL, 0);
	fuzz_gpu_add(&gpu, DATA + DATA_BYTES, DATA_BYTES, NULL, 0);
	fuzz_gpu_add(&gpu, SCRATCH, SCRATCH_BYTES, NULL, 0);
	fuzz_gpu_add(&gpu, CODE, size - CONFIG_BYTES, data + CONFIG_BYTES, size - CONFIG_BYTES);
	eu_engine_run(engines[data[6] % FUZZ_FAMILIES], &dispatch, &never, &fault);
	fuzz_gpu_finish(&gpu);
	return 0;
}
