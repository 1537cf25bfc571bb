// SPDX-License-Identifier: MIT
#ifndef SPIRV_BLOCKS_H
#define SPIRV_BLOCKS_H

#include "compile/spirv/spirv_module.h"

/* The sub-group block functions (cl_intel_subgroups) that a kernel and all that it calls have. */
enum compile_blocks {
	COMPILE_BLOCKS_READ = 1, /* of buffers */
	COMPILE_BLOCKS_WRITE = 2,
	COMPILE_BLOCKS_IMAGE = 4 /* reads or writes */
};

/*
 * Finds them in a module; kernels are in its order. *blocks is malloc'ed, an enum compile_blocks
 * for each of the *n kernels, or NULL and 0 if the program has none. Returns COMPILE_OK,
 * COMPILE_NO_MEMORY.
 */
enum compile_status spirv_blocks_look(
	const struct spirv_module *module, unsigned char **blocks, size_t *n);

#endif
