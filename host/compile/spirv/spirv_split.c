// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_split.h"

#include "compile/spirv/spirv_module.h"

#include <stdlib.h>
#include <string.h>

/* Fewer words of code are compiled faster as one: each part costs the same again to begin with. */
#define MIN_WORDS 250u

struct function {
	uint32_t start, end; /* words */
	uint32_t id;
	bool is_kept;
};

struct split {
	struct spirv_module spirv;
	struct function *functions;
	size_t n_functions;
	uint32_t *numbers; /* of ids: 1 + the number of the function */
	uint32_t *kernels; /* the functions of the entry points, in order */
	size_t n_kernels;
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

static bool is_shared_variable(const struct spirv_inst *inst)
{
	return inst->op == SpvOpVariable && inst->n >= 3 &&
	       inst->operands[2] != SpvStorageClassInput &&
	       inst->operands[2] != SpvStorageClassWorkgroup;
}

/* Finds functions, kernels and variables. False: nothing to split. */
static bool read_module(struct split *split)
{
	struct spirv_inst inst;
	struct function *open = NULL;

	for (uint32_t at = SPIRV_START; spirv_at(&split->spirv, at, &inst); at = inst.next) {
		if (inst.op == SpvOpEntryPoint && inst.n >= 2) {
			split->kernels[split->n_kernels++] = inst.operands[1];
		} else if (inst.op == SpvOpFunction && inst.n >= 2) {
			open = &split->functions[split->n_functions++];
			*open = (struct function){ .start = at, .id = inst.operands[1] };
			split->numbers[open->id] = (uint32_t)split->n_functions;
		} else if (inst.op == SpvOpFunctionEnd && open) {
			open->end = inst.next;
			open = NULL;
		} else if (!open && is_shared_variable(&inst)) {
			split->is_shared[inst.operands[1]] = true;
		} else if (!open && inst.op == SpvOpExtInst) {
			/* Debug information names functions. */
			return false;
		}
	}
	for (size_t i = 0; i < split->n_kernels; i++)
		if (split->kernels[i] >= split->spirv.bound || !split->numbers[split->kernels[i]])
			return false;
	return split->n_kernels >= 2;
}

/* Keeps all that the function calls. Words that it has by now; 0: it uses a shared variable. */
static uint32_t keep(struct split *split, uint32_t id)
{
	size_t n = 0;
	uint32_t words = 0;

	if (split->functions[split->numbers[id] - 1].is_kept)
		return 1;
	split->functions[split->numbers[id] - 1].is_kept = true;
	split->stack[n++] = split->numbers[id] - 1;
	while (n) {
		const struct function *function = &split->functions[split->stack[--n]];
		struct spirv_inst inst;

		words += function->end - function->start;
		for (uint32_t at = function->start;
			at < function->end && spirv_at(&split->spirv, at, &inst); at = inst.next) {
			for (uint32_t i = 0; i < id_operands(&inst); i++) {
				uint32_t used = inst.operands[i];
				if (used >= split->spirv.bound)
					continue;
				if (split->is_shared[used])
					return 0;
				if (!split->numbers[used] ||
					split->functions[split->numbers[used] - 1].is_kept)
					continue;
				split->functions[split->numbers[used] - 1].is_kept = true;
				split->stack[n++] = split->numbers[used] - 1;
			}
		}
	}
	return words;
}

/* Whether the id is defined in a function that is not kept. */
static bool is_gone(const struct split *split, uint32_t id)
{
	uint32_t at = id < split->spirv.bound ? split->spirv.ids[id].at : 0;

	for (size_t i = 0; at && i < split->n_functions; i++)
		if (at >= split->functions[i].start && at < split->functions[i].end)
			return !split->functions[i].is_kept;
	return false;
}

/* Copies an instruction that stands before the functions, or leaves it out. */
static uint32_t copy_head(const struct split *split, const struct spirv_inst *inst,
	const bool *is_wanted, uint32_t *to)
{
	const uint32_t *words = split->spirv.words + inst->at;
	uint32_t size = inst->next - inst->at;
	uint32_t place = inst->op == SpvOpEntryPoint;

	switch (inst->n > place ? inst->op : SpvOpNop) {
	case SpvOpEntryPoint:
	case SpvOpExecutionMode:
	case SpvOpExecutionModeId:
		/* A kernel that another one calls is none here. */
		if (inst->operands[place] < split->spirv.bound && !is_wanted[inst->operands[place]])
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
	const struct spirv_module *spirv = &split->spirv;
	uint32_t *words = malloc(spirv->n_words * sizeof *words);
	uint32_t n = SPIRV_START;
	struct spirv_inst inst;

	if (!words)
		return NULL;
	memcpy(words, spirv->words, n * sizeof *words);
	for (uint32_t at = SPIRV_START;
		at < split->functions[0].start && spirv_at(spirv, at, &inst); at = inst.next)
		n += copy_head(split, &inst, is_wanted, words + n);
	for (size_t i = 0; i < split->n_functions; i++) {
		const struct function *function = &split->functions[i];
		uint32_t length = function->end - function->start;

		if (!function->is_kept)
			continue;
		memcpy(words + n, spirv->words + function->start, length * sizeof *words);
		n += length;
	}
	*size = n * sizeof *words;
	return words;
}

static void keep_none(struct split *split)
{
	for (size_t i = 0; i < split->n_functions; i++)
		split->functions[i].is_kept = false;
}

/* Words of each kernel with what it calls; their sum, 0 if they share variables. */
static uint64_t weigh(struct split *split, uint32_t *weights)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < split->n_kernels; i++) {
		keep_none(split);
		weights[i] = keep(split, split->kernels[i]);
		if (!weights[i])
			return 0;
		sum += weights[i];
	}
	return sum;
}

