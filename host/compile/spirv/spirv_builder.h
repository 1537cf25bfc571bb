// SPDX-License-Identifier: MIT
#ifndef SPIRV_BUILDER_H
#define SPIRV_BUILDER_H

#include "compile/base/request.h"
#include "compile/spirv/spirv_module.h"
#include "compile/spirv/spirv_words.h"

/*
 * A module that is being made from another one, `from`, by going through its instructions. What
 * cannot be done is complained of and ends nothing: compile_edit_take tells in the end. The same
 * goes for memory that runs out.
 */
struct compile_edit {
	const struct compile_spirv *from;
	struct compile_words out;
	struct compile_words globals; /* types, constants and variables that `from` lacks */
	uint32_t bound;		      /* of ids, in what is made */
	const char *complaint;	      /* a sentence without a period; NULL: nothing is wrong */
	uint32_t complaint_at;	      /* a word of `from` */
};

/* `from` is opened, and stays so until the end. */
void compile_edit_init(struct compile_edit *edit, const struct compile_spirv *from);
void compile_edit_finish(struct compile_edit *edit);

/* Notes what is wrong, a constant text, unless something was before. */
void compile_edit_complain(struct compile_edit *edit, const char *what, uint32_t at);

/* An id that nothing has. With none left, one that something has, and a complaint. */
uint32_t compile_edit_id(struct compile_edit *edit);

/* The type of these operands: that of `from` or of `globals`, or a new one there. */
uint32_t compile_edit_type(
	struct compile_edit *edit, SpvOp op, const uint32_t *operands, uint32_t n);

/* A type with operands. */
#define COMPILE_EDIT_TYPE(edit, op, ...)                                                           \
	compile_edit_type((edit), (op), (const uint32_t[]){ __VA_ARGS__ },                         \
		(uint32_t)(sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)))

/* Puts an instruction of `from` as it is. */
void compile_edit_copy(struct compile_edit *edit, const struct compile_spirv_inst *inst);

/*
 * Once all is put: the globals go in front of the word `at` of `out`, and the bound into the
 * header.
 */
void compile_edit_join(struct compile_edit *edit, size_t at);

/*
 * Hands over what was made: *out is malloc'ed, *size is in bytes. COMPILE_OK, COMPILE_ERROR (there
 * is a complaint), COMPILE_NO_MEMORY; *out and *size are left alone then.
 */
enum compile_status compile_edit_take(struct compile_edit *edit, void **out, size_t *size);

#endif
