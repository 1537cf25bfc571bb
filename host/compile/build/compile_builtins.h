// SPDX-License-Identifier: MIT
#ifndef COMPILE_BUILTINS_H
#define COMPILE_BUILTINS_H

#include "compile/build/compile.h"

#include <stdio.h>

/*
 * Built-in functions that Intel's compiler lacks, or gets wrong, as OpenCL C that goes before the
 * application's source (kernels/builtin). Writes the macros of the extensions that consist of them
 * if the device reports them, and the texts of those whose names the program holds. Where the
 * request names no extensions, all that the program mentions are there. Line numbers of the
 * source must be set anew behind it.
 */
void compile_builtins_put(FILE *out, const struct compile_request *request);

#endif
