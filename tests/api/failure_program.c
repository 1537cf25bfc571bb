// SPDX-License-Identifier: MIT
#include "failure_program.h"

#include "api/icd.h"
#include "core/device/platform.h"
#include "l0_fake.h"

#include "test.h"

#include <stdlib.h>

struct failure_program failure_program_build(
	unsigned number, const char *source, const char *options)
{
	cl_platform_id platform = platform_handle(icd_platform());
	struct failure_program built;
	cl_device_id devices[2];
	cl_int rc;

	l0_fake = (struct l0_fake){ .mode = L0_FAKE_AT_QUERY };
	assert_int_equal(
		clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, NULL), CL_SUCCESS);
	built.device = devices[number];
	cl_context context = clCreateContext(NULL, 1, &built.device, NULL, NULL, &rc);
	assert_int_equal(rc, CL_SUCCESS);
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &rc);
	assert_int_equal(rc, CL_SUCCESS);
	assert_int_equal(
		clBuildProgram(program, 1, &built.device, options, NULL, NULL), CL_SUCCESS);
	assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof built.size,
				 &built.size, NULL),
		CL_SUCCESS);
	built.binary = malloc(built.size);
	assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof built.binary,
				 &built.binary, NULL),
		CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	assert_int_equal(clReleaseContext(context), CL_SUCCESS);
	return built;
}
