// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_prints.h"

#include <spirv/unified1/OpenCL.std.h>
#include <string.h>

bool spirv_prints(const struct spirv_module *module)
{
	struct spirv_inst inst;
	uint32_t set = 0;

	SPIRV_EACH(module, SPIRV_START, module->n_words, inst) {
		if (inst.op == SpvOpExtInstImport &&
			!strcmp(spirv_text(module, inst.at + 2), "OpenCL.std"))
			set = inst.operands[0];
		if (inst.op == SpvOpExtInst && inst.n > 3 && inst.operands[2] == set &&
			inst.operands[3] == OpenCLstd_Printf)
			return true;
	}
	return false;
}

bool spirv_has_sub_group_barriers(const struct spirv_module *module)
{
	struct spirv_inst inst;
	uint64_t scope;

	SPIRV_EACH(module, SPIRV_START, module->n_words, inst)
		if (inst.op == SpvOpControlBarrier && inst.n > 0 &&
			(!spirv_constant(module, inst.operands[0], &scope) ||
				scope == SpvScopeSubgroup))
			return true;
	return false;
}
