// SPDX-License-Identifier: MIT
/*
 * Images of images, and whether what a device says of its image formats is so: what it lists it
 * makes, with all of its pixels, and nothing else.
 */
#include "cl/cl_case.h"

#include <stdlib.h>
#include <string.h>

#ifndef CL_YUYV_INTEL
#define CL_YUYV_INTEL 0x4076
#define CL_UYVY_INTEL 0x4077
#define CL_YVYU_INTEL 0x4078
#define CL_VYUY_INTEL 0x4079
#define CL_NV12_INTEL 0x410E
#endif

enum { W = 13, H = 6 };

static const size_t zero[3] = { 0, 0, 0 };

static cl_mem make_flat(cl_channel_order order, cl_mem of, const void *pixels)
{
	const cl_image_format format = { order, CL_FLOAT };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = W,
		.image_height = H,
		.mem_object = of };
	cl_int rc;
	cl_mem image =
		clCreateImage(cl.context, CL_MEM_READ_WRITE | (pixels ? CL_MEM_COPY_HOST_PTR : 0),
			&format, &desc, (void *)(uintptr_t)pixels, &rc);

	CL(rc);
	return image;
}

static void read_flat(cl_mem image, float *out)
{
	const size_t all[3] = { W, H, 1 };

	memset(out, 0xee, W * H * sizeof *out);
	CL(clEnqueueReadImage(cl.queue, image, CL_TRUE, zero, all, 0, 0, out, 0, NULL, NULL));
}

static void run_flat(cl_kernel kernel, cl_mem image)
{
	const size_t global[2] = { W, H };

	cl_set_buffer(kernel, 0, image);
	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
}

/* One set of pixels, seen as numbers and as depths, written through both; the parent goes first. */
static void test_view(void **state)
{
	static const char source[] = "kernel void number(read_write image2d_t a) {\n"
				     " int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
				     " write_imagef(a, p, read_imagef(a, p) + 1000); }\n"
				     "kernel void depth(read_write image2d_depth_t a) {\n"
				     " int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
				     " write_imagef(a, p, read_imagef(a, p) * 2); }\n";
	cl_mem buffer_of = NULL;
	float pixels[W * H], got[W * H];
	cl_uint count = 0;

	(void)state;
	skip_if(!cl_has_images() || !cl_has("cl_khr_depth_images") ||
		cl.intel); /* Intel's driver refuses depths of numbers */
	for (int i = 0; i < W * H; i++)
		pixels[i] = (float)i;
	cl_mem parent = make_flat(CL_R, NULL, pixels);
	cl_mem view = make_flat(CL_DEPTH, parent, NULL), same = make_flat(CL_DEPTH, view, NULL);
	CL(clGetMemObjectInfo(
		view, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof buffer_of, &buffer_of, NULL));
	assert_ptr_equal(buffer_of, parent);
	CL(clGetMemObjectInfo(parent, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL));
	cl_program program = cl_build(source, "-cl-std=CL3.0");
	cl_kernel number = cl_kernel_of(program, "number");
	cl_kernel depth = cl_kernel_of(program, "depth");

	read_flat(view, got);
	assert_memory_equal(got, pixels, sizeof got);
	run_flat(number, parent);
	run_flat(depth, view);
	CL(clReleaseMemObject(parent));
	run_flat(depth, same);
	read_flat(view, got);
	for (int i = 0; i < W * H; i++)
		assert_true(got[i] == ((float)i + 1000) * 4);
	read_flat(same, pixels);
	assert_memory_equal(got, pixels, sizeof got);
	CL(clReleaseKernel(number));
	CL(clReleaseKernel(depth));
	CL(clReleaseProgram(program));
	CL(clReleaseMemObject(view));
	read_flat(same, pixels);
	assert_memory_equal(got, pixels, sizeof got);
	CL(clReleaseMemObject(same));
}

static const cl_channel_order orders[] = { CL_R, CL_A, CL_RG, CL_RA, CL_RGB, CL_RGBA, CL_BGRA,
	CL_ARGB, CL_ABGR, CL_INTENSITY, CL_LUMINANCE, CL_Rx, CL_RGx, CL_RGBx, CL_DEPTH, CL_sRGB,
	CL_sRGBx, CL_sRGBA, CL_sBGRA, CL_YUYV_INTEL, CL_UYVY_INTEL, CL_YVYU_INTEL, CL_VYUY_INTEL,
	CL_NV12_INTEL };

static bool is_listed(const cl_image_format *list, cl_uint n, cl_image_format format)
{
	for (cl_uint i = 0; i < n; i++)
		if (!memcmp(&list[i], &format, sizeof format))
			return true;
	return false;
}

