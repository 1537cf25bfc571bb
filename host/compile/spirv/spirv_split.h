// SPDX-License-Identifier: MIT
#ifndef SPIRV_SPLIT_H
#define SPIRV_SPLIT_H

#include "compile/base/request.h"

#define SPIRV_SPLIT_MAX 8

/*
 * Modules with some of a module's kernels. What these do not call is in them too, but for other
 * kernels: the compiler drops it before anything takes time.
 */

/*
 * Cuts a module into at most `n` modules (2 to SPIRV_SPLIT_MAX) with some of its kernels each, in
 * their order and of about equal size, so that they can be compiled side by side; the SPIR-V of
 * each is to be freed. Returns how many; 0: it is to be compiled as one, because it is small, its
 * kernels share variables, or memory ran out.
 */
size_t spirv_split(
	const void *spirv, size_t size, size_t n, struct compile_module parts[SPIRV_SPLIT_MAX]);

/*
 * Returns a copy of a module in which `kernel` is the only kernel, to be freed, and its size in
 * bytes. NULL without memory, without that kernel, or if the module is malformed.
 */
void *spirv_split_kernel(const void *spirv, size_t size, const char *kernel, size_t *only_size);

#endif
