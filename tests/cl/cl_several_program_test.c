// SPDX-License-Identifier: MIT
/* Programs in a context over several devices: built, compiled and linked for some or all of them.
 */
#include "cl/cl_several.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char text[] = "kernel void one(global uint *p)\n{ p[get_global_id(0)] = SIZE; }\n"
			   "kernel void two(int i, float f) {}\n";

static cl_program make_program(const char *source)
{
	cl_int rc;
	cl_program p = clCreateProgramWithSource(several.context, 1, &source, NULL, &rc);

	CL(rc);
	return p;
}

static cl_mem make_buffer(void)
{
	cl_int rc;
	cl_mem buffer = clCreateBuffer(several.context, 0, N * 4, NULL, &rc);

	CL(rc);
	return buffer;
}

/* Asserts the build status for one device, and that for the others. */
static void check_status(cl_program p, cl_uint device, cl_build_status its, cl_build_status others)
{
	for (cl_uint d = 0; d < several.n; d++) {
		cl_build_status status = 4711;

		CL(clGetProgramBuildInfo(p, several.devices[d], CL_PROGRAM_BUILD_STATUS,
			sizeof status, &status, NULL));
		assert_int_equal(status, d == device ? its : others);
	}
}

/* Built for the second device alone. */
static void test_one(void **state)
{
	static const size_t global = N;
	size_t sizes[SEVERAL_MOST] = { 0 }, size;
	cl_program p = make_program(text);
	cl_mem buffer = make_buffer();

	(void)state;
	CL(clBuildProgram(p, 1, &several.devices[1], "-DSIZE=2", NULL, NULL));
	check_status(p, 1, CL_BUILD_SUCCESS, CL_BUILD_NONE);
	CL(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, &size));
	assert_int_equal(size, several.n * sizeof *sizes);
	for (cl_uint d = 0; d < several.n; d++)
		assert_int_equal(sizes[d] != 0, d == 1);
	cl_kernel kernel = cl_kernel_of(p, "one");
	several_check(kernel, buffer, 1, 2, 0);
	assert_int_equal(clEnqueueNDRangeKernel(
				 several.queues[0], kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
		CL_INVALID_PROGRAM_EXECUTABLE);
	/* its only device need not be named, another one has none */
	CL(clGetKernelWorkGroupInfo(
		kernel, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL));
	assert_int_equal(clGetKernelWorkGroupInfo(kernel, several.devices[0],
				 CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL),
		CL_INVALID_DEVICE);
	assert_int_equal(clBuildProgram(p, 0, NULL, "-DSIZE=3", NULL, NULL), CL_INVALID_OPERATION);
	CL(clReleaseKernel(kernel));
	CL(clReleaseProgram(p));
	CL(clReleaseMemObject(buffer));
}

