// SPDX-License-Identifier: MIT
/*
 * 1D images of buffers beyond what one dimension of an image can have: reads, writes and queries by
 * kernels, in all formats and both forms of a kernel, and what the host does with them.
 */
#include "cl/cl_case.h"
#include "test_random.h"

#include <stdlib.h>
#include <string.h>

static uint64_t seed;

enum { GUARD = 64 };

static size_t most(void)
{
	size_t n = 0;

	CL(clGetDeviceInfo(cl.device, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, sizeof n, &n, NULL));
	return n;
}

static cl_mem make_image(cl_mem buffer, cl_image_format format, size_t n)
{
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = n, .mem_object = buffer
	};
	cl_int rc = 4711;
	cl_mem image = clCreateImage(cl.context, 0, &format, &desc, NULL, &rc);

	CL(rc);
	return image;
}

static const cl_image_format rgba8 = { CL_RGBA, CL_UNSIGNED_INT8 };

/* So many random bytes, and a guard behind them. */
static uint8_t *make_bytes(size_t size)
{
	uint8_t *bytes = malloc(size + GUARD);

	assert_non_null(bytes);
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(test_random(&seed) >> 7);
	memset(bytes + size, 0xd7, GUARD);
	return bytes;
}

/* b[i] = a[n - 1 - i] + 3, at most 255, through functions, with the sizes that they see. */
static const char turn[] =
	"uint width(read_only image1d_buffer_t a) { return get_image_width(a); }\n"
	"__attribute__((noinline)) uint4 at(read_only image1d_buffer_t a, int i)\n"
	"{ return read_imageui(a, (int)width(a) - 1 - i); }\n"
	"void put(write_only image1d_buffer_t b, int i, uint4 v) { write_imageui(b, i, v); }\n"
	"kernel void turn(read_only image1d_buffer_t a, write_only image1d_buffer_t b,\n"
	"	global uint *o) {\n"
	"	int i = get_global_id(0);\n"
	"	put(b, i, at(a, i) + 3);\n"
	"	if (!i) { o[0] = width(a); o[1] = get_image_width(b); }\n"
	"}\n";

/* Byte i of what it makes of n pixels. */
static int turned_byte(const uint8_t *bytes, size_t n, size_t i)
{
	int sum = bytes[4 * (n - 1 - i / 4) + i % 4] + 3;

	return sum < 255 ? sum : 255;
}

static void check_size(cl_kernel kernel, size_t n)
{
	const size_t size = 4 * n;
	uint8_t *bytes = make_bytes(size), *got = make_bytes(size);
	cl_uint told[2] = { 0xeeeeeeee, 0xeeeeeeee };
	cl_mem from = cl_make_buffer(size + GUARD, bytes), to = cl_make_buffer(size + GUARD, got);
	cl_mem out = cl_make_buffer(sizeof told, told);
	cl_mem a = make_image(from, rgba8, n), b = make_image(to, rgba8, n);

	cl_set_buffer(kernel, 0, a);
	cl_set_buffer(kernel, 1, b);
	cl_set_buffer(kernel, 2, out);
	cl_launch(kernel, n, 0);
	memset(got, 0xee, size + GUARD);
	cl_read(to, size + GUARD, got);
	cl_read(out, sizeof told, told);
	assert_int_equal(told[0], n);
	assert_int_equal(told[1], n);
	for (size_t i = 0; i < size; i++)
		if (got[i] != turned_byte(bytes, n, i))
			fail_msg("of %zu pixels, byte %zu is wrong", n, i);
	assert_memory_equal(got + size, bytes + size, GUARD);
	cl_read(from, size + GUARD, got);
	assert_memory_equal(got, bytes, size + GUARD);
	CL(clReleaseMemObject(a));
	CL(clReleaseMemObject(b));
	CL(clReleaseMemObject(from));
	CL(clReleaseMemObject(to));
	CL(clReleaseMemObject(out));
	free(bytes);
	free(got);
}

