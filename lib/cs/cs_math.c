// SPDX-License-Identifier: MIT
#include "cs/cs_state.h"
#include "util/util_bits.h"

enum {
	OP_NOOP = 0x000,
	OP_LOAD = 0x080,
	OP_LOAD0 = 0x081,
	OP_ADD = 0x100,
	OP_SUB = 0x101,
	OP_AND = 0x102,
	OP_OR = 0x103,
	OP_XOR = 0x104,
	OP_STORE = 0x180,
	OP_LOADINV = 0x480,
	OP_LOAD1 = 0x481,
	OP_STOREINV = 0x580,
};

enum { OPERAND_SRCA = 0x20, OPERAND_SRCB = 0x21, OPERAND_ACCU = 0x31, OPERAND_ZF, OPERAND_CF };
enum { GPRS = 16 };

/* The arithmetic unit. It keeps nothing from packet to packet. Flags are all ones when set. */
struct alu {
	uint64_t srca, srcb, accu, zf, cf;
};

static bool alu_load(
	struct cs_stream *stream, struct alu *alu, unsigned to, unsigned from, unsigned op)
{
	bool constant = op == OP_LOAD0 || op == OP_LOAD1;
	uint64_t value = 0;

	if ((to != OPERAND_SRCA && to != OPERAND_SRCB) || (!constant && from >= GPRS))
		return false;
	if (!constant)
		value = cs_register_gpr(&stream->registers, from);
	if (op == OP_LOADINV || op == OP_LOAD1)
		value = ~value;
	*(to == OPERAND_SRCA ? &alu->srca : &alu->srcb) = value;
	return true;
}

static bool alu_store(
	struct cs_stream *stream, const struct alu *alu, unsigned to, unsigned from, unsigned op)
{
	const uint64_t results[] = { alu->accu, alu->zf, alu->cf };
	uint64_t value;

	if (from < OPERAND_ACCU || from > OPERAND_CF || to >= GPRS)
		return false;
	value = results[from - OPERAND_ACCU];
	cs_register_set_gpr(&stream->registers, to, op == OP_STOREINV ? ~value : value);
	return true;
}

static bool alu_compute(struct alu *alu, unsigned op)
{
	uint64_t a = alu->srca, b = alu->srcb;
	bool carry = false;

	switch (op) {
	case OP_ADD:
		alu->accu = a + b;
		carry = alu->accu < a;
		break;
	case OP_SUB:
		alu->accu = a - b;
		carry = a < b;
		break;
	case OP_AND:
		alu->accu = a & b;
		break;
	case OP_OR:
		alu->accu = a | b;
		break;
	case OP_XOR:
		alu->accu = a ^ b;
		break;
	default:
		return false;
	}
	alu->cf = carry ? ~UINT64_C(0) : 0;
	alu->zf = alu->accu ? 0 : ~UINT64_C(0);
	return true;
}

static bool alu_step(struct cs_stream *stream, struct alu *alu, uint32_t dword)
{
	unsigned op = util_bits(dword, 31, 20);
	unsigned first = util_bits(dword, 19, 10), second = util_bits(dword, 9, 0);

	switch (op) {
	case OP_NOOP:
		return true;
	case OP_LOAD:
	case OP_LOADINV:
	case OP_LOAD0:
	case OP_LOAD1:
		return alu_load(stream, alu, first, second, op);
	case OP_STORE:
	case OP_STOREINV:
		return alu_store(stream, alu, first, second, op);
	default:
		return alu_compute(alu, op);
	}
}

enum cs_status cs_math(struct cs_stream *stream, const uint32_t *p)
{
	struct alu alu = { 0 };

	for (unsigned i = 1; i < stream->length; i++)
		if (!alu_step(stream, &alu, p[i]))
			return cs_bad_packet(
				stream, "0x%08x is no operation of the arithmetic unit", p[i]);
	return CS_RUN;
}
