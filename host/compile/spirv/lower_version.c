// SPDX-License-Identifier: MIT
#include "compile/spirv/lower_version.h"

#include "compile/spirv/spirv_builder.h"
#include "util/util_bits.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_MEMBERS = 4096, MAX_DEPTH = 32 };
enum { EXTENDS = SpvImageOperandsSignExtendMask | SpvImageOperandsZeroExtendMask };

/* Where the image operands of an instruction are; 0: it has none that could be meant. */
static uint32_t mask_at(const struct spirv_inst *inst)
{
	uint32_t at = inst->op == SpvOpImageWrite ? 3 : 4;

	switch (inst->op) {
	case SpvOpImageRead:
	case SpvOpImageWrite:
	case SpvOpImageFetch:
	case SpvOpImageSampleExplicitLod:
		return inst->n > at && inst->operands[at] & EXTENDS ? at : 0;
	default:
		return 0;
	}
}

static uint32_t bits_of(const struct spirv_builder *builder)
{
	return builder->from->pointer_size * 8;
}

static uint32_t size_type(struct spirv_builder *builder)
{
	return SPIRV_BUILDER_TYPE(builder, SpvOpTypeInt, bits_of(builder), 0);
}

/* The address of a pointer, as an integer. */
static uint32_t put_address(struct spirv_builder *builder, uint32_t pointer)
{
	return SPIRV_OP(builder, SpvOpConvertPtrToU, size_type(builder), pointer);
}

static void put_equal(struct spirv_builder *builder, const struct spirv_inst *inst)
{
	const SpvOp op = inst->op == SpvOpPtrEqual ? SpvOpIEqual : SpvOpINotEqual;
	const uint32_t a = put_address(builder, inst->operands[2]);
	const uint32_t b = put_address(builder, inst->operands[3]);

	SPIRV_PUT(&builder->out, op, inst->operands[0], inst->operands[1], a, b);
}

/* The difference of the addresses, divided by that of one element and the next. */
static void put_difference(struct spirv_builder *builder, const struct spirv_inst *inst)
{
	const uint32_t type = size_type(builder), *operands = inst->operands;
	const uint32_t one = spirv_builder_number(builder, bits_of(builder), 1);
	const uint32_t a = put_address(builder, operands[2]);
	const uint32_t b = put_address(builder, operands[3]);
	const uint32_t next = SPIRV_OP(builder, SpvOpPtrAccessChain,
		spirv_type_of(builder->from, operands[3]), operands[3], one);
	const uint32_t end = put_address(builder, next);
	const uint32_t bytes = SPIRV_OP(builder, SpvOpISub, type, a, b);
	const uint32_t element = SPIRV_OP(builder, SpvOpISub, type, end, b);
	struct spirv_inst result;

	if (!spirv_definition(builder->from, operands[0], &result) || result.op != SpvOpTypeInt ||
		result.n < 2)
		spirv_builder_refuse(builder, "a difference of pointers is no integer", inst->at);
	else if (result.operands[1] == bits_of(builder))
		SPIRV_PUT(&builder->out, SpvOpSDiv, operands[0], operands[1], bytes, element);
	else
		SPIRV_PUT(&builder->out, SpvOpSConvert, operands[0], operands[1],
			SPIRV_OP(builder, SpvOpSDiv, type, bytes, element));
}

/* The number of a type's parts, and in *list the types of a structure's; 0: it has none. */
static uint32_t parts_of(const struct spirv_module *module, uint32_t type, struct spirv_inst *inst)
{
	uint64_t length;

	if (!spirv_definition(module, type, inst))
		return 0;
	if (inst->op == SpvOpTypeStruct)
		return inst->n - 1;
	if (inst->op == SpvOpTypeArray && inst->n == 3 &&
		spirv_constant(module, inst->operands[2], &length) && length <= MAX_MEMBERS)
		return (uint32_t)length;
	return 0;
}

static uint32_t part_type(const struct spirv_inst *type, uint32_t part)
{
	return type->operands[1 + (type->op == SpvOpTypeStruct ? part : 0)];
}

