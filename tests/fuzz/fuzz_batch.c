// SPDX-License-Identifier: MIT
/*
 * Command buffers of any kind. What is not a whole input becomes a batch that launches a kernel,
 * from where mutations go on.
 */
#include <stdlib.h>
#include <string.h>

#include "cs/cs_stream.h"
#include "fuzz_gpu.h"

#define BATCH UINT64_C(0x100000)
#define CHILD UINT64_C(0x700000)
#define HEAP  UINT64_C(0x10000)
#define DATA  UINT64_C(0xffff80000000)

enum {
	KERNEL_OFFSET = 0x400,
	DESCRIPTOR_OFFSET = 0x800,
	PAYLOAD_OFFSET = 0xc00,
	SURFACE_OFFSET = 0x1000,
	HEAP_BYTES = SURFACE_OFFSET + FUZZ_SURFACES_BYTES,
	MOST_BYTES = 32 << 10,
	PACKETS = 4000,
	BLOCKS = 3,
};

#define TWO(address) (uint32_t)(address), (uint32_t)((address) >> 32)
#define CANONICAL    (DATA | UINT64_C(0xffff) << 48)

/* What batches are made of; the zeroes behind short ones are packets as well. */
static const uint32_t packets[][24] = {
	{ 0x61010014, HEAP | 1, 0, 0, HEAP | 1, 0, HEAP | 1, 0, HEAP | 1, 0, HEAP | 1, 0, 1, 1, 1,
		1, HEAP | 1, 0, 0, HEAP | 1, 0, 0 },
	{ 0x70000007, 0xc04, 3, 0x02ff0100, 0, 0, 0, 0, 0 },
	{ 0x70020002, 0, 0x40, DESCRIPTOR_OFFSET },
	{ 0x7105000d, 1, 32 * 8, PAYLOAD_OFFSET, 1u << 30 | 1, 0, 0, 2, 0, 0, 1, 0, 1, 0xffff,
		0xffffffff },
	{ 0x7105050d, 1, 32 * 8, PAYLOAD_OFFSET, 1, 0, 0, 2, 0, 0, 1, 0, 1, 0xff, 0xffffffff },
	{ 0x7a000004, 0x104120, TWO(CANONICAL), 5, 6 },
	{ 0x7a000204, 0x10c000, TWO(CANONICAL + 64), 0, 0 },
	{ 0x10000002, TWO(CANONICAL + 8), 0x1234 },
	{ 0x10200003, TWO(CANONICAL + 16), 1, 2 },
	{ 0x11000003, 0x2600, 7, 0x2608, 9 },
	{ 0x11000005, 0x2500, 1, 0x2504, 2, 0x2508, 1 },
	{ 0x12000002, 0x2600, TWO(CANONICAL) },
	{ 0x14800002, 0x2604, TWO(CANONICAL + 4) },
	{ 0x15000001, 0x2358, 0x2610 },
	{ 0x0d000003, 0x08008000, 0x08008401, 0x10100000, 0x18000831 },
	{ 0x0e00c003, 1, TWO(CANONICAL), 0 },
	{ 0x17800401, TWO(CANONICAL + 32) },
	{ 0x13004003, TWO(CANONICAL + 8), 3, 4 },
	{ 0x18c00101, TWO(CHILD) },
	{ 0x18800101, TWO(CHILD + 64) },
	{ 0x69041312 },
	{ 0x05000000 },
};

