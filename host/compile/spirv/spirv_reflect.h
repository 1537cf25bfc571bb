// SPDX-License-Identifier: MIT
#ifndef SPIRV_REFLECT_H
#define SPIRV_REFLECT_H

#include "compile/base/reflection.h"
#include "compile/spirv/spirv_module.h"

/*
 * Reads all that a module tells of a program: its kernels, their arguments, what they use. Copies
 * what it keeps. Returns COMPILE_OK, COMPILE_ERROR (malformed), COMPILE_NO_MEMORY; `out` is zeroed
 * then.
 */
enum compile_status spirv_reflect(struct spirv_module *module, struct reflection *out);

#endif
