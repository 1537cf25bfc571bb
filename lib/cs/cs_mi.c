// SPDX-License-Identifier: MIT
#include "cs/cs_state.h"
#include "eu/memory/eu_atomic.h"
#include "util/util_bits.h"

#define REGISTER(dword) ((dword)&0x7ffffcu)

/* A register offset of a packet whose header may ask for it to be relative to the engine. */
static uint32_t register_offset(uint32_t dword, bool relative)
{
	return REGISTER(dword) + (relative ? CS_ENGINE_BASE : 0);
}

static enum cs_status set_register(struct cs_stream *stream, uint32_t offset, uint32_t value)
{
	if (!cs_register_set(&stream->registers, offset, value))
		return cs_bad_packet(stream,
			"register 0x%x: more than %u registers outside the engine are in use",
			offset, CS_OTHER_REGISTERS);
	return CS_RUN;
}

enum cs_status cs_batch_buffer_end(struct cs_stream *stream, const uint32_t *p)
{
	(void)p;
	if (!stream->depth)
		return CS_DONE;
	stream->ip = stream->returns[--stream->depth];
	return CS_RUN;
}

enum cs_status cs_batch_buffer_start(struct cs_stream *stream, const uint32_t *p)
{
	if (util_bits(p[0], 22, 22)) {
		if (stream->depth == CS_MAX_NESTING)
			return cs_bad_packet(
				stream, "more than %u batches inside one another", CS_MAX_NESTING);
		stream->returns[stream->depth++] = stream->ip;
	}
	stream->ip = cs_address(p + 1) & ~UINT64_C(3);
	return CS_RUN;
}

bool cs_is_off(const struct cs_stream *stream, cs_handler *handler, uint32_t header)
{
	return stream->is_off && handler != cs_set_predicate && handler != cs_batch_buffer_end &&
	       (handler != cs_batch_buffer_start || util_bits(header, 15, 15));
}

enum cs_status cs_set_predicate(struct cs_stream *stream, const uint32_t *p)
{
	enum { NEVER = 0, IF_SET = 4, ALWAYS = 15 };
	const unsigned when = util_bits(p[0], 3, 0);
	uint32_t result = when > 2 ? CS_REG_PREDICATE_RESULT : CS_REG_PREDICATE_RESULT_2;

	if (when > IF_SET && when != ALWAYS)
		return cs_bad_packet(stream, "predicate %u is not known", when);
	result = cs_stream_register(stream, result) & 1;
	/* Even ones stand for a result that is set. */
	stream->is_off = when == ALWAYS || (when != NEVER && (when & 1) != result);
	return CS_RUN;
}

/* MI_SEMAPHORE_WAIT: whether memory (or a register) compares to the packet's data as asked. */
static bool is_satisfied(unsigned compare, uint32_t memory, uint32_t data)
{
	const bool results[] = { memory > data, memory >= data, memory < data, memory <= data,
		memory == data, memory != data };

	return results[compare];
}

enum cs_status cs_semaphore_wait(struct cs_stream *stream, const uint32_t *p)
{
	unsigned compare = util_bits(p[0], 14, 12);
	uint32_t value;

	if (compare > 5)
		return cs_bad_packet(stream, "comparison %u does not exist", compare);
	if (util_bits(p[0], 16, 16)) {
		value = cs_stream_register(stream, REGISTER(p[2]));
	} else {
		uint32_t *at = cs_map(stream, "semaphore", cs_address(p + 2) & ~UINT64_C(3), 4);
		if (!at)
			return CS_FAULT;
		value = __atomic_load_n(at, __ATOMIC_ACQUIRE);
	}
	return is_satisfied(compare, value, p[1]) ? CS_RUN : CS_BLOCKED;
}

enum cs_status cs_store_data_imm(struct cs_stream *stream, const uint32_t *p)
{
	uint64_t address = cs_address(p + 1) & ~UINT64_C(3);
	const unsigned unit = util_bits(p[0], 21, 21) ? 2 : 1; /* dwords */
	bool done = true;

	if ((stream->length - 3) % unit)
		return cs_bad_packet(
			stream, "%u dwords do not fit stores of 64 bits", stream->length);
	for (unsigned i = 3; done && i < stream->length; i += unit, address += sizeof(*p) * unit)
		done = unit == 2 ? cs_write64(stream, "destination", address, cs_qword(p + i))
				 : cs_write32(stream, "destination", address, p[i]);
	return cs_done(done);
}

