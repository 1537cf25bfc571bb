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
 *     reductions of work-groups: where there are more sub-groups than work-items in one, the
 *     compiler's code has one sub-group write what another one may still have to read;
 *
 *     floor, ceil, trunc, rint, round, nextafter, expm1, frexp and tgamma of doubles, where a
 * device has them: some lose the sign of zero, or are wrong for infinity and near subnormal
 * numbers;
 *
 *     pow, pown and powr under -cl-fast-relaxed-math: if the exponent was an integer, LLVM makes
 *     them llvm.powi. IGC drops that, and the result is what happens to be in a register.
 *
 * For devices without doubles there are two more steps: mathematics on doubles becomes calls of
 * functions that are made of arithmetic on doubles; and when spirv_double_types has made their type
 * that of unsigned longs, that arithmetic becomes calls of functions of integers.
 */
enum spirv_lower_what {
	SPIRV_LOWER_LACKING = 1,
	SPIRV_LOWER_FAST = 2, /* what is right unless mathematics may be fast */
	SPIRV_LOWER_DOUBLE_MATH = 4,
	SPIRV_LOWER_DOUBLE_CORE = 8
};

/*
 * Replaces such instructions by calls of functions that the module imports; `what` is of enum
 * spirv_lower_what. *source is OpenCL C that defines them, to be freed; NULL: the module has no
 * such instruction and is unchanged. Instructions of types for which there is no such function stay
 * as they are. Returns COMPILE_OK, COMPILE_ERROR (no ids are left), COMPILE_NO_MEMORY.
 */
enum compile_status spirv_lower(struct spirv_module *module, unsigned what, char **source);

/* How the names of these functions begin, which the linker takes out of what a module exports. */
#define SPIRV_LOWER_PREFIX "zerocl_lower_"

#endif
