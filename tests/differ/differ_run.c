// SPDX-License-Identifier: MIT
/*
 * Runs a program of differ_program.py: differ_run PLATFORM FILE [OPTIONS…]. For each string of
 * options it prints a line "options", and one for each kernel: its name, what each work-item wrote,
 * and the words that all changed atomically. The end status is 0 if all could be run, 77 if the
 * platform is missing.
 */
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As differ_program.py has them. */
enum { ITEMS = 96, INPUTS = 1024, CELLS = 24, KERNELS = 64 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static void check(cl_int rc, const char *what)
{
	if (rc == CL_SUCCESS)
		return;
	printf("%s returned %d\n", what, rc);
	exit(1);
}

static bool find_platform(const char *part)
{
	cl_platform_id all[16];
	cl_uint n = 0;
	char name[256];

	if (clGetPlatformIDs(16, all, &n))
		return false;
	for (cl_uint i = 0; i < n && i < 16; i++) {
		if (clGetPlatformInfo(all[i], CL_PLATFORM_NAME, sizeof(name), name, NULL) ||
			!strstr(name, part) ||
			clGetDeviceIDs(all[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL))
			continue;
		return true;
	}
	return false;
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (!file)
		return NULL;
	if (getdelim(&text, &size, '\0', file) < 0)
		text = NULL;
	fclose(file);
	return text;
}

static cl_program build(const char *source, const char *options)
{
	static char log[1 << 16];

	cl_int rc;

	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &rc);

	check(rc, "clCreateProgramWithSource");
	rc = clBuildProgram(program, 1, &device, options, NULL, NULL);
	if (!rc)
		return program;
	clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
	const size_t length = strnlen(log, sizeof(log) - 1);
	for (size_t i = 0; i < length; i++)
		if (log[i] == '\n')
			log[i] = ' ';
	printf("not built: %.*s\n", 300, log + (length > 300 ? length - 300 : 0));
	clReleaseProgram(program);
	return NULL;
}

static cl_mem fill(size_t size, const void *bytes)
{
	cl_int rc;
	cl_mem buffer = clCreateBuffer(
		context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, (void *)bytes, &rc);

	check(rc, "clCreateBuffer");
	return buffer;
}

static void launch(cl_kernel kernel)
{
	cl_ulong out[ITEMS];
	cl_uint in[INPUTS], cells[CELLS];
	size_t local[3], global[2];
	char name[64];
	unsigned state = 1;

	for (int i = 0; i < INPUTS; i++) {
		state = state * 1664525u + 1013904223u;
		/* small, large, and all bits */
		in[i] = i % 4 == 0   ? state >> 28
			: i % 4 == 1 ? ~(state >> 26)
				     : state ^ state >> 15;
	}
	memset(out, 0xa5, sizeof(out));
	for (int i = 0; i < CELLS; i++)
		cells[i] = i / 4 == 3 || i / 4 == 4 ? 0xffffffffu : 0;
	cl_mem buffers[] = { fill(sizeof(out), out), fill(sizeof(in), in),
		fill(sizeof(cells), cells) };
	for (cl_uint i = 0; i < 3; i++)
		check(clSetKernelArg(kernel, i, sizeof(*buffers), &buffers[i]), "clSetKernelArg");
	check(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(name), name, NULL), "a name");
	check(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
		      sizeof(local), local, NULL),
		"a size");
	global[0] = ITEMS / local[1];
	global[1] = local[1];
	check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL), name);
	check(clEnqueueReadBuffer(queue, buffers[0], CL_TRUE, 0, sizeof(out), out, 0, NULL, NULL),
		name);
	check(clEnqueueReadBuffer(
		      queue, buffers[2], CL_TRUE, 0, sizeof(cells), cells, 0, NULL, NULL),
		name);
	printf("%s", name);
	for (int i = 0; i < ITEMS; i++)
		printf(" %016llx", (unsigned long long)out[i]);
	for (int i = 0; i < CELLS; i++)
		printf(" %08x", cells[i]);
	printf("\n");
	for (int i = 0; i < 3; i++)
		clReleaseMemObject(buffers[i]);
}

int main(int argc, char **argv)
{
	char *source = argc > 2 ? read_file(argv[2]) : NULL;
	cl_kernel kernels[KERNELS];
	cl_uint n;
	cl_int rc;

	if (!source)
		return fprintf(stderr, "usage: differ_run PLATFORM FILE [OPTIONS…]\n"), 2;
	if (!find_platform(argv[1]))
		return fprintf(stderr, "no platform named %s\n", argv[1]), 77;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
	check(rc, "clCreateContext");
	queue = clCreateCommandQueue(context, device, 0, &rc);
	check(rc, "clCreateCommandQueue");
	for (int i = 3; i < argc; i++) {
		printf("options %s\n", argv[i]);
		cl_program program = build(source, argv[i]);

		fflush(stdout);
		if (!program)
			continue;
		check(clCreateKernelsInProgram(program, KERNELS, kernels, &n),
			"clCreateKernelsInProgram");
		for (cl_uint k = 0; k < n; k++) {
			launch(kernels[k]);
			clReleaseKernel(kernels[k]);
		}
		clReleaseProgram(program);
		fflush(stdout);
	}
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	free(source);
	return 0;
}
