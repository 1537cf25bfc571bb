// SPDX-License-Identifier: MIT
/*
 * Heat in a plate: each point becomes the mean of itself and its four neighbours. The ranks share
 * the rows, and exchange those at their borders (halos) after each step: MPI reads and writes them
 * where the kernel does, with no copy between. mpi_stencil FILE [WIDTH HEIGHT STEPS]
 */
#include "mpi_case.h"

#include <stdio.h>
#include <stdlib.h>

static const char source[] =
	"kernel void step(global const float *from, global float *to)\n"
	"{\n"
	"	size_t width = get_global_size(0) + 2;\n"
	"	size_t at = (get_global_id(1) + 1) * width + get_global_id(0) + 1;\n"
	"	float sum = from[at - width] + from[at + width];\n"
	"	to[at] = fma(0.2f, sum + (from[at - 1] + from[at + 1]), 0.2f * from[at]);\n"
	"}\n";

struct plate {
	int width, height, first; /* points of this rank, without the border; its first row */
	size_t row;		  /* points of a row with the border */
	float *now, *next;
};

/* The border is cold but for the left one; the rest begins with a pattern of whole numbers. */
static void begin(const struct plate *p)
{
	for (int y = 0; y < p->height + 2; y++) {
		p->now[(size_t)y * p->row] = p->next[(size_t)y * p->row] = 100;
		for (int x = 1; x <= p->width && y > 0 && y <= p->height; x++)
			p->now[(size_t)y * p->row + (size_t)x] =
				(float)((x * 7 + (p->first + y) * 13) % 64);
	}
}

static void exchange(const struct mpi_case *c, const struct plate *p)
{
	int above = c->rank > 0 ? c->rank - 1 : MPI_PROC_NULL;
	int below = c->rank + 1 < c->size ? c->rank + 1 : MPI_PROC_NULL;
	float *first = p->now + p->row, *last = p->now + (size_t)p->height * p->row;

	MPI_Sendrecv(first, (int)p->row, MPI_FLOAT, above, 0, last + p->row, (int)p->row, MPI_FLOAT,
		below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(last, (int)p->row, MPI_FLOAT, below, 1, p->now, (int)p->row, MPI_FLOAT, above,
		1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	struct mpi_case c;

	mpi_case_open(&c, &argc, &argv);
	int width = argc > 2 ? atoi(argv[2]) : 128, height = argc > 3 ? atoi(argv[3]) : 128;
	int steps = argc > 4 ? atoi(argv[4]) : 50;
	struct plate p = { .width = width,
		.height = height / c.size,
		.first = height / c.size * c.rank,
		.row = (size_t)width + 2 };
	size_t points = ((size_t)p.height + 2) * p.row;

	p.now = mpi_case_alloc(&c, points * sizeof *p.now);
	p.next = mpi_case_alloc(&c, points * sizeof *p.next);
	begin(&p);
	cl_kernel step = mpi_case_kernel(&c, source, "step");
	for (int i = 0; i < steps; i++) {
		exchange(&c, &p);
		mpi_case_set_memory(step, 0, p.now);
		mpi_case_set_memory(step, 1, p.next);
		mpi_case_run(&c, step, (size_t)p.width, (size_t)p.height);
		float *old = p.now;
		p.now = p.next;
		p.next = old;
	}
	size_t part = (size_t)p.height * p.row * sizeof *p.now;
	mpi_case_write(argv[1], part * (size_t)c.rank, p.now + p.row, part);
	mpi_case_free(&c, p.now);
	mpi_case_free(&c, p.next);
	MPI_CASE_CL(clReleaseKernel(step));
	mpi_case_close(&c);
	return 0;
}
