// SPDX-License-Identifier: MIT
/*
 * Command buffers of any kind, behind a dword whose first byte names the family. What is not a
 * whole input becomes a batch that launches a kernel, from where mutations go on.
 */
#include <stdlib.h>
#include <string.h>

#include "cs/cs_stream.h"
#include "fuzz_family.h"
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
	FAMILY_BYTES = 4,
};

#define TWO(address) (uint32_t)(address), (uint32_t)((address) >> 32)
#define CANONICAL    (DATA | UINT64_C(0xffff) << 48)

/* What batches are made of; the zeroes behind short ones are packets as well. */
static const uint32_t packets[][39] = {
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
	/* Gen9: without bindless samplers. */
	{ 0x61010011, HEAP | 1, 0, 0, HEAP | 1, 0, HEAP | 1, 0, HEAP | 1, 0, HEAP | 1, 0, 1, 1, 1,
		1, HEAP | 1, 0, 0 },
	{ 0x0e00c002, 1, TWO(CANONICAL) },
	/* Xe-HPG: launches, and copies of pixels. */
	{ 0x72000004, 0x12340400, 0, 0, 0, 0 },
	{ 0x72080025, 0, 128, PAYLOAD_OFFSET, 1u << 29 | 7u << 26 | 1u << 25, 0xff, 7 | 1 << 10, 2,
		1, 1, 0, 0, 0, 0, 0, 0, 0, 0, KERNEL_OFFSET, 0, 1 << 18, 0, SURFACE_OFFSET,
		2 | 3 << 16 | 1 << 28, 0, 0, 1, TWO(CANONICAL + 128), 7, 0, 1, 2, 3, 4, 5, 6, 7,
		8 },
	{ 0x72080025, 0, 0, PAYLOAD_OFFSET, 1u << 30 | 1u << 25, 0xffff, 0, 1, 1, 1, 0, 0, 0, 0, 0,
		0, 0, 0, KERNEL_OFFSET, 0, 0, 0, SURFACE_OFFSET, 1 | 1 << 28, 0, 0, 3,
		TWO(CANONICAL + 128) },
	{ 0x50500014, 63, 0, 4 << 16 | 16, TWO(CANONICAL), 0, 0, 2u << 30 | 63, TWO(CANONICAL), 0 },
	{ 0x5110000e, 63, 0, 4 << 16 | 16, TWO(CANONICAL), 0, 0x12345678 },
	{ 0x69041312 },
	{ 0x05000000 },
};

/* As Intel's compiler makes it for each family: each work-item stores 1 to buffer 0; a barrier; the
 * end. */
