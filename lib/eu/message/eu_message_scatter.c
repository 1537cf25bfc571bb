// SPDX-License-Identifier: MIT
/*
 * Messages in which each lane has an address of its own: untyped surface read and write, byte,
 * dword and qword scattered, and their forms with 64-bit addresses. They differ in how many bytes a
 * lane moves and in how those lie in registers.
 */
#include "eu/message/eu_message.h"
#include "eu/message/eu_scatter.h"
#include "eu/message/eu_scatter_lane.h"
#include "eu/code/eu_uop.h"

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

/* ---- any form: the descriptor is looked at each time ---- */

enum eu_status eu_scatter_load(
	struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	struct shape shape;
	bool write;

	if (!find_shape(send, &shape, &write))
		return EU_FAULT;
	if (shape.off != 0)
		return move_channels(thread, send, enabled);
	return load(thread, send, enabled, shape.space, shape.lanes, shape.size, shape.count,
		shape.shift);
}

enum eu_status eu_scatter_store(
	struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	struct shape shape;
	bool write;

	if (!find_shape(send, &shape, &write))
		return EU_FAULT;
	if (shape.off != 0)
		return move_channels(thread, send, enabled);
	return store(thread, send, enabled, shape.space, shape.lanes, shape.size, shape.count,
		shape.shift);
}

static eu_message_fn find_form(const struct shape *shape, bool write)
{
	static const struct eu_scatter_form *const forms[EU_HOSTS] = {
		eu_scatter_base,
#ifdef __x86_64__
		eu_scatter_avx2,
		eu_scatter_avx512,
#endif
	};
	const struct eu_scatter_form *form = forms[eu_host_select()];
	unsigned channels = shape->off ? 0 : (1u << shape->count) - 1;
	for (; shape->shift == 0 && shape->count <= 4 && form->lanes != 0; form++)
		if (form->space == shape->space && form->lanes == shape->lanes &&
			form->size == shape->size && form->channels == channels)
			return write ? form->store : form->load;
	return write ? eu_scatter_store : eu_scatter_load;
}

bool eu_message_is_plain(const struct eu_send *send, struct eu_message_plain *plain)
{
	struct shape shape;
	unsigned registers;

	if (send->sfid != GEN_SFID_DC1 || !find_shape(send, &shape, &plain->write) ||
		(shape.space != EU_SPACE_SURFACE && shape.space != EU_SPACE_SLM) ||
		(send->desc & 0xff) == EU_BTI_BINDLESS || shape.lanes != 16 || shape.size != 4 ||
		shape.shift != 0 || shape.count > 4 || eu_message_has_header(send) ||
		send->exec_size != 16 || send->mlen < 2 || (!plain->write && !send->writes) ||
		send->run != find_form(&shape, plain->write))
		return false;
	plain->local = shape.space == EU_SPACE_SLM;
	plain->channels = ((1u << shape.count) - 1) & ~shape.off;
	plain->data = send->mlen == 2 ? send->src1 : (uint16_t)(send->src0 + 2 * GEN_GRF_BYTES);
	registers = 2 * (unsigned)__builtin_popcount(plain->channels);
	return !plain->write || (send->mlen == 2 ? send->xlen : send->mlen - 2u) >= registers;
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
	return find_form(&shape, write);
}
