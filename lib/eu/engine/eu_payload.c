// SPDX-License-Identifier: MIT
#include "eu/engine/eu_payload.h"

#include <stdlib.h>
#include <string.h>

#include "eu/memory/eu_memory.h"
#include "eu/state/eu_host.h"
#include "gen/gen_inst.h"

enum { SCRATCH_UNIT = 1024, BARRIER_SHIFT = 24 };

/* Reads what is there of `size` bytes of the payload from `offset` on; zeros for the rest. */
static bool read_block(const struct eu_dispatch *dispatch, uint64_t offset, uint8_t *to,
	size_t size, struct gen_fault *fault)
{
	uint64_t address = dispatch->payload + offset, missing = 0;

	if (dispatch->start) {
		memcpy(to, dispatch->start + offset, size);
		return true;
	}
	memset(to, 0, size);
	if (offset >= dispatch->payload_bytes)
		return true;
	if (size > dispatch->payload_bytes - offset)
		size = (size_t)(dispatch->payload_bytes - offset);
	if (!eu_memory_copy_from(dispatch->bus, address, to, size, &missing)) {
		fault->address = missing;
		gen_fault_add(fault, GEN_FAULT_PAGE,
			"thread payload at 0x%012llx: nothing is bound there",
			(unsigned long long)missing);
		return false;
	}
	return true;
}

static bool reserve(struct eu_payload *payload, size_t size, struct gen_fault *fault)
{
	size += !size; /* never NULL, so that empty blocks need no care */
	if (size <= payload->data_capacity)
		return true;
	uint8_t *data = realloc(payload->data, size);
	if (!data) {
		gen_fault_add(
			fault, GEN_FAULT_NO_MEMORY, "no memory for a payload of %zu bytes", size);
		return false;
	}
	payload->data = data;
	payload->data_capacity = size;
	return true;
}

static unsigned log2_floor(uint32_t value)
{
	unsigned n = 0;

	while (value >>= 1)
		n++;
	return n;
}

static bool prepare_header(struct eu_payload *payload, const struct eu_dispatch *dispatch,
	uint32_t resident_threads, struct gen_fault *fault)
{
	uint32_t scratch = dispatch->scratch_bytes_per_thread;
	uint64_t scratch_end = dispatch->scratch + (uint64_t)scratch * resident_threads;

	memset(payload->header, 0, sizeof payload->header);
	payload->header[0] = dispatch->payload_pointer;
	payload->header[3] = dispatch->sampler_state & ~31u;
	payload->header[4] = dispatch->binding_table & ~31u;
	payload->header[5] = dispatch->scratch_surface;
	payload->barrier_mask = dispatch->numbers_threads ? 0 : 0x7f;
	payload->index_mask = dispatch->numbers_threads ? 0xff : 0;
	if (dispatch->numbers_threads)
		payload->header[2] = dispatch->threads_per_group << BARRIER_SHIFT;
	payload->scratch_bytes = scratch;
	if (!scratch)
		return true;
	if (scratch_end > UINT32_MAX || dispatch->scratch % SCRATCH_UNIT ||
		scratch % SCRATCH_UNIT) {
		gen_fault_add(fault, GEN_FAULT_BAD_STATE,
			"scratch space at offset 0x%llx, %u bytes for a thread: a thread's header "
			"cannot hold that",
			(unsigned long long)dispatch->scratch, scratch);
		return false;
	}
	payload->header[3] |= log2_floor(scratch / SCRATCH_UNIT);
	payload->header[5] = (uint32_t)dispatch->scratch;
	return true;
}

/*
 * Kernels read registers as a whole right after this: they are stored as a whole, since the
 * processor does not forward two stores to one load.
 */
typedef uint32_t whole __attribute__((vector_size(32), aligned(4), may_alias));

