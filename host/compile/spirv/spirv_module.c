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

/*
 * The same, and of those of a value that older headers lack: spirv_lower.c has their names. The
 * header, as SPIRV-Tools, gives the name of an assembly's target a type; SPV_INTEL_inline_assembly
 * and the compiler do not.
 */
static void find_result(SpvOp op, bool *has_result, bool *has_type)
{
	static const uint16_t newer[] = { 4431, 6116, 6117 };

	SpvHasResultAndType(op, has_result, has_type);
	for (size_t i = 0; i < sizeof newer / sizeof *newer; i++)
		if (op == (SpvOp)newer[i])
			*has_result = *has_type = true;
	if (op == SpvOpAsmTargetINTEL)
		*has_type = false;
}

enum compile_status spirv_module_refuse(struct spirv_module *module, const char *what, uint32_t at)
{
	if (!*module->why)
		snprintf(module->why, sizeof module->why, "%s (word %u of the SPIR-V)", what, at);
	return COMPILE_ERROR;
}

bool spirv_at(const struct spirv_module *module, uint32_t at, struct spirv_inst *inst)
{
	if (at >= module->n_words)
		return false;
	uint32_t length = module->words[at] >> SpvWordCountShift;
	if (!length || length > module->n_words - at)
		return false;
	inst->op = (SpvOp)(module->words[at] & SpvOpCodeMask);
	inst->operands = module->words + at + 1;
	inst->n = length - 1;
	inst->at = at;
	inst->next = at + length;
	return true;
}

bool spirv_definition(const struct spirv_module *module, uint32_t id, struct spirv_inst *inst)
{
	return id < module->bound && module->ids[id].at &&
	       spirv_at(module, module->ids[id].at, inst);
}

bool spirv_constant(const struct spirv_module *module, uint32_t id, uint64_t *value)
{
	struct spirv_inst inst;

	if (!spirv_definition(module, id, &inst) || inst.n < 3 ||
		(inst.op != SpvOpConstant && inst.op != SpvOpSpecConstant))
		return false;
	*value = inst.operands[2] | (inst.n > 3 ? (uint64_t)inst.operands[3] << 32 : 0);
	return true;
}

const char *spirv_text(const struct spirv_module *module, uint32_t word)
{
	return word ? (const char *)(module->words + word) : "";
}

struct spirv_function *spirv_function_of(const struct spirv_module *module, uint32_t id)
{
	if (id >= module->bound || !module->ids[id].function)
		return NULL;
	return &module->functions[module->ids[id].function - 1];
}

uint32_t spirv_type_of(const struct spirv_module *module, uint32_t id)
{
	struct spirv_inst inst;
	bool has_result, has_type;

	if (!spirv_definition(module, id, &inst))
		return 0;
	find_result(inst.op, &has_result, &has_type);
	return has_type ? inst.operands[0] : 0;
}

/* Operands of instructions in functions that are no ids, from `first` to `last`. */
static const struct {
	SpvOp op;
	uint32_t first, last;
} literals[] = {
	{ SpvOpLine, 1, 2 },
	{ SpvOpExtInst, 3, 3 },
	{ SpvOpFunction, 2, 2 },
	{ SpvOpVariable, 2, 2 },
	{ SpvOpLoad, 3, UINT32_MAX },
	{ SpvOpStore, 2, UINT32_MAX },
	{ SpvOpCopyMemory, 2, UINT32_MAX },
	{ SpvOpCopyMemorySized, 3, UINT32_MAX },
	{ SpvOpVectorShuffle, 4, UINT32_MAX },
	{ SpvOpCompositeExtract, 3, UINT32_MAX },
	{ SpvOpCompositeInsert, 4, UINT32_MAX },
	{ SpvOpGenericCastToPtrExplicit, 3, 3 },
	{ SpvOpLoopMerge, 2, UINT32_MAX },
	{ SpvOpSelectionMerge, 1, 1 },
	{ SpvOpBranchConditional, 3, UINT32_MAX },
	{ SpvOpSwitch, 2, UINT32_MAX },
	{ SpvOpLifetimeStart, 1, 1 },
	{ SpvOpLifetimeStop, 1, 1 },
};

bool spirv_is_literal(SpvOp op, uint32_t operand)
{
	for (size_t i = 0; i < sizeof(literals) / sizeof(*literals); i++)
		if (literals[i].op == op)
			return operand >= literals[i].first && operand <= literals[i].last;
	return false;
}

uint32_t spirv_pointee(const struct spirv_module *module, uint32_t type)
{
	struct spirv_inst inst;

	if (!spirv_definition(module, type, &inst) || inst.op != SpvOpTypePointer || inst.n < 3)
		return 0;
	return inst.operands[2];
}