/* Bytes of a register that a packet's four "byte write disable" bits leave alone. */
static uint32_t kept_bytes(unsigned disables)
{
	uint32_t mask = 0;

	for (unsigned i = 0; i < 4; i++)
		if (disables >> i & 1)
			mask |= UINT32_C(0xff) << (8 * i);
	return mask;
}

enum cs_status cs_load_register_imm(struct cs_stream *stream, const uint32_t *p)
{
	uint32_t keep = kept_bytes(util_bits(p[0], 11, 8));
	bool relative = util_bits(p[0], 19, 19);

	if (stream->length % 2 == 0)
		return cs_bad_packet(stream, "%u dwords are not pairs of register and value",
			stream->length - 1);
	for (unsigned i = 1; i < stream->length; i += 2) {
		uint32_t offset = register_offset(p[i], relative);
		uint32_t old = cs_register_get(&stream->registers, offset);
		if (set_register(stream, offset, (old & keep) | (p[i + 1] & ~keep)) != CS_RUN)
			return CS_FAULT;
	}
	return CS_RUN;
}

enum cs_status cs_load_register_mem(struct cs_stream *stream, const uint32_t *p)
{
	uint32_t *at = cs_map(stream, "source", cs_address(p + 2) & ~UINT64_C(3), 4);

	if (!at)
		return CS_FAULT;
	return set_register(stream, register_offset(p[1], util_bits(p[0], 19, 19)),
		__atomic_load_n(at, __ATOMIC_ACQUIRE));
}

enum cs_status cs_load_register_reg(struct cs_stream *stream, const uint32_t *p)
{
	uint32_t source = register_offset(p[1], util_bits(p[0], 18, 18));

	return set_register(stream, register_offset(p[2], util_bits(p[0], 19, 19)),
		cs_stream_register(stream, source));
}

enum cs_status cs_store_register_mem(struct cs_stream *stream, const uint32_t *p)
{
	uint32_t value = cs_stream_register(stream, register_offset(p[1], util_bits(p[0], 19, 19)));

	return cs_done(cs_write32(stream, "destination", cs_address(p + 2) & ~UINT64_C(3), value));
}

enum cs_status cs_copy_mem_mem(struct cs_stream *stream, const uint32_t *p)
{
	uint32_t *from = cs_map(stream, "source", cs_address(p + 3) & ~UINT64_C(3), 4);

	return cs_done(from && cs_write32(stream, "destination", cs_address(p + 1) & ~UINT64_C(3),
				       __atomic_load_n(from, __ATOMIC_ACQUIRE)));
}

enum cs_status cs_flush_dw(struct cs_stream *stream, const uint32_t *p)
{
	unsigned operation = util_bits(p[0], 15, 14);

	if (operation && util_bits(p[1], 2, 2))
		return cs_bad_packet(
			stream, "the device does not implement post-sync to global memory");
	return cs_post_sync(stream, operation, cs_address(p + 1) & ~UINT64_C(7), cs_qword(p + 3));
}

/* MI_ATOMIC: its operations are those of messages. */
enum cs_status cs_atomic(struct cs_stream *stream, const uint32_t *p)
{
	unsigned op = util_bits(p[0], 12, 8), size = util_bits(p[0], 14, 13);
	bool inlined = util_bits(p[0], 18, 18);
	bool needs_operand = eu_atomic_int_operands(op) > 0;
	eu_atomic_fn apply = eu_atomic_int(op, size ? 8 : 4);

	if (!apply || size > 1 || size != util_bits(p[0], 20, 19) || util_bits(p[0], 15, 15))
		return cs_bad_packet(stream,
			"the device does not implement operation 0x%02x on data size %u",
			util_bits(p[0], 15, 8), util_bits(p[0], 20, 19));
	if (needs_operand && (!inlined || stream->length != 11))
		return cs_bad_packet(stream,
			"the device does not implement operands that are not in the packet");
	void *at = cs_map(stream, "operand", cs_address(p + 1) & ~UINT64_C(3), size ? 8 : 4);
	if (!at)
		return CS_FAULT;
	/* Dwords of the two operands take turns: a.0, b.0, a.1, b.1. */
	uint32_t none[4] = { 0 };
	const uint32_t *operands = needs_operand ? p + 3 : none;
	apply(at, (uint64_t)operands[2] << 32 | operands[0],
		(uint64_t)operands[3] << 32 | operands[1]);
	return CS_RUN;
}
