// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_builder.h"

#include <stdlib.h>
#include <string.h>

void spirv_words_put(struct spirv_words *words, const uint32_t *from, size_t n)
{
	if (words->is_broken)
		return;
	if (words->max - words->n < n) {
		size_t max = (words->n + n) * 2 + 64;
		uint32_t *grown = realloc(words->at, max * sizeof *grown);

		if (!grown) {
			words->is_broken = true;
			return;
		}
		words->at = grown;
		words->max = max;
	}
	if (n)
		memcpy(words->at + words->n, from, n * sizeof *from);
	words->n += n;
}

void spirv_put(struct spirv_words *words, SpvOp op, const uint32_t *operands, uint32_t n)
{
	uint32_t head = (n + 1) << SpvWordCountShift | (uint32_t)op;

	spirv_words_put(words, &head, 1);
	spirv_words_put(words, operands, n);
}

void spirv_builder_init(struct spirv_builder *builder, struct spirv_module *from)
{
	*builder = (struct spirv_builder){ .from = from, .bound = from->bound };
	spirv_words_put(&builder->out, from->words, SPIRV_START);
}

void spirv_builder_refuse(struct spirv_builder *builder, const char *what, uint32_t at)
{
	builder->is_refused = true;
	spirv_module_refuse(builder->from, what, at);
}

uint32_t spirv_builder_id(struct spirv_builder *builder)
{
	if (builder->bound >= SPIRV_MAX_BOUND) {
		spirv_builder_refuse(builder, "it has no room for more ids", 3);
		return 1;
	}
	return builder->bound++;
}

/* The type of these operands among the words; 0 if it is not there. */
static uint32_t find_type(
	const uint32_t *words, size_t n_words, SpvOp op, const uint32_t *operands, uint32_t n)
{
	uint32_t length;

	for (size_t at = 0; at < n_words; at += length) {
		length = words[at] >> SpvWordCountShift;
		if ((words[at] & SpvOpCodeMask) == (uint32_t)op && length == n + 2 &&
			(!n || !memcmp(words + at + 2, operands, n * sizeof *operands)))
			return words[at + 1];
	}
	return 0;
}

uint32_t spirv_builder_type(
	struct spirv_builder *builder, SpvOp op, const uint32_t *operands, uint32_t n)
{
	const struct spirv_module *from = builder->from;
	struct spirv_words *globals = &builder->globals;
	uint32_t id = find_type(
		from->words + SPIRV_START, spirv_functions_at(from) - SPIRV_START, op, operands, n);

	if (!id)
		id = find_type(globals->at, globals->n, op, operands, n);
	if (id)
		return id;
	id = spirv_builder_id(builder);
	uint32_t head = (n + 2) << SpvWordCountShift | (uint32_t)op;
	spirv_words_put(globals, &head, 1);
	spirv_words_put(globals, &id, 1);
	spirv_words_put(globals, operands, n);
	return id;
}

uint32_t spirv_builder_number(struct spirv_builder *builder, uint32_t bits, uint64_t value)
{
	const uint32_t type = SPIRV_BUILDER_TYPE(builder, SpvOpTypeInt, bits, 0);
	const uint32_t id = spirv_builder_id(builder);
	const uint32_t words[] = { type, id, (uint32_t)value, (uint32_t)(value >> 32) };

	spirv_put(&builder->globals, SpvOpConstant, words, bits > 32 ? 4 : 3);
	return id;
}

uint32_t spirv_builder_op(struct spirv_builder *builder, SpvOp op, uint32_t type,
	const uint32_t *operands, uint32_t n)
{
	const uint32_t result = spirv_builder_id(builder);

	SPIRV_PUT(&builder->out, op, type, result);
	if (!builder->out.is_broken)
		builder->out.at[builder->out.n - 3] += n << SpvWordCountShift;
	builder->result_at = builder->out.n - 1;
	spirv_words_put(&builder->out, operands, n);
	return result;
}

void spirv_builder_rename(struct spirv_builder *builder, uint32_t id)
{
	if (!builder->out.is_broken)
		builder->out.at[builder->result_at] = id;
}

void spirv_builder_copy(struct spirv_builder *builder, const struct spirv_inst *inst)
{
	spirv_words_put(&builder->out, inst->operands - 1, inst->n + 1);
}

void spirv_builder_copy_with(
	struct spirv_builder *builder, const struct spirv_inst *inst, uint32_t i, uint32_t operand)
{
	spirv_builder_copy(builder, inst);
	if (!builder->out.is_broken)
		builder->out.at[builder->out.n - inst->n + i] = operand;
}

void spirv_builder_copy_longer(
	struct spirv_builder *builder, const struct spirv_inst *inst, uint32_t operand)
{
	if (inst->n + 2 > UINT16_MAX)
		spirv_builder_refuse(builder, "an instruction is too long", inst->at);
	spirv_put(&builder->out, inst->op, inst->operands, inst->n);
	if (!builder->out.is_broken)
		builder->out.at[builder->out.n - inst->n - 1] += 1u << SpvWordCountShift;
	spirv_words_put(&builder->out, &operand, 1);
}

/* The word of the first function; the end if there is none. */
static size_t functions_at(const struct spirv_words *words)
{
	size_t at = SPIRV_START;

	while (at < words->n && (words->at[at] & SpvOpCodeMask) != SpvOpFunction)
		at += words->at[at] >> SpvWordCountShift;
	return at < words->n ? at : words->n;
}

enum compile_status spirv_builder_finish(struct spirv_builder *builder)
{
	const struct spirv_words *out = &builder->out, *globals = &builder->globals;
	struct spirv_words all = { 0 };

	all.is_broken = out->is_broken || globals->is_broken;
	if (!all.is_broken && !builder->is_refused) {
		const size_t globals_at = functions_at(out);

		spirv_words_put(&all, out->at, globals_at);
		spirv_words_put(&all, globals->at, globals->n);
		spirv_words_put(&all, out->at + globals_at, out->n - globals_at);
	}
	free(builder->out.at);
	free(builder->globals.at);
	if (all.is_broken || builder->is_refused) {
		free(all.at);
		return builder->is_refused ? COMPILE_ERROR : COMPILE_NO_MEMORY;
	}
	all.at[3] = builder->bound;
	spirv_module_finish(builder->from);
	return spirv_module_adopt(all.at, all.n, builder->from);
}

enum compile_status spirv_builder_run(
	struct spirv_builder *builder, spirv_change_fn change, void *data)
{
	struct spirv_inst inst;

	SPIRV_EACH(builder->from, SPIRV_START, builder->from->n_words, inst)
		if (change(builder, &inst, data))
			builder->is_changed = true;
		else
			spirv_builder_copy(builder, &inst);
	if (builder->is_changed || builder->is_refused || builder->out.is_broken)
		return spirv_builder_finish(builder);
	free(builder->out.at);
	free(builder->globals.at);
	return COMPILE_OK;
}
