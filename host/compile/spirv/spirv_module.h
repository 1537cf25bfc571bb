// SPDX-License-Identifier: MIT
#ifndef SPIRV_MODULE_H
#define SPIRV_MODULE_H

#include "compile/base/request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <spirv/unified1/spirv.h>

/*
 * A SPIR-V module, read once and shared by all that look at it. This room knows SPIR-V and nothing
 * of native code. A pass is a function that takes an open module; one that changes it goes through
 * spirv_builder.h, which reads the new module in the place of the old one. What is wrong with a
 * module is a sentence without a period in its `why`.
 */

enum spirv_flag { SPIRV_PACKED = 1, SPIRV_VOLATILE = 2, SPIRV_NO_ALIAS = 4, SPIRV_NO_WRITE = 8 };

/* What is known about an id. A type that a kernel cannot store has no size. */
struct spirv_id {
	uint32_t at;	   /* word of the instruction that defines it; 0: none does */
	uint32_t name;	   /* word where its OpName's text starts; 0: it has none */
	uint32_t align;	   /* of a type, bytes */
	uint32_t flags;	   /* enum spirv_flag */
	uint64_t size;	   /* of a type, bytes, as in OpenCL C */
	uint32_t function; /* of a function: 1 + its number */
};

struct spirv_function {
	uint32_t id;
	uint32_t start, end;   /* words */
	uint32_t first_caller; /* in `callers`; the next function's is the end */
};

/*
 * A module whose instructions are whole, whose texts end, whose ids are below the bound, and whose
 * functions are closed. Anything beyond that is for IGC to judge.
 */
struct spirv_module {
	uint32_t *words; /* a copy, in our byte order */
	uint32_t n_words;
	uint32_t bound;
	uint32_t pointer_size; /* bytes */
	uint32_t set;	       /* id of the instruction set OpenCL.std; 0: it is not imported */
	uint64_t global_bytes; /* of variables in global memory */
	struct spirv_id *ids;
	struct spirv_function *functions; /* one more than there are, which starts at the end */
	uint32_t n_functions;
	uint32_t *callers; /* numbers of functions */
	uint32_t *kernels; /* words of the entry points, in order */
	uint32_t n_kernels;
	char why[200];
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
 * Reads a module. Returns COMPILE_OK, COMPILE_ERROR (it is malformed: `why`), COMPILE_NO_MEMORY.
 * It is to be finished in every case.
 */
enum compile_status spirv_module_open(const void *data, size_t size, struct spirv_module *module);
void spirv_module_finish(struct spirv_module *module);

/* Finishes the module and returns its words, to be freed; *size is in bytes. */
void *spirv_module_take(struct spirv_module *module, size_t *size);

/* The same as spirv_module_open for memory that the caller allocated, which the module owns. */
enum compile_status spirv_module_adopt(
	uint32_t *words, size_t n_words, struct spirv_module *module);

/* Whether spirv_module_open would take it; if not, `why` of `size` bytes may be NULL. */
bool spirv_module_check(const void *data, size_t data_size, char *why, size_t size);

/* Sets `why`, and returns COMPILE_ERROR. `at` is the word concerned. */
enum compile_status spirv_module_refuse(struct spirv_module *module, const char *what, uint32_t at);

/* The instruction at that word; false at the end of the module. */
bool spirv_at(const struct spirv_module *module, uint32_t at, struct spirv_inst *inst);

/* All instructions from the word `from` to the word `to`. */
#define SPIRV_EACH(module, from, to, inst)                                                         \
	for (uint32_t at_ = (from); at_ < (to) && spirv_at((module), at_, &(inst));                \
		at_ = (inst).next)

/* The word of the first function. */
static inline uint32_t spirv_functions_at(const struct spirv_module *module)
{
	return module->functions[0].start;
}

/* The instruction that defines the id; false if none does. */
bool spirv_definition(const struct spirv_module *module, uint32_t id, struct spirv_inst *inst);

/* The function of that id; NULL if it is none. */
struct spirv_function *spirv_function_of(const struct spirv_module *module, uint32_t id);

/* The function of the module's i-th kernel; NULL if it is none. */
static inline struct spirv_function *spirv_kernel(const struct spirv_module *module, uint32_t i)
{
	return spirv_function_of(module, module->words[module->kernels[i] + 2]);
}

/* The type of a value; 0 if the id is none. */
uint32_t spirv_type_of(const struct spirv_module *module, uint32_t id);

/* What a pointer of that type points to; 0 if it is no type of a pointer. */
uint32_t spirv_pointee(const struct spirv_module *module, uint32_t type);

/* Whether an operand of an instruction in a function is a number or a text, and no id. */
bool spirv_is_literal(SpvOp op, uint32_t operand);

/* The value of an integer constant; false if the id is none. */
bool spirv_constant(const struct spirv_module *module, uint32_t id, uint64_t *value);

/* The text at `word`, which is known to end for names, strings and entry points; "" for word 0. */
const char *spirv_text(const struct spirv_module *module, uint32_t word);

/*
 * Gives each function the bits of all that it calls; `bits` has one element for each function.
 * False when out of memory.
 */
bool spirv_spread_to_callers(const struct spirv_module *module, unsigned *bits);

#endif
