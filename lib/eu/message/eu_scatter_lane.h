// SPDX-License-Identifier: MIT
#ifndef EU_SCATTER_LANE_H
#define EU_SCATTER_LANE_H

#include <string.h>

#include "eu/message/eu_memory.h"
#include "eu/message/eu_message_family.h"

/*
 * Messages in which each lane has an address of its own, lane by lane but for the simplest
 * patterns: every form, and every case of a form. eu_scatter_tmpl.h has the frequent ones.
 */

#define TEMPLATE static inline __attribute__((always_inline))

enum { MAX_LANES = 16, MAX_LANE_BYTES = 64 };

/* What one message moves. */
struct shape {
	enum eu_space space;
	unsigned lanes; /* 8 or 16, whatever the execution size */
	unsigned size;	/* bytes of an element in memory: 1, 2, 4, 8 */
	unsigned count; /* elements of a lane, consecutive in memory */
	unsigned shift; /* offsets are in units of 1 << shift bytes */
	unsigned off;	/* untyped messages: disabled channels below the last enabled one */
};

/* In registers: element j of lane i is at (j * lanes + i) * slot; bytes and words have a dword. */
static inline unsigned slot_bytes(unsigned size)
{
	return size < 4 ? 4 : size;
}

static inline unsigned address_bytes(enum eu_space space)
{
	return space == EU_SPACE_A64 ? 8 : 4;
}

static inline unsigned header_bytes(const struct eu_send *send)
{
	return eu_message_has_header(send) ? GEN_GRF_BYTES : 0;
}

/* What is added to every lane's offset. */
TEMPLATE uint64_t space_base(
	const struct eu_thread *thread, const struct eu_send *send, enum eu_space space)
{
	uint64_t base = 0;

	if (space != EU_SPACE_STATELESS)
		return 0;
	base = eu_message_general_base(thread);
	if (eu_message_has_header(send)) {
		const uint8_t *header = thread->grf + send->src0;

		base += eu_message_dword(header, 2);
		base += eu_message_dword(header, 5);
	}
	return base;
}

/* Offset of a lane within its space, from what its address register holds. */
TEMPLATE uint64_t lane_offset(uint64_t base, uint64_t address, enum eu_space space, unsigned shift)
{
	if (space == EU_SPACE_A64)
		return address & EU_ADDRESS_MASK;
	address <<= shift;
	if (space == EU_SPACE_SLM)
		return address & EU_SLM_MASK;
	return space == EU_SPACE_STATELESS ? (base + address) & EU_ADDRESS_MASK : address;
}

TEMPLATE uint64_t lane_address(const uint8_t *addresses, unsigned lane, enum eu_space space)
{
	uint64_t wide;
	uint32_t narrow;

	if (space == EU_SPACE_A64) {
		memcpy(&wide, addresses + lane * 8, 8);
		return wide;
	}
	memcpy(&narrow, addresses + lane * 4, 4);
	return narrow;
}

enum pattern { SCATTERED, CONTIGUOUS, UNIFORM };

/* How the addresses of all lanes lie; `stride` is in the addresses' own units. */
TEMPLATE enum pattern find_pattern(
	const uint8_t *addresses, enum eu_space space, unsigned lanes, unsigned stride)
{
	uint64_t wide[MAX_LANES], wide_off = 0, wide_moved = 0;
	uint32_t narrow[MAX_LANES], off = 0, moved = 0;

	if (space == EU_SPACE_A64) {
		memcpy(wide, addresses, lanes * 8);
		for (unsigned i = 0; i < lanes; i++) {
			wide_off |= wide[i] ^ (wide[0] + (uint64_t)i * stride);
			wide_moved |= wide[i] ^ wide[0];
		}
		return wide_off == 0 ? CONTIGUOUS : wide_moved == 0 ? UNIFORM : SCATTERED;
	}
	memcpy(narrow, addresses, lanes * 4);
	if (narrow[lanes - 1] < narrow[0]) /* not contiguous in 64 bits when it wraps in 32 */
		return SCATTERED;
	for (unsigned i = 0; i < lanes; i++) {
		off |= narrow[i] ^ (narrow[0] + i * stride);
		moved |= narrow[i] ^ narrow[0];
	}
	return off == 0 ? CONTIGUOUS : moved == 0 ? UNIFORM : SCATTERED;
}

TEMPLATE void load_element(uint8_t *slot, const uint8_t *memory, unsigned size)
{
	if (size < 4)
		memset(slot, 0, 4);
	memcpy(slot, memory, size);
}

TEMPLATE void load_contiguous(
	uint8_t *out, const uint8_t *memory, unsigned lanes, unsigned size, unsigned count)
{
	unsigned slot = slot_bytes(size);

	if (count == 1 && slot == size) {
		memcpy(out, memory, lanes * size);
		return;
	}
	if (count == 1 && size == 1) {
		for (unsigned i = 0; i < lanes; i++) {
			uint32_t wide = memory[i];
			memcpy(out + 4 * i, &wide, 4);
		}
		return;
	}
	for (unsigned j = 0; j < count; j++) {
		for (unsigned i = 0; i < lanes; i++)
			load_element(out + (j * lanes + i) * slot, memory + (i * count + j) * size,
				size);
	}
}

TEMPLATE void load_uniform(
	uint8_t *out, const uint8_t *memory, unsigned lanes, unsigned size, unsigned count)
{
	unsigned slot = slot_bytes(size);

	for (unsigned j = 0; j < count; j++) {
		uint8_t element[8];

		load_element(element, memory + j * size, size);
		for (unsigned i = 0; i < lanes; i++)
			memcpy(out + (j * lanes + i) * slot, element, slot);
	}
}

