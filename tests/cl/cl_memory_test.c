// SPDX-License-Identifier: MIT
/* Buffers: transfers, rectangles, fills, maps, host pointers, sub-buffers. */
#include "cl/cl_case.h"

#include <stdlib.h>
#include <string.h>

#define SIZE 8192

static unsigned char bytes[SIZE], want[SIZE], got[SIZE + 2];

static void reset(void)
{
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = want[i] = (unsigned char)(i * 7 + i / 256);
	memset(got, 0xee, SIZE);
}

static void check(cl_mem buffer)
{
	memset(got, 0xee, SIZE);
	cl_read(buffer, SIZE, got);
	assert_memory_equal(got, want, SIZE);
}

static void test_read_write(void **state)
{
	static const size_t spans[][2] = { { 0, SIZE }, { 1, 1 }, { 3, 5 }, { 4093, 9 },
		{ SIZE - 1, 1 }, { 64, 4096 }, { 17, 1000 } };

	(void)state;
	reset();
	cl_mem buffer = cl_make_buffer(SIZE, bytes);
	for (size_t t = 0; t < sizeof spans / sizeof *spans; t++) {
		size_t offset = spans[t][0], size = spans[t][1];
		unsigned char patch[SIZE];

		memset(got, 0xee, sizeof got);
		CL(clEnqueueReadBuffer(
			cl.queue, buffer, CL_TRUE, offset, size, got + 1, 0, NULL, NULL));
		assert_int_equal(got[0], 0xee);
		assert_memory_equal(got + 1, want + offset, size);
		assert_int_equal(got[size + 1], 0xee);
		memset(patch, (int)(t + 1), SIZE);
		memset(want + offset, (int)(t + 1), size);
		CL(clEnqueueWriteBuffer(
			cl.queue, buffer, t % 2, offset, size, patch, 0, NULL, NULL));
		CL(clFinish(cl.queue));
		check(buffer);
	}
	CL(clReleaseMemObject(buffer));
}

static void test_copy(void **state)
{
	static const size_t spans[][3] = { { 0, 4096, 4096 }, { 5000, 0, 77 }, { 1, 2048, 3 },
		{ 0, SIZE - 1, 1 } };

	(void)state;
	reset();
	cl_mem buffer = cl_make_buffer(SIZE, bytes), other = cl_make_buffer(SIZE, NULL);
	for (size_t t = 0; t < sizeof spans / sizeof *spans; t++) {
		const size_t *s = spans[t];

		memmove(want + s[1], want + s[0], s[2]);
		CL(clEnqueueCopyBuffer(cl.queue, buffer, buffer, s[0], s[1], s[2], 0, NULL, NULL));
		check(buffer);
	}
	CL(clEnqueueCopyBuffer(cl.queue, buffer, other, 0, 0, SIZE, 0, NULL, NULL));
	check(other);
	CL(clReleaseMemObject(buffer));
	CL(clReleaseMemObject(other));
}

static void copy_box(unsigned char *to, const size_t *to_origin, size_t to_row, size_t to_slice,
	const unsigned char *from, const size_t *from_origin, size_t from_row, size_t from_slice,
	const size_t *region)
{
	for (size_t z = 0; z < region[2]; z++)
		for (size_t y = 0; y < region[1]; y++)
			memcpy(to + (to_origin[2] + z) * to_slice + (to_origin[1] + y) * to_row +
					to_origin[0],
				from + (from_origin[2] + z) * from_slice +
					(from_origin[1] + y) * from_row + from_origin[0],
				region[0]);
}

