// SPDX-License-Identifier: MIT
#include "bench_cl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bench_check(cl_int code, const char *call)
{
	if (code == CL_SUCCESS)
		return;
	fprintf(stderr, "bench: %s: %d\n", call, code);
	exit(1);
}

static cl_platform_id find_platform(const char *wanted)
{
	cl_platform_id platforms[16];
	cl_uint n = 0;
	char name[256];

	bench_check(clGetPlatformIDs(16, platforms, &n), "clGetPlatformIDs");
	for (cl_uint i = 0; i < n && i < 16; i++) {
		bench_check(
			clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL),
			"clGetPlatformInfo");
		if (strstr(name, wanted))
			return platforms[i];
	}
	fprintf(stderr, "bench: no OpenCL platform %s\n", wanted);
	exit(1);
}

static void build(struct bench_cl *cl, cl_device_id device, const char *source)
{
	static char log[65536];
	cl_int rc;

	cl->program = clCreateProgramWithSource(cl->context, 1, &source, NULL, &rc);
	bench_check(rc, "clCreateProgramWithSource");
	rc = clBuildProgram(cl->program, 1, &device, "", NULL, NULL);
	if (rc != CL_SUCCESS && clGetProgramBuildInfo(cl->program, device, CL_PROGRAM_BUILD_LOG,
					sizeof log, log, NULL) == CL_SUCCESS)
		fprintf(stderr, "%s\n", log);
	bench_check(rc, "clBuildProgram");
}

bool bench_cl_has(const char *name, const char *extension)
{
	static char extensions[65536];
	cl_device_id device;

	bench_check(clGetDeviceIDs(find_platform(name), CL_DEVICE_TYPE_ALL, 1, &device, NULL),
		"clGetDeviceIDs");
	bench_check(
		clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof(extensions), extensions, NULL),
		"clGetDeviceInfo");
	return strstr(extensions, extension) != NULL;
}

void bench_cl_open(const char *name, const char *source, struct bench_cl *out)
{
	cl_platform_id platform = find_platform(name);
	cl_device_id device;
	cl_int rc;

	bench_check(
		clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
	out->context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
	bench_check(rc, "clCreateContext");
	out->queue = clCreateCommandQueueWithProperties(out->context, device, NULL, &rc);
	bench_check(rc, "clCreateCommandQueueWithProperties");
	build(out, device, source);
}

void bench_cl_close(struct bench_cl *cl)
{
	clReleaseProgram(cl->program);
	clReleaseCommandQueue(cl->queue);
	clReleaseContext(cl->context);
}
