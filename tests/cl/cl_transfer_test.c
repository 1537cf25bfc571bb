// SPDX-License-Identifier: MIT
/* Buffers over odd host memory, large transfers that must not stall, overlapping maps, limits. */
#include "cl/cl_case.h"

#include <stdlib.h>
#include <string.h>

#define LARGE ((size_t)24 << 20)

static const char source[] = "kernel void bump(global uchar *p, uint v)\n"
			     "{ p[get_global_id(0)] += v; }\n";

/* Every byte of it, and no byte beside it, at any address. */
static void test_misaligned(void **state)
{
	cl_kernel kernel = cl_make_kernel(source, "", "bump");
	unsigned char memory[5000];

	(void)state;
	for (size_t shift = 0; shift < 20; shift += shift < 9 ? 1 : 5) {
		unsigned char *p = memory + 100 + shift;
		size_t size = 4001 + shift;
		cl_int rc;

		memset(memory, 0xee, sizeof memory);
		for (size_t i = 0; i < size; i++)
			p[i] = (unsigned char)(i * 3 + shift);
		cl_mem buffer = clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR, size, p, &rc);
		CL(rc);
		cl_set_buffer(kernel, 0, buffer);
		cl_set_uint(kernel, 1, 17);
		cl_launch(kernel, size, 0);
		unsigned char *mapped = clEnqueueMapBuffer(cl.queue, buffer, CL_TRUE,
			CL_MAP_READ | CL_MAP_WRITE, 7, size - 7, 0, NULL, NULL, &rc);
		CL(rc);
		assert_ptr_equal(mapped, p + 7);
		for (size_t i = 7; i < size; i++)
			assert_int_equal(p[i], (unsigned char)(i * 3 + shift + 17));
		p[7] = 99;
		CL(clEnqueueUnmapMemObject(cl.queue, buffer, mapped, 0, NULL, NULL));
		unsigned char *back = malloc(size);
		memset(back, 0, size);
		cl_read(buffer, size, back);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(
				back[i], i == 7 ? 99 : (unsigned char)(i * 3 + shift + 17));
		free(back);
		CL(clReleaseMemObject(buffer));
		CL(clFinish(cl.queue));
		for (size_t i = 0; i < sizeof memory; i++)
			if (memory + i < p || memory + i >= p + size)
				assert_int_equal(memory[i], 0xee);
	}
	cl_kernel_done(kernel);
}

/* They return while what they wait for has not come: only then it is set. */
static void test_large(void **state)
{
	unsigned char *from = malloc(LARGE), *to = malloc(LARGE);
	cl_mem a = cl_make_buffer(LARGE, NULL), b = cl_make_buffer(LARGE, NULL);
	cl_event user, done;
	cl_int rc;

	(void)state;
	for (size_t i = 0; i < LARGE; i++)
		from[i] = (unsigned char)(i * 7 + i / 65536);
	memset(to, 0xee, LARGE);
	user = clCreateUserEvent(cl.context, &rc);
	CL(rc);
	CL(clEnqueueWriteBuffer(cl.queue, a, CL_FALSE, 0, LARGE, from, 1, &user, NULL));
	CL(clEnqueueCopyBuffer(cl.queue, a, b, 0, 0, LARGE, 0, NULL, NULL));
	CL(clEnqueueReadBuffer(cl.queue, b, CL_FALSE, 0, LARGE, to, 0, NULL, &done));
	CL(clFlush(cl.queue));
	assert_int_equal(to[0], 0xee);
	assert_int_equal(to[LARGE - 1], 0xee);
	CL(clSetUserEventStatus(user, CL_COMPLETE));
	CL(clWaitForEvents(1, &done));
	assert_memory_equal(to, from, LARGE);
	CL(clReleaseEvent(user));
	CL(clReleaseEvent(done));
	CL(clReleaseMemObject(a));
	CL(clReleaseMemObject(b));
	free(from);
	free(to);
}

/* The same bytes may be mapped more than once for reading; unmapped in any order. */
static void test_overlapping_maps(void **state)
{
	unsigned char bytes[4096];
	unsigned char *maps[3];
	cl_uint count = 0;
	cl_int rc;

	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)(i * 5);
	for (cl_mem_flags flags = CL_MEM_COPY_HOST_PTR; flags;
		flags = flags == CL_MEM_COPY_HOST_PTR ? CL_MEM_USE_HOST_PTR : 0) {
		cl_mem buffer = clCreateBuffer(cl.context, flags, sizeof bytes, bytes, &rc);

		CL(rc);
		for (size_t m = 0; m < 3; m++) {
			maps[m] = clEnqueueMapBuffer(cl.queue, buffer, CL_TRUE, CL_MAP_READ,
				m * 100, 2000, 0, NULL, NULL, &rc);
			CL(rc);
			assert_ptr_equal(maps[m], maps[0] + m * 100);
		}
		for (size_t m = 0; m < 3; m++)
			assert_memory_equal(maps[m], bytes + m * 100, 2000);
		CL(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
		assert_int_equal(count, 3);
		CL(clEnqueueUnmapMemObject(cl.queue, buffer, maps[1], 0, NULL, NULL));
		assert_memory_equal(maps[2], bytes + 200, 2000);
		CL(clEnqueueUnmapMemObject(cl.queue, buffer, maps[0], 0, NULL, NULL));
		CL(clEnqueueUnmapMemObject(cl.queue, buffer, maps[2], 0, NULL, NULL));
		CL(clFinish(cl.queue));
		CL(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
		assert_int_equal(count, 0);
		CL(clReleaseMemObject(buffer));
	}
}

static void test_limits(void **state)
{
	cl_ulong max = 0;
	cl_int rc;

	(void)state;
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof max, &max, NULL));
	CL_ROW_MADE(
		CL_INVALID_BUFFER_SIZE, clCreateBuffer(cl.context, 0, (size_t)max + 1, NULL, &rc));
	CL_ROW_MADE(CL_INVALID_BUFFER_SIZE, clCreateBuffer(cl.context, 0, SIZE_MAX, NULL, &rc));
	cl_rows_end();
	/* large, and its last byte is there */
	size_t size = (size_t)(max < (cl_ulong)1 << 30 ? max : (cl_ulong)1 << 30);
	cl_mem buffer = clCreateBuffer(cl.context, 0, size, NULL, &rc);
	CL(rc);
	unsigned char byte = 0x5a, got = 0;
	CL(clEnqueueWriteBuffer(cl.queue, buffer, CL_TRUE, size - 1, 1, &byte, 0, NULL, NULL));
	CL(clEnqueueReadBuffer(cl.queue, buffer, CL_TRUE, size - 1, 1, &got, 0, NULL, NULL));
	assert_int_equal(got, byte);
	CL(clReleaseMemObject(buffer));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_misaligned),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_overlapping_maps),
		cmocka_unit_test(test_limits),
	};

	return CL_RUN(argc, argv, tests);
}