static void test_sizes(void **state)
{
	static const size_t sizes[] = { 1, 2047, 2048, 2049, 8191, 8192, 8193, 16383, 16384, 16385,
		65536 + 7, 500001 };

	(void)state;
	skip_if(!cl_has_images());
	assert_true(most() >= 65536);
	cl_kernel kernel = cl_make_kernel(turn, "", "turn");
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		if (sizes[i] <= most())
			check_size(kernel, sizes[i]);
	cl_kernel_done(kernel);
}

/* A binary of the program, and the program anew. */
static void test_binary(void **state)
{
	cl_int rc, status;
	size_t size = 0;

	(void)state;
	skip_if(!cl_has_images());
	cl_program program = cl_build(turn, "");
	CL(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
	unsigned char *binary = malloc(size);
	CL(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
	CL(clReleaseProgram(program));
	program = clCreateProgramWithBinary(cl.context, 1, &cl.device, &size,
		(const unsigned char *[]){ binary }, &status, &rc);
	CL(rc);
	CL(status);
	free(binary);
	CL(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
	cl_kernel kernel = cl_kernel_of(program, "turn");
	check_size(kernel, 50021);
	check_size(kernel, 99);
	CL(clReleaseKernel(kernel));
	CL(clReleaseProgram(program));
}

/* Both forms of a kernel: a range with a ragged edge and what only the second one knows. */
static void test_forms(void **state)
{
	static const char source[] =
		"kernel void inc(read_write image1d_buffer_t a, global uint *o) {\n"
		" int i = get_global_id(0);\n"
		" write_imageui(a, i, read_imageui(a, i).wxyz + (uint4)(0, 1, 0, 1));\n"
		" if (!i) { o[0] = get_work_dim(); o[1] = get_image_width(a);\n"
		"  o[2] = get_image_channel_order(a); o[3] = get_image_channel_data_type(a); } }\n";
	const cl_image_format rgba16 = { CL_RGBA, CL_UNSIGNED_INT16 };
	const size_t n = 40009, local = 64;
	cl_uint told[4] = { 0 };
	uint16_t *got;

	(void)state;
	skip_if(!cl_has_images() || (!cl.ours && !cl.intel));
	cl_kernel kernel = cl_make_kernel(source, "-cl-std=CL3.0", "inc");
	uint16_t *pixels = (uint16_t *)(void *)make_bytes(8 * n);
	got = (uint16_t *)(void *)make_bytes(8 * n);
	for (size_t i = 0; i < 4 * n; i++)
		pixels[i] &= 0x7fff;
	cl_mem buffer = cl_make_buffer(8 * n + GUARD, pixels), out = cl_make_buffer(16, NULL);
	cl_mem image = make_image(buffer, rgba16, n);
	cl_set_buffer(kernel, 0, image);
	cl_set_buffer(kernel, 1, out);
	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &n, &local, 0, NULL, NULL));
	memset(got, 0xee, 8 * n + GUARD);
	cl_read(buffer, 8 * n + GUARD, got);
	cl_read(out, sizeof told, told);
	assert_int_equal(told[0], 1);
	assert_int_equal(told[1], n);
	assert_int_equal(told[2], CL_RGBA);
	assert_int_equal(told[3], CL_UNSIGNED_INT16);
	for (size_t i = 0; i < 4 * n; i++)
		assert_int_equal(got[i], pixels[i / 4 * 4 + (i + 3) % 4] + i % 2);
	assert_memory_equal(got + 4 * n, pixels + 4 * n, GUARD);
	CL(clReleaseMemObject(image));
	CL(clReleaseMemObject(buffer));
	CL(clReleaseMemObject(out));
	cl_kernel_done(kernel);
	free(pixels);
	free(got);
}

static char kind_of(cl_image_format format)
{
	if (format.image_channel_data_type >= CL_UNSIGNED_INT8 &&
		format.image_channel_data_type <= CL_UNSIGNED_INT32)
		return 'u';
	return format.image_channel_data_type >= CL_SIGNED_INT8 &&
			       format.image_channel_data_type <= CL_SIGNED_INT32
		       ? 'i'
		       : 'f';
}

/* Copied by the kernel of its kind; the kernel says what the format is. */
static void check_format(cl_kernel kernel, cl_image_format format)
{
	const size_t n = 16384 + 101;
	cl_uint told[2] = { 0, 0 };
	size_t pixel = 0;
	cl_mem from = cl_make_buffer(16 * n, NULL), to = cl_make_buffer(16 * n, NULL);
	cl_mem out = cl_make_buffer(sizeof told, NULL);
	cl_mem a = make_image(from, format, n), b = make_image(to, format, n);

	CL(clGetImageInfo(a, CL_IMAGE_ELEMENT_SIZE, sizeof pixel, &pixel, NULL));
	uint8_t *bytes = make_bytes(n * pixel), *got = make_bytes(n * pixel);
	for (size_t i = 0; i < n * pixel; i++)
		bytes[i] = (bytes[i] & 0x3b) | 8; /* no NaNs, no denormals, nothing below zero */
	CL(clEnqueueWriteBuffer(cl.queue, from, CL_TRUE, 0, n * pixel, bytes, 0, NULL, NULL));
	CL(clEnqueueWriteBuffer(cl.queue, to, CL_TRUE, 0, n * pixel, got, 0, NULL, NULL));
	cl_set_buffer(kernel, 0, a);
	cl_set_buffer(kernel, 1, b);
	cl_set_buffer(kernel, 2, out);
	cl_launch(kernel, n, 0);
	cl_read(to, n * pixel, got);
	cl_read(out, sizeof told, told);
	assert_int_equal(told[0], format.image_channel_order);
	assert_int_equal(told[1], format.image_channel_data_type);
	if (memcmp(got, bytes, n * pixel))
		fail_msg("order 0x%x, components 0x%x: other pixels were copied",
			format.image_channel_order, format.image_channel_data_type);
	CL(clReleaseMemObject(a));
	CL(clReleaseMemObject(b));
	CL(clReleaseMemObject(from));
	CL(clReleaseMemObject(to));
	CL(clReleaseMemObject(out));
	free(bytes);
	free(got);
}

#define COPY(name, suffix)                                                                         \
	"kernel void " name "(read_only image1d_buffer_t a, write_only image1d_buffer_t b,\n"      \
	" global uint *o) { int i = get_global_id(0);\n"                                           \
	" write_image" suffix "(b, i, read_image" suffix "(a, i));\n"                              \
	" if (!i) { o[0] = get_image_channel_order(a); o[1] = get_image_channel_data_type(b); } "  \
	"}\n"

static void test_formats(void **state)
{
	static const char source[] = COPY("f", "f") COPY("i", "i") COPY("u", "ui");
	cl_image_format formats[200];
	cl_uint n = 0;

	(void)state;
	skip_if(!cl_has_images() || (!cl.ours && !cl.intel));
	cl_program program = cl_build(source, "");
	CL(clGetSupportedImageFormats(
		cl.context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE1D_BUFFER, 200, formats, &n));
	assert_in_range(n, 10, 200);
	for (cl_uint i = 0; i < n; i++) {
		const char name[2] = { kind_of(formats[i]), '\0' };

		/* Intel's lists ones that its kernels know under other names. */
		if (cl.intel && formats[i].image_channel_order != CL_RGBA)
			continue;
		cl_kernel kernel = cl_kernel_of(program, name);
		check_format(kernel, formats[i]);
		CL(clReleaseKernel(kernel));
	}
	CL(clReleaseProgram(program));
}

/* What the kernel is told of its parameters, and what it does not take. */
static void test_parameters(void **state)
{
	const cl_image_desc line = { .image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 64 };
	const cl_image_desc flat = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16384, .image_height = 2
	};
	char name[64] = "";
	cl_int rc;

	(void)state;
	skip_if(!cl.ours);
	cl_program program = cl_build(turn, "-cl-kernel-arg-info");
	cl_kernel kernel = cl_kernel_of(program, "turn");
	CL(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, NULL));
	assert_string_equal(name, "image1d_buffer_t");
	cl_mem other = clCreateImage(cl.context, 0, &rgba8, &line, NULL, &rc);
	CL(rc);
	CL_ROW(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 0, sizeof other, &other));
	CL(clReleaseMemObject(other));
	other = clCreateImage(cl.context, 0, &rgba8, &flat, NULL, &rc);
	CL(rc);
	CL_ROW(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 0, sizeof other, &other));
	CL(clReleaseMemObject(other));
	cl_rows_end();
	CL(clReleaseKernel(kernel));
	CL(clReleaseProgram(program));
}

