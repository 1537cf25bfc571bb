// SPDX-License-Identifier: MIT
#include "compile/spirv/igc_bugs.h"

#include "compile/spirv/spirv_builder.h"

#include <stdlib.h>
#include <string.h>

/* Of an id. */
enum mark { ZERO_BEYOND = 1, ONE_BEYOND, BY_VALUE, LOST, SHARED };

static const struct {
	SpvBuiltIn builtin;
	enum mark mark; /* what the elements beyond the third are */
} builtins[] = {
	{ SpvBuiltInGlobalInvocationId, ZERO_BEYOND },
	{ SpvBuiltInLocalInvocationId, ZERO_BEYOND },
	{ SpvBuiltInWorkgroupId, ZERO_BEYOND },
	{ SpvBuiltInGlobalOffset, ZERO_BEYOND },
	{ SpvBuiltInGlobalSize, ONE_BEYOND },
	{ SpvBuiltInNumWorkgroups, ONE_BEYOND },
	{ SpvBuiltInWorkgroupSize, ONE_BEYOND },
	{ SpvBuiltInEnqueuedWorkgroupSize, ONE_BEYOND },
};

struct mender {
	struct spirv_builder builder;
	uint8_t *marks;	   /* by id: enum mark */
	uint32_t *copied;  /* by id that is decorated: the one that is to be. The old one of a
			      parameter is the copy's */
	uint32_t *pending; /* parameters of the function where we are whose copies are missing;
			      before that, the ids that it defines since `last` and has named before
			    */
	uint32_t n_pending;
	uint32_t last;	    /* the highest id that the function has defined so far */
	bool has_lost;	    /* a decoration */
	bool has_variables; /* for them */
};

static void note_decoration(struct mender *mender, const struct spirv_inst *inst)
{
	if (inst->op != SpvOpDecorate || inst->n < 2 ||
		inst->operands[0] >= mender->builder.from->bound)
		return;
	uint8_t *mark = &mender->marks[inst->operands[0]];
	if (!mender->builder.from->ids[inst->operands[0]].at &&
		(inst->operands[1] == SpvDecorationSaturatedConversion ||
			inst->operands[1] == SpvDecorationFPRoundingMode)) {
		*mark = LOST;
		mender->has_lost = true;
	}
	if (inst->n < 3)
		return;
	if (inst->operands[1] == SpvDecorationFuncParamAttr &&
		inst->operands[2] == SpvFunctionParameterAttributeByVal)
		*mark = BY_VALUE;
	for (size_t i = 0; i < sizeof(builtins) / sizeof(*builtins); i++)
		if (inst->operands[1] == SpvDecorationBuiltIn &&
			inst->operands[2] == (uint32_t)builtins[i].builtin)
			*mark = builtins[i].mark;
}

/* The mark of the built-in variable of which the instruction takes an element that is or may be
 * beyond the third; 0 if it is no such instruction. */
static uint8_t mark_of_extract(const struct mender *mender, const struct spirv_inst *inst)
{
	const struct spirv_module *module = mender->builder.from;
	struct spirv_inst load;
	uint64_t index;

	if (inst->n != 4 || !spirv_definition(module, inst->operands[2], &load) ||
		load.op != SpvOpLoad || load.n < 3 || load.operands[2] >= module->bound)
		return 0;
	if (inst->op == SpvOpCompositeExtract)
		index = inst->operands[3];
	else if (inst->op != SpvOpVectorExtractDynamic)
		return 0;
	else if (!spirv_constant(module, inst->operands[3], &index))
		index = UINT64_MAX;
	const uint8_t mark = mender->marks[load.operands[2]];
	return index >= 3 && (mark == ZERO_BEYOND || mark == ONE_BEYOND) ? mark : 0;
}

/* work_group_all or work_group_any. */
static bool is_vote(const struct spirv_module *module, const struct spirv_inst *inst)
{
	uint64_t scope;

	return (inst->op == SpvOpGroupAll || inst->op == SpvOpGroupAny) && inst->n == 4 &&
	       spirv_constant(module, inst->operands[2], &scope) && scope == SpvScopeWorkgroup;
}

