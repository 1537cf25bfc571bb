// SPDX-License-Identifier: MIT
#ifndef SPIRV_MODULE_H
#define SPIRV_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <spirv/unified1/spirv.h>

enum spirv_flag { SPIRV_PACKED = 1, SPIRV_VOLATILE = 2, SPIRV_NO_ALIAS = 4, SPIRV_NO_WRITE = 8 };

/* What is known about an id. A type that a kernel cannot store has no size. */
struct spirv_id {
	uint32_t at;	 /* word of the instruction that defines it; 0: none does */
	uint32_t name;	 /* word where its OpName's text starts; 0: it has none */
	uint32_t align;	 /* of a type, bytes */
	uint32_t flags;	 /* enum spirv_flag */
	uint64_t size;	 /* of a type, bytes, as in OpenCL C */
	uint32_t kernel; /* of a function: 1 + the number of the entry point */
};

/*
 * A module whose instructions are known to be whole, whose texts end, whose ids are below the
 * bound, and whose functions are closed. Anything beyond that is for IGC to judge.
 */
struct spirv_module {
	uint32_t *words; /* a copy, in our byte order */
	uint32_t n_words;
	uint32_t bound;
	uint32_t pointer_size; /* bytes */
	uint64_t global_bytes; /* of variables in global memory */
	struct spirv_id *ids;
};

/* One instruction; operands[0] is the first word after the opcode. */
struct spirv_inst {
	SpvOp op;
	const uint32_t *operands;
	uint32_t n;  /* operands */
	uint32_t at; /* its word */
	uint32_t next;
};

/* Word of the first instruction. */
#define SPIRV_START 5u

/* No bound of ids is higher: section 2.17, universal limits. */
#define SPIRV_MAX_BOUND 0x400000u

/*
 * Reads the module. False: it is malformed (a sentence without a period is in `why`, at most
 * `size` bytes; may be NULL), or memory ran out (`why` is empty then).
 */
bool spirv_module_open(
	const void *data, size_t data_size, struct spirv_module *spirv, char *why, size_t size);
void spirv_module_finish(struct spirv_module *spirv);

/* Whether spirv_module_open would take it. */
bool spirv_module_check(const void *data, size_t data_size, char *why, size_t size);

/* The instruction at that word; false at the end of the module. */
bool spirv_at(const struct spirv_module *spirv, uint32_t at, struct spirv_inst *inst);

/* The instruction that defines the id; false if none does. */
bool spirv_definition(const struct spirv_module *spirv, uint32_t id, struct spirv_inst *inst);

/* The value of an integer constant; false if the id is none. */
bool spirv_constant(const struct spirv_module *spirv, uint32_t id, uint64_t *value);

/* The text at `word` of an opened module, which is known to end; "" for word 0. */
const char *spirv_text(const struct spirv_module *spirv, uint32_t word);

#endif
