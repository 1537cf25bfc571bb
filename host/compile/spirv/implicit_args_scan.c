// SPDX-License-Identifier: MIT
#include "compile/spirv/implicit_args_scan.h"

#include "util/util_bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order of struct implicit_args_value. Entry 0 is no built-in. */
static const struct implicit_args_builtin builtins[] = {
	{ SpvBuiltInMax, 0, 0, 0, 0 },
	{ SpvBuiltInGlobalSize, IMPLICIT_ARGS_GLOBAL_SIZE, 64, 3, 0 },
	{ SpvBuiltInGlobalOffset, IMPLICIT_ARGS_GLOBAL_OFFSET, 64, 3, 3 },
	{ SpvBuiltInGlobalInvocationId, IMPLICIT_ARGS_GLOBAL_ID, 64, 3, 6 },
	{ SpvBuiltInNumWorkgroups, IMPLICIT_ARGS_NUM_GROUPS, 64, 3, 9 },
	{ SpvBuiltInWorkgroupId, IMPLICIT_ARGS_GROUP_ID, 64, 3, 9 },
	{ SpvBuiltInEnqueuedWorkgroupSize, IMPLICIT_ARGS_ENQUEUED_SIZE, 64, 3, 12 },
	{ SpvBuiltInGlobalLinearId, IMPLICIT_ARGS_GLOBAL_LINEAR_ID, 64, 1, 0 },
	{ SpvBuiltInWorkDim, IMPLICIT_ARGS_WORK_DIM, 32, 1, 15 },
	{ SpvBuiltInNumEnqueuedSubgroups, IMPLICIT_ARGS_NUM_ENQUEUED_SUB_GROUPS, 32, 1, 15 },
};

/*
 * Instructions through which a pointer to a variable may go where it is not followed: operands from
 * `first` to `last`, both included, are ids.
 */
static const struct {
	SpvOp op;
	uint32_t first, last;
} escapes[] = {
	{ SpvOpFunctionCall, 3, UINT32_MAX },
	{ SpvOpStore, 0, 1 },
	{ SpvOpCopyMemory, 0, 1 },
	{ SpvOpCopyMemorySized, 0, 2 },
	{ SpvOpAccessChain, 2, UINT32_MAX },
	{ SpvOpInBoundsAccessChain, 2, UINT32_MAX },
	{ SpvOpPtrAccessChain, 2, UINT32_MAX },
	{ SpvOpInBoundsPtrAccessChain, 2, UINT32_MAX },
	{ SpvOpConvertPtrToU, 2, 2 },
	{ SpvOpPtrCastToGeneric, 2, 2 },
	{ SpvOpGenericCastToPtr, 2, 2 },
	{ SpvOpGenericCastToPtrExplicit, 2, 2 },
	{ SpvOpBitcast, 2, 2 },
	{ SpvOpCopyObject, 2, 2 },
	{ SpvOpSelect, 2, 4 },
	{ SpvOpPhi, 2, UINT32_MAX },
	{ SpvOpReturnValue, 0, 0 },
	{ SpvOpCompositeConstruct, 2, UINT32_MAX },
	{ SpvOpCompositeInsert, 2, 3 },
	{ SpvOpConstantComposite, 2, UINT32_MAX },
	{ SpvOpSpecConstantComposite, 2, UINT32_MAX },
	{ SpvOpSpecConstantOp, 3, UINT32_MAX },
	{ SpvOpVariable, 3, 3 },
	{ SpvOpExtInst, 4, UINT32_MAX },
	{ SpvOpPtrEqual, 2, 3 },
	{ SpvOpPtrNotEqual, 2, 3 },
	{ SpvOpPtrDiff, 2, 3 },
	{ SpvOpAtomicLoad, 2, 2 },
	{ SpvOpSubgroupBlockReadINTEL, 2, 2 },
};

const struct implicit_args_builtin *implicit_args_builtin(uint8_t mark)
{
	mark &= IMPLICIT_ARGS_BUILTIN;
	return mark ? &builtins[mark] : NULL;
}

static void obstruct(struct implicit_args_module *module, const char *what, uint32_t at)
{
	if (module->obstacle)
		return;
	module->obstacle = what;
	module->obstacle_at = at;
}

