// SPDX-License-Identifier: MIT
/*
 * The image block built-ins of cl_intel_subgroups and its relatives and of cl_intel_media_block_io,
 * in and around the image: reads repeat the edge's texels, writes vanish.
 */
#include "cl/cl_case.h"
#include "test_random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed;

enum { BLOCKS = 24, PITCH = 76 * 4, ROWS = 37, POISON = 0xa5, MAX_DATA = 32 * 16 * 8 };

struct element {
	const char *suffix; /* of block_read and block_write */
	const char *type;
	const char *extension;
	int bytes, most; /* components */
};

static const struct element elements[] = {
	{ "", "uint", "cl_intel_subgroups", 4, 8 },
	{ "_us", "ushort", "cl_intel_subgroups_short", 2, 8 },
	{ "_uc", "uchar", "cl_intel_subgroups_char", 1, 16 },
	{ "_ul", "ulong", "cl_intel_subgroups_long", 8, 8 },
};

/* Rectangles of the media block built-ins: bytes by rows. */
static const int sizes[][2] = { { 4, 64 }, { 4, 3 }, { 8, 32 }, { 12, 16 }, { 16, 16 }, { 16, 1 },
	{ 20, 8 }, { 24, 5 }, { 28, 8 }, { 32, 8 } };

static uint8_t model[ROWS][PITCH];

static bool can_run(const char *extension)
{
	return cl_has_images() && cl_has(extension);
}

static cl_mem make_image(cl_channel_type type, int bytes, cl_mem_flags flags)
{
	const cl_image_format format = { CL_R, type };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = (size_t)(PITCH / bytes),
		.image_height = ROWS };
	const size_t origin[3] = { 0, 0, 0 }, region[3] = { desc.image_width, ROWS, 1 };
	cl_int rc;
	cl_mem image = clCreateImage(cl.context, flags, &format, &desc, NULL, &rc);

	CL(rc);
	for (int i = 0; i < ROWS * PITCH; i++)
		model[i / PITCH][i % PITCH] = (uint8_t)(test_random(&seed) >> 7);
	CL(clEnqueueWriteImage(
		cl.queue, image, CL_TRUE, origin, region, 0, 0, model, 0, NULL, NULL));
	return image;
}

static int clamp(int x, int end)
{
	return x < 0 ? 0 : x >= end ? end - 1 : x;
}

/* The byte that a read finds at (x, y) of an image of texels of that many bytes. */
static uint8_t byte_at(int x, int y, int texel)
{
	int within = (x % texel + texel) % texel;

	return model[clamp(y, ROWS)][clamp((x - within) / texel, PITCH / texel) * texel + within];
}

/* Corners of blocks, some in the image, some across each edge, some beyond. */
static void make_corners(cl_int2 *corners, bool inside)
{
	for (int i = 0; i < BLOCKS; i++) {
		corners[i].x = inside ? test_random(&seed) % 8 * 4
				      : test_random(&seed) % (PITCH / 4 + 80) * 4 - 160;
		corners[i].y =
			inside ? test_random(&seed) % 16 : test_random(&seed) % (3 * ROWS) - ROWS;
	}
	corners[0].x = corners[0].y = 0;
}

static void run_blocks(
	cl_kernel kernel, cl_mem image, const cl_int2 *corners, int lanes, cl_mem data)
{
	cl_mem at = cl_make_buffer(BLOCKS * sizeof *corners, corners);

	CL(clSetKernelArg(kernel, 0, sizeof image, &image));
	cl_set_buffer(kernel, 1, at);
	cl_set_buffer(kernel, 2, data);
	cl_launch(kernel, (size_t)(BLOCKS * lanes), (size_t)lanes);
	CL(clFinish(cl.queue));
	CL(clReleaseMemObject(at));
}

static cl_kernel make_kernel(cl_program program, const char *name)
{
	cl_kernel kernel = cl_kernel_of(program, name);

	return kernel;
}

static cl_mem make_data(uint8_t *bytes)
{
	for (int i = 0; i < BLOCKS * MAX_DATA; i++)
		bytes[i] = (uint8_t)(test_random(&seed) >> 7);
	return cl_make_buffer(BLOCKS * MAX_DATA, bytes);
}

static void compare_image(cl_mem image, int texel, const char *name, int lanes)
{
	static uint8_t got[ROWS][PITCH];
	const size_t origin[3] = { 0, 0, 0 }, region[3] = { (size_t)(PITCH / texel), ROWS, 1 };

	memset(got, POISON, sizeof got);
	CL(clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, 0, 0, got, 0, NULL, NULL));
	for (int y = 0; y < ROWS; y++)
		for (int x = 0; x < PITCH; x++)
			if (got[y][x] != model[y][x])
				fail_msg("%s, %d lanes: byte (%d, %d) is 0x%02x, not 0x%02x", name,
					lanes, x, y, got[y][x], model[y][x]);
}

