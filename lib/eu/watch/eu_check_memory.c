// SPDX-License-Identifier: MIT
/*
 * The observer of what messages are about to do to memory, lane by lane: reads of local memory that
 * no work-item of the group has written, of buffers that nobody has, accesses beyond the end of a
 * buffer or of what has been released, and misaligned blocks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "eu/watch/eu_check.h"
#include "eu/ops/eu_kernel.h"
#include "eu/watch/eu_allocation.h"
#include "eu/memory/eu_atomic.h"
#include "eu/memory/eu_memory.h"
#include "eu/ops/eu_symbols.h"
#include "eu/watch/eu_written.h"
#include "gen/gen_state.h"

enum {
	PAGE = 4096,
	PAGES = 16,
	GROUPS = 64,
	NEAR = 1024,  /* bytes to look at at once */
	AHEAD = 2048, /* behind a message */
};

/* ---- local memory ---- */

/*
 * Which bytes of local memory its group has written, of the groups that this host thread has at a
 * time; found by where their local memory is.
 */
static _Thread_local struct shadow {
	const uint8_t *slm;
	uint64_t written[GEN_SLM_BYTES / 64];
} * shadows[GROUPS];
static _Thread_local unsigned last_shadow;

static uint64_t *shadow_of(const struct eu_thread *thread)
{
	const uint8_t *slm = thread->group->slm;
	struct shadow *last = shadows[last_shadow];

	if (last && last->slm == slm)
		return last->written;
	for (unsigned i = 0; i < GROUPS; i++) {
		if (!shadows[i])
			shadows[i] = calloc(1, sizeof(*shadows[i]));
		if (!shadows[i])
			return NULL;
		if (shadows[i]->slm && shadows[i]->slm != slm)
			continue;
		shadows[i]->slm = slm;
		last_shadow = i;
		return shadows[i]->written;
	}
	return NULL;
}

/* Nothing of its local memory is written. */
static void group_begin(struct eu_thread *thread)
{
	bool has_local = thread->worker->dispatch->slm_bytes > 0 && thread->group->slm;
	uint64_t *written = has_local ? shadow_of(thread) : NULL;

	if (written)
		memset(written, 0, (thread->worker->dispatch->slm_bytes + 63) / 64 * 8);
}

static bool is_read(const struct eu_event *event)
{
	return event->send->access.reads && !eu_event_is_store(event);
}

static bool has_any_written(const uint64_t *words, uint64_t first, uint64_t end)
{
	while (first < end && !eu_written_has(words, first, first + 1))
		first++;
	return first < end;
}

/*
 * Whether all that a lane moves of [first, end) has been written, its first element being there,
 * but for elements behind it that are copied and that nobody has written a byte of: a vector of
 * three is copied with what lies behind it.
 */
static bool has_written(
	const uint64_t *words, const struct eu_access *access, uint64_t first, uint64_t end)
{
	unsigned holes = ((1u << access->count) - 1) & ~(unsigned)access->channels;

	if (!holes && eu_written_has(words, first, end))
		return true;
	for (unsigned j = 0; first < end; j++, first += access->size) {
		const uint64_t next = first + access->size;
		if (!(holes >> j & 1) && !eu_written_has(words, first, next) &&
			(j == 0 || !(access->passed >> j & 1) ||
				has_any_written(words, first, next)))
			return false;
	}
	return true;
}

static void report_unwritten(
	const struct eu_event *event, unsigned channel, uint64_t at, const uint64_t *written)
{
	while (eu_written_has(written, at, at + 1))
		at++;
	eu_check_report(event->thread, event->send->inst, (int)channel, EU_CHECK_INIT,
		"uninitialized-local",
		"%s: channel %u reads byte %llu of local memory, which no work-item has written",
		event->send->access.name, channel, (unsigned long long)at);
}

static bool is_local_atomic(const struct eu_send *send)
{
	return send->access.kind == EU_ACCESS_ATOMIC && send->access.space == EU_SPACE_SLM &&
	       !send->access.is_float;
}

/*
 * Whether a read is part of an atomic of 64 bits. The compiler makes them of a compare and exchange
 * that takes its lock, a read, a write, and an atomic store that gives the lock back; a store of
 * the program's reads too, and drops what it has read.
 */
