// SPDX-License-Identifier: MIT
/*
 * Messages in which each lane has an address of its own: untyped surface read and write, byte,
 * dword and qword scattered, and their forms with 64-bit addresses. They differ in how many bytes a
 * lane moves and in how those lie in registers; all are made from the two templates load and store.
 */
#include <string.h>

#include "eu/eu_memory.h"
#include "eu/eu_message_family.h"

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

/* ---- forms that have handlers of their own: X(size, count) ---- */

#define FORMS(X) X(1, 1) X(2, 1) X(4, 1) X(4, 2) X(4, 3) X(4, 4) X(8, 1)

#define HANDLERS(space, lanes, size, count)                                                        \
	static enum eu_status load_##space##_##lanes##_##size##_##count(                           \
		struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)            \
	{                                                                                          \
		return load(thread, send, enabled, EU_SPACE_##space, lanes, size, count, 0);       \
	}                                                                                          \
	static enum eu_status store_##space##_##lanes##_##size##_##count(                          \
		struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)            \
	{                                                                                          \
		return store(thread, send, enabled, EU_SPACE_##space, lanes, size, count, 0);      \
	}
#define SURFACE_FORM(size, count)                                                                  \
	HANDLERS(SURFACE, 8, size, count) HANDLERS(SURFACE, 16, size, count)
#define STATELESS_FORM(size, count)                                                                \
	HANDLERS(STATELESS, 8, size, count) HANDLERS(STATELESS, 16, size, count)
#define SLM_FORM(size, count) HANDLERS(SLM, 8, size, count) HANDLERS(SLM, 16, size, count)
#define A64_FORM(size, count) HANDLERS(A64, 8, size, count) HANDLERS(A64, 16, size, count)

FORMS(SURFACE_FORM)
FORMS(STATELESS_FORM)
FORMS(SLM_FORM)
FORMS(A64_FORM)

struct form {
	uint8_t space, lanes, size, count;
	eu_message_fn load, store;
};

#define ROW(space, lanes, size, count)                                                             \
	{ EU_SPACE_##space, lanes, size, count, load_##space##_##lanes##_##size##_##count,         \
		store_##space##_##lanes##_##size##_##count },
#define SURFACE_ROWS(size, count)   ROW(SURFACE, 8, size, count) ROW(SURFACE, 16, size, count)
#define STATELESS_ROWS(size, count) ROW(STATELESS, 8, size, count) ROW(STATELESS, 16, size, count)
#define SLM_ROWS(size, count)	    ROW(SLM, 8, size, count) ROW(SLM, 16, size, count)
#define A64_ROWS(size, count)	    ROW(A64, 8, size, count) ROW(A64, 16, size, count)

static const struct form forms[] = { FORMS(SURFACE_ROWS) FORMS(STATELESS_ROWS) FORMS(SLM_ROWS)
		FORMS(A64_ROWS) };

/* ---- descriptors ---- */

static bool untyped_shape(const struct eu_send *send, struct shape *shape)
{
	unsigned mode = util_bits(send->desc, 13, 12), disabled = util_bits(send->desc, 11, 8);

	if ((mode != 1 && mode != 2) || disabled == 0xf)
		return false;
	shape->lanes = mode == 1 ? 16 : 8;
	shape->count = 32 - (unsigned)__builtin_clz(~disabled & 0xf);
	shape->off = disabled & ((1u << shape->count) - 1);
	return true;
}

static bool byte_shape(const struct eu_send *send, struct shape *shape)
{
	shape->lanes = util_bits(send->desc, 8, 8) ? 16 : 8;
	shape->size = 1u << util_bits(send->desc, 11, 10);
	return shape->size <= 4;
}

static bool dword_shape(const struct eu_send *send, struct shape *shape)
{
	unsigned mode = util_bits(send->desc, 9, 8);

	shape->lanes = mode == 3 ? 16 : 8;
	shape->shift = 2;
	return mode >= 2;
}

static bool qword_shape(const struct eu_send *send, struct shape *shape)
{
	shape->lanes = util_bits(send->desc, 8, 8) ? 16 : 8;
	shape->size = 8;
	shape->count = 1u << util_bits(send->desc, 11, 10);
	return true;
}

static bool a64_scattered_shape(const struct eu_send *send, struct shape *shape)
{
	unsigned element = util_bits(send->desc, 9, 8);

	shape->lanes = util_bits(send->desc, 12, 12) ? 16 : 8;
	shape->count = 1u << util_bits(send->desc, 11, 10);
	if (element == 0) { /* bytes are packed in one dword */
		shape->size = shape->count;
		shape->count = 1;
		return shape->size <= 4;
	}
	shape->size = element == 1 ? 4 : 8;
	return element <= 2;
}

/* What desc[18:14] means. */
static const struct {
	uint8_t sfid, type;
	bool write, a64;
	bool (*shape)(const struct eu_send *send, struct shape *shape);
} kinds[] = {
	{ GEN_SFID_DC1, 0x01, false, false, untyped_shape },
	{ GEN_SFID_DC1, 0x09, true, false, untyped_shape },
	{ GEN_SFID_DC1, 0x11, false, true, untyped_shape },
	{ GEN_SFID_DC1, 0x19, true, true, untyped_shape },
	{ GEN_SFID_DC1, 0x10, false, true, a64_scattered_shape },
	{ GEN_SFID_DC1, 0x1a, true, true, a64_scattered_shape },
	{ GEN_SFID_DC0, 0x04, false, false, byte_shape },
	{ GEN_SFID_DC0, 0x0c, true, false, byte_shape },
	{ GEN_SFID_DC0, 0x05, false, false, qword_shape },
	{ GEN_SFID_DC0, 0x0d, true, false, qword_shape },
	{ GEN_SFID_DC0, 0x03, false, false, dword_shape },
	{ GEN_SFID_DC0, 0x0b, true, false, dword_shape },
	{ GEN_SFID_DC_READ_ONLY, 0x03, false, false, dword_shape },
};

/* Fills *shape from the descriptor; false when it is of no known form. */
static bool find_shape(const struct eu_send *send, struct shape *shape, bool *write)
{
	for (unsigned i = 0; i < UTIL_ARRAY_SIZE(kinds); i++) {
		if (kinds[i].sfid != send->sfid || kinds[i].type != eu_message_data_type(send))
			continue;
		*shape = (struct shape){ .space = EU_SPACE_A64, .size = 4, .count = 1 };
		*write = kinds[i].write;
		if (kinds[i].a64 ? !eu_message_is_stateless(send)
				 : !eu_message_space(send, &shape->space))
			return false;
		return kinds[i].shape(send, shape);
	}
	return false;
}

/* ---- other forms: the descriptor is looked at each time ---- */

static enum eu_status load_any(
	struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	struct shape shape;
	bool write;

	if (!find_shape(send, &shape, &write))
		return EU_FAULT;
	return load(thread, send, enabled, shape.space, shape.lanes, shape.size, shape.count,
		shape.shift);
}

static enum eu_status store_any(
	struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	struct shape shape;
	bool write;

	if (!find_shape(send, &shape, &write))
		return EU_FAULT;
	return store(thread, send, enabled, shape.space, shape.lanes, shape.size, shape.count,
		shape.shift);
}

/* One lane of an untyped message with gaps between its channels. */
static bool move_lane(struct eu_view *view, const struct shape *shape, unsigned lane,
	uint64_t offset, const uint8_t *data, bool write)
{
	unsigned slot = 0;

	for (unsigned channel = 0; channel < shape->count; channel++) {
		unsigned at = (slot * shape->lanes + lane) * 4;
		uint8_t *out = view->thread->grf + view->send->dst + at;

		if ((shape->off >> channel & 1) != 0)
			continue;
		if (write ? !eu_view_store(view, lane, offset + channel * 4, data + at, 4)
			  : !eu_view_load(view, lane, offset + channel * 4, out, 4))
			return false;
		slot++;
	}
	return true;
}

/* Untyped messages with gaps between their channels: only enabled ones have registers. */
static enum eu_status move_channels(
	struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	uint8_t addresses[MAX_LANES * 8], copy[MAX_LANES * 16];
	struct eu_view view;
	struct shape shape;
	const uint8_t *data;
	unsigned header = header_bytes(send), width, channels;
	bool write;
	uint64_t base;

	if (!find_shape(send, &shape, &write) || !eu_view_open(&view, thread, send, shape.space))
		return EU_FAULT;
	base = space_base(thread, send, shape.space);
	width = address_bytes(shape.space) * shape.lanes;
	channels = shape.count - (unsigned)__builtin_popcount(shape.off);
	memmove(addresses, eu_payload(thread, send, header, width, addresses), width);
	data = eu_payload(
		thread, send, header + width, write ? channels * shape.lanes * 4 : 0, copy);
	enabled &= (UINT32_C(1) << shape.lanes) - 1;
	for (uint32_t rest = enabled; rest != 0; rest &= rest - 1) {
		unsigned i = (unsigned)__builtin_ctz(rest);
		uint64_t offset =
			lane_offset(base, lane_address(addresses, i, shape.space), shape.space, 0);

		if (!move_lane(&view, &shape, i, offset, data, write))
			return EU_FAULT;
	}
	return EU_RUN;
}

static eu_message_fn find_form(const struct shape *shape, bool write)
{
	for (unsigned i = 0; shape->shift == 0 && i < UTIL_ARRAY_SIZE(forms); i++) {
		if (forms[i].space == shape->space && forms[i].lanes == shape->lanes &&
			forms[i].size == shape->size && forms[i].count == shape->count)
			return write ? forms[i].store : forms[i].load;
	}
	return write ? store_any : load_any;
}

eu_message_fn eu_message_bind_scatter(const struct eu_send *send)
{
	struct shape shape;
	unsigned registers, in, out;
	bool write;

	if (!find_shape(send, &shape, &write))
		return NULL;
	registers = (shape.count - (unsigned)__builtin_popcount(shape.off)) * shape.lanes *
		    slot_bytes(shape.size);
	in = header_bytes(send) + shape.lanes * address_bytes(shape.space);
	out = write ? 0 : registers;
	if (!eu_message_fits(send, write ? in + registers : in, send->writes ? out : 0))
		return NULL;
	if (!write && !send->writes)
		return eu_message_bind_null(send);
	return shape.off != 0 ? move_channels : find_form(&shape, write);
}
