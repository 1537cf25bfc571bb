// SPDX-License-Identifier: MIT
#ifndef PROGRAM_NAMES_H
#define PROGRAM_NAMES_H

#include "core/program/program_code.h"

/*
 * Tells the virtual device, if its reports are wanted (ZEROCL_VGPU_CHECK, ZEROCL_VGPU_PROFILE),
 * which code of the module is which kernel, and their lines of the source. `request` is what the
 * code was built of, NULL when that is not known: without it, or when a build with -g makes other
 * code, only what was built with -g has lines. Runs the compiler.
 */
void program_names_tell(const struct program_code *code, const struct compile_request *request);

#endif
