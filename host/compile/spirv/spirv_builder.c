// SPDX-License-Identifier: MIT
#include "compile/spirv/spirv_builder.h"

#include <stdlib.h>

void compile_edit_init(struct compile_edit *edit, const struct compile_spirv *from)
{
	*edit = (struct compile_edit){ .from = from, .bound = from->bound };
}

void compile_edit_finish(struct compile_edit *edit)
{
	free(edit->out.at);
	free(edit->globals.at);
	*edit = (struct compile_edit){ 0 };
}

void compile_edit_complain(struct compile_edit *edit, const char *what, uint32_t at)
{
	if (edit->complaint)
		return;
	edit->complaint = what;
	edit->complaint_at = at;
}

uint32_t compile_edit_id(struct compile_edit *edit)
{
	if (edit->bound >= COMPILE_SPIRV_MAX_BOUND) {
		compile_edit_complain(edit, "it has no room for more ids", 3);
		return 1;
	}
	return edit->bound++;
}

uint32_t compile_edit_type(
	struct compile_edit *edit, SpvOp op, const uint32_t *operands, uint32_t n)
{
	const struct compile_spirv *from = edit->from;
	uint32_t id = compile_words_find_type(from->words + COMPILE_SPIRV_START,
		from->n_words - COMPILE_SPIRV_START, op, operands, n);

	if (!id)
		id = compile_words_find_type(edit->globals.at, edit->globals.n, op, operands, n);
	if (id)
		return id;
	id = compile_edit_id(edit);
	uint32_t head = (n + 2) << SpvWordCountShift | (uint32_t)op;
	compile_words_put(&edit->globals, &head, 1);
	compile_words_put(&edit->globals, &id, 1);
	compile_words_put(&edit->globals, operands, n);
	return id;
}

void compile_edit_copy(struct compile_edit *edit, const struct compile_spirv_inst *inst)
{
	compile_words_put(&edit->out, inst->operands - 1, inst->n + 1);
}

void compile_edit_join(struct compile_edit *edit, size_t at)
{
	struct compile_words all = edit->out;

	if (all.is_broken || edit->globals.is_broken)
		return;
	edit->out = (struct compile_words){ 0 };
	compile_words_put(&edit->out, all.at, at);
	compile_words_put(&edit->out, edit->globals.at, edit->globals.n);
	compile_words_put(&edit->out, all.at + at, all.n - at);
	free(all.at);
	if (!edit->out.is_broken)
		edit->out.at[3] = edit->bound;
}

enum compile_status compile_edit_take(struct compile_edit *edit, void **out, size_t *size)
{
	if (edit->out.is_broken || edit->globals.is_broken)
		return COMPILE_NO_MEMORY;
	if (edit->complaint)
		return COMPILE_ERROR;
	*out = edit->out.at;
	*size = edit->out.n * sizeof(uint32_t);
	edit->out = (struct compile_words){ 0 };
	return COMPILE_OK;
}
