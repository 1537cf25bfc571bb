// SPDX-License-Identifier: MIT
#ifndef REFLECT_H
#define REFLECT_H

#include "compile/base/reflection.h"
#include "compile/spirv/spirv_module.h"

/*
 * Reads a program. `spirv` tells the arguments; if it is NULL, `native` must be a zebin, which says
 * enough of them to run the kernels. `native` may be NULL or have patch tokens: the fields of the
 * native code are zero then. Copies what it keeps. Never trusts the input: COMPILE_OK,
 * COMPILE_ERROR (malformed, or the two do not belong together; a sentence without a period goes to
 * `why`, at most `why_size` bytes; may be NULL), COMPILE_NO_MEMORY. On failure `out` is zeroed.
 */
enum compile_status compile_reflect(const void *spirv, size_t spirv_size, const void *native,
	size_t native_size, struct reflection *out, char *why, size_t why_size);

#endif
