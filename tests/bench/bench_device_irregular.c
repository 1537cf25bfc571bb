// SPDX-License-Identifier: MIT
/* Kernels whose channels part, gather, scatter and update, and those that read images. */
#include "bench_device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	ROWS = 1 << 14,
	ENTRIES = 16 * ROWS,
	NUMBERS = 1 << 17,
	SORTED = 1 << 16,
	ITEMS = 1 << 19,
	TABLE = 1 << 18,
	KEYS = TABLE / 4,
	SIDE = 512,
};

static cl_int rows[ROWS + 1], columns[ENTRIES];
static float values[ENTRIES], x[ROWS], picture[SIDE * SIDE * 4];
static cl_uint words[ITEMS], list[ITEMS], bins[2048], empty[TABLE];
static cl_ushort shorts[ITEMS];

static void prepare_sparse(cl_kernel kernel)
{
	cl_uint seed = 51;

	for (int row = 0; row < ROWS; row++) /* up to 16 entries in a row */
		rows[row + 1] = rows[row] + (cl_int)(bench_random(&seed) % 17);
	for (int i = 0; i < ENTRIES; i++)
		columns[i] = (cl_int)(bench_random(&seed) % ROWS);
	bench_floats(values, ENTRIES, 52);
	bench_floats(x, ROWS, 53);
	bench_buffer(kernel, 0, rows, sizeof(rows));
	bench_buffer(kernel, 1, columns, sizeof(columns));
	bench_buffer(kernel, 2, values, sizeof(values));
	bench_buffer(kernel, 3, x, sizeof(x));
	bench_result(kernel, 4, sizeof(x));
}

static bool sparse_is_right(const void *result)
{
	const float *got = result;

	for (int row = 0; row < ROWS; row++) {
		double sum = 0;
		for (int k = rows[row]; k < rows[row + 1]; k++)
			sum += (double)values[k] * (double)x[columns[k]];
		if (!(fabs((double)got[row] - sum) <= 1e-5))
			return false;
	}
	return true;
}

static void prepare_collatz(cl_kernel kernel)
{
	bench_result(kernel, 0, sizeof(cl_int) * NUMBERS);
}

static bool collatz_is_right(const void *result)
{
	const cl_int *got = result;

	for (cl_uint i = 0; i < NUMBERS; i++) {
		cl_uint n = i + 1;
		int steps = 0;
		for (; n != 1; steps++)
			n = n % 2 ? 3 * n + 1 : n / 2;
		if (got[i] != steps)
			return false;
	}
	return true;
}

static int by_size(const void *p, const void *q)
{
	cl_uint a = *(const cl_uint *)p, b = *(const cl_uint *)q;

	return (a > b) - (a < b);
}

static void prepare_search(cl_kernel kernel)
{
	bench_words(list, SORTED, 54);
	qsort(list, SORTED, sizeof(*list), by_size);
	bench_words(words, NUMBERS, 55);
	bench_buffer(kernel, 0, list, sizeof(*list) * SORTED);
	bench_buffer(kernel, 1, words, sizeof(*words) * NUMBERS);
	bench_int(kernel, 3, SORTED);
	bench_result(kernel, 2, sizeof(cl_int) * NUMBERS);
}

static bool search_is_right(const void *result)
{
	const cl_int *got = result;

	for (int i = 0; i < NUMBERS; i++)
		if (got[i] < 0 || got[i] > SORTED || (got[i] > 0 && list[got[i] - 1] >= words[i]) ||
			(got[i] < SORTED && list[got[i]] < words[i]))
			return false;
	return true;
}

static void prepare_permute(cl_kernel kernel)
{
	for (cl_uint i = 0; i < ITEMS; i++) { /* an odd factor reaches each place once */
		list[i] = (i * 40503u + 7) % ITEMS;
		shorts[i] = (cl_ushort)(i * 31);
	}
	bench_buffer(kernel, 0, shorts, sizeof(shorts));
	bench_buffer(kernel, 1, list, sizeof(list));
	bench_result(kernel, 2, sizeof(shorts));
}

static bool permute_is_right(const void *result)
{
	const cl_ushort *got = result;

	for (int i = 0; i < ITEMS; i++)
		if (got[list[i]] != (cl_ushort)(shorts[i] + 1))
			return false;
	return true;
}

static void prepare_count_global(cl_kernel kernel)
{
	bench_words(words, ITEMS, 56);
	bench_buffer(kernel, 0, words, sizeof(words));
	bench_buffer(kernel, 1, bins, sizeof(bins));
}

