// SPDX-License-Identifier: MIT
#ifndef COMPILE_MACROS_H
#define COMPILE_MACROS_H

#include "compile/build/compile.h"

/*
 * What goes before the source so that kernels see the macros of exactly those extensions and
 * features that the device reports: complete lines that end in "#line 1", or "". To be freed; NULL
 * when out of memory.
 */
char *compile_macros_prefix(const struct compile_request *request);

#endif
