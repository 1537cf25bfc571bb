// SPDX-License-Identifier: MIT
/*
 * check_run FILE KERNEL …: runs kernels of a file, each in a process of its own, as check_test
 * does, with no word about checks. Ends with 3, to be told from what `zerocl check` ends with.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ELEMENTS = 4096, BUFFERS = 3, STATUS = 3 };

static cl_int run(const char *source, const char *name)
{
	static int data[2][ELEMENTS];
	const size_t global = 256, local = 64;
	cl_platform_id platform;
	cl_device_id device;
	cl_int error = clGetPlatformIDs(1, &platform, NULL);

	for (int i = 0; i < ELEMENTS; i++)
		data[1][i] = i;
	error |= clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
	if (error)
		return error;
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
	error = clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL);
	cl_kernel kernel = clCreateKernel(program, name, &error);
	for (cl_uint i = 0; !error && i < BUFFERS; i++) {
		cl_mem buffer = clCreateBuffer(
			context, CL_MEM_COPY_HOST_PTR, sizeof data[0], data[i == 1], &error);
		error |= clSetKernelArg(kernel, i, sizeof buffer, &buffer);
	}
	if (!error)
		error = clEnqueueNDRangeKernel(
			queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
	return error ? error : clFinish(queue);
}

int main(int argc, char **argv)
{
	static char source[1 << 16];
	FILE *file = argc > 2 ? fopen(argv[1], "r") : NULL;
	int status = STATUS;

	if (!file || !fread(source, 1, sizeof source - 1, file))
		return 1;
	fclose(file);
	for (int i = 2; i < argc; i++) {
		int child;
		pid_t pid = fork();
		if (pid == 0)
			_exit(run(source, argv[i]) ? 1 : 0);
		if (pid < 0 || waitpid(pid, &child, 0) < 0 || child)
			status = 1;
	}
	return status;
}
