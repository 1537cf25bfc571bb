// SPDX-License-Identifier: MIT
/*
 * cl_ext_image_from_buffer and cl_ext_immutable_memory_objects: images of every type over buffers,
 * with pitches of their own, and memory that nobody writes.
 */
#include "cl/cl_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IMMUTABLE	(1 << 6)
#define SLICE_ALIGNMENT 0x1291

enum { WIDTH = 12, HEIGHT = 5, SLICES = 3, MAX_BYTES = 1 << 16 };

/* Adds (1, 2, 3, 4) to each pixel; what a type lacks is 1 high or deep. */
#define KERNEL(name, type, at)                                                                     \
	"kernel void " name "(read_write " type " i)\n"                                            \
	"{ int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"                \
	"  write_imageui(i, " at ", read_imageui(i, " at ") + (uint4)(1, 2, 3, 4)); }\n"
static const char source[] = KERNEL("line", "image1d_t", "x")
	KERNEL("buffer", "image1d_buffer_t", "x") KERNEL("lines", "image1d_array_t", "(int2)(x, y)")
		KERNEL("plane", "image2d_t", "(int2)(x, y)") KERNEL("planes", "image2d_array_t",
			"(int4)(x, y, z, 0)") KERNEL("deep", "image3d_t",
			"(int4)(x, y, z, 0)") "kernel void copy(constant uint *c, global const "
					      "uint *k, global uint *o, \n"
					      "  read_only image2d_t i, write_only image2d_t w)\n"
					      "{ int x = get_global_id(0); o[x] = c[x] + k[x] + "
					      "read_imageui(i, (int2)(x, 0)).x;\n"
					      "  write_imageui(w, (int2)(x, 0), (uint4)(1)); }\n";

