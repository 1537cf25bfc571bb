// SPDX-License-Identifier: MIT
#ifndef COMPILE_REWRITE_H
#define COMPILE_REWRITE_H

#include "compile/build/compile.h"

enum compile_rewrite_what {
	/* What the compiler gets wrong is replaced: igc_bugs.h. */
	COMPILE_REWRITE_FAULTS,
	/*
	 * Kernels get implicit arguments (implicit_args.h). A program gets them when it is built,
	 * if one of its kernels asks for something that Level Zero cannot tell:
	 *
	 *     get_work_dim;
	 *     in a program that may be launched over ragged ranges (OpenCL C 2.0 and later, without
	 *     -cl-uniform-work-group-size), everything in enum implicit_args_use but
	 *     get_global_id, which the offset of a launch serves; and a kernel with
	 *     reqd_work_group_size, which the last groups of a ragged range do not have.
	 *
	 * Then all kernels of the program that use anything in that enum have the argument. A
	 * program that cannot be followed lacks it, and launches that need it fail.
	 */
	COMPILE_REWRITE_IMPLICIT
};

/*
 * SPIR-V for the compiler, made of that of a request: *out, to be freed. NULL: the request's own
 * serves; also for a module that cannot be followed. Returns COMPILE_OK or COMPILE_NO_MEMORY.
 */
enum compile_status compile_rewrite(const struct compile_request *request,
	enum compile_rewrite_what what, void **out, size_t *out_size);

#endif