/* Loads all lanes at once when their addresses are contiguous or equal and in the view's range. */
TEMPLATE bool load_whole(const struct eu_view *view, const uint8_t *addresses, uint64_t base,
	enum eu_space space, unsigned lanes, unsigned size, unsigned count, unsigned shift)
{
	unsigned bytes = size * count;
	enum pattern pattern = find_pattern(addresses, space, lanes, bytes >> shift);
	uint8_t *out = view->thread->grf + view->send->dst;
	const uint8_t *memory;

	if (pattern == SCATTERED)
		return false;
	memory =
		eu_view_at(view, lane_offset(base, lane_address(addresses, 0, space), space, shift),
			pattern == CONTIGUOUS ? (uint64_t)bytes * lanes : bytes);
	if (!memory)
		return false;
	if (pattern == CONTIGUOUS)
		load_contiguous(out, memory, lanes, size, count);
	else
		load_uniform(out, memory, lanes, size, count);
	return true;
}

TEMPLATE enum eu_status load(struct eu_thread *thread, const struct eu_send *send, uint32_t enabled,
	enum eu_space space, unsigned lanes, unsigned size, unsigned count, unsigned shift)
{
	const uint32_t all = (UINT32_C(1) << lanes) - 1;
	const unsigned width = address_bytes(space), slot = slot_bytes(size), bytes = size * count;
	uint8_t copy[MAX_LANES * 8], memory_copy[MAX_LANE_BYTES];
	uint8_t *out = thread->grf + send->dst;
	const uint8_t *addresses, *memory;
	struct eu_view view;
	uint64_t base;

	enabled &= all;
	if (enabled == 0)
		return EU_RUN;
	if (!eu_view_open(&view, thread, send, space))
		return EU_FAULT;
	base = space_base(thread, send, space);
	addresses = eu_payload(thread, send, header_bytes(send), lanes * width, copy);
	if (enabled == all && load_whole(&view, addresses, base, space, lanes, size, count, shift))
		return EU_RUN;
	if (addresses != copy) /* the result may replace the addresses */
		memcpy(copy, addresses, lanes * width);
	for (uint32_t rest = enabled; rest != 0; rest &= rest - 1) {
		unsigned i = (unsigned)__builtin_ctz(rest);
		uint64_t offset = lane_offset(base, lane_address(copy, i, space), space, shift);

		memory = eu_view_at(&view, offset, bytes);
		if (!memory) {
			if (!eu_view_load(&view, i, offset, memory_copy, bytes))
				return EU_FAULT;
			memory = memory_copy;
		}
		for (unsigned j = 0; j < count; j++)
			load_element(out + (j * lanes + i) * slot, memory + j * size, size);
	}
	return EU_RUN;
}

TEMPLATE void store_contiguous(
	uint8_t *memory, const uint8_t *data, unsigned lanes, unsigned size, unsigned count)
{
	unsigned slot = slot_bytes(size);

	if (count == 1 && slot == size) {
		memcpy(memory, data, lanes * size);
		return;
	}
	for (unsigned j = 0; j < count; j++) {
		for (unsigned i = 0; i < lanes; i++)
			memcpy(memory + (i * count + j) * size, data + (j * lanes + i) * slot,
				size);
	}
}

TEMPLATE enum eu_status store(struct eu_thread *thread, const struct eu_send *send,
	uint32_t enabled, enum eu_space space, unsigned lanes, unsigned size, unsigned count,
	unsigned shift)
{
	const uint32_t all = (UINT32_C(1) << lanes) - 1;
	const unsigned width = address_bytes(space), slot = slot_bytes(size), bytes = size * count;
	uint8_t copy[MAX_LANES * 8], data_copy[MAX_LANES * MAX_LANE_BYTES], element[MAX_LANE_BYTES];
	const uint8_t *addresses, *data;
	struct eu_view view;
	uint8_t *memory;
	uint64_t base;

	enabled &= all;
	if (enabled == 0)
		return EU_RUN;
	if (!eu_view_open(&view, thread, send, space))
		return EU_FAULT;
	base = space_base(thread, send, space);
	addresses = eu_payload(thread, send, header_bytes(send), lanes * width, copy);
	data = eu_payload(
		thread, send, header_bytes(send) + lanes * width, lanes * slot * count, data_copy);
	if (enabled == all && find_pattern(addresses, space, lanes, bytes >> shift) == CONTIGUOUS) {
		memory = eu_view_at(&view,
			lane_offset(base, lane_address(addresses, 0, space), space, shift),
			(uint64_t)bytes * lanes);
		if (memory) {
			store_contiguous(memory, data, lanes, size, count);
			return EU_RUN;
		}
	}
	for (uint32_t rest = enabled; rest != 0; rest &= rest - 1) {
		unsigned i = (unsigned)__builtin_ctz(rest);
		uint64_t offset =
			lane_offset(base, lane_address(addresses, i, space), space, shift);

		memory = eu_view_at(&view, offset, bytes);
		for (unsigned j = 0; j < count; j++)
			memcpy((memory ? memory : element) + j * size,
				data + (j * lanes + i) * slot, size);
		if (!memory && !eu_view_store(&view, i, offset, element, bytes))
			return EU_FAULT;
	}
	return EU_RUN;
}

#undef TEMPLATE

#endif