static void test_rect(void **state)
{
	static const size_t origin[3] = { 3, 2, 1 }, host[3] = { 5, 1, 0 };
	static const size_t region[3] = { 21, 4, 3 };
	static const size_t row = 32, slice = 32 * 10, host_row = 40, host_slice = 40 * 7;
	static unsigned char memory[SIZE], host_want[SIZE];

	(void)state;
	reset();
	cl_mem buffer = cl_make_buffer(SIZE, bytes), other = cl_make_buffer(SIZE, bytes);
	memset(memory, 0x55, SIZE);
	memset(host_want, 0x55, SIZE);
	copy_box(host_want, host, host_row, host_slice, bytes, origin, row, slice, region);
	CL(clEnqueueReadBufferRect(cl.queue, buffer, CL_TRUE, origin, host, region, row, slice,
		host_row, host_slice, memory, 0, NULL, NULL));
	assert_memory_equal(memory, host_want, SIZE);

	for (size_t i = 0; i < SIZE; i++)
		memory[i] = (unsigned char)(255 - i % 251);
	copy_box(want, origin, row, slice, memory, host, host_row, host_slice, region);
	CL(clEnqueueWriteBufferRect(cl.queue, buffer, CL_TRUE, origin, host, region, row, slice,
		host_row, host_slice, memory, 0, NULL, NULL));
	check(buffer);

	/* Default pitches: the region itself. */
	copy_box(want, host, region[0], region[0] * region[1], bytes, origin, row, slice, region);
	CL(clEnqueueCopyBufferRect(
		cl.queue, other, buffer, origin, host, region, row, slice, 0, 0, 0, NULL, NULL));
	check(buffer);
	CL(clReleaseMemObject(buffer));
	CL(clReleaseMemObject(other));
}

static void test_fill(void **state)
{
	static const size_t sizes[] = { 1, 2, 4, 8, 16, 32, 64, 128 };

	(void)state;
	reset();
	cl_mem buffer = cl_make_buffer(SIZE, bytes);
	for (size_t t = 0; t < sizeof sizes / sizeof *sizes; t++) {
		size_t n = sizes[t], offset = n * 3, size = n * 9;
		unsigned char pattern[128];

		for (size_t i = 0; i < n; i++)
			pattern[i] = (unsigned char)(i * 3 + t + 100);
		for (size_t i = 0; i < size; i++)
			want[offset + i] = pattern[i % n];
		CL(clEnqueueFillBuffer(cl.queue, buffer, pattern, n, offset, size, 0, NULL, NULL));
		memset(pattern, 0, sizeof pattern); /* it was captured */
		check(buffer);
	}
	CL(clReleaseMemObject(buffer));
}

/* Work with the pointer is seen after the unmap, and the kernel's after the map. */
static void test_map(void **state)
{
	static const char source[] =
		"kernel void inc(global uchar *p) { p[get_global_id(0)] += 1; }\n";
	cl_int rc;

	(void)state;
	reset();
	cl_kernel kernel = cl_make_kernel(source, "", "inc");
	cl_mem buffer = cl_make_buffer(SIZE, bytes);
	cl_set_buffer(kernel, 0, buffer);
	cl_launch(kernel, SIZE, 0);
	for (size_t i = 0; i < SIZE; i++)
		want[i]++;
	unsigned char *p = clEnqueueMapBuffer(cl.queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
		100, 1000, 0, NULL, NULL, &rc);
	CL(rc);
	assert_memory_equal(p, want + 100, 1000);
	memset(p, 0x11, 1000);
	memset(want + 100, 0x11, 1000);
	CL(clEnqueueUnmapMemObject(cl.queue, buffer, p, 0, NULL, NULL));
	check(buffer);

	unsigned char *q = clEnqueueMapBuffer(cl.queue, buffer, CL_TRUE,
		CL_MAP_WRITE_INVALIDATE_REGION, 0, 16, 0, NULL, NULL, &rc);
	CL(rc);
	memset(q, 0x22, 16);
	memset(want, 0x22, 16);
	CL(clEnqueueUnmapMemObject(cl.queue, buffer, q, 0, NULL, NULL));
	cl_launch(kernel, SIZE, 0);
	for (size_t i = 0; i < SIZE; i++)
		want[i]++;
	check(buffer);
	CL(clReleaseMemObject(buffer));
	cl_kernel_done(kernel);
}

