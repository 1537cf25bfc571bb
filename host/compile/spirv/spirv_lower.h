// SPDX-License-Identifier: MIT
#ifndef SPIRV_LOWER_H
#define SPIRV_LOWER_H

#include "compile/base/request.h"

/*
 * Instructions of SPIR-V that IGC lacks, crashes on or gets wrong (SPV_KHR_subgroup_rotate,
 * SPV_KHR_bit_instructions, SPV_KHR_integer_dot_product of four bytes) become calls of functions in
 * OpenCL C, which are made of the built-in functions in kernels/builtin.
 */
struct spirv_lower {
	void *spirv; /* calls functions that it imports; NULL: there is nothing to be done */
	size_t spirv_size;
	char *source; /* exports them */
	size_t source_size;
};

/*
 * Looks for such instructions. COMPILE_OK, COMPILE_ERROR for a malformed module, COMPILE_NO_MEMORY;
 * to be finished in every case. Instructions of types that have no such function stay as they are.
 */
enum compile_status spirv_lower(const void *spirv, size_t size, struct spirv_lower *lower);
void spirv_lower_finish(struct spirv_lower *lower);

/* Takes the functions out of what a linked module exports, in place; gives its new size. */
size_t spirv_lower_hide(void *spirv, size_t size);

#endif
