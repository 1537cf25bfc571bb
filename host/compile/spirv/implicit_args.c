// SPDX-License-Identifier: MIT
#include "compile/spirv/implicit_args.h"
#include "compile/spirv/implicit_args_scan.h"
#include "compile/spirv/spirv_builder.h"

#include "util/util_bits.h"

#include <stdlib.h>
#include <string.h>

struct writer {
	struct implicit_args_scan scan;
	struct spirv_builder builder;
	uint32_t *types; /* by id of a function type: the one with the argument */
	/* Ids. */
	uint32_t ulong, uint, ulong3, value; /* types; `value` is that of the argument */
	uint32_t shift, shifts, masks;	     /* 32, as a vector, and 0xffffffff as one */
	uint32_t global_id;		     /* the variable; 0: nothing needs it */
	bool makes_global_id;
	uint32_t argument;    /* in the function where we are; 0: it has none */
	bool wants_parameter; /* and its OpFunctionParameter is still to come */
};

/* The uses of the function of that id; 0 if it is none. */
static unsigned uses_of(const struct writer *writer, uint32_t id)
{
	return implicit_args_uses(&writer->scan, spirv_function_of(writer->scan.module, id));
}

static uint32_t get_constants(struct writer *writer, uint32_t value)
{
	uint32_t id = spirv_builder_id(&writer->builder);

	SPIRV_PUT(&writer->builder.globals, SpvOpConstantComposite, writer->ulong3, id, value,
		value, value);
	return id;
}

/* The variable of get_global_id, which get_global_linear_id is worked out from. */
static void get_global_id(struct writer *writer)
{
	const uint8_t *marks = writer->scan.marks;

	for (uint32_t id = 0; id < writer->scan.module->bound; id++) {
		const struct implicit_args_builtin *builtin = implicit_args_builtin(marks[id]);

		if (builtin && builtin->use == IMPLICIT_ARGS_GLOBAL_ID &&
			!(marks[id] & IMPLICIT_ARGS_CHAIN)) {
			writer->global_id = id;
			return;
		}
	}
	uint32_t type = SPIRV_BUILDER_TYPE(
		&writer->builder, SpvOpTypePointer, SpvStorageClassInput, writer->ulong3);
	writer->global_id = spirv_builder_id(&writer->builder);
	writer->makes_global_id = true;
	SPIRV_PUT(&writer->builder.globals, SpvOpVariable, type, writer->global_id,
		SpvStorageClassInput);
}

static void make_globals(struct writer *writer, unsigned uses)
{
	writer->ulong = SPIRV_BUILDER_TYPE(&writer->builder, SpvOpTypeInt, 64, 0);
	writer->uint = SPIRV_BUILDER_TYPE(&writer->builder, SpvOpTypeInt, 32, 0);
	writer->ulong3 = SPIRV_BUILDER_TYPE(&writer->builder, SpvOpTypeVector, writer->ulong, 3);
	writer->value = SPIRV_BUILDER_TYPE(&writer->builder, SpvOpTypeVector, writer->ulong, 16);
	writer->shift = spirv_builder_number(&writer->builder, 64, 32);
	writer->shifts = get_constants(writer, writer->shift);
	writer->masks =
		get_constants(writer, spirv_builder_number(&writer->builder, 64, UINT32_MAX));
	if (uses & IMPLICIT_ARGS_GLOBAL_LINEAR_ID)
		get_global_id(writer);
}

/* The function type of `id` with the argument at its end; 0 if it is no function type. */
static uint32_t longer_type(struct writer *writer, uint32_t id)
{
	struct spirv_inst type;
	struct spirv_words operands = { 0 };

	if (id >= writer->scan.module->bound)
		return 0;
	if (writer->types[id])
		return writer->types[id];
	if (!spirv_definition(writer->scan.module, id, &type) || type.op != SpvOpTypeFunction ||
		type.n < 2 || type.n + 2 > UINT16_MAX)
		return 0;
	spirv_words_put(&operands, type.operands + 1, type.n - 1);
	spirv_words_put(&operands, &writer->value, 1);
	if (operands.is_broken)
		writer->builder.out.is_broken = true;
	else
		writer->types[id] = spirv_builder_type(
			&writer->builder, SpvOpTypeFunction, operands.at, (uint32_t)operands.n);
	free(operands.at);
	return writer->types[id];
}

