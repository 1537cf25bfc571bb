// SPDX-License-Identifier: MIT
/*
 * The commands that move pixels: writes, reads, copies, fills and maps of all types of images in
 * random order, held against plain memory; images of buffers and of images; samplers and queries.
 */
#include "cl/cl_case.h"
#include "test_random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An image and what it should hold, packed. */
struct model {
	cl_mem image;
	cl_mem_object_type type;
	cl_image_format format;
	size_t extent[3];
	size_t size; /* of a pixel */
	uint8_t *pixels;
};

static uint64_t seed = 7;

static uint32_t dice(uint32_t n)
{
	return test_random_below(&seed, n);
}

static uint8_t *at(const struct model *m, size_t x, size_t y, size_t z)
{
	return m->pixels + ((z * m->extent[1] + y) * m->extent[0] + x) * m->size;
}

static bool is_lines(const struct model *m)
{
	return m->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
}

static bool has_slices(const struct model *m)
{
	return is_lines(m) || m->type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
	       m->type == CL_MEM_OBJECT_IMAGE3D;
}

static cl_image_desc describe(const struct model *m)
{
	cl_image_desc desc = { .image_type = m->type, .image_width = m->extent[0] };

	if (is_lines(m))
		desc.image_array_size = m->extent[1];
	else if (m->type != CL_MEM_OBJECT_IMAGE1D)
		desc.image_height = m->extent[1];
	if (m->type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
		desc.image_array_size = m->extent[2];
	if (m->type == CL_MEM_OBJECT_IMAGE3D)
		desc.image_depth = m->extent[2];
	return desc;
}

static size_t bytes_of(const struct model *m)
{
	return m->extent[0] * m->extent[1] * m->extent[2] * m->size;
}

static void start(struct model *m)
{
	cl_image_desc desc = describe(m);
	cl_int rc;

	m->pixels = malloc(bytes_of(m));
	for (size_t i = 0; i < bytes_of(m); i++)
		m->pixels[i] = (uint8_t)dice(256);
	m->image =
		clCreateImage(cl.context, CL_MEM_COPY_HOST_PTR, &m->format, &desc, m->pixels, &rc);
	CL(rc);
	size_t size = 0;
	CL(clGetImageInfo(m->image, CL_IMAGE_ELEMENT_SIZE, sizeof size, &size, NULL));
	assert_int_equal(size, m->size);
}

static void random_region(const struct model *m, size_t origin[3], size_t region[3])
{
	for (int i = 0; i < 3; i++) {
		origin[i] = dice((uint32_t)m->extent[i]);
		region[i] = 1 + dice((uint32_t)(m->extent[i] - origin[i]));
	}
}

/* Where the rows of a region are in memory with pitches that are too wide. */
struct layout {
	size_t row, slice, steps[2], size;
};

static struct layout random_layout(const struct model *m, const size_t region[3])
{
	struct layout l = { .row = (region[0] + dice(3)) * m->size };

	l.slice = is_lines(m) ? l.row : l.row * region[1];
	if (has_slices(m))
		l.slice += dice(2) * l.row;
	l.steps[0] = is_lines(m) ? l.slice : l.row;
	l.steps[1] = is_lines(m) ? l.slice * region[1] : l.slice;
	l.size = l.steps[1] * region[2];
	return l;
}

static void do_write(struct model *m)
{
	size_t o[3], r[3];

	random_region(m, o, r);
	struct layout l = random_layout(m, r);
	uint8_t *memory = malloc(l.size);
	for (size_t i = 0; i < l.size; i++)
		memory[i] = (uint8_t)dice(256);
	CL(clEnqueueWriteImage(cl.queue, m->image, CL_TRUE, o, r, l.row,
		has_slices(m) ? l.slice : 0, memory, 0, NULL, NULL));
	for (size_t z = 0; z < r[2]; z++)
		for (size_t y = 0; y < r[1]; y++)
			memcpy(at(m, o[0], o[1] + y, o[2] + z),
				memory + z * l.steps[1] + y * l.steps[0], r[0] * m->size);
	free(memory);
}

static void do_read(struct model *m)
{
	size_t o[3], r[3];

	random_region(m, o, r);
	struct layout l = random_layout(m, r);
	uint8_t *memory = malloc(l.size), *want = malloc(l.size);
	memset(memory, 0xee, l.size);
	memset(want, 0xee, l.size);
	for (size_t z = 0; z < r[2]; z++)
		for (size_t y = 0; y < r[1]; y++)
			memcpy(want + z * l.steps[1] + y * l.steps[0],
				at(m, o[0], o[1] + y, o[2] + z), r[0] * m->size);
	CL(clEnqueueReadImage(cl.queue, m->image, dice(2) ? CL_TRUE : CL_FALSE, o, r, l.row,
		has_slices(m) ? l.slice : 0, memory, 0, NULL, NULL));
	CL(clFinish(cl.queue));
	assert_memory_equal(memory, want, l.size);
	free(memory);
	free(want);
}

/* Of integers: what becomes of other colours is a matter of conversions. */
static void do_fill(struct model *m)
{
	size_t o[3], r[3];
	cl_uint color[4];
	uint8_t packed[16];
	size_t bytes = m->format.image_channel_data_type == CL_UNSIGNED_INT8	? 1
		       : m->format.image_channel_data_type == CL_UNSIGNED_INT16 ? 2
										: 4;

	for (int i = 0; i < 4; i++) {
		color[i] = dice(256);
		memcpy(packed + (size_t)i * bytes, &color[i], bytes);
	}
	random_region(m, o, r);
	CL(clEnqueueFillImage(cl.queue, m->image, color, o, r, 0, NULL, NULL));
	for (size_t z = 0; z < r[2]; z++)
		for (size_t y = 0; y < r[1]; y++)
			for (size_t x = 0; x < r[0]; x++)
				memcpy(at(m, o[0] + x, o[1] + y, o[2] + z), packed, m->size);
}

static void do_map(struct model *m)
{
	size_t o[3], r[3], row = 0, slice = 0;
	bool invalidate = dice(2);
	cl_int rc;

	random_region(m, o, r);
	uint8_t *pointer = clEnqueueMapImage(cl.queue, m->image, CL_TRUE,
		invalidate ? CL_MAP_WRITE_INVALIDATE_REGION : CL_MAP_READ | CL_MAP_WRITE, o, r,
		&row, &slice, 0, NULL, NULL, &rc);
	CL(rc);
	for (size_t z = 0; z < r[2]; z++)
		for (size_t y = 0; y < r[1]; y++) {
			uint8_t *here = pointer + z * slice + y * (is_lines(m) ? slice : row);
			uint8_t *want = at(m, o[0], o[1] + y, o[2] + z);

			if (!invalidate)
				assert_memory_equal(here, want, r[0] * m->size);
			for (size_t i = 0; i < r[0] * m->size; i++)
				here[i] = want[i] = (uint8_t)dice(256);
		}
	CL(clEnqueueUnmapMemObject(cl.queue, m->image, pointer, 0, NULL, NULL));
}

static void move(struct model *from, const size_t a[3], struct model *to, const size_t b[3],
	const size_t r[3])
{
	uint8_t *packed = malloc(r[0] * r[1] * r[2] * to->size), *next = packed;

	for (size_t z = 0; z < r[2]; z++)
		for (size_t y = 0; y < r[1]; y++, next += r[0] * to->size)
			memcpy(next, at(from, a[0], a[1] + y, a[2] + z), r[0] * to->size);
	next = packed;
	for (size_t z = 0; z < r[2]; z++)
		for (size_t y = 0; y < r[1]; y++, next += r[0] * to->size)
			memcpy(at(to, b[0], b[1] + y, b[2] + z), next, r[0] * to->size);
	free(packed);
}

static void do_copy(struct model *from, struct model *to)
{
	size_t a[3], b[3], r[3];

	for (int i = 0; i < 3; i++) {
		size_t least = from->extent[i] < to->extent[i] ? from->extent[i] : to->extent[i];
		r[i] = 1 + dice((uint32_t)least);
		a[i] = dice((uint32_t)(from->extent[i] - r[i] + 1));
		b[i] = dice((uint32_t)(to->extent[i] - r[i] + 1));
	}
	CL(clEnqueueCopyImage(cl.queue, from->image, to->image, a, b, r, 0, NULL, NULL));
	move(from, a, to, b, r);
}

static void do_buffer(struct model *m, cl_mem buffer)
{
	size_t a[3], b[3], r[3], offset = dice(8) * m->size;

	random_region(m, a, r);
	for (int i = 0; i < 3; i++)
		b[i] = dice((uint32_t)(m->extent[i] - r[i] + 1));
	CL(clEnqueueCopyImageToBuffer(cl.queue, m->image, buffer, a, r, offset, 0, NULL, NULL));
	CL(clEnqueueCopyBufferToImage(cl.queue, buffer, m->image, offset, b, r, 0, NULL, NULL));
	move(m, a, m, b, r);
}

static void play(struct model *a, struct model *b, int steps)
{
	cl_mem buffer = cl_make_buffer(65536, NULL);
	struct model *both[] = { a, b };

	for (int i = 0; i < steps; i++) {
		struct model *m = both[dice(2)];

		switch (dice(6)) {
		case 0:
			do_write(m);
			break;
		case 1:
			do_read(m);
			break;
		case 2:
			do_fill(m);
			break;
		case 3:
			do_map(m);
			break;
		case 4:
			do_copy(m, m == a ? b : a);
			break;
		default:
			do_buffer(m, buffer);
		}
	}
	for (int i = 0; i < 6; i++)
		do_read(both[i % 2]);
	for (int i = 0; i < 2; i++) {
		CL(clReleaseMemObject(both[i]->image));
		free(both[i]->pixels);
	}
	CL(clReleaseMemObject(buffer));
}

static void test_commands(void **state)
{
	static const struct {
		cl_mem_object_type type;
		size_t extent[3];
	} shapes[] = {
		{ CL_MEM_OBJECT_IMAGE1D, { 67, 1, 1 } },
		{ CL_MEM_OBJECT_IMAGE1D_ARRAY, { 19, 6, 1 } },
		{ CL_MEM_OBJECT_IMAGE2D, { 33, 18, 1 } },
		{ CL_MEM_OBJECT_IMAGE2D_ARRAY, { 9, 7, 5 } },
		{ CL_MEM_OBJECT_IMAGE3D, { 7, 9, 6 } },
	};
	static const struct {
		cl_image_format format;
		size_t size;
	} formats[] = {
		{ { CL_RGBA, CL_UNSIGNED_INT8 }, 4 },
		{ { CL_R, CL_UNSIGNED_INT8 }, 1 },
		{ { CL_RG, CL_UNSIGNED_INT16 }, 4 },
		{ { CL_RGBA, CL_UNSIGNED_INT32 }, 16 },
	};

	(void)state;
	skip_if(!cl_has_images());
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		for (size_t j = 0; j < sizeof formats / sizeof *formats; j++) {
			struct model a = { .type = shapes[i].type,
				.format = formats[j].format,
				.size = formats[j].size };
			struct model b;

			memcpy(a.extent, shapes[i].extent, sizeof a.extent);
			b = a;
			start(&a);
			start(&b);
			play(&a, &b, 24);
		}
}

/* The buffer's bytes are the image's: a kernel on either sees what the other wrote. */
enum { W = 12, H = 9, PITCH = 64, SIZE = PITCH * H };

/* An image of that type over the buffer. */
static cl_mem image_of(cl_mem buffer, cl_mem_object_type type)
{
	const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	bool flat = type == CL_MEM_OBJECT_IMAGE2D;
	const cl_image_desc desc = { .image_type = type,
		.image_width = flat ? W : SIZE / 4,
		.image_height = flat ? H : 0,
		.image_row_pitch = flat ? PITCH : 0,
		.mem_object = buffer };
	cl_int rc;
	cl_mem image = clCreateImage(cl.context, 0, &format, &desc, NULL, &rc);

	CL(rc);
	return image;
}

static void check_flat(
	cl_program program, cl_mem from, cl_mem to, const uint8_t *bytes, const uint8_t *out)
{
	const size_t global[2] = { W, H };
	cl_kernel inc = cl_kernel_of(program, "inc"), add = cl_kernel_of(program, "add");
	cl_mem a = image_of(from, CL_MEM_OBJECT_IMAGE2D), b = image_of(to, CL_MEM_OBJECT_IMAGE2D);
	cl_ulong begin = 0, end = 0;
	uint8_t got[SIZE];
	cl_event event;

	cl_set_buffer(inc, 0, from);
	cl_launch(inc, SIZE, 0);
	cl_set_buffer(add, 0, a);
	cl_set_buffer(add, 1, b);
	cl_set_uint(add, 2, 5);
	CL(clEnqueueNDRangeKernel(cl.queue, add, 2, NULL, global, NULL, 0, NULL, &event));
	cl_set_buffer(inc, 0, to);
	cl_launch(inc, SIZE, 0);
	cl_read(to, SIZE, got);
	for (int i = 0; i < SIZE; i++) {
		/* the components saturate */
		int want = (uint8_t)(bytes[i] + 1) + 5;

		want = i % PITCH >= W * 4 ? out[i] : want > 255 ? 255 : want;
		assert_int_equal(got[i], (uint8_t)(want + 1));
	}
	CL(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, 8, &begin, NULL));
	CL(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 8, &end, NULL));
	assert_true(begin <= end);
	CL(clReleaseEvent(event));
	CL(clReleaseKernel(inc));
	CL(clReleaseKernel(add));
	CL(clReleaseMemObject(a));
	CL(clReleaseMemObject(b));
}

