// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_double.h"

#include "compile/spirv/spirv_builder.h"

#include <stdlib.h>
#include <string.h>

/* What an id is called instead: an equal type that came before, or itself. */
struct names {
	const struct spirv_module *module;
	uint32_t *instead;
};

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

/* Whether two types that are equal must be one: section 2.16.1. */
static bool is_unique(SpvOp op)
{
	return op == SpvOpTypeInt || op == SpvOpTypeVector || op == SpvOpTypeFunction;
}

/* The type with the names that count; it has at most `max` operands, or else no equal. */
static uint32_t describe(
	const struct names *names, const struct spirv_inst *inst, uint32_t *words, uint32_t max)
{
	if (is_double(inst)) {
		words[0] = SpvOpTypeInt;
		words[1] = 64;
		words[2] = 0;
		return 3;
	}
	if (!is_unique(inst->op) || inst->n > max)
		return 0;
	words[0] = inst->op;
	for (uint32_t i = 1; i < inst->n; i++) {
		const bool is_id =
			inst->op == SpvOpTypeFunction || (inst->op == SpvOpTypeVector && i == 1);

		words[i] = is_id ? names->instead[inst->operands[i]] : inst->operands[i];
	}
	return inst->n;
}

enum { MAX_WORDS = 64 };

/* The first type before `inst` that is equal to it, or its own id. */
static uint32_t first_equal(const struct names *names, const struct spirv_inst *inst)
{
	uint32_t words[MAX_WORDS], others[MAX_WORDS];
	const uint32_t n = describe(names, inst, words, MAX_WORDS);
	struct spirv_inst other;

	SPIRV_EACH(names->module, SPIRV_START, n ? inst->at : 0, other)
		if ((is_unique(other.op) || is_double(&other)) &&
			describe(names, &other, others, MAX_WORDS) == n &&
			!memcmp(words, others, n * sizeof *words))
			return names->instead[other.operands[0]];
	return inst->operands[0];
}

static void choose_names(struct names *names)
{
	const struct spirv_module *module = names->module;
	struct spirv_inst inst;

	for (uint32_t id = 0; id < module->bound; id++)
		names->instead[id] = id;
	SPIRV_EACH(module, SPIRV_START, spirv_functions_at(module), inst)
		if (inst.n && (is_unique(inst.op) || is_double(&inst)))
			names->instead[inst.operands[0]] = first_equal(names, &inst);
}

/* Whether the operand of a declaration or of a function is a type. */
static bool is_type(const struct spirv_inst *inst, uint32_t i)
{
	switch (inst->op) {
	case SpvOpTypeVector:
	case SpvOpTypeArray:
	case SpvOpTypeRuntimeArray:
		return i == 1;
	case SpvOpTypePointer:
		return i == 2;
	case SpvOpTypeStruct:
	case SpvOpTypeFunction:
		return i > 0;
	case SpvOpFunction:
		return i == 0 || i == 3;
	default:
		return i == 0 && spirv_has_type(inst->op);
	}
}

/* Whether the instruction goes: a type that another one stands for, or what is said of it. */
static bool is_dropped(const struct names *names, const struct spirv_inst *inst)
{
	switch (inst->op) {
	case SpvOpName:
	case SpvOpDecorate:
	case SpvOpTypeInt:
	case SpvOpTypeFloat:
	case SpvOpTypeVector:
	case SpvOpTypeFunction:
		return inst->n && names->instead[inst->operands[0]] != inst->operands[0];
	case SpvOpCapability:
		return inst->n && inst->operands[0] == SpvCapabilityFloat64;
	default:
		return false;
	}
}

static void put(
	struct spirv_builder *builder, const struct names *names, const struct spirv_inst *inst)
{
	const size_t at = builder->out.n;

	if (is_double(inst)) {
		SPIRV_PUT(&builder->out, SpvOpTypeInt, inst->operands[0], 64, 0);
		return;
	}
	spirv_builder_copy(builder, inst);
	if (builder->out.is_broken)
		return;
	uint32_t *words = builder->out.at + at;
	for (uint32_t i = 0; i < inst->n; i++)
		if (is_type(inst, i))
			words[1 + i] = names->instead[inst->operands[i]];
	/* the bits of a double are what it is now */
	if (inst->op == SpvOpBitcast &&
		names->instead[spirv_type_of(names->module, inst->operands[2])] == words[1])
		words[0] = 4u << SpvWordCountShift | SpvOpCopyObject;
}

/* Whether a constant is computed in doubles, which nothing of ours does. */
static bool is_computed(const struct spirv_module *module, const struct spirv_inst *inst)
{
	struct spirv_inst type;

	if (inst->op != SpvOpSpecConstantOp || inst->n < 4)
		return false;
	for (int i = 0; i < 2; i++) {
		const uint32_t id =
			i ? spirv_type_of(module, inst->operands[3]) : inst->operands[0];

		if (id && spirv_definition(module, id, &type) && is_double(&type))
			return inst->operands[2] != SpvOpBitcast &&
			       inst->operands[2] != SpvOpSelect;
	}
	return false;
}

enum compile_status spirv_double_types(struct spirv_module *module)
{
	struct names names = { .module = module };
	struct spirv_builder builder;
	struct spirv_inst inst;

	names.instead = malloc(module->bound * sizeof *names.instead);
	if (!names.instead)
		return COMPILE_NO_MEMORY;
	choose_names(&names);
	spirv_builder_init(&builder, module);
	SPIRV_PUT(&builder.out, SpvOpCapability, SpvCapabilityInt64);
	SPIRV_EACH(module, SPIRV_START, module->n_words, inst) {
		if (is_computed(module, &inst))
			spirv_builder_refuse(&builder,
				"a specialisation constant is computed in double precision, which "
				"the device does not have",
				inst.at);
		if (!is_dropped(&names, &inst))
			put(&builder, &names, &inst);
	}
	free(names.instead);
	return spirv_builder_finish(&builder);
}
