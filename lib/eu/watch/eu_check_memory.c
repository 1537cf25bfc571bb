// SPDX-License-Identifier: MIT
/* What a message is about to do to memory, lane by lane, for the checks of eu_check.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "eu/watch/eu_check.h"
#include "eu/watch/eu_allocation.h"
#include "eu/message/eu_message.h"
#include "eu/message/eu_message_family.h"
#include "gen/gen_state.h"

enum { SLM_BYTES = 65536, PAGE = 4096, SURFACES = 32, GROUPS = 64 };

/* Where a message's lanes go. */
struct reach {
	enum eu_space space;
	unsigned lanes; /* 1 for a block */
	unsigned bytes; /* of a lane, in a row */
	unsigned shift; /* of 32-bit offsets */
	bool reads, writes, block;
};

/* What desc[18:14] means, and where it says how many lanes and bytes there are. */
enum shape { OWORDS, BYTES, DWORDS, QWORDS, UNTYPED, ATOMIC, A64_SCATTER, A64_ATOMIC, A64_BLOCK };
static const struct kind {
	uint8_t sfid, type, shape;
	bool reads, writes, a64;
} kinds[] = {
	{ GEN_SFID_DC0, 0x00, OWORDS, true, false, false },
	{ GEN_SFID_DC0, 0x01, OWORDS, true, false, false },
	{ GEN_SFID_DC0, 0x08, OWORDS, false, true, false },
	{ GEN_SFID_DC0, 0x03, DWORDS, true, false, false },
	{ GEN_SFID_DC0, 0x0b, DWORDS, false, true, false },
	{ GEN_SFID_DC0, 0x04, BYTES, true, false, false },
	{ GEN_SFID_DC0, 0x0c, BYTES, false, true, false },
	{ GEN_SFID_DC0, 0x05, QWORDS, true, false, false },
	{ GEN_SFID_DC0, 0x0d, QWORDS, false, true, false },
	{ GEN_SFID_DC1, 0x01, UNTYPED, true, false, false },
	{ GEN_SFID_DC1, 0x09, UNTYPED, false, true, false },
	{ GEN_SFID_DC1, 0x11, UNTYPED, true, false, true },
	{ GEN_SFID_DC1, 0x19, UNTYPED, false, true, true },
	{ GEN_SFID_DC1, 0x02, ATOMIC, true, true, false },
	{ GEN_SFID_DC1, 0x1b, ATOMIC, true, true, false },
	{ GEN_SFID_DC1, 0x10, A64_SCATTER, true, false, true },
	{ GEN_SFID_DC1, 0x1a, A64_SCATTER, false, true, true },
	{ GEN_SFID_DC1, 0x12, A64_ATOMIC, true, true, true },
	{ GEN_SFID_DC1, 0x1d, A64_ATOMIC, true, true, true },
	{ GEN_SFID_DC1, 0x14, A64_BLOCK, true, false, true },
	{ GEN_SFID_DC1, 0x15, A64_BLOCK, false, true, true },
};

static void describe_block(const struct eu_send *send, const struct kind *kind, struct reach *reach)
{
	static const uint8_t owords[8] = { 16, 16, 32, 64, 128 };
	unsigned size = util_bits(send->desc, 10, 8);
	bool hwords = kind->shape == A64_BLOCK && util_bits(send->desc, 12, 11) == 3;

	reach->block = true;
	reach->lanes = 1;
	reach->bytes = hwords ? eu_message_hword_bytes(send) : owords[size];
	reach->shift = kind->a64 || kind->type == 1 ? 0 : 4;
}

static void describe_lanes(const struct eu_send *send, const struct kind *kind, struct reach *reach)
{
	unsigned disabled = util_bits(send->desc, 11, 8) | 0xfffffff0u;
	unsigned count = 1u << util_bits(send->desc, 11, 10);
	bool wide = util_bits(send->desc, 8, 8);

	reach->lanes = wide ? 16 : 8;
	reach->bytes = 4;
	switch (kind->shape) {
	case BYTES:
		reach->bytes = count;
		break;
	case DWORDS:
		reach->shift = 2;
		break;
	case QWORDS:
		reach->bytes = 8 * count;
		break;
	case UNTYPED:
		reach->lanes = util_bits(send->desc, 13, 12) == 1 ? 16 : 8;
		reach->bytes = 4 * (32 - (unsigned)__builtin_clz(~disabled | 1));
		break;
	case ATOMIC:
		reach->lanes = util_bits(send->desc, 12, 12) ? 8 : 16;
		break;
	case A64_SCATTER:
		reach->lanes = util_bits(send->desc, 12, 12) ? 16 : 8;
		reach->bytes = count * (util_bits(send->desc, 9, 8) == 0	  ? 1
					       : util_bits(send->desc, 9, 8) == 1 ? 4
										  : 8);
		break;
	case A64_ATOMIC:
		reach->lanes = 8;
		reach->bytes = kind->type == 0x12 && util_bits(send->desc, 12, 12) ? 8 : 4;
		break;
	}
}

