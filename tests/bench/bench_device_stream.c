// SPDX-License-Identifier: MIT
/* Kernels that stream through memory, and those that share local memory. */
#include "bench_device.h"

#include <math.h>
#include <string.h>

enum { ITEMS = 1 << 21, SIDE = 1024, GROUP = 256 };

static float a[ITEMS], b[ITEMS], c[ITEMS];
static cl_uint words[ITEMS];

/* Whether `got` is `wanted` but for a few roundings of numbers that are up to `size`. */
static bool is_close(float got, double wanted, double size)
{
	return fabs((double)got - wanted) <= size * 1e-5;
}

static void fill(void)
{
	bench_floats(a, ITEMS, 11);
	bench_floats(b, ITEMS, 12);
	bench_floats(c, ITEMS, 13);
}

static void prepare_vector_add(cl_kernel kernel)
{
	fill();
	bench_buffer(kernel, 0, a, sizeof(a));
	bench_buffer(kernel, 1, b, sizeof(b));
	bench_result(kernel, 2, sizeof(c));
}

static bool vector_add_is_right(const void *result)
{
	const float *got = result;

	for (size_t i = 0; i < ITEMS; i++)
		if (got[i] != a[i] + b[i])
			return false;
	return true;
}

static void prepare_triad(cl_kernel kernel)
{
	fill();
	bench_buffer(kernel, 0, a, sizeof(a));
	bench_buffer(kernel, 1, b, sizeof(b));
	bench_float(kernel, 3, 2.5f);
	bench_result(kernel, 2, sizeof(c));
}

static bool triad_is_right(const void *result)
{
	const float *got = result;

	for (size_t i = 0; i < ITEMS; i++)
		if (!is_close(got[i], (double)a[i] + 2.5 * (double)b[i], 4))
			return false;
	return true;
}

static void prepare_jacobi(cl_kernel kernel)
{
	fill();
	bench_buffer(kernel, 0, a, sizeof(float) * SIDE * SIDE);
	bench_int(kernel, 2, SIDE);
	bench_result(kernel, 1, sizeof(float) * SIDE * SIDE);
}

static bool jacobi_is_right(const void *result)
{
	const float *got = result;

	for (int y = 1; y <= SIDE - 4; y++)
		for (int x = 1; x <= SIDE - 64; x++) {
			const float *at = a + y * SIDE + x;
			double sum = (double)at[-SIDE] + (double)at[SIDE] + (double)at[-1] +
				     (double)at[1];
			if (!is_close(got[y * SIDE + x], sum / 4, 1))
				return false;
		}
	return true;
}

static void prepare_wave(cl_kernel kernel)
{
	fill();
	bench_buffer(kernel, 0, a, sizeof(a));
	bench_float(kernel, 2, 0.25f);
	bench_int(kernel, 3, ITEMS);
	bench_buffer(kernel, 1, b, sizeof(b));
}

static bool wave_is_right(const void *result)
{
	const float *got = result;

	for (size_t i = 1; i < ITEMS - 1; i++) {
		double bend = (double)a[i - 1] - 2 * (double)a[i] + (double)a[i + 1];
		if (!is_close(got[i], 2 * (double)a[i] - (double)b[i] + bend / 4, 4))
			return false;
	}
	return got[0] == b[0] && got[ITEMS - 1] == b[ITEMS - 1];
}

static void prepare_activation(cl_kernel kernel)
{
	fill();
	bench_buffer(kernel, 0, a, sizeof(a));
	bench_result(kernel, 1, sizeof(a));
}

static bool activation_is_right(const void *result)
{
	const float *got = result;

	for (size_t i = 0; i < ITEMS; i++)
		if (!is_close(got[i], (double)a[i] / (1 + exp(-(double)a[i])), 1))
			return false;
	return true;
}

static void prepare_transpose(cl_kernel kernel)
{
	fill();
	bench_buffer(kernel, 0, a, sizeof(float) * SIDE * SIDE);
	bench_int(kernel, 2, SIDE);
	bench_result(kernel, 1, sizeof(float) * SIDE * SIDE);
}

static bool transpose_is_right(const void *result)
{
	const float *got = result;

	for (int y = 0; y < SIDE; y++)
		for (int x = 0; x < SIDE; x++)
			if (got[x * SIDE + y] != a[y * SIDE + x])
				return false;
	return true;
}

static void prepare_words(cl_kernel kernel)
{
	bench_words(words, ITEMS / 2, 14);
	bench_buffer(kernel, 0, words, sizeof(words) / 2);
	bench_result(kernel, 1, sizeof(words) / 2);
}

static bool scan_is_right(const void *result)
{
	const cl_uint *got = result;
	cl_uint sum = 0;

	for (size_t i = 0; i < ITEMS / 2; i++) {
		sum = i % GROUP == 0 ? words[i] : sum + words[i];
		if (got[i] != sum)
			return false;
	}
	return true;
}

/* In order, and of the same numbers: as many, with the same sums of them and of their squares. */
static bool bitonic_is_right(const void *result)
{
	const cl_uint *got = result;

	for (size_t first = 0; first < ITEMS / 2; first += GROUP) {
		cl_ulong sum = 0, squares = 0;
		for (size_t i = first; i < first + GROUP; i++) {
			if (i > first && got[i] < got[i - 1])
				return false;
			sum += (cl_ulong)got[i] - words[i];
			squares += (cl_ulong)got[i] * got[i] - (cl_ulong)words[i] * words[i];
		}
		if (sum != 0 || squares != 0)
			return false;
	}
	return true;
}

const struct bench_kernel bench_stream_kernels[] = {
	{ "streaming", "vector_add", 1, { ITEMS }, { GROUP }, prepare_vector_add,
		vector_add_is_right },
	{ "streaming", "triad", 1, { ITEMS / 4 }, { GROUP }, prepare_triad, triad_is_right },
	{ "streaming", "jacobi", 2, { SIDE - 64, SIDE - 4 }, { 64, 4 }, prepare_jacobi,
		jacobi_is_right },
	{ "streaming", "wave", 1, { ITEMS }, { GROUP }, prepare_wave, wave_is_right },
	{ "streaming", "activation", 1, { ITEMS }, { GROUP }, prepare_activation,
		activation_is_right },
	{ "local", "transpose", 2, { SIDE, SIDE }, { 16, 16 }, prepare_transpose,
		transpose_is_right },
	{ "local", "scan", 1, { ITEMS / 2 }, { GROUP }, prepare_words, scan_is_right },
	{ "local", "bitonic", 1, { ITEMS / 2 }, { GROUP }, prepare_words, bitonic_is_right },
	{ NULL },
};
