// SPDX-License-Identifier: MIT
#ifndef COMPILE_PARALLEL_H
#define COMPILE_PARALLEL_H

#include "compile/build/compile.h"

/* Builds a request in one helper process; fills the result, which was zeroed. */
typedef void (*compile_step_fn)(
	const struct compile_request *request, struct compile_result *result);

/*
 * Builds a large program with its kernels side by side in several helpers that have nothing else
 * to do. The result is that of one helper. False, `result` zeroed: it is to be built as one.
 */
bool compile_parallel(
	const struct compile_request *request, compile_step_fn step, struct compile_result *result);

#endif
