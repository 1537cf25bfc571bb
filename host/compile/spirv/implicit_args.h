// SPDX-License-Identifier: MIT
#ifndef IMPLICIT_ARGS_H
#define IMPLICIT_ARGS_H

#include "compile/base/reflection.h"
#include "compile/spirv/spirv_module.h"

#include <stdbool.h>

/*
 * What a range is, for launches that do not know it. Level Zero launches groups of one size, from
 * group 0, and tells a kernel of nothing else; a range with ragged edges (section 3.2.1) takes up
 * to eight such launches. So kernels get one more argument, a struct implicit_args_value, from
 * which they read what the launch cannot tell. Local ids, local sizes and sub-groups are right
 * without it, and with them barriers and group functions.
 */

/* Work-item functions (section 6.15.1) whose answer a launch alone does not know. */
enum implicit_args_use {
	IMPLICIT_ARGS_GLOBAL_ID = 1, /* it does know, with an offset of less than 32 bits */
	IMPLICIT_ARGS_GLOBAL_LINEAR_ID = 2,
	IMPLICIT_ARGS_GLOBAL_SIZE = 4,
	IMPLICIT_ARGS_GLOBAL_OFFSET = 8,
	IMPLICIT_ARGS_NUM_GROUPS = 16,
	IMPLICIT_ARGS_GROUP_ID = 32,
	IMPLICIT_ARGS_ENQUEUED_SIZE = 64,
	IMPLICIT_ARGS_NUM_ENQUEUED_SUB_GROUPS = 128,
	IMPLICIT_ARGS_WORK_DIM = 256
};

/*
 * Notes what the kernels of `out` use, which are those of the module in its order, and is_uniform.
 * False when out of memory.
 */
bool implicit_args_look(const struct spirv_module *module, struct reflection *out);

/* The argument, 16 ulongs by value. The launch itself has no offset. */
struct implicit_args_value {
	uint64_t global_size[3];
	uint64_t offset[3];
	uint64_t first_item[3]; /* global id of the launch's first work-item */
	struct {
		uint32_t count; /* of the range */
		uint32_t first; /* of the launch */
	} groups[3];
	uint64_t enqueued_size[3];
	uint32_t dims;
	uint32_t enqueued_sub_groups;
};

/*
 * Appends the argument to the kernels that use anything of the above (their `uses` is not 0), and
 * removes reqd_work_group_size from all kernels. Returns COMPILE_OK, COMPILE_ERROR (it uses a
 * built-in variable in a way that cannot be followed, such as through a pointer),
 * COMPILE_NO_MEMORY.
 */
enum compile_status implicit_args_append(struct spirv_module *module);

#endif
