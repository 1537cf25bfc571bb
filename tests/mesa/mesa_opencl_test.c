// SPDX-License-Identifier: MIT
#include "cl/cl_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesa_case.h"

/*
 * The computations of mesa_case.c over OpenCL: rusticl, ZeroCL and Intel's driver, each on the
 * virtual device. An image, a copy and shared descriptors are Vulkan's part (mesa_vulkan_test).
 */

struct row {
	const struct mesa_case *which;
	unsigned simd; /* 0: the driver's choice */
	char name[32];
};

static bool by_intel; /* the compiler of Intel's driver and of ZeroCL */

static char *append_file(char *at, const char *end, const char *name)
{
	char path[512];

	snprintf(path, sizeof path, "%s/%s", MESA_SOURCES, name);
	FILE *file = fopen(path, "r");
	if (!file)
		fail_msg("%s is not there", path);
	at += fread(at, 1, (size_t)(end - at), file);
	fclose(file);
	*at = 0;
	return at;
}

/* Not if a build ends with an internal error of the compiler, as those of some packages of Mesa do.
 */
static bool compiles(const char *source, const char *options)
{
	static char log[8192];
	cl_int rc;
	cl_program program = clCreateProgramWithSource(cl.context, 1, &source, NULL, &rc);

	CL(rc);
	log[0] = '\0';
	if (clBuildProgram(program, 1, &cl.device, options, NULL, NULL))
		CL(clGetProgramBuildInfo(
			program, cl.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
	CL(clReleaseProgram(program));
	return !strstr(log, "Internal compilation error");
}

/* The batches of iris 22.3 name the buffers of a kernel to the kernel driver, but not on Xe-HPG. */
static bool names_buffers(void)
{
	char name[256] = "", version[64] = "";

	CL(clGetDeviceInfo(cl.device, CL_DEVICE_NAME, sizeof name, name, NULL));
	CL(clGetDeviceInfo(cl.device, CL_DRIVER_VERSION, sizeof version, version, NULL));
	return !strstr(name, "(DG2)") || strncmp(version, "22.", 3) != 0;
}

static cl_kernel make_kernel(const struct row *row)
{
	static char source[1 << 16];
	const char *end = source + sizeof source - 16;
	char name[64], options[64] = "-DOUTS=16";

	if (row->simd)
		snprintf(options, sizeof options, "-DOUTS=16 -DSIMD=%u", row->simd);
	snprintf(name, sizeof name, row->which->fragment ? "fragments/%s.inc" : "%s.cl",
		row->which->name);
	if (row->which->fragment) {
		char *at = append_file(source, end, "dialect.cl");
		strcpy(append_file(at, end, name), "}\n");
	} else {
		append_file(source, end, name);
	}
	if (!cl.ours && !cl.intel && !compiles(source, options))
		skip_because("rusticl's compiler fails by itself: an internal error");
	return cl_make_kernel(source, options, "compute");
}

static void compute(void **state)
{
	const struct row *row = *state;
	const struct mesa_case *which = row->which;
	uint32_t a[MESA_MOST_ITEMS], b[MESA_MOST_ITEMS];
	static uint32_t result[MESA_MOST_ITEMS * MESA_OUTS + 8];
	size_t bytes = which->items * sizeof *a, words = which->words * sizeof *result;

	if (!names_buffers())
		skip_because("Mesa 22 does not name the buffers of kernels on Xe-HPG");
	for (uint32_t i = 0; i < which->words; i++)
		result[i] = MESA_POISON;
	if (which->prepare)
		which->prepare(result);
	mesa_case_inputs(which, a, b);
	cl_kernel kernel = make_kernel(row);
	cl_mem first = cl_make_buffer(bytes, a), second = cl_make_buffer(bytes, b),
	       out = cl_make_buffer(words, result);
	cl_set_buffer(kernel, 0, first);
	cl_set_buffer(kernel, 1, second);
	cl_set_buffer(kernel, 2, out);
	cl_set_uint(kernel, 3, which->items);
	cl_launch(kernel, (which->items + which->group - 1) / which->group * which->group,
		which->group);
	cl_read(out, words, result);
	mesa_case_check(
		which, by_intel ? MESA_OPENCL_BY_INTEL : MESA_OPENCL, row->simd, a, b, result);
	cl_kernel_done(kernel);
	clReleaseMemObject(first);
	clReleaseMemObject(second);
	clReleaseMemObject(out);
}

/* What iris does by drawing rectangles. */
static void copies_and_fills(void **state)
{
	enum { BYTES = 100003, FROM = 3, TO = 8, COPIED = 99001, FILLED = 1000, FILL = 4096 };
	static unsigned char from[BYTES], to[BYTES], want[BYTES];
	static const unsigned char patterns[4][16] = { { 0x5a }, { 1, 2, 3, 4 },
		{ 5, 6, 7, 8, 9, 10, 11, 12 },
		{ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 } };
	static const size_t sizes[4] = { 1, 4, 8, 16 };
	cl_mem buffers[2];

	(void)state;
	for (unsigned i = 0; i < BYTES; i++) {
		from[i] = (unsigned char)(i * 2654435761u >> 13);
		want[i] = 0xcd;
	}
	buffers[0] = cl_make_buffer(BYTES, from);
	buffers[1] = cl_make_buffer(BYTES, want);
	CL(clEnqueueCopyBuffer(cl.queue, buffers[0], buffers[1], FROM, TO, COPIED, 0, NULL, NULL));
	memcpy(want + TO, from + FROM, COPIED);
	for (unsigned i = 0; i < 4; i++) {
		size_t at = i * FILL + 16 * i + FILL;
		CL(clEnqueueFillBuffer(cl.queue, buffers[1], patterns[i], sizes[i], at,
			sizes[i] * FILLED / 4, 0, NULL, NULL));
		for (size_t n = 0; n < sizes[i] * FILLED / 4; n++)
			want[at + n] = patterns[i][n % sizes[i]];
	}
	cl_read(buffers[1], BYTES, to);
	assert_memory_equal(to, want, BYTES);
	clReleaseMemObject(buffers[0]);
	clReleaseMemObject(buffers[1]);
}

static void fills_and_copies_images(void **state)
{
	enum { WIDTH = 67, HEIGHT = 41, X = 5, Y = 11, W = 33, H = 7 };
	const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT
	};
	static const cl_uint colours[2][4] = { { 1, 2, 3, 4 }, { 250, 0, 17, 255 } };
	static const uint32_t words[2] = { 0x04030201, 0xff1100fa };
	const size_t zero[3] = { 0, 0, 0 }, all[3] = { WIDTH, HEIGHT, 1 }, at[3] = { X, Y, 0 },
		     part[3] = { W, H, 1 };
	static uint32_t result[WIDTH * HEIGHT];
	cl_mem images[2];
	cl_int error;

	(void)state;
	if (!cl_has_images())
		skip_because("the driver has no images");
	for (unsigned i = 0; i < 2; i++) {
		images[i] =
			clCreateImage(cl.context, CL_MEM_READ_WRITE, &format, &desc, NULL, &error);
		CL(error);
		CL(clEnqueueFillImage(cl.queue, images[i], colours[i], zero, all, 0, NULL, NULL));
	}
	CL(clEnqueueCopyImage(cl.queue, images[1], images[0], zero, at, part, 0, NULL, NULL));
	memset(result, 0xcd, sizeof(result));
	CL(clEnqueueReadImage(
		cl.queue, images[0], CL_TRUE, zero, all, 0, 0, result, 0, NULL, NULL));
	for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
		unsigned x = i % WIDTH, y = i / WIDTH;
		assert_int_equal(result[i], words[x >= X && x < X + W && y >= Y && y < Y + H]);
	}
	clReleaseMemObject(images[0]);
	clReleaseMemObject(images[1]);
}

int main(int argc, char **argv)
{
	static struct row rows[64];
	static struct CMUnitTest tests[64];
	/* rusticl 22.3 has neither sub-groups nor a choice of their size. */
	bool sizes = argc < 2 || strcmp(argv[1], "rusticl") != 0;
	size_t count = 0;

	by_intel = sizes;
	for (unsigned i = 0; i < mesa_case_count; i++)
		for (unsigned simd = sizes ? 8 : 0; simd <= (sizes ? 32 : 0);
			simd += !simd + simd) {
			struct row *row = &rows[count];
			row->which = &mesa_cases[i];
			row->simd = simd;
			if (simd == 0 && !strcmp(row->which->name, "subgroup"))
				continue;
			snprintf(row->name, sizeof row->name, "%s at %u", row->which->name, simd);
			tests[count++] = (struct CMUnitTest){
				.name = row->name, .test_func = compute, .initial_state = row
			};
		}
	tests[count++] = (struct CMUnitTest)cmocka_unit_test(copies_and_fills);
	tests[count++] = (struct CMUnitTest)cmocka_unit_test(fills_and_copies_images);
	return cl_run(argc, argv, "mesa_opencl", tests, count);
}