/* The commands of the host around the ends of rows, seen by a kernel; of a part of a buffer. */
/* Two images of one buffer: what a kernel writes through the first is not undone by the second. */
static void test_two_images(void **state)
{
	static const char source[] =
		"kernel void both(write_only image1d_buffer_t a, write_only image1d_buffer_t b) {\n"
		"	int i = get_global_id(0); uint4 v = (uint4)(i & 255, i >> 8, 3, 4);\n"
		"	if (i & 1) write_imageui(a, i, v); else write_imageui(b, i, v);\n"
		"}\n";
	enum { N = 5000 };
	cl_kernel kernel = cl_make_kernel(source, "", "both");
	uint8_t *got = make_bytes(4 * N);

	(void)state;
	for (int order = 0; order < 2; order++) {
		uint8_t *bytes = make_bytes(4 * N);
		cl_mem buffer = cl_make_buffer(4 * N, bytes);
		cl_mem images[] = { make_image(buffer, rgba8, N), make_image(buffer, rgba8, N) };

		cl_set_buffer(kernel, order, images[0]);
		cl_set_buffer(kernel, !order, images[1]);
		cl_launch(kernel, N, 0);
		cl_read(buffer, 4 * N, got);
		for (int i = 0; i < N; i++) {
			const uint8_t want[] = { i & 255, i >> 8, 3, 4 };

			assert_memory_equal(got + 4 * i, want, 4);
		}
		free(bytes);
		CL(clReleaseMemObject(images[order]));
		CL(clReleaseMemObject(buffer));
		CL(clReleaseMemObject(images[!order]));
	}
	free(got);
	cl_kernel_done(kernel);
}