/* Lines; `from` is released before its image is used. */
static void check_line(cl_program program, cl_mem from, cl_mem to, const uint8_t *bytes)
{
	cl_mem a = image_of(from, CL_MEM_OBJECT_IMAGE1D_BUFFER);
	cl_mem b = image_of(to, CL_MEM_OBJECT_IMAGE1D_BUFFER);
	cl_kernel line = cl_kernel_of(program, "line");
	uint8_t got[SIZE];

	CL(clReleaseMemObject(from));
	cl_set_buffer(line, 0, a);
	cl_set_buffer(line, 1, b);
	cl_launch(line, SIZE / 4, 0);
	cl_read(to, SIZE, got);
	for (int i = 0; i < SIZE; i++) {
		int want = (uint8_t)(bytes[i] + 1) * 2;

		assert_int_equal(got[i], want > 255 ? 255 : want);
	}
	CL(clReleaseKernel(line));
	CL(clReleaseMemObject(a));
	CL(clReleaseMemObject(b));
}

static void test_of_buffer(void **state)
{
	static const char source[] =
		"kernel void add(read_only image2d_t from, write_only image2d_t to, uint n) {\n"
		" int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
		" write_imageui(to, p, read_imageui(from, p) + n); }\n"
		"kernel void line(read_only image1d_buffer_t from, write_only image1d_buffer_t to) "
		"{\n"
		" int i = get_global_id(0); write_imageui(to, i, read_imageui(from, i) * 2); }\n"
		"kernel void inc(global uchar *b) { b[get_global_id(0)] += 1; }\n";
	uint8_t bytes[SIZE], out[SIZE];

	(void)state;
	skip_if(!cl_has_images());
	skip_if(!cl_has("cl_khr_image2d_from_buffer"));
	for (int i = 0; i < SIZE; i++) {
		bytes[i] = (uint8_t)(i * 5);
		out[i] = 0x77;
	}
	cl_program program = cl_build(source, "");
	cl_mem from = cl_make_buffer(SIZE, bytes), to = cl_make_buffer(SIZE, out);
	check_flat(program, from, to, bytes, out);
	check_line(program, from, to, bytes);
	CL(clReleaseMemObject(to));
	CL(clReleaseProgram(program));
}

