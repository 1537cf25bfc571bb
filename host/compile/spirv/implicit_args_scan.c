// SPDX-License-Identifier: MIT
#include "compile/spirv/implicit_args_scan.h"

#include "util/util_bits.h"

#include <spirv/unified1/OpenCL.std.h>
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

static void obstruct(struct implicit_args_scan *scan, const char *what, uint32_t at)
{
	if (scan->obstacle)
		return;
	scan->obstacle = what;
	scan->obstacle_at = at;
}

static bool is_number(const struct spirv_module *module, uint32_t type_id, uint32_t bits)
{
	struct spirv_inst type;

	return spirv_definition(module, type_id, &type) && type.op == SpvOpTypeInt && type.n == 3 &&
	       type.operands[1] == bits;
}

/* Whether the variable is one of what the table says. */
static bool is_as_expected(
	const struct spirv_module *module, uint32_t id, const struct implicit_args_builtin *builtin)
{
	struct spirv_inst variable, type;

	if (!spirv_definition(module, id, &variable) || variable.op != SpvOpVariable)
		return false;
	const uint32_t pointee = spirv_pointee(module, variable.operands[0]);
	if (builtin->n == 1)
		return is_number(module, pointee, builtin->bits);
	return spirv_definition(module, pointee, &type) && type.op == SpvOpTypeVector &&
	       type.operands[2] == builtin->n && is_number(module, type.operands[1], builtin->bits);
}

/* OpDecorate and OpMemberDecorate of operand `what`. */
static void decorate(struct implicit_args_scan *scan, const struct spirv_inst *inst, uint32_t what)
{
	if (inst->n <= what || inst->operands[0] >= scan->module->bound)
		return;
	uint32_t id = inst->operands[0];
	if (inst->operands[what] != SpvDecorationBuiltIn || inst->n <= what + 1)
		return;
	for (uint8_t i = 1; i < UTIL_ARRAY_SIZE(builtins); i++) {
		if ((uint32_t)builtins[i].builtin != inst->operands[what + 1])
			continue;
		if (what == 1 && is_as_expected(scan->module, id, &builtins[i])) {
			scan->marks[id] = (uint8_t)((scan->marks[id] & ~IMPLICIT_ARGS_BUILTIN) | i);
			continue;
		}
		scan->everywhere |= builtins[i].use;
		obstruct(scan, "a built-in variable is not of its usual type", inst->at);
	}
}

/* The id of the function to which the instruction makes a pointer; 0: it makes none. */
static uint32_t target_of(const struct spirv_inst *inst)
{
	if (inst->op == SpvOpConstantFunctionPointerINTEL && inst->n > 2)
		return inst->operands[2];
	if (inst->op == SpvOpEnqueueKernel && inst->n > 8)
		return inst->operands[8];
	return 0;
}

bool implicit_args_is_size(const struct spirv_inst *mode)
{
	return mode->n > 1 && (mode->operands[1] == SpvExecutionModeLocalSize ||
				      mode->operands[1] == SpvExecutionModeLocalSizeId);
}

static void note_global(struct implicit_args_scan *scan, const struct spirv_inst *inst)
{
	switch (inst->op) {
	case SpvOpDecorate:
		decorate(scan, inst, 1);
		break;
	case SpvOpMemberDecorate:
		decorate(scan, inst, 2);
		break;
	case SpvOpExecutionMode:
	case SpvOpExecutionModeId:
		scan->has_size |= implicit_args_is_size(inst);
		break;
	case SpvOpSource:
		if (inst->n > 1 && inst->operands[0] == SpvSourceLanguageOpenCL_C &&
			inst->operands[1] && inst->operands[1] < 200000)
			scan->is_uniform = true;
		break;
	default:
		break;
	}
}

/* A chain to one element of a built-in vector, which can be followed. */
static bool follow_chain(
	struct implicit_args_scan *scan, const struct spirv_inst *inst, unsigned *uses)
{
	bool has_element =
		inst->op == SpvOpPtrAccessChain || inst->op == SpvOpInBoundsPtrAccessChain;
	uint64_t element = 0;

	if (inst->op != SpvOpAccessChain && inst->op != SpvOpInBoundsAccessChain && !has_element)
		return false;
	if (inst->n != 4u + has_element)
		return false;
	uint8_t mark = implicit_args_mark(scan, inst->operands[2]);
	const struct implicit_args_builtin *builtin = implicit_args_builtin(mark);
	if (!builtin || mark & IMPLICIT_ARGS_CHAIN || builtin->n == 1 ||
		implicit_args_mark(scan, inst->operands[inst->n - 1]))
		return false;
	if (has_element && (!spirv_constant(scan->module, inst->operands[3], &element) || element))
		return false;
	scan->marks[inst->operands[1]] |=
		(uint8_t)((mark & IMPLICIT_ARGS_BUILTIN) | IMPLICIT_ARGS_CHAIN);
	*uses |= builtin->use;
	return true;
}