static bool is_kernel(const struct spirv_module *module, uint32_t id)
{
	for (uint32_t i = 0; i < module->n_kernels; i++)
		if (module->words[module->kernels[i] + 2] == id)
			return true;
	return false;
}

/* Whether the function is a kernel; or the body of one that does nothing but call it, as some
 * translators make them, so that nobody sees what it changes. */
static bool is_kernel_or_body(const struct spirv_module *module, uint32_t id)
{
	const struct spirv_function *function = spirv_function_of(module, id), *caller;
	struct spirv_inst inst;

	if (is_kernel(module, id) || !function)
		return true;
	if (function[1].first_caller - function[0].first_caller != 1)
		return false;
	caller = &module->functions[module->callers[function->first_caller]];
	SPIRV_EACH(module, caller->start, caller->end, inst)
		switch (inst.op) {
		case SpvOpFunction:
		case SpvOpFunctionParameter:
		case SpvOpLabel:
		case SpvOpFunctionCall:
		case SpvOpReturn:
		case SpvOpFunctionEnd:
		case SpvOpLine:
		case SpvOpNoLine:
			break;
		default:
			return false;
		}
	return is_kernel(module, caller->id);
}

/*
 * clang's translator gives an id to each instruction that it writes, in their order, and drops it
 * where an OpPhi has already named the instruction by another one; decorations stay with the
 * dropped id. The ids between the last one and `end` that nothing defines are those of the pending
 * instructions.
 */
static void find_lost(struct mender *mender, uint32_t end)
{
	const struct spirv_module *module = mender->builder.from;
	uint32_t id = mender->last;

	for (uint32_t i = 0; i < mender->n_pending; i++) {
		struct spirv_inst inst;

		do
			id++;
		while (id < end && module->ids[id].at);
		if (id >= end)
			break;
		if (mender->marks[id] == LOST &&
			spirv_definition(module, mender->pending[i], &inst) &&
			inst.op >= SpvOpConvertFToU && inst.op <= SpvOpFConvert)
			mender->copied[id] = mender->pending[i];
	}
	mender->n_pending = 0;
}

static void follow_ids(struct mender *mender, const struct spirv_inst *inst)
{
	const struct spirv_module *module = mender->builder.from;
	struct spirv_inst type;

	if (inst->op == SpvOpFunctionEnd) {
		find_lost(mender, module->bound);
		mender->last = 0;
	}
	/* what is said for debuggers is written later */
	if (inst->n < 2 || inst->operands[1] >= module->bound ||
		module->ids[inst->operands[1]].at != inst->at ||
		(inst->op == SpvOpExtInst && spirv_definition(module, inst->operands[0], &type) &&
			type.op == SpvOpTypeVoid))
		return;
	if (inst->operands[1] < mender->last) {
		mender->pending[mender->n_pending++] = inst->operands[1];
	} else {
		find_lost(mender, inst->operands[1]);
		mender->last = inst->operands[1];
	}
}

/* Finds the ids that are decorated and others are to be. */
static void find_copied(struct mender *mender)
{
	struct spirv_module *module = mender->builder.from;
	struct spirv_inst inst;
	bool is_right = false;

	SPIRV_EACH(module, SPIRV_START, spirv_functions_at(module), inst)
		note_decoration(mender, &inst);
	SPIRV_EACH(module, spirv_functions_at(module), module->n_words, inst) {
		if (inst.op == SpvOpFunction)
			is_right = is_kernel_or_body(module, inst.operands[1]);
		if (inst.op == SpvOpFunctionParameter && !is_right &&
			mender->marks[inst.operands[1]] == BY_VALUE)
			mender->copied[inst.operands[1]] = spirv_builder_id(&mender->builder);
		if (mender->has_lost)
			follow_ids(mender, &inst);
	}
}

/* A constant of an integer type of the module. */
static uint32_t put_constant(struct mender *mender, uint32_t type, uint32_t value)
{
	const uint32_t bits = (uint32_t)mender->builder.from->ids[type].size * 8;

	return spirv_builder_number(&mender->builder, bits, value);
}

