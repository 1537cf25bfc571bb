// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_look.h"

#include <spirv/unified1/OpenCL.std.h>
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

bool spirv_look_for_blocks(const struct spirv_module *module, struct reflection *out)
{
	unsigned *found = calloc(module->n_functions + 1u, sizeof(*found)), any = 0;
	struct spirv_inst inst;

	for (uint32_t i = 0; found && i < module->n_functions; i++)
		SPIRV_EACH(module, module->functions[i].start, module->functions[i].end, inst)
			any |= found[i] |= blocks_of(inst.op);
	const bool ok = found && (!any || spirv_spread_to_callers(module, found));
	for (uint32_t i = 0; ok && any && i < module->n_kernels; i++) {
		const struct spirv_function *kernel = spirv_kernel(module, i);

		if (kernel)
			out->kernels[i].blocks = (unsigned char)found[kernel - module->functions];
	}
	free(found);
	return ok;
}

bool spirv_prints(const struct spirv_module *module)
{
	struct spirv_inst inst;

	SPIRV_EACH(module, SPIRV_START, module->n_words, inst)
		if (inst.op == SpvOpExtInst && inst.n > 3 && module->set &&
			inst.operands[2] == module->set && inst.operands[3] == OpenCLstd_Printf)
			return true;
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

/* Bytes of which the address of the variable of that type is a multiple. */
static size_t alignment(const struct spirv_module *module, uint32_t variable, uint32_t type)
{
	size_t align = module->ids[type].align ? module->ids[type].align : 1;
	struct spirv_inst inst;

	SPIRV_EACH(module, SPIRV_START, spirv_functions_at(module), inst)
		if (inst.op == SpvOpDecorate && inst.n > 2 && inst.operands[0] == variable &&
			inst.operands[1] == SpvDecorationAlignment && inst.operands[2] > align)
			align = inst.operands[2];
	return align;
}

/* Whether the entry point lists the variable, behind its name. */
static bool uses(const struct spirv_inst *entry, uint32_t variable)
{
	uint32_t name = 2;

	while (name < entry->n && entry->operands[name] & 0xff000000)
		name++;
	for (uint32_t i = name + 1; i < entry->n; i++)
		if (entry->operands[i] == variable)
			return true;
	return false;
}

size_t spirv_local_bytes(const struct spirv_module *module, const char *kernel)
{
	struct spirv_inst entry, inst;
	size_t bytes = 0;
	bool found = false;

	for (uint32_t i = 0; i < module->n_kernels && !found; i++)
		found = spirv_at(module, module->kernels[i], &entry) &&
			!strcmp(spirv_text(module, entry.at + 3), kernel);
	if (!found || module->words[1] < 0x10400)
		return SIZE_MAX;
	SPIRV_EACH(module, SPIRV_START, spirv_functions_at(module), inst) {
		if (inst.op != SpvOpVariable || inst.n < 3 ||
			inst.operands[2] != SpvStorageClassWorkgroup ||
			!uses(&entry, inst.operands[1]))
			continue;
		const uint32_t type = spirv_pointee(module, inst.operands[0]);
		if (!type)
			return SIZE_MAX;
		size_t align = alignment(module, inst.operands[1], type);
		bytes = (bytes + align - 1) / align * align + module->ids[type].size;
	}
	return bytes;
}
