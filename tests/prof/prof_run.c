// SPDX-License-Identifier: MIT
/*
 * prof_run FILE GLOBAL LOCAL N KERNEL…: runs kernels of a file over ZeroCL or any other platform,
 * each with two buffers of integers and a number, and waits for all. Ends with 3 when all is well.
 */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 1 << 16, STATUS = 3 };

static cl_context context;
static cl_command_queue queue;

static int run(cl_program program, const char *name, size_t global, size_t local, int n)
{
	static int data[2][ELEMENTS];
	cl_int error;
	cl_kernel kernel = clCreateKernel(program, name, &error);

	for (int i = 0; i < ELEMENTS; i++)
		data[1][i] = i * 37;
	for (cl_uint i = 0; !error && i < 2; i++) {
		cl_mem buffer = clCreateBuffer(
			context, CL_MEM_COPY_HOST_PTR, sizeof data[0], data[i], &error);
		error |= clSetKernelArg(kernel, i, sizeof buffer, &buffer);
	}
	if (!error)
		error = clSetKernelArg(kernel, 2, sizeof n, &n);
	if (!error)
		error = clEnqueueNDRangeKernel(
			queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
	return error ? error : clFinish(queue);
}

int main(int argc, char **argv)
{
	static char source[1 << 16];
	const char *text = source;
	FILE *file = argc > 5 ? fopen(argv[1], "r") : NULL;
	cl_platform_id platform;
	cl_device_id device;
	cl_int error;

	if (!file || !fread(source, 1, sizeof source - 1, file))
		return 1;
	fclose(file);
	if (clGetPlatformIDs(1, &platform, NULL) ||
		clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
		return 1;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
	cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
	error = clBuildProgram(program, 1, &device, "", NULL, NULL);
	for (int i = 5; i < argc && !error; i++)
		error = run(program, argv[i], strtoul(argv[2], NULL, 0), strtoul(argv[3], NULL, 0),
			atoi(argv[4]));
	if (error)
		fprintf(stderr, "prof_run: error %d\n", error);
	return error ? 1 : STATUS;
}
