// SPDX-License-Identifier: MIT
#ifndef FAILURE_PROGRAM_H
#define FAILURE_PROGRAM_H

#include <CL/cl.h>

/* A program that is built before anything fails, on the device that the scenarios use. */
struct failure_program {
	cl_device_id device;
	unsigned char *binary; /* the caller frees it */
	size_t size;
};

/* Opens ZeroCL over the stand-in for Level Zero and builds `source` there. Asserts success. */
struct failure_program failure_program_build(const char *source, const char *options);

#endif
