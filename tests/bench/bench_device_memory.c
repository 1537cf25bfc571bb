// SPDX-License-Identifier: MIT
/* Kernels that move data more than they compute. All results are exact. */
#include "bench_device.h"

#include <stdlib.h>
#include <string.h>

enum {
	ITEMS = 16 << 20, /* several times what caches hold */
	GROUP = 256,
	ITEMS_PER_GROUP = 4 * GROUP,
	GROUPS = ITEMS / ITEMS_PER_GROUP,
	HISTOGRAM_WORDS = 1 << 20,
	HISTOGRAM_PER_ITEM = 16,
	BINS = 256,
	PICTURE = 2048,
};

static float x[ITEMS], y[ITEMS];
static cl_uint words[ITEMS];

static void fill_floats(float *to, size_t count, cl_uint seed)
{
	for (size_t i = 0; i < count; i++)
		to[i] = (float)(bench_random(&seed) % 1000) - 500;
}

static void fill_words(size_t count)
{
	cl_uint seed = 3;

	for (size_t i = 0; i < count; i++)
		words[i] = bench_random(&seed);
}

static void prepare_saxpy(cl_kernel kernel)
{
	fill_floats(x, ITEMS, 1);
	fill_floats(y, ITEMS, 2);
	bench_buffer(kernel, 0, x, sizeof x);
	bench_buffer(kernel, 1, y, sizeof y);
	bench_float(kernel, 2, 3);
}

static bool saxpy_is_right(const void *result)
{
	const float *got = result;

	for (size_t i = 0; i < ITEMS; i++)
		if (got[i] != 3 * x[i] + y[i])
			return false;
	return true;
}

static void prepare_copy(cl_kernel kernel)
{
	fill_floats(x, ITEMS, 1);
	bench_buffer(kernel, 0, x, sizeof x);
	bench_result(kernel, 1, sizeof x);
}

static bool copy_is_right(const void *result)
{
	return !memcmp(result, x, sizeof x);
}

static void prepare_reduce(cl_kernel kernel)
{
	fill_words(ITEMS);
	bench_buffer(kernel, 0, words, sizeof words);
	bench_result(kernel, 1, GROUPS * sizeof(cl_int));
}

static bool reduce_is_right(const void *result)
{
	const cl_uint *got = result;

	for (size_t group = 0; group < GROUPS; group++) {
		cl_uint sum = 0;
		for (size_t i = 0; i < ITEMS_PER_GROUP; i++)
			sum += words[group * ITEMS_PER_GROUP + i];
		if (got[group] != sum)
			return false;
	}
	return true;
}

static void prepare_histogram(cl_kernel kernel)
{
	static const cl_uint zeros[BINS];

	fill_words(HISTOGRAM_WORDS);
	bench_buffer(kernel, 0, words, HISTOGRAM_WORDS * sizeof *words);
	bench_buffer(kernel, 1, zeros, sizeof zeros);
}

static bool histogram_is_right(const void *result)
{
	cl_uint bins[BINS] = { 0 };

	for (size_t i = 0; i < HISTOGRAM_WORDS; i++)
		for (int byte = 0; byte < 4; byte++)
			bins[words[i] >> 8 * byte & 255]++;
	return !memcmp(result, bins, sizeof bins);
}

static void prepare_stencil(cl_kernel kernel)
{
	fill_floats(x, (size_t)PICTURE * PICTURE, 4);
	bench_buffer(kernel, 0, x, sizeof(float) * PICTURE * PICTURE);
	bench_int(kernel, 2, PICTURE);
	bench_int(kernel, 3, PICTURE);
	bench_result(kernel, 1, sizeof(float) * PICTURE * PICTURE);
}

/* Sixteenths of small integers: every sum is exact in any order. */
static bool stencil_is_right(const void *result)
{
	const float *got = result;

	for (int i = 0; i < PICTURE * PICTURE; i++) {
		int row = i / PICTURE, column = i % PICTURE;
		float sum = 0;
		if (row == 0 || column == 0 || row == PICTURE - 1 || column == PICTURE - 1)
			sum = x[i];
		else
			for (int down = -1; down <= 1; down++)
				for (int right = -1; right <= 1; right++)
					sum += x[i + down * PICTURE + right] *
					       (float)((2 - down * down) * (2 - right * right)) /
					       16;
		if (got[i] != sum)
			return false;
	}
	return true;
}

const struct bench_kernel bench_memory_kernels[] = {
	{ "streaming", "saxpy", 1, { ITEMS }, { GROUP }, prepare_saxpy, saxpy_is_right },
	{ "streaming", "copy", 1, { ITEMS / 4 }, { GROUP }, prepare_copy, copy_is_right },
	{ "local", "reduce", 1, { ITEMS / 4 }, { GROUP }, prepare_reduce, reduce_is_right },
	{ "local", "sub_group_reduce", 1, { ITEMS / 4 }, { GROUP }, prepare_reduce,
		reduce_is_right },
	{ "local", "histogram", 1, { HISTOGRAM_WORDS / HISTOGRAM_PER_ITEM }, { GROUP },
		prepare_histogram, histogram_is_right },
	{ "streaming", "stencil", 2, { PICTURE, PICTURE }, { 64, 4 }, prepare_stencil,
		stencil_is_right },
	{ NULL },
};
