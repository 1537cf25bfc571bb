// SPDX-License-Identifier: MIT
#ifndef TESTS_MPI_CASE_H
#define TESTS_MPI_CASE_H

/*
 * What the programs of docs/CLUSTER.md share: one OpenCL device for each rank, memory that kernels
 * and MPI both reach, and the result in one file, so that runs of different numbers of ranks
 * compare. Any failure ends all ranks.
 */

#define CL_TARGET_OPENCL_VERSION 300
#define OMPI_SKIP_MPICXX	 1

#include <CL/cl.h>
#include <mpi.h>
#include <stddef.h>

struct mpi_case {
	int rank, size;
	cl_context context;
	cl_command_queue queue; /* in order */
	char device[256];
};

/* MPI and the device: the one of OMPI_COMM_WORLD_LOCAL_RANK, counted round all devices of the
 * platform. */
void mpi_case_open(struct mpi_case *c, int *argc, char ***argv);
/* Prints what the rank cost, and ends MPI. */
void mpi_case_close(struct mpi_case *c);

/* Ends all ranks with a line if `code` is not CL_SUCCESS. */
#define MPI_CASE_CL(call) mpi_case_check((call), #call)
void mpi_case_check(cl_int code, const char *what);

cl_kernel mpi_case_kernel(const struct mpi_case *c, const char *source, const char *name);
/* Memory of the host that kernels take as it is, of zeros; MPI gets the same pointers. */
void *mpi_case_alloc(const struct mpi_case *c, size_t size);
void mpi_case_free(const struct mpi_case *c, void *memory);
void mpi_case_set_memory(cl_kernel kernel, cl_uint index, const void *memory);
void mpi_case_set_int(cl_kernel kernel, cl_uint index, cl_int value);
/* Runs the kernel over two dimensions and waits. */
void mpi_case_run(const struct mpi_case *c, cl_kernel kernel, size_t width, size_t height);

/* Each rank writes its part of the file. */
void mpi_case_write(const char *path, size_t offset, const void *bytes, size_t size);

#endif