static bool is_number(const struct spirv_module *spirv, uint32_t type_id, uint32_t bits)
{
	struct spirv_inst type;

	return spirv_definition(spirv, type_id, &type) && type.op == SpvOpTypeInt && type.n == 3 &&
	       type.operands[1] == bits;
}

/* Whether the variable is one of what the table says. */
static bool is_as_expected(
	const struct spirv_module *spirv, uint32_t id, const struct implicit_args_builtin *builtin)
{
	struct spirv_inst variable, pointer, type;

	if (!spirv_definition(spirv, id, &variable) || variable.op != SpvOpVariable ||
		!spirv_definition(spirv, variable.operands[0], &pointer) ||
		pointer.op != SpvOpTypePointer ||
		!spirv_definition(spirv, pointer.operands[2], &type))
		return false;
	if (builtin->n == 1)
		return is_number(spirv, pointer.operands[2], builtin->bits);
	return type.op == SpvOpTypeVector && type.operands[2] == builtin->n &&
	       is_number(spirv, type.operands[1], builtin->bits);
}

/* OpDecorate and OpMemberDecorate of operand `what`. */
static void decorate(
	struct implicit_args_module *module, const struct spirv_inst *inst, uint32_t what)
{
	if (inst->n <= what || inst->operands[0] >= module->spirv.bound)
		return;
	uint32_t id = inst->operands[0];
	if (inst->operands[what] == SpvDecorationConstant && what == 1)
		module->marks[id] |= IMPLICIT_ARGS_CONSTANT;
	if (inst->operands[what] != SpvDecorationBuiltIn || inst->n <= what + 1)
		return;
	for (uint8_t i = 1; i < UTIL_ARRAY_SIZE(builtins); i++) {
		if ((uint32_t)builtins[i].builtin != inst->operands[what + 1])
			continue;
		if (what == 1 && is_as_expected(&module->spirv, id, &builtins[i])) {
			module->marks[id] =
				(uint8_t)((module->marks[id] & ~IMPLICIT_ARGS_BUILTIN) | i);
			continue;
		}
		module->everywhere |= builtins[i].use;
		obstruct(module, "a built-in variable is not of its usual type", inst->at);
	}
}

/* The function, if any, that gets to be called by who has a pointer to it. */
static uint32_t target_of(const struct spirv_inst *inst)
{
	if (inst->op == SpvOpConstantFunctionPointerINTEL && inst->n > 2)
		return inst->operands[2];
	if (inst->op == SpvOpEnqueueKernel && inst->n > 8)
		return inst->operands[8];
	return 0;
}

static void note_global(struct implicit_args_module *module, const struct spirv_inst *inst)
{
	switch (inst->op) {
	case SpvOpDecorate:
		decorate(module, inst, 1);
		break;
	case SpvOpMemberDecorate:
		decorate(module, inst, 2);
		break;
	case SpvOpSource:
		if (inst->n > 1 && inst->operands[0] == SpvSourceLanguageOpenCL_C &&
			inst->operands[1] && inst->operands[1] < 200000)
			module->is_uniform = true;
		break;
	case SpvOpVariable:
		if (inst->n > 2 && inst->operands[2] == SpvStorageClassCrossWorkgroup &&
			!(implicit_args_mark(module, inst->operands[1]) & IMPLICIT_ARGS_CONSTANT))
			module->has_state = true;
		break;
	default:
		break;
	}
}

/* Everything outside of functions, and what functions there are. */
static bool read_globals(struct implicit_args_module *module)
{
	const struct spirv_module *spirv = &module->spirv;
	struct spirv_inst inst;
	uint32_t n = 0;
	bool is_global = true;

	for (uint32_t at = SPIRV_START; spirv_at(spirv, at, &inst); at = inst.next) {
		is_global = is_global && inst.op != SpvOpFunction;
		if (is_global)
			note_global(module, &inst);
		module->n_kernels +=
			inst.op == SpvOpEntryPoint && inst.operands[0] == SpvExecutionModelKernel;
		module->n_functions += inst.op == SpvOpFunction;
		module->n_calls += inst.op == SpvOpFunctionCall;
	}
	module->functions = calloc(module->n_functions + 1u, sizeof *module->functions);
	module->callers = calloc(module->n_calls + 1u, sizeof *module->callers);
	if (!module->functions || !module->callers)
		return false;
	for (uint32_t at = SPIRV_START; spirv_at(spirv, at, &inst); at = inst.next) {
		if (inst.op != SpvOpFunction)
			continue;
		module->functions[n].id = inst.operands[1];
		module->numbers[inst.operands[1]] = ++n;
	}
	return true;
}

