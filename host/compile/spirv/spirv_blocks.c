// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_blocks.h"

#include "compile/spirv/spirv_module.h"

#include <stdlib.h>
#include <string.h>

static unsigned char blocks_of(SpvOp op)
{
	switch ((unsigned)op) {
	case SpvOpSubgroupBlockReadINTEL:
		return COMPILE_BLOCKS_READ;
	case SpvOpSubgroupBlockWriteINTEL:
		return COMPILE_BLOCKS_WRITE;
	case SpvOpSubgroupImageBlockReadINTEL:
	case SpvOpSubgroupImageBlockWriteINTEL:
	case SpvOpSubgroupImageMediaBlockReadINTEL:
	case SpvOpSubgroupImageMediaBlockWriteINTEL:
		return COMPILE_BLOCKS_IMAGE;
	default:
		return 0;
	}
}

/* Whether any instruction may be such a function; true too for what cannot be read in place. */
static bool may_have_any(const void *spirv, size_t size)
{
	const char *bytes = spirv;
	uint32_t head;

	if (size < 4 * SPIRV_START)
		return true;
	memcpy(&head, bytes, sizeof head);
	if (head != SpvMagicNumber)
		return true;
	for (size_t at = 4 * SPIRV_START; size - at >= sizeof head;
		at += 4 * (size_t)(head >> SpvWordCountShift)) {
		memcpy(&head, bytes + at, sizeof head);
		if (!(head >> SpvWordCountShift) ||
			4 * (size_t)(head >> SpvWordCountShift) > size - at)
			return true;
		if (blocks_of(head & SpvOpCodeMask))
			return true;
	}
	return false;
}

/* Adds to each function's what it has itself and what it calls; whether that was anything new. */
static bool gather(const struct spirv_module *spirv, unsigned char *functions)
{
	struct spirv_inst inst;
	uint32_t current = 0;
	bool is_new = false;

	for (uint32_t at = SPIRV_START; spirv_at(spirv, at, &inst); at = inst.next) {
		unsigned char found = blocks_of(inst.op);

		if (inst.op == SpvOpFunction && inst.n > 1 && inst.operands[1] < spirv->bound)
			current = inst.operands[1];
		if (inst.op == SpvOpFunctionCall && inst.n > 2 && inst.operands[2] < spirv->bound)
			found = functions[inst.operands[2]];
		is_new |= (found & ~functions[current]) != 0;
		functions[current] |= found;
	}
	return is_new;
}

enum compile_status compile_blocks_look(
	const void *data, size_t size, unsigned char **blocks, size_t *n)
{
	enum compile_status status = COMPILE_NO_MEMORY;
	unsigned char *functions = NULL;
	struct spirv_module spirv;
	struct spirv_inst inst;
	char why[16] = "";

	*blocks = NULL;
	*n = 0;
	if (!may_have_any(data, size))
		return COMPILE_OK;
	if (!spirv_module_open(data, size, &spirv, why, sizeof why))
		return *why ? COMPILE_ERROR : COMPILE_NO_MEMORY;
	/* no more kernels than ids */
	functions = calloc(spirv.bound + 1u, 1);
	*blocks = calloc(spirv.bound + 1u, 1);
	if (!functions || !*blocks)
		goto done;
	while (gather(&spirv, functions))
		;
	for (uint32_t at = SPIRV_START; *n < spirv.bound && spirv_at(&spirv, at, &inst);
		at = inst.next)
		if (inst.op == SpvOpEntryPoint && inst.operands[0] == SpvExecutionModelKernel)
			(*blocks)[(*n)++] =
				inst.operands[1] < spirv.bound ? functions[inst.operands[1]] : 0;
	status = COMPILE_OK;
done:
	if (status != COMPILE_OK) {
		free(*blocks);
		*blocks = NULL;
	}
	free(functions);
	spirv_module_finish(&spirv);
	return status;
}
