// SPDX-License-Identifier: MIT
#ifndef SPIRV_LOWER_H
#define SPIRV_LOWER_H

#include "compile/spirv/spirv_module.h"

/*
 * Instructions of SPIR-V that IGC lacks, crashes on or gets wrong (SPV_KHR_subgroup_rotate,
 * SPV_KHR_bit_instructions, SPV_KHR_integer_dot_product of four bytes, SPV_KHR_shader_clock of
 * sub-groups, SPV_INTEL_bfloat16_conversion) become calls of functions in OpenCL C, which are made
 * of the built-in functions in kernels/builtin. So do
 *
 *     mad_sat of longs: the compiler saturates products that the sum brings back, and lets sums run
 *     over;
 *
 *     pow, pown and powr under -cl-fast-relaxed-math (`is_fast`): of an exponent that was an
 * integer, LLVM makes llvm.powi, which IGC drops, and the result is what happens to be in a
 * register.
 */

/*
 * Replaces such instructions by calls of functions that the module imports. *source is OpenCL C
 * that defines them, to be freed; NULL: the module has no such instruction and is unchanged.
 * Instructions of types for which there is no such function stay as they are. Returns COMPILE_OK,
 * COMPILE_ERROR (no ids are left), COMPILE_NO_MEMORY.
 */
enum compile_status spirv_lower(struct spirv_module *module, bool is_fast, char **source);

/*
 * Takes these functions out of what a linked module exports, and leaves of the variables that are
 * built in one for each: newer compilers (IGC 2.40) take a second one for a variable in memory, at
 * address 0. Of the module, only its words are of use afterwards.
 */
void spirv_lower_hide(struct spirv_module *module);

#endif