static inline __attribute__((always_inline)) void write_registers(const struct eu_payload *payload,
	const uint32_t id[3], uint32_t barrier, uint32_t index, uint32_t fftid, uint8_t *grf)
{
	const uint32_t *header = payload->header;
	const struct eu_payload_block *first = &payload->blocks[0], *second = &payload->blocks[1];
	const uint8_t *from = first->data + index * first->stride;
	const uint8_t *end = from + first->bytes;

	*(whole *)(void *)grf = (whole){ header[0], id[0],
		header[2] | (barrier & payload->barrier_mask) << BARRIER_SHIFT |
			(index & payload->index_mask),
		header[3], header[4], (header[5] + fftid * payload->scratch_bytes) | fftid, id[1],
		id[2] };
	grf += GEN_GRF_BYTES;
	for (; from != end; from += GEN_GRF_BYTES, grf += GEN_GRF_BYTES)
		*(whole *)(void *)grf = *(const whole *)(const void *)from;
	from = second->data + index * second->stride;
	end = from + second->bytes;
	for (; from != end; from += GEN_GRF_BYTES, grf += GEN_GRF_BYTES)
		*(whole *)(void *)grf = *(const whole *)(const void *)from;
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void write_avx2(const struct eu_payload *payload,
	const uint32_t id[3], uint32_t barrier, uint32_t index, uint32_t fftid, uint8_t *grf)
{
	write_registers(payload, id, barrier, index, fftid, grf);
}
#endif

static void write_base(const struct eu_payload *payload, const uint32_t id[3], uint32_t barrier,
	uint32_t index, uint32_t fftid, uint8_t *grf)
{
	write_registers(payload, id, barrier, index, fftid, grf);
}

static eu_payload_writer *select_writer(void)
{
#ifdef __x86_64__
	if (eu_target_select().host != EU_HOST_BASE)
		return write_avx2;
#endif
	return write_base;
}

bool eu_payload_prepare(struct eu_payload *payload, const struct eu_dispatch *dispatch,
	uint32_t resident_threads, struct gen_fault *fault)
{
	size_t cross = (size_t)dispatch->cross_thread_registers * GEN_GRF_BYTES;
	size_t thread = (size_t)dispatch->per_thread_registers * GEN_GRF_BYTES;
	size_t threads = thread * dispatch->threads_per_group;

	if (cross + thread > (GEN_GRF_COUNT - 1) * GEN_GRF_BYTES) {
		gen_fault_add(fault, GEN_FAULT_BAD_STATE,
			"a payload of %zu bytes does not fit the registers", cross + thread);
		return false;
	}
	if (!reserve(payload, threads + cross, fault) ||
		!prepare_header(payload, dispatch, resident_threads, fault))
		return false;
	payload->blocks[dispatch->cross_first] =
		(struct eu_payload_block){ payload->data, thread, thread };
	payload->blocks[!dispatch->cross_first] =
		(struct eu_payload_block){ payload->data + threads, cross, 0 };
	payload->write = select_writer();
	return read_block(dispatch, 0, payload->data + threads, cross, fault) &&
	       read_block(dispatch, cross, payload->data, threads, fault);
}

uint32_t eu_payload_pixels(
	const struct eu_dispatch *dispatch, const uint32_t group_id[3], uint8_t *grf)
{
	enum { PLACES = 8, MASK = 28, HALF = 16 }; /* byte offsets in r1; channels of a register */
	const struct eu_pixels *pixels = &dispatch->pixels;
	uint32_t mask = 0, x, y;

	for (unsigned i = 0; i < dispatch->simd; i++) {
		uint8_t *own = grf + (1 + i / HALF) * GEN_GRF_BYTES;

		eu_dispatch_pixel(dispatch, group_id, i, &x, &y);
		if (i % 4 == 0) {
			uint16_t place[2] = { (uint16_t)x, (uint16_t)y };
			memcpy(own + PLACES + i % HALF, place, sizeof(place));
		}
		if (x >= pixels->left && x < pixels->right && y >= pixels->top &&
			y < pixels->bottom)
			mask |= 1u << i;
		uint16_t half = (uint16_t)(mask >> (i & HALF));
		memcpy(own + MASK, &half, sizeof(half));
	}
	return mask;
}

void eu_payload_finish(struct eu_payload *payload)
{
	free(payload->data);
	memset(payload, 0, sizeof *payload);
}