static const struct type {
	const char *kernel;
	cl_mem_object_type type;
	size_t region[3];
	bool has_rows, has_slices; /* pitches */
} types[] = {
	{ "line", CL_MEM_OBJECT_IMAGE1D, { WIDTH, 1, 1 }, false, false },
	{ "buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER, { WIDTH, 1, 1 }, false, false },
	{ "lines", CL_MEM_OBJECT_IMAGE1D_ARRAY, { WIDTH, SLICES, 1 }, false, true },
	{ "plane", CL_MEM_OBJECT_IMAGE2D, { WIDTH, HEIGHT, 1 }, true, false },
	{ "planes", CL_MEM_OBJECT_IMAGE2D_ARRAY, { WIDTH, HEIGHT, SLICES }, true, true },
	{ "deep", CL_MEM_OBJECT_IMAGE3D, { WIDTH, HEIGHT, SLICES }, true, true },
};

static const struct format {
	cl_image_format format;
	size_t size, channels;
} formats[] = {
	{ { CL_R, CL_UNSIGNED_INT8 }, 1, 1 },
	{ { CL_RG, CL_UNSIGNED_INT16 }, 4, 2 },
	{ { CL_RGBA, CL_UNSIGNED_INT32 }, 16, 4 },
};

static cl_program program;

static cl_image_desc describe(const struct type *type, cl_mem buffer, size_t row, size_t slice)
{
	bool is_3d = type->type == CL_MEM_OBJECT_IMAGE3D;

	return (cl_image_desc){ .image_type = type->type,
		.image_width = WIDTH,
		.image_height = type->has_rows ? HEIGHT : 0,
		.image_depth = is_3d ? SLICES : 0,
		.image_array_size = type->has_slices && !is_3d ? SLICES : 0,
		.image_row_pitch = row,
		.image_slice_pitch = slice,
		.mem_object = buffer };
}

/* What the kernel makes of the bytes. */
static void model(const struct type *type, const struct format *format, unsigned char *bytes,
	size_t row, size_t slice)
{
	size_t step = format->size / format->channels;

	for (size_t z = 0; z < type->region[2]; z++)
		for (size_t y = 0; y < type->region[1]; y++)
			for (size_t i = 0; i < WIDTH * format->channels; i++) {
				unsigned char *at = bytes + z * slice + y * row + i * step;
				const cl_ulong most = step == 4 ? UINT32_MAX : (1u << 8 * step) - 1;
				cl_ulong value = 0;

				memcpy(&value, at, step);
				value += i % format->channels + 1;
				if (step == 4)
					value &= most;
				value = value < most ? value : most; /* a write saturates */
				memcpy(at, &value, step);
			}
}

static void check_image(const struct type *type, const struct format *format, bool has_pitches)
{
	static unsigned char bytes[MAX_BYTES], got[MAX_BYTES], packed[MAX_BYTES];
	const size_t origin[3] = { 0, 0, 0 };
	size_t row = (WIDTH + (has_pitches && type->has_rows ? 8 : 0)) * format->size;
	size_t slice = row * (type->has_rows ? HEIGHT : 1) * (has_pitches ? 2 : 1);
	size_t found, used = type->region[0] * type->region[1] * type->region[2] * format->size;
	const cl_buffer_region part = { 1024, MAX_BYTES - 1024 };
	cl_int rc;

	for (size_t i = 0; i < MAX_BYTES; i++)
		bytes[i] = (unsigned char)(i * 37 + i / 256);
	cl_mem whole = cl_make_buffer(MAX_BYTES, bytes);
	cl_mem buffer = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &rc);
	CL(rc);
	const cl_image_desc desc = describe(type, buffer, has_pitches && type->has_rows ? row : 0,
		has_pitches && type->has_slices ? slice : 0);
	cl_mem image = clCreateImage(cl.context, 0, &format->format, &desc, NULL, &rc);
	CL(rc);
	if (type->has_rows) {
		CL(clGetImageInfo(image, CL_IMAGE_ROW_PITCH, sizeof found, &found, NULL));
		assert_int_equal(found, row);
	}
	CL(clGetImageInfo(image, CL_IMAGE_SLICE_PITCH, sizeof found, &found, NULL));
	assert_int_equal(found, type->has_slices ? slice : 0);
	cl_mem of = NULL;
	CL(clGetMemObjectInfo(image, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof of, &of, NULL));
	assert_ptr_equal(of, buffer);

	cl_kernel kernel = cl_kernel_of(program, type->kernel);
	CL(clSetKernelArg(kernel, 0, sizeof image, &image));
	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 3, NULL, type->region, NULL, 0, NULL, NULL));
	size_t step = type->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? slice : row;
	model(type, format, bytes + 1024, step, slice);
	cl_read(whole, MAX_BYTES, got);
	assert_memory_equal(got, bytes, MAX_BYTES);
	CL(clEnqueueReadImage(
		cl.queue, image, CL_TRUE, origin, type->region, 0, 0, packed, 0, NULL, NULL));
	for (size_t z = 0; z < type->region[2]; z++)
		for (size_t y = 0; y < type->region[1]; y++)
			assert_memory_equal(
				packed + (z * type->region[1] + y) * WIDTH * format->size,
				bytes + 1024 + z * slice + y * step, WIDTH * format->size);
	assert_true(used <= MAX_BYTES);
	CL(clReleaseKernel(kernel));
	CL(clReleaseMemObject(image));
	CL(clReleaseMemObject(buffer));
	CL(clReleaseMemObject(whole));
}

static void all_types(void **state)
{
	(void)state;
	for (size_t t = 0; t < sizeof types / sizeof *types; t++)
		for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
			check_image(&types[t], &formats[f], false);
			check_image(&types[t], &formats[f], true);
		}
}

