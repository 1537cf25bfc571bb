// SPDX-License-Identifier: MIT
#include "mpi_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define MOST 16

/* cl_intel_unified_shared_memory */
typedef cl_ulong properties_intel;
typedef void *host_alloc_fn(cl_context, const properties_intel *, size_t, cl_uint, cl_int *);
typedef cl_int free_fn(cl_context, void *);
typedef cl_int set_fn(cl_kernel, cl_uint, const void *);
static host_alloc_fn *host_alloc;
static free_fn *host_free;
static set_fn *set_pointer;

static void stop(const char *why, int code)
{
	fprintf(stderr, "%s: %d\n", why, code);
	MPI_Abort(MPI_COMM_WORLD, 1);
	abort();
}

void mpi_case_check(cl_int code, const char *what)
{
	if (code)
		stop(what, code);
}

static void find(cl_platform_id platform, const char *name, void *function)
{
	void *found = clGetExtensionFunctionAddressForPlatform(platform, name);

	if (!found)
		stop(name, 0);
	memcpy(function, &found, sizeof found);
}

void mpi_case_open(struct mpi_case *c, int *argc, char ***argv)
{
	const char *local = getenv("OMPI_COMM_WORLD_LOCAL_RANK");
	cl_device_id devices[MOST];
	cl_platform_id platform;
	cl_uint n = 0;
	cl_int rc;

	MPI_Init(argc, argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &c->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &c->size);
	MPI_CASE_CL(clGetPlatformIDs(1, &platform, NULL));
	MPI_CASE_CL(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST, devices, &n));
	cl_device_id device = devices[(local ? (cl_uint)atoi(local) : (cl_uint)c->rank) % n];
	MPI_CASE_CL(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof c->device, c->device, NULL));
	c->context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
	mpi_case_check(rc, "clCreateContext");
	c->queue = clCreateCommandQueueWithProperties(c->context, device, NULL, &rc);
	mpi_case_check(rc, "clCreateCommandQueueWithProperties");
	find(platform, "clHostMemAllocINTEL", &host_alloc);
	find(platform, "clMemFreeINTEL", &host_free);
	find(platform, "clSetKernelArgMemPointerINTEL", &set_pointer);
}

void mpi_case_close(struct mpi_case *c)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	printf("rank %d of %d: %s, %.2f s of the processor\n", c->rank, c->size, c->device,
		(double)used.ru_utime.tv_sec + (double)used.ru_utime.tv_usec * 1e-6);
	MPI_CASE_CL(clReleaseCommandQueue(c->queue));
	MPI_CASE_CL(clReleaseContext(c->context));
	MPI_Finalize();
}

cl_kernel mpi_case_kernel(const struct mpi_case *c, const char *source, const char *name)
{
	cl_int rc;
	cl_program program = clCreateProgramWithSource(c->context, 1, &source, NULL, &rc);

	mpi_case_check(rc, "clCreateProgramWithSource");
	MPI_CASE_CL(clBuildProgram(program, 0, NULL, "", NULL, NULL));
	cl_kernel kernel = clCreateKernel(program, name, &rc);
	mpi_case_check(rc, "clCreateKernel");
	MPI_CASE_CL(clReleaseProgram(program));
	return kernel;
}

void *mpi_case_alloc(const struct mpi_case *c, size_t size)
{
	cl_int rc;
	void *memory = host_alloc(c->context, NULL, size, 64, &rc);

	mpi_case_check(rc, "clHostMemAllocINTEL");
	return memset(memory, 0, size);
}

void mpi_case_free(const struct mpi_case *c, void *memory)
{
	MPI_CASE_CL(host_free(c->context, memory));
}

void mpi_case_set_memory(cl_kernel kernel, cl_uint index, const void *memory)
{
	MPI_CASE_CL(set_pointer(kernel, index, memory));
}

void mpi_case_set_int(cl_kernel kernel, cl_uint index, cl_int value)
{
	MPI_CASE_CL(clSetKernelArg(kernel, index, sizeof value, &value));
}

void mpi_case_run(const struct mpi_case *c, cl_kernel kernel, size_t width, size_t height)
{
	const size_t global[] = { width, height };

	MPI_CASE_CL(clEnqueueNDRangeKernel(c->queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
	MPI_CASE_CL(clFinish(c->queue));
}

void mpi_case_write(const char *path, size_t offset, const void *bytes, size_t size)
{
	MPI_File file;

	if (MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
		    &file) ||
		MPI_File_write_at_all(
			file, (MPI_Offset)offset, bytes, (int)size, MPI_BYTE, MPI_STATUS_IGNORE) ||
		MPI_File_close(&file))
		stop(path, 0);
}