/* An exchange whose old value nobody wants: how atomic_store is compiled. */
static bool is_store(const struct eu_send *send, const struct kind *kind)
{
	bool integers = kind->type == 0x02 || kind->type == 0x12;
	return kind->reads && kind->writes && integers && util_bits(send->desc, 11, 8) == 4 &&
	       !send->writes;
}

/* False when the message does not go to memory, or in no way that is checked. */
static bool describe(const struct eu_send *send, struct reach *reach)
{
	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		const struct kind *kind = &kinds[i];
		if (kind->sfid != send->sfid || kind->type != eu_message_data_type(send))
			continue;
		*reach = (struct reach){ .space = EU_SPACE_A64,
			.reads = kind->reads && !is_store(send, kind),
			.writes = kind->writes };
		if (!kind->a64 && !eu_message_space(send, &reach->space))
			return false;
		if (kind->shape == OWORDS || kind->shape == A64_BLOCK)
			describe_block(send, kind, reach);
		else
			describe_lanes(send, kind, reach);
		return true;
	}
	return false;
}

static uint64_t lane_offset(const struct eu_thread *thread, const struct eu_send *send,
	const struct reach *reach, unsigned lane)
{
	unsigned header = eu_message_has_header(send) && !reach->block ? GEN_GRF_BYTES : 0;
	unsigned width = reach->space == EU_SPACE_A64 ? 8 : 4;
	unsigned at = reach->block ? (width == 8 ? 0 : 8) : header + lane * width;
	uint8_t copy[8];
	uint64_t offset = 0;

	memcpy(&offset, eu_payload(thread, send, at, width, copy), width);
	if (width == 8)
		return offset & EU_ADDRESS_MASK;
	offset <<= reach->shift;
	return reach->space == EU_SPACE_SLM ? offset & EU_SLM_MASK : offset;
}

/* ---- local memory ---- */

/*
 * Which bytes of local memory its group has written, of the groups that this host thread has at a
 * time; found by where their local memory is.
 */
static _Thread_local struct shadow {
	const uint8_t *slm;
	uint8_t *written; /* SLM_BYTES of 0 or 1 */
} shadows[GROUPS];

static uint8_t *shadow_of(const struct eu_thread *thread)
{
	for (unsigned i = 0; i < GROUPS; i++) {
		struct shadow *shadow = &shadows[i];
		if (shadow->slm == thread->group->slm)
			return shadow->written;
		if (shadow->slm)
			continue;
		shadow->written = calloc(1, SLM_BYTES);
		if (shadow->written)
			shadow->slm = thread->group->slm;
		return shadow->written;
	}
	return NULL;
}

void eu_check_group(const struct eu_thread *thread)
{
	uint8_t *written = thread->group->slm ? shadow_of(thread) : NULL;

	if (written)
		memset(written, 0, SLM_BYTES);
}

static void check_local(const struct eu_thread *thread, const struct eu_send *send,
	const struct reach *reach, unsigned lane, uint64_t offset)
{
	uint8_t *written = shadow_of(thread);
	uint64_t limit = thread->worker->dispatch->slm_bytes;

	for (unsigned i = 0; written && i < reach->bytes && offset + i < limit; i++) {
		if (reach->reads && !written[offset + i])
			eu_check_report(thread, send->inst, (int)lane,
				"%s: channel %u reads byte %llu of local memory, which no "
				"work-item has written",
				eu_message_name(send), lane, (unsigned long long)offset + i);
		written[offset + i] |= reach->writes;
	}
}

/* ---- buffers ---- */

/*
 * The surfaces of the binding table. It says nowhere how many there are; but the driver puts a
 * kernel's surface states one after the other and its binding table behind them.
 */
static unsigned find_surfaces(const struct eu_thread *thread, struct gen_surface_state *out)
{
	const struct eu_dispatch *dispatch = thread->worker->dispatch;
	uint64_t base = dispatch->surface_state_base, table = dispatch->binding_table;
	uint32_t dwords[GEN_SURFACE_STATE_DWORDS], entry, first = 0;
	unsigned count = 0;

	for (unsigned i = 0; i < SURFACES; i++) {
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
		gen_surface_state_parse(dwords, &out[count]);
		if (gen_surface_state_bytes(&out[count]) > 0)
			count++;
	}
	return count;
}

