// SPDX-License-Identifier: MIT
#ifndef LOWER_VERSION_H
#define LOWER_VERSION_H

#include "compile/spirv/spirv_module.h"

/*
 * What SPIR-V 1.4 has and older compilers (IGC 1.0.12504) refuse: differences and comparisons of
 * pointers, logical copies, decorations that are strings, and how an image extends integers, which
 * is what its format says anyway. And OpCopyMemory, of every version, of which they crash.
 */

/*
 * Makes instructions of version 1.3 of them, if there are any. Returns COMPILE_OK, COMPILE_ERROR
 * (no ids are left, or what is copied is no copy: `why` of the module), COMPILE_NO_MEMORY.
 */
enum compile_status lower_version(struct spirv_module *module);

#endif