/* Logs and states are of each device; a later build replaces an earlier one. */
static void test_failure(void **state)
{
	cl_program p = make_program(text);
	cl_mem buffer = make_buffer();

	(void)state;
	assert_int_equal(
		clBuildProgram(p, 0, NULL, "-DSIZE=(", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
	check_status(p, 0, CL_BUILD_ERROR, CL_BUILD_ERROR);
	for (cl_uint d = 0; d < several.n; d++) {
		char log[4096] = "";

		CL(clGetProgramBuildInfo(
			p, several.devices[d], CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
		assert_non_null(strstr(log, "error"));
	}
	CL(clBuildProgram(p, 1, &several.devices[0], "-DSIZE=4", NULL, NULL));
	check_status(p, 0, CL_BUILD_SUCCESS, CL_BUILD_ERROR);
	CL(clBuildProgram(p, 0, NULL, "-DSIZE=5", NULL, NULL));
	check_status(p, 0, CL_BUILD_SUCCESS, CL_BUILD_SUCCESS);
	cl_kernel kernel = cl_kernel_of(p, "one");
	for (cl_uint d = 0; d < several.n; d++)
		several_check(kernel, buffer, d, 5, 0);
	CL(clReleaseKernel(kernel));
	CL(clReleaseProgram(p));
	CL(clReleaseMemObject(buffer));
}

/* What a program of all devices gives, the last device first. */
struct binaries {
	cl_device_id devices[SEVERAL_MOST];
	size_t sizes[SEVERAL_MOST];
	const unsigned char *data[SEVERAL_MOST];
};

static void get_binaries(struct binaries *out)
{
	cl_program p = make_program(text);
	unsigned char *data[SEVERAL_MOST] = { 0 };
	size_t sizes[SEVERAL_MOST] = { 0 };
	cl_device_id got[SEVERAL_MOST];
	cl_uint n = 0;

	CL(clBuildProgram(p, 0, NULL, "-DSIZE=4", NULL, NULL));
	CL(clGetProgramInfo(p, CL_PROGRAM_NUM_DEVICES, sizeof n, &n, NULL));
	assert_int_equal(n, several.n);
	CL(clGetProgramInfo(p, CL_PROGRAM_DEVICES, sizeof got, got, NULL));
	assert_memory_equal(got, several.devices, n * sizeof *got);
	CL(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL));
	for (cl_uint d = 0; d < n; d++)
		data[d] = malloc(sizes[d]);
	CL(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof data, data, NULL));
	CL(clReleaseProgram(p));
	for (cl_uint d = 0; d < n; d++) {
		out->devices[d] = got[n - 1 - d];
		out->sizes[d] = sizes[n - 1 - d];
		out->data[d] = data[n - 1 - d];
	}
}

static void test_binaries(void **state)
{
	struct binaries b;
	cl_int rc, each[SEVERAL_MOST];
	cl_mem buffer = make_buffer();
	size_t size;

	(void)state;
	get_binaries(&b);
	cl_program p = clCreateProgramWithBinary(
		several.context, several.n, b.devices, b.sizes, b.data, each, &rc);
	CL(rc);
	for (cl_uint d = 0; d < several.n; d++)
		assert_int_equal(each[d], CL_SUCCESS);
	CL(clBuildProgram(p, several.n, several.devices, "", NULL, NULL));
	cl_kernel kernel = cl_kernel_of(p, "one");
	for (cl_uint d = 0; d < several.n; d++)
		several_check(kernel, buffer, d, 4, 0);
	assert_int_equal(clGetKernelWorkGroupInfo(
				 kernel, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL),
		CL_INVALID_DEVICE);
	CL(clReleaseKernel(kernel));
	CL(clReleaseProgram(p));
	CL(clReleaseMemObject(buffer));
	for (cl_uint d = 0; d < several.n; d++)
		free((void *)(uintptr_t)b.data[d]);
}

/* One that is none, and one for one device. */
static void test_some_binaries(void **state)
{
	static const unsigned char bad[] = "no binary, whatever one makes of it";
	struct binaries b;
	cl_int rc, each[SEVERAL_MOST];
	cl_build_status status;
	cl_uint n = 0;

	(void)state;
	get_binaries(&b);
	cl_program p = clCreateProgramWithBinary(
		several.context, 1, b.devices, b.sizes, b.data, NULL, &rc);
	CL(rc);
	CL(clGetProgramInfo(p, CL_PROGRAM_NUM_DEVICES, sizeof n, &n, NULL));
	assert_int_equal(n, 1);
	assert_int_equal(clBuildProgram(p, 1, &b.devices[1], "", NULL, NULL), CL_INVALID_DEVICE);
	assert_int_equal(clGetProgramBuildInfo(p, b.devices[1], CL_PROGRAM_BUILD_STATUS,
				 sizeof status, &status, NULL),
		CL_INVALID_DEVICE);
	CL(clBuildProgram(p, 0, NULL, "", NULL, NULL));
	CL(clReleaseProgram(p));
	free((void *)(uintptr_t)b.data[0]);
	b.data[0] = bad;
	b.sizes[0] = sizeof bad;
	assert_null(clCreateProgramWithBinary(
		several.context, several.n, b.devices, b.sizes, b.data, each, &rc));
	assert_int_equal(rc, CL_INVALID_BINARY);
	for (cl_uint d = 0; d < several.n; d++)
		assert_int_equal(each[d], d ? CL_SUCCESS : CL_INVALID_BINARY);
	b.devices[1] = b.devices[0];
	assert_null(clCreateProgramWithBinary(
		several.context, several.n, b.devices, b.sizes, b.data, each, &rc));
	assert_int_equal(rc, CL_INVALID_DEVICE);
	for (cl_uint d = 1; d < several.n; d++)
		free((void *)(uintptr_t)b.data[d]);
}

static const char *const parts[] = { "uint twice(uint v) { return 2 * v; }\n",
	"uint twice(uint v);\nkernel void go(global uint *p)\n"
	"{ p[get_global_id(0)] = twice(get_global_id(0)); }\n" };

static void compile(cl_program p, cl_uint n, const cl_device_id *devices)
{
	CL(clCompileProgram(p, n, devices, "", 0, NULL, NULL, NULL, NULL));
}

static void test_link(void **state)
{
	cl_program inputs[] = { make_program(parts[0]), make_program(parts[1]) };
	cl_mem buffer = make_buffer();
	cl_int rc;

	(void)state;
	compile(inputs[0], 0, NULL);
	compile(inputs[1], 0, NULL);
	cl_program all = clLinkProgram(several.context, 0, NULL, "", 2, inputs, NULL, NULL, &rc);
	CL(rc);
	cl_kernel kernel = cl_kernel_of(all, "go");
	for (cl_uint d = 0; d < several.n; d++)
		several_check(kernel, buffer, d, 0, 2);
	CL(clReleaseKernel(kernel));
	CL(clReleaseProgram(all));
	CL(clReleaseMemObject(buffer));
	for (int i = 0; i < 2; i++)
		CL(clReleaseProgram(inputs[i]));
}

/* Compiled for some devices, linked for some. */
static void test_partial_link(void **state)
{
	cl_program inputs[] = { make_program(parts[0]), make_program(parts[1]) };
	cl_mem buffer = make_buffer();
	cl_uint n = 0;
	cl_int rc;

	(void)state;
	compile(inputs[0], 1, &several.devices[1]);
	compile(inputs[1], 0, NULL);
	cl_program one = clLinkProgram(
		several.context, 1, &several.devices[1], "", 2, inputs, NULL, NULL, &rc);
	CL(rc);
	CL(clGetProgramInfo(one, CL_PROGRAM_NUM_DEVICES, sizeof n, &n, NULL));
	assert_int_equal(n, 1);
	cl_kernel kernel = cl_kernel_of(one, "go");
	several_check(kernel, buffer, 1, 0, 2);
	CL(clReleaseKernel(kernel));
	CL(clReleaseProgram(one));
	/* of one input there is something for one device only */
	assert_null(clLinkProgram(several.context, 0, NULL, "", 2, inputs, NULL, NULL, &rc));
	assert_int_equal(rc, CL_INVALID_OPERATION);
	/* where no program has anything, nothing is linked */
	cl_program library = clLinkProgram(
		several.context, 0, NULL, "-create-library", 1, inputs, NULL, NULL, &rc);
	CL(rc);
	check_status(library, 1, CL_BUILD_SUCCESS, CL_BUILD_NONE);
	CL(clReleaseProgram(library));
	CL(clReleaseMemObject(buffer));
	for (int i = 0; i < 2; i++)
		CL(clReleaseProgram(inputs[i]));
}

/* What each device prints, formats of its own code included. */
static void test_printf(void **state)
{
	static const size_t one = 1;
	cl_kernel kernel = cl_kernel_of(several.program, "say");
	char said[256] = "", want[256] = "";
	FILE *file = tmpfile();
	int out = dup(STDOUT_FILENO);

	(void)state;
	fflush(stdout);
	dup2(fileno(file), STDOUT_FILENO);
	for (cl_uint k = 0; k < 3 * several.n; k++) {
		cl_int rc = clSetKernelArg(kernel, 0, sizeof k, &k);

		if (!rc)
			rc = clEnqueueNDRangeKernel(several.queues[k % several.n], kernel, 1, NULL,
				&one, NULL, 0, NULL, NULL);
		if (!rc)
			rc = clFinish(several.queues[k % several.n]);
		sprintf(want + strlen(want), rc ? "error %u\n" : "says %u\n", k);
	}
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	close(out);
	rewind(file);
	assert_int_equal(fread(said, 1, sizeof said - 1, file), strlen(want));
	assert_string_equal(said, want);
	fclose(file);
	CL(clReleaseKernel(kernel));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		SEVERAL(test_one),
		SEVERAL(test_failure),
		SEVERAL(test_binaries),
		SEVERAL(test_some_binaries),
		SEVERAL(test_link),
		SEVERAL(test_partial_link),
		SEVERAL(test_printf),
	};

	return CL_RUN(argc, argv, tests);
}
