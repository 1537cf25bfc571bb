// SPDX-License-Identifier: MIT
/* What must fail with images and samplers, and how: sections 5.3, 5.7 and 5.9.2. */
#include "cl/cl_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const cl_image_format rgba8 = { CL_RGBA, CL_UNORM_INT8 };
static const size_t zero[3], one[3] = { 1, 1, 1 };
static char host[4096];

#define BAD(type) ((type)(void *)cl.queue) /* a live handle of another kind */

static cl_image_desc flat(size_t width, size_t height)
{
	return (cl_image_desc){
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height
	};
}

static cl_mem make(const cl_image_desc *desc, cl_mem_flags flags, void *bytes)
{
	cl_int rc;
	cl_mem image = clCreateImage(cl.context, flags, &rgba8, desc, bytes, &rc);

	CL(rc);
	return image;
}

static void test_create(void **state)
{
	cl_context c = cl.context;
	cl_image_desc good = flat(8, 8), desc = good;
	cl_image_format format = { CL_RGBA, CL_UNORM_SHORT_565 };
	const cl_mem_properties property[] = { 1, 2, 0 };
	cl_int rc;

	(void)state;
	CL_ROW_MADE(CL_INVALID_CONTEXT, clCreateImage(NULL, 0, &rgba8, &good, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_PROPERTY,
		clCreateImageWithProperties(c, property, 0, &rgba8, &good, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE,
		clCreateImage(c, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &rgba8, &good, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateImage(c, 1 << 20, &rgba8, &good, NULL, &rc));
	/* that flag is for clGetSupportedImageFormats */
	CL_ROW_MADE(CL_INVALID_VALUE,
		clCreateImage(c, CL_MEM_KERNEL_READ_AND_WRITE, &rgba8, &good, NULL, &rc));
	CL_ROW_MADE(
		CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(c, 0, NULL, &good, NULL, &rc));
	CL_ROW_MADE(
		CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(c, 0, &format, &good, NULL, &rc));
	format = (cl_image_format){ 4711, CL_UNORM_INT8 };
	CL_ROW_MADE(
		CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(c, 0, &format, &good, NULL, &rc));
	format = (cl_image_format){ CL_RGB, CL_UNORM_SHORT_565 };
	CL_ROW_MADE(CL_IMAGE_FORMAT_NOT_SUPPORTED, clCreateImage(c, 0, &format, &good, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(c, 0, &rgba8, NULL, NULL, &rc));
	desc.image_type = CL_MEM_OBJECT_BUFFER;
	CL_ROW_MADE(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(c, 0, &rgba8, &desc, NULL, &rc));
	desc = flat(8, 0);
	CL_ROW_MADE(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(c, 0, &rgba8, &desc, NULL, &rc));
	desc = flat(0, 8);
	CL_ROW_MADE(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(c, 0, &rgba8, &desc, NULL, &rc));
	desc = good;
	desc.num_mip_levels = 3;
	CL_ROW_MADE(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(c, 0, &rgba8, &desc, NULL, &rc));
	desc = good;
	desc.image_row_pitch = 64;
	CL_ROW_MADE(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(c, 0, &rgba8, &desc, NULL, &rc));
	desc.image_row_pitch = 33;
	CL_ROW_MADE(CL_INVALID_IMAGE_DESCRIPTOR,
		clCreateImage(c, CL_MEM_COPY_HOST_PTR, &rgba8, &desc, host, &rc));
	desc.image_row_pitch = 28;
	CL_ROW_MADE(CL_INVALID_IMAGE_DESCRIPTOR,
		clCreateImage(c, CL_MEM_COPY_HOST_PTR, &rgba8, &desc, host, &rc));
	cl_rows_end();
}

static void test_create_size(void **state)
{
	cl_image_desc good = flat(8, 8), desc = flat(1 << 20, 8);
	cl_context c = cl.context;
	cl_int rc;

	(void)state;
	CL_ROW_MADE(CL_INVALID_IMAGE_SIZE, clCreateImage(c, 0, &rgba8, &desc, NULL, &rc));
	desc = (cl_image_desc){ .image_type = CL_MEM_OBJECT_IMAGE3D,
		.image_width = 8,
		.image_height = 8,
		.image_depth = 1 << 20 };
	CL_ROW_MADE(CL_INVALID_IMAGE_SIZE, clCreateImage(c, 0, &rgba8, &desc, NULL, &rc));
	desc.image_width = desc.image_height = desc.image_depth = 2048;
	CL_ROW_MADE(
		CL_MEM_OBJECT_ALLOCATION_FAILURE, clCreateImage(c, 0, &rgba8, &desc, NULL, &rc));
	/* sizes in bytes that are more than a size_t */
	desc = (cl_image_desc){ .image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
		.image_width = 8,
		.image_height = 8,
		.image_array_size = 4,
		.image_slice_pitch = (size_t)1 << 62 };
	CL_ROW_MADE(CL_INVALID_IMAGE_DESCRIPTOR,
		clCreateImage(c, CL_MEM_COPY_HOST_PTR, &rgba8, &desc, host, &rc));
	desc.image_row_pitch = (size_t)1 << 61;
	desc.image_slice_pitch = 0;
	CL_ROW_MADE(CL_INVALID_IMAGE_DESCRIPTOR,
		clCreateImage(c, CL_MEM_COPY_HOST_PTR, &rgba8, &desc, host, &rc));
	desc.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY;
	desc.image_row_pitch = 0;
	desc.image_slice_pitch = (size_t)1 << 62;
	CL_ROW_MADE(CL_INVALID_IMAGE_DESCRIPTOR,
		clCreateImage(c, CL_MEM_COPY_HOST_PTR, &rgba8, &desc, host, &rc));
	CL_ROW_MADE(CL_INVALID_HOST_PTR,
		clCreateImage(c, CL_MEM_USE_HOST_PTR, &rgba8, &good, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_HOST_PTR, clCreateImage(c, 0, &rgba8, &good, host, &rc));
	CL_ROW_MADE(CL_INVALID_IMAGE_SIZE, clCreateImage2D(c, 0, &rgba8, 0, 8, 0, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_IMAGE_SIZE, clCreateImage2D(c, 0, &rgba8, 8, 8, 64, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_IMAGE_SIZE, clCreateImage3D(c, 0, &rgba8, 8, 8, 0, 0, 0, NULL, &rc));
	cl_rows_end();
}

/* Images of buffers and of images. */
static void test_create_from(void **state)
{
	cl_context c = cl.context;
	cl_mem buffer = cl_make_buffer(1024, NULL);
	cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 16, .mem_object = buffer
	};
	cl_int rc;

	(void)state;
	cl_mem reads = clCreateBuffer(c, CL_MEM_READ_ONLY, 1024, NULL, &rc);
	CL(rc);
	CL_ROW_MADE(CL_INVALID_VALUE,
		clCreateImage(c, CL_MEM_ALLOC_HOST_PTR, &rgba8, &desc, NULL, &rc));
	desc.image_width = 257;
	CL_ROW_MADE(CL_INVALID_IMAGE_SIZE, clCreateImage(c, 0, &rgba8, &desc, NULL, &rc));
	desc.image_width = 16;
	desc.mem_object = reads;
	CL_ROW_MADE(
		CL_INVALID_VALUE, clCreateImage(c, CL_MEM_WRITE_ONLY, &rgba8, &desc, NULL, &rc));
	desc.mem_object = NULL;
	CL_ROW_MADE(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(c, 0, &rgba8, &desc, NULL, &rc));
	desc.mem_object = BAD(cl_mem);
	CL_ROW_MADE(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(c, 0, &rgba8, &desc, NULL, &rc));
	desc = flat(8, 8);
	desc.mem_object = buffer;
	desc.image_row_pitch = 36;
	CL_ROW_MADE(
		CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(c, 0, &rgba8, &desc, NULL, &rc));
	desc.image_row_pitch = 256;
	CL_ROW_MADE(CL_INVALID_IMAGE_SIZE, clCreateImage(c, 0, &rgba8, &desc, NULL, &rc));
	desc = (cl_image_desc){ .image_type = CL_MEM_OBJECT_IMAGE3D,
		.image_width = 4,
		.image_height = 4,
		.image_depth = 4,
		.mem_object = buffer };
	if (!cl_has("cl_ext_image_from_buffer"))
		CL_ROW_MADE(
			CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(c, 0, &rgba8, &desc, NULL, &rc));
	desc = flat(8, 8);
	cl_mem image = make(&desc, 0, NULL);
	desc.mem_object = image;
	desc.image_width = 7;
	CL_ROW_MADE(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(c, 0, &rgba8, &desc, NULL, &rc));
	desc.image_width = 8;
	CL_ROW_MADE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
		clCreateImage(
			c, 0, &(cl_image_format){ CL_RGBA, CL_SIGNED_INT8 }, &desc, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(image, 0, CL_BUFFER_CREATE_TYPE_REGION,
						   &(cl_buffer_region){ 0, 128 }, &rc));
	cl_rows_end();
	CL(clReleaseMemObject(image));
	CL(clReleaseMemObject(reads));
	CL(clReleaseMemObject(buffer));
}

static void test_query(void **state)
{
	cl_mem buffer = cl_make_buffer(64, NULL);
	cl_image_desc desc = flat(8, 8);
	cl_mem image = make(&desc, 0, NULL);
	cl_context c = cl.context;
	size_t width;
	cl_uint n;

	(void)state;
	CL_ROW(CL_INVALID_MEM_OBJECT, clGetImageInfo(buffer, CL_IMAGE_WIDTH, 0, NULL, NULL));
	CL_ROW(CL_INVALID_MEM_OBJECT, clGetImageInfo(NULL, CL_IMAGE_WIDTH, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clGetImageInfo(image, 4711, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clGetImageInfo(image, CL_IMAGE_WIDTH, 1, &width, NULL));
	CL_ROW(CL_INVALID_CONTEXT,
		clGetSupportedImageFormats(NULL, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &n));
	CL_ROW(CL_INVALID_VALUE, clGetSupportedImageFormats(c, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
					 CL_MEM_OBJECT_IMAGE2D, 0, NULL, &n));
	CL_ROW(CL_INVALID_VALUE,
		clGetSupportedImageFormats(c, 0, CL_MEM_OBJECT_BUFFER, 0, NULL, &n));
	CL_ROW(CL_INVALID_VALUE, clGetSupportedImageFormats(c, 0, CL_MEM_OBJECT_IMAGE2D, 0,
					 (cl_image_format *)host, &n));
	cl_rows_end();
	CL(clReleaseMemObject(image));
	CL(clReleaseMemObject(buffer));
}

static void test_transfer(void **state)
{
	cl_command_queue q = cl.queue;
	cl_image_desc desc = flat(8, 8);
	cl_mem image = make(&desc, 0, NULL), closed = make(&desc, CL_MEM_HOST_NO_ACCESS, NULL);
	cl_mem buffer = cl_make_buffer(64, NULL);
	const size_t wide[3] = { 9, 1, 1 }, none[3] = { 0, 1, 1 }, deep[3] = { 1, 1, 2 };
	const size_t far[3] = { 8, 0, 0 };

	(void)state;
#define READ(queue, object, origin, region, row, slice, pointer)                                   \
	clEnqueueReadImage(                                                                        \
		queue, object, CL_TRUE, origin, region, row, slice, pointer, 0, NULL, NULL)
#define WRITE(queue, object, origin, region, row, slice, pointer)                                  \
	clEnqueueWriteImage(                                                                       \
		queue, object, CL_TRUE, origin, region, row, slice, pointer, 0, NULL, NULL)
	CL_ROW(CL_INVALID_COMMAND_QUEUE, READ(NULL, image, zero, one, 0, 0, host));
	CL_ROW(CL_INVALID_MEM_OBJECT, READ(q, buffer, zero, one, 0, 0, host));
	CL_ROW(CL_INVALID_MEM_OBJECT, WRITE(q, NULL, zero, one, 0, 0, host));
	CL_ROW(CL_INVALID_VALUE, READ(q, image, NULL, one, 0, 0, host));
	CL_ROW(CL_INVALID_VALUE, READ(q, image, zero, NULL, 0, 0, host));
	CL_ROW(CL_INVALID_VALUE, READ(q, image, zero, one, 0, 0, NULL));
	CL_ROW(CL_INVALID_VALUE, READ(q, image, zero, wide, 0, 0, host));
	CL_ROW(CL_INVALID_VALUE, WRITE(q, image, zero, none, 0, 0, host));
	CL_ROW(CL_INVALID_VALUE, WRITE(q, image, zero, deep, 0, 0, host));
	CL_ROW(CL_INVALID_VALUE, WRITE(q, image, far, one, 0, 0, host));
	CL_ROW(CL_INVALID_VALUE, WRITE(q, image, zero, one, 3, 0, host));
	CL_ROW(CL_INVALID_VALUE, WRITE(q, image, zero, one, 0, 64, host));
	CL_ROW(CL_INVALID_OPERATION, READ(q, closed, zero, one, 0, 0, host));
	CL_ROW(CL_INVALID_OPERATION, WRITE(q, closed, zero, one, 0, 0, host));
	CL_ROW(CL_INVALID_EVENT_WAIT_LIST,
		clEnqueueReadImage(q, image, CL_TRUE, zero, one, 0, 0, host, 1, NULL, NULL));
	cl_rows_end();
	CL(clReleaseMemObject(buffer));
	CL(clReleaseMemObject(closed));
	CL(clReleaseMemObject(image));
}

static void test_copy_fill_map(void **state)
{
	cl_command_queue q = cl.queue;
	cl_image_desc desc = flat(8, 8);
	cl_mem image = make(&desc, 0, NULL), closed = make(&desc, CL_MEM_HOST_NO_ACCESS, NULL);
	cl_mem buffer = cl_make_buffer(64, NULL);
	const size_t wide[3] = { 9, 1, 1 }, half[3] = { 8, 4, 1 };
	const size_t next[3] = { 0, 3, 0 };
	size_t row, slice;
	cl_int rc;

	(void)state;
	cl_mem other = clCreateImage(
		cl.context, 0, &(cl_image_format){ CL_R, CL_FLOAT }, &desc, NULL, &rc);
	CL(rc);
#define COPY(from, to, a, b, region) clEnqueueCopyImage(q, from, to, a, b, region, 0, NULL, NULL)
	CL_ROW(CL_INVALID_MEM_OBJECT, COPY(image, buffer, zero, zero, one));
	CL_ROW(CL_IMAGE_FORMAT_MISMATCH, COPY(image, other, zero, zero, one));
	CL_ROW(CL_INVALID_VALUE, COPY(image, closed, zero, zero, wide));
	CL_ROW(CL_MEM_COPY_OVERLAP, COPY(image, image, zero, next, half));
	CL_ROW(CL_INVALID_MEM_OBJECT,
		clEnqueueCopyImageToBuffer(q, image, image, zero, one, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clEnqueueCopyImageToBuffer(q, image, buffer, zero, half, 0, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clEnqueueCopyBufferToImage(q, buffer, image, 61, zero, one, 0, NULL, NULL));
	CL_ROW(CL_INVALID_MEM_OBJECT,
		clEnqueueCopyBufferToImage(q, image, image, 0, zero, one, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueFillImage(q, image, NULL, zero, one, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clEnqueueFillImage(q, image, host, zero, wide, 0, NULL, NULL));
	CL_ROW(CL_INVALID_MEM_OBJECT,
		clEnqueueFillImage(q, buffer, host, zero, one, 0, NULL, NULL));
#define MAP(object, flags, origin, region, row_pitch)                                              \
	clEnqueueMapImage(                                                                         \
		q, object, CL_TRUE, flags, origin, region, row_pitch, &slice, 0, NULL, NULL, &rc)
	CL_ROW_MADE(CL_INVALID_VALUE, MAP(image, CL_MAP_READ, zero, wide, &row));
	CL_ROW_MADE(CL_INVALID_VALUE, MAP(image, CL_MAP_READ, zero, one, NULL));
	CL_ROW_MADE(CL_INVALID_VALUE, MAP(image, 64, zero, one, &row));
	CL_ROW_MADE(CL_INVALID_MEM_OBJECT, MAP(buffer, CL_MAP_READ, zero, one, &row));
	CL_ROW_MADE(CL_INVALID_OPERATION, MAP(closed, CL_MAP_READ, zero, one, &row));
	CL_ROW(CL_INVALID_VALUE, clEnqueueUnmapMemObject(q, image, host, 0, NULL, NULL));
	cl_rows_end();
	CL(clReleaseMemObject(other));
	CL(clReleaseMemObject(buffer));
	CL(clReleaseMemObject(closed));
	CL(clReleaseMemObject(image));
}

static void test_sampler(void **state)
{
	const cl_sampler_properties twice[] = { CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
		CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0 };
	const cl_sampler_properties unknown[] = { 4711, 1, 0 };
	const cl_sampler_properties odd[] = { CL_SAMPLER_FILTER_MODE, 4711, 0 };
	cl_context c = cl.context;
	cl_int rc;

	(void)state;
#define SAMPLER(context, normalized, address, filter)                                              \
	clCreateSampler(context, normalized, address, filter, &rc)
	CL_ROW_MADE(
		CL_INVALID_CONTEXT, SAMPLER(NULL, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST));
	CL_ROW_MADE(CL_INVALID_VALUE, SAMPLER(c, CL_TRUE, 4711, CL_FILTER_NEAREST));
	CL_ROW_MADE(CL_INVALID_VALUE, SAMPLER(c, CL_TRUE, CL_ADDRESS_CLAMP, 4711));
	CL_ROW_MADE(CL_INVALID_VALUE, SAMPLER(c, 2, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateSamplerWithProperties(c, twice, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateSamplerWithProperties(c, unknown, &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateSamplerWithProperties(c, odd, &rc));
	CL_ROW(CL_INVALID_SAMPLER, clRetainSampler(BAD(cl_sampler)));
	CL_ROW(CL_INVALID_SAMPLER, clReleaseSampler(NULL));
	CL_ROW(CL_INVALID_SAMPLER,
		clGetSamplerInfo(BAD(cl_sampler), CL_SAMPLER_FILTER_MODE, 0, NULL, NULL));
	cl_sampler sampler = clCreateSampler(c, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &rc);
	CL(rc);
	CL_ROW(CL_INVALID_VALUE, clGetSamplerInfo(sampler, 4711, 0, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, clGetSamplerInfo(sampler, CL_SAMPLER_FILTER_MODE, 1, host, NULL));
	cl_rows_end();
	CL(clReleaseSampler(sampler));
}

/* Four bytes, which are a plausible address, at the end of what can be read. */
static void *page_end(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *pages =
		mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(pages, MAP_FAILED);
	assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
	return memset(pages + page - 4, 0x10, 4);
}

/* clSetKernelArg reads no more than the size that was given. */
static void test_arg_reads(void **state)
{
	static const char source[] =
		"kernel void k(global int *p, read_only image2d_t a, sampler_t s, int n) { }\n";
	cl_kernel k = cl_make_kernel(source, "", "k");
	const void *end = page_end();

	(void)state;
	for (cl_uint i = 0; i < 3; i++)
		CL_ROW(CL_INVALID_ARG_SIZE, clSetKernelArg(k, i, 4, end));
	CL_ROW(CL_SUCCESS, clSetKernelArg(k, 3, 4, end));
	cl_rows_end();
	cl_kernel_done(k);
}

static void test_args(void **state)
{
	static const char source[] =
		"kernel void k(read_only image2d_t a, write_only image2d_t b, sampler_t s,\n"
		"  global int *p, read_only image3d_t v) { }\n";
	cl_kernel k = cl_make_kernel(source, "", "k");
	cl_image_desc desc = flat(8, 8);
	cl_mem image = make(&desc, 0, NULL), reads = make(&desc, CL_MEM_READ_ONLY, NULL);
	cl_mem writes = make(&desc, CL_MEM_WRITE_ONLY, NULL), buffer = cl_make_buffer(64, NULL);
	cl_mem null = NULL;
	cl_sampler sampler;
	cl_int rc;

	(void)state;
	sampler = clCreateSampler(cl.context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &rc);
	CL(rc);
#define SET(index, object) clSetKernelArg(k, index, sizeof(object), &(object))
	CL_ROW(CL_SUCCESS, SET(0, image));
	CL_ROW(CL_SUCCESS, SET(2, sampler));
	CL_ROW(CL_INVALID_MEM_OBJECT, SET(0, buffer));
	CL_ROW(CL_INVALID_MEM_OBJECT, SET(0, sampler));
	CL_ROW(CL_INVALID_MEM_OBJECT, SET(0, null));
	CL_ROW(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 0, sizeof image, NULL));
	CL_ROW(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 0, 4, &image));
	CL_ROW(CL_INVALID_ARG_VALUE, SET(0, writes));
	CL_ROW(CL_INVALID_ARG_VALUE, SET(1, reads));
	CL_ROW(CL_INVALID_ARG_VALUE, SET(4, image));
	CL_ROW(CL_INVALID_SAMPLER, SET(2, image));
	CL_ROW(CL_INVALID_SAMPLER, SET(2, null));
	CL_ROW(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 2, 4, &sampler));
	CL_ROW(CL_INVALID_MEM_OBJECT, SET(3, image));
	CL_ROW(CL_INVALID_KERNEL_ARGS,
		clEnqueueNDRangeKernel(cl.queue, k, 1, NULL, one, NULL, 0, NULL, NULL));
	cl_rows_end();
	CL(clReleaseSampler(sampler));
	CL(clReleaseMemObject(buffer));
	CL(clReleaseMemObject(writes));
	CL(clReleaseMemObject(reads));
	CL(clReleaseMemObject(image));
	cl_kernel_done(k);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_create),
		cmocka_unit_test(test_create_size),
		cmocka_unit_test(test_create_from),
		cmocka_unit_test(test_query),
		cmocka_unit_test(test_transfer),
		cmocka_unit_test(test_copy_fill_map),
		cmocka_unit_test(test_sampler),
		cmocka_unit_test(test_args),
		cmocka_unit_test(test_arg_reads),
	};

	return CL_RUN(argc, argv, tests);
}