/* Not one that only describes: debug information names variables too. */
static bool is_computation(const struct implicit_args_scan *scan, const struct spirv_inst *inst)
{
	return inst->op != SpvOpExtInst ||
	       (inst->n > 2 && scan->module->set && inst->operands[2] == scan->module->set);
}

/* Where the ids end among operands: loads and stores of OpenCL.std have a number behind them. */
static uint32_t ids_end(const struct spirv_inst *inst)
{
	static const uint32_t numbered[] = { OpenCLstd_Vloadn, OpenCLstd_Vload_halfn,
		OpenCLstd_Vloada_halfn, OpenCLstd_Vstore_half_r, OpenCLstd_Vstore_halfn_r,
		OpenCLstd_Vstorea_halfn_r };

	for (size_t i = 0; inst->op == SpvOpExtInst && i < UTIL_ARRAY_SIZE(numbered); i++)
		if (inst->n > 4 && inst->operands[3] == numbered[i])
			return inst->n - 1;
	return inst->n;
}

static void note_use(struct implicit_args_scan *scan, const struct spirv_inst *inst, unsigned *uses)
{
	if (inst->op == SpvOpLoad) {
		const struct implicit_args_builtin *builtin =
			inst->n < 3 ? NULL
				    : implicit_args_builtin(
					      implicit_args_mark(scan, inst->operands[2]));
		*uses |= builtin ? builtin->use : 0;
		return;
	}
	if (follow_chain(scan, inst, uses))
		return;
	const struct spirv_function *target = spirv_function_of(scan->module, target_of(inst));
	if (target)
		scan->targets[target - scan->module->functions] = true;
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(escapes); i++) {
		if (escapes[i].op != inst->op || !is_computation(scan, inst))
			continue;
		uint32_t end = ids_end(inst);
		for (uint32_t n = escapes[i].first; n < end && n <= escapes[i].last; n++) {
			const struct implicit_args_builtin *builtin =
				implicit_args_builtin(implicit_args_mark(scan, inst->operands[n]));
			if (!builtin)
				continue;
			*uses |= builtin->use;
			obstruct(scan, "a built-in variable is used through a pointer", inst->at);
		}
	}
}

static enum compile_status read_functions(struct implicit_args_scan *scan)
{
	const struct spirv_module *module = scan->module;
	struct spirv_inst inst;

	for (uint32_t i = 0; i < module->n_functions; i++)
		SPIRV_EACH(module, module->functions[i].start, module->functions[i].end, inst)
			note_use(scan, &inst, &scan->uses[i]);
	if (!spirv_spread_to_callers(module, scan->uses))
		return COMPILE_NO_MEMORY;
	for (uint32_t i = 0; i < module->n_functions; i++) {
		if (!scan->targets[i] || !scan->uses[i])
			continue;
		scan->everywhere |= scan->uses[i];
		obstruct(
			scan, "a function is called through a pointer", module->functions[i].start);
	}
	return COMPILE_OK;
}

enum compile_status implicit_args_scan(
	const struct spirv_module *module, struct implicit_args_scan *scan)
{
	struct spirv_inst inst;

	*scan = (struct implicit_args_scan){ .module = module };
	scan->marks = calloc(module->bound, sizeof(*scan->marks));
	scan->uses = calloc(module->n_functions + 1u, sizeof(*scan->uses));
	scan->targets = calloc(module->n_functions + 1u, sizeof(*scan->targets));
	if (!scan->marks || !scan->uses || !scan->targets)
		return COMPILE_NO_MEMORY;
	SPIRV_EACH(module, SPIRV_START, spirv_functions_at(module), inst)
		note_global(scan, &inst);
	SPIRV_EACH(module, SPIRV_START, spirv_functions_at(module), inst)
		note_use(scan, &inst, &scan->everywhere);
	return read_functions(scan);
}

void implicit_args_scan_finish(struct implicit_args_scan *scan)
{
	free(scan->marks);
	free(scan->uses);
	free(scan->targets);
	*scan = (struct implicit_args_scan){ 0 };
}

bool implicit_args_look(const struct spirv_module *module, struct reflection *out)
{
	struct implicit_args_scan scan;
	const bool ok = implicit_args_scan(module, &scan) == COMPILE_OK;

	out->is_uniform = ok && scan.is_uniform;
	for (uint32_t i = 0; ok && i < module->n_kernels; i++)
		out->kernels[i].uses = implicit_args_kernel_uses(&scan, i);
	implicit_args_scan_finish(&scan);
	return ok;
}
