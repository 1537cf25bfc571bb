// SPDX-License-Identifier: MIT
#include "compile/compile_prints.h"

#include "compile/compile_spirv.h"

#include <spirv/unified1/OpenCL.std.h>
#include <spirv/unified1/spirv.h>
#include <stdint.h>
#include <string.h>

#define FIRST 5 /* word of the first instruction */

static uint32_t word(const char *spirv, size_t at)
{
	uint32_t value;

	memcpy(&value, spirv + 4 * at, sizeof(value));
	return value;
}

bool compile_prints(const void *spirv, size_t size)
{
	static const char name[] = "OpenCL.std";
	size_t n = size / 4, at = FIRST;
	uint32_t set = 0;

	if (n < FIRST || word(spirv, 0) != SpvMagicNumber)
		return true;
	while (at < n) {
		uint32_t head = word(spirv, at), length = head >> SpvWordCountShift;

		if (!length || length > n - at)
			return true;
		if ((head & SpvOpCodeMask) == SpvOpExtInstImport && length >= 5 &&
			!memcmp((const char *)spirv + 4 * (at + 2), name, sizeof(name)))
			set = word(spirv, at + 1);
		if ((head & SpvOpCodeMask) == SpvOpExtInst && length >= 5 &&
			word(spirv, at + 3) == set && word(spirv, at + 4) == OpenCLstd_Printf)
			return true;
		at += length;
	}
	return false;
}

/* The initial value of the variable that a pointer to its first element is made from. */
static bool find_text(
	const struct compile_spirv *spirv, uint32_t id, struct compile_spirv_inst *text)
{
	for (int depth = 0; depth < 8; depth++) {
		struct compile_spirv_inst inst;
		uint32_t base = 2;

		if (!compile_spirv_definition(spirv, id, &inst))
			return false;
		if (inst.op == SpvOpVariable)
			return inst.n > 3 &&
			       compile_spirv_definition(spirv, inst.operands[3], text);
		if (inst.op == SpvOpSpecConstantOp)
			base = 3;
		else if (inst.op != SpvOpBitcast && inst.op != SpvOpInBoundsPtrAccessChain &&
			 inst.op != SpvOpPtrAccessChain && inst.op != SpvOpAccessChain &&
			 inst.op != SpvOpInBoundsAccessChain)
			return false;
		if (inst.n <= base)
			return false;
		for (uint32_t i = base + 1; i < inst.n; i++) {
			uint64_t index;

			if (!compile_spirv_constant(spirv, inst.operands[i], &index) || index)
				return false;
		}
		id = inst.operands[base];
	}
	return false;
}

/* How many arguments the format asks for; false if it is not known. *empty: it prints nothing. */
static bool count(const struct compile_spirv *spirv, uint32_t format, uint32_t *n, bool *empty)
{
	struct compile_spirv_inst text;
	bool percent = false;

	*n = 0;
	if (!find_text(spirv, format, &text))
		return false;
	*empty = text.op == SpvOpConstantNull;
	if (*empty)
		return true;
	if (text.op != SpvOpConstantComposite)
		return false;
	for (uint32_t i = 2; i < text.n; i++) {
		uint64_t value;

		if (!compile_spirv_constant(spirv, text.operands[i], &value))
			return false;
		*empty |= i == 2 && !value;
		if (!value)
			return true;
		/* "%%" asks for nothing */
		if (value == '%')
			*n += percent ? (uint32_t)-1 : 1;
		percent = value == '%' && !percent;
	}
	return true;
}

static void put(char *spirv, uint32_t at, uint32_t value)
{
	memcpy(spirv + 4 * (size_t)at, &value, sizeof(value));
}

/* Leaves `keep` words of the instruction, which becomes `op`. */
static void cut(char *spirv, const struct compile_spirv_inst *inst, SpvOp op, uint32_t keep)
{
	put(spirv, inst->at, keep << SpvWordCountShift | op);
	for (uint32_t at = inst->at + keep; at < inst->next; at++)
		put(spirv, at, 1u << SpvWordCountShift | SpvOpNop);
}

bool compile_prints_mend(void *data, size_t size)
{
	struct compile_spirv spirv;
	struct compile_spirv_inst inst;
	bool mended = false;

	if (size < 4 || word(data, 0) != SpvMagicNumber ||
		!compile_spirv_open(data, size, &spirv, NULL, 0))
		return false;
	for (uint32_t at = COMPILE_SPIRV_START; compile_spirv_at(&spirv, at, &inst);
		at = inst.next) {
		uint32_t wanted;
		bool empty = false;

		/* OpenCL.std is the only set with that many that kernels use */
		if (inst.op != SpvOpExtInst || inst.n < 5 || inst.operands[3] != OpenCLstd_Printf ||
			!count(&spirv, inst.operands[4], &wanted, &empty))
			continue;
		if (empty)
			cut(data, &inst, SpvOpUndef, 3);
		else if (wanted < inst.n - 5)
			cut(data, &inst, SpvOpExtInst, 6 + wanted);
		mended |= empty || wanted < inst.n - 5;
	}
	compile_spirv_finish(&spirv);
	return mended;
}
