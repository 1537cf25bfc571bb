// SPDX-License-Identifier: MIT
/*
 * Images and samplers as a program sees them: what the host writes, kernels read, and the other way
 * round, compared with a model that knows nothing of layouts.
 */
#include "cl/cl_case.h"
#include "test_random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed;

enum { WIDTH = 37, HEIGHT = 21, DEPTH = 5, POISON = 0xa5 };

struct shape {
	const char *name; /* the type in OpenCL C, without its access */
	cl_mem_object_type type;
	size_t width, height, depth; /* as a box of texels */
	const char *coordinate;
	const char *sampled; /* the same for reads through a sampler */
};

static const struct shape shapes[] = {
	{ "image1d_t", CL_MEM_OBJECT_IMAGE1D, WIDTH, 1, 1, "x", "(float)x" },
	{ "image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY, WIDTH, HEIGHT, 1, "(int2)(x, y)",
		"(float2)(x, y)" },
	{ "image2d_t", CL_MEM_OBJECT_IMAGE2D, WIDTH, HEIGHT, 1, "(int2)(x, y)", "(float2)(x, y)" },
	{ "image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, WIDTH, HEIGHT, DEPTH,
		"(int4)(x, y, z, 0)", "(float4)(x, y, z, 0)" },
	{ "image3d_t", CL_MEM_OBJECT_IMAGE3D, WIDTH, HEIGHT, DEPTH, "(int4)(x, y, z, 0)",
		"(float4)(x, y, z, 0)" },
};

struct form {
	cl_image_format format;
	const char *suffix; /* of read_image and write_image */
	const char *type;   /* of their values */
	size_t bytes;
};

static const struct form forms[] = {
	{ { CL_RGBA, CL_UNSIGNED_INT8 }, "ui", "uint4", 4 },
	{ { CL_R, CL_UNSIGNED_INT8 }, "ui", "uint4", 1 },
	{ { CL_RG, CL_UNSIGNED_INT8 }, "ui", "uint4", 2 },
	{ { CL_RGBA, CL_UNSIGNED_INT16 }, "ui", "uint4", 8 },
	{ { CL_RGBA, CL_UNSIGNED_INT32 }, "ui", "uint4", 16 },
	{ { CL_R, CL_SIGNED_INT16 }, "i", "int4", 2 },
	{ { CL_RG, CL_SIGNED_INT32 }, "i", "int4", 8 },
	{ { CL_RGBA, CL_UNORM_INT8 }, "f", "float4", 4 },
	{ { CL_BGRA, CL_UNORM_INT8 }, "f", "float4", 4 },
	{ { CL_R, CL_UNORM_INT16 }, "f", "float4", 2 },
	{ { CL_R, CL_FLOAT }, "f", "float4", 4 },
	{ { CL_RGBA, CL_FLOAT }, "f", "float4", 16 },
	{ { CL_RGBA, CL_HALF_FLOAT }, "f", "float4", 8 },
};