static bool is_kernel(const struct spirv_inst *inst)
{
	return inst->op == SpvOpEntryPoint && inst->operands[0] == SpvExecutionModelKernel;
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
	case SpvOpExtInstImport:
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
static void count_variable(struct spirv_module *module, const struct spirv_inst *inst)
{
	if (inst->n > 2 && inst->operands[2] == SpvStorageClassCrossWorkgroup)
		module->global_bytes += module->ids[spirv_pointee(module, inst->operands[0])].size;
}

/* Notes what the instruction tells about ids. Ids in `inst` that we use are below the bound. */
static const char *note(struct spirv_module *module, const struct spirv_inst *inst)
{
	bool has_result, has_type;
	int text = text_operand(inst->op);

	if (text >= 0 && !text_words(inst, (uint32_t)text))
		return "a text does not end";
	if (inst->op == SpvOpMemoryModel && inst->n >= 1)
		module->pointer_size = inst->operands[0] == SpvAddressingModelPhysical32 ? 4 : 8;
	if (inst->op == SpvOpExtInstImport &&
		!strcmp(spirv_text(module, inst->at + 2), "OpenCL.std"))
		module->set = inst->operands[0];
	if (inst->op == SpvOpName || inst->op == SpvOpDecorate) {
		if (inst->n < 2 || inst->operands[0] >= module->bound)
			return "an id is out of bounds";
		struct spirv_id *id = &module->ids[inst->operands[0]];
		if (inst->op == SpvOpName)
			id->name = inst->at + 2;
		else
			decorate(id, inst);
	}
	find_result(inst->op, &has_result, &has_type);
	if (!has_result)
		return NULL;
	if (inst->n < 1u + has_type || inst->operands[has_type] >= module->bound)
		return "an id is out of bounds";
	if (has_type && inst->operands[0] >= module->bound)
		return "a type is out of bounds";
	struct spirv_id *id = &module->ids[inst->operands[has_type]];
	if (id->at)
		return "an id is defined twice";
	id->at = inst->at;
	if (!spirv_type_layout(module, inst, id))
		return "a type is not right";
	if (inst->op == SpvOpVariable)
		count_variable(module, inst);
	return NULL;
}

static enum compile_status malformed(struct spirv_module *module, const char *what, uint32_t at)
{
	snprintf(
		module->why, sizeof module->why, "the SPIR-V is malformed: %s (word %u)", what, at);
	return COMPILE_ERROR;
}

/* Notes all ids, and counts functions, calls and kernels. */
static enum compile_status index_ids(struct spirv_module *module, uint32_t *n_calls)
{
	struct spirv_inst inst;
	bool in_function = false;
	uint32_t at = SPIRV_START;

	for (; spirv_at(module, at, &inst); at = inst.next) {
		const char *what = note(module, &inst);
		if (!what && inst.op == (in_function ? SpvOpFunction : SpvOpFunctionEnd))
			what = "functions do not follow each other";
		if (what)
			return malformed(module, what, at);
		if (inst.op == SpvOpFunction || inst.op == SpvOpFunctionEnd)
			in_function = inst.op == SpvOpFunction;
		module->n_functions += inst.op == SpvOpFunction;
		module->n_kernels += is_kernel(&inst);
		*n_calls += inst.op == SpvOpFunctionCall;
	}
	if (at != module->n_words)
		return malformed(module, "an instruction is not whole", at);
	if (in_function)
		return malformed(module, "the last function does not end", at);
	if (!module->pointer_size)
		return malformed(module, "it has no memory model", at);
	return COMPILE_OK;
}

/* Lists functions and kernels. */
static void list_functions(struct spirv_module *module)
{
	struct spirv_inst inst;
	uint32_t n = 0, kernel = 0;

	SPIRV_EACH(module, SPIRV_START, module->n_words, inst) {
		if (is_kernel(&inst))
			module->kernels[kernel++] = inst.at;
		if (inst.op == SpvOpFunction) {
			module->functions[n].id = inst.operands[1];
			module->functions[n++].start = inst.at;
			module->ids[inst.operands[1]].function = n;
		}
		if (inst.op == SpvOpFunctionEnd)
			module->functions[n - 1].end = inst.next;
	}
	module->functions[n].start = module->functions[n].end = module->n_words;
}

static const struct spirv_function *callee_of(
	const struct spirv_module *module, const struct spirv_inst *inst)
{
	if (inst->op != SpvOpFunctionCall || inst->n < 3)
		return NULL;
	return spirv_function_of(module, inst->operands[2]);
}

/* Counts the calls of each function, then puts the callers of all into one array. */
static void list_callers(struct spirv_module *module)
{
	const struct spirv_function *callee;
	struct spirv_inst inst;
	uint32_t sum = 0;

	for (uint32_t i = 0; i < module->n_functions; i++)
		SPIRV_EACH(module, module->functions[i].start, module->functions[i].end, inst)
			if ((callee = callee_of(module, &inst)))
				module->functions[callee - module->functions].first_caller++;
	for (uint32_t i = 0; i <= module->n_functions; i++)
		sum = module->functions[i].first_caller += sum;
	for (uint32_t i = 0; i < module->n_functions; i++)
		SPIRV_EACH(module, module->functions[i].start, module->functions[i].end, inst)
			if ((callee = callee_of(module, &inst)))
				module->callers[--module->functions[callee - module->functions]
							  .first_caller] = i;
}

static enum compile_status index_module(struct spirv_module *module)
{
	uint32_t n_calls = 0;

	module->bound = module->words[3];
	if (!module->bound || module->bound > SPIRV_MAX_BOUND)
		return malformed(module, "its bound of ids is out of range", 3);
	module->ids = calloc(module->bound, sizeof *module->ids);
	if (!module->ids)
		return COMPILE_NO_MEMORY;
	enum compile_status status = index_ids(module, &n_calls);
	if (status != COMPILE_OK)
		return status;
	module->functions = calloc(module->n_functions + 1u, sizeof *module->functions);
	module->kernels = calloc(module->n_kernels + 1u, sizeof *module->kernels);
	module->callers = calloc(n_calls + 1u, sizeof *module->callers);
	if (!module->functions || !module->kernels || !module->callers)
		return COMPILE_NO_MEMORY;
	list_functions(module);
	list_callers(module);
	return COMPILE_OK;
}

enum compile_status spirv_module_open(
	const void *data, size_t data_size, struct spirv_module *module)
{
	uint32_t magic;

	*module = (struct spirv_module){ 0 };
	if (!data || data_size < SPIRV_START * sizeof(uint32_t) || data_size % sizeof(uint32_t) ||
		data_size / sizeof(uint32_t) > UINT32_MAX / 4)
		return malformed(module, "its size is not that of a module", 0);
	memcpy(&magic, data, sizeof magic);
	if (magic != SpvMagicNumber && magic != bswap_32(SpvMagicNumber))
		return malformed(module, "it does not begin with the magic number", 0);
	module->words = malloc(data_size);
	if (!module->words)
		return COMPILE_NO_MEMORY;
	module->n_words = (uint32_t)(data_size / sizeof(uint32_t));
	memcpy(module->words, data, data_size);
	for (uint32_t i = 0; magic != SpvMagicNumber && i < module->n_words; i++)
		module->words[i] = bswap_32(module->words[i]);
	return index_module(module);
}

enum compile_status spirv_module_adopt(uint32_t *words, size_t n_words, struct spirv_module *module)
{
	*module = (struct spirv_module){ .words = words, .n_words = (uint32_t)n_words };
	return index_module(module);
}

void spirv_module_finish(struct spirv_module *module)
{
	free(module->words);
	free(module->ids);
	free(module->functions);
	free(module->callers);
	free(module->kernels);
	*module = (struct spirv_module){ 0 };
}

void *spirv_module_take(struct spirv_module *module, size_t *size)
{
	uint32_t *words = module->words;

	*size = module->n_words * sizeof *words;
	module->words = NULL;
	spirv_module_finish(module);
	return words;
}

bool spirv_module_check(const void *data, size_t data_size, char *why, size_t size)
{
	struct spirv_module module;
	enum compile_status status = spirv_module_open(data, data_size, &module);

	if (why && size)
		snprintf(why, size, "%s", module.why);
	spirv_module_finish(&module);
	return status == COMPILE_OK;
}

/* A function is visited again only when there is more to tell to its callers. */
bool spirv_spread_to_callers(const struct spirv_module *module, unsigned *bits)
{
	uint32_t n = module->n_functions, *waiting = calloc(n + 1u, sizeof *waiting);
	bool *is_waiting = calloc(n + 1u, sizeof *is_waiting);
	bool ok = waiting && is_waiting;

	for (uint32_t i = 0; ok && i < n; i++) {
		is_waiting[i] = true;
		waiting[i] = i;
	}
	while (ok && n) {
		const uint32_t callee = waiting[--n];
		const struct spirv_function *function = &module->functions[callee];

		is_waiting[callee] = false;
		for (uint32_t i = function[0].first_caller; i < function[1].first_caller; i++) {
			const uint32_t caller = module->callers[i];
			if (!(bits[callee] & ~bits[caller]))
				continue;
			bits[caller] |= bits[callee];
			if (!is_waiting[caller])
				waiting[n++] = caller;
			is_waiting[caller] = true;
		}
	}
	free(waiting);
	free(is_waiting);
	return ok;
}
