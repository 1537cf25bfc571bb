// SPDX-License-Identifier: MIT
#include "bench_cl.h"
#include "bench_clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * bench-device PLATFORM FOLDER: how long kernels of FOLDER (kernels/bench) run on the first device
 * of a platform. Each result is compared with plain C before anything is measured.
 */

#define RUNS 5

#define PICTURE 512
#define LIMIT	256
#define LEFT	-2.0f
#define TOP	-1.25f
#define SCALE	(2.5f / PICTURE)

#define MATRIX 256

static struct bench_cl cl;

static char *read_file(const char *folder, const char *name)
{
	char path[4096];
	static char text[65536];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "r");
	size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
	if (!size) {
		fprintf(stderr, "bench: cannot read %s\n", path);
		exit(1);
	}
	fclose(file);
	text[size] = '\0';
	return text;
}

static cl_mem make_buffer(const void *data, size_t size)
{
	cl_int rc;
	cl_mem buffer = clCreateBuffer(cl.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size,
		(void *)(size_t)data, &rc);

	bench_check(rc, "clCreateBuffer");
	return buffer;
}

static void set_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	bench_check(clSetKernelArg(kernel, index, size, value), "clSetKernelArg");
}

static struct bench_time run(cl_kernel kernel, const size_t size[2], const size_t *local)
{
	struct bench_time start = bench_now();

	bench_check(clEnqueueNDRangeKernel(cl.queue, kernel, 2, NULL, size, local, 0, NULL, NULL),
		"clEnqueueNDRangeKernel");
	bench_check(clFinish(cl.queue), "clFinish");
	return bench_since(start);
}

/* The first run, whose result `out` is read, makes the code; then what is measured. */
static void measure(const char *row, cl_kernel kernel, size_t side, const size_t *local, cl_mem out,
	void *result, size_t result_size, int (*is_right)(void))
{
	const size_t size[2] = { side, side };
	struct bench_time times[RUNS];

	run(kernel, size, local);
	bench_check(
		clEnqueueReadBuffer(cl.queue, out, CL_TRUE, 0, result_size, result, 0, NULL, NULL),
		"clEnqueueReadBuffer");
	if (!is_right()) {
		fprintf(stderr, "bench: the result of %s is wrong\n", row);
		exit(1);
	}
	for (int i = 0; i < RUNS; i++)
		times[i] = run(kernel, size, local);
	printf("%s\tms\t%.4f\n", row, bench_median(times, RUNS).wall * 1e3);
	fflush(stdout);
}

static cl_kernel open_kernel(const char *platform, const char *folder, const char *name)
{
	char file[64];
	cl_int rc;

	snprintf(file, sizeof file, "%s.cl", name);
	bench_cl_open(platform, read_file(folder, file), &cl);
	cl_kernel kernel = clCreateKernel(cl.program, name, &rc);
	bench_check(rc, "clCreateKernel");
	return kernel;
}

static int picture[PICTURE * PICTURE];

static int escape(float cr, float ci)
{
	float r = 0, i = 0;
	int n = 0;

	while (n < LIMIT && r * r + i * i <= 4.0f) {
		float next = r * r - i * i + cr;
		i = 2 * r * i + ci;
		r = next;
		n++;
	}
	return n;
}

/* Compilers may contract what the pragma forbids here and there: one point in 200 may differ. */
static int picture_is_right(void)
{
	int wrong = 0;

	for (int y = 0; y < PICTURE; y++)
		for (int x = 0; x < PICTURE; x++)
			wrong += picture[y * PICTURE + x] !=
				 escape(LEFT + (float)x * SCALE, TOP + (float)y * SCALE);
	return wrong <= PICTURE * PICTURE / 200;
}

static void mandelbrot(const char *platform, const char *folder)
{
	const cl_int width = PICTURE, limit = LIMIT;
	const cl_float scale = SCALE, left = LEFT, top = TOP;
	const size_t local[2] = { 16, 16 };
	cl_kernel kernel = open_kernel(platform, folder, "mandelbrot");

	memset(picture, 0xa5, sizeof picture);
	cl_mem out = make_buffer(picture, sizeof picture);
	set_arg(kernel, 0, sizeof out, &out);
	set_arg(kernel, 1, sizeof width, &width);
	set_arg(kernel, 2, sizeof scale, &scale);
	set_arg(kernel, 3, sizeof left, &left);
	set_arg(kernel, 4, sizeof top, &top);
	set_arg(kernel, 5, sizeof limit, &limit);
	measure("mandelbrot", kernel, PICTURE, local, out, picture, sizeof picture,
		picture_is_right);
	clReleaseMemObject(out);
	clReleaseKernel(kernel);
	bench_cl_close(&cl);
}

static float a[MATRIX * MATRIX], b[MATRIX * MATRIX], c[MATRIX * MATRIX];

/* The elements are small integers: every sum is exact. */
static int product_is_right(void)
{
	for (int row = 0; row < MATRIX; row++)
		for (int column = 0; column < MATRIX; column++) {
			float sum = 0;
			for (int k = 0; k < MATRIX; k++)
				sum += a[row * MATRIX + k] * b[k * MATRIX + column];
			if (c[row * MATRIX + column] != sum)
				return 0;
		}
	return 1;
}

static void matmul(const char *platform, const char *folder)
{
	const cl_int n = MATRIX;
	const size_t local[2] = { 16, 16 };
	cl_kernel kernel = open_kernel(platform, folder, "matmul");
	cl_mem buffers[3];

	for (int i = 0; i < MATRIX * MATRIX; i++) {
		a[i] = (float)(i * 7 % 15 - 7);
		b[i] = (float)(i * 11 % 13 - 6);
	}
	memset(c, 0xa5, sizeof c);
	buffers[0] = make_buffer(a, sizeof a);
	buffers[1] = make_buffer(b, sizeof b);
	buffers[2] = make_buffer(c, sizeof c);
	for (cl_uint i = 0; i < 3; i++)
		set_arg(kernel, i, sizeof buffers[i], &buffers[i]);
	set_arg(kernel, 3, sizeof n, &n);
	measure("matmul", kernel, MATRIX, local, buffers[2], c, sizeof c, product_is_right);
	for (int i = 0; i < 3; i++)
		clReleaseMemObject(buffers[i]);
	clReleaseKernel(kernel);
	bench_cl_close(&cl);
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fputs("usage: bench-device PLATFORM FOLDER\n", stderr);
		return 2;
	}
	mandelbrot(argv[1], argv[2]);
	matmul(argv[1], argv[2]);
	return 0;
}