/* Pixels at an address that is a multiple of no pixel. */
static void addresses(void **state)
{
	const struct type *type = &types[3];
	const struct format *format = &formats[2];
	enum { BYTES = WIDTH * HEIGHT * 16 };
	unsigned char want[BYTES];
	cl_int rc;

	(void)state;
	unsigned char *memory = clSVMAlloc(cl.context, 0, BYTES + 4, 0);
	assert_non_null(memory);
	CL(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_WRITE, memory, BYTES + 4, 0, NULL, NULL));
	for (size_t i = 0; i < BYTES; i++)
		memory[i + 4] = want[i] = (unsigned char)(i * 11);
	CL(clEnqueueSVMUnmap(cl.queue, memory, 0, NULL, NULL));
	cl_mem buffer = clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR, BYTES, memory + 4, &rc);
	CL(rc);
	const cl_image_desc desc = describe(type, buffer, 0, 0);
	cl_mem image = clCreateImage(cl.context, 0, &format->format, &desc, NULL, &rc);
	CL(rc);
	cl_kernel kernel = cl_kernel_of(program, type->kernel);
	CL(clSetKernelArg(kernel, 0, sizeof image, &image));
	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 3, NULL, type->region, NULL, 0, NULL, NULL));
	CL(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_READ, memory, BYTES + 4, 0, NULL, NULL));
	model(type, format, want, WIDTH * 16, 0);
	assert_memory_equal(memory + 4, want, BYTES);
	CL(clEnqueueSVMUnmap(cl.queue, memory, 0, NULL, NULL));
	CL(clReleaseKernel(kernel));
	CL(clReleaseMemObject(image));
	CL(clReleaseMemObject(buffer));
	CL(clFinish(cl.queue));
	clSVMFree(cl.context, memory);
}

static void image_errors(void **state)
{
	clGetImageRequirementsInfoEXT_fn ask = (clGetImageRequirementsInfoEXT_fn)(uintptr_t)
		clGetExtensionFunctionAddressForPlatform(
			cl.platform, "clGetImageRequirementsInfoEXT");
	cl_mem buffer = cl_make_buffer(MAX_BYTES, NULL), small = cl_make_buffer(8, NULL);
	cl_mem image = NULL;
	cl_int rc;

	(void)state;
	assert_true(ask != NULL);
	for (size_t t = 0; t < sizeof types / sizeof *types; t++)
		for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
			const struct type *type = &types[t];
			const struct format *format = &formats[f];
			size_t row = WIDTH * format->size, alignment = 0, size = 0;
			size_t slice = row * (type->has_rows ? HEIGHT : 1);
			cl_image_desc desc = describe(type, small, 0, 0);

			CL_ROW_MADE(CL_INVALID_IMAGE_SIZE,
				clCreateImage(cl.context, 0, &format->format, &desc, NULL, &rc));
			desc = describe(type, buffer, row + 1, 0);
			if (type->has_rows || type->has_slices)
				CL_ROW_MADE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
					clCreateImage(
						cl.context, 0, &format->format, &desc, NULL, &rc));
			desc = describe(type, buffer, row, slice + 1);
			if (type->has_slices)
				CL_ROW_MADE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
					clCreateImage(
						cl.context, 0, &format->format, &desc, NULL, &rc));
			CL(ask(cl.context, NULL, 0, &format->format, NULL, SLICE_ALIGNMENT,
				sizeof alignment, &alignment, NULL));
			assert_int_equal(slice % alignment, 0);
			desc = describe(type, NULL, 0, type->has_slices ? 3 * slice : 0);
			CL(ask(cl.context, NULL, CL_MEM_READ_WRITE, &format->format, &desc,
				CL_IMAGE_REQUIREMENTS_SIZE_EXT, sizeof size, &size, NULL));
			assert_int_equal(size, type->has_slices ? 3 * slice * SLICES : slice);
		}
	/* only a 2D image is made of an image */
	const cl_image_desc plain = describe(&types[3], NULL, 0, 0);
	image = clCreateImage(cl.context, 0, &formats[0].format, &plain, NULL, &rc);
	CL(rc);
	const cl_image_desc bad = describe(&types[5], image, 0, 0);
	CL_ROW_MADE(CL_INVALID_IMAGE_DESCRIPTOR,
		clCreateImage(cl.context, 0, &formats[0].format, &bad, NULL, &rc));
	cl_rows_end();
	CL(clReleaseMemObject(image));
	CL(clReleaseMemObject(small));
	CL(clReleaseMemObject(buffer));
}

/* Immutable objects, and two that are not. */
enum { COUNT = 64 };
static struct {
	cl_mem buffer, image, sub, over; /* immutable */
	cl_mem other, view;
} objects;
static cl_uint words[COUNT];

