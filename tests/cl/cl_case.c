// SPDX-License-Identifier: MIT
#include "cl/cl_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cl_case cl;

static unsigned bad_rows;

static bool find_platform(const char *wanted)
{
	cl_platform_id platforms[16];
	cl_uint n = 0;

	if (clGetPlatformIDs(16, platforms, &n))
		return false;
	for (cl_uint i = 0; i < n && i < 16; i++) {
		char name[256] = "";

		clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
		if (!strstr(name, wanted))
			continue;
		cl.platform = platforms[i];
		cl.ours = strstr(name, "ZeroCL");
		cl.intel = !cl.ours && strstr(name, "Intel");
		return true;
	}
	return false;
}

static int open_case(void **state)
{
	cl_int rc;

	(void)state;
	CL(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, 1, &cl.device, NULL));
	cl.context = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &rc);
	CL(rc);
	cl.queue = clCreateCommandQueue(cl.context, cl.device, CL_QUEUE_PROFILING_ENABLE, &rc);
	CL(rc);
	return 0;
}

static int close_case(void **state)
{
	(void)state;
	CL(clReleaseCommandQueue(cl.queue));
	CL(clReleaseContext(cl.context));
	return 0;
}

int cl_run(int argc, char **argv, const char *name, const struct CMUnitTest *tests, size_t n_tests)
{
	const char *wanted = argc > 1 ? argv[1] : "ZeroCL";

	if (!find_platform(wanted)) {
		printf("skipped: no platform %s\n", wanted);
		return strcmp(wanted, "ZeroCL") ? 77 : 1;
	}
	return _cmocka_run_group_tests(name, tests, n_tests, open_case, close_case);
}

bool cl_has(const char *extension)
{
	char text[16384] = " ";
	char word[256];

	CL(clGetDeviceInfo(cl.device, CL_DEVICE_EXTENSIONS, sizeof text - 2, text + 1, NULL));
	strcat(text, " ");
	snprintf(word, sizeof word, " %s ", extension);
	return strstr(text, word);
}

bool cl_has_images(void)
{
	cl_bool images = CL_FALSE;

	CL(clGetDeviceInfo(cl.device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL));
	return images;
}

cl_program cl_build(const char *source, const char *options)
{
	cl_int rc;
	cl_program program = clCreateProgramWithSource(cl.context, 1, &source, NULL, &rc);

	CL(rc);
	rc = clBuildProgram(program, 1, &cl.device, options, NULL, NULL);
	if (rc) {
		char log[8192] = "";

		clGetProgramBuildInfo(
			program, cl.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
		fprintf(stderr, "build: %d\n%s\n", rc, log);
	}
	CL(rc);
	return program;
}

cl_kernel cl_make_kernel(const char *source, const char *options, const char *name)
{
	return cl_kernel_of(cl_build(source, options), name);
}

cl_kernel cl_kernel_of(cl_program program, const char *name)
{
	cl_int rc;
	cl_kernel kernel = clCreateKernel(program, name, &rc);

	CL(rc);
	return kernel;
}

void cl_kernel_done(cl_kernel kernel)
{
	cl_program program;

	CL(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL));
	CL(clReleaseKernel(kernel));
	CL(clReleaseProgram(program));
}

cl_mem cl_make_buffer(size_t size, const void *bytes)
{
	cl_int rc;
	cl_mem buffer = clCreateBuffer(
		cl.context, bytes ? CL_MEM_COPY_HOST_PTR : 0, size, (void *)(uintptr_t)bytes, &rc);

	CL(rc);
	return buffer;
}

void cl_read(cl_mem buffer, size_t size, void *bytes)
{
	CL(clEnqueueReadBuffer(cl.queue, buffer, CL_TRUE, 0, size, bytes, 0, NULL, NULL));
}

void cl_set_buffer(cl_kernel kernel, cl_uint index, cl_mem buffer)
{
	CL(clSetKernelArg(kernel, index, sizeof buffer, &buffer));
}

void cl_set_uint(cl_kernel kernel, cl_uint index, cl_uint value)
{
	CL(clSetKernelArg(kernel, index, sizeof value, &value));
}

void cl_launch(cl_kernel kernel, size_t global, size_t local)
{
	CL(clEnqueueNDRangeKernel(
		cl.queue, kernel, 1, NULL, &global, local ? &local : NULL, 0, NULL, NULL));
}

void cl_run_on(const char *source, const char *options, const char *name, size_t global,
	size_t local, size_t size, void *data)
{
	cl_kernel kernel = cl_make_kernel(source, options, name);
	cl_mem buffer = cl_make_buffer(size, data);

	cl_set_buffer(kernel, 0, buffer);
	cl_launch(kernel, global, local);
	memset(data, 0xee, size);
	cl_read(buffer, size, data);
	CL(clReleaseMemObject(buffer));
	cl_kernel_done(kernel);
}

void cl_row(const char *file, int line, const char *call, cl_int want, cl_int got)
{
	if (want == got)
		return;
	bad_rows++;
	fprintf(stderr, "%s:%d: %d, not %d: %s\n", file, line, got, want, call);
}

void cl_rows_end(void)
{
	unsigned bad = bad_rows;

	bad_rows = 0;
	assert_int_equal(bad, 0);
}
