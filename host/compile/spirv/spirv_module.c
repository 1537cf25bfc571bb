// SPDX-License-Identifier: MIT
#define SPV_ENABLE_UTILITY_CODE
#include "compile/spirv/spirv_module.h"
#include "compile/spirv/spirv_type.h"

#include <byteswap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The header has only its inline definition. */
extern inline void SpvHasResultAndType(SpvOp opcode, bool *has_result, bool *has_type);

static bool wrong(char *why, size_t size, const char *what, uint32_t at)
{
	if (why && size)
		snprintf(why, size, "the SPIR-V is malformed: %s (word %u)", what, at);
	return false;
}

bool spirv_at(const struct spirv_module *spirv, uint32_t at, struct spirv_inst *inst)
{
	if (at >= spirv->n_words)
		return false;
	uint32_t length = spirv->words[at] >> SpvWordCountShift;
	if (!length || length > spirv->n_words - at)
		return false;
	inst->op = (SpvOp)(spirv->words[at] & SpvOpCodeMask);
	inst->operands = spirv->words + at + 1;
	inst->n = length - 1;
	inst->at = at;
	inst->next = at + length;
	return true;
}

bool spirv_definition(const struct spirv_module *spirv, uint32_t id, struct spirv_inst *inst)
{
	return id < spirv->bound && spirv->ids[id].at && spirv_at(spirv, spirv->ids[id].at, inst);
}

bool spirv_constant(const struct spirv_module *spirv, uint32_t id, uint64_t *value)
{
	struct spirv_inst inst;

	if (!spirv_definition(spirv, id, &inst) || inst.n < 3 ||
		(inst.op != SpvOpConstant && inst.op != SpvOpSpecConstant))
		return false;
	*value = inst.operands[2] | (inst.n > 3 ? (uint64_t)inst.operands[3] << 32 : 0);
	return true;
}

const char *spirv_text(const struct spirv_module *spirv, uint32_t word)
{
	return word ? (const char *)(spirv->words + word) : "";
}

/* Words that the text at operand `first` takes; 0 if it does not end. */
static uint32_t text_words(const struct spirv_inst *inst, uint32_t first)
{
	if (first >= inst->n)
		return 0;
	size_t room = (inst->n - first) * sizeof(uint32_t);
	size_t length = strnlen((const char *)(inst->operands + first), room);
	return length == room ? 0 : (uint32_t)(length / sizeof(uint32_t)) + 1;
}

/* The operand at which an instruction's text starts; -1 for those that have none we read. */
static int text_operand(SpvOp op)
{
	switch (op) {
	case SpvOpName:
	case SpvOpString:
		return 1;
	case SpvOpEntryPoint:
		return 2;
	default:
		return -1;
	}
}

static void decorate(struct spirv_id *id, const struct spirv_inst *inst)
{
	uint32_t extra = inst->n > 2 ? inst->operands[2] : 0;

	switch (inst->operands[1]) {
	case SpvDecorationCPacked:
		id->flags |= SPIRV_PACKED;
		break;
	case SpvDecorationVolatile:
		id->flags |= SPIRV_VOLATILE;
		break;
	case SpvDecorationRestrict:
		id->flags |= SPIRV_NO_ALIAS;
		break;
	case SpvDecorationFuncParamAttr:
		if (extra == SpvFunctionParameterAttributeNoAlias)
			id->flags |= SPIRV_NO_ALIAS;
		if (extra == SpvFunctionParameterAttributeNoWrite)
			id->flags |= SPIRV_NO_WRITE;
		break;
	default:
		break;
	}
}

/* Global memory that the program's own variables take. */
static void count_variable(struct spirv_module *spirv, const struct spirv_inst *inst)
{
	struct spirv_inst type;

	if (inst->n < 3 || inst->operands[2] != SpvStorageClassCrossWorkgroup ||
		!spirv_definition(spirv, inst->operands[0], &type) || type.op != SpvOpTypePointer ||
		type.n < 3)
		return;
	spirv->global_bytes += spirv->ids[type.operands[2]].size;
}