static cl_uint map_count(cl_mem buffer)
{
	cl_uint count = 4711;

	CL(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
	return count;
}

static void test_map_count(void **state)
{
	cl_int rc;
	void *p[3];

	(void)state;
	cl_mem buffer = cl_make_buffer(SIZE, NULL);
	for (int i = 0; i < 3; i++) {
		p[i] = clEnqueueMapBuffer(cl.queue, buffer, CL_TRUE, CL_MAP_READ,
			(size_t)(i / 2) * 64, 64, 0, NULL, NULL, &rc);
		CL(rc);
	}
	assert_ptr_equal(p[0], p[1]);
	assert_ptr_equal((char *)p[0] + 64, p[2]);
	assert_int_equal(map_count(buffer), 3);
	for (int i = 0; i < 3; i++)
		CL(clEnqueueUnmapMemObject(cl.queue, buffer, p[i], 0, NULL, NULL));
	CL(clFinish(cl.queue));
	assert_int_equal(map_count(buffer), 0);
	CL_ROW(CL_INVALID_VALUE, clEnqueueUnmapMemObject(cl.queue, buffer, p[0], 0, NULL, NULL));
	cl_rows_end();
	CL(clReleaseMemObject(buffer));
}

/* A region is mapped for writing once at a time. */
static void test_overlapping_maps(void **state)
{
	static const struct {
		cl_map_flags flags;
		size_t offset, size;
		cl_int code;
	} rows[] = {
		{ CL_MAP_WRITE, 64, 64, CL_SUCCESS },
		{ CL_MAP_WRITE, 64, 64, CL_INVALID_OPERATION },
		{ CL_MAP_READ | CL_MAP_WRITE, 127, 1, CL_INVALID_OPERATION },
		{ CL_MAP_WRITE_INVALIDATE_REGION, 0, 65, CL_INVALID_OPERATION },
		{ CL_MAP_WRITE, 0, SIZE, CL_INVALID_OPERATION },
		{ CL_MAP_READ, 0, SIZE, CL_SUCCESS },
		{ CL_MAP_WRITE, 0, 64, CL_SUCCESS },
		{ CL_MAP_WRITE, 128, 1, CL_SUCCESS },
	};
	const size_t n = sizeof rows / sizeof *rows;
	void *maps[sizeof rows / sizeof *rows];
	cl_int rc;

	(void)state;
	skip_if(!cl.ours); /* PoCL allows all, Intel's driver not even to read what is mapped */
	cl_mem buffer = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, SIZE, NULL, &rc);
	CL(rc);
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < n; i++) {
			rc = 1;
			maps[i] = clEnqueueMapBuffer(cl.queue, buffer, CL_TRUE, rows[i].flags,
				rows[i].offset, rows[i].size, 0, NULL, NULL, &rc);
			assert_int_equal(rc, rows[i].code);
		}
		for (size_t i = 0; i < n; i++)
			if (maps[i])
				CL(clEnqueueUnmapMemObject(
					cl.queue, buffer, maps[i], 0, NULL, NULL));
	}
	CL(clReleaseMemObject(buffer));
}

