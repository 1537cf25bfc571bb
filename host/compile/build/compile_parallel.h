// SPDX-License-Identifier: MIT
#ifndef COMPILE_PARALLEL_H
#define COMPILE_PARALLEL_H

#include "compile/build/compile.h"

/*
 * Builds the native code of a request's SPIR-V as helper_build does: the kernels of a large program
 * side by side, in several helpers that have nothing else to do. The result is that of one helper.
 */
void compile_parallel(
	const struct compile_request *request, int64_t deadline_ms, struct compile_result *result);

#endif
