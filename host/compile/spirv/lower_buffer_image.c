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

/* Operand `at` is the coordinate. */
static void write_place(struct writer *writer, const struct spirv_inst *inst, uint32_t at)
{
	make_globals(writer);
	if (inst->n <= at ||
		spirv_type_of(writer->builder.from, inst->operands[at]) != writer->uint) {
		spirv_builder_refuse(
			&writer->builder, "the coordinate is not one number of 32 bits", inst->at);
		return;
	}
	uint32_t x = inst->operands[at];
	uint32_t column =
		spirv_builder_op(&writer->builder, SpvOpBitwiseAnd, writer->uint, x, writer->mask);
	/* A negative coordinate is in no row: it is far outside. */
	uint32_t row = spirv_builder_op(
		&writer->builder, SpvOpShiftRightLogical, writer->uint, x, writer->shift);
	uint32_t place = spirv_builder_op(
		&writer->builder, SpvOpCompositeConstruct, writer->uint2, column, row);
	size_t start = writer->builder.out.n + 1;

	spirv_builder_copy(&writer->builder, inst);
	if (!writer->builder.out.is_broken)
		writer->builder.out.at[start + at] = place;
}

static void write_size(struct writer *writer, const struct spirv_inst *inst)
{
	struct spirv_builder *builder = &writer->builder;
	struct spirv_words *out = &builder->out;
	uint32_t image = inst->operands[2];

	make_globals(writer);
	if (inst->operands[0] != writer->uint) {
		spirv_builder_refuse(
			builder, "the size is not wanted as one number of 32 bits", inst->at);
		return;
	}
	uint32_t size = spirv_builder_op(
		builder, SpvOpImageQuerySizeLod, writer->uint2, image, writer->zero);
	uint32_t width = spirv_builder_op(builder, SpvOpCompositeExtract, writer->uint, size, 0);
	uint32_t rows = spirv_builder_op(builder, SpvOpCompositeExtract, writer->uint, size, 1);
	uint32_t is_one =
		spirv_builder_op(builder, SpvOpULessThan, writer->boolean, rows, writer->two);
	uint32_t others = spirv_builder_op(builder, SpvOpISub, writer->uint, rows, writer->two);
	uint32_t before = spirv_builder_op(
		builder, SpvOpShiftLeftLogical, writer->uint, others, writer->shift);
	uint32_t sum = spirv_builder_op(builder, SpvOpIAdd, writer->uint, before, width);
	SPIRV_PUT(out, SpvOpSelect, writer->uint, inst->operands[1], is_one, width, sum);
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

static void write_type(struct writer *writer, const struct spirv_inst *inst)
{
	size_t start = writer->builder.out.n + 1;

	if (inst->operands[IMAGE_DEPTH] == 1 || inst->operands[IMAGE_ARRAYED] ||
		inst->operands[IMAGE_SAMPLES])
		spirv_builder_refuse(&writer->builder,
			"an image of a buffer has depths, layers or samples", inst->at);
	spirv_builder_copy(&writer->builder, inst);
	if (!writer->builder.out.is_broken)
		writer->builder.out.at[start + IMAGE_DIM] = SpvDim2D;
}

static void write_inst(struct writer *writer, const struct spirv_inst *inst)
{
	const struct action *action = action_of(writer->builder.from, inst);

	if (is_buffer_type(inst))
		write_type(writer, inst);
	else if (!action)
		spirv_builder_copy(&writer->builder, inst);
	else if (action->act == ACT_PLACE)
		write_place(writer, inst, action->image + 1);
	else if (action->act == ACT_SIZE)
		write_size(writer, inst);
	else
		spirv_builder_refuse(&writer->builder,
			"an image of a buffer is used as only others can be", inst->at);
}

bool lower_buffer_image_wanted(const struct spirv_module *module)
{
	struct spirv_inst inst;

	SPIRV_EACH(module, SPIRV_START, spirv_functions_at(module), inst)
		if (is_buffer_type(&inst))
			return true;
	return false;
}

enum compile_status lower_buffer_image(struct spirv_module *module)
{
	struct writer writer = { 0 };
	struct spirv_inst inst;

	spirv_builder_init(&writer.builder, module);
	SPIRV_EACH(module, SPIRV_START, module->n_words, inst)
		write_inst(&writer, &inst);
	return spirv_builder_finish(&writer.builder);
}