static bool is_under_lock(const struct eu_event *event)
{
	const struct eu_kernel *kernel = event->thread->kernel;
	const struct eu_send *first = kernel->sends, *end = first + kernel->send_count;
	const struct eu_send *before = first + event->send->site, *after = before;
	struct eu_name traits = eu_name_traits(event->thread->worker);

	if (traits.hidden_first >= traits.hidden_end)
		return false;
	while (before > first && !is_local_atomic(before))
		before--;
	while (after + 1 < end && !is_local_atomic(after))
		after++;
	return is_local_atomic(before) && before->access.operation == EU_ATOMIC_CMPWR &&
	       is_local_atomic(after) && after->access.operation == EU_ATOMIC_MOV && !after->writes;
}

static void check_local(const struct eu_event *event)
{
	const struct eu_reach *reach = event->reach;
	const struct eu_access *access = &event->send->access;
	uint64_t *written = shadow_of(event->thread);
	uint64_t limit = event->thread->worker->dispatch->slm_bytes;
	bool within = reach->high <= limit, reads = is_read(event);

	if (!written)
		return;
	if (within && reads && !access->writes && reach->high - reach->low <= NEAR &&
		eu_written_has(written, reach->low, reach->high))
		return;
	if (within && reach->in_line && !reads) {
		eu_written_add(written, reach->low, reach->high);
		return;
	}
	for (unsigned i = 0; i < reach->count; i++) {
		uint64_t first = eu_reach_offset(reach, i), end = first + access->bytes;
		end = end < limit ? end : limit;
		if (reads && !has_written(written, access, first, end) &&
			(access->writes || !is_under_lock(event)))
			report_unwritten(event, eu_reach_channel(reach, i), first, written);
		if (access->writes && first < end)
			eu_written_add(written, first, end);
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
 * Whether the page has memory: one that neither the host nor a kernel has touched has none yet.
 * Those that have it are remembered for the walker, in blocks.
 */
static bool is_resident(const struct eu_thread *thread, uintptr_t at)
{
	static _Thread_local struct {
		uintptr_t block;
		uint64_t walker, pages;
	} known[PAGES];
	uintptr_t block = at / PAGE / 64;
	uint64_t page = UINT64_C(1) << (at / PAGE & 63), walker = thread->worker->walkers;
	__typeof__(*known) *row = &known[block % PAGES];
	unsigned char resident = 1;

	if (row->block != block || row->walker != walker)
		row->pages = 0;
	row->block = block;
	row->walker = walker;
	if (!(row->pages & page)) {
		(void)mincore((void *)(at & ~(uintptr_t)(PAGE - 1)), PAGE, &resident);
		row->pages |= resident & 1 ? page : 0;
	}
	return row->pages & page;
}

static void check_written(const struct eu_thread *thread, const struct eu_send *send, unsigned lane,
	uint64_t address, const struct eu_range *range)
{
	struct eu_allocation extent;
	uint64_t end = address + send->access.bytes;

	if (eu_allocation_find(address, &extent)) {
		/* Beyond the end it is a mistake of another kind. */
		if (address >= extent.end || !extent.written || end > extent.end ||
			eu_name_number(thread->worker) == 0 ||
			has_written(extent.written, &send->access, address - extent.first,
				end - extent.first))
			return;
		while (eu_written_has(
			extent.written, address - extent.first, address + 1 - extent.first))
			address++;
		eu_check_report_memory(thread, send->inst, (int)lane, EU_CHECK_INIT,
			"uninitialized-buffer", &extent,
			"%s: channel %u reads byte %llu of the %llu of the buffer at 0x%llx, which "
			"nobody has written",
			send->access.name, lane, (unsigned long long)(address - extent.first),
			(unsigned long long)(extent.end - extent.first),
			(unsigned long long)extent.first);
	} else if (!is_resident(thread, (uintptr_t)(range->host + (address - range->first)))) {
		eu_check_report(thread, send->inst, (int)lane, EU_CHECK_INIT,
			"uninitialized-buffer",
			"%s: channel %u reads 0x%llx, in a page that nobody has written",
			send->access.name, lane, (unsigned long long)address);
	}
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
		eu_check_report_memory(thread, send->inst, (int)lane, EU_CHECK_MEMORY,
			"out-of-bounds", &extent,
			"%s: channel %u, bytes %lld to %lld of the %llu of the buffer at 0x%llx",
			send->access.name, lane, (long long)(address - extent.first),
			(long long)(address - extent.first) + send->access.bytes - 1,
			(unsigned long long)(extent.end - extent.first),
			(unsigned long long)extent.first);
	return true;
}

/* A block whose address is no multiple of what OpenCL asks for. */
static void check_alignment(const struct eu_event *event, const struct eu_surface *surface)
{
	const struct eu_send *send = event->send;
	uint64_t address = event->reach->low + (surface ? surface->base : 0);

	if (address % send->access.alignment != 0)
		eu_check_report(event->thread, send->inst, -1, EU_CHECK_MEMORY, "misaligned-block",
			"%s: address 0x%llx is not a multiple of %u", send->access.name,
			(unsigned long long)address, send->access.alignment);
}

/* By address, where an allocation of the program has been. True when that is what was wrong. */
static bool check_released(
	const struct eu_thread *thread, const struct eu_send *send, unsigned lane, uint64_t address)
{
	struct eu_allocation extent;

	if ((eu_allocation_find(address, &extent) && address < extent.end) ||
		!eu_allocation_find_released(address, &extent))
		return false;
	eu_check_report_memory(thread, send->inst, (int)lane, EU_CHECK_MEMORY, "use-after-release",
		&extent, "%s: channel %u, byte %llu of %llu that have been released",
		send->access.name, lane, (unsigned long long)(address - extent.first),
		(unsigned long long)(extent.end - extent.first));
	return true;
}

/* Lane by lane, what is not right beyond doubt. `base`: of the surface, or 0. */
static void check_lane(const struct eu_event *event, const struct eu_surface *surface,
	unsigned channel, uint64_t offset)
{
	struct eu_thread *thread = event->thread;
	const struct eu_send *send = event->send;
	const struct eu_bus *bus = thread->worker->dispatch->bus;
	uint64_t base = surface ? surface->base : 0;
	uint64_t address = (base + offset) & EU_ADDRESS_MASK;
	struct eu_range range;

	if (!surface && check_released(thread, send, channel, address))
		return;
	if (surface)
		(void)check_allocation(
			thread, send, channel, base & EU_ADDRESS_MASK, address, NULL);
	if ((surface && offset >= surface->size) || !bus->find(bus->self, address, &range))
		return;
	if (!surface && !check_allocation(thread, send, channel, address, address, &range))
		check_beyond(thread, send, channel, address, &range);
	if (is_read(event))
		check_written(thread, send, channel, address, &range);
	if (send->access.writes)
		eu_allocation_write(address, send->access.bytes);
}

/* Bytes of an allocation that a lane touches, or all of them: written if they are to be read. */
static bool is_written(const struct eu_event *event, const struct eu_allocation *extent,
	uint64_t low, uint64_t high)
{
	low -= extent->first;
	high -= extent->first;
	if (is_read(event) && !eu_written_has(extent->written, low, high))
		return false;
	if (event->send->access.writes)
		eu_written_add(extent->written, low, high);
	return true;
}

/*
 * Notes from where on the message would be right too: in an allocation all of whose bytes may be
 * read, or as far as they have been written. It stays so for the walker, whose memory nobody
 * releases.
 */
static void keep_quiet(
	const struct eu_event *event, uint64_t base, const struct eu_allocation *extent)
{
	struct eu_worker *worker = event->thread->worker;
	const struct eu_access *access = &event->send->access;
	struct eu_translation *place = &worker->translations[event->send->site];
	uint64_t bytes = access->lanes * (uint64_t)access->bytes;
	uint64_t low = extent->first, end = extent->end;

	if (access->space != EU_SPACE_SURFACE || event->thread->kernel != worker->kernel)
		return;
	if (extent->written) {
		low = base + event->reach->low;
		end = end < low + AHEAD ? end : low + AHEAD;
		end = extent->first +
		      eu_written_until(extent->written, low - extent->first, end - extent->first);
	}
	low = low > base ? low - base : 0;
	end = end > base ? end - base : 0;
	uint64_t count = end >= low + bytes ? end - low - bytes + 1 : 0;
	bool fits = low < UINT32_MAX && count < UINT32_MAX;
	place->quiet_first = (uint32_t)low;
	place->quiet_count = fits ? (uint32_t)count : 0;
}

/*
 * Whether all that a message touches is within one allocation and, if it is read, written. Notes
 * what it writes. `base`: of the surface, or 0.
 */
static bool is_right(const struct eu_event *event, uint64_t base)
{
	const struct eu_reach *reach = event->reach;
	const unsigned bytes = event->send->access.bytes;
	uint64_t low = (base + reach->low) & EU_ADDRESS_MASK;
	uint64_t high = low + (reach->high - reach->low);
	struct eu_allocation extent;

	if (!eu_allocation_find(base ? base & EU_ADDRESS_MASK : low, &extent) ||
		low < extent.first || high > extent.end)
		return false;
	bool is_line = reach->in_line || (reach->by_element && !event->send->access.writes);
	if (extent.written && (is_line || reach->is_one) && !is_written(event, &extent, low, high))
		return false;
	if (is_line || reach->is_one)
		keep_quiet(event, base & EU_ADDRESS_MASK, &extent);
	if (!extent.written || is_line || reach->is_one)
		return true;
	for (unsigned i = 0; i < reach->count; i++) {
		uint64_t at = (base + eu_reach_offset(reach, i)) & EU_ADDRESS_MASK;
		if (!is_written(event, &extent, at, at + bytes))
			return false;
	}
	return true;
}

static void check_buffer(const struct eu_event *event, const struct eu_surface *surface)
{
	const struct eu_reach *reach = event->reach;

	if (is_right(event, surface ? surface->base : 0))
		return;
	for (unsigned i = 0; i < reach->count; i++)
		check_lane(event, surface, eu_reach_channel(reach, i), eu_reach_offset(reach, i));
}

/* The first bytes of what a lane moves that are not within the surface or local memory. */
static void report_beyond(const struct eu_event *event, const struct eu_surface *surface,
	unsigned channel, uint64_t offset, uint64_t limit)
{
	const struct eu_access *access = &event->send->access;
	const bool is_block = access->kind == EU_ACCESS_BLOCK;
	const unsigned size = is_block ? 4 : access->size;
	const uint64_t end = offset + access->bytes;
	char of[64];

	for (unsigned j = 0; offset < end; j++, offset += size)
		if (offset + size > limit && (is_block || (access->channels >> j & 1)))
			break;
	if (offset >= end)
		return;
	if (surface)
		snprintf(of, sizeof of, "the %llu of buffer %u (0x%llx)", (unsigned long long)limit,
			access->index, (unsigned long long)surface->base);
	else
		snprintf(of, sizeof of, "%llu of local memory", (unsigned long long)limit);
	eu_check_report(event->thread, event->send->inst, (int)channel, EU_CHECK_MEMORY,
		"out-of-bounds", "%s: channel %u, bytes %llu to %llu of %s", access->name, channel,
		(unsigned long long)offset, (unsigned long long)(offset + size - 1), of);
}

static void check_bounds(const struct eu_event *event, const struct eu_surface *surface)
{
	const struct eu_reach *reach = event->reach;
	const uint64_t limit = surface ? surface->size : event->thread->worker->dispatch->slm_bytes;

	for (unsigned i = 0; reach->high > limit && i < reach->count; i++)
		report_beyond(event, surface, eu_reach_channel(reach, i), eu_reach_offset(reach, i),
			limit);
}

static void step(const struct eu_event *event)
{
	const struct eu_access *access = &event->send->access;
	const bool is_bound = access->space == EU_SPACE_SURFACE;
	const bool is_local = access->space == EU_SPACE_SLM;
	const struct eu_surface *surface =
		event->reach && is_bound ? eu_surface_find(event->thread, event->send) : NULL;

	if (!event->reach || access->space == EU_SPACE_STATELESS || (is_bound && !surface))
		return;
	if (access->alignment != 0 && !access->is_scratch)
		check_alignment(event, surface);
	if (is_local)
		check_local(event);
	else if (!access->is_scratch)
		check_buffer(event, surface);
	if (is_local || is_bound)
		check_bounds(event, surface);
}

static void report_no_texel(const struct eu_thread *thread, const struct eu_send *send,
	unsigned lane, uint64_t texel, uint64_t extent)
{
	lane += send->channel_offset + send->access.first;
	eu_check_report(thread, send->inst, (int)lane, EU_CHECK_MEMORY, "image-out-of-bounds",
		"%s: channel %u, texel (%d, %d) of an image of %u x %u", send->access.name, lane,
		(int)(uint32_t)texel, (int)(texel >> 32), (unsigned)extent,
		(unsigned)(extent >> 32));
}

const struct eu_observer eu_check_memory_observer = { .wanted = EU_WATCH_MEMORY,
	.wants_reach = true,
	.wants = eu_inst_is_message,
	.group_begin = group_begin,
	.step = step,
	.no_texel = report_no_texel };
