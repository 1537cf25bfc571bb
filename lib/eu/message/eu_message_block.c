// SPDX-License-Identifier: MIT
/*
 * Messages that move whole blocks, without lanes: OWord blocks, A64 blocks, scratch blocks. Their
 * address is in a header. A lane mask only says whether the message is executed at all, but for
 * scratch writes in dword mode: the compiler spills registers under the execution mask.
 */
#include <string.h>

#include "eu/watch/eu_check.h"
#include "eu/message/eu_memory.h"
#include "eu/message/eu_message_family.h"

enum { OWORD_BYTES = 16, MAX_BLOCK_BYTES = 256 };

/* Bytes of a block by desc[10:8]; 0: no such size. */
static const uint16_t oword_sizes[8] = { 16, 16, 32, 64, 128 };

static bool is_high_half(const struct eu_send *send)
{
	return util_bits(send->desc, 10, 8) == 1;
}

static uint32_t header_dword(
	const struct eu_thread *thread, const struct eu_send *send, unsigned index)
{
	return eu_message_dword(thread->grf + send->src0, index);
}

/* Moves `bytes` between memory and registers; the register part starts at `skip` of its register.
 */
static enum eu_status block_load(
	struct eu_view *view, uint64_t offset, unsigned bytes, unsigned skip)
{
	uint8_t *out = view->thread->grf + view->send->dst + skip;
	const uint8_t *memory = eu_view_at(view, offset, bytes);

	if (memory)
		memcpy(out, memory, bytes);
	else if (!eu_view_load(view, 0, offset, out, bytes))
		return EU_FAULT;
	return EU_RUN;
}

static enum eu_status block_store(
	struct eu_view *view, uint64_t offset, unsigned bytes, unsigned skip)
{
	uint8_t copy[MAX_BLOCK_BYTES];
	const uint8_t *data =
		eu_payload(view->thread, view->send, GEN_GRF_BYTES + skip, bytes, copy);
	uint8_t *memory = eu_view_at(view, offset, bytes);

	if (memory)
		memcpy(memory, data, bytes);
	else if (!eu_view_store(view, 0, offset, data, bytes))
		return EU_FAULT;
	return EU_RUN;
}

/* ---- OWord blocks with 32-bit offsets ---- */

/* Header dword 2 is the offset, in OWords or bytes; stateless ones add the base of dword 5. */
static inline uint64_t oword_offset(const struct eu_thread *thread, const struct eu_send *send,
	enum eu_space space, bool in_bytes)
{
	uint64_t offset = header_dword(thread, send, 2);

	if (!in_bytes)
		offset *= OWORD_BYTES;
	if (space == EU_SPACE_SLM)
		return offset & EU_SLM_MASK;
	if (space == EU_SPACE_STATELESS)
		offset += eu_message_general_base(thread) +
			  (header_dword(thread, send, 5) & ~UINT32_C(0x3ff));
	return space == EU_SPACE_SURFACE ? (uint32_t)offset : offset & EU_ADDRESS_MASK;
}

static inline enum eu_status oword_block(struct eu_thread *thread, const struct eu_send *send,
	uint32_t enabled, enum eu_space space, bool in_bytes, bool write)
{
	unsigned bytes = oword_sizes[util_bits(send->desc, 10, 8)];
	unsigned skip = is_high_half(send) ? OWORD_BYTES : 0;
	struct eu_view view;
	uint64_t offset;

	if (enabled == 0)
		return EU_RUN;
	if (!eu_view_open(&view, thread, send, space))
		return EU_FAULT;
	offset = oword_offset(thread, send, space, in_bytes);
	if (in_bytes)
		eu_check_alignment(thread, send, offset, 4);
	return write ? block_store(&view, offset, bytes, skip)
		     : block_load(&view, offset, bytes, skip);
}

#define OWORD_HANDLER(name, space, in_bytes, write)                                                \
	static enum eu_status name(                                                                \
		struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)            \
	{                                                                                          \
		return oword_block(thread, send, enabled, space, in_bytes, write);                 \
	}
