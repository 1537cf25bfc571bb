// SPDX-License-Identifier: MIT
/*
 * Blocks of images that a sub-group reads and writes together: the image functions of
 * cl_intel_subgroups and its relatives, and cl_intel_media_block_io, against plain memory.
 */
#include "cl/cl_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 256, HEIGHT = 24, BYTES = WIDTH * HEIGHT }; /* of images with a byte per pixel */

static const struct type {
	const char *suffix;
	const char *name;
	size_t size;
} types[] = {
	{ "_uc", "uchar", 1 },
	{ "_us", "ushort", 2 },
	{ "_ui", "uint", 4 },
	{ "_ul", "ulong", 8 },
};

static cl_mem make_image(const uint8_t *bytes)
{
	const cl_image_format format = { CL_R, CL_UNSIGNED_INT8 };
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT
	};
	cl_int rc;
	cl_mem image = clCreateImage(
		cl.context, CL_MEM_COPY_HOST_PTR, &format, &desc, (void *)(uintptr_t)bytes, &rc);

	CL(rc);
	return image;
}

static void read_image(cl_mem image, uint8_t *bytes)
{
	const size_t zero[3] = { 0 }, all[3] = { WIDTH, HEIGHT, 1 };

	memset(bytes, 0xee, BYTES);
	CL(clEnqueueReadImage(cl.queue, image, CL_TRUE, zero, all, 0, 0, bytes, 0, NULL, NULL));
}

static void fill(uint8_t *bytes)
{
	for (int i = 0; i < BYTES; i++)
		bytes[i] = (uint8_t)(rand() >> 5);
}

/* One sub-group runs `body` over images a and b with the pixels of `in` and `out`. */
static void run(const char *body, unsigned width, const uint8_t *in, uint8_t *out)
{
	char source[2048];
	const size_t size = width;

	snprintf(source, sizeof source,
		"__attribute__((intel_reqd_sub_group_size(%u)))\n"
		"kernel void k(read_only image2d_t a, write_only image2d_t b) {\n%s\n}\n",
		width, body);
	cl_kernel kernel = cl_make_kernel(source, "-cl-std=CL3.0", "k");
	cl_mem a = make_image(in), b = make_image(out);

	cl_set_buffer(kernel, 0, a);
	cl_set_buffer(kernel, 1, b);
	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL));
	read_image(b, out);
	CL(clReleaseMemObject(a));
	CL(clReleaseMemObject(b));
	cl_kernel_done(kernel);
}

/* Rows from one place to another: `n` rows of `width` elements. */
static void check_rows(const struct type *type, unsigned n, unsigned width)
{
	static uint8_t in[BYTES], out[BYTES], want[BYTES];
	const unsigned from[2] = { 16, 3 }, to[2] = { 32, 5 };
	size_t row = width * type->size;
	char body[512], count[12] = "";

	if (n > 1)
		snprintf(count, sizeof count, "%u", n);
	fill(in);
	fill(out);
	memcpy(want, out, BYTES);
	for (unsigned y = 0; y < n; y++)
		memcpy(want + (to[1] + y) * WIDTH + to[0], in + (from[1] + y) * WIDTH + from[0],
			row);
	snprintf(body, sizeof body,
		" %s%s v = intel_sub_group_block_read%s%s(a, (int2)(%u, %u));\n"
		" intel_sub_group_block_write%s%s(b, (int2)(%u, %u), v);",
		type->name, count, type->suffix, count, from[0], from[1], type->suffix, count,
		to[0], to[1]);
	run(body, width, in, out);
	for (int i = 0; i < BYTES; i++)
		if (out[i] != want[i])
			fail_msg("%s%s, %u wide: byte (%d, %d) is 0x%02x, not 0x%02x", type->name,
				count, width, i % WIDTH, i / WIDTH, out[i], want[i]);
}

static void test_rows(void **state)
{
	static const unsigned counts[] = { 1, 2, 4, 8 }, widths[] = { 8, 16 };

	(void)state;
	if (!cl_has("cl_intel_subgroups"))
		skip();
	for (size_t t = 0; t < sizeof types / sizeof *types; t++)
		for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
			for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
				check_rows(&types[t], counts[n], widths[w]);
}

/* Rectangles of `width` x `height` elements, which the sub-group's items share. */
static void check_media(
	const struct type *type, unsigned n, unsigned simd, unsigned width, unsigned height)
{
	static uint8_t in[BYTES], out[BYTES], want[BYTES];
	const unsigned from[2] = { 24, 2 }, to[2] = { 64, 6 };
	char body[512], count[12] = "";

	if (n > 1)
		snprintf(count, sizeof count, "%u", n);
	fill(in);
	fill(out);
	memcpy(want, out, BYTES);
	for (unsigned y = 0; y < height; y++)
		memcpy(want + (to[1] + y) * WIDTH + to[0], in + (from[1] + y) * WIDTH + from[0],
			width * type->size);
	snprintf(body, sizeof body,
		" %s%s v = intel_sub_group_media_block_read%s%s((int2)(%u, %u), %u, %u, a);\n"
		" intel_sub_group_media_block_write%s%s((int2)(%u, %u), %u, %u, v, b);",
		type->name, count, type->suffix, count, from[0], from[1], width, height,
		type->suffix, count, to[0], to[1], width, height);
	run(body, simd, in, out);
	for (int i = 0; i < BYTES; i++)
		if (out[i] != want[i])
			fail_msg("media %s%s %ux%u, %u wide: byte (%d, %d) is 0x%02x, not 0x%02x",
				type->name, count, width, height, simd, i % WIDTH, i / WIDTH,
				out[i], want[i]);
}

static void test_media(void **state)
{
	static const struct {
		unsigned type, n, simd, width, height;
	} rows[] = {
		{ 0, 16, 16, 16, 16 },
		{ 0, 8, 16, 16, 8 },
		{ 0, 1, 16, 16, 1 },
		{ 0, 4, 16, 4, 16 },
		{ 1, 8, 16, 16, 8 },
		{ 1, 2, 16, 8, 4 },
		{ 1, 4, 8, 8, 4 },
		{ 2, 4, 16, 8, 8 },
		{ 2, 1, 8, 8, 1 },
		{ 2, 2, 8, 4, 4 },
		{ 2, 4, 8, 8, 4 },
	};

	(void)state;
	if (!cl_has("cl_intel_media_block_io"))
		skip();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		check_media(&types[rows[i].type], rows[i].n, rows[i].simd, rows[i].width,
			rows[i].height);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_media),
	};

	return CL_RUN(argc, argv, tests);
}
