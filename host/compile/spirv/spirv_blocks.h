// SPDX-License-Identifier: MIT
#ifndef SPIRV_BLOCKS_H
#define SPIRV_BLOCKS_H

#include "compile/base/reflection.h"

/* The sub-group block functions (cl_intel_subgroups) that a kernel and all that it calls have. */
enum compile_blocks {
	COMPILE_BLOCKS_READ = 1, /* of buffers */
	COMPILE_BLOCKS_WRITE = 2,
	COMPILE_BLOCKS_IMAGE = 4 /* reads or writes */
};

/*
 * Finds them in a program; kernels are numbered as compile_reflect does. *blocks is malloc'ed, an
 * enum compile_blocks for each of the *n kernels, or NULL and 0 if the program has none.
 * COMPILE_OK, COMPILE_ERROR (it is malformed), COMPILE_NO_MEMORY.
 */
enum compile_status compile_blocks_look(
	const void *spirv, size_t size, unsigned char **blocks, size_t *n);

#endif
