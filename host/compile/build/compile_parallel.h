// SPDX-License-Identifier: MIT
#ifndef COMPILE_PARALLEL_H
#define COMPILE_PARALLEL_H

#include "compile/build/compile.h"

/*
 * Builds a large program with its kernels side by side in several helpers that have nothing else
 * to do. The result is that of one helper. False, `result` zeroed: it is to be built as one.
 */
bool compile_parallel(
	const struct compile_request *request, int64_t deadline_ms, struct compile_result *result);

#endif
