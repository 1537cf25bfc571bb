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
	bool is_linear;			     /* it was that of get_global_linear_id */
	uint32_t argument;		     /* in the function where we are; 0: it has none */
	bool wants_parameter;		     /* and its OpFunctionParameter is still to come */
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

/* The variable of get_global_id, which get_global_linear_id is worked out from, and whose own
 * becomes it if there is no other. */
static void get_global_id(struct writer *writer)
{
	const uint8_t *marks = writer->scan.marks;
	uint32_t linear = 0;

	for (uint32_t id = 0; id < writer->scan.module->bound; id++) {
		const struct implicit_args_builtin *builtin = implicit_args_builtin(marks[id]);

		if (!builtin || marks[id] & IMPLICIT_ARGS_CHAIN)
			continue;
		if (builtin->use == IMPLICIT_ARGS_GLOBAL_ID)
			writer->global_id = id;
		if (builtin->use == IMPLICIT_ARGS_GLOBAL_LINEAR_ID)
			linear = id;
	}
	writer->is_linear = !writer->global_id;
	if (writer->is_linear)
		writer->global_id = linear;
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
static uint32_t put_part(struct writer *writer, uint32_t first)
{
	return SPIRV_OP(&writer->builder, SpvOpVectorShuffle, writer->ulong3, writer->argument,
		writer->argument, first, first + 1, first + 2);
}

static uint32_t put_extract(struct writer *writer, uint32_t from, uint32_t element)
{
	return SPIRV_OP(&writer->builder, SpvOpCompositeExtract, writer->ulong, from, element);
}

static uint32_t put_load(struct writer *writer, uint32_t variable)
{
	return SPIRV_OP(&writer->builder, SpvOpLoad, writer->ulong3, variable);
}

/* ((z - oz) * sy + y - oy) * sx + x - ox; what the launch says lacks only first_item. */
static uint32_t put_linear_id(struct writer *writer)
{
	struct spirv_builder *to = &writer->builder;
	const uint32_t type = writer->ulong, type3 = writer->ulong3;
	const uint32_t launch = put_load(writer, writer->global_id);
	const uint32_t global = SPIRV_OP(to, SpvOpIAdd, type3, launch, put_part(writer, 6));
	const uint32_t id = SPIRV_OP(to, SpvOpISub, type3, global, put_part(writer, 3));
	uint32_t sum = put_extract(writer, id, 2);

	for (uint32_t i = 2; i--;) {
		const uint32_t size = put_extract(writer, writer->argument, i);
		const uint32_t rows = SPIRV_OP(to, SpvOpIMul, type, sum, size);

		sum = SPIRV_OP(to, SpvOpIAdd, type, rows, put_extract(writer, id, i));
	}
	return sum;
}

/* The value of a built-in variable. */
static uint32_t put_value(
	struct writer *writer, uint32_t variable, const struct implicit_args_builtin *builtin)
{
	struct spirv_builder *to = &writer->builder;
	const uint32_t type = writer->ulong3;
	uint32_t part;

	switch (builtin->use) {
	case IMPLICIT_ARGS_GLOBAL_ID:
		part = put_part(writer, builtin->element);
		return SPIRV_OP(to, SpvOpIAdd, type, put_load(writer, variable), part);
	case IMPLICIT_ARGS_NUM_GROUPS:
		part = put_part(writer, builtin->element);
		return SPIRV_OP(to, SpvOpBitwiseAnd, type, part, writer->masks);
	case IMPLICIT_ARGS_GROUP_ID:
		part = put_part(writer, builtin->element);
		part = SPIRV_OP(to, SpvOpShiftRightLogical, type, part, writer->shifts);
		return SPIRV_OP(to, SpvOpIAdd, type, put_load(writer, variable), part);
	case IMPLICIT_ARGS_GLOBAL_LINEAR_ID:
		return put_linear_id(writer);
	case IMPLICIT_ARGS_NUM_ENQUEUED_SUB_GROUPS: /* the upper half of the last element */
		part = put_extract(writer, writer->argument, builtin->element);
		part = SPIRV_OP(to, SpvOpShiftRightLogical, writer->ulong, part, writer->shift);
		return SPIRV_OP(to, SpvOpUConvert, writer->uint, part);
	case IMPLICIT_ARGS_WORK_DIM:
		part = put_extract(writer, writer->argument, builtin->element);
		return SPIRV_OP(to, SpvOpUConvert, writer->uint, part);
	default:
		return put_part(writer, builtin->element);
	}
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

static bool write_load(struct writer *writer, const struct spirv_inst *inst)
{
	const uint8_t mark = inst->n < 3 ? 0 : implicit_args_mark(&writer->scan, inst->operands[2]);
	const struct implicit_args_builtin *builtin = implicit_args_builtin(mark);
	struct spirv_builder *to = &writer->builder;
	uint32_t index;

	if (!builtin)
		return false;
	const uint32_t variable = variable_of(writer, inst->operands[2], &index);
	const uint32_t type = builtin->n == 3 && !index ? writer->ulong3
			      : builtin->bits == 64	? writer->ulong
							: writer->uint;
	if (!writer->argument || inst->operands[0] != type) {
		spirv_builder_refuse(to, "a built-in variable is not read as what it is", inst->at);
		return true;
	}
	const uint32_t value = put_value(writer, variable, builtin);
	if (index)
		(void)SPIRV_OP(to, SpvOpVectorExtractDynamic, type, value, index);
	spirv_builder_rename(to, inst->operands[1]);
	return true;
}

static bool write_call(struct writer *writer, const struct spirv_inst *inst)
{
	if (inst->n < 3 || !uses_of(writer, inst->operands[2]))
		return false;
	if (!writer->argument)
		spirv_builder_refuse(&writer->builder, "a call is out of place", inst->at);
	spirv_builder_copy_longer(&writer->builder, inst, writer->argument);
	return true;
}

static bool write_function(struct writer *writer, const struct spirv_inst *inst)
{
	writer->argument = 0;
	if (!uses_of(writer, inst->operands[1]))
		return false;
	uint32_t type = inst->n == 4 ? longer_type(writer, inst->operands[3]) : 0;
	if (!type)
		spirv_builder_refuse(
			&writer->builder, "a function has no type of a function", inst->at);
	writer->argument = spirv_builder_id(&writer->builder);
	writer->wants_parameter = true;
	SPIRV_PUT(&writer->builder.out, SpvOpFunction, inst->operands[0], inst->operands[1],
		inst->operands[2], type);
	return true;
}

static bool write_inside(struct writer *writer, const struct spirv_inst *inst)
{
	/* Before the first instruction that is no parameter. */
	if (writer->wants_parameter && inst->op != SpvOpFunctionParameter &&
		inst->op != SpvOpLine && inst->op != SpvOpNoLine) {
		SPIRV_PUT(&writer->builder.out, SpvOpFunctionParameter, writer->value,
			writer->argument);
		writer->wants_parameter = false;
	}
	switch (inst->op) {
	case SpvOpFunction:
		return write_function(writer, inst);
	case SpvOpLoad:
		return write_load(writer, inst);
	case SpvOpFunctionCall:
		return write_call(writer, inst);
	case SpvOpAccessChain: /* part of the loads through it */
	case SpvOpInBoundsAccessChain:
	case SpvOpPtrAccessChain:
	case SpvOpInBoundsPtrAccessChain:
		return inst->n >= 2 &&
		       implicit_args_mark(&writer->scan, inst->operands[1]) & IMPLICIT_ARGS_CHAIN;
	default:
		return false;
	}
}

/* Names of the types of arguments, of which there would be one too few. */
static bool is_argument_list(const struct writer *writer, const struct spirv_inst *inst)
{
	static const char start[] = "kernel_arg_type";

	return !strncmp(spirv_text(writer->scan.module, inst->at + 2), start, sizeof start - 1);
}

static bool write_outside(struct writer *writer, const struct spirv_inst *inst)
{
	struct spirv_builder *to = &writer->builder;

	switch (inst->op) {
	case SpvOpExecutionMode:
	case SpvOpExecutionModeId:
		return implicit_args_is_size(inst);
	case SpvOpString:
		return is_argument_list(writer, inst);
	case SpvOpDecorate:
		if (!writer->is_linear || inst->n != 3 || inst->operands[0] != writer->global_id ||
			inst->operands[1] != SpvDecorationBuiltIn)
			return false;
		spirv_builder_copy_with(to, inst, 2, SpvBuiltInGlobalInvocationId);
		return true;
	case SpvOpVariable:
		if (!writer->is_linear || inst->operands[1] != writer->global_id)
			return false;
		SPIRV_PUT(&to->globals, SpvOpVariable,
			SPIRV_BUILDER_TYPE(
				to, SpvOpTypePointer, SpvStorageClassInput, writer->ulong3),
			writer->global_id, SpvStorageClassInput);
		return true;
	default:
		return false;
	}
}

static bool write(struct spirv_builder *builder, const struct spirv_inst *inst, void *data)
{
	return inst->at < spirv_functions_at(builder->from) ? write_outside(data, inst)
							    : write_inside(data, inst);
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

enum compile_status implicit_args_append(struct spirv_module *module)
{
	struct writer writer = { 0 };

	if (module->pointer_size != 8)
		return spirv_module_refuse(module, "its pointers do not have 64 bits", 0);
	enum compile_status status = implicit_args_scan(module, &writer.scan);
	unsigned uses = writer.scan.everywhere;
	writer.types = calloc(module->bound, sizeof(*writer.types));
	if (status != COMPILE_OK || !writer.types) {
		status = COMPILE_NO_MEMORY;
	} else if (writer.scan.obstacle) {
		status = spirv_module_refuse(module, writer.scan.obstacle, writer.scan.obstacle_at);
	} else {
		for (uint32_t i = 0; i < module->n_functions; i++)
			uses |= writer.scan.uses[i];
		spirv_builder_init(&writer.builder, module);
		write_capabilities(&writer);
		if (uses)
			make_globals(&writer, uses);
		status = spirv_builder_run(&writer.builder, write, &writer);
	}
	implicit_args_scan_finish(&writer.scan);
	free(writer.types);
	return status;
}
