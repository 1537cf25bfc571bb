// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_spec.h"
#include "compile/spirv/spirv_module.h"

#include <stdlib.h>
#include <string.h>

/* The instruction that defines the constant with that SpecId; false if there is none. */
static bool find(
	const struct compile_spirv *spirv, uint32_t spec_id, struct compile_spirv_inst *constant)
{
	struct compile_spirv_inst inst;

	for (uint32_t at = COMPILE_SPIRV_START;
		compile_spirv_at(spirv, at, &inst) && inst.op != SpvOpFunction; at = inst.next)
		if (inst.op == SpvOpDecorate && inst.n >= 3 &&
			inst.operands[1] == SpvDecorationSpecId && inst.operands[2] == spec_id &&
			compile_spirv_definition(spirv, inst.operands[0], constant))
			return true;
	return false;
}

static size_t size_of(const struct compile_spirv *spirv, const struct compile_spirv_inst *constant)
{
	if (constant->op == SpvOpSpecConstantTrue || constant->op == SpvOpSpecConstantFalse)
		return 1;
	if (constant->op != SpvOpSpecConstant || constant->n < 3 ||
		constant->operands[0] >= spirv->bound)
		return 0;
	uint64_t size = spirv->ids[constant->operands[0]].size;
	return size <= 8 && constant->n >= 2 + (size + 3) / 4 ? (size_t)size : 0;
}

size_t compile_spec_size(const void *data, size_t data_size, uint32_t spec_id)
{
	struct compile_spirv spirv;
	struct compile_spirv_inst constant;
	size_t size = 0;

	if (!compile_spirv_open(data, data_size, &spirv, NULL, 0))
		return 0;
	if (find(&spirv, spec_id, &constant))
		size = size_of(&spirv, &constant);
	compile_spirv_finish(&spirv);
	return size;
}

/* Whether the literal of that type is kept sign-extended (section 2.2.1 of SPIR-V). */
static bool is_signed(const struct compile_spirv *spirv, uint32_t type)
{
	struct compile_spirv_inst inst;

	return compile_spirv_definition(spirv, type, &inst) && inst.op == SpvOpTypeInt &&
	       inst.n >= 3 && inst.operands[2];
}

static void set(struct compile_spirv *spirv, const struct compile_spirv_inst *constant,
	const struct compile_spec *spec)
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

void *compile_spec_apply(
	const void *data, size_t data_size, const struct compile_spec *specs, size_t n_specs)
{
	struct compile_spirv spirv;
	struct compile_spirv_inst constant;

	if (!compile_spirv_open(data, data_size, &spirv, NULL, 0))
		return NULL;
	for (size_t i = 0; i < n_specs; i++)
		if (find(&spirv, specs[i].id, &constant))
			set(&spirv, &constant, &specs[i]);
	uint32_t *words = spirv.words;
	spirv.words = NULL;
	compile_spirv_finish(&spirv);
	return words;
}