/* As Intel's compiler makes it: each work-item stores 1 to buffer 0; a barrier; the end. */
static const uint32_t kernel[] = {
	0x80030061, 0x02050220, 0x00100004, 0x00000000, /* mov r2 r0 */
	0x80000166, 0x80018220, 0x01008000, 0x04c004c0, /* or cr0 */
	0x00040169, 0x03058160, 0x05580105, 0x00020002, /* shl */
	0x00040061, 0x05054aa0, 0x00000000, 0x00000001, /* mov r5 */
	0x00049031, 0x00000000, 0xcc000314, 0x00960514, /* send.dc1: untyped surface write */
	0x8003c131, 0x070c0000, 0xa200020c, 0x02780000, /* send.dc0: memory fence */
	0x80030065, 0x08058220, 0x02000244, 0x7f000000, /* and r8 */
	0x80032161, 0x00010220, 0x00460705, 0x00000000, /* mov null r7 */
	0x8000a231, 0x00000000, 0x3008080c, 0x00000000, /* send.gtwy: barrier */
	0x80000001, 0x00010000, 0xe0000000, 0x00000000, /* sync.bar */
	0x647f0061, 0x00100200, 0x80034331, 0x090c0000, /* mov r127, compacted; send.dc0 … */
	0xa000020c, 0x02780000, 0x80032361, 0x00010220, /* … : fence; mov … */
	0x00460905, 0x00000000, 0x80030131, 0x00000004, /* … null r9; send.ts … */
	0x70207f0c, 0x00000000,				/* … {EOT} */
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

static struct eu_engine *engine;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	setenv("ZEROCL_VGPU_HANG_MS", "20", 1);
	engine = eu_engine_create(gen_device_find(NULL), 1);
	return engine ? 0 : -1;
}

static size_t packet_bytes(unsigned row)
{
	uint32_t header = packets[row][0];
	bool single = header >> 16 == 0x6904 || (header >> 29 == 0 && header >> 23 < 0x10);

	return single ? 4 : ((header & 0xff) + 2) * 4;
}

/* Often puts a whole packet at the front, at the end or somewhere. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	srand(seed);
	unsigned row = (unsigned)rand() % (sizeof packets / sizeof packets[0]);
	size_t bytes = packet_bytes(row), at = size / 4 ? (size_t)rand() % (size / 4 + 1) * 4 : 0;

	if (size >= 64 && rand() % 4)
		return LLVMFuzzerMutate(data, size, most);
	if (size + bytes > most)
		return size;
	memmove(data + at + bytes, data + at, size - at);
	memcpy(data + at, packets[row], bytes);
	return size + bytes;
}

static uint64_t ticks(void *self)
{
	return ++*(uint64_t *)self;
}

static void put_heap(uint8_t *heap)
{
	const uint32_t descriptor[8] = { KERNEL_OFFSET, 0, 1 << 18, 0, SURFACE_OFFSET, 2 << 16,
		2 | 3 << 16 | 1 << 21, 3 };

	memcpy(heap + KERNEL_OFFSET, kernel, sizeof kernel);
	for (unsigned i = 0; i < 2; i++)
		memcpy(heap + DESCRIPTOR_OFFSET + 32 * i, descriptor, sizeof descriptor);
	fuzz_gpu_surfaces(heap + SURFACE_OFFSET, DATA, 4096);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_gpu gpu;
	uint64_t now = 0;
	struct cs_config config = { .device = gen_device_find(NULL),
		.bus = &gpu.bus,
		.timestamp = ticks,
		.timestamp_self = &now };

	if (size < 4 || size > MOST_BYTES)
		return 0;
	fuzz_gpu_init(&gpu);
	put_heap(fuzz_gpu_add(&gpu, HEAP, HEAP_BYTES, NULL, 0));
	fuzz_gpu_add(&gpu, DATA, 4096, NULL, 0);
	fuzz_gpu_add(&gpu, BATCH, (size + 3) & ~3u, data, size);
	fuzz_gpu_add(&gpu, CHILD, (size - size / 2 + 3) & ~3u, data + size / 2, size - size / 2);
	struct cs_stream *stream = cs_stream_create(&config);
	if (!stream)
		abort();
	cs_stream_set_engine(stream, engine);
	/* What faults can be reset, and the next batch runs. */
	for (unsigned i = 0; i < 2; i++) {
		enum cs_status status = CS_BLOCKED;
		cs_stream_start(stream, i ? CHILD : BATCH, size);
		for (unsigned blocks = 0; status == CS_BLOCKED && blocks < BLOCKS; blocks++)
			status = cs_stream_run(stream, PACKETS);
		cs_stream_reset(stream);
	}
	cs_stream_destroy(stream);
	fuzz_gpu_finish(&gpu);
	return 0;
}
