// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_double.h"

#include "compile/spirv/spirv_builder.h"

static bool is_double(const struct spirv_inst *inst)
{
	return inst->op == SpvOpTypeFloat && inst->n == 2 && inst->operands[1] == 64;
}

bool spirv_double_wanted(const struct spirv_module *module)
{
	struct spirv_inst inst;

	SPIRV_EACH(module, SPIRV_START, spirv_functions_at(module), inst)
		if (is_double(&inst))
			return true;
	return false;
}

/* How many longs or doubles the type has; 0: it is another one. */
static uint32_t count_longs(const struct spirv_module *module, uint32_t type)
{
	struct spirv_inst inst;
	uint32_t n = 1;

	if (spirv_definition(module, type, &inst) && inst.op == SpvOpTypeVector && inst.n == 3) {
		n = inst.operands[2];
		type = inst.operands[1];
	}
	if (!spirv_definition(module, type, &inst) || inst.n < 2 || inst.operands[1] != 64)
		return 0;
	return inst.op == SpvOpTypeInt || inst.op == SpvOpTypeFloat ? n : 0;
}

static bool is_double_type(const struct spirv_module *module, uint32_t type)
{
	struct spirv_inst inst;

	return spirv_definition(module, type, &inst) && is_double(&inst);
}

/* Whether a constant is computed in doubles, which nothing of ours does. */
static bool is_computed(const struct spirv_module *module, const struct spirv_inst *inst)
{
	return inst->n >= 4 && inst->operands[2] != SpvOpBitcast &&
	       inst->operands[2] != SpvOpSelect &&
	       (is_double_type(module, inst->operands[0]) ||
		       is_double_type(module, spirv_type_of(module, inst->operands[3])));
}

static bool put_long(struct spirv_builder *builder, const struct spirv_inst *inst, void *data)
{
	const struct spirv_module *module = builder->from;
	const uint32_t *operands = inst->operands;
	uint32_t n;

	(void)data;
	switch (inst->op) {
	case SpvOpTypeFloat:
		if (is_double(inst))
			SPIRV_PUT(&builder->out, SpvOpTypeInt, operands[0], 64, 0);
		return is_double(inst);
	case SpvOpCapability:
		return inst->n && operands[0] == SpvCapabilityFloat64;
	case SpvOpBitcast: /* the bits of a double are what it is now */
		n = inst->n == 3 ? count_longs(module, operands[0]) : 0;
		if (!n || n != count_longs(module, spirv_type_of(module, operands[2])))
			return false;
		SPIRV_PUT(&builder->out, SpvOpCopyObject, operands[0], operands[1], operands[2]);
		return true;
	case SpvOpSpecConstantOp:
		if (is_computed(module, inst))
			spirv_builder_refuse(builder,
				"a specialisation constant is computed in double precision, which "
				"the device does not have",
				inst->at);
		return false;
	default:
		return false;
	}
}

enum compile_status spirv_double_types(struct spirv_module *module)
{
	struct spirv_builder builder;

	spirv_builder_init(&builder, module);
	SPIRV_PUT(&builder.out, SpvOpCapability, SpvCapabilityInt64);
	return spirv_builder_run(&builder, put_long, NULL);
}
