// SPDX-License-Identifier: MIT
#ifndef TESTS_SG_PROGRAM_H
#define TESTS_SG_PROGRAM_H

#include "subgroups/sg_table.h"

#include <CL/cl.h>

/* Programs that are made of cells, a kernel for each. */

/* The source of the cells' kernels, allocated; cells are of the sub-group size that S is. */
char *sg_source(const struct sg_cell *const *cells, size_t n, unsigned simd);

/* Which calls of a built-in a build has; see struct sg_shape. */
enum sg_calls { SG_NO_CALLS, SG_V_CALLS, SG_W_CALLS, SG_ALL_CALLS };

/*
 * Builds for the cl_case device. *log gets the build log
 * (allocated) in every case. Returns clBuildProgram's code.
 */
cl_int sg_build(
	const char *source, unsigned simd, enum sg_calls calls, cl_program *program, char **log);

/* Whether sub_group_broadcast_first is declared for vectors, which is more than OpenCL wants. */
bool sg_first_takes_vectors(void);

/* The program's binary, allocated. */
void *sg_binary(cl_program program, size_t *size);

#endif