/* clang-format off */
static const uint32_t kernels[FUZZ_FAMILIES][136] = {
	{
		0x80030061, 0x02050220, 0x00100004, 0x00000000, 0x80000166, 0x80018220, 0x01008000,
		0x04c004c0, 0x00040169, 0x03058160, 0x05580105, 0x00020002, 0x00040061, 0x05054aa0,
		0x00000000, 0x00000001, 0x00049031, 0x00000000, 0xcc000314, 0x00960514, 0x8003c131,
		0x070c0000, 0xa200020c, 0x02780000, 0x80030065, 0x08058220, 0x02000244, 0x7f000000,
		0x80032161, 0x00010220, 0x00460705, 0x00000000, 0x8000a231, 0x00000000, 0x3008080c,
		0x00000000, 0x80000001, 0x00010000, 0xe0000000, 0x00000000, 0x647f0061, 0x00100200,
		0x80034331, 0x090c0000, 0xa000020c, 0x02780000, 0x80032361, 0x00010220, 0x00460905,
		0x00000000, 0x80030131, 0x00000004, 0x70207f0c, 0x00000000,
	},
	{
		0x00600001, 0x2040020c, 0x00200000, 0x00000000, 0x00008006, 0x30000004, 0x16001000,
		0x04c004c0, 0x00600009, 0x20601228, 0x1e8d0020, 0x00020002, 0x00600001, 0x20801e28,
		0x00000000, 0x00010001, 0x0c600033, 0x00004010, 0x00000061, 0x02026e00, 0x0a600031,
		0x20a0020c, 0x06000040, 0x0219e000, 0x20002d01, 0x00050007, 0x00600005, 0x20c0020c,
		0x06000048, 0x8f000000, 0x00008001, 0x32000604, 0x00000000, 0x00000000, 0x03000031,
		0x20000204, 0x060000c0, 0x02000004, 0x00000030, 0x32000004, 0x00001200, 0x00000000,
		0x20004d01, 0x00027f07, 0x07600031, 0x20000204, 0x06000fe0, 0x82000010,
	},
	{
		0x00600001, 0x2040020c, 0x00200000, 0x00000000, 0x00008006, 0x30000004, 0x16001000,
		0x04c004c0, 0x00600009, 0x20601228, 0x1e8d0020, 0x00020002, 0x00600001, 0x20804f28,
		0x00000000, 0x00000001, 0x0c600033, 0x00004010, 0x00000061, 0x02026e00, 0x0a60c031,
		0x20a04a0c, 0x06000040, 0x0219e0fe, 0x20002d01, 0x00050007, 0x0a60c031, 0x20c04a0c,
		0x06000040, 0x0219e100, 0x20002d01, 0x00060007, 0x00600005, 0x20e0020c, 0x06000048,
		0x7f000000, 0x03000031, 0x20004a04, 0x060000e0, 0x02000004, 0x00000030, 0x32000004,
		0x00001200, 0x00000000, 0x20010d01, 0x00027f07, 0x07600031, 0x20004a04, 0x06000fe0,
		0x82000010,
	},
	{
		0x80030061, 0x7f054220, 0x00000000, 0x00000000, 0x80000065, 0x7f458220, 0x02000004,
		0xffffffc0, 0x80000065, 0x7f058110, 0x01000044, 0x00ff00ff, 0x80001a40, 0x7f458220,
		0x01007f44, 0x00200020, 0x8000195b, 0x7f448220, 0x01017f44, 0x00607f04, 0x80030061,
		0x04050220, 0x00100104, 0x00000000, 0x80039031, 0x01140000, 0xa7fa7f0c, 0x02100000,
		0x80003040, 0x7f458220, 0x01007f44, 0x00400040, 0x80039131, 0x030c0000, 0xa5fa7f0c,
		0x02100000, 0x00000060, 0x00000000, 0x00000000, 0x00000000, 0x00000060, 0x00000000,
		0x00000000, 0x00000000, 0x00000060, 0x00000000, 0x00000000, 0x00000000, 0x80033161,
		0x7f054220, 0x00000000, 0x00000000, 0x80000065, 0x7f458220, 0x02000004, 0xffffffc0,
		0x80039231, 0x050c0000, 0xa5fa7f0c, 0x02100000, 0x80032061, 0x02050220, 0x00100004,
		0x00000000, 0x80000966, 0x80018220, 0x01008000, 0x04c004c0, 0xe8000901, 0x00110001,
		0xe8002101, 0x00110001, 0x00030969, 0x03058160, 0x05100104, 0x00020002, 0x00030061,
		0x04054560, 0x00000000, 0x00010001, 0x00039331, 0x00000000, 0xcc00030c, 0x009a040c,
		0x80004231, 0x050c0000, 0xe23e020c, 0x00000000, 0x80032261, 0x00010220, 0x00100504,
		0x00000000, 0x80004431, 0x060c0000, 0xfe3e020c, 0x01040000, 0x80032461, 0x00010220,
		0x00100604, 0x00000000, 0x80004531, 0x070c0000, 0xde3e020c, 0x00040000, 0xa2080061,
		0x00010038, 0x80011161, 0x08550000, 0x0000025c, 0x00000000, 0x80032561, 0x00010220,
		0x00100704, 0x00000000, 0x8000a631, 0x00000000, 0x3008080c, 0x00000000, 0x80000001,
		0x00010000, 0xe0000000, 0x00000000, 0x647f0061, 0x00100200, 0x80004731, 0x090c0000,
		0xf63e020c, 0x01000000, 0x80032761, 0x00010220, 0x00100904, 0x00000000, 0x80030931,
		0x00000004, 0x30207f0c, 0x00000000,
	},
};
/* clang-format on */

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

static size_t packet_bytes(unsigned row)
{
	uint32_t header = packets[row][0];
	bool single = header >> 16 == 0x6904 || (header >> 29 == 0 && header >> 23 < 0x10);

	return single ? 4 : ((header & 0xff) + 2) * 4;
}

/* Often puts a whole packet at the front, at the end or somewhere behind the family. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	srand(seed);
	unsigned row = (unsigned)rand() % (sizeof packets / sizeof packets[0]);
	if (size < FAMILY_BYTES && most >= FAMILY_BYTES) {
		memset(data, rand(), FAMILY_BYTES);
		size = FAMILY_BYTES;
	}
	size_t bytes = packet_bytes(row), at = FAMILY_BYTES + (size_t)rand() % (size / 4) * 4;

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

static void put_heap(uint8_t *heap, const uint32_t kernel[136])
{
	const uint32_t descriptor[8] = { KERNEL_OFFSET, 0, 1 << 18, 0, SURFACE_OFFSET, 2 << 16,
		2 | 3 << 16 | 1 << 21, 3 };

	memcpy(heap + KERNEL_OFFSET, kernel, sizeof kernels[0]);
	for (unsigned i = 0; i < 2; i++)
		memcpy(heap + DESCRIPTOR_OFFSET + 32 * i, descriptor, sizeof descriptor);
	fuzz_gpu_surfaces(heap + SURFACE_OFFSET, DATA, 4096);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_gpu gpu;
	uint64_t now = 0;
	struct cs_config config = { .bus = &gpu.bus, .timestamp = ticks, .timestamp_self = &now };

	if (size < FAMILY_BYTES + 4 || size > MOST_BYTES)
		return 0;
	unsigned family = data[0] % FUZZ_FAMILIES;
	config.device = fuzz_family(family);
	data += FAMILY_BYTES;
	size -= FAMILY_BYTES;
	fuzz_gpu_init(&gpu);
	put_heap(fuzz_gpu_add(&gpu, HEAP, HEAP_BYTES, NULL, 0), kernels[family]);
	fuzz_gpu_add(&gpu, DATA, 4096, NULL, 0);
	fuzz_gpu_add(&gpu, BATCH, (size + 3) & ~3u, data, size);
	fuzz_gpu_add(&gpu, CHILD, (size - size / 2 + 3) & ~3u, data + size / 2, size - size / 2);
	struct cs_stream *stream = cs_stream_create(&config);
	if (!stream)
		abort();
	cs_stream_set_engine(stream, engines[family]);
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
