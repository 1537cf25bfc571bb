// SPDX-License-Identifier: MIT
/* What a message is about to do to memory, lane by lane, for the checks of eu_check.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "eu/watch/eu_check.h"
#include "eu/ops/eu_kernel.h"
#include "eu/watch/eu_allocation.h"
#include "eu/memory/eu_memory.h"
#include "gen/gen_state.h"

enum { PAGE = 4096, GROUPS = 64 };

/* ---- local memory ---- */

/*
 * Which bytes of local memory its group has written, of the groups that this host thread has at a
 * time; found by where their local memory is.
 */
static _Thread_local struct shadow {
	const uint8_t *slm;
	uint8_t *written; /* GEN_SLM_BYTES of 0 or 1 */
} shadows[GROUPS];

static uint8_t *shadow_of(const struct eu_thread *thread)
{
	for (unsigned i = 0; i < GROUPS; i++) {
		struct shadow *shadow = &shadows[i];
		if (shadow->slm == thread->group->slm)
			return shadow->written;
		if (shadow->slm)
			continue;
		shadow->written = calloc(1, GEN_SLM_BYTES);
		if (shadow->written)
			shadow->slm = thread->group->slm;
		return shadow->written;
	}
	return NULL;
}

void eu_check_begin(struct eu_thread *thread)
{
	uint8_t *written = thread->index == 0 && thread->group->slm ? shadow_of(thread) : NULL;

	if (written)
		memset(written, 0, GEN_SLM_BYTES);
}

static void check_local(const struct eu_event *event, unsigned lane, uint64_t offset)
{
	const struct eu_thread *thread = event->thread;
	const struct eu_send *send = event->send;
	uint8_t *written = shadow_of(thread);
	uint64_t limit = thread->worker->dispatch->slm_bytes;

	for (unsigned i = 0; written && i < send->access.bytes && offset + i < limit; i++) {
		if (send->access.reads && !eu_event_is_store(event) && !written[offset + i])
			eu_check_report(thread, send->inst, (int)lane, EU_CHECK_INIT,
				"uninitialized-local",
				"%s: channel %u reads byte %llu of local memory, which no "
				"work-item has written",
				send->access.name, lane, (unsigned long long)offset + i);
		written[offset + i] |= send->access.writes;
	}
}

/* ---- buffers ---- */

unsigned eu_check_find_surfaces(const struct eu_thread *thread, struct gen_surface_state *out)
{
	const struct eu_dispatch *dispatch = thread->worker->dispatch;
	uint64_t base = dispatch->surface_state_base, table = dispatch->binding_table;
	uint32_t dwords[GEN_SURFACE_STATE_DWORDS], entry, first = 0;
	unsigned count = 0;

	if (dispatch->binding_table_base != base)
		return 0;
	for (unsigned i = 0; i < EU_CHECK_SURFACES; i++) {
		if (!eu_memory_copy_from(dispatch->bus, (base + table + 4 * i) & EU_ADDRESS_MASK,
			    &entry, 4, NULL))
			break;
		if (i == 0)
			first = entry;
		if (entry != first + 64 * i || entry >= table)
			break;
		if (!eu_memory_copy_from(dispatch->bus, (base + entry) & EU_ADDRESS_MASK, dwords,
			    sizeof dwords, NULL))
			break;
		gen_surface_state_parse(
			thread->worker->device->family->generation, dwords, &out[count]);
		if (gen_surface_state_bytes(&out[count]) > 0)
			count++;
	}
	return count;
}

/* Beyond the end of a buffer, but within the pages that the driver has bound for it. */
static void check_beyond(const struct eu_thread *thread, const struct eu_send *send, unsigned lane,
	uint64_t address, const struct eu_range *range)
{
	struct gen_surface_state surfaces[EU_CHECK_SURFACES];
	const struct gen_surface_state *below = NULL;
	unsigned count = eu_check_find_surfaces(thread, surfaces);

	for (unsigned i = 0; i < count; i++) {
		uint64_t base = surfaces[i].base & EU_ADDRESS_MASK;
		if (base < range->first || base > address)
			continue;
		if (address + send->access.bytes <= base + gen_surface_state_bytes(&surfaces[i]))
			return;
		if (!below || base > (below->base & EU_ADDRESS_MASK))
			below = &surfaces[i];
	}
	if (!below)
		return;
	uint64_t base = below->base & EU_ADDRESS_MASK;
	eu_check_report(thread, send->inst, (int)lane, EU_CHECK_MEMORY, "out-of-bounds",
		"%s: channel %u, bytes %llu to %llu of the %llu of the buffer at 0x%llx",
		send->access.name, lane, (unsigned long long)(address - base),
		(unsigned long long)(address - base) + send->access.bytes - 1,
		(unsigned long long)gen_surface_state_bytes(below), (unsigned long long)base);
}

