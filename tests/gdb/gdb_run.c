// SPDX-License-Identifier: MIT
/*
 * gdb_run FILE KERNEL [N]: runs a kernel of a file N times (1 if absent), built anew each time,
 * over 128 work-items in groups of 64, with three buffers, and compares what `scan` computes. Ends
 * with 7 when all is well.
 */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 128, GROUP = 64, BUFFERS = 3, STATUS = 7 };

static int in[ELEMENTS], out[ELEMENTS];

static cl_kernel build(
	cl_context context, cl_device_id device, const char *source, const char *name)
{
	cl_int error;
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
	cl_kernel kernel = NULL;

	if (!clBuildProgram(program, 1, &device, "", NULL, NULL))
		kernel = clCreateKernel(program, name, &error);
	clReleaseProgram(program);
	return kernel;
}

static int is_right(void)
{
	for (int id = 0; id < ELEMENTS; id++) {
		int sum = 0, l = id % GROUP;
		for (int i = 0; i <= l; i++)
			sum += in[id - l + i];
		if (l & 1)
			sum += 3 * l;
		for (int i = 0; i < l && l & 1; i++)
			sum += in[i];
		if (out[id] != sum) {
			fprintf(stderr, "out[%d] is %d, not %d\n", id, out[id], sum);
			return 0;
		}
	}
	return 1;
}

static cl_int run(const char *source, const char *name, int times)
{
	const size_t global = ELEMENTS, local = GROUP;
	cl_platform_id platform;
	cl_device_id device;
	cl_mem buffers[BUFFERS];
	cl_int error = clGetPlatformIDs(1, &platform, NULL);

	error |= clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
	if (error)
		return error;
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
	for (cl_uint i = 0; !error && i < BUFFERS; i++)
		buffers[i] = clCreateBuffer(
			context, CL_MEM_COPY_HOST_PTR, sizeof in, i == 1 ? in : out, &error);
	for (int time = 0; !error && time < times; time++) {
		cl_kernel kernel = build(context, device, source, name);
		for (cl_uint i = 0; !error && i < BUFFERS; i++)
			error = clSetKernelArg(kernel, i, sizeof *buffers, &buffers[i]);
		error |= clEnqueueNDRangeKernel(
			queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
		error |= clFinish(queue);
		clReleaseKernel(kernel);
	}
	if (!error)
		error = clEnqueueReadBuffer(
			queue, buffers[0], CL_TRUE, 0, sizeof out, out, 0, NULL, NULL);
	return error;
}

int main(int argc, char **argv)
{
	static char source[1 << 16];
	FILE *file = argc > 2 ? fopen(argv[1], "r") : NULL;

	if (!file || !fread(source, 1, sizeof source - 1, file))
		return 1;
	fclose(file);
	for (int i = 0; i < ELEMENTS; i++) {
		in[i] = 3 * i + 1;
		out[i] = -1;
	}
	cl_int error = run(source, argv[2], argc > 3 ? atoi(argv[3]) : 1);
	if (error) {
		fprintf(stderr, "gdb_run: error %d\n", error);
		return 1;
	}
	return strcmp(argv[2], "scan") != 0 || is_right() ? STATUS : 1;
}
