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
	bool is_refused;
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

/* Puts an instruction of a type, with a new id as result, and two operands. Returns the id. */
uint32_t spirv_builder_op(
	struct spirv_builder *builder, SpvOp op, uint32_t type, uint32_t a, uint32_t b);

/* Puts an instruction of `from` as it is. */
void spirv_builder_copy(struct spirv_builder *builder, const struct spirv_inst *inst);

/*
 * Ends the building, with the globals in front of the first function of `out`: reads what was made
 * in the place of `from`. Returns COMPILE_OK, COMPILE_ERROR (it was refused), or
 * COMPILE_NO_MEMORY; `from` stays as it was then, or is empty.
 */
enum compile_status spirv_builder_finish(struct spirv_builder *builder);

#endif