static void put_extract(struct mender *mender, const struct spirv_inst *inst, uint32_t beyond)
{
	struct spirv_builder *builder = &mender->builder;
	const uint32_t type = inst->operands[0], index = inst->operands[3];

	if (inst->op == SpvOpCompositeExtract) {
		SPIRV_PUT(&builder->out, SpvOpCopyObject, type, inst->operands[1],
			put_constant(mender, type, beyond));
		return;
	}
	const uint32_t index_type = spirv_type_of(builder->from, index);
	const uint32_t boolean = spirv_builder_type(builder, SpvOpTypeBool, NULL, 0);
	const uint32_t is_inside = SPIRV_OP(
		builder, SpvOpULessThan, boolean, index, put_constant(mender, index_type, 3));
	const uint32_t safe = SPIRV_OP(builder, SpvOpSelect, index_type, is_inside, index,
		put_constant(mender, index_type, 0));
	const uint32_t element =
		SPIRV_OP(builder, SpvOpVectorExtractDynamic, type, inst->operands[2], safe);

	SPIRV_PUT(&builder->out, SpvOpSelect, type, inst->operands[1], is_inside, element,
		put_constant(mender, type, beyond));
}

/* The copies of the parameters are variables, which come first in the first block. */
static void put_variables(struct mender *mender)
{
	struct spirv_module *module = mender->builder.from;

	for (uint32_t i = 0; i < mender->n_pending; i++)
		SPIRV_PUT(&mender->builder.out, SpvOpVariable,
			spirv_type_of(module, mender->pending[i]), mender->pending[i],
			SpvStorageClassFunction);
	mender->has_variables = true;
}

static void put_copies(struct mender *mender)
{
	struct spirv_builder *builder = &mender->builder;

	for (uint32_t i = 0; i < mender->n_pending; i++) {
		const uint32_t id = mender->pending[i];
		const uint32_t type = spirv_type_of(builder->from, id);
		const struct spirv_id *pointee =
			&builder->from->ids[spirv_pointee(builder->from, type)];

		SPIRV_PUT(&builder->out, SpvOpCopyMemorySized, id, mender->copied[id],
			spirv_builder_number(builder, 64, pointee->size),
			SpvMemoryAccessAlignedMask, pointee->align ? pointee->align : 1);
	}
	mender->n_pending = 0;
}

static void put_barrier(struct mender *mender, uint32_t scope)
{
	const uint32_t type = spirv_type_of(mender->builder.from, scope);

	SPIRV_PUT(&mender->builder.out, SpvOpControlBarrier, scope, scope,
		put_constant(mender, type,
			SpvMemorySemanticsAcquireReleaseMask |
				SpvMemorySemanticsWorkgroupMemoryMask));
}

/* The parameter has another id, and its own is that of the copy. */
static void rename_parameter(struct mender *mender, const struct spirv_inst *inst)
{
	mender->pending[mender->n_pending++] = inst->operands[1];
	mender->has_variables = false;
	spirv_builder_copy_with(&mender->builder, inst, 1, mender->copied[inst->operands[1]]);
}

static bool mend_inside(struct mender *mender, const struct spirv_inst *inst)
{
	const bool is_line = inst->op == SpvOpLine || inst->op == SpvOpNoLine;
	const uint8_t mark = mark_of_extract(mender, inst);

	if (inst->op == SpvOpFunctionParameter && mender->copied[inst->operands[1]]) {
		rename_parameter(mender, inst);
		return true;
	}
	if (inst->op == SpvOpFunctionEnd)
		mender->n_pending = 0;
	if (mender->n_pending && mender->has_variables && inst->op != SpvOpVariable && !is_line)
		put_copies(mender);
	if (mark) {
		put_extract(mender, inst, mark == ONE_BEYOND);
	} else if (is_vote(mender->builder.from, inst)) {
		spirv_builder_copy(&mender->builder, inst);
		put_barrier(mender, inst->operands[2]);
	} else if (mender->n_pending && !mender->has_variables && inst->op == SpvOpLabel) {
		spirv_builder_copy(&mender->builder, inst);
		put_variables(mender);
	} else {
		return false;
	}
	return true;
}

