// SPDX-License-Identifier: MIT
#ifndef FAILURE_PROGRAM_H
#define FAILURE_PROGRAM_H

#include <CL/cl.h>

/* A program that is built before anything fails, on a device that the scenarios use. */
struct failure_program {
	cl_device_id device;
	unsigned char *binary; /* the caller frees it */
	size_t size;
};

/* Opens ZeroCL over the stand-in for Level Zero and builds `source` for its device of that
 * number. Asserts success. */
struct failure_program failure_program_build(
	unsigned number, const char *source, const char *options);

#endif
