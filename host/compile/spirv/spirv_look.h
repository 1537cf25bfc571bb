// SPDX-License-Identifier: MIT
#ifndef SPIRV_LOOK_H
#define SPIRV_LOOK_H

#include "compile/base/reflection.h"
#include "compile/spirv/spirv_module.h"

/* The sub-group block functions (cl_intel_subgroups) that a kernel and all that it calls have. */
enum compile_blocks {
	COMPILE_BLOCKS_READ = 1, /* of buffers */
	COMPILE_BLOCKS_WRITE = 2,
	COMPILE_BLOCKS_IMAGE = 4 /* reads or writes */
};

/*
 * Notes them, and what sees no groups, in the kernels of `out`, which are those of the module in
 * its order. False when out of memory.
 */
bool spirv_look_at_functions(const struct spirv_module *module, struct reflection *out);

/* Whether anything in the module calls printf. */
bool spirv_prints(const struct spirv_module *module);

/*
 * How much of its native code's local memory a kernel has declared: IGC puts the variables first,
 * in the order of the module, and behind them what its own work-group functions and atomics share.
 * SIZE_MAX: not known.
 */
size_t spirv_local_bytes(const struct spirv_module *module, const char *kernel);

/* Whether anything in the module may wait at a barrier of its sub-group alone. */
bool spirv_has_sub_group_barriers(const struct spirv_module *module);

#endif