static cl_mem make_image(
	const struct shape *shape, const cl_image_format *format, cl_mem_flags flags)
{
	cl_image_desc desc = { .image_type = shape->type, .image_width = shape->width };
	cl_mem image;
	cl_int rc;

	if (shape->type == CL_MEM_OBJECT_IMAGE1D_ARRAY) {
		desc.image_array_size = shape->height;
	} else {
		desc.image_height = shape->height;
		if (shape->type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
			desc.image_array_size = shape->depth;
		else
			desc.image_depth = shape->depth;
	}
	if (shape->type == CL_MEM_OBJECT_IMAGE1D)
		desc.image_height = 0;
	image = clCreateImage(cl.context, flags, format, &desc, NULL, &rc);
	CL(rc);
	return image;
}

/*
 * Random bytes; with `normal`, of normal numbers, also as halfs: compilers flush denormals.
 */
static uint8_t *make_texels(size_t bytes, bool normal)
{
	uint8_t *texels = malloc(bytes);

	assert_non_null(texels);
	for (size_t i = 0; i < bytes; i++) {
		texels[i] = (uint8_t)(test_random(&seed) >> 7);
		if (normal)
			texels[i] = (uint8_t)((texels[i] & ~0x20) | 0x10);
	}
	return texels;
}

/* Whether the device has images of this shape and format. */
static bool can_have(const struct shape *shape, const cl_image_format *format)
{
	cl_image_format formats[256];
	cl_uint n = 0;

	CL(clGetSupportedImageFormats(cl.context, CL_MEM_READ_ONLY, shape->type, 256, formats, &n));
	for (cl_uint i = 0; i < n && i < 256; i++)
		if (!memcmp(&formats[i], format, sizeof *format))
			return true;
	return false;
}

static void run_box(cl_kernel kernel, const struct shape *shape)
{
	size_t global[3] = { shape->width, shape->height, shape->depth };

	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 3, NULL, global, NULL, 0, NULL, NULL));
}

/* Kernels k<suffix> and s<suffix>: copies by texel, the second ones through a sampler. */
static cl_program build_copies(const struct shape *shape)
{
	static const char *const suffixes[] = { "f", "i", "ui" };
	char source[8192];
	int at = snprintf(source, sizeof source,
		"constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |"
		" CLK_FILTER_NEAREST;\n"
		"#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n");

	for (int i = 0; i < 6; i++)
		at += snprintf(source + at, sizeof source - (size_t)at,
			"kernel void %c%s(read_only %s from, write_only %s to) {\n"
			" int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
			" write_image%s(to, %s, read_image%s(from, %s%s));\n}\n",
			i < 3 ? 'k' : 's', suffixes[i % 3], shape->name, shape->name,
			suffixes[i % 3], shape->coordinate, suffixes[i % 3], i < 3 ? "" : "s, ",
			i < 3 ? shape->coordinate : shape->sampled);
	return cl_build(source, "-cl-std=CL3.0");
}

/* Host to image, image to image by a kernel, image to host: every byte comes back. */
static void copy_through_kernel(
	cl_program program, const struct shape *shape, const struct form *form, bool sampler)
{
	const size_t origin[3] = { 0, 0, 0 };
	const size_t region[3] = { shape->width, shape->height, shape->depth };
	size_t bytes = shape->width * shape->height * shape->depth * form->bytes;
	uint8_t *texels = make_texels(bytes, *form->suffix == 'f'), *back = malloc(bytes);
	cl_mem from = make_image(shape, &form->format, CL_MEM_READ_ONLY);
	cl_mem to = make_image(shape, &form->format, CL_MEM_WRITE_ONLY);
	char name[8];
	cl_kernel kernel;

	assert_non_null(back);
	snprintf(name, sizeof name, "%c%s", sampler ? 's' : 'k', form->suffix);
	kernel = cl_kernel_of(program, name);
	CL(clEnqueueWriteImage(
		cl.queue, from, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL));
	CL(clSetKernelArg(kernel, 0, sizeof from, &from));
	CL(clSetKernelArg(kernel, 1, sizeof to, &to));
	run_box(kernel, shape);
	memset(back, POISON, bytes);
	CL(clEnqueueReadImage(cl.queue, to, CL_TRUE, origin, region, 0, 0, back, 0, NULL, NULL));
	for (size_t i = 0; i < bytes; i++)
		if (back[i] != texels[i])
			fail_msg("%s %x %x%s: byte %zu of texel %zu is 0x%02x, not 0x%02x",
				shape->name, form->format.image_channel_order,
				form->format.image_channel_data_type, sampler ? " sampled" : "",
				i % form->bytes, i / form->bytes, back[i], texels[i]);
	CL(clReleaseMemObject(from));
	CL(clReleaseMemObject(to));
	CL(clReleaseKernel(kernel));
	free(texels);
	free(back);
}