/* A chain to one element of a built-in vector, which can be followed. */
static bool follow_chain(
	struct implicit_args_module *module, const struct spirv_inst *inst, unsigned *uses)
{
	bool has_element =
		inst->op == SpvOpPtrAccessChain || inst->op == SpvOpInBoundsPtrAccessChain;
	uint64_t element = 0;

	if (inst->op != SpvOpAccessChain && inst->op != SpvOpInBoundsAccessChain && !has_element)
		return false;
	if (inst->n != 4u + has_element)
		return false;
	uint8_t mark = implicit_args_mark(module, inst->operands[2]);
	const struct implicit_args_builtin *builtin = implicit_args_builtin(mark);
	if (!builtin || mark & IMPLICIT_ARGS_CHAIN || builtin->n == 1 ||
		implicit_args_mark(module, inst->operands[inst->n - 1]))
		return false;
	if (has_element &&
		(!spirv_constant(&module->spirv, inst->operands[3], &element) || element))
		return false;
	module->marks[inst->operands[1]] |=
		(uint8_t)((mark & IMPLICIT_ARGS_BUILTIN) | IMPLICIT_ARGS_CHAIN);
	*uses |= builtin->use;
	return true;
}

/* Not one that only describes: debug information names variables too. */
static bool is_computation(const struct implicit_args_module *module, const struct spirv_inst *inst)
{
	static const char set[] = "OpenCL.std";
	struct spirv_inst import;

	if (inst->op != SpvOpExtInst)
		return true;
	return inst->n > 2 && spirv_definition(&module->spirv, inst->operands[2], &import) &&
	       import.op == SpvOpExtInstImport && (import.n - 1) * sizeof(uint32_t) >= sizeof set &&
	       !memcmp(import.operands + 1, set, sizeof set);
}

static void note_use(
	struct implicit_args_module *module, const struct spirv_inst *inst, unsigned *uses)
{
	if (inst->op == SpvOpLoad) {
		const struct implicit_args_builtin *builtin =
			inst->n < 3 ? NULL
				    : implicit_args_builtin(
					      implicit_args_mark(module, inst->operands[2]));
		*uses |= builtin ? builtin->use : 0;
		return;
	}
	if (follow_chain(module, inst, uses))
		return;
	struct implicit_args_function *target = implicit_args_function(module, target_of(inst));
	if (target)
		target->is_target = true;
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(escapes); i++) {
		if (escapes[i].op != inst->op || !is_computation(module, inst))
			continue;
		for (uint32_t n = escapes[i].first; n < inst->n && n <= escapes[i].last; n++) {
			const struct implicit_args_builtin *builtin = implicit_args_builtin(
				implicit_args_mark(module, inst->operands[n]));
			if (!builtin)
				continue;
			*uses |= builtin->use;
			obstruct(module, "a built-in variable is used through a pointer", inst->at);
		}
	}
}

/* Every instruction, with the function that it is in, or NULL. */
static void walk(struct implicit_args_module *module,
	void (*visit)(struct implicit_args_module *, const struct spirv_inst *,
		struct implicit_args_function *))
{
	struct implicit_args_function *function = NULL;
	struct spirv_inst inst;

	for (uint32_t at = SPIRV_START; spirv_at(&module->spirv, at, &inst); at = inst.next) {
		if (inst.op == SpvOpFunction)
			function = implicit_args_function(module, inst.operands[1]);
		visit(module, &inst, function);
		if (inst.op == SpvOpFunctionEnd)
			function = NULL;
	}
}

static struct implicit_args_function *callee_of(
	const struct implicit_args_module *module, const struct spirv_inst *inst)
{
	if (inst->op != SpvOpFunctionCall || inst->n < 3)
		return NULL;
	return implicit_args_function(module, inst->operands[2]);
}

static void visit_use(struct implicit_args_module *module, const struct spirv_inst *inst,
	struct implicit_args_function *function)
{
	note_use(module, inst, function ? &function->uses : &module->everywhere);
	struct implicit_args_function *callee = callee_of(module, inst);
	if (callee && function)
		callee->first_caller++;
}