static const cl_image_format word_format = { CL_R, CL_UNSIGNED_INT32 };
static const cl_buffer_region half = { 0, COUNT * 2 };

static cl_image_desc one_row(cl_mem memory)
{
	return (cl_image_desc){ .image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = COUNT,
		.image_height = 1,
		.mem_object = memory };
}

static void make_objects(void)
{
	const cl_image_desc own = one_row(NULL);
	cl_int rc;

	for (cl_uint i = 0; i < COUNT; i++)
		words[i] = i * 1001;
	objects.buffer = clCreateBuffer(
		cl.context, IMMUTABLE | CL_MEM_USE_HOST_PTR, sizeof words, words, &rc);
	CL(rc);
	objects.image =
		clCreateImage(cl.context, IMMUTABLE | CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
			&word_format, &own, words, &rc);
	CL(rc);
	objects.other = cl_make_buffer(sizeof words, NULL);
	objects.view = clCreateImage(cl.context, CL_MEM_READ_WRITE, &word_format, &own, NULL, &rc);
	CL(rc);
	objects.sub =
		clCreateSubBuffer(objects.buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &rc);
	CL(rc);
	const cl_image_desc desc = one_row(objects.buffer);
	objects.over = clCreateImage(cl.context, IMMUTABLE, &word_format, &desc, NULL, &rc);
	CL(rc);
}

static void drop_objects(void)
{
	cl_mem all[] = { objects.over, objects.sub, objects.buffer, objects.image, objects.other,
		objects.view };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		CL(clReleaseMemObject(all[i]));
}