/* USE_HOST_PTR, at an address that nothing is aligned to. */
static void test_host_pointer(void **state)
{
	static const char source[] =
		"kernel void inc(global uchar *p) { p[get_global_id(0)] += 1; }\n";
	unsigned char *memory = malloc(SIZE + 64);
	unsigned char *mine = memory + 13;
	cl_int rc;
	void *pointer;

	(void)state;
	reset();
	memcpy(mine, bytes, SIZE);
	cl_kernel kernel = cl_make_kernel(source, "", "inc");
	cl_mem buffer = clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR, SIZE, mine, &rc);
	CL(rc);
	CL(clGetMemObjectInfo(buffer, CL_MEM_HOST_PTR, sizeof pointer, &pointer, NULL));
	assert_ptr_equal(pointer, mine);
	cl_set_buffer(kernel, 0, buffer);
	cl_launch(kernel, SIZE, 0);
	for (size_t i = 0; i < SIZE; i++)
		want[i]++;
	unsigned char *p = clEnqueueMapBuffer(
		cl.queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 11, 500, 0, NULL, NULL, &rc);
	CL(rc);
	assert_ptr_equal(p, mine + 11);
	assert_memory_equal(p, want + 11, 500);
	memset(p, 0x33, 500);
	memset(want + 11, 0x33, 500);
	CL(clEnqueueUnmapMemObject(cl.queue, buffer, p, 0, NULL, NULL));
	check(buffer);
	CL(clReleaseMemObject(buffer));
	cl_kernel_done(kernel);
	free(memory);
}

static void test_alloc_host_pointer(void **state)
{
	cl_int rc;

	(void)state;
	reset();
	cl_mem buffer = clCreateBuffer(
		cl.context, CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, SIZE, bytes, &rc);
	CL(rc);
	check(buffer);
	CL(clReleaseMemObject(buffer));
}

/* cl_intel_mem_force_host_memory: buffers of any size, and the host's own memory where it is
 * aligned. */
static void test_force_host_memory(void **state)
{
	static _Alignas(4096) cl_uint numbers[4096], back[4096];
	const cl_mem_flags host = CL_MEM_FORCE_HOST_MEMORY_INTEL;
	const size_t sizes[] = { 64, 256, sizeof numbers };
	cl_kernel kernel = cl_make_kernel(
		"kernel void k(global uint *p) { p[get_global_id(0)] += 3; }", "", "k");
	cl_buffer_region region = { 0, 256 };
	cl_mem_flags flags = 0;
	cl_int rc;

	(void)state;
	skip_if(!cl_has("cl_intel_mem_force_host_memory"));
	for (int i = 0; i < 6; i++) {
		size_t size = sizes[i % 3], n = size / sizeof *numbers;

		for (cl_uint k = 0; k < n; k++)
			numbers[k] = k * 5;
		cl_mem buffer = clCreateBuffer(cl.context,
			host | (i < 3 ? CL_MEM_COPY_HOST_PTR : CL_MEM_USE_HOST_PTR), size, numbers,
			&rc);
		CL(rc);
		CL(clGetMemObjectInfo(buffer, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
		assert_true(flags & host);
		cl_set_buffer(kernel, 0, buffer);
		cl_launch(kernel, n, 0);
		memset(back, 0xee, sizeof back);
		cl_read(buffer, size, back);
		for (cl_uint k = 0; k < n; k++)
			assert_int_equal(back[k], k * 5 + 3);
		CL(clReleaseMemObject(buffer));
	}
	cl_kernel_done(kernel);
	if (!cl.ours)
		return;
	CL_ROW_MADE(CL_INVALID_HOST_PTR,
		clCreateBuffer(cl.context, host | CL_MEM_USE_HOST_PTR, 256, numbers + 1, &rc));
	CL_ROW_MADE(CL_INVALID_BUFFER_SIZE,
		clCreateBuffer(cl.context, host | CL_MEM_USE_HOST_PTR, 100, numbers, &rc));
	cl_mem buffer = cl_make_buffer(1024, NULL);
	CL_ROW_MADE(CL_INVALID_VALUE,
		clCreateSubBuffer(buffer, host, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc));
	CL(clReleaseMemObject(buffer));
	cl_rows_end();
}

static void test_sub_buffer(void **state)
{
	static const char source[] =
		"kernel void inc(global uchar *p) { p[get_global_id(0)] += 1; }\n";
	cl_uint align;
	cl_int rc;
	cl_mem parent;
	size_t offset;

	(void)state;
	reset();
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof align, &align, NULL));
	align /= 8;
	cl_mem buffer = cl_make_buffer(SIZE, bytes);
	cl_buffer_region region = { align * 2, align * 3 + 1 };
	cl_mem sub = clCreateSubBuffer(
		buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc);
	CL(rc);
	CL(clGetMemObjectInfo(sub, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL));
	assert_ptr_equal(parent, buffer);
	CL(clGetMemObjectInfo(sub, CL_MEM_OFFSET, sizeof offset, &offset, NULL));
	assert_int_equal(offset, region.origin);
	cl_kernel kernel = cl_make_kernel(source, "", "inc");
	cl_set_buffer(kernel, 0, sub);
	cl_launch(kernel, region.size, 0);
	for (size_t i = 0; i < region.size; i++)
		want[region.origin + i]++;
	check(buffer);
	memset(got, 0xee, SIZE);
	cl_read(sub, region.size, got);
	assert_memory_equal(got, want + region.origin, region.size);

	/* The parent lives as long as its sub-buffer. */
	CL(clReleaseMemObject(buffer));
	memset(got, 0xee, SIZE);
	cl_read(sub, region.size, got);
	assert_memory_equal(got, want + region.origin, region.size);
	CL(clReleaseMemObject(sub));
	cl_kernel_done(kernel);
}