#define OWORD_HANDLERS(space)                                                                      \
	OWORD_HANDLER(oword_read_##space, EU_SPACE_##space, false, false)                          \
	OWORD_HANDLER(oword_read_bytes_##space, EU_SPACE_##space, true, false)                     \
	OWORD_HANDLER(oword_write_##space, EU_SPACE_##space, false, true)
OWORD_HANDLERS(SURFACE)
OWORD_HANDLERS(STATELESS)
OWORD_HANDLERS(SLM)

static const struct {
	eu_message_fn read, read_bytes, write;
} oword_handlers[EU_SPACES] = {
	[EU_SPACE_SURFACE] = { oword_read_SURFACE, oword_read_bytes_SURFACE, oword_write_SURFACE },
	[EU_SPACE_STATELESS] = { oword_read_STATELESS, oword_read_bytes_STATELESS,
		oword_write_STATELESS },
	[EU_SPACE_SLM] = { oword_read_SLM, oword_read_bytes_SLM, oword_write_SLM },
};

/* A message's block of `bytes` that begins `skip` bytes into a register fits its registers. */
static bool fits(const struct eu_send *send, bool write, unsigned bytes, unsigned skip)
{
	unsigned end = bytes + skip;

	if (!eu_message_has_header(send) || bytes == 0 || send->mlen == 0)
		return false;
	return eu_message_fits(
		send, GEN_GRF_BYTES + (write ? end : 0), write || !send->writes ? 0 : end);
}

eu_message_fn eu_message_bind_block(const struct eu_send *send)
{
	unsigned type = eu_message_data_type(send);
	bool write = type == 8;
	enum eu_space space;

	if (!eu_message_space(send, &space) ||
		!fits(send, write, oword_sizes[util_bits(send->desc, 10, 8)],
			is_high_half(send) ? OWORD_BYTES : 0))
		return NULL;
	if (write)
		return oword_handlers[space].write;
	if (!send->writes)
		return eu_message_bind_null(send);
	return type == 1 ? oword_handlers[space].read_bytes : oword_handlers[space].read;
}

/* ---- A64 blocks: header dwords 0 and 1 are a byte address ---- */

enum { SUBTYPE_OWORDS, SUBTYPE_OWORDS_UNALIGNED, SUBTYPE_RESERVED, SUBTYPE_HWORDS };

/* Bytes of the block; *skip: where it begins in its first register. */
static unsigned a64_block(const struct eu_send *send, unsigned *skip)
{
	unsigned subtype = util_bits(send->desc, 12, 11), size = util_bits(send->desc, 10, 8);

	*skip = 0;
	if (subtype == SUBTYPE_RESERVED)
		return 0;
	if (subtype == SUBTYPE_HWORDS)
		return eu_message_hword_bytes(send);
	*skip = is_high_half(send) ? OWORD_BYTES : 0;
	return oword_sizes[size];
}

static uint64_t a64_address(const struct eu_thread *thread, const struct eu_send *send)
{
	uint64_t address = header_dword(thread, send, 0);

	address |= (uint64_t)header_dword(thread, send, 1) << 32;
	return address & EU_ADDRESS_MASK;
}

static enum eu_status a64_read(
	struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	unsigned skip, bytes = a64_block(send, &skip);
	struct eu_view view;

	if (enabled == 0)
		return EU_RUN;
	if (!eu_view_open(&view, thread, send, EU_SPACE_A64))
		return EU_FAULT;
	/* cl_intel_subgroups: reads need 4 bytes, writes 16. */
	eu_check_alignment(thread, send, a64_address(thread, send), 4);
	return block_load(&view, a64_address(thread, send), bytes, skip);
}

static enum eu_status a64_write(
	struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	unsigned skip, bytes = a64_block(send, &skip);
	struct eu_view view;

	if (enabled == 0)
		return EU_RUN;
	if (!eu_view_open(&view, thread, send, EU_SPACE_A64))
		return EU_FAULT;
	eu_check_alignment(thread, send, a64_address(thread, send), OWORD_BYTES);
	return block_store(&view, a64_address(thread, send), bytes, skip);
}

eu_message_fn eu_message_bind_block_a64(const struct eu_send *send)
{
	bool write = eu_message_data_type(send) == 0x15;
	unsigned skip, bytes = a64_block(send, &skip);

	if (!eu_message_is_stateless(send) || !fits(send, write, bytes, skip))
		return NULL;
	if (write)
		return a64_write;
	return send->writes ? a64_read : eu_message_bind_null(send);
}

/* ---- scratch blocks: header dword 5 is the thread's base, relative to the general state ---- */

enum { SCRATCH_DWORD_MODE_BIT = 16, SCRATCH_WRITE_BIT = 17 };

static unsigned scratch_bytes(const struct eu_send *send)
{
	return (unsigned)GEN_GRF_BYTES << util_bits(send->desc, 13, 12);
}

/* Lane i of the message enables dwords i, i + exec_size … of the block. */
static enum eu_status scratch_store_dwords(
	struct eu_view *view, uint64_t address, unsigned bytes, uint32_t enabled)
{
	uint8_t copy[MAX_BLOCK_BYTES];
	const struct eu_send *send = view->send;
	const uint8_t *data = eu_payload(view->thread, send, GEN_GRF_BYTES, bytes, copy);

	for (unsigned i = 0; i < bytes / 4; i++) {
		unsigned lane = i % send->exec_size;
		if ((enabled >> lane & 1) &&
			!eu_view_store(view, lane, address + 4 * i, data + 4 * i, 4))
			return EU_FAULT;
	}
	return EU_RUN;
}

static bool is_masked_scratch_store(const struct eu_send *send, uint32_t enabled)
{
	uint32_t all = UINT32_MAX >> (32 - send->exec_size);

	return util_bits(send->desc, SCRATCH_DWORD_MODE_BIT, SCRATCH_DWORD_MODE_BIT) &&
	       (enabled & all) != all;
}

static enum eu_status scratch_block(
	struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	unsigned bytes = scratch_bytes(send);
	struct eu_view view;
	uint64_t address = eu_message_general_base(thread);

	if (enabled == 0)
		return EU_RUN;
	if (!eu_view_open(&view, thread, send, EU_SPACE_STATELESS))
		return EU_FAULT;
	address += header_dword(thread, send, 5) & ~UINT32_C(0x3ff);
	address += util_bits(send->desc, 11, 0) * (uint64_t)GEN_GRF_BYTES;
	address &= EU_ADDRESS_MASK;
	if (!util_bits(send->desc, SCRATCH_WRITE_BIT, SCRATCH_WRITE_BIT))
		return block_load(&view, address, bytes, 0);
	return is_masked_scratch_store(send, enabled)
		       ? scratch_store_dwords(&view, address, bytes, enabled)
		       : block_store(&view, address, bytes, 0);
}

eu_message_fn eu_message_bind_scratch(const struct eu_send *send)
{
	bool write = util_bits(send->desc, SCRATCH_WRITE_BIT, SCRATCH_WRITE_BIT) != 0;

	if (!fits(send, write, scratch_bytes(send), 0))
		return NULL;
	return write || send->writes ? scratch_block : eu_message_bind_null(send);
}
