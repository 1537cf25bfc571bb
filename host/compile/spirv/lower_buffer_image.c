// SPDX-License-Identifier: MIT
#define SPV_ENABLE_UTILITY_CODE
#include "compile/spirv/lower_buffer_image.h"

#include "compile/spirv/spirv_builder.h"

#include <byteswap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Operands of OpTypeImage. */
enum { IMAGE_DIM = 2, IMAGE_DEPTH, IMAGE_ARRAYED, IMAGE_SAMPLES, IMAGE_OPERANDS = 8 };

struct writer {
	struct spirv_module spirv;
	struct spirv_builder edit;
	/* Ids of types and constants; 0: not asked for. */
	uint32_t uint, uint2, boolean;
	uint32_t mask, shift, levels, zero;
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

/* The type of a value; 0 if the id is none. */
static uint32_t type_of(const struct spirv_module *spirv, uint32_t id)
{
	struct spirv_inst inst;
	bool has_result, has_type;

	if (!spirv_definition(spirv, id, &inst))
		return 0;
	SpvHasResultAndType(inst.op, &has_result, &has_type);
	return has_type ? inst.operands[0] : 0;
}

/* Whether the value is an image of a buffer, or a pointer to one. */
static bool is_buffer(const struct spirv_module *spirv, uint32_t id)
{
	struct spirv_inst type;

	if (!spirv_definition(spirv, type_of(spirv, id), &type))
		return false;
	if (type.op == SpvOpTypePointer && type.n > 2 &&
		!spirv_definition(spirv, type.operands[2], &type))
		return false;
	return is_buffer_type(&type);
}

static uint32_t put_constant(struct writer *writer, uint32_t value)
{
	uint32_t id = spirv_builder_id(&writer->edit);

	SPIRV_PUT(&writer->edit.globals, SpvOpConstant, writer->uint, id, value);
	return id;
}

static void make_globals(struct writer *writer)
{
	struct spirv_builder *edit = &writer->edit;

	if (writer->uint)
		return;
	writer->uint = SPIRV_BUILDER_TYPE(edit, SpvOpTypeInt, 32, 0);
	writer->uint2 = SPIRV_BUILDER_TYPE(edit, SpvOpTypeVector, writer->uint, 2);
	writer->boolean = spirv_builder_type(edit, SpvOpTypeBool, NULL, 0);
	writer->mask = put_constant(writer, BUFFER_IMAGE_WIDTH - 1);
	writer->shift = put_constant(writer, BUFFER_IMAGE_SHIFT);
	writer->levels = put_constant(writer, BUFFER_IMAGE_LEVEL_BITS);
	writer->zero = put_constant(writer, 0);
}

static uint32_t put_two(struct writer *writer, SpvOp op, uint32_t type, uint32_t a, uint32_t b)
{
	uint32_t result = spirv_builder_id(&writer->edit);

	SPIRV_PUT(&writer->edit.out, op, type, result, a, b);
	return result;
}

/* The coordinate comes right behind the image. */
static void write_place(struct writer *writer, const struct spirv_inst *inst, uint32_t at)
{
	make_globals(writer);
	if (inst->n <= at || type_of(&writer->spirv, inst->operands[at]) != writer->uint) {
		spirv_builder_complain(
			&writer->edit, "the coordinate is not one number of 32 bits", inst->at);
		return;
	}
	uint32_t x = inst->operands[at];
	uint32_t column = put_two(writer, SpvOpBitwiseAnd, writer->uint, x, writer->mask);
	/* what is negative is in no row */
	uint32_t row = put_two(writer, SpvOpShiftRightLogical, writer->uint, x, writer->shift);
	uint32_t place = put_two(writer, SpvOpCompositeConstruct, writer->uint2, column, row);
	size_t start = writer->edit.out.n + 1;

	spirv_builder_copy(&writer->edit, inst);
	if (!writer->edit.out.is_broken)
		writer->edit.out.at[start + at] = place;
}

static void write_size(struct writer *writer, const struct spirv_inst *inst)
{
	struct spirv_words *out = &writer->edit.out;
	uint32_t image = inst->operands[2];

	make_globals(writer);
	if (inst->operands[0] != writer->uint) {
		spirv_builder_complain(
			&writer->edit, "the size is not wanted as one number of 32 bits", inst->at);
		return;
	}
	uint32_t size = put_two(writer, SpvOpImageQuerySizeLod, writer->uint2, image, writer->zero);
	uint32_t width = put_two(writer, SpvOpCompositeExtract, writer->uint, size, 0);
	uint32_t height = put_two(writer, SpvOpCompositeExtract, writer->uint, size, 1);
	uint32_t full = put_two(writer, SpvOpIMul, writer->uint, width, height);
	uint32_t told = spirv_builder_id(&writer->edit);
	SPIRV_PUT(out, SpvOpImageQueryLevels, writer->uint, told, image);
	uint32_t is_told = put_two(writer, SpvOpINotEqual, writer->boolean, told, writer->zero);
	uint32_t n = put_two(writer, SpvOpShiftRightLogical, writer->uint, told, writer->levels);
	SPIRV_PUT(out, SpvOpSelect, writer->uint, inst->operands[1], is_told, n, full);
}

static const struct action *action_of(
	const struct spirv_module *spirv, const struct spirv_inst *inst)
{
	for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
		if (actions[i].op == inst->op)
			return inst->n > actions[i].image &&
					       is_buffer(spirv, inst->operands[actions[i].image])
				       ? &actions[i]
				       : NULL;
	return NULL;
}

static void write_type(struct writer *writer, const struct spirv_inst *inst)
{
	size_t start = writer->edit.out.n + 1;

	if (inst->operands[IMAGE_DEPTH] == 1 || inst->operands[IMAGE_ARRAYED] ||
		inst->operands[IMAGE_SAMPLES])
		spirv_builder_complain(&writer->edit,
			"an image of a buffer has depths, layers or samples", inst->at);
	spirv_builder_copy(&writer->edit, inst);
	if (!writer->edit.out.is_broken)
		writer->edit.out.at[start + IMAGE_DIM] = SpvDim2D;
}

static void write_inst(struct writer *writer, const struct spirv_inst *inst)
{
	const struct action *action = action_of(&writer->spirv, inst);

	if (is_buffer_type(inst))
		write_type(writer, inst);
	else if (!action)
		spirv_builder_copy(&writer->edit, inst);
	else if (action->act == ACT_PLACE)
		write_place(writer, inst, action->image + 1);
	else if (action->act == ACT_SIZE)
		write_size(writer, inst);
	else
		spirv_builder_complain(&writer->edit,
			"an image of a buffer is used as only others can be", inst->at);
}

/* What the functions asked for goes in front of them. */
static void write_module(struct writer *writer)
{
	const struct spirv_module *spirv = &writer->spirv;
	struct spirv_inst inst;
	size_t globals_at = 0;

	spirv_words_put(&writer->edit.out, spirv->words, SPIRV_START);
	for (uint32_t at = SPIRV_START; spirv_at(spirv, at, &inst); at = inst.next) {
		if (inst.op == SpvOpFunction && !globals_at)
			globals_at = writer->edit.out.n;
		write_inst(writer, &inst);
	}
	spirv_builder_join(&writer->edit, globals_at ? globals_at : writer->edit.out.n);
}

static uint32_t read_word(const void *spirv, size_t at, bool is_swapped)
{
	uint32_t word;

	memcpy(&word, (const unsigned char *)spirv + at * sizeof word, sizeof word);
	return is_swapped ? bswap_32(word) : word;
}

bool lower_buffer_image_wanted(const void *spirv, size_t size)
{
	const size_t n_words = size / sizeof(uint32_t);
	const bool is_swapped = n_words && read_word(spirv, 0, false) != SpvMagicNumber;
	size_t length;

	for (size_t at = SPIRV_START; at < n_words; at += length) {
		uint32_t head = read_word(spirv, at, is_swapped);
		SpvOp op = (SpvOp)(head & SpvOpCodeMask);

		length = head >> SpvWordCountShift;
		if (op == SpvOpFunction || !length || length > n_words - at)
			return false;
		if (op == SpvOpTypeImage && length > IMAGE_OPERANDS &&
			read_word(spirv, at + 1 + IMAGE_DIM, is_swapped) == SpvDimBuffer)
			return true;
	}
	return false;
}

enum compile_status lower_buffer_image(
	const void *spirv, size_t size, void **out, size_t *out_size, char *why, size_t why_size)
{
	struct writer writer = { 0 };
	char said[256];

	*out = NULL;
	*out_size = 0;
	if (why && why_size)
		*why = '\0';
	if (!spirv_module_open(spirv, size, &writer.spirv, said, sizeof said)) {
		if (why && why_size)
			snprintf(why, why_size, "%s", said);
		return *said ? COMPILE_ERROR : COMPILE_NO_MEMORY;
	}
	spirv_builder_init(&writer.edit, &writer.spirv);
	write_module(&writer);
	enum compile_status status = spirv_builder_take(&writer.edit, out, out_size);
	if (writer.edit.complaint && why && why_size)
		snprintf(why, why_size, "%s (word %u of the SPIR-V)", writer.edit.complaint,
			writer.edit.complaint_at);
	spirv_builder_finish(&writer.edit);
	spirv_module_finish(&writer.spirv);
	return status;
}
