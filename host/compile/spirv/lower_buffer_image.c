// SPDX-License-Identifier: MIT
#include "compile/spirv/lower_buffer_image.h"

#include "compile/spirv/spirv_builder.h"

/* Operands of OpTypeImage. */
enum { IMAGE_DIM = 2, IMAGE_DEPTH, IMAGE_ARRAYED, IMAGE_SAMPLES, IMAGE_OPERANDS = 8 };

struct writer {
	struct spirv_builder builder;
	/* Ids of types and constants; 0: not made yet. */
	uint32_t uint, uint2, boolean;
	uint32_t mask, shift, zero, two;
};

/* What is done with an instruction if the image among its operands is one of a buffer. */
static const struct action {
	SpvOp op;
	uint32_t image; /* which operand that is */
	enum { ACT_PLACE, ACT_SIZE, ACT_REFUSE } act;
} actions[] = {
	{ SpvOpImageRead, 2, ACT_PLACE },
	{ SpvOpImageFetch, 2, ACT_PLACE },
	{ SpvOpImageWrite, 0, ACT_PLACE },
	{ SpvOpImageQuerySize, 2, ACT_SIZE },
	{ SpvOpImageQuerySizeLod, 2, ACT_SIZE },
	{ SpvOpImageQueryLevels, 2, ACT_REFUSE },
	{ SpvOpImageQuerySamples, 2, ACT_REFUSE },
	{ SpvOpImageTexelPointer, 2, ACT_REFUSE },
	{ SpvOpImageSparseFetch, 2, ACT_REFUSE },
	{ SpvOpImageSparseRead, 2, ACT_REFUSE },
	{ SpvOpSampledImage, 2, ACT_REFUSE },
	{ SpvOpSubgroupImageBlockReadINTEL, 2, ACT_REFUSE },
	{ SpvOpSubgroupImageBlockWriteINTEL, 0, ACT_REFUSE },
	{ SpvOpSubgroupImageMediaBlockReadINTEL, 2, ACT_REFUSE },
	{ SpvOpSubgroupImageMediaBlockWriteINTEL, 0, ACT_REFUSE },
};

static bool is_buffer_type(const struct spirv_inst *type)
{
	return type->op == SpvOpTypeImage && type->n >= IMAGE_OPERANDS &&
	       type->operands[IMAGE_DIM] == SpvDimBuffer;
}

/* Whether the value is an image of a buffer, or a pointer to one. */
static bool is_buffer(const struct spirv_module *module, uint32_t id)
{
	const uint32_t own = spirv_type_of(module, id), pointee = spirv_pointee(module, own);
	struct spirv_inst type;

	return spirv_definition(module, pointee ? pointee : own, &type) && is_buffer_type(&type);
}

static void make_globals(struct writer *writer)
{
	struct spirv_builder *builder = &writer->builder;

	if (writer->uint)
		return;
	writer->uint = SPIRV_BUILDER_TYPE(builder, SpvOpTypeInt, 32, 0);
	writer->uint2 = SPIRV_BUILDER_TYPE(builder, SpvOpTypeVector, writer->uint, 2);
	writer->boolean = spirv_builder_type(builder, SpvOpTypeBool, NULL, 0);
	writer->mask = spirv_builder_number(builder, 32, BUFFER_IMAGE_WIDTH - 1);
	writer->shift = spirv_builder_number(builder, 32, BUFFER_IMAGE_SHIFT);
	writer->zero = spirv_builder_number(builder, 32, 0);
	writer->two = spirv_builder_number(builder, 32, 2);
}

/* Operand `at` is the coordinate. A negative one is in no row: it is far outside. */
static void write_place(struct writer *writer, const struct spirv_inst *inst, uint32_t at)
{
	struct spirv_builder *builder = &writer->builder;
	const uint32_t uint = writer->uint;

	if (inst->n <= at || spirv_type_of(builder->from, inst->operands[at]) != uint) {
		spirv_builder_refuse(
			builder, "the coordinate is not one number of 32 bits", inst->at);
		return;
	}
	const uint32_t x = inst->operands[at];
	const uint32_t column = SPIRV_OP(builder, SpvOpBitwiseAnd, uint, x, writer->mask);
	const uint32_t row = SPIRV_OP(builder, SpvOpShiftRightLogical, uint, x, writer->shift);

	spirv_builder_copy_with(builder, inst, at,
		SPIRV_OP(builder, SpvOpCompositeConstruct, writer->uint2, column, row));
}

static void write_size(struct writer *writer, const struct spirv_inst *inst)
{
	struct spirv_builder *builder = &writer->builder;
	const uint32_t uint = writer->uint;

	if (inst->operands[0] != uint) {
		spirv_builder_refuse(
			builder, "the size is not wanted as one number of 32 bits", inst->at);
		return;
	}
	const uint32_t size = SPIRV_OP(
		builder, SpvOpImageQuerySizeLod, writer->uint2, inst->operands[2], writer->zero);
	const uint32_t width = SPIRV_OP(builder, SpvOpCompositeExtract, uint, size, 0);
	const uint32_t rows = SPIRV_OP(builder, SpvOpCompositeExtract, uint, size, 1);
	const uint32_t is_one =
		SPIRV_OP(builder, SpvOpULessThan, writer->boolean, rows, writer->two);
	const uint32_t others = SPIRV_OP(builder, SpvOpISub, uint, rows, writer->two);
	const uint32_t before =
		SPIRV_OP(builder, SpvOpShiftLeftLogical, uint, others, writer->shift);
	const uint32_t sum = SPIRV_OP(builder, SpvOpIAdd, uint, before, width);

	SPIRV_PUT(&builder->out, SpvOpSelect, uint, inst->operands[1], is_one, width, sum);
}

static const struct action *action_of(
	const struct spirv_module *module, const struct spirv_inst *inst)
{
	for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
		if (actions[i].op == inst->op)
			return inst->n > actions[i].image &&
					       is_buffer(module, inst->operands[actions[i].image])
				       ? &actions[i]
				       : NULL;
	return NULL;
}

static bool write_inst(struct spirv_builder *builder, const struct spirv_inst *inst, void *data)
{
	const struct action *action = action_of(builder->from, inst);
	struct writer *writer = data;

	if (is_buffer_type(inst)) {
		if (inst->operands[IMAGE_DEPTH] == 1 || inst->operands[IMAGE_ARRAYED] ||
			inst->operands[IMAGE_SAMPLES])
			spirv_builder_refuse(builder,
				"an image of a buffer has depths, layers or samples", inst->at);
		spirv_builder_copy_with(builder, inst, IMAGE_DIM, SpvDim2D);
		return true;
	}
	if (!action)
		return false;
	make_globals(writer);
	if (action->act == ACT_PLACE)
		write_place(writer, inst, action->image + 1);
	else if (action->act == ACT_SIZE)
		write_size(writer, inst);
	else
		spirv_builder_refuse(
			builder, "an image of a buffer is used as only others can be", inst->at);
	return true;
}

enum compile_status lower_buffer_image(struct spirv_module *module, bool *is_changed)
{
	struct writer writer = { 0 };

	spirv_builder_init(&writer.builder, module);
	const enum compile_status status = spirv_builder_run(&writer.builder, write_inst, &writer);
	*is_changed = writer.builder.is_changed;
	return status;
}
