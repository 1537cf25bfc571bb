// SPDX-License-Identifier: MIT
/*
 * Surface and sampler states of any kind under the messages that use them. The input: 4 bytes that
 * choose the message (the first in its two highest bits the family), 64 of surface state, 16 of
 * sampler state, 16 of border colour, and what is left fills the payload.
 */
#include <stdlib.h>
#include <string.h>

#include "eu/sampler/eu_image.h"
#include "eu/message/eu_message.h"
#include "fuzz_family.h"
#include "fuzz_gpu.h"
#include "util/util_bits.h"

#define STATE UINT64_C(0x20000)
#define IMAGE UINT64_C(0x7f0000100000)

enum {
	TABLE = 0,
	SURFACE = 0x40,
	SAMPLER = 0x80,
	BORDER = 0xc0,
	STATE_BYTES = 0x100,
	HEAD_BYTES = 4,
	INPUT_BYTES = HEAD_BYTES + 64 + 16 + 16,
	LOW_BYTES = 3 * 4096 + 40, /* the image's first buffer; another one follows */
	HIGH_BYTES = 64 << 10,
	PAYLOAD = 10,
	RESULT = 100,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Everything of a descriptor but what the input chooses. */
static const struct {
	uint8_t sfid, bits; /* bits of the input that go into the descriptor … */
	uint8_t shift;	    /* … from here */
	uint32_t desc;
} messages[] = {
	{ GEN_SFID_SAMPLER, 3, 8, 1u << 17 | 0x02u << 12 },
	{ GEN_SFID_SAMPLER, 3, 8, 2u << 17 | 0x02u << 12 },
	{ GEN_SFID_SAMPLER, 3, 8, 1u << 17 | 0x04u << 12 },
	{ GEN_SFID_SAMPLER, 3, 8, 1u << 17 | 0x07u << 12 },
	{ GEN_SFID_SAMPLER, 3, 8, 2u << 17 | 0x07u << 12 | 1u << 30 },
	{ GEN_SFID_SAMPLER, 3, 8, 1u << 17 | 0x0au << 12 },
	{ GEN_SFID_SAMPLER, 3, 8, 1u << 17 | 0x18u << 12 },
	{ GEN_SFID_SAMPLER, 3, 8, 2u << 17 | 0x18u << 12 },
	{ GEN_SFID_SAMPLER, 3, 8, 2u << 17 | 0x18u << 12 | 1u << 30 | 1u << 19 },
	{ GEN_SFID_SAMPLER, 3, 8, 2u << 17 | 0x1au << 12 },
	{ GEN_SFID_DC1, 4, 8, 0x04u << 14 | 1u << 19 },
	{ GEN_SFID_DC1, 4, 8, 0x05u << 14 | 1u << 12 },
	{ GEN_SFID_DC1, 4, 8, 0x06u << 14 | 1u << 13 },
	{ GEN_SFID_DC1, 4, 8, 0x07u << 14 | 1u << 13 },
	{ GEN_SFID_DC1, 4, 8, 0x0au << 14 | 1u << 19 },
	{ GEN_SFID_DC1, 4, 8, 0x0du << 14 | 1u << 12 },
};

/* The states, where the image lies as the surface's address says in its low bits. */
static void put_states(struct fuzz_gpu *gpu, const uint8_t *data)
{
	uint8_t *state = fuzz_gpu_add(gpu, STATE, STATE_BYTES, NULL, 0);
	const uint32_t entry = SURFACE;
	uint64_t base;
	uint32_t border;

	memcpy(state + TABLE, &entry, sizeof(entry));
	memcpy(state + SURFACE, data, 64);
	memcpy(&base, data + 32, sizeof(base));
	base = IMAGE + base % (LOW_BYTES + HIGH_BYTES);
	memcpy(state + SURFACE + 32, &base, sizeof(base));
	memcpy(state + SAMPLER, data + 64, 16);
	memcpy(&border, data + 72, sizeof(border));
	border = (border & 63) | BORDER;
	memcpy(state + SAMPLER + 8, &border, sizeof(border));
	memcpy(state + BORDER, data + 80, 16);
}

static void fill(struct eu_thread *thread, const uint8_t *data, size_t size)
{
	memset(thread->grf, 0, sizeof(thread->grf));
	for (size_t i = 0; size > 0 && i < 20 * GEN_GRF_BYTES; i++)
		thread->grf[PAYLOAD * GEN_GRF_BYTES + i] = data[i % size];
}

static void run(struct eu_thread *thread, const uint8_t *head, struct gen_fault *fault)
{
	unsigned which = (head[0] & 63) % UTIL_ARRAY_SIZE(messages);
	struct eu_send send = {
		.sfid = messages[which].sfid,
		.desc = messages[which].desc | (head[1] & ((1u << messages[which].bits) - 1))
						       << messages[which].shift,
		.src0 = PAYLOAD * GEN_GRF_BYTES,
		.dst = RESULT * GEN_GRF_BYTES,
		.mlen = 1 + head[2] % 15,
		.rlen = head[3] % 9,
		.exec_size = 8,
	};

	send.xlen = head[2] / 15 % 8;
	send.src1 = (uint16_t)(send.src0 + send.mlen * GEN_GRF_BYTES);
	send.writes = send.rlen > 0;
	if (send.sfid == GEN_SFID_SAMPLER) {
		/* Sampler 0 only, from the thread's pointer or the header's. */
		send.desc &= ~0xf00u;
		if (util_bits(send.desc, 18, 17) == 2)
			send.exec_size = 16;
	}
	if (eu_message_bind(thread->worker->device, &send, fault) == 0)
		(void)send.run(thread, &send, UINT32_MAX >> (head[3] >> 4));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct eu_thread *thread;
	struct eu_translation translation = { { 0, 0, NULL } };
	struct eu_surface surfaces[1] = { 0 };
	struct gen_fault fault = { 0 };
	struct eu_dispatch dispatch = {
		.surface_state_base = STATE,
		.binding_table_base = STATE,
		.dynamic_state_base = STATE,
		.binding_table = TABLE,
		.sampler_state = SAMPLER,
	};
	struct eu_worker worker = {
		.dispatch = &dispatch,
		.translations = &translation,
		.surfaces = surfaces,
		.fault = &fault,
	};
	struct eu_group group = { .dispatch = &dispatch, .live = 1 };
	struct fuzz_gpu gpu;

	if (size < INPUT_BYTES)
		return 0;
	worker.device = fuzz_family(data[0] >> 6);
	if (!thread)
		thread = aligned_alloc(64, (sizeof(*thread) + 63) & ~(size_t)63);
	if (!thread)
		abort();
	fuzz_gpu_init(&gpu);
	put_states(&gpu, data + HEAD_BYTES);
	fuzz_gpu_add(&gpu, IMAGE, LOW_BYTES, NULL, 0);
	fuzz_gpu_add(&gpu, IMAGE + LOW_BYTES, HIGH_BYTES, NULL, 0);
	dispatch.bus = &gpu.bus;
	thread->worker = &worker;
	thread->group = &group;
	thread->kernel = NULL;
	fill(thread, data + INPUT_BYTES, size - INPUT_BYTES);
	run(thread, data, &fault);
	eu_images_finish(&worker);
	fuzz_gpu_finish(&gpu);
	return 0;
}