/* Makes an image of the format and carries pixels there and back. */
static cl_int try_format(cl_mem_object_type type, cl_image_format format, cl_mem_flags flags)
{
	bool high = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE3D ||
		    type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
	bool deep = type == CL_MEM_OBJECT_IMAGE3D, flat = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
	bool layers = flat || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
	const cl_image_desc desc = { .image_type = type,
		.image_width = 8,
		.image_height = high ? 4 : 0,
		.image_depth = deep ? 3 : 0,
		.image_array_size = layers ? 3 : 0 };
	const size_t all[3] = { 8, high ? 4 : flat ? 3 : 1, high && (deep || layers) ? 3 : 1 };
	uint8_t bytes[8 * 4 * 3 * 16], got[sizeof bytes];
	size_t pixel = 0;
	cl_int rc = 4711;
	cl_mem image = clCreateImage(cl.context, flags, &format, &desc, NULL, &rc);

	if (!image)
		return rc;
	CL(rc);
	CL(clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof pixel, &pixel, NULL));
	size_t size = all[0] * all[1] * all[2] * pixel;
	assert_in_range(pixel, 1, 16);
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(i * 37 & 0x3b); /* no NaNs */
	memset(got, 0xee, sizeof got);
	CL(clEnqueueWriteImage(cl.queue, image, CL_TRUE, zero, all, 0, 0, bytes, 0, NULL, NULL));
	CL(clEnqueueReadImage(cl.queue, image, CL_TRUE, zero, all, 0, 0, got, 0, NULL, NULL));
	if (memcmp(got, bytes, size))
		fail_msg("type 0x%x, order 0x%x, components 0x%x: other pixels came back", type,
			format.image_channel_order, format.image_channel_data_type);
	CL(clReleaseMemObject(image));
	return CL_SUCCESS;
}

static void check_formats(cl_mem_object_type type, cl_mem_flags flags)
{
	static cl_image_format list[1000];
	cl_uint n = 0, found = 0;

	CL(clGetSupportedImageFormats(cl.context, flags, type, 1000, list, &n));
	assert_in_range(n, 1, 1000);
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
		for (cl_channel_type t = CL_SNORM_INT8; t <= CL_UNORM_INT_101010_2; t++) {
			const cl_image_format format = { orders[i], t };
			bool listed = is_listed(list, n, format);

			found += listed;
			if (listed ? orders[i] == CL_NV12_INTEL : cl.intel)
				continue; /* other flags and sizes; Intel's makes more than it lists
					   */
			cl_int rc = try_format(type, format, flags);
			if (listed ? rc != CL_SUCCESS
				   : rc != CL_IMAGE_FORMAT_NOT_SUPPORTED &&
						rc != CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)
				fail_msg("type 0x%x, order 0x%x, components 0x%x is %slisted, but "
					 "clCreateImage says %d",
					type, orders[i], t, listed ? "" : "not ", rc);
		}
	if (!cl.intel)
		assert_int_equal(found, n);
}

static void test_formats(void **state)
{
	static const cl_mem_object_type types[] = { CL_MEM_OBJECT_IMAGE1D,
		CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,
		CL_MEM_OBJECT_IMAGE3D };

	(void)state;
	skip_if(!cl_has_images());
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		check_formats(types[i], CL_MEM_READ_ONLY);
		check_formats(types[i], CL_MEM_READ_WRITE);
	}
}

/* Levels of detail exist where cl_khr_mipmap_image is reported, YUV likewise. */
static void test_extensions(void **state)
{
	const cl_image_format rgba = { CL_RGBA, CL_UNORM_INT8 },
			      yuyv = { CL_YUYV_INTEL, CL_UNORM_INT8 };
	cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = 64,
		.image_height = 64,
		.num_mip_levels = 3 };
	cl_int rc;

	(void)state;
	skip_if(!cl_has_images());
	cl_mem image = clCreateImage(cl.context, 0, &rgba, &desc, NULL, &rc);
	if (!cl_has("cl_khr_mipmap_image"))
		assert_int_equal(rc, CL_INVALID_IMAGE_DESCRIPTOR);
	else
		CL(rc);
	if (image)
		CL(clReleaseMemObject(image));
	assert_int_equal(cl_has("cl_intel_packed_yuv"),
		try_format(CL_MEM_OBJECT_IMAGE2D, yuyv, CL_MEM_READ_ONLY) == CL_SUCCESS);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_view),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_extensions),
	};

	return CL_RUN(argc, argv, tests);
}
