// SPDX-License-Identifier: MIT
#ifndef SPIRV_MODULE_H
#define SPIRV_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <spirv/unified1/spirv.h>

enum compile_spirv_flag {
	COMPILE_SPIRV_PACKED = 1,
	COMPILE_SPIRV_VOLATILE = 2,
	COMPILE_SPIRV_NO_ALIAS = 4,
	COMPILE_SPIRV_NO_WRITE = 8
};

/* What is known about an id. A type that a kernel cannot store has no size. */
struct compile_spirv_id {
	uint32_t at;	 /* word of the instruction that defines it; 0: none does */
	uint32_t name;	 /* word where its OpName's text starts; 0: it has none */
	uint32_t align;	 /* of a type, bytes */
	uint32_t flags;	 /* enum compile_spirv_flag */
	uint64_t size;	 /* of a type, bytes, as in OpenCL C */
	uint32_t kernel; /* of a function: 1 + the number of the entry point */
};

/*
 * A module whose instructions are known to be whole, whose texts end, whose ids are below the
 * bound, and whose functions are closed. Anything beyond that is for IGC to judge.
 */
struct compile_spirv {
	uint32_t *words; /* a copy, in our byte order */
	uint32_t n_words;
	uint32_t bound;
	uint32_t pointer_size; /* bytes */
	uint64_t global_bytes; /* of variables in global memory */
	struct compile_spirv_id *ids;
};

/* One instruction; operands[0] is the first word after the opcode. */
struct compile_spirv_inst {
	SpvOp op;
	const uint32_t *operands;
	uint32_t n;  /* operands */
	uint32_t at; /* its word */
	uint32_t next;
};

/* Word of the first instruction. */
#define COMPILE_SPIRV_START 5u

/* No bound of ids is higher: section 2.17, universal limits. */
#define COMPILE_SPIRV_MAX_BOUND 0x400000u

/*
 * Reads the module. False: it is malformed (a sentence without a period is in `why`, at most
 * `size` bytes; may be NULL), or memory ran out (`why` is empty then).
 */
bool compile_spirv_open(
	const void *data, size_t data_size, struct compile_spirv *spirv, char *why, size_t size);
void compile_spirv_finish(struct compile_spirv *spirv);

/* Whether compile_spirv_open would take it. */
bool compile_spirv_check(const void *data, size_t data_size, char *why, size_t size);

/* The instruction at that word; false at the end of the module. */
bool compile_spirv_at(
	const struct compile_spirv *spirv, uint32_t at, struct compile_spirv_inst *inst);

/* The instruction that defines the id; false if none does. */
bool compile_spirv_definition(
	const struct compile_spirv *spirv, uint32_t id, struct compile_spirv_inst *inst);

/* The value of an integer constant; false if the id is none. */
bool compile_spirv_constant(const struct compile_spirv *spirv, uint32_t id, uint64_t *value);

/* The text at `word` of an opened module, which is known to end; "" for word 0. */
const char *compile_spirv_text(const struct compile_spirv *spirv, uint32_t word);

#endif
