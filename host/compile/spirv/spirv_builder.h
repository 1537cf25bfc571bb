// SPDX-License-Identifier: MIT
#ifndef SPIRV_BUILDER_H
#define SPIRV_BUILDER_H

#include "compile/spirv/spirv_module.h"

/* Words of SPIR-V that are being written; zeroed at first. `at` is malloc'ed. */
struct spirv_words {
	uint32_t *at;
	size_t n, max;
	bool is_broken; /* out of memory: further words are dropped */
};

void spirv_words_put(struct spirv_words *words, const uint32_t *from, size_t n);

void spirv_put(struct spirv_words *words, SpvOp op, const uint32_t *operands, uint32_t n);

/* An instruction of these operands. */
#define SPIRV_PUT(words, op, ...)                                                                  \
	spirv_put((words), (op), (const uint32_t[]){ __VA_ARGS__ },                                \
		(uint32_t)(sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)))

/*
 * Makes a module from another one, by going through its instructions. Memory that runs out and a
 * refusal (spirv_builder_refuse) end nothing before spirv_builder_finish.
 */
struct spirv_builder {
	struct spirv_module *from;
	struct spirv_words out;	    /* begins with the header of `from` */
	struct spirv_words globals; /* types, constants and variables that `from` lacks */
	uint32_t bound;		    /* of ids, in what is made */
	size_t result_at;	    /* of the last instruction by spirv_builder_op: a word of out */
	bool is_refused;
	bool is_changed; /* an instruction by spirv_builder_run */
};

/* `from` is open, and stays unchanged until the end. */
void spirv_builder_init(struct spirv_builder *builder, struct spirv_module *from);

/* Refuses the module with this sentence, unless it was refused before. */
void spirv_builder_refuse(struct spirv_builder *builder, const char *what, uint32_t at);

/* A new id. */
uint32_t spirv_builder_id(struct spirv_builder *builder);

/* The type of these operands: that of `from` or of `globals`, or a new one there. */
uint32_t spirv_builder_type(
	struct spirv_builder *builder, SpvOp op, const uint32_t *operands, uint32_t n);

/* A type with operands. */
#define SPIRV_BUILDER_TYPE(builder, op, ...)                                                       \
	spirv_builder_type((builder), (op), (const uint32_t[]){ __VA_ARGS__ },                     \
		(uint32_t)(sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)))

/* A constant of the unsigned integer of so many bits, 32 or 64. */
uint32_t spirv_builder_number(struct spirv_builder *builder, uint32_t bits, uint64_t value);

/* Puts an instruction of a type, with a new id as result, and these operands. Returns the id. */
uint32_t spirv_builder_op(struct spirv_builder *builder, SpvOp op, uint32_t type,
	const uint32_t *operands, uint32_t n);

#define SPIRV_OP(builder, op, type, ...)                                                           \
	spirv_builder_op((builder), (op), (type), (const uint32_t[]){ __VA_ARGS__ },               \
		(uint32_t)(sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)))

/* Gives the result of the last spirv_builder_op this id instead. */
void spirv_builder_rename(struct spirv_builder *builder, uint32_t id);

/* Puts an instruction of `from` as it is, or with another operand `i`; or with one more. */
void spirv_builder_copy(struct spirv_builder *builder, const struct spirv_inst *inst);
void spirv_builder_copy_with(
	struct spirv_builder *builder, const struct spirv_inst *inst, uint32_t i, uint32_t operand);
void spirv_builder_copy_longer(
	struct spirv_builder *builder, const struct spirv_inst *inst, uint32_t operand);

/*
 * Ends the building, with the globals in front of the first function of `out`: reads what was made
 * in the place of `from`. Returns COMPILE_OK, COMPILE_ERROR (it was refused), or
 * COMPILE_NO_MEMORY; `from` stays as it was then, or is empty.
 */
enum compile_status spirv_builder_finish(struct spirv_builder *builder);

/* Puts what takes the place of an instruction, and returns true; false: it stays. */
typedef bool (*spirv_change_fn)(
	struct spirv_builder *builder, const struct spirv_inst *inst, void *data);

/*
 * A pass: `change` sees each instruction of `from`, and the building ends. If all stay, `from` is
 * as it was, without what was put before.
 */
enum compile_status spirv_builder_run(
	struct spirv_builder *builder, spirv_change_fn change, void *data);

#endif