static void visit_call(struct implicit_args_module *module, const struct spirv_inst *inst,
	struct implicit_args_function *function)
{
	struct implicit_args_function *callee = callee_of(module, inst);

	if (callee && function)
		module->callers[--callee->first_caller] = (uint32_t)(function - module->functions);
}

/* What a function uses, its callers use. Each is told again only when there is more to tell. */
static bool spread(struct implicit_args_module *module)
{
	uint32_t n = 0, *waiting = calloc(module->n_functions + 1u, sizeof *waiting);

	if (!waiting)
		return false;
	for (uint32_t i = 0; i < module->n_functions; i++) {
		module->functions[i].is_waiting = true;
		waiting[n++] = i;
	}
	while (n) {
		struct implicit_args_function *function = &module->functions[waiting[--n]];

		function->is_waiting = false;
		for (uint32_t i = function[0].first_caller; i < function[1].first_caller; i++) {
			struct implicit_args_function *caller =
				&module->functions[module->callers[i]];
			if (!(function->uses & ~caller->uses))
				continue;
			caller->uses |= function->uses;
			if (!caller->is_waiting)
				waiting[n++] = module->callers[i];
			caller->is_waiting = true;
		}
	}
	free(waiting);
	return true;
}

static bool read_functions(struct implicit_args_module *module)
{
	uint32_t sum = 0;

	walk(module, visit_use);
	for (uint32_t i = 0; i <= module->n_functions; i++)
		sum = module->functions[i].first_caller += sum;
	walk(module, visit_call);
	if (!spread(module))
		return false;
	for (uint32_t i = 0; i < module->n_functions; i++) {
		const struct implicit_args_function *function = &module->functions[i];
		if (!function->is_target || !function->uses)
			continue;
		module->everywhere |= function->uses;
		obstruct(module, "a function is called through a pointer",
			module->spirv.ids[function->id].at);
	}
	return true;
}

enum compile_status implicit_args_scan(const void *data, size_t data_size,
	struct implicit_args_module *module, char *why, size_t size)
{
	char said[256];

	*module = (struct implicit_args_module){ 0 };
	if (!spirv_module_open(data, data_size, &module->spirv, said, sizeof said)) {
		if (!*said)
			return COMPILE_NO_MEMORY;
		if (why && size)
			snprintf(why, size, "%s", said);
		return COMPILE_ERROR;
	}
	module->marks = calloc(module->spirv.bound, sizeof *module->marks);
	module->numbers = calloc(module->spirv.bound, sizeof *module->numbers);
	if (!module->marks || !module->numbers || !read_globals(module) || !read_functions(module))
		return COMPILE_NO_MEMORY;
	return COMPILE_OK;
}

void implicit_args_module_finish(struct implicit_args_module *module)
{
	spirv_module_finish(&module->spirv);
	free(module->marks);
	free(module->numbers);
	free(module->functions);
	free(module->callers);
	*module = (struct implicit_args_module){ 0 };
}

enum compile_status implicit_args_look(const void *spirv, size_t spirv_size,
	struct implicit_args_facts *facts, char *why, size_t size)
{
	struct implicit_args_module module;
	struct spirv_inst inst;

	*facts = (struct implicit_args_facts){ 0 };
	enum compile_status status = implicit_args_scan(spirv, spirv_size, &module, why, size);
	if (status == COMPILE_OK) {
		facts->uses = calloc(module.n_kernels + 1u, sizeof *facts->uses);
		status = facts->uses ? COMPILE_OK : COMPILE_NO_MEMORY;
	}
	facts->is_uniform = module.is_uniform;
	facts->has_state = module.has_state;
	for (uint32_t at = SPIRV_START; status == COMPILE_OK && spirv_at(&module.spirv, at, &inst);
		at = inst.next) {
		if (inst.op != SpvOpEntryPoint || inst.operands[0] != SpvExecutionModelKernel)
			continue;
		const struct implicit_args_function *function =
			implicit_args_function(&module, inst.operands[1]);
		facts->uses[facts->n_kernels++] =
			(function ? function->uses : 0) | module.everywhere;
	}
	implicit_args_module_finish(&module);
	if (status != COMPILE_OK)
		*facts = (struct implicit_args_facts){ 0 };
	return status;
}

void implicit_args_facts_finish(struct implicit_args_facts *facts)
{
	free(facts->uses);
	*facts = (struct implicit_args_facts){ 0 };
}
