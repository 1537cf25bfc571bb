// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_split.h"

#include "compile/spirv/spirv_module.h"

#include <stdlib.h>
#include <string.h>

/* Fewer words of code are compiled faster as one: each part costs the same again to begin with. */
#define MIN_WORDS 250u

/* Whether kernels share variables, or decorations are in groups, which cannot be cut. */
static bool is_one(const struct spirv_module *module)
{
	struct spirv_inst inst, used;

	SPIRV_EACH(module, SPIRV_START, module->n_words, inst) {
		const bool is_inside = inst.at >= spirv_functions_at(module);

		if (inst.op == SpvOpGroupDecorate)
			return true;
		for (uint32_t i = 0; is_inside && i < inst.n; i++)
			if (!spirv_is_literal(inst.op, i) &&
				spirv_definition(module, inst.operands[i], &used) &&
				used.op == SpvOpVariable && used.n >= 3 &&
				used.operands[2] != SpvStorageClassInput &&
				used.operands[2] != SpvStorageClassFunction &&
				used.operands[2] != SpvStorageClassWorkgroup)
				return true;
	}
	return false;
}

/* The kernels from `first` to before `end`, and the functions that are in no part with them. */
struct part {
	const struct spirv_module *module;
	uint32_t first, end;
	bool *is_gone; /* by number of a function */
};

/* Whether the word is in a function that is gone. */
static bool is_gone_at(const struct part *part, uint32_t at)
{
	const struct spirv_function *functions = part->module->functions;
	uint32_t low = 0, high = part->module->n_functions;

	while (low < high) {
		const uint32_t middle = (low + high) / 2;

		if (at >= functions[middle].end)
			low = middle + 1;
		else
			high = middle;
	}
	return low < part->module->n_functions && at >= functions[low].start && part->is_gone[low];
}

static bool is_left_out(const struct part *part, const struct spirv_inst *inst)
{
	const struct spirv_module *module = part->module;
	const bool is_entry = inst->op == SpvOpEntryPoint;

	switch (inst->n > is_entry ? inst->op : SpvOpNop) {
	case SpvOpEntryPoint:
	case SpvOpExecutionMode:
	case SpvOpExecutionModeId:
		for (uint32_t i = 0; i < module->n_kernels; i++)
			if (module->words[module->kernels[i] + 2] == inst->operands[is_entry])
				return i < part->first || i >= part->end;
		return false;
	case SpvOpName:
	case SpvOpDecorate:
	case SpvOpDecorateId:
	case SpvOpDecorateString:
		return inst->operands[0] < module->bound &&
		       is_gone_at(part, module->ids[inst->operands[0]].at);
	default:
		return is_gone_at(part, inst->at);
	}
}

/* The module with the kernels from `first` to before `end`, to be freed. */
static void *copy_kernels(
	const struct spirv_module *module, uint32_t first, uint32_t end, size_t *size)
{
	struct part part = { module, first, end, calloc(module->n_functions + 1u, sizeof(bool)) };
	uint32_t *words = malloc(module->n_words * sizeof(*words)), n = SPIRV_START;
	struct spirv_inst inst;

	/* Their uncalled functions would count as callers when the compiler inlines. */
	for (uint32_t i = 0; part.is_gone && i < module->n_kernels; i++) {
		const struct spirv_function *function = spirv_kernel(module, i);

		if (function && (i < first || i >= end))
			part.is_gone[function - module->functions] =
				function[0].first_caller == function[1].first_caller;
	}
	if (words && part.is_gone) {
		memcpy(words, module->words, n * sizeof(*words));
		SPIRV_EACH(module, SPIRV_START, module->n_words, inst)
			if (!is_left_out(&part, &inst)) {
				memcpy(words + n, module->words + inst.at,
					(inst.next - inst.at) * sizeof(*words));
				n += inst.next - inst.at;
			}
		*size = n * sizeof(*words);
	} else {
		free(words);
		words = NULL;
	}
	free(part.is_gone);
	return words;
}

/* Words of the kernel's function and of those that it calls: some translators wrap each kernel. */
static uint32_t weight_of(const struct spirv_module *module, uint32_t kernel)
{
	const struct spirv_function *callee, *function = spirv_kernel(module, kernel);
	struct spirv_inst inst;
	uint32_t words = 0;

	if (!function)
		return 0;
	SPIRV_EACH(module, function->start, function->end, inst)
		if (inst.op == SpvOpFunctionCall && inst.n > 2 &&
			(callee = spirv_function_of(module, inst.operands[2])))
			words += callee->end - callee->start;
	return words + function->end - function->start;
}

static size_t cut(
	const struct spirv_module *module, size_t n, struct compile_module parts[SPIRV_SPLIT_MAX])
{
	const uint32_t n_kernels = module->n_kernels;
	uint64_t sum = 0, done = 0;
	uint32_t next = 0;
	size_t made = 0;

	for (uint32_t i = 0; i < n_kernels; i++)
		sum += weight_of(module, i);
	if (sum < n * MIN_WORDS)
		n = sum / MIN_WORDS;
	if (n > n_kernels)
		n = n_kernels;
	while (n >= 2 && next < n_kernels) {
		const uint32_t first = next;

		/* Up to the kernel whose middle is beyond the end of this part. */
		do {
			done += weight_of(module, next++);
		} while (next < n_kernels &&
			 (made + 1 == n ||
				 (done + weight_of(module, next) / 2) * n <= sum * (made + 1)));
		parts[made].spirv = copy_kernels(module, first, next, &parts[made].size);
		if (!parts[made++].spirv || next - first == n_kernels) {
			while (made)
				free((void *)(uintptr_t)parts[--made].spirv);
			break;
		}
	}
	return made;
}

size_t spirv_split(
	const void *spirv, size_t size, size_t n, struct compile_module parts[SPIRV_SPLIT_MAX])
{
	struct spirv_module module = { 0 };
	size_t made = 0;

	if (n >= 2 && n <= SPIRV_SPLIT_MAX &&
		spirv_module_open(spirv, size, &module) == COMPILE_OK && !is_one(&module))
		made = cut(&module, n, parts);
	spirv_module_finish(&module);
	return made;
}

void *spirv_split_kernel(const void *spirv, size_t size, const char *kernel, size_t *only_size)
{
	struct spirv_module module;
	void *only = NULL;

	*only_size = 0;
	if (spirv_module_open(spirv, size, &module) == COMPILE_OK)
		for (uint32_t i = 0; !only && i < module.n_kernels; i++)
			if (!strcmp(spirv_text(&module, module.kernels[i] + 3), kernel))
				only = copy_kernels(&module, i, i + 1, only_size);
	spirv_module_finish(&module);
	return only;
}
