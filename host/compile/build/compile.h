// SPDX-License-Identifier: MIT
#ifndef COMPILE_H
#define COMPILE_H

#include "compile/base/request.h"
#include "compile/zebin/zebin_binary.h"

/*
 * OpenCL C or SPIR-V to SPIR-V and native code, by Intel's compiler, in the helper process
 * zerocl-cc: the application never runs LLVM, and a compiler that crashes is a build error with a
 * log. All functions are safe from any thread; several builds at once use several helpers.
 */

/* Builds; blocks until done. Fills `result` in every case and returns result->status. */
enum compile_status compile_build(
	const struct compile_request *request, struct compile_result *result);

#endif
