// SPDX-License-Identifier: MIT
#ifndef PROGRAM_NAMES_H
#define PROGRAM_NAMES_H

#include "core/program/program_code.h"

/*
 * Tells the virtual device, if its reports are wanted (ZEROCL_VGPU_CHECK), which code of the module
 * is which kernel of `code`, and the source lines of what was built with -g. `native` is what the
 * module was made of, and `spirv` (may be NULL) what that was made of. May run the compiler.
 */
void program_names_tell(const struct program_code *code, struct l0_module *module,
	const void *native, size_t native_size, const void *spirv, size_t spirv_size);

#endif