static void immutable_flags(void **state)
{
	static const cl_mem_flags bad[] = { 0, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
		CL_MEM_WRITE_ONLY | CL_MEM_COPY_HOST_PTR,
		CL_MEM_HOST_WRITE_ONLY | CL_MEM_COPY_HOST_PTR, CL_MEM_ALLOC_HOST_PTR };
	const cl_image_desc own = one_row(NULL);
	cl_mem_flags flags;
	cl_int rc;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		void *host = bad[i] & CL_MEM_COPY_HOST_PTR ? words : NULL;

		CL_ROW_MADE(CL_INVALID_VALUE,
			clCreateBuffer(cl.context, IMMUTABLE | bad[i], sizeof words, host, &rc));
		CL_ROW_MADE(CL_INVALID_VALUE, clCreateImage(cl.context, IMMUTABLE | bad[i],
						      &word_format, &own, host, &rc));
	}
	make_objects();
	const cl_image_desc desc = one_row(objects.buffer);
	CL(clGetMemObjectInfo(objects.buffer, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
	assert_int_equal(flags, IMMUTABLE | CL_MEM_USE_HOST_PTR);
	CL(clGetMemObjectInfo(objects.sub, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
	assert_int_equal(flags, IMMUTABLE | CL_MEM_USE_HOST_PTR);
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateSubBuffer(objects.buffer, CL_MEM_READ_WRITE,
					      CL_BUFFER_CREATE_TYPE_REGION, &half, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateImage(cl.context, 0, &word_format, &desc, NULL, &rc));
	cl_rows_end();
	drop_objects();
}

/* Kernels may read; a parameter that may write is refused. */
static void immutable_arguments(void **state)
{
	cl_kernel kernel = cl_kernel_of(program, "copy");
	cl_uint got[COUNT];

	(void)state;
	make_objects();
#define SET(i, object) clSetKernelArg(kernel, i, sizeof(cl_mem), &objects.object)
	CL(SET(0, buffer));
	CL(SET(1, buffer));
	CL_ROW(CL_INVALID_ARG_VALUE, SET(2, buffer));
	CL_ROW(CL_INVALID_ARG_VALUE, SET(2, sub));
	CL(SET(2, other));
	CL(SET(3, over));
	CL_ROW(CL_INVALID_ARG_VALUE, SET(4, image));
	CL_ROW(CL_INVALID_ARG_VALUE, SET(4, over));
	CL(SET(4, view));
	cl_rows_end();
	for (int own = 0; own < 2; own++) {
		cl_launch(kernel, COUNT, 0);
		cl_read(objects.other, sizeof got, got);
		for (cl_uint i = 0; i < COUNT; i++)
			assert_int_equal(got[i], 3 * words[i]);
		CL(SET(3, image));
	}
	CL(clReleaseKernel(kernel));
	drop_objects();
}

/* Reads work as ever; whatever writes is refused. */
static void immutable_commands(void **state)
{
	const size_t zero[3] = { 0, 0, 0 }, region[3] = { COUNT, 1, 1 }, box[3] = { COUNT, 1, 1 };
	cl_command_queue q = cl.queue;
	cl_uint got[COUNT];
	cl_int rc;

	(void)state;
	make_objects();
	cl_mem buffer = objects.buffer, image = objects.image, sub = objects.sub;
	cl_mem other = objects.other, view = objects.view, over = objects.over;
#define NONE	     0, NULL, NULL
#define REFUSE(call) CL_ROW(CL_INVALID_OPERATION, call)
	REFUSE(clEnqueueWriteBuffer(q, buffer, CL_TRUE, 0, 4, words, NONE));
	REFUSE(clEnqueueWriteBuffer(q, sub, CL_TRUE, 0, 4, words, NONE));
	REFUSE(clEnqueueWriteBufferRect(
		q, buffer, CL_TRUE, zero, zero, box, 0, 0, 0, 0, words, NONE));
	REFUSE(clEnqueueCopyBuffer(q, other, buffer, 0, 0, 4, NONE));
	REFUSE(clEnqueueCopyBufferRect(q, other, buffer, zero, zero, box, 0, 0, 0, 0, NONE));
	REFUSE(clEnqueueFillBuffer(q, buffer, words, 4, 0, 4, NONE));
	REFUSE(clEnqueueWriteImage(q, image, CL_TRUE, zero, region, 0, 0, words, NONE));
	REFUSE(clEnqueueCopyImage(q, view, image, zero, zero, region, NONE));
	REFUSE(clEnqueueCopyBufferToImage(q, other, over, 0, zero, region, NONE));
	REFUSE(clEnqueueCopyImageToBuffer(q, view, buffer, zero, region, 0, NONE));
	REFUSE(clEnqueueFillImage(q, image, words, zero, region, NONE));
	CL_ROW_MADE(CL_INVALID_OPERATION,
		clEnqueueMapBuffer(q, buffer, CL_TRUE, CL_MAP_WRITE, 0, 4, NONE, &rc));
	CL_ROW_MADE(CL_INVALID_OPERATION,
		clEnqueueMapImage(q, image, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, zero, region,
			NULL, NULL, NONE, &rc));
	cl_rows_end();
	void *mapped = clEnqueueMapBuffer(q, sub, CL_TRUE, CL_MAP_READ, 0, COUNT * 2, NONE, &rc);
	CL(rc);
	assert_memory_equal(mapped, words, COUNT * 2);
	CL(clEnqueueUnmapMemObject(q, sub, mapped, NONE));
	CL(clEnqueueReadImage(q, image, CL_TRUE, zero, region, 0, 0, got, NONE));
	assert_memory_equal(got, words, sizeof got);
	drop_objects();
}

static int open_program(void **state)
{
	(void)state;
	if (!cl_has_images()) {
		printf("skipped: the device has no images\n");
		exit(77);
	}
	if (!cl_has("cl_ext_image_from_buffer") || !cl_has("cl_ext_immutable_memory_objects"))
		exit(cl.ours ? 1 : 77);
	program = cl_build(source, "-cl-std=CL3.0");
	return 0;
}

static int close_program(void **state)
{
	(void)state;
	return clReleaseProgram(program);
}

int main(int argc, char **argv)
{
#define WITH_PROGRAM(test) cmocka_unit_test_setup_teardown(test, open_program, close_program)
	const struct CMUnitTest tests[] = {
		WITH_PROGRAM(all_types),
		WITH_PROGRAM(addresses),
		WITH_PROGRAM(image_errors),
		WITH_PROGRAM(immutable_flags),
		WITH_PROGRAM(immutable_arguments),
		WITH_PROGRAM(immutable_commands),
	};

	return CL_RUN(argc, argv, tests);
}
