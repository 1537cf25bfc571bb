// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_split.h"

#include "compile/spirv/spirv_module.h"

#include <stdlib.h>
#include <string.h>

/* Fewer words of code are compiled faster as one: each part costs the same again to begin with. */
#define MIN_WORDS 250u

struct split {
	const struct spirv_module *module;
	bool *is_kept;	 /* by number of a function */
	bool *is_shared; /* ids of variables that all kernels of a program share */
	uint32_t *stack; /* functions to be looked at */
};

/* How many operands of an instruction may be ids of variables or functions; the others are not. */
static uint32_t id_operands(const struct spirv_inst *inst)
{
	static const struct {
		SpvOp op;
		uint32_t n;
	} rows[] = {
		{ SpvOpLoad, 3 },
		{ SpvOpStore, 2 },
		{ SpvOpCopyMemory, 2 },
		{ SpvOpCopyMemorySized, 3 },
		{ SpvOpCompositeExtract, 3 },
		{ SpvOpCompositeInsert, 4 },
		{ SpvOpVectorShuffle, 4 },
		{ SpvOpSwitch, 1 },
		{ SpvOpBranchConditional, 1 },
		{ SpvOpLoopMerge, 0 },
		{ SpvOpSelectionMerge, 0 },
		{ SpvOpFunction, 0 },
		{ SpvOpVariable, 0 },
		{ SpvOpLine, 0 },
		{ SpvOpLifetimeStart, 1 },
		{ SpvOpLifetimeStop, 1 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].op == inst->op)
			return rows[i].n < inst->n ? rows[i].n : inst->n;
	return inst->n;
}

static uint32_t kernel_id(const struct split *split, size_t kernel)
{
	return split->module->words[split->module->kernels[kernel] + 2];
}

static bool is_shared_variable(const struct spirv_inst *inst)
{
	return inst->op == SpvOpVariable && inst->n >= 3 &&
	       inst->operands[2] != SpvStorageClassInput &&
	       inst->operands[2] != SpvStorageClassWorkgroup;
}

/* Finds variables. False: nothing to split. */
static bool read_module(struct split *split)
{
	const struct spirv_module *module = split->module;
	struct spirv_inst inst;

	SPIRV_EACH(module, SPIRV_START, spirv_functions_at(module), inst) {
		if (is_shared_variable(&inst))
			split->is_shared[inst.operands[1]] = true;
		/* Debug information names functions. */
		if (inst.op == SpvOpExtInst)
			return false;
	}
	for (uint32_t i = 0; i < module->n_kernels; i++)
		if (!spirv_function_of(module, kernel_id(split, i)))
			return false;
	return module->n_kernels >= 2;
}

/* Marks the function of that id to be kept and looked at; nothing if it is none. */
static void push(struct split *split, uint32_t id, uint32_t *n)
{
	const struct spirv_function *function = spirv_function_of(split->module, id);

	if (!function || split->is_kept[function - split->module->functions])
		return;
	split->is_kept[function - split->module->functions] = true;
	split->stack[(*n)++] = (uint32_t)(function - split->module->functions);
}

/* Keeps all that the function calls. Words that it has by now; 0: it uses a shared variable. */
static uint32_t keep(struct split *split, uint32_t id)
{
	const struct spirv_module *module = split->module;
	uint32_t n = 0, words = 0;

	push(split, id, &n);
	if (!n)
		return 1;
	while (n) {
		const struct spirv_function *function = &module->functions[split->stack[--n]];
		struct spirv_inst inst;

		words += function->end - function->start;
		SPIRV_EACH(module, function->start, function->end, inst)
			for (uint32_t i = 0; i < id_operands(&inst); i++) {
				if (inst.operands[i] < module->bound &&
					split->is_shared[inst.operands[i]])
					return 0;
				push(split, inst.operands[i], &n);
			}
	}
	return words;
}

/* Whether the id is defined in a function that is not kept. */
static bool is_gone(const struct split *split, uint32_t id)
{
	const struct spirv_module *module = split->module;
	uint32_t at = id < module->bound ? module->ids[id].at : 0;

	for (uint32_t i = 0; at && i < module->n_functions; i++)
		if (at >= module->functions[i].start && at < module->functions[i].end)
			return !split->is_kept[i];
	return false;
}

