// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_builder.h"

#include <stdlib.h>

void spirv_builder_init(struct spirv_builder *edit, const struct spirv_module *from)
{
	*edit = (struct spirv_builder){ .from = from, .bound = from->bound };
}

void spirv_builder_finish(struct spirv_builder *edit)
{
	free(edit->out.at);
	free(edit->globals.at);
	*edit = (struct spirv_builder){ 0 };
}

void spirv_builder_complain(struct spirv_builder *edit, const char *what, uint32_t at)
{
	if (edit->complaint)
		return;
	edit->complaint = what;
	edit->complaint_at = at;
}

uint32_t spirv_builder_id(struct spirv_builder *edit)
{
	if (edit->bound >= SPIRV_MAX_BOUND) {
		spirv_builder_complain(edit, "it has no room for more ids", 3);
		return 1;
	}
	return edit->bound++;
}

uint32_t spirv_builder_type(
	struct spirv_builder *edit, SpvOp op, const uint32_t *operands, uint32_t n)
{
	const struct spirv_module *from = edit->from;
	uint32_t id = spirv_words_find_type(
		from->words + SPIRV_START, from->n_words - SPIRV_START, op, operands, n);

	if (!id)
		id = spirv_words_find_type(edit->globals.at, edit->globals.n, op, operands, n);
	if (id)
		return id;
	id = spirv_builder_id(edit);
	uint32_t head = (n + 2) << SpvWordCountShift | (uint32_t)op;
	spirv_words_put(&edit->globals, &head, 1);
	spirv_words_put(&edit->globals, &id, 1);
	spirv_words_put(&edit->globals, operands, n);
	return id;
}

void spirv_builder_copy(struct spirv_builder *edit, const struct spirv_inst *inst)
{
	spirv_words_put(&edit->out, inst->operands - 1, inst->n + 1);
}

void spirv_builder_join(struct spirv_builder *edit, size_t at)
{
	struct spirv_words all = edit->out;

	if (all.is_broken || edit->globals.is_broken)
		return;
	edit->out = (struct spirv_words){ 0 };
	spirv_words_put(&edit->out, all.at, at);
	spirv_words_put(&edit->out, edit->globals.at, edit->globals.n);
	spirv_words_put(&edit->out, all.at + at, all.n - at);
	free(all.at);
	if (!edit->out.is_broken)
		edit->out.at[3] = edit->bound;
}

enum compile_status spirv_builder_take(struct spirv_builder *edit, void **out, size_t *size)
{
	if (edit->out.is_broken || edit->globals.is_broken)
		return COMPILE_NO_MEMORY;
	if (edit->complaint)
		return COMPILE_ERROR;
	*out = edit->out.at;
	*size = edit->out.n * sizeof(uint32_t);
	edit->out = (struct spirv_words){ 0 };
	return COMPILE_OK;
}
