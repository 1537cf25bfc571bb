// SPDX-License-Identifier: MIT
/* Atomic messages: lanes in ascending order, each atomic by itself. */
#include <string.h>

#include "eu/eu_atomic.h"
#include "eu/eu_memory.h"
#include "eu/eu_message.h"
#include "eu/eu_message_family.h"

enum { MAX_LANES = 16 };

/* What an atomic message does, from its descriptor. */
struct operation {
	eu_atomic_fn apply;
	enum eu_space space;
	unsigned lanes;	   /* 8 or 16 */
	unsigned bytes;	   /* of the memory operand: 2, 4, 8 */
	unsigned slot;	   /* of a register operand: 4 or 8 */
	unsigned operands; /* 0, 1, 2 */
	bool returns;
};

static const struct {
	uint8_t type, bytes;
	bool a64, is_float;
} kinds[] = {
	{ 0x02, 4, false, false },
	{ 0x03, 2, false, false },
	{ 0x12, 4, true, false },
	{ 0x13, 2, true, false },
	{ 0x1b, 4, false, true },
	{ 0x1c, 2, false, true },
	{ 0x1d, 4, true, true },
	{ 0x1e, 2, true, true },
};

/* Fills *operation from the descriptor; false when it is of no known form. */
static bool find_operation(const struct eu_send *send, struct operation *operation)
{
	unsigned type = eu_message_data_type(send), i = 0, code;
	bool bit = util_bits(send->desc, 12, 12) != 0;

	while (i < UTIL_ARRAY_SIZE(kinds) && kinds[i].type != type)
		i++;
	if (i == UTIL_ARRAY_SIZE(kinds))
		return false;
	*operation = (struct operation){
		.space = EU_SPACE_A64,
		.bytes = kinds[i].bytes,
		.lanes = kinds[i].a64 || bit ? 8 : 16,
		.returns = util_bits(send->desc, 13, 13) != 0,
	};
	if (kinds[i].a64 && bit) { /* 64-bit data, of dword messages only */
		if (type != 0x12)
			return false;
		operation->bytes = 8;
	}
	if (kinds[i].a64 ? !eu_message_is_stateless(send)
			 : !eu_message_space(send, &operation->space))
		return false;
	operation->slot = operation->bytes == 8 ? 8 : 4;
	code = util_bits(send->desc, kinds[i].is_float ? 10 : 11, 8);
	if (kinds[i].is_float) {
		operation->apply = eu_atomic_float(code, operation->bytes);
		operation->operands = code == EU_ATOMIC_FCMPWR ? 2 : 1;
	} else {
		operation->apply = eu_atomic_int(code, operation->bytes);
		operation->operands = eu_atomic_int_operands(code);
	}
	return operation->apply != NULL;
}

static enum eu_status misaligned(
	struct eu_thread *thread, const struct eu_send *send, unsigned lane, uint64_t offset)
{
	struct gen_fault *fault = thread->worker->fault;

	fault->address = offset;
	gen_fault_add(fault, GEN_FAULT_BAD_MESSAGE,
		"%s: lane %u updates 0x%llx, which is not aligned", eu_message_name(send),
		lane + send->channel_offset, (unsigned long long)offset);
	return EU_FAULT;
}

static uint64_t register_value(const uint8_t *registers, unsigned lane, unsigned slot)
{
	uint64_t value = 0;

	memcpy(&value, registers + lane * slot, slot);
	return value;
}

static uint64_t lane_offset(const struct eu_thread *thread, const struct eu_send *send,
	enum eu_space space, const uint8_t *addresses, unsigned lane)
{
	uint64_t offset = register_value(addresses, lane, space == EU_SPACE_A64 ? 8 : 4);

	if (space == EU_SPACE_SLM)
		return offset & EU_SLM_MASK;
	if (space == EU_SPACE_SURFACE)
		return offset;
	if (space == EU_SPACE_STATELESS) {
		offset += eu_message_general_base(thread);
		if (eu_message_has_header(send))
			offset += (uint64_t)eu_message_dword(thread->grf + send->src0, 2) +
				  eu_message_dword(thread->grf + send->src0, 5);
	}
	return offset & EU_ADDRESS_MASK;
}

static inline enum eu_status update(struct eu_thread *thread, const struct eu_send *send,
	uint32_t enabled, const struct operation *operation)
{
	const unsigned lanes = operation->lanes, slot = operation->slot, bytes = operation->bytes;
	const unsigned header = eu_message_has_header(send) ? GEN_GRF_BYTES : 0;
	const unsigned width = lanes * (operation->space == EU_SPACE_A64 ? 8 : 4);
	uint8_t copies[3][MAX_LANES * 8];
	const uint8_t *addresses, *operands[2] = { NULL, NULL };
	uint64_t results[MAX_LANES];
	struct eu_view view;

	enabled &= (UINT32_C(1) << lanes) - 1;
	if (enabled == 0)
		return EU_RUN;
	if (!eu_view_open(&view, thread, send, operation->space))
		return EU_FAULT;
	addresses = eu_payload(thread, send, header, width, copies[0]);
	for (unsigned n = 0; n < operation->operands; n++)
		operands[n] = eu_payload(thread, send, header + width + n * lanes * slot,
			lanes * slot, copies[n + 1]);
	for (uint32_t rest = enabled; rest != 0; rest &= rest - 1) {
		unsigned i = (unsigned)__builtin_ctz(rest);
		uint64_t offset = lane_offset(thread, send, operation->space, addresses, i);
		uint8_t *memory;

		if (!eu_view_find(&view, i, offset, bytes, &memory))
			return EU_FAULT;
		if (memory && (uintptr_t)memory % bytes != 0)
			return misaligned(thread, send, i, offset);
		results[i] =
			!memory ? 0
				: operation->apply(memory,
					  operands[0] ? register_value(operands[0], i, slot) : 0,
					  operands[1] ? register_value(operands[1], i, slot) : 0);
	}
	if (!send->writes || !operation->returns)
		return EU_RUN;
	for (uint32_t rest = enabled; rest != 0; rest &= rest - 1) {
		unsigned i = (unsigned)__builtin_ctz(rest);

		memcpy(thread->grf + send->dst + i * slot, &results[i], slot);
	}
	return EU_RUN;
}

static enum eu_status run_atomic(
	struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	struct operation operation;

	if (!find_operation(send, &operation))
		return EU_FAULT;
	return update(thread, send, enabled, &operation);
}

eu_message_fn eu_message_bind_atomic(const struct eu_send *send)
{
	struct operation operation;
	unsigned in;

	if (!find_operation(send, &operation))
		return NULL;
	in = (eu_message_has_header(send) ? (unsigned)GEN_GRF_BYTES : 0) +
	     operation.lanes * (operation.space == EU_SPACE_A64 ? 8 : 4) +
	     operation.operands * operation.lanes * operation.slot;
	if (!eu_message_fits(send, in,
		    operation.returns && send->writes ? operation.lanes * operation.slot : 0))
		return NULL;
	return run_atomic;
}