static void test_copies(void **state)
{
	(void)state;
	skip_if(!cl_has_images());
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		cl_program program;

		if (!can_have(&shapes[i], &forms[0].format))
			continue;
		program = build_copies(&shapes[i]);
		for (size_t n = 0; n < sizeof forms / sizeof *forms; n++)
			for (int sampler = 0; sampler < 2; sampler++)
				if (can_have(&shapes[i], &forms[n].format))
					copy_through_kernel(
						program, &shapes[i], &forms[n], sampler);
		CL(clReleaseProgram(program));
	}
}

/* ---- filters ---- */

struct mode {
	const char *name;
	bool normalized;
};

static const struct mode modes[] = { { "CLK_ADDRESS_CLAMP", false }, { "CLK_ADDRESS_CLAMP", true },
	{ "CLK_ADDRESS_CLAMP_TO_EDGE", false }, { "CLK_ADDRESS_CLAMP_TO_EDGE", true },
	{ "CLK_ADDRESS_REPEAT", true }, { "CLK_ADDRESS_MIRRORED_REPEAT", true } };

/* Texel of an axis as the mode has it; -1 for the border. */
static int place(const struct mode *mode, int i, int size)
{
	if (strstr(mode->name, "MIRRORED")) {
		i = (i % (2 * size) + 2 * size) % (2 * size);
		return i < size ? i : 2 * size - 1 - i;
	}
	if (strstr(mode->name, "REPEAT"))
		return (i % size + size) % size;
	if (strstr(mode->name, "EDGE"))
		return i < 0 ? 0 : i >= size ? size - 1 : i;
	return i < 0 || i >= size ? -1 : i;
}

static double texel(const uint8_t *texels, const struct mode *mode, int x, int y, int channel)
{
	x = place(mode, x, WIDTH);
	y = place(mode, y, HEIGHT);
	return x < 0 || y < 0 ? 0.0 : texels[(y * WIDTH + x) * 4 + channel] / 255.0;
}

/* What a linear filter gives at a point in texels, in double precision. */
static double filtered(
	const uint8_t *texels, const struct mode *mode, double u, double v, int channel)
{
	double a = u - 0.5 - floor(u - 0.5), b = v - 0.5 - floor(v - 0.5);
	int x = (int)floor(u - 0.5), y = (int)floor(v - 0.5);

	return (1 - a) * (1 - b) * texel(texels, mode, x, y, channel) +
	       a * (1 - b) * texel(texels, mode, x + 1, y, channel) +
	       (1 - a) * b * texel(texels, mode, x, y + 1, channel) +
	       a * b * texel(texels, mode, x + 1, y + 1, channel);
}

enum { POINTS = 4096 };

static void sample_points(
	cl_mem image, const struct mode *mode, bool linear, cl_float2 *points, cl_float4 *results)
{
	cl_mem in = cl_make_buffer(POINTS * sizeof *points, points);
	cl_mem out = cl_make_buffer(POINTS * sizeof *results, results);
	cl_kernel kernel;
	char source[1024];

	snprintf(source, sizeof source,
		"constant sampler_t s = CLK_NORMALIZED_COORDS_%s | %s | CLK_FILTER_%s;\n"
		"kernel void k(read_only image2d_t i, global float2 *p, global float4 *o) {\n"
		" o[get_global_id(0)] = read_imagef(i, s, p[get_global_id(0)]);\n}\n",
		mode->normalized ? "TRUE" : "FALSE", mode->name, linear ? "LINEAR" : "NEAREST");
	kernel = cl_make_kernel(source, "", "k");
	CL(clSetKernelArg(kernel, 0, sizeof image, &image));
	cl_set_buffer(kernel, 1, in);
	cl_set_buffer(kernel, 2, out);
	cl_launch(kernel, POINTS, 0);
	cl_read(out, POINTS * sizeof *results, results);
	CL(clReleaseMemObject(in));
	CL(clReleaseMemObject(out));
	cl_kernel_done(kernel);
}