static size_t cut(struct split *split, size_t n, struct compile_module *parts)
{
	uint32_t *weights = calloc(split->n_kernels, sizeof *weights);
	bool *is_wanted = calloc(split->spirv.bound, sizeof *is_wanted);
	uint64_t sum = weights && is_wanted ? weigh(split, weights) : 0, done = 0;
	size_t made = 0, next = 0;

	if (sum < n * MIN_WORDS)
		n = sum / MIN_WORDS;
	if (n > split->n_kernels)
		n = split->n_kernels;
	while (n >= 2 && made < n && next < split->n_kernels) {
		keep_none(split);
		memset(is_wanted, 0, split->spirv.bound * sizeof *is_wanted);
		/* Up to the kernel whose middle is beyond the end of this part. */
		size_t first = next;
		do {
			keep(split, split->kernels[next]);
			is_wanted[split->kernels[next]] = true;
			done += weights[next++];
		} while (next < split->n_kernels &&
			 (made + 1 == n || (done + weights[next] / 2) * n <= sum * (made + 1)));
		parts[made].spirv = write_part(split, is_wanted, &parts[made].size);
		if (!parts[made++].spirv || (first == 0 && next == split->n_kernels)) {
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
	struct split split = { .n_functions = 0 };
	size_t made = 0;

	if (n < 2 || n > SPIRV_SPLIT_MAX || size / 4 < 2 * MIN_WORDS ||
		!spirv_module_open(spirv, size, &split.spirv, NULL, 0))
		return 0;
	/* No instruction that counts here is shorter than two words. */
	size_t room = split.spirv.n_words / 2 + 1;
	split.functions = calloc(room, sizeof *split.functions);
	split.kernels = calloc(room, sizeof *split.kernels);
	split.stack = calloc(room, sizeof *split.stack);
	split.numbers = calloc(split.spirv.bound, sizeof *split.numbers);
	split.is_shared = calloc(split.spirv.bound, sizeof *split.is_shared);
	if (split.functions && split.kernels && split.stack && split.numbers && split.is_shared &&
		read_module(&split))
		made = cut(&split, n, parts);
	free(split.functions);
	free(split.kernels);
	free(split.stack);
	free(split.numbers);
	free(split.is_shared);
	spirv_module_finish(&split.spirv);
	return made;
}
