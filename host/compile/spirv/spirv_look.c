// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_look.h"

#include "util/util_bits.h"

#include <spirv/unified1/OpenCL.std.h>
#include <stdlib.h>
#include <string.h>

static unsigned blocks_of(SpvOp op)
{
	switch ((unsigned)op) {
	case SpvOpSubgroupBlockReadINTEL:
		return COMPILE_BLOCKS_READ;
	case SpvOpSubgroupBlockWriteINTEL:
		return COMPILE_BLOCKS_WRITE;
	case SpvOpSubgroupImageBlockReadINTEL:
	case SpvOpSubgroupImageBlockWriteINTEL:
	case SpvOpSubgroupImageMediaBlockReadINTEL:
	case SpvOpSubgroupImageMediaBlockWriteINTEL:
		return COMPILE_BLOCKS_IMAGE;
	default:
		return 0;
	}
}

/* A function of another module has no block. */
static bool has_body(const struct spirv_module *module, const struct spirv_function *function)
{
	struct spirv_inst inst;

	SPIRV_EACH(module, function->start, function->end, inst)
		if (inst.op == SpvOpLabel)
			return true;
	return false;
}

/* Instructions by which work-items can tell which others are in their group, or rely on it. */
static bool is_grouped(const struct spirv_module *module, const struct spirv_inst *inst)
{
	static const struct {
		SpvOp first, last;
	} rows[] = {
		{ SpvOpControlBarrier, SpvOpMemoryBarrier },
		/* Who spins must not share a sub-group with whom it waits for. */
		{ SpvOpAtomicLoad, SpvOpAtomicXor },
		{ SpvOpGroupAsyncCopy, SpvOpGroupSMax },
		{ SpvOpReadPipe, SpvOpGroupCommitWritePipe },
		{ SpvOpEnqueueMarker, SpvOpBuildNDRange },
		{ SpvOpAtomicFlagTestAndSet, SpvOpAtomicFlagClear },
		{ SpvOpNamedBarrierInitialize, SpvOpMemoryNamedBarrier },
		{ SpvOpGroupNonUniformElect, SpvOpGroupNonUniformQuadSwap },
		/* Beyond the core, what is not known. */
		{ (SpvOp)4096, (SpvOp)UINT16_MAX },
	};
	/* Where their memory access is among the operands. */
	static const struct {
		SpvOp op;
		uint32_t access;
	} accesses[] = { { SpvOpLoad, 3 }, { SpvOpStore, 2 }, { SpvOpCopyMemory, 2 },
		{ SpvOpCopyMemorySized, 3 } };

	for (size_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++)
		if (inst->op >= rows[i].first && inst->op <= rows[i].last)
			return true;
	if (inst->op == SpvOpFunctionCall && inst->n > 2) {
		const struct spirv_function *callee = spirv_function_of(module, inst->operands[2]);
		return !callee || !has_body(module, callee);
	}
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(accesses); i++)
		if (inst->op == accesses[i].op && accesses[i].access < inst->n &&
			inst->operands[accesses[i].access] & SpvMemoryAccessVolatileMask)
			return true;
	return false;
}

/* Marks ids that say something of groups: variables, and types of pointers to local memory. */
static void mark_grouped(const struct spirv_module *module, bool *grouped)
{
	static const SpvBuiltIn global[] = { SpvBuiltInGlobalInvocationId, SpvBuiltInGlobalSize,
		SpvBuiltInGlobalOffset, SpvBuiltInGlobalLinearId, SpvBuiltInWorkDim };
	struct spirv_inst inst;

	SPIRV_EACH(module, SPIRV_START, spirv_functions_at(module), inst) {
		const uint32_t id = inst.n > 1 ? inst.operands[inst.op == SpvOpVariable] : 0;
		bool marks = inst.op == SpvOpDecorate && inst.n > 1 &&
			     (inst.operands[1] == SpvDecorationVolatile ||
				     (inst.operands[1] == SpvDecorationBuiltIn && inst.n > 2));

		for (size_t i = 0; marks && inst.n > 2 && i < UTIL_ARRAY_SIZE(global); i++)
			marks = inst.operands[2] != (uint32_t)global[i];
		marks |= inst.op == SpvOpVariable && inst.n > 2 &&
			 inst.operands[2] == SpvStorageClassWorkgroup;
		marks |= inst.op == SpvOpTypePointer && inst.n > 1 &&
			 inst.operands[1] == SpvStorageClassWorkgroup;
		if (marks && id < module->bound)
			grouped[id] = true;
		/* What is said of a decoration group is said of its members. */
		for (uint32_t n = 1; inst.op == SpvOpGroupDecorate && n < inst.n; n++)
			if (inst.operands[0] < module->bound && grouped[inst.operands[0]] &&
				inst.operands[n] < module->bound)
				grouped[inst.operands[n]] = true;
	}
}