/* ---- rows of one value for each work-item ---- */

static void check_read(cl_program program, const struct element *element, int n, int lanes)
{
	static const cl_channel_type types[] = { CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, 0,
		CL_UNSIGNED_INT32 };
	static uint8_t got[BLOCKS * MAX_DATA];
	cl_int2 corners[BLOCKS];
	char name[16];
	cl_kernel kernel;

	snprintf(name, sizeof name, "r%s%d", element->suffix, n);
	kernel = make_kernel(program, name);
	for (int texel = 1; texel <= 4; texel *= 2) {
		cl_mem image = make_image(types[texel - 1], texel, CL_MEM_READ_ONLY);
		cl_mem data = make_data(got);
		int size = element->bytes;

		/* These functions know the image's width in dwords only. */
		make_corners(corners, texel != 4);
		run_blocks(kernel, image, corners, lanes, data);
		cl_read(data, sizeof got, got);
		for (int i = 0; i < BLOCKS * lanes * n * size; i++) {
			int byte = i % size, c = i / size % n, lane = i / size / n % lanes;
			int block = i / size / n / lanes;
			int x = corners[block].x + lane * size + byte, y = corners[block].y + c;
			if (got[i] != byte_at(x, y, texel))
				fail_msg("block_read%s%d, %d lanes, texels of %d, block at (%d, "
					 "%d): byte %d of lane %d, row %d is 0x%02x, not 0x%02x",
					element->suffix, n, lanes, texel, corners[block].x,
					corners[block].y, byte, lane, c, got[i],
					byte_at(x, y, texel));
		}
		CL(clReleaseMemObject(image));
		CL(clReleaseMemObject(data));
	}
	CL(clReleaseKernel(kernel));
}

/* One block after the other, since they overlap. */
static void check_write(cl_program program, const struct element *element, int n, int lanes)
{
	static uint8_t bytes[BLOCKS * MAX_DATA];
	cl_mem image = make_image(CL_UNSIGNED_INT32, 4, CL_MEM_READ_WRITE);
	cl_mem data = make_data(bytes);
	cl_int2 corners[BLOCKS];
	char name[16];
	cl_kernel kernel;
	int size = element->bytes;

	snprintf(name, sizeof name, "w%s%d", element->suffix, n);
	kernel = make_kernel(program, name);
	make_corners(corners, false);
	for (int block = 0; block < BLOCKS; block++) {
		cl_int2 same[BLOCKS];

		for (int i = 0; i < BLOCKS; i++) {
			same[i].x = i ? 4 * PITCH : corners[block].x;
			same[i].y = i ? ROWS : corners[block].y;
		}
		run_blocks(kernel, image, same, lanes, data);
		for (int i = 0; i < lanes * n * size; i++) {
			int lane = i / size / n;
			int x = corners[block].x + lane * size + i % size;
			int y = corners[block].y + i / size % n;
			if (x >= 0 && x < PITCH && y >= 0 && y < ROWS)
				model[y][x] = bytes[i];
		}
	}
	compare_image(image, 4, name, lanes);
	CL(clReleaseMemObject(image));
	CL(clReleaseMemObject(data));
	CL(clReleaseKernel(kernel));
}

static cl_program build_blocks(int lanes)
{
	static char source[16384];
	int at = 0;

	for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
		for (int n = 1; n <= elements[i].most && cl_has(elements[i].extension); n *= 2) {
			char number[16] = "";

			if (n > 1)
				snprintf(number, sizeof number, "%d", n);
			at += snprintf(source + at, sizeof source - (size_t)at,
				"kernel __attribute__((intel_reqd_sub_group_size(%d)))\n"
				"void r%s%d(read_only image2d_t i, global int2 *at, global %s%s "
				"*o) {\n o[get_global_id(0)] = intel_sub_group_block_read%s%s(i, "
				"at[get_group_id(0)]); }\n"
				"kernel __attribute__((intel_reqd_sub_group_size(%d)))\n"
				"void w%s%d(write_only image2d_t i, global int2 *at, global %s%s "
				"*o) {\n intel_sub_group_block_write%s%s(i, at[get_group_id(0)], "
				"o[get_global_id(0)]); }\n",
				lanes, elements[i].suffix, n, elements[i].type, number,
				elements[i].suffix, number, lanes, elements[i].suffix, n,
				elements[i].type, number, elements[i].suffix, number);
		}
	return cl_build(source, "");
}

static void test_blocks(void **state)
{
	(void)state;
	skip_if(!can_run(elements[0].extension));
	for (int lanes = 8; lanes <= 16; lanes *= 2) { /* the compiler has no more */
		cl_program program = build_blocks(lanes);

		for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
			for (int n = 1; n <= elements[i].most && cl_has(elements[i].extension);
				n *= 2) {
				check_read(program, &elements[i], n, lanes);
				check_write(program, &elements[i], n, lanes);
			}
		CL(clReleaseProgram(program));
	}
}

