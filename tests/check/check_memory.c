// SPDX-License-Identifier: MIT
/*
 * Has kernels reach beyond a buffer and into memory that has been released, for tool_check_test.sh,
 * which looks for the marks that stand behind lines here.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>

enum { BYTES = 4096 };

static const char *source = "kernel void beyond(global int *a, ulong b) { a[0] = ((global int "
			    "*)b)[get_global_id(0) + 1000]; }\n"
			    "kernel void stale(global int *a, ulong b) { a[0] = ((global int "
			    "*)b)[get_global_id(0)]; }\n";

static cl_context context;

static cl_mem make_buffer(void)
{
	cl_int error;
	cl_mem buffer = clCreateBuffer(context, 0, BYTES, NULL, &error);

	return error ? NULL : buffer;
}

static cl_int run(cl_program program, const char *name, cl_mem a, void *b)
{
	const size_t global = 32;
	cl_ulong address = (cl_ulong)(size_t)b;
	cl_int error;
	cl_device_id device;
	cl_kernel kernel = clCreateKernel(program, name, &error);

	error |= clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL);
	cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
	error |= clSetKernelArg(kernel, 0, sizeof a, &a);
	error |= clSetKernelArg(kernel, 1, sizeof address, &address);
	error |= clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof b, &b);
	error |= clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
	return error ? error : clFinish(queue);
}

int main(void)
{
	cl_platform_id platform;
	cl_device_id device;
	cl_int error = clGetPlatformIDs(1, &platform, NULL);

	error |= clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
	error |= clBuildProgram(program, 1, &device, NULL, NULL, NULL);
	cl_mem a = make_buffer();
	char *kept = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0); /* KEPT */
	char *gone = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0); /* GONE */

	if (error || !a || !kept || !gone || run(program, "beyond", a, kept))
		return 1;
	clSVMFree(context, gone); /* RELEASED */
	/* Its address may be an error, or a lost device. */
	(void)run(program, "stale", a, gone);
	return 3;
}