static void test_host(void **state)
{
	/* Intel's driver takes the offset of such a part twice when it maps the image. */
	const size_t n = 60000, start = cl.intel ? 0 : 4096, size = 4 * n;
	const size_t at[3] = { 16380, 0, 0 }, many[3] = { 33000, 1, 1 }, few[3] = { 8, 1, 1 };
	const size_t end[3] = { 59990, 0, 0 };
	const cl_uint colour[4] = { 9, 8, 7, 6 };
	const cl_buffer_region part = { start, size };
	uint8_t *want = make_bytes(start + size), *got = make_bytes(start + size);
	uint8_t *pixels = make_bytes(4 * many[0]);
	cl_int rc;

	(void)state;
	skip_if(!cl_has_images());
	cl_mem whole = cl_make_buffer(start + size + GUARD, want);
	cl_mem buffer = clCreateSubBuffer(
		whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &part, &rc);
	CL(rc);
	cl_mem image = make_image(buffer, rgba8, n);
	CL(clEnqueueWriteImage(cl.queue, image, CL_TRUE, at, many, 0, 0, pixels, 0, NULL, NULL));
	memcpy(want + start + 4 * at[0], pixels, 4 * many[0]);
	CL(clEnqueueFillImage(cl.queue, image, colour, end, few, 0, NULL, NULL));
	for (size_t i = 0; i < 4 * few[0]; i++)
		want[start + 4 * end[0] + i] = (uint8_t)colour[i % 4];
	const size_t to[3] = { 32766, 0, 0 };
	CL(clEnqueueCopyImage(cl.queue, image, image, end, to, few, 0, NULL, NULL));
	memcpy(want + start + 4 * to[0], want + start + 4 * end[0], 4 * few[0]);
	uint8_t *mapped = clEnqueueMapImage(cl.queue, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
		at, many, &(size_t){ 0 }, NULL, 0, NULL, NULL, &rc);
	CL(rc);
	assert_memory_equal(mapped, want + start + 4 * at[0], 4 * many[0]);
	memset(mapped + 12, 0x55, 8);
	memset(want + start + 4 * at[0] + 12, 0x55, 8);
	CL(clEnqueueUnmapMemObject(cl.queue, image, mapped, 0, NULL, NULL));
	memset(got, 0xee, start + size);
	CL(clEnqueueReadImage(cl.queue, image, CL_TRUE, at, many, 0, 0, got, 0, NULL, NULL));
	assert_memory_equal(got, want + start + 4 * at[0], 4 * many[0]);

	cl_mem target = cl_make_buffer(size, got), out = cl_make_buffer(8, NULL);
	cl_mem turned = make_image(target, rgba8, n);
	cl_kernel kernel = cl_make_kernel(turn, "", "turn");
	cl_set_buffer(kernel, 0, image);
	cl_set_buffer(kernel, 1, turned);
	cl_set_buffer(kernel, 2, out);
	cl_launch(kernel, n, 0);
	cl_read(target, size, got);
	for (size_t i = 0; i < size; i++)
		if (got[i] != turned_byte(want + start, n, i))
			fail_msg("byte %zu is wrong", i);
	cl_read(whole, start + size + GUARD, got);
	assert_memory_equal(got, want, start + size + GUARD);
	cl_kernel_done(kernel);
	const cl_mem all[] = { turned, target, out, image, buffer, whole };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		CL(clReleaseMemObject(all[i]));
	free(want);
	free(got);
	free(pixels);
}

