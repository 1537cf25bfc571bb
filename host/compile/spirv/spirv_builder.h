// SPDX-License-Identifier: MIT
#ifndef SPIRV_BUILDER_H
#define SPIRV_BUILDER_H

#include "compile/base/request.h"
#include "compile/spirv/spirv_module.h"
#include "compile/spirv/spirv_words.h"

/*
 * A module that is being made from another one, `from`, by going through its instructions. What
 * cannot be done is complained of and ends nothing: spirv_builder_take tells in the end. The same
 * goes for memory that runs out.
 */
struct spirv_builder {
	const struct spirv_module *from;
	struct spirv_words out;
	struct spirv_words globals; /* types, constants and variables that `from` lacks */
	uint32_t bound;		    /* of ids, in what is made */
	const char *complaint;	    /* a sentence without a period; NULL: nothing is wrong */
	uint32_t complaint_at;	    /* a word of `from` */
};

/* `from` is opened, and stays so until the end. */
void spirv_builder_init(struct spirv_builder *edit, const struct spirv_module *from);
void spirv_builder_finish(struct spirv_builder *edit);

/* Notes what is wrong, a constant text, unless something was before. */
void spirv_builder_complain(struct spirv_builder *edit, const char *what, uint32_t at);

/* An id that nothing has. With none left, one that something has, and a complaint. */
uint32_t spirv_builder_id(struct spirv_builder *edit);

/* The type of these operands: that of `from` or of `globals`, or a new one there. */
uint32_t spirv_builder_type(
	struct spirv_builder *edit, SpvOp op, const uint32_t *operands, uint32_t n);

/* A type with operands. */
#define SPIRV_BUILDER_TYPE(edit, op, ...)                                                          \
	spirv_builder_type((edit), (op), (const uint32_t[]){ __VA_ARGS__ },                        \
		(uint32_t)(sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)))

/* Puts an instruction of `from` as it is. */
void spirv_builder_copy(struct spirv_builder *edit, const struct spirv_inst *inst);

/*
 * Once all is put: the globals go in front of the word `at` of `out`, and the bound into the
 * header.
 */
void spirv_builder_join(struct spirv_builder *edit, size_t at);

/*
 * Hands over what was made: *out is malloc'ed, *size is in bytes. COMPILE_OK, COMPILE_ERROR (there
 * is a complaint), COMPILE_NO_MEMORY; *out and *size are left alone then.
 */
enum compile_status spirv_builder_take(struct spirv_builder *edit, void **out, size_t *size);

#endif
