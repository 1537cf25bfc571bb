// SPDX-License-Identifier: MIT
#ifndef COMPILE_MACROS_H
#define COMPILE_MACROS_H

#include "compile/base/request.h"

/* The number of the first line of our built-in functions, which no line of a program's has. */
enum { COMPILE_FAR_LINE = 10000000 };

/*
 * What goes before the source: it undefines the macros of the extensions and features that the
 * device does not report, and adds the built-in functions that Intel's compiler lacks or gets wrong
 * (extension.def, kernels/builtin). Where the request names no extensions, all are reported.
 *
 * Definitions of built-in functions take the compiler longer than a small program, so that only
 * those of `defined`, a mask, are seen; the macros that lead to them always are. A build starts
 * with those that the source mentions. A use that no search finds (a pasted name, one from an
 * option or a file) makes the compiler report a name that is not declared: compile_macros_missing
 * finds it in the log, and the build is repeated with the definition.
 *
 * Returns complete lines that end in "#line 1", or "" for a request without source; to be freed.
 * NULL when out of memory.
 */
char *compile_macros_prefix(const struct compile_request *request, unsigned defined);

/*
 * Returns the request's options as the compiler takes them, to be freed; NULL when out of memory.
 * Before them come the macros of extensions that the compiler's header asks for. CL3.0 replaces
 * CL3.1, which the compiler does not know.
 */
char *compile_macros_options(const struct compile_request *request);

/* Return masks: of the built-in functions that the source or a header of the request mentions, and
 * of those whose definitions the compiler missed. */
unsigned compile_macros_mentioned(const struct compile_request *request);
unsigned compile_macros_missing(const struct compile_request *request, const char *log);

#endif