/* No pixel is beside the image: what is written there goes nowhere. */
static void test_outside(void **state)
{
	static const char source[] =
		"kernel void k(write_only image1d_buffer_t b, global const int *where) {\n"
		" write_imageui(b, where[get_global_id(0)], (uint4)(1, 2, 3, 4)); }\n";
	const size_t n = 16384 + 5;
	const cl_int where[] = { -1, (cl_int)n, (cl_int)n + 100, -16384, 2 * 16384, INT32_MIN,
		INT32_MAX, 3 };

	(void)state;
	skip_if(!cl.ours);
	uint8_t *bytes = make_bytes(4 * n), *got = make_bytes(4 * n);
	cl_kernel kernel = cl_make_kernel(source, "", "k");
	cl_mem buffer = cl_make_buffer(4 * n + GUARD, bytes);
	cl_mem places = cl_make_buffer(sizeof where, where), image = make_image(buffer, rgba8, n);
	cl_set_buffer(kernel, 0, image);
	cl_set_buffer(kernel, 1, places);
	cl_launch(kernel, sizeof where / sizeof *where, 0);
	cl_read(buffer, 4 * n + GUARD, got);
	memcpy(bytes + 12, "\1\2\3\4", 4);
	assert_memory_equal(got, bytes, 4 * n + GUARD);
	cl_kernel_done(kernel);
	CL(clReleaseMemObject(image));
	CL(clReleaseMemObject(buffer));
	CL(clReleaseMemObject(places));
	free(bytes);
	free(got);
}

/* As many pixels as the device says can be made, and no more. */
static void test_most(void **state)
{
	const cl_image_format r8 = { CL_R, CL_UNSIGNED_INT8 };
	const size_t n = most(), last[3] = { n - 1, 0, 0 }, one[3] = { 1, 1, 1 };
	uint8_t pixel = 0xc5, got = 0;
	cl_int rc;

	(void)state;
	skip_if(!cl.ours);
	cl_mem buffer = clCreateBuffer(cl.context, 0, n + 1, NULL, &rc);
	CL(rc);
	cl_mem image = make_image(buffer, r8, n);
	CL(clEnqueueWriteImage(cl.queue, image, CL_TRUE, last, one, 0, 0, &pixel, 0, NULL, NULL));
	CL(clEnqueueReadImage(cl.queue, image, CL_TRUE, last, one, 0, 0, &got, 0, NULL, NULL));
	assert_int_equal(got, pixel);
	CL(clReleaseMemObject(image));
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER,
		.image_width = n + 1,
		.mem_object = buffer };
	CL_ROW_MADE(CL_INVALID_IMAGE_SIZE, clCreateImage(cl.context, 0, &r8, &desc, NULL, &rc));
	cl_rows_end();
	CL(clReleaseMemObject(buffer));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_binary),
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_parameters),
		cmocka_unit_test(test_two_images),
		cmocka_unit_test(test_host),
		cmocka_unit_test(test_outside),
		cmocka_unit_test(test_most),
	};

	return CL_RUN(argc, argv, tests);
}
