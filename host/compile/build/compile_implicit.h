// SPDX-License-Identifier: MIT
#ifndef COMPILE_IMPLICIT_H
#define COMPILE_IMPLICIT_H

#include "compile/build/compile.h"

/*
 * Native code with implicit arguments (implicit_args.h). A program gets them when it is built, if
 * one of its kernels asks for something that Level Zero cannot tell:
 *
 *     get_work_dim;
 *     in a program that may be launched over ragged ranges (OpenCL C 2.0 and later, without
 *     -cl-uniform-work-group-size), everything in enum implicit_args_use but get_global_id, which
 *     the offset of a launch serves; and a kernel with reqd_work_group_size, which the last groups
 *     of a ragged range do not have.
 *
 * Then all kernels of the program that use anything in that enum have the argument.
 */

/*
 * The SPIR-V from which the native code of the request's SPIR-V is to be made. Returns NULL if that
 * is the request's itself, and also without memory and for a module that cannot be followed: then
 * the kernels lack the argument, and launches that need it fail. To be freed.
 */
void *compile_implicit_rewrite(const struct compile_request *request, size_t *out_size);

#endif
