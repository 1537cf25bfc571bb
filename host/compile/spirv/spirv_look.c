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

/* Sets used[id] of all ids that the function names. */
static void note_ids(
	const struct spirv_module *module, const struct spirv_function *function, bool *used)
{
	struct spirv_inst inst;

	SPIRV_EACH(module, function->start, function->end, inst)
		for (uint32_t i = 0; i < inst.n; i++)
			if (inst.operands[i] < module->bound && !spirv_is_literal(inst.op, i))
				used[inst.operands[i]] = true;
}

/* Which ids the function of the entry point and those that it calls name; NULL without memory. */
static bool *find_used(const struct spirv_module *module, const struct spirv_inst *entry)
{
	bool *used = calloc(module->bound, sizeof *used), *done, grows = true;

	done = calloc(module->n_functions + 1u, sizeof *done);
	if (used && done)
		used[entry->operands[1]] = true;
	while (used && done && grows) {
		grows = false;
		for (uint32_t i = 0; i < module->n_functions; i++) {
			if (done[i] || !used[module->functions[i].id])
				continue;
			note_ids(module, &module->functions[i], used);
			done[i] = grows = true;
		}
	}
	if (!done) {
		free(used);
		used = NULL;
	}
	free(done);
	return used;
}

size_t spirv_local_bytes(const struct spirv_module *module, const char *kernel)
{
	struct spirv_inst entry, inst;
	size_t bytes = 0;
	bool found = false;

	for (uint32_t i = 0; i < module->n_kernels && !found; i++)
		found = spirv_at(module, module->kernels[i], &entry) &&
			!strcmp(spirv_text(module, entry.at + 3), kernel);
	bool *used = found ? find_used(module, &entry) : NULL;
	if (!used)
		return SIZE_MAX;
	SPIRV_EACH(module, SPIRV_START, spirv_functions_at(module), inst) {
		if (inst.op != SpvOpVariable || inst.n < 3 ||
			inst.operands[2] != SpvStorageClassWorkgroup || !used[inst.operands[1]])
			continue;
		const uint32_t type = spirv_pointee(module, inst.operands[0]);
		if (!type) {
			bytes = SIZE_MAX;
			break;
		}
		size_t align = alignment(module, inst.operands[1], type);
		bytes = (bytes + align - 1) / align * align + module->ids[type].size;
	}
	free(used);
	return bytes;
}
