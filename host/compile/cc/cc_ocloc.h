// SPDX-License-Identifier: MIT
#ifndef CC_OCLOC_H
#define CC_OCLOC_H

#include "compile/base/request.h"

#include <stdbool.h>

/*
 * Intel's offline compiler, libocloc.so, by its C interface. Only zerocl-cc uses it: the compiler
 * is LLVM, prints to stdout and may crash. Not for several threads.
 */

/* Loads the library; false and a sentence in `why` (static) if it is not there. */
bool cc_ocloc_load(const char **why);

/*
 * Whether the libraries that ocloc loads when it compiles are loaded already, to stay: then the
 * process maps all of the compiler, and no build loads it again.
 */
bool cc_ocloc_is_whole(void);

/*
 * Builds what `request` asks for. `request->source` is compiled with `prefix` (complete lines, or
 * "") before it that the line numbers do not count. Fills `result` as compile_build does.
 */
void cc_ocloc_build(
	const struct compile_request *request, const char *prefix, struct compile_result *result);

#endif
