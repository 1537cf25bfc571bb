// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_extract.h"

#include "compile/spirv/spirv_module.h"

#include <stdlib.h>
#include <string.h>

/* Whether the entry point at that word has another name. */
static bool is_other(const struct spirv_module *module, uint32_t at, const char *kernel)
{
	return strcmp(spirv_text(module, at + 3), kernel) != 0;
}

/* Whether an instruction belongs to an entry point of another name. */
static bool is_left_out(
	const struct spirv_module *module, const struct spirv_inst *inst, const char *kernel)
{
	struct spirv_inst entry;

	if (inst->op == SpvOpEntryPoint)
		return is_other(module, inst->at, kernel);
	if ((inst->op != SpvOpExecutionMode && inst->op != SpvOpExecutionModeId) || !inst->n)
		return false;
	for (uint32_t i = 0; i < module->n_kernels; i++)
		if (spirv_at(module, module->kernels[i], &entry) &&
			entry.operands[1] == inst->operands[0])
			return is_other(module, entry.at, kernel);
	return false;
}

void *spirv_extract_kernel(const void *spirv, size_t size, const char *kernel, size_t *only_size)
{
	struct spirv_module module;
	struct spirv_inst inst;
	uint32_t *only = NULL;

	*only_size = 0;
	if (spirv_module_open(spirv, size, &module) == COMPILE_OK && (only = malloc(size))) {
		size_t n = SPIRV_START;

		memcpy(only, module.words, sizeof(*only) * n);
		SPIRV_EACH(&module, SPIRV_START, module.n_words, inst) {
			if (is_left_out(&module, &inst, kernel))
				continue;
			memcpy(only + n, module.words + inst.at,
				sizeof(*only) * (inst.next - inst.at));
			n += inst.next - inst.at;
		}
		*only_size = sizeof(*only) * n;
	}
	spirv_module_finish(&module);
	return only;
}