/* Three elements of the argument. */
static uint32_t put_part(struct writer *writer, uint32_t result, uint32_t first)
{
	SPIRV_PUT(&writer->builder.out, SpvOpVectorShuffle, writer->ulong3, result,
		writer->argument, writer->argument, first, first + 1, first + 2);
	return result;
}

static uint32_t put_extract(struct writer *writer, uint32_t from, uint32_t element)
{
	uint32_t result = spirv_builder_id(&writer->builder);

	SPIRV_PUT(
		&writer->builder.out, SpvOpCompositeExtract, writer->ulong, result, from, element);
	return result;
}

static uint32_t put_load(struct writer *writer, uint32_t variable)
{
	uint32_t result = spirv_builder_id(&writer->builder);

	SPIRV_PUT(&writer->builder.out, SpvOpLoad, writer->ulong3, result, variable);
	return result;
}

/* ((z - oz) * sy + y - oy) * sx + x - ox; what the launch says lacks only first_item. */
static void put_linear_id(struct writer *writer, uint32_t result)
{
	uint32_t type = writer->ulong3;
	uint32_t id = put_load(writer, writer->global_id);
	uint32_t first = put_part(writer, spirv_builder_id(&writer->builder), 6);
	uint32_t offset = put_part(writer, spirv_builder_id(&writer->builder), 3);
	id = spirv_builder_op(&writer->builder, SpvOpIAdd, type, id, first);
	id = spirv_builder_op(&writer->builder, SpvOpISub, type, id, offset);

	uint32_t sum = put_extract(writer, id, 2);
	for (uint32_t i = 2; i--;) {
		uint32_t size = put_extract(writer, writer->argument, i);
		uint32_t next = put_extract(writer, id, i);
		sum = spirv_builder_op(&writer->builder, SpvOpIMul, writer->ulong, sum, size);
		if (i)
			sum = spirv_builder_op(
				&writer->builder, SpvOpIAdd, writer->ulong, sum, next);
		else
			SPIRV_PUT(
				&writer->builder.out, SpvOpIAdd, writer->ulong, result, sum, next);
	}
}

/* What get_work_dim or get_enqueued_num_sub_groups gives: half of the last element. */
static void put_half(struct writer *writer, uint32_t result, bool is_upper)
{
	uint32_t word = put_extract(writer, writer->argument, 15);

	if (is_upper)
		word = spirv_builder_op(&writer->builder, SpvOpShiftRightLogical, writer->ulong,
			word, writer->shift);
	SPIRV_PUT(&writer->builder.out, SpvOpUConvert, writer->uint, result, word);
}

/* The value of a built-in variable, as `result`. */
static void put_value(struct writer *writer, uint32_t variable,
	const struct implicit_args_builtin *builtin, uint32_t result)
{
	struct spirv_builder *to = &writer->builder;
	uint32_t type = writer->ulong3, part;

	switch (builtin->use) {
	case IMPLICIT_ARGS_GLOBAL_ID:
		part = put_part(writer, spirv_builder_id(to), builtin->element);
		SPIRV_PUT(&to->out, SpvOpIAdd, type, result, put_load(writer, variable), part);
		break;
	case IMPLICIT_ARGS_NUM_GROUPS:
		part = put_part(writer, spirv_builder_id(to), builtin->element);
		SPIRV_PUT(&to->out, SpvOpBitwiseAnd, type, result, part, writer->masks);
		break;
	case IMPLICIT_ARGS_GROUP_ID:
		part = put_part(writer, spirv_builder_id(to), builtin->element);
		part = spirv_builder_op(to, SpvOpShiftRightLogical, type, part, writer->shifts);
		SPIRV_PUT(&to->out, SpvOpIAdd, type, result, put_load(writer, variable), part);
		break;
	case IMPLICIT_ARGS_GLOBAL_LINEAR_ID:
		put_linear_id(writer, result);
		break;
	case IMPLICIT_ARGS_WORK_DIM:
	case IMPLICIT_ARGS_NUM_ENQUEUED_SUB_GROUPS:
		put_half(writer, result, builtin->use != IMPLICIT_ARGS_WORK_DIM);
		break;
	default:
		put_part(writer, result, builtin->element);
		break;
	}
}

/* With one more operand. */
static void copy_longer(struct writer *writer, const struct spirv_inst *inst, uint32_t operand)
{
	uint32_t head = (inst->n + 2) << SpvWordCountShift | (uint32_t)inst->op;

	spirv_words_put(&writer->builder.out, &head, 1);
	spirv_words_put(&writer->builder.out, inst->operands, inst->n);
	spirv_words_put(&writer->builder.out, &operand, 1);
}