/* With CL_MEM_USE_HOST_PTR, maps give the application's own memory, up to date. */
static void test_host_ptr(void **state)
{
	static const char source[] =
		"kernel void k(write_only image2d_t i) {\n"
		" int x = get_global_id(0), y = get_global_id(1);\n"
		" write_imageui(i, (int2)(x, y), (uint4)(x, y, x + y, 200)); }\n";
	const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = W,
		.image_height = H,
		.image_row_pitch = PITCH };
	const size_t zero[3] = { 0 }, all[3] = { W, H, 1 }, global[2] = { W, H };
	uint8_t *host = aligned_alloc(4096, 4096);
	size_t row = 0;
	cl_int rc;

	(void)state;
	skip_if(!cl_has_images());
	memset(host, 0x33, 4096);
	cl_kernel kernel = cl_make_kernel(source, "", "k");
	cl_mem image = clCreateImage(cl.context, CL_MEM_USE_HOST_PTR, &format, &desc, host, &rc);
	CL(rc);
	cl_set_buffer(kernel, 0, image);
	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
	uint8_t *pointer = clEnqueueMapImage(
		cl.queue, image, CL_TRUE, CL_MAP_READ, zero, all, &row, NULL, 0, NULL, NULL, &rc);
	CL(rc);
	assert_ptr_equal(pointer, host);
	assert_int_equal(row, PITCH);
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++) {
			const uint8_t want[4] = { (uint8_t)x, (uint8_t)y, (uint8_t)(x + y), 200 };

			assert_memory_equal(pointer + y * PITCH + x * 4, want, 4);
		}
	for (int y = 0; y < H; y++)
		for (int i = W * 4; i < PITCH; i++)
			assert_int_equal(host[y * PITCH + i], 0x33);
	CL(clEnqueueUnmapMemObject(cl.queue, image, pointer, 0, NULL, NULL));
	CL(clFinish(cl.queue));
	CL(clReleaseMemObject(image));
	cl_kernel_done(kernel);
	free(host);
}