/*
 * Points are multiples of 1/64 texel (1/8 of the image's size is not exact in the normalized case,
 * so that the model's own error counts too), in and around the image. Weights of 8 bits, which
 * hardware has, would pass; a wrong texel, weight or border would not.
 */
static void test_filters(void **state)
{
	const size_t origin[3] = { 0, 0, 0 }, region[3] = { WIDTH, HEIGHT, 1 };
	const cl_image_format format = { CL_RGBA, CL_UNORM_INT8 };
	uint8_t *texels = make_texels(WIDTH * HEIGHT * 4, false);
	cl_mem image;
	cl_float2 *points = malloc(POINTS * sizeof *points);
	cl_float4 *results = malloc(POINTS * sizeof *results);

	(void)state;
	skip_if(!cl_has_images());
	image = make_image(&shapes[2], &format, CL_MEM_READ_ONLY);
	assert_true(points && results);
	CL(clEnqueueWriteImage(
		cl.queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL));
	for (size_t m = 0; m < 2 * sizeof modes / sizeof *modes; m++) {
		const struct mode *mode = &modes[m / 2];
		bool linear = m % 2;

		for (int i = 0; i < POINTS; i++) {
			/* Never between two texels: nearest would depend on rounding. */
			double u = (test_random(&seed) % (64 * WIDTH * 3) | 1) / 64.0 - WIDTH;
			double v = (test_random(&seed) % (64 * HEIGHT * 3) | 1) / 64.0 - HEIGHT;
			points[i].x = (float)(mode->normalized ? u / WIDTH : u);
			points[i].y = (float)(mode->normalized ? v / HEIGHT : v);
		}
		memset(results, POISON, POINTS * sizeof *results);
		sample_points(image, mode, linear, points, results);
		for (int i = 0; i < POINTS * 4; i++) {
			double u = points[i / 4].x * (mode->normalized ? WIDTH : 1.0);
			double v = points[i / 4].y * (mode->normalized ? HEIGHT : 1.0);
			double want =
				linear ? filtered(texels, mode, u, v, i % 4)
				       : texel(texels, mode, (int)floor(u), (int)floor(v), i % 4);
			double got = results[i / 4].s[i % 4];
			if (!(fabs(got - want) <= (linear ? 1 / 64.0 : 1e-6)))
				fail_msg("%s%s %s at (%g, %g): %g, not %g", mode->name,
					mode->normalized ? " normalized" : "",
					linear ? "linear" : "nearest", u, v, got, want);
		}
	}
	CL(clReleaseMemObject(image));
	free(texels);
	free(points);
	free(results);
}

/* Writes round to nearest even and saturate (section 8.3.1 of the specification of OpenCL C). */
static void test_conversions(void **state)
{
	static const float in[] = { 0.0f, 1.0f, -1.0f, 2.0f, 0.5f / 255, 1.5f / 255, 2.5f / 255,
		0.49f / 255, 0.51f / 255, 254.5f / 255, NAN, INFINITY, -INFINITY, 1e-30f, 0.25f,
		0.75f };
	enum { COUNT = sizeof in / sizeof *in };
	const size_t origin[3] = { 0, 0, 0 }, region[3] = { COUNT, 1, 1 };
	const struct shape line = { "image1d_t", CL_MEM_OBJECT_IMAGE1D, COUNT, 1, 1, "", "" };
	const cl_image_format format = { CL_R, CL_UNORM_INT8 };
	cl_mem image, buffer;
	cl_kernel kernel;
	uint8_t got[COUNT];

	(void)state;
	skip_if(!cl_has_images() || !can_have(&line, &format));
	image = make_image(&line, &format, CL_MEM_READ_WRITE);
	buffer = cl_make_buffer(sizeof in, in);
	kernel = cl_make_kernel(
		"kernel void k(write_only image1d_t i, global float *p) {\n"
		" int x = get_global_id(0); write_imagef(i, x, (float4)(p[x], 1, 1, 1)); }\n",
		"", "k");
	CL(clSetKernelArg(kernel, 0, sizeof image, &image));
	cl_set_buffer(kernel, 1, buffer);
	cl_launch(kernel, COUNT, 0);
	memset(got, POISON, sizeof got);
	CL(clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, 0, 0, got, 0, NULL, NULL));
	for (int i = 0; i < COUNT; i++) {
		float x = in[i] * 255.0f;
		int want = !(x > 0) ? 0 : x >= 255 ? 255 : (int)rintf(x);
		if (got[i] != want)
			fail_msg("%g became %d, not %d", (double)in[i], got[i], want);
	}
	CL(clReleaseMemObject(image));
	CL(clReleaseMemObject(buffer));
	cl_kernel_done(kernel);
}

