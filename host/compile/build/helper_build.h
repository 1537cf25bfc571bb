// SPDX-License-Identifier: MIT
#ifndef HELPER_BUILD_H
#define HELPER_BUILD_H

#include "compile/build/compile.h"

/*
 * Has one helper process do a step of a build, without the cache: SPIR-V of a source or of modules,
 * or native code of SPIR-V. Fills the result, which was zeroed.
 * The deadline is of compile_clock_ms; negative: none.
 */
void helper_build(
	const struct compile_request *request, int64_t deadline_ms, struct compile_result *result);

#endif