static bool count_global_is_right(const void *result)
{
	cl_uint wanted[2048] = { 0 };

	for (int i = 0; i < ITEMS; i++) {
		cl_uint *most = &wanted[1024 + (words[i] >> 10 & 1023)];
		wanted[words[i] & 1023]++;
		*most = *most > words[i] ? *most : words[i];
	}
	return !memcmp(result, wanted, sizeof(wanted));
}

static void prepare_hash_insert(cl_kernel kernel)
{
	bench_words(words, KEYS, 57);
	for (int i = 0; i < KEYS; i++)
		words[i] |= 1; /* never 0 */
	bench_buffer(kernel, 0, words, sizeof(*words) * KEYS);
	bench_int(kernel, 2, TABLE - 1);
	bench_buffer(kernel, 1, empty, sizeof(empty));
}

/* Each key is where its chain leads, once; nothing else is there. */
static bool hash_insert_is_right(const void *result)
{
	const cl_uint *table = result;
	int filled = 0, distinct = 0;

	for (int i = 0; i < KEYS; i++) {
		cl_uint at = words[i] * 2654435761u >> 7;
		while (table[at % TABLE] != words[i])
			if (table[at++ % TABLE] == 0)
				return false;
	}
	for (int i = 0; i < TABLE; i++)
		filled += table[i] != 0;
	qsort(words, KEYS, sizeof(*words), by_size);
	for (int i = 0; i < KEYS; i++)
		distinct += i == 0 || words[i] != words[i - 1];
	return filled == distinct;
}

/* -- Images ---------------------------------------------------------------------------------- */

static void prepare_blur(cl_kernel kernel)
{
	bench_floats(picture, SIDE * SIDE * 4, 58);
	bench_image(kernel, 0, (cl_image_format){ CL_RGBA, CL_FLOAT }, SIDE, SIDE, picture);
	bench_int(kernel, 2, SIDE);
	bench_result(kernel, 1, sizeof(picture));
}

static double texel(int px, int py, int channel)
{
	px = px < 0 ? 0 : px >= SIDE ? SIDE - 1 : px;
	py = py < 0 ? 0 : py >= SIDE ? SIDE - 1 : py;
	return (double)picture[(py * SIDE + px) * 4 + channel];
}

static bool blur_is_right(const void *result)
{
	const float *got = result;

	for (int i = 0; i < SIDE * SIDE * 4; i++) {
		int px = i / 4 % SIDE, py = i / 4 / SIDE;
		double sum = 0;
		for (int down = -1; down <= 1; down++)
			for (int right = -1; right <= 1; right++)
				for (int k = 0; k < 4; k++)
					sum += texel(px + right + k % 2, py + down + k / 2, i % 4);
		if (!(fabs((double)got[i] - sum / 36) <= 1e-4))
			return false;
	}
	return true;
}

static void prepare_flip(cl_kernel kernel)
{
	bench_words(words, SIDE * SIDE, 59);
	bench_image(kernel, 0, (cl_image_format){ CL_RGBA, CL_UNSIGNED_INT8 }, SIDE, SIDE, words);
	bench_image(kernel, 1, (cl_image_format){ CL_RGBA, CL_UNSIGNED_INT8 }, SIDE, SIDE, list);
}

static bool flip_is_right(const void *result)
{
	const cl_uchar *got = result, *in = (const cl_uchar *)words;

	for (int i = 0; i < SIDE * SIDE * 4; i++) {
		int wanted = in[(SIDE * SIDE - 1 - i / 4) * 4 + i % 4] + 16;
		if (got[i] != (wanted < 255 ? wanted : 255))
			return false;
	}
	return true;
}

const struct bench_kernel bench_irregular_kernels[] = {
	{ "irregular", "sparse", 1, { ROWS }, { 256 }, prepare_sparse, sparse_is_right },
	{ "irregular", "collatz", 1, { NUMBERS }, { 256 }, prepare_collatz, collatz_is_right },
	{ "irregular", "search", 1, { NUMBERS }, { 256 }, prepare_search, search_is_right },
	{ "irregular", "permute", 1, { ITEMS }, { 256 }, prepare_permute, permute_is_right },
	{ "irregular", "count_global", 1, { ITEMS }, { 256 }, prepare_count_global,
		count_global_is_right },
	{ "irregular", "hash_insert", 1, { KEYS }, { 256 }, prepare_hash_insert,
		hash_insert_is_right },
	{ "image", "blur", 2, { SIDE, SIDE }, { 32, 8 }, prepare_blur, blur_is_right },
	{ "image", "flip", 2, { SIDE, SIDE }, { 32, 8 }, prepare_flip, flip_is_right },
	{ NULL },
};
