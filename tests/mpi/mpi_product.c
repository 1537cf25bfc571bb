// SPDX-License-Identifier: MIT
/*
 * A product of two square matrices. Each rank has as many rows of A, B and C; the rows of B go
 * round by broadcasts, in their order, so that each element of C is summed in one order whatever
 * the number of ranks. mpi_product FILE [SIZE]
 */
#include "mpi_case.h"

#include <stdlib.h>

static const char source[] =
	"kernel void add(global const float *a, global const float *b, global float *c, int first, "
	"int rows)\n"
	"{\n"
	"	size_t n = get_global_size(0), x = get_global_id(0), y = get_global_id(1);\n"
	"	float sum = c[y * n + x];\n"
	"	for (int k = 0; k < rows; k++)\n"
	"		sum = fma(a[y * n + first + k], b[k * n + x], sum);\n"
	"	c[y * n + x] = sum;\n"
	"}\n";

int main(int argc, char **argv)
{
	struct mpi_case c;

	mpi_case_open(&c, &argc, &argv);
	int n = argc > 2 ? atoi(argv[2]) : 128, rows = n / c.size;
	size_t points = (size_t)n * (size_t)rows, bytes = points * sizeof(float);
	float *a = mpi_case_alloc(&c, bytes), *b = mpi_case_alloc(&c, bytes);
	float *part = mpi_case_alloc(&c, bytes), *sums = mpi_case_alloc(&c, bytes);

	for (size_t i = 0; i < points; i++) {
		size_t at = points * (size_t)c.rank + i;
		a[i] = (float)(at * 29 % 1009) / 1009;
		b[i] = (float)(at * 31 % 997) / 997 - 0.5f;
	}
	cl_kernel add = mpi_case_kernel(&c, source, "add");
	mpi_case_set_memory(add, 0, a);
	mpi_case_set_memory(add, 2, sums);
	mpi_case_set_int(add, 4, rows);
	for (int owner = 0; owner < c.size; owner++) {
		float *panel = owner == c.rank ? b : part;

		MPI_Bcast(panel, (int)points, MPI_FLOAT, owner, MPI_COMM_WORLD);
		mpi_case_set_memory(add, 1, panel);
		mpi_case_set_int(add, 3, owner * rows);
		mpi_case_run(&c, add, (size_t)n, (size_t)rows);
	}
	mpi_case_write(argv[1], bytes * (size_t)c.rank, sums, bytes);
	mpi_case_free(&c, a);
	mpi_case_free(&c, b);
	mpi_case_free(&c, part);
	mpi_case_free(&c, sums);
	MPI_CASE_CL(clReleaseKernel(add));
	mpi_case_close(&c);
	return 0;
}
