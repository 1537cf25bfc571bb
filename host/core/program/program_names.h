// SPDX-License-Identifier: MIT
#ifndef PROGRAM_NAMES_H
#define PROGRAM_NAMES_H

#include "core/program/program_code.h"

/*
 * Tells the virtual device, if its reports are wanted (ZEROCL_VGPU_CHECK), which code of the module
 * is which kernel, and the lines of the source (NULL: not known) of what was built with -g. May run
 * the compiler.
 */
void program_names_tell(const struct program_code *code, const char *source);

#endif
