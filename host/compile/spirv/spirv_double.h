// SPDX-License-Identifier: MIT
#ifndef SPIRV_DOUBLE_H
#define SPIRV_DOUBLE_H

#include "compile/spirv/spirv_module.h"

/* Whether the module has doubles. */
bool spirv_double_wanted(const struct spirv_module *module);

/*
 * Makes of the type of doubles one of unsigned longs, for devices without doubles. The module is no
 * valid SPIR-V until spirv_lower has made calls of what computes with them
 * (SPIRV_LOWER_DOUBLE_CORE), and the linker has merged types that are equal now. Returns
 * COMPILE_OK, COMPILE_ERROR (an instruction on constants is left), COMPILE_NO_MEMORY.
 */
enum compile_status spirv_double_types(struct spirv_module *module);

#endif
