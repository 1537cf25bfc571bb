// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_blocks.h"

#include <stdlib.h>

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

enum compile_status spirv_blocks_look(
	const struct spirv_module *module, unsigned char **blocks, size_t *n)
{
	unsigned *found = calloc(module->n_functions + 1u, sizeof(*found)), any = 0;
	struct spirv_inst inst;

	*blocks = NULL;
	*n = 0;
	for (uint32_t i = 0; found && i < module->n_functions; i++)
		SPIRV_EACH(module, module->functions[i].start, module->functions[i].end, inst)
			any |= found[i] |= blocks_of(inst.op);
	if (found && any)
		*blocks = calloc(module->n_kernels + 1u, 1);
	if (!found || (any && (!*blocks || !spirv_spread_to_callers(module, found)))) {
		free(found);
		free(*blocks);
		*blocks = NULL;
		return COMPILE_NO_MEMORY;
	}
	for (; any && *n < module->n_kernels; ++*n) {
		const struct spirv_function *kernel =
			spirv_function_of(module, module->words[module->kernels[*n] + 2]);
		if (kernel)
			(*blocks)[*n] = (unsigned char)found[kernel - module->functions];
	}
	free(found);
	return COMPILE_OK;
}
