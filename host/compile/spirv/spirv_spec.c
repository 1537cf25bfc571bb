// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_spec.h"
#include "compile/spirv/spirv_module.h"

#include <stdlib.h>
#include <string.h>

/* Whether the instruction gives a constant that SpecId. */
static bool is_decoration(const struct spirv_module *spirv, const struct spirv_inst *inst,
	uint32_t spec_id, struct spirv_inst *constant)
{
	return inst->op == SpvOpDecorate && inst->n >= 3 &&
	       inst->operands[1] == SpvDecorationSpecId && inst->operands[2] == spec_id &&
	       spirv_definition(spirv, inst->operands[0], constant);
}

static size_t size_of(const struct spirv_module *spirv, const struct spirv_inst *constant)
{
	if (constant->op == SpvOpSpecConstantTrue || constant->op == SpvOpSpecConstantFalse)
		return 1;
	if (constant->op != SpvOpSpecConstant || constant->n < 3 ||
		constant->operands[0] >= spirv->bound)
		return 0;
	uint64_t size = spirv->ids[constant->operands[0]].size;
	return size <= 8 && constant->n >= 2 + (size + 3) / 4 ? (size_t)size : 0;
}

size_t spirv_spec_size(const void *data, size_t data_size, uint32_t spec_id)
{
	struct spirv_module spirv;
	struct spirv_inst inst, constant;
	size_t size = 0;

	if (spirv_module_open(data, data_size, &spirv) == COMPILE_OK)
		SPIRV_EACH(&spirv, SPIRV_START, spirv_functions_at(&spirv), inst)
			if (!size && is_decoration(&spirv, &inst, spec_id, &constant))
				size = size_of(&spirv, &constant);
	spirv_module_finish(&spirv);
	return size;
}

/* Whether the literal of that type is kept sign-extended (section 2.2.1 of SPIR-V). */
static bool is_signed(const struct spirv_module *spirv, uint32_t type)
{
	struct spirv_inst inst;

	return spirv_definition(spirv, type, &inst) && inst.op == SpvOpTypeInt && inst.n >= 3 &&
	       inst.operands[2];
}

static void set(struct spirv_module *spirv, const struct spirv_inst *constant,
	const struct spirv_spec *spec)
{
	size_t size = size_of(spirv, constant);
	uint32_t *words = spirv->words + constant->at;

	if (size == 1 && constant->op != SpvOpSpecConstant) {
		SpvOp op = spec->value[0] ? SpvOpSpecConstantTrue : SpvOpSpecConstantFalse;
		words[0] = (words[0] & 0xffff0000u) | op;
	} else if (size >= 4) {
		memcpy(words + 3, spec->value, size);
	} else if (size) {
		uint32_t value = 0;
		memcpy(&value, spec->value, size);
		if (is_signed(spirv, constant->operands[0]) && value >> (size * 8 - 1))
			value |= ~0u << (size * 8);
		words[3] = value;
	}
}

void *spirv_spec_apply(
	const void *data, size_t data_size, const struct spirv_spec *specs, size_t n_specs)
{
	struct spirv_module spirv;
	struct spirv_inst inst, constant;
	void *words = NULL;
	size_t size;

	if (spirv_module_open(data, data_size, &spirv) == COMPILE_OK) {
		for (size_t i = 0; i < n_specs; i++)
			SPIRV_EACH(&spirv, SPIRV_START, spirv_functions_at(&spirv), inst)
				if (is_decoration(&spirv, &inst, specs[i].id, &constant))
					set(&spirv, &constant, &specs[i]);
		words = spirv_module_take(&spirv, &size);
	}
	spirv_module_finish(&spirv);
	return words;
}