/* Notes what the instruction tells about ids. Ids in `inst` that we use are below the bound. */
static const char *note(struct spirv_module *spirv, const struct spirv_inst *inst)
{
	bool has_result, has_type;
	int text = text_operand(inst->op);

	if (text >= 0 && !text_words(inst, (uint32_t)text))
		return "a text does not end";
	if (inst->op == SpvOpMemoryModel && inst->n >= 1)
		spirv->pointer_size = inst->operands[0] == SpvAddressingModelPhysical32 ? 4 : 8;
	if (inst->op == SpvOpName || inst->op == SpvOpDecorate) {
		if (inst->n < 2 || inst->operands[0] >= spirv->bound)
			return "an id is out of bounds";
		struct spirv_id *id = &spirv->ids[inst->operands[0]];
		if (inst->op == SpvOpName)
			id->name = inst->at + 2;
		else
			decorate(id, inst);
	}
	SpvHasResultAndType(inst->op, &has_result, &has_type);
	if (!has_result)
		return NULL;
	if (inst->n < 1u + has_type || inst->operands[has_type] >= spirv->bound)
		return "an id is out of bounds";
	if (has_type && inst->operands[0] >= spirv->bound)
		return "a type is out of bounds";
	struct spirv_id *id = &spirv->ids[inst->operands[has_type]];
	if (id->at)
		return "an id is defined twice";
	id->at = inst->at;
	if (!spirv_type_layout(spirv, inst, id))
		return "a type is not right";
	if (inst->op == SpvOpVariable)
		count_variable(spirv, inst);
	return NULL;
}

static bool index_module(struct spirv_module *spirv, char *why, size_t size)
{
	struct spirv_inst inst;
	bool in_function = false;
	uint32_t at = SPIRV_START;

	for (; spirv_at(spirv, at, &inst); at = inst.next) {
		const char *what = note(spirv, &inst);
		if (!what && inst.op == (in_function ? SpvOpFunction : SpvOpFunctionEnd))
			what = "functions do not follow each other";
		if (what)
			return wrong(why, size, what, at);
		if (inst.op == SpvOpFunction || inst.op == SpvOpFunctionEnd)
			in_function = inst.op == SpvOpFunction;
	}
	if (at != spirv->n_words)
		return wrong(why, size, "an instruction is not whole", at);
	if (in_function)
		return wrong(why, size, "the last function does not end", at);
	if (!spirv->pointer_size)
		return wrong(why, size, "it has no memory model", at);
	return true;
}

static bool copy_words(
	const void *data, size_t data_size, struct spirv_module *spirv, char *why, size_t size)
{
	uint32_t magic;

	if (!data || data_size < SPIRV_START * sizeof(uint32_t) || data_size % sizeof(uint32_t) ||
		data_size / sizeof(uint32_t) > UINT32_MAX / 4)
		return wrong(why, size, "its size is not that of a module", 0);
	memcpy(&magic, data, sizeof magic);
	if (magic != SpvMagicNumber && magic != bswap_32(SpvMagicNumber))
		return wrong(why, size, "it does not begin with the magic number", 0);
	spirv->words = malloc(data_size);
	if (!spirv->words)
		return false;
	spirv->n_words = (uint32_t)(data_size / sizeof(uint32_t));
	memcpy(spirv->words, data, data_size);
	for (uint32_t i = 0; magic != SpvMagicNumber && i < spirv->n_words; i++)
		spirv->words[i] = bswap_32(spirv->words[i]);
	spirv->bound = spirv->words[3];
	if (!spirv->bound || spirv->bound > SPIRV_MAX_BOUND)
		return wrong(why, size, "its bound of ids is out of range", 3);
	spirv->ids = calloc(spirv->bound, sizeof *spirv->ids);
	return spirv->ids;
}

bool spirv_module_open(
	const void *data, size_t data_size, struct spirv_module *spirv, char *why, size_t size)
{
	*spirv = (struct spirv_module){ 0 };
	if (why && size)
		*why = '\0';
	if (copy_words(data, data_size, spirv, why, size) && index_module(spirv, why, size))
		return true;
	spirv_module_finish(spirv);
	return false;
}

void spirv_module_finish(struct spirv_module *spirv)
{
	free(spirv->words);
	free(spirv->ids);
	*spirv = (struct spirv_module){ 0 };
}

bool spirv_module_check(const void *data, size_t data_size, char *why, size_t size)
{
	struct spirv_module spirv;
	bool ok = spirv_module_open(data, data_size, &spirv, why, size);

	spirv_module_finish(&spirv);
	return ok;
}