bool spirv_look_at_functions(const struct spirv_module *module, struct reflection *out)
{
	enum { GROUPED = 1 << 8 }; /* beside enum compile_blocks */
	unsigned *found = calloc(module->n_functions + 1u, sizeof(*found));
	bool *grouped = calloc(module->bound, sizeof(*grouped));
	bool ok = found && grouped;
	struct spirv_inst inst;

	if (ok)
		mark_grouped(module, grouped);
	for (uint32_t i = 0; ok && i < module->n_functions; i++)
		SPIRV_EACH(module, module->functions[i].start, module->functions[i].end, inst) {
			found[i] |= blocks_of(inst.op) | (is_grouped(module, &inst) ? GROUPED : 0);
			for (uint32_t n = 0; n < inst.n && !(found[i] & GROUPED); n++)
				if (inst.operands[n] < module->bound && grouped[inst.operands[n]] &&
					!spirv_is_literal(inst.op, n))
					found[i] |= GROUPED;
		}
	ok = ok && spirv_spread_to_callers(module, found);
	for (uint32_t i = 0; ok && i < module->n_kernels; i++) {
		const struct spirv_function *kernel = spirv_kernel(module, i);

		if (!kernel)
			continue;
		out->kernels[i].blocks = (unsigned char)found[kernel - module->functions];
		out->kernels[i].sees_no_groups = !(found[kernel - module->functions] & GROUPED);
	}
	free(found);
	free(grouped);
	return ok;
}

bool spirv_prints(const struct spirv_module *module)
{
	struct spirv_inst inst;

	SPIRV_EACH(module, SPIRV_START, module->n_words, inst)
		if (inst.op == SpvOpExtInst && inst.n > 3 && module->set &&
			inst.operands[2] == module->set && inst.operands[3] == OpenCLstd_Printf)
			return true;
	return false;
}

bool spirv_has_sub_group_barriers(const struct spirv_module *module)
{
	struct spirv_inst inst;
	uint64_t scope;

	SPIRV_EACH(module, SPIRV_START, module->n_words, inst)
		if (inst.op == SpvOpControlBarrier && inst.n > 0 &&
			(!spirv_constant(module, inst.operands[0], &scope) ||
				scope == SpvScopeSubgroup))
			return true;
	return false;
}

/* Bytes of which the address of the variable of that type is a multiple. */
static size_t alignment(const struct spirv_module *module, uint32_t variable, uint32_t type)
{
	size_t align = module->ids[type].align ? module->ids[type].align : 1;
	struct spirv_inst inst;

	SPIRV_EACH(module, SPIRV_START, spirv_functions_at(module), inst)
		if (inst.op == SpvOpDecorate && inst.n > 2 && inst.operands[0] == variable &&
			inst.operands[1] == SpvDecorationAlignment && inst.operands[2] > align)
			align = inst.operands[2];
	return align;
}

/* Sets used[id] of all ids that the function names. */
static void note_ids(
	const struct spirv_module *module, const struct spirv_function *function, bool *used)
{
	struct spirv_inst inst;

	SPIRV_EACH(module, function->start, function->end, inst)
		for (uint32_t i = 0; i < inst.n; i++)
			if (inst.operands[i] < module->bound && !spirv_is_literal(inst.op, i))
				used[inst.operands[i]] = true;
}

/* Which ids the function of the entry point and those that it calls name; NULL without memory. */
static bool *find_used(const struct spirv_module *module, const struct spirv_inst *entry)
{
	bool *used = calloc(module->bound, sizeof *used), *done, grows = true;

	done = calloc(module->n_functions + 1u, sizeof *done);
	if (used && done)
		used[entry->operands[1]] = true;
	while (used && done && grows) {
		grows = false;
		for (uint32_t i = 0; i < module->n_functions; i++) {
			if (done[i] || !used[module->functions[i].id])
				continue;
			note_ids(module, &module->functions[i], used);
			done[i] = grows = true;
		}
	}
	if (!done) {
		free(used);
		used = NULL;
	}
	free(done);
	return used;
}

size_t spirv_local_bytes(const struct spirv_module *module, const char *kernel)
{
	struct spirv_inst entry, inst;
	size_t bytes = 0;
	bool found = false;

	for (uint32_t i = 0; i < module->n_kernels && !found; i++)
		found = spirv_at(module, module->kernels[i], &entry) &&
			!strcmp(spirv_text(module, entry.at + 3), kernel);
	bool *used = found ? find_used(module, &entry) : NULL;
	if (!used)
		return SIZE_MAX;
	SPIRV_EACH(module, SPIRV_START, spirv_functions_at(module), inst) {
		if (inst.op != SpvOpVariable || inst.n < 3 ||
			inst.operands[2] != SpvStorageClassWorkgroup || !used[inst.operands[1]])
			continue;
		const uint32_t type = spirv_pointee(module, inst.operands[0]);
		if (!type) {
			bytes = SIZE_MAX;
			break;
		}
		size_t align = alignment(module, inst.operands[1], type);
		bytes = (bytes + align - 1) / align * align + module->ids[type].size;
	}
	free(used);
	return bytes;
}