/* Puts a copy of `value` as a type that has the same parts, with the id `result`. */
static void put_copy(struct spirv_builder *builder, uint32_t type, uint32_t result, uint32_t value,
	uint32_t from, unsigned depth)
{
	struct spirv_inst to_type, from_type;
	uint32_t n = parts_of(builder->from, type, &to_type);
	uint32_t *words = NULL;

	if (type == from) {
		SPIRV_PUT(&builder->out, SpvOpCopyObject, type, result, value);
		return;
	}
	if (!n || depth == MAX_DEPTH || parts_of(builder->from, from, &from_type) != n ||
		to_type.op != from_type.op || !(words = malloc((n + 2) * sizeof *words))) {
		spirv_builder_refuse(builder, "the types of a logical copy do not match", 3);
		return;
	}
	words[0] = type;
	words[1] = result;
	for (uint32_t i = 0; i < n && !builder->is_refused; i++) {
		uint32_t part = spirv_builder_id(builder), source = part_type(&from_type, i);

		SPIRV_PUT(&builder->out, SpvOpCompositeExtract, source, part, value, i);
		words[2 + i] = part;
		if (source == part_type(&to_type, i))
			continue;
		words[2 + i] = spirv_builder_id(builder);
		put_copy(builder, part_type(&to_type, i), words[2 + i], part, source, depth + 1);
	}
	spirv_put(&builder->out, SpvOpCompositeConstruct, words, n + 2);
	free(words);
}

/* The instruction without the bits; other image operands stay. */
static void put_image(struct spirv_builder *builder, const struct spirv_inst *inst, uint32_t at)
{
	const uint32_t mask = inst->operands[at] & ~(uint32_t)EXTENDS;

	if (mask)
		spirv_builder_copy_with(builder, inst, at, mask);
	else
		spirv_put(&builder->out, inst->op, inst->operands, at);
}

/* How many operands the memory operands at `at` are: the mask, and one for each of some bits. */
static uint32_t memory_operands(const struct spirv_inst *inst, uint32_t at)
{
	const uint32_t mask = at < inst->n ? inst->operands[at] : 0;
	const uint32_t with_operand =
		SpvMemoryAccessAlignedMask | SpvMemoryAccessMakePointerAvailableMask |
		SpvMemoryAccessMakePointerVisibleMask | SpvMemoryAccessAliasScopeINTELMaskMask |
		SpvMemoryAccessNoAliasINTELMaskMask;

	return at < inst->n ? 1 + (uint32_t)__builtin_popcount(mask & with_operand) : 0;
}

/* The value is loaded and stored. The first memory operands are the target's; if there are no
 * others, both's. */
static void put_memory_copy(struct spirv_builder *builder, const struct spirv_inst *inst)
{
	const uint32_t *operands = inst->operands, n = memory_operands(inst, 2);
	const uint32_t type =
		spirv_pointee(builder->from, spirv_type_of(builder->from, operands[1]));
	const uint32_t from = 2 + n < inst->n ? 2 + n : 2, n_from = memory_operands(inst, from);
	uint32_t words[16] = { type, spirv_builder_id(builder), operands[1] };

	if (!type || 2 + n > inst->n || from + n_from > inst->n ||
		UTIL_ARRAY_SIZE(words) < 3 + (n > n_from ? n : n_from)) {
		spirv_builder_refuse(builder, "memory is copied in no way that is known", inst->at);
		return;
	}
	memcpy(words + 3, operands + from, n_from * sizeof *words);
	spirv_put(&builder->out, SpvOpLoad, words, 3 + n_from);
	words[0] = operands[0];
	memcpy(words + 2, operands + 2, n * sizeof *words);
	spirv_put(&builder->out, SpvOpStore, words, 2 + n);
}

static bool put_lowered(struct spirv_builder *builder, const struct spirv_inst *inst, void *data)
{
	const uint32_t mask = mask_at(inst), *operands = inst->operands;

	(void)data;
	switch (inst->op) {
	case SpvOpPtrDiff:
		if (inst->n == 4)
			put_difference(builder, inst);
		return inst->n == 4;
	case SpvOpPtrEqual:
	case SpvOpPtrNotEqual:
		if (inst->n == 4)
			put_equal(builder, inst);
		return inst->n == 4;
	case SpvOpCopyLogical:
		if (inst->n == 3)
			put_copy(builder, operands[0], operands[1], operands[2],
				spirv_type_of(builder->from, operands[2]), 0);
		return inst->n == 3;
	case SpvOpCopyMemory:
		if (inst->n >= 2)
			put_memory_copy(builder, inst);
		return inst->n >= 2;
	case SpvOpDecorateString: /* for people */
	case SpvOpMemberDecorateString:
		return true;
	default:
		if (mask)
			put_image(builder, inst, mask);
		return mask;
	}
}

enum compile_status lower_version(struct spirv_module *module)
{
	struct spirv_builder builder;

	spirv_builder_init(&builder, module);
	return spirv_builder_run(&builder, put_lowered, NULL);
}