/* Copies an instruction that stands before the functions, or leaves it out. */
static uint32_t copy_head(const struct split *split, const struct spirv_inst *inst,
	const bool *is_wanted, uint32_t *to)
{
	const uint32_t *words = split->module->words + inst->at;
	uint32_t size = inst->next - inst->at;
	uint32_t place = inst->op == SpvOpEntryPoint;

	switch (inst->n > place ? inst->op : SpvOpNop) {
	case SpvOpEntryPoint:
	case SpvOpExecutionMode:
	case SpvOpExecutionModeId:
		/* A kernel that another one calls is none here. */
		if (inst->operands[place] < split->module->bound &&
			!is_wanted[inst->operands[place]])
			return 0;
		break;
	case SpvOpName:
	case SpvOpDecorate:
	case SpvOpDecorateId:
	case SpvOpDecorateString:
		if (is_gone(split, inst->operands[0]))
			return 0;
		break;
	case SpvOpGroupDecorate:
		to[1] = words[1];
		size = 2;
		for (uint32_t i = 1; i < inst->n; i++)
			if (!is_gone(split, inst->operands[i]))
				to[size++] = inst->operands[i];
		to[0] = size << SpvWordCountShift | SpvOpGroupDecorate;
		return size;
	default:
		break;
	}
	memcpy(to, words, size * sizeof *to);
	return size;
}

/* The module of the functions that are kept. */
static uint32_t *write_part(const struct split *split, const bool *is_wanted, size_t *size)
{
	const struct spirv_module *module = split->module;
	uint32_t *words = malloc(module->n_words * sizeof(*words));
	uint32_t n = SPIRV_START;
	struct spirv_inst inst;

	if (!words)
		return NULL;
	memcpy(words, module->words, n * sizeof(*words));
	SPIRV_EACH(module, SPIRV_START, spirv_functions_at(module), inst)
		n += copy_head(split, &inst, is_wanted, words + n);
	for (uint32_t i = 0; i < module->n_functions; i++) {
		const struct spirv_function *function = &module->functions[i];
		uint32_t length = function->end - function->start;

		if (!split->is_kept[i])
			continue;
		memcpy(words + n, module->words + function->start, length * sizeof(*words));
		n += length;
	}
	*size = n * sizeof(*words);
	return words;
}

static void keep_none(struct split *split)
{
	memset(split->is_kept, 0, split->module->n_functions * sizeof(*split->is_kept));
}

/* Words of each kernel with what it calls; their sum, 0 if they share variables. */
static uint64_t weigh(struct split *split, uint32_t *weights)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < split->module->n_kernels; i++) {
		keep_none(split);
		weights[i] = keep(split, kernel_id(split, i));
		if (!weights[i])
			return 0;
		sum += weights[i];
	}
	return sum;
}

static size_t cut(struct split *split, size_t n, struct compile_module *parts)
{
	uint32_t *weights = calloc(split->module->n_kernels, sizeof *weights);
	bool *is_wanted = calloc(split->module->bound, sizeof *is_wanted);
	uint64_t sum = weights && is_wanted ? weigh(split, weights) : 0, done = 0;
	size_t made = 0, next = 0;

	if (sum < n * MIN_WORDS)
		n = sum / MIN_WORDS;
	if (n > split->module->n_kernels)
		n = split->module->n_kernels;
	while (n >= 2 && made < n && next < split->module->n_kernels) {
		keep_none(split);
		memset(is_wanted, 0, split->module->bound * sizeof *is_wanted);
		/* Up to the kernel whose middle is beyond the end of this part. */
		size_t first = next;
		do {
			keep(split, kernel_id(split, next));
			is_wanted[kernel_id(split, next)] = true;
			done += weights[next++];
		} while (next < split->module->n_kernels &&
			 (made + 1 == n || (done + weights[next] / 2) * n <= sum * (made + 1)));
		parts[made].spirv = write_part(split, is_wanted, &parts[made].size);
		if (!parts[made++].spirv || (first == 0 && next == split->module->n_kernels)) {
			while (made)
				free((void *)(uintptr_t)parts[--made].spirv);
			break;
		}
	}
	free(weights);
	free(is_wanted);
	return made;
}

size_t spirv_split(
	const void *spirv, size_t size, size_t n, struct compile_module parts[SPIRV_SPLIT_MAX])
{
	struct spirv_module module = { 0 };
	struct split split = { .module = &module };
	size_t made = 0;

	if (n < 2 || n > SPIRV_SPLIT_MAX || size / 4 < 2 * MIN_WORDS ||
		spirv_module_open(spirv, size, &module) != COMPILE_OK)
		goto done;
	split.is_kept = calloc(module.n_functions + 1u, sizeof(*split.is_kept));
	split.stack = calloc(module.n_functions + 1u, sizeof(*split.stack));
	split.is_shared = calloc(module.bound, sizeof(*split.is_shared));
	if (split.is_kept && split.stack && split.is_shared && read_module(&split))
		made = cut(&split, n, parts);
	free(split.is_kept);
	free(split.stack);
	free(split.is_shared);
done:
	spirv_module_finish(&module);
	return made;
}