/*
 * A page that neither the host nor a kernel has touched has no memory yet: so much is certain, and
 * bytes of a page that has are not told apart.
 */
static void check_untouched(const struct eu_thread *thread, const struct eu_send *send,
	unsigned lane, uint64_t address, const struct eu_range *range)
{
	uintptr_t at = (uintptr_t)(range->host + (address - range->first));
	struct eu_allocation extent;
	unsigned char resident = 1;

	/* Beyond the end it is a mistake of another kind. */
	if (eu_allocation_find(address, &extent) && address >= extent.end)
		return;
	if (mincore((void *)(at & ~(uintptr_t)(PAGE - 1)), PAGE, &resident) || (resident & 1))
		return;
	eu_check_report(thread, send->inst, (int)lane, EU_CHECK_INIT, "uninitialized-buffer",
		"%s: channel %u reads 0x%llx, in a page that nobody has written", send->access.name,
		lane, (unsigned long long)address);
}

/*
 * Against how large the allocation is to the byte, where the program in front has told. The
 * allocation is the one that a surface begins in or, by address, the last before it in the same
 * buffer of the driver's. True when that was enough to go by.
 */
static bool check_allocation(const struct eu_thread *thread, const struct eu_send *send,
	unsigned lane, uint64_t anchor, uint64_t address, const struct eu_range *range)
{
	struct eu_allocation extent;

	if (!eu_allocation_find(anchor, &extent) ||
		(range ? extent.first < range->first : anchor >= extent.end))
		return false;
	if (address < extent.first || address + send->access.bytes > extent.end)
		eu_check_report(thread, send->inst, (int)lane, EU_CHECK_MEMORY, "out-of-bounds",
			"%s: channel %u, bytes %lld to %lld of the %llu of the buffer at 0x%llx",
			send->access.name, lane, (long long)(address - extent.first),
			(long long)(address - extent.first) + send->access.bytes - 1,
			(unsigned long long)(extent.end - extent.first),
			(unsigned long long)extent.first);
	return true;
}

/* A block whose address is no multiple of what OpenCL asks for. */
static void check_alignment(
	const struct eu_thread *thread, const struct eu_send *send, uint64_t address)
{
	if (address % send->access.alignment != 0)
		eu_check_report(thread, send->inst, -1, EU_CHECK_MEMORY, "misaligned-block",
			"%s: address 0x%llx is not a multiple of %u", send->access.name,
			(unsigned long long)address, send->access.alignment);
}

static void check_buffer(const struct eu_event *event, unsigned lane, uint64_t offset)
{
	struct eu_thread *thread = event->thread;
	const struct eu_send *send = event->send;
	const struct eu_bus *bus = thread->worker->dispatch->bus;
	uint64_t address = offset;
	struct eu_range range;

	if (send->access.space == EU_SPACE_SURFACE) {
		const struct eu_surface *surface = eu_surface_find(thread, send);
		if (!surface)
			return;
		address = (surface->base + offset) & EU_ADDRESS_MASK;
		(void)check_allocation(
			thread, send, lane, surface->base & EU_ADDRESS_MASK, address, NULL);
		if (offset >= surface->size)
			return;
	}
	if (!bus->find(bus->self, address, &range))
		return;
	if (send->access.space == EU_SPACE_A64 &&
		!check_allocation(thread, send, lane, address, address, &range))
		check_beyond(thread, send, lane, address, &range);
	if (send->access.reads && !eu_event_is_store(event))
		check_untouched(thread, send, lane, address, &range);
	else if (send->access.alignment != 0)
		check_alignment(thread, send, address);
}

/* Of the thread: all work-items that were started must be there. */
static void check_barrier(const struct eu_thread *thread, const struct eu_send *send)
{
	uint32_t absent = thread->dispatch_mask & thread->kernel->lanes & ~thread->act.bits;

	if (absent != 0)
		eu_check_report(thread, send->inst, __builtin_ctz(absent), EU_CHECK_BARRIERS,
			"divergent-barrier",
			"barrier: channels 0x%08x do not reach it with the others", absent);
}

void eu_check_message(const struct eu_event *event)
{
	const struct eu_access *access = &event->send->access;
	struct eu_touch touches[GEN_MAX_LANES];

	if (event->channels != 0 && access->kind == EU_ACCESS_BARRIER)
		check_barrier(event->thread, event->send);
	unsigned count = eu_event_touches(event, touches);
	for (unsigned i = 0; i < count; i++) {
		unsigned channel = touches[i].channel;
		uint64_t offset = touches[i].offset;
		if (access->reads && access->alignment != 0)
			check_alignment(event->thread, event->send, offset);
		if (access->space == EU_SPACE_SLM)
			check_local(event, channel, offset);
		else if (access->space != EU_SPACE_STATELESS)
			check_buffer(event, channel, offset);
	}
}