/* Behind an event of the application's, and read by kernels that read and write one image. */
static void test_order(void **state)
{
	static const char source[] = "kernel void k(read_write image2d_t i, uint n) {\n"
				     " int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
				     " write_imageui(i, p, read_imageui(i, p) * 3 + n); }\n";
	const cl_image_format format = { CL_R, CL_UNSIGNED_INT32 };
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = W, .image_height = H
	};
	const size_t zero[3] = { 0 }, all[3] = { W, H, 1 }, global[2] = { W, H };
	cl_uint pixels[W * H], got[W * H];
	cl_uint accepted = 0;
	cl_int rc;

	(void)state;
	skip_if(!cl_has_images());
	CL(clGetDeviceInfo(
		cl.device, CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, sizeof accepted, &accepted, NULL));
	skip_if(!accepted);
	for (cl_uint i = 0; i < W * H; i++)
		pixels[i] = i * 1000;
	cl_kernel kernel = cl_make_kernel(source, "-cl-std=CL3.0", "k");
	cl_mem image = clCreateImage(cl.context, CL_MEM_READ_WRITE, &format, &desc, NULL, &rc);
	CL(rc);
	cl_event gate = clCreateUserEvent(cl.context, &rc), done;
	CL(rc);
	CL(clEnqueueWriteImage(cl.queue, image, CL_FALSE, zero, all, 0, 0, pixels, 1, &gate, NULL));
	cl_set_buffer(kernel, 0, image);
	for (cl_uint n = 1; n < 4; n++) {
		cl_set_uint(kernel, 1, n);
		CL(clEnqueueNDRangeKernel(cl.queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
	}
	memset(got, 0xee, sizeof got);
	CL(clEnqueueReadImage(cl.queue, image, CL_FALSE, zero, all, 0, 0, got, 0, NULL, &done));
	CL(clSetUserEventStatus(gate, CL_COMPLETE));
	CL(clWaitForEvents(1, &done));
	for (cl_uint i = 0; i < W * H; i++)
		assert_int_equal(got[i], ((i * 1000 * 3 + 1) * 3 + 2) * 3 + 3);
	CL(clReleaseEvent(done));
	CL(clReleaseEvent(gate));
	CL(clReleaseMemObject(image));
	cl_kernel_done(kernel);
}

/* What kernels are told of their arguments. */
static void test_kernel_queries(void **state)
{
	static const char source[] =
		"kernel void k(read_only image2d_array_t a, read_only image3d_t b,\n"
		"  write_only image2d_t c, global int *o) {\n"
		" o[0] = get_image_width(a); o[1] = get_image_height(a);\n"
		" o[2] = (int)get_image_array_size(a);\n"
		" o[3] = get_image_channel_order(a); o[4] = get_image_channel_data_type(a);\n"
		" o[5] = get_image_width(b); o[6] = get_image_height(b); o[7] = "
		"get_image_depth(b);\n"
		" o[8] = get_image_width(c); o[9] = get_image_channel_order(c); }\n";
	struct model a = { .type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
		.format = { CL_RG, CL_HALF_FLOAT },
		.extent = { 5, 6, 3 },
		.size = 4 };
	struct model b = { .type = CL_MEM_OBJECT_IMAGE3D,
		.format = { CL_RGBA, CL_UNORM_INT8 },
		.extent = { 4, 3, 2 },
		.size = 4 };
	struct model c = { .type = CL_MEM_OBJECT_IMAGE2D,
		.format = { CL_BGRA, CL_UNORM_INT8 },
		.extent = { 9, 8, 1 },
		.size = 4 };
	const cl_int want[] = { 5, 6, 3, CL_RG, CL_HALF_FLOAT, 4, 3, 2, 9, CL_BGRA };
	cl_int got[10];

	(void)state;
	skip_if(!cl_has_images());
	cl_kernel kernel = cl_make_kernel(source, "", "k");
	cl_mem buffer = cl_make_buffer(sizeof got, NULL);
	struct model *models[] = { &a, &b, &c };
	for (cl_uint i = 0; i < 3; i++) {
		start(models[i]);
		cl_set_buffer(kernel, i, models[i]->image);
	}
	cl_set_buffer(kernel, 3, buffer);
	cl_launch(kernel, 1, 1);
	cl_read(buffer, sizeof got, got);
	assert_memory_equal(got, want, sizeof got);
	for (cl_uint i = 0; i < 3; i++) {
		CL(clReleaseMemObject(models[i]->image));
		free(models[i]->pixels);
	}
	CL(clReleaseMemObject(buffer));
	cl_kernel_done(kernel);
}

/* Depths are single components, and kernels know them for depths. */
static void test_depth(void **state)
{
	static const char source[] =
		"constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |\n"
		" CLK_FILTER_NEAREST;\n"
		"kernel void k(read_only image2d_depth_t a, write_only image2d_depth_t b,\n"
		"  global int *o) {\n"
		" int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
		" write_imagef(b, p, read_imagef(a, s, p) * 0.5f);\n"
		" o[0] = get_image_channel_order(a); o[1] = get_image_width(b); }\n";
	const size_t zero[3] = { 0 }, all[3] = { W, H, 1 }, global[2] = { W, H };
	struct model a = { .type = CL_MEM_OBJECT_IMAGE2D,
		.format = { CL_DEPTH, CL_FLOAT },
		.extent = { W, H, 1 },
		.size = 4 };
	struct model b = a;
	float depths[W * H], got[W * H];
	cl_int told[2];

	(void)state;
	skip_if(!cl_has_images());
	skip_if(!cl_has("cl_khr_depth_images"));
	cl_kernel kernel = cl_make_kernel(source, "-cl-std=CL2.0", "k");
	cl_mem buffer = cl_make_buffer(sizeof told, NULL);
	start(&a);
	start(&b);
	for (int i = 0; i < W * H; i++)
		depths[i] = (float)i / 32;
	CL(clEnqueueWriteImage(cl.queue, a.image, CL_TRUE, zero, all, 0, 0, depths, 0, NULL, NULL));
	cl_set_buffer(kernel, 0, a.image);
	cl_set_buffer(kernel, 1, b.image);
	cl_set_buffer(kernel, 2, buffer);
	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
	CL(clEnqueueReadImage(cl.queue, b.image, CL_TRUE, zero, all, 0, 0, got, 0, NULL, NULL));
	for (int i = 0; i < W * H; i++)
		assert_true(got[i] == depths[i] / 2);
	cl_read(buffer, sizeof told, told);
	assert_int_equal(told[0], CL_DEPTH);
	assert_int_equal(told[1], W);
	CL(clReleaseMemObject(buffer));
	CL(clReleaseMemObject(a.image));
	CL(clReleaseMemObject(b.image));
	free(a.pixels);
	free(b.pixels);
	cl_kernel_done(kernel);
}

static void test_sampler(void **state)
{
	const cl_sampler_properties properties[] = { CL_SAMPLER_ADDRESSING_MODE,
		CL_ADDRESS_MIRRORED_REPEAT, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0 };
	cl_sampler_properties back[8];
	cl_addressing_mode address = 0;
	cl_filter_mode filter = 0;
	cl_context context = NULL;
	cl_bool normalized = 77;
	cl_uint count = 77;
	size_t size = 77;
	cl_int rc;

	(void)state;
	skip_if(!cl_has_images());
	cl_sampler sampler = clCreateSamplerWithProperties(cl.context, properties, &rc);
	CL(rc);
#define GET(param, value) CL(clGetSamplerInfo(sampler, param, sizeof(value), &(value), NULL))
	GET(CL_SAMPLER_ADDRESSING_MODE, address);
	GET(CL_SAMPLER_FILTER_MODE, filter);
	GET(CL_SAMPLER_NORMALIZED_COORDS, normalized);
	GET(CL_SAMPLER_CONTEXT, context);
	CL(clRetainSampler(sampler));
	GET(CL_SAMPLER_REFERENCE_COUNT, count);
	assert_int_equal(address, CL_ADDRESS_MIRRORED_REPEAT);
	assert_int_equal(filter, CL_FILTER_LINEAR);
	assert_int_equal(normalized, CL_TRUE);
	assert_ptr_equal(context, cl.context);
	assert_int_equal(count, 2);
	CL(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, sizeof back, back, &size));
	assert_int_equal(size, sizeof properties);
	assert_memory_equal(back, properties, sizeof properties);
	CL(clReleaseSampler(sampler));
	CL(clReleaseSampler(sampler));
	sampler = clCreateSampler(cl.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &rc);
	CL(rc);
	GET(CL_SAMPLER_NORMALIZED_COORDS, normalized);
	assert_int_equal(normalized, CL_FALSE);
	CL(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, sizeof back, back, &size));
	assert_int_equal(size, 0);
	CL(clReleaseSampler(sampler));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_of_buffer),
		cmocka_unit_test(test_host_ptr),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_kernel_queries),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_sampler),
	};

	return CL_RUN(argc, argv, tests);
}