/* ---- rectangles ---- */

/* How many values of an element a work-item has. */
static int values_of(int e)
{
	return e ? 16 : 8;
}

/* Bytes between rows: the compiler leaves them as the hardware does, powers of two apart. */
static int pitch_of(size_t number)
{
	int pitch = 4;

	while (pitch < sizes[number][0])
		pitch *= 2;
	return pitch;
}

/* Rows that fit into what all work-items have. */
static int rows_of(size_t number, int e, int lanes)
{
	int most = lanes * values_of(e) * elements[e].bytes / pitch_of(number);

	return sizes[number][1] < most ? sizes[number][1] : most;
}

static cl_program build_rectangles(int lanes)
{
	static char source[32768];
	int at = 0;

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (int e = 0; e < 3; e++)
			at += snprintf(source + at, sizeof source - (size_t)at,
				"kernel __attribute__((intel_reqd_sub_group_size(%d)))\n"
				"void r%zu_%d(read_only image2d_t i, global int2 *at, global %s%d "
				"*o) {\n o[get_global_id(0)] = intel_sub_group_media_block_read"
				"_%s%d(at[get_group_id(0)], %d, %d, i); }\n"
				"kernel __attribute__((intel_reqd_sub_group_size(%d)))\n"
				"void w%zu_%d(write_only image2d_t i, global int2 *at, global %s%d "
				"*o) {\n intel_sub_group_media_block_write_%s%d("
				"at[get_group_id(0)], %d, %d, o[get_global_id(0)], i); }\n",
				lanes, i, e, elements[e].type, values_of(e),
				e ? elements[e].suffix + 1 : "ui", values_of(e),
				sizes[i][0] / elements[e].bytes, rows_of(i, e, lanes), lanes, i, e,
				elements[e].type, values_of(e), e ? elements[e].suffix + 1 : "ui",
				values_of(e), sizes[i][0] / elements[e].bytes,
				rows_of(i, e, lanes));
	return cl_build(source, "");
}

static void check_rectangle(cl_program program, size_t number, int e, int lanes, bool write)
{
	static uint8_t bytes[BLOCKS * MAX_DATA], before[BLOCKS * MAX_DATA];
	const int size = elements[e].bytes, n = values_of(e);
	const int width = sizes[number][0] / size, height = rows_of(number, e, lanes);
	const int pitch = pitch_of(number) / size;
	cl_mem image = make_image(CL_UNSIGNED_INT8, 1, CL_MEM_READ_WRITE);
	cl_mem data = make_data(bytes);
	cl_int2 corners[BLOCKS];
	char name[16];
	cl_kernel kernel;

	snprintf(name, sizeof name, "%c%zu_%d", write ? 'w' : 'r', number, e);
	kernel = make_kernel(program, name);
	make_corners(corners, false);
	for (int i = 1; write && i < BLOCKS; i++) /* they would overlap */
		corners[i].x = corners[i].y = 1000;
	memcpy(before, bytes, sizeof before);
	run_blocks(kernel, image, corners, lanes, data);
	if (!write)
		cl_read(data, sizeof bytes, bytes);
	for (int i = 0; i < BLOCKS * pitch * height; i++) {
		int block = i / (pitch * height), k = i % (pitch * height);
		int lane = k % lanes, c = k / lanes;
		if (c >= n || k % pitch >= width)
			continue;
		for (int b = 0; b < size; b++) {
			int at = ((block * lanes + lane) * n + c) * size + b;
			int x = corners[block].x + k % pitch * size + b;
			int y = corners[block].y + k / pitch;
			if (write && x >= 0 && x < PITCH && y >= 0 && y < ROWS)
				model[y][x] = before[at];
			if (!write && bytes[at] != byte_at(x, y, 1))
				fail_msg("media_block_read %s, %d by %d, %d lanes, at (%d, %d): "
					 "value %d, byte %d is 0x%02x, not 0x%02x",
					elements[e].type, width, height, lanes, corners[block].x,
					corners[block].y, k, b, bytes[at], byte_at(x, y, 1));
		}
	}
	if (write)
		compare_image(image, 1, name, lanes);
	CL(clReleaseMemObject(image));
	CL(clReleaseMemObject(data));
	CL(clReleaseKernel(kernel));
}

static void test_rectangles(void **state)
{
	(void)state;
	skip_if(!can_run("cl_intel_media_block_io"));
	for (int lanes = 8; lanes <= 16; lanes *= 2) {
		cl_program program = build_rectangles(lanes);

		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
			for (int e = 0; e < 3; e++) {
				check_rectangle(program, i, e, lanes, false);
				check_rectangle(program, i, e, lanes, true);
			}
		CL(clReleaseProgram(program));
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_rectangles),
	};

	return CL_RUN(argc, argv, tests);
}