/* Beyond the end of a buffer, but within the pages that the driver has bound for it. */
static void check_beyond(const struct eu_thread *thread, const struct eu_send *send,
	const struct reach *reach, unsigned lane, uint64_t address, const struct eu_range *range)
{
	struct gen_surface_state surfaces[SURFACES];
	const struct gen_surface_state *below = NULL;
	unsigned count = find_surfaces(thread, surfaces);

	for (unsigned i = 0; i < count; i++) {
		uint64_t base = surfaces[i].base & EU_ADDRESS_MASK;
		if (base < range->first || base > address)
			continue;
		if (address + reach->bytes <= base + gen_surface_state_bytes(&surfaces[i]))
			return;
		if (!below || base > (below->base & EU_ADDRESS_MASK))
			below = &surfaces[i];
	}
	if (!below)
		return;
	uint64_t base = below->base & EU_ADDRESS_MASK;
	eu_check_report(thread, send->inst, (int)lane,
		"%s: channel %u, bytes %llu to %llu of the %llu of the buffer at 0x%llx",
		eu_message_name(send), lane, (unsigned long long)(address - base),
		(unsigned long long)(address - base) + reach->bytes - 1,
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
	unsigned char resident = 1;

	if (mincore((void *)(at & ~(uintptr_t)(PAGE - 1)), PAGE, &resident) || (resident & 1))
		return;
	eu_check_report(thread, send->inst, (int)lane,
		"%s: channel %u reads 0x%llx, in a page that nobody has written",
		eu_message_name(send), lane, (unsigned long long)address);
}

/*
 * Against how large the allocation is to the byte, where the program in front has told. The
 * allocation is the one that a surface begins in or, by address, the last before it in the same
 * buffer of the driver's. True when that was enough to go by.
 */
static bool check_extent(const struct eu_thread *thread, const struct eu_send *send,
	const struct reach *reach, unsigned lane, uint64_t anchor, uint64_t address,
	const struct eu_range *range)
{
	struct eu_extent extent;

	if (!eu_extent_find(anchor, &extent) ||
		(range ? extent.first < range->first : anchor >= extent.end))
		return false;
	if (address < extent.first || address + reach->bytes > extent.end)
		eu_check_report(thread, send->inst, (int)lane,
			"%s: channel %u, bytes %lld to %lld of the %llu of the buffer at 0x%llx",
			eu_message_name(send), lane, (long long)(address - extent.first),
			(long long)(address - extent.first) + reach->bytes - 1,
			(unsigned long long)(extent.end - extent.first),
			(unsigned long long)extent.first);
	return true;
}

static void check_buffer(struct eu_thread *thread, const struct eu_send *send,
	const struct reach *reach, unsigned lane, uint64_t offset)
{
	const struct eu_bus *bus = thread->worker->dispatch->bus;
	uint64_t address = offset;
	struct eu_range range;

	if (reach->space == EU_SPACE_SURFACE) {
		const struct eu_surface *surface = send->run ? eu_surface_find(thread, send) : NULL;
		if (!surface)
			return;
		address = (surface->base + offset) & EU_ADDRESS_MASK;
		(void)check_extent(
			thread, send, reach, lane, surface->base & EU_ADDRESS_MASK, address, NULL);
		if (offset >= surface->size)
			return;
	}
	if (!bus->find(bus->self, address, &range))
		return;
	if (reach->space == EU_SPACE_A64 &&
		!check_extent(thread, send, reach, lane, address, address, &range))
		check_beyond(thread, send, reach, lane, address, &range);
	if (reach->reads)
		check_untouched(thread, send, lane, address, &range);
	else if (reach->block && address % 16 != 0)
		eu_check_report(thread, send->inst, -1,
			"%s: address 0x%llx is not a multiple of 16", eu_message_name(send),
			(unsigned long long)address);
}

void eu_check_message(struct eu_thread *thread, const struct eu_send *send, uint32_t lanes)
{
	struct reach reach;

	if (lanes == 0 || !describe(send, &reach))
		return;
	if (reach.block)
		lanes = 1;
	for (lanes &= (1u << reach.lanes) - 1; lanes != 0; lanes &= lanes - 1) {
		unsigned lane = (unsigned)__builtin_ctz(lanes);
		uint64_t offset = lane_offset(thread, send, &reach, lane);
		lane += send->channel_offset;
		if (reach.space == EU_SPACE_SLM)
			check_local(thread, send, &reach, lane, offset);
		else if (reach.space != EU_SPACE_STATELESS)
			check_buffer(thread, send, &reach, lane, offset);
	}
}
