// SPDX-License-Identifier: MIT
/*
 * counts_run GLOBAL LOCAL FILE…: runs every kernel of each file once over that many work-items in a
 * line, whatever it computes: pointers are buffers of small numbers, numbers are small, images have
 * 64 pixels a side, and all stay to the end of the process. Ends with 0 when each kernel of which
 * all arguments can be made has been run.
 */
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1 << 20, LOCAL_BYTES = 4096, MOST_ARGUMENTS = 32, MOST_KERNELS = 64, SIDE = 64 };

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;

/* Numbers of four bytes that are small as integers and, in every other buffer, as floats. */
static void fill(void *bytes, cl_uint argument)
{
	for (unsigned i = 0; i < BYTES / 4; i++) {
		unsigned number = (i * 37 + argument) % 61;
		float fraction = (float)number / 64;
		if (argument % 2)
			memcpy((char *)bytes + 4 * i, &fraction, sizeof fraction);
		else
			memcpy((char *)bytes + 4 * i, &number, sizeof number);
	}
}

static cl_int set_memory(cl_kernel kernel, cl_uint i, const char *type)
{
	static char bytes[BYTES];
	const cl_image_format format = { CL_RGBA, CL_UNORM_INT8 };
	const cl_image_desc shape = {
		.image_type = strstr(type, "image3d")	? CL_MEM_OBJECT_IMAGE3D
			      : strstr(type, "image1d") ? CL_MEM_OBJECT_IMAGE1D
							: CL_MEM_OBJECT_IMAGE2D,
		.image_width = SIDE,
		.image_height = strstr(type, "image1d") ? 0 : SIDE,
		.image_depth = strstr(type, "image3d") ? 4 : 0,
	};
	cl_int error;

	fill(bytes, i);
	cl_mem memory = strstr(type, "image") ? clCreateImage(context, CL_MEM_COPY_HOST_PTR,
							&format, &shape, bytes, &error)
					      : clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, BYTES,
							bytes, &error);
	return error ? error : clSetKernelArg(kernel, i, sizeof memory, &memory);
}

static cl_int set_sampler(cl_kernel kernel, cl_uint i)
{
	cl_int error;
	cl_sampler sampler = clCreateSamplerWithProperties(context, NULL, &error);

	return error ? error : clSetKernelArg(kernel, i, sizeof sampler, &sampler);
}

/* A number, or a vector of them: of the sizes that there are, one is right. */
static cl_int set_number(cl_kernel kernel, cl_uint i, const char *type)
{
	static const size_t sizes[] = { 4, 8, 16, 2, 1, 32, 64, 128 };
	unsigned number[32];
	float fraction = 0.25f;
	cl_int error = CL_INVALID_ARG_SIZE;

	for (unsigned k = 0; k < 32; k++)
		number[k] = k % 2 && strncmp(type, "uint", 4) != 0 ? 0 : 5;
	for (unsigned k = 0; k < 32 && !strncmp(type, "float", 5); k++)
		memcpy(&number[k], &fraction, sizeof fraction);
	for (unsigned k = 0; k < sizeof sizes / sizeof *sizes && error; k++)
		error = clSetKernelArg(kernel, i, sizes[k], number);
	return error;
}

static cl_int set_argument(cl_kernel kernel, cl_uint i)
{
	cl_kernel_arg_address_qualifier space;
	char type[128];
	cl_int error = clGetKernelArgInfo(
		kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL);

	error |= clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL);
	if (error)
		return error;
	if (!strcmp(type, "sampler_t"))
		return set_sampler(kernel, i);
	if (space == CL_KERNEL_ARG_ADDRESS_LOCAL)
		return clSetKernelArg(kernel, i, LOCAL_BYTES, NULL);
	return space == CL_KERNEL_ARG_ADDRESS_PRIVATE ? set_number(kernel, i, type)
						      : set_memory(kernel, i, type);
}

static cl_int run(cl_kernel kernel, size_t global, size_t local)
{
	size_t required[3] = { 0 }, items[3] = { global, 1, 1 }, group[3] = { local, 1, 1 };
	cl_uint count = 0;
	cl_int error = clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);

	error |= clGetKernelWorkGroupInfo(
		kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required, NULL);
	for (int i = 0; !error && required[0] && i < 3; i++) {
		group[i] = required[i];
		items[i] = i ? required[i] : 2 * required[i];
	}
	for (cl_uint i = 0; !error && i < count; i++)
		error = set_argument(kernel, i);
	if (!error)
		error = clEnqueueNDRangeKernel(queue, kernel, 3, NULL, items, group, 0, NULL, NULL);
	return error ? error : clFinish(queue);
}

static bool run_file(const char *path, size_t global, size_t local)
{
	static char source[1 << 17];
	const char *text = source;
	FILE *file = fopen(path, "r");
	cl_kernel kernels[MOST_KERNELS];
	cl_uint count = 0;
	cl_int error;

	if (!file)
		return false;
	source[fread(source, 1, sizeof source - 1, file)] = 0;
	fclose(file);
	cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
	error = clBuildProgram(
		program, 1, &device, "-cl-std=CL3.0 -cl-kernel-arg-info", NULL, NULL);
	if (!error)
		error = clCreateKernelsInProgram(program, MOST_KERNELS, kernels, &count);
	for (cl_uint i = 0; i < count; i++) {
		char name[128] = "";
		clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
		error = run(kernels[i], global, local);
		if (error)
			fprintf(stderr, "counts_run: %s: kernel %s: error %d\n", path, name, error);
		clReleaseKernel(kernels[i]);
	}
	clReleaseProgram(program);
	return !error && count;
}

int main(int argc, char **argv)
{
	cl_platform_id platform;
	cl_int error;
	bool ok = argc > 3;

	if (clGetPlatformIDs(1, &platform, NULL) ||
		clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
		return 1;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
	for (int i = 3; i < argc; i++)
		ok = run_file(argv[i], strtoul(argv[1], NULL, 0), strtoul(argv[2], NULL, 0)) && ok;
	return !ok;
}