static int order[4], calls;

static void CL_CALLBACK gone(cl_mem mem, void *data)
{
	(void)mem;
	order[calls++] = *(int *)data;
}

static void test_destructor(void **state)
{
	int one = 1, two = 2;

	(void)state;
	calls = 0;
	cl_mem buffer = cl_make_buffer(64, NULL);
	CL(clSetMemObjectDestructorCallback(buffer, gone, &one));
	CL(clSetMemObjectDestructorCallback(buffer, gone, &two));
	CL(clRetainMemObject(buffer));
	CL(clReleaseMemObject(buffer));
	assert_int_equal(calls, 0);
	CL(clReleaseMemObject(buffer));
	if (!cl.ours && !calls)
		skip_because("this driver calls back later");
	assert_int_equal(calls, 2);
	assert_int_equal(order[0], 2);
	assert_int_equal(order[1], 1);
}

/* A buffer may be let go while commands still use it. */
static void test_release_in_flight(void **state)
{
	static const char source[] = "kernel void inc(global uint *p, global uint *q)\n"
				     "{ size_t i = get_global_id(0); q[i] = p[i] + 1; }\n";
	static cl_uint in[2048], out[2048];

	(void)state;
	for (cl_uint i = 0; i < 2048; i++)
		in[i] = i * i;
	cl_kernel kernel = cl_make_kernel(source, "", "inc");
	cl_mem to = cl_make_buffer(sizeof out, NULL);
	for (int round = 0; round < 20; round++) {
		cl_mem from = cl_make_buffer(sizeof in, in);

		cl_set_buffer(kernel, 0, from);
		cl_set_buffer(kernel, 1, to);
		cl_launch(kernel, 2048, 0);
		CL(clReleaseMemObject(from));
	}
	memset(out, 0xee, sizeof out);
	cl_read(to, sizeof out, out);
	for (cl_uint i = 0; i < 2048; i++)
		assert_int_equal(out[i], i * i + 1);
	CL(clReleaseMemObject(to));
	cl_kernel_done(kernel);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read_write),
		cmocka_unit_test(test_copy),
		cmocka_unit_test(test_rect),
		cmocka_unit_test(test_fill),
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_map_count),
		cmocka_unit_test(test_overlapping_maps),
		cmocka_unit_test(test_host_pointer),
		cmocka_unit_test(test_alloc_host_pointer),
		cmocka_unit_test(test_force_host_memory),
		cmocka_unit_test(test_sub_buffer),
		cmocka_unit_test(test_destructor),
		cmocka_unit_test(test_release_in_flight),
	};

	return CL_RUN(argc, argv, tests);
}