/* The variable that the pointer points to, or into; `builtin` is its. */
static uint32_t variable_of(const struct writer *writer, uint32_t pointer, uint32_t *index)
{
	struct spirv_inst chain;

	*index = 0;
	if (!(implicit_args_mark(&writer->scan, pointer) & IMPLICIT_ARGS_CHAIN) ||
		!spirv_definition(writer->scan.module, pointer, &chain) || chain.n < 4)
		return pointer;
	*index = chain.operands[chain.n - 1];
	return chain.operands[2];
}

static void write_load(struct writer *writer, const struct spirv_inst *inst)
{
	const struct implicit_args_builtin *builtin =
		inst->n < 3 ? NULL
			    : implicit_args_builtin(
				      implicit_args_mark(&writer->scan, inst->operands[2]));
	uint32_t index;

	if (!builtin) {
		spirv_builder_copy(&writer->builder, inst);
		return;
	}
	uint32_t variable = variable_of(writer, inst->operands[2], &index);
	uint32_t type = index		      ? writer->ulong
			: builtin->n == 3     ? writer->ulong3
			: builtin->bits == 64 ? writer->ulong
					      : writer->uint;
	if (!writer->argument || inst->operands[0] != type) {
		spirv_builder_refuse(&writer->builder,
			"a built-in variable is not read as what it is", inst->at);
		return;
	}
	uint32_t result = index ? spirv_builder_id(&writer->builder) : inst->operands[1];
	put_value(writer, variable, builtin, result);
	if (index)
		SPIRV_PUT(&writer->builder.out, SpvOpVectorExtractDynamic, type, inst->operands[1],
			result, index);
}

static void write_call(struct writer *writer, const struct spirv_inst *inst)
{
	if (inst->n < 3 || !uses_of(writer, inst->operands[2])) {
		spirv_builder_copy(&writer->builder, inst);
		return;
	}
	if (!writer->argument || inst->n + 2 > UINT16_MAX) {
		spirv_builder_refuse(
			&writer->builder, "a call is out of place or too long", inst->at);
		return;
	}
	copy_longer(writer, inst, writer->argument);
}

static void write_function(struct writer *writer, const struct spirv_inst *inst)
{
	writer->argument = 0;
	if (!uses_of(writer, inst->operands[1])) {
		spirv_builder_copy(&writer->builder, inst);
		return;
	}
	uint32_t type = inst->n == 4 ? longer_type(writer, inst->operands[3]) : 0;
	if (!type) {
		spirv_builder_refuse(
			&writer->builder, "a function has no type of a function", inst->at);
		return;
	}
	writer->argument = spirv_builder_id(&writer->builder);
	writer->wants_parameter = true;
	SPIRV_PUT(&writer->builder.out, SpvOpFunction, inst->operands[0], inst->operands[1],
		inst->operands[2], type);
}

/* Before the first instruction that is no parameter. */
static void write_parameter(struct writer *writer)
{
	SPIRV_PUT(&writer->builder.out, SpvOpFunctionParameter, writer->value, writer->argument);
	writer->wants_parameter = false;
}

static void write_inside(struct writer *writer, const struct spirv_inst *inst)
{
	if (writer->wants_parameter && inst->op != SpvOpFunctionParameter &&
		inst->op != SpvOpLine && inst->op != SpvOpNoLine)
		write_parameter(writer);
	switch (inst->op) {
	case SpvOpLoad:
		write_load(writer, inst);
		break;
	case SpvOpFunctionCall:
		write_call(writer, inst);
		break;
	default:
		/* a chain is part of the loads through it */
		if (inst->n < 2 ||
			(inst->op != SpvOpAccessChain && inst->op != SpvOpInBoundsAccessChain &&
				inst->op != SpvOpPtrAccessChain &&
				inst->op != SpvOpInBoundsPtrAccessChain) ||
			!(implicit_args_mark(&writer->scan, inst->operands[1]) &
				IMPLICIT_ARGS_CHAIN))
			spirv_builder_copy(&writer->builder, inst);
		break;
	}
}

/* The entry point names the variable too, if it is new. */
static void write_entry_point(struct writer *writer, const struct spirv_inst *inst)
{
	if (!writer->makes_global_id || inst->n + 2 > UINT16_MAX ||
		!(uses_of(writer, inst->operands[1]) & IMPLICIT_ARGS_GLOBAL_LINEAR_ID)) {
		spirv_builder_copy(&writer->builder, inst);
		return;
	}
	copy_longer(writer, inst, writer->global_id);
}

