// SPDX-License-Identifier: MIT
#include "eu/debug/eu_debug_memory.h"

#include <string.h>

#include "eu/memory/eu_memory.h"
#include "util/util_bits.h"

/* Numbers of IGC's registers that are no general ones. */
enum {
	CELL_IP = 0,
	CELL_MASK = 1,
	CELL_SCRATCH = 6,
	CELL_GENERAL = 7,
	CELL_SURFACES = 8,
	CELL_BINDLESS_SURFACES = 9,
	CELL_BINDLESS_SAMPLERS = 10
};

/* Where an address is: host memory, or GPU memory behind the bus. */
struct place {
	uint8_t *host; /* NULL: not in the host's */
	uint64_t address;
	uint64_t bytes; /* from there on */
};

/* The thread's scratch space: part of a range, or of a surface as messages find it. */
static struct place find_scratch(struct eu_thread *thread)
{
	const struct eu_dispatch *dispatch = thread->worker->dispatch;
	const struct eu_send send = {
		.access = { .index = EU_BTI_BINDLESS, .from_state_base = true, .is_scratch = true }
	};
	uint64_t bytes = dispatch->scratch_bytes_per_thread;

	if (!dispatch->scratch_surface)
		return (struct place){ .address = dispatch->general_state_base + dispatch->scratch +
						  thread->fftid * bytes,
			.bytes = bytes };
	struct gen_fault own = *thread->worker->fault; /* a miss is no fault of the thread's */
	const struct eu_surface *surface = eu_surface_find(thread, &send);
	*thread->worker->fault = own;
	return surface ? (struct place){ .address = surface->base, .bytes = surface->size }
		       : (struct place){ 0 };
}

static uint64_t cell(const struct eu_debug_thread *t, unsigned number)
{
	const struct eu_dispatch *dispatch = t->thread->worker->dispatch;

	switch (number) {
	case CELL_IP:
		return eu_debug_address(t);
	case CELL_MASK:
		return t->thread->act.bits;
	case CELL_SCRATCH:
		return find_scratch(t->thread).address;
	case CELL_GENERAL:
		return dispatch->general_state_base;
	case CELL_SURFACES:
		return dispatch->surface_state_base;
	case CELL_BINDLESS_SURFACES:
		return dispatch->bindless_surface_base;
	case CELL_BINDLESS_SAMPLERS:
		return dispatch->bindless_sampler_base;
	case EU_DEBUG_CELL_LANE:
		return t->lane;
	case EU_DEBUG_CELL_CODE:
		return eu_debug_code_base(t);
	default:
		return 0;
	}
}

/* Local memory has the tag 2 in generic pointers, private memory 1; GPU addresses have 0 or 7. */
static struct place find(struct eu_thread *thread, uint64_t address)
{
	struct place place = { .address = address & EU_ADDRESS_MASK };
	const struct eu_group *group = thread->group;
	uint64_t low = address & EU_ADDRESS_MASK;
	uint64_t slm = thread->worker->dispatch->slm_bytes;

	place.bytes = EU_ADDRESS_MASK + 1 - low;
	if ((address & ~EU_ADDRESS_MASK) == EU_DEBUG_LOCAL || address >> 61 == 2) {
		low &= UINT32_MAX;
		place.host = group->slm ? group->slm + (low < slm ? low : 0) : NULL;
		place.bytes = group->slm && low < slm ? slm - low : 0;
	} else if ((address & ~EU_ADDRESS_MASK) == EU_DEBUG_SCRATCH) {
		place = find_scratch(thread);
		place.address += low;
		place.bytes = low < place.bytes ? place.bytes - low : 0;
	}
	return place;
}

static size_t read_cells(const struct eu_debug_thread *t, uint64_t at, void *out, size_t size)
{
	uint64_t cells[EU_DEBUG_CELL_COUNT];

	for (unsigned i = 0; i < EU_DEBUG_CELL_COUNT; i++)
		cells[i] = cell(t, i);
	if (at >= sizeof cells)
		return 0;
	size = size < sizeof cells - at ? size : sizeof cells - at;
	memcpy(out, (const uint8_t *)cells + at, size);
	return size;
}

static size_t clip(size_t size, uint64_t limit)
{
	return size < limit ? size : (size_t)limit;
}

/* Byte by byte where a whole cannot be had. */
static size_t copy(const struct eu_thread *thread, const struct place *place, void *out,
	const void *in, size_t size)
{
	const struct eu_bus *bus = thread->worker->dispatch->bus;
	uint64_t missing = place->address + size;

	size = clip(size, place->bytes);
	if (place->host) {
		memcpy(out ? out : place->host, out ? place->host : in, size);
		return size;
	}
	if (!bus || !size)
		return 0;
	bool whole = out ? eu_memory_copy_from(bus, place->address, out, size, &missing)
			 : eu_memory_copy_to(bus, place->address, in, size, &missing);
	return whole ? size : clip(size, missing - place->address);
}

size_t eu_debug_read(const struct eu_debug_thread *t, uint64_t address, void *out, size_t size)
{
	uint64_t into = address - EU_DEBUG_REGISTERS;

	if (into < EU_DEBUG_CELLS) {
		size = clip(size, EU_DEBUG_CELLS - into);
		memcpy(out, t->thread->grf + into, size);
		return size;
	}
	if (into - EU_DEBUG_CELLS < EU_DEBUG_CELL_COUNT * sizeof(uint64_t))
		return read_cells(t, into - EU_DEBUG_CELLS, out, size);
	struct place place = find(t->thread, address);
	return copy(t->thread, &place, out, NULL, size);
}

size_t eu_debug_write(struct eu_debug_thread *t, uint64_t address, const void *in, size_t size)
{
	uint64_t into = address - EU_DEBUG_REGISTERS;

	if (into < EU_DEBUG_CELLS) {
		size = clip(size, EU_DEBUG_CELLS - into);
		memcpy(t->thread->grf + into, in, size);
		return size;
	}
	struct place place = find(t->thread, address);
	return copy(t->thread, &place, NULL, in, size);
}

void eu_debug_peek(struct eu_thread *thread, uint64_t address, void *out, size_t size)
{
	struct place place = find(thread, address);

	copy(thread, &place, out, NULL, size);
}
