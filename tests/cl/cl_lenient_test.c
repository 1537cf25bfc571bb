// SPDX-License-Identifier: MIT
/*
 * What programs rest on that OpenCL lets a driver refuse, and Intel's does not
 * (docs/COMPATIBILITY.md): the same over both. cl_error_command_test refuses it, with
 * ZEROCL_STRICT.
 */
#include "cl/cl_case.h"

#include <string.h>

static const char source[] =
	"typedef struct { int a, b, c; } three;\n"
	"kernel void values(global ulong *out, char c, int i, ulong l, float3 f, three t)\n"
	"{ out[0] = (uchar)c; out[1] = (uint)i; out[2] = l;\n"
	"  out[3] = as_uint(f.x); out[4] = as_uint(f.y); out[5] = as_uint(f.z);\n"
	"  out[6] = (uint)t.a; out[7] = (uint)t.b; out[8] = (uint)t.c; }\n";

enum { BUFFER, CHAR, INT, LONG, FLOAT3, THREE };
#define N 9

static cl_kernel kernel;
static cl_mem buffer;

/* The first `size` bytes of these are the value. */
static void give(cl_uint index, size_t size, const void *bytes)
{
	CL(clSetKernelArg(kernel, index, size, bytes));
}

static void expect(const cl_ulong *want)
{
	cl_ulong out[N];

	memset(out, 0xee, sizeof out);
	CL(clEnqueueWriteBuffer(cl.queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
	cl_launch(kernel, 1, 1);
	cl_read(buffer, sizeof out, out);
	for (int i = 0; i < N; i++)
		assert_int_equal(out[i], want[i]);
}

static void begin(void)
{
	kernel = cl_make_kernel(source, "", "values");
	buffer = cl_make_buffer(N * sizeof(cl_ulong), NULL);
	cl_set_buffer(kernel, BUFFER, buffer);
}

static void end(void)
{
	CL(clReleaseMemObject(buffer));
	cl_kernel_done(kernel);
}

static const cl_uchar bytes[32] = { 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x21, 0x22,
	0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x41,
	0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48 };

/* Of more bytes than the parameter has, the first are taken. */
static void test_longer(void **state)
{
	(void)state;
	begin();
	give(CHAR, 4, bytes);
	give(INT, 8, bytes);
	give(LONG, 16, bytes);
	give(FLOAT3, 32, bytes);
	give(THREE, 16, bytes);
	expect((const cl_ulong[N]){ 0x11, 0x14131211, 0x1817161514131211, 0x14131211, 0x18171615,
		0x24232221, 0x14131211, 0x18171615, 0x24232221 });
	end();
}

/* Fewer bytes are the first of the parameter; the others are 0, or what was set before. */
static void test_shorter(void **state)
{
	static const cl_uchar ones[16] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

	(void)state;
	begin();
	give(CHAR, 1, bytes);
	if (!cl.ours && clSetKernelArg(kernel, INT, 2, bytes) == CL_INVALID_ARG_SIZE) {
		end();
		skip_because("Intel's drivers of today refuse it");
	}
	give(INT, 2, bytes);
	give(LONG, 4, bytes);
	give(FLOAT3, 12, bytes);
	give(THREE, 6, bytes);
	expect((const cl_ulong[N]){ 0x11, 0x1211, 0x14131211, 0x14131211, 0x18171615, 0x24232221,
		0x14131211, 0x1615, 0 });
	give(INT, 4, ones);
	give(LONG, 8, ones);
	give(FLOAT3, 16, ones);
	give(THREE, 12, ones);
	give(INT, 1, bytes);
	give(LONG, 3, bytes);
	give(FLOAT3, 8, bytes);
	give(THREE, 4, bytes);
	expect((const cl_ulong[N]){ 0x11, 0xffffff11, 0xffffffffff131211, 0x14131211, 0x18171615,
		0xffffffff, 0x14131211, 0xffffffff, 0xffffffff });
	end();
}

/* No bytes are no value. Intel's driver takes that. */
static void test_none(void **state)
{
	(void)state;
	begin();
	if (cl.ours)
		assert_int_equal(clSetKernelArg(kernel, INT, 0, bytes), CL_INVALID_ARG_SIZE);
	end();
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_longer),
		cmocka_unit_test(test_shorter),
		cmocka_unit_test(test_none),
	};

	return CL_RUN(argc, argv, tests);
}