static bool is_mode_of_size(const struct spirv_inst *inst)
{
	return (inst->op == SpvOpExecutionMode || inst->op == SpvOpExecutionModeId) &&
	       inst->n > 1 &&
	       (inst->operands[1] == SpvExecutionModeLocalSize ||
		       inst->operands[1] == SpvExecutionModeLocalSizeId);
}

/* Names of the types of arguments, of which there would be one too few. */
static bool is_argument_list(const struct writer *writer, const struct spirv_inst *inst)
{
	static const char start[] = "kernel_arg_type";

	return inst->op == SpvOpString &&
	       !strncmp(spirv_text(writer->scan.module, inst->at + 2), start, sizeof start - 1);
}

static void decorate_global_id(struct writer *writer)
{
	SPIRV_PUT(&writer->builder.out, SpvOpDecorate, writer->global_id, SpvDecorationConstant);
	SPIRV_PUT(&writer->builder.out, SpvOpDecorate, writer->global_id, SpvDecorationBuiltIn,
		SpvBuiltInGlobalInvocationId);
}

static bool is_linear_id(const struct writer *writer, const struct spirv_inst *inst)
{
	return inst->op == SpvOpDecorate && inst->n == 3 &&
	       inst->operands[1] == SpvDecorationBuiltIn &&
	       inst->operands[2] == SpvBuiltInGlobalLinearId &&
	       implicit_args_builtin(implicit_args_mark(&writer->scan, inst->operands[0]));
}

static void write_outside(struct writer *writer, const struct spirv_inst *inst)
{
	if (inst->op == SpvOpEntryPoint) {
		write_entry_point(writer, inst);
		return;
	}
	if (is_mode_of_size(inst) || is_argument_list(writer, inst))
		return;
	spirv_builder_copy(&writer->builder, inst);
	if (writer->makes_global_id && is_linear_id(writer, inst))
		decorate_global_id(writer);
}

static void write_capabilities(struct writer *writer)
{
	static const uint32_t wanted[] = { SpvCapabilityInt64, SpvCapabilityVector16 };
	const struct spirv_module *module = writer->scan.module;

	for (size_t i = 0; i < UTIL_ARRAY_SIZE(wanted); i++) {
		struct spirv_inst inst;
		bool found = false;

		SPIRV_EACH(module, SPIRV_START, spirv_functions_at(module), inst)
			found |= inst.op == SpvOpCapability && inst.n == 1 &&
				 inst.operands[0] == wanted[i];
		if (!found)
			SPIRV_PUT(&writer->builder.out, SpvOpCapability, wanted[i]);
	}
}

static void write_module(struct writer *writer)
{
	const struct spirv_module *module = writer->scan.module;
	struct spirv_inst inst;

	write_capabilities(writer);
	SPIRV_EACH(module, SPIRV_START, spirv_functions_at(module), inst)
		write_outside(writer, &inst);
	SPIRV_EACH(module, spirv_functions_at(module), module->n_words, inst)
		if (inst.op == SpvOpFunction)
			write_function(writer, &inst);
		else
			write_inside(writer, &inst);
}

enum compile_status implicit_args_append(struct spirv_module *module)
{
	struct writer writer = { 0 };
	unsigned uses = 0;

	if (module->pointer_size != 8)
		return spirv_module_refuse(module, "its pointers do not have 64 bits", 0);
	enum compile_status status = implicit_args_scan(module, &writer.scan);
	writer.types = calloc(module->bound, sizeof(*writer.types));
	spirv_builder_init(&writer.builder, module);
	writer.builder.out.is_broken |= status != COMPILE_OK || !writer.types;
	if (!writer.builder.out.is_broken && writer.scan.obstacle)
		spirv_builder_refuse(
			&writer.builder, writer.scan.obstacle, writer.scan.obstacle_at);
	else if (!writer.builder.out.is_broken) {
		for (uint32_t i = 0; i < module->n_functions; i++)
			uses |= writer.scan.uses[i];
		if (uses | writer.scan.everywhere)
			make_globals(&writer, uses | writer.scan.everywhere);
		write_module(&writer);
	}
	implicit_args_scan_finish(&writer.scan);
	free(writer.types);
	return spirv_builder_finish(&writer.builder);
}
