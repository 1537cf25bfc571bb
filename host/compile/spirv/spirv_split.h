// SPDX-License-Identifier: MIT
#ifndef SPIRV_SPLIT_H
#define SPIRV_SPLIT_H

#include "compile/base/request.h"

#include <stdbool.h>

#define SPIRV_SPLIT_MAX 8

/*
 * Cuts a SPIR-V module into at most `n` modules (2 to SPIRV_SPLIT_MAX) with some of its kernels
 * each, in their order and of about equal size, so that they can be compiled side by side; the
 * SPIR-V of each is to be freed. How many; 0: it is to be compiled as one, because it is small,
 * its kernels share variables, or memory ran out.
 */
size_t spirv_split(
	const void *spirv, size_t size, size_t n, struct compile_module parts[SPIRV_SPLIT_MAX]);

#endif