/* cl_intel_packed_yuv: a pair of texels shares its chroma; kernels see (V, Y, U, 1). */
static void test_packed_yuv(void **state)
{
	static const struct {
		cl_channel_order order;
		int v, y[2], u; /* bytes of a pair */
	} rows[] = { { CL_YUYV_INTEL, 3, { 0, 2 }, 1 }, { CL_UYVY_INTEL, 2, { 1, 3 }, 0 },
		{ CL_YVYU_INTEL, 1, { 0, 2 }, 3 }, { CL_VYUY_INTEL, 0, { 1, 3 }, 2 } };
	enum { W = 38, H = 9 };
	const size_t origin[3] = { 0, 0, 0 }, region[3] = { W, H, 1 };
	const struct shape plane = { "image2d_t", CL_MEM_OBJECT_IMAGE2D, W, H, 1, "", "" };
	cl_float4 got[W * H];
	cl_kernel kernel;

	(void)state;
	skip_if(!cl_has_images());
	skip_if(!cl_has("cl_intel_packed_yuv"));
	kernel = cl_make_kernel(
		"constant sampler_t s = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
		"kernel void k(read_only image2d_t i, global float4 *o) {\n"
		" int x = get_global_id(0), y = get_global_id(1);\n"
		" o[y * get_global_size(0) + x] = read_imagef(i, s, (int2)(x, y)); }\n",
		"", "k");
	for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
		const cl_image_format format = { rows[n].order, CL_UNORM_INT8 };
		uint8_t *texels = make_texels(W * H * 2, false);
		cl_mem image = make_image(&plane, &format, CL_MEM_READ_ONLY);
		cl_mem buffer;

		memset(got, POISON, sizeof got);
		buffer = cl_make_buffer(sizeof got, got);
		CL(clEnqueueWriteImage(
			cl.queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL));
		CL(clSetKernelArg(kernel, 0, sizeof image, &image));
		cl_set_buffer(kernel, 1, buffer);
		run_box(kernel, &plane);
		cl_read(buffer, sizeof got, got);
		for (int i = 0; i < W * H; i++) {
			const uint8_t *pair = texels + i / 2 * 4;
			const int want[3] = { pair[rows[n].v], pair[rows[n].y[i % 2]],
				pair[rows[n].u] };
			for (int c = 0; c < 3; c++)
				if (!(fabs((double)got[i].s[c] - want[c] / 255.0) <= 1e-6))
					fail_msg("order %zu, texel %d, channel %d: %g, not %d/255",
						n, i, c, (double)got[i].s[c], want[c]);
			assert_true(got[i].s[3] == 1.0f);
		}
		CL(clReleaseMemObject(image));
		CL(clReleaseMemObject(buffer));
		free(texels);
	}
	cl_kernel_done(kernel);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_conversions),
		cmocka_unit_test(test_packed_yuv),
	};

	return CL_RUN(argc, argv, tests);
}