/* Marks the functions that more than one kernel reaches. False when out of memory. */
static bool find_shared(struct mender *mender)
{
	const struct spirv_module *module = mender->builder.from;
	/* the number of the only kernel that reaches the function so far, or: several do */
	uint32_t *owners = calloc(module->n_functions + 1u, sizeof(*owners));
	const uint32_t several = module->n_kernels + 1;
	const bool ok = owners;
	bool is_more = ok;

	for (uint32_t i = 0; ok && i < module->n_kernels; i++)
		if (spirv_kernel(module, i))
			owners[spirv_kernel(module, i) - module->functions] = i + 1;
	while (is_more) {
		is_more = false;
		for (uint32_t i = 0; i < module->n_functions; i++) {
			const struct spirv_function *function = &module->functions[i];

			for (uint32_t k = function[0].first_caller; k < function[1].first_caller;
				k++) {
				const uint32_t owner = owners[module->callers[k]];

				if (!owner || owners[i] == owner || owners[i] == several)
					continue;
				owners[i] = owners[i] ? several : owner;
				is_more = true;
			}
			if (owners[i] == several && !is_kernel(module, function->id))
				mender->marks[function->id] = SHARED;
		}
	}
	free(owners);
	return ok;
}

/* Whatever the options, the compiler inlines functions whose names begin so, as its own do. It
 * takes names that are exported for others. */
static bool put_inlined(struct spirv_builder *builder, const struct spirv_inst *inst)
{
	static const char prefix[] = "__builtin_spirv_";
	uint32_t text[4];

	if (inst->op == SpvOpDecorate)
		return inst->n > 1 && inst->operands[1] == SpvDecorationLinkageAttributes;
	if (inst->op != SpvOpName || inst->n + 5 > UINT16_MAX)
		return false;
	memcpy(text, prefix, sizeof(text));
	SPIRV_PUT(&builder->out, SpvOpName, inst->operands[0], text[0], text[1], text[2], text[3]);
	if (!builder->out.is_broken)
		builder->out.at[builder->out.n - 6] += (inst->n - 1) << SpvWordCountShift;
	spirv_words_put(&builder->out, inst->operands + 1, inst->n - 1);
	return true;
}

/* What is said of the parameter goes with it, and what is said of a lost id to the right one. */
static bool mend(struct spirv_builder *builder, const struct spirv_inst *inst, void *data)
{
	struct mender *mender = data;

	if (inst->at >= spirv_functions_at(builder->from))
		return mend_inside(mender, inst);
	if (inst->n && inst->operands[0] < builder->from->bound &&
		mender->marks[inst->operands[0]] == SHARED)
		return put_inlined(builder, inst);
	if (inst->op != SpvOpDecorate || !inst->n || inst->operands[0] >= builder->from->bound ||
		!mender->copied[inst->operands[0]])
		return false;
	spirv_builder_copy_with(builder, inst, 0, mender->copied[inst->operands[0]]);
	return true;
}

enum compile_status igc_bugs_mend(struct spirv_module *module, bool is_optimised, bool *is_changed)
{
	struct mender mender = { .marks = calloc(module->bound, sizeof(*mender.marks)),
		.copied = calloc(module->bound, sizeof(*mender.copied)),
		.pending = calloc(module->bound, sizeof(*mender.pending)) };
	enum compile_status status = COMPILE_NO_MEMORY;

	mender.builder.from = module;
	if (mender.marks && mender.copied && mender.pending &&
		(is_optimised || find_shared(&mender))) {
		spirv_builder_init(&mender.builder, module);
		find_copied(&mender);
		status = spirv_builder_run(&mender.builder, mend, &mender);
	}
	*is_changed = mender.builder.is_changed;
	free(mender.marks);
	free(mender.copied);
	free(mender.pending);
	return status;
}
