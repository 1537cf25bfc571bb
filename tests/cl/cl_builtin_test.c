// SPDX-License-Identifier: MIT
/* Built-in functions of extensions that are ours: what they do, and that modules with them link. */
#include "cl/cl_case.h"

#include <stdio.h>
#include <string.h>

enum { BYTES = 8192, GROUP = 64 };

/* One copy, in elements. */
struct copy {
	size_t size, width, height, depth; /* of an element, in bytes; of the box */
	size_t src_offset, src_line, src_plane;
	size_t dst_offset, dst_line, dst_plane;
};

static const struct copy copies[] = {
	{ 1, 7, 5, 3, 2, 9, 50, 1, 8, 43 },
	{ 4, 16, 4, 2, 0, 16, 64, 3, 20, 85 },
	{ 16, 3, 3, 3, 1, 5, 20, 2, 4, 13 },
	{ 6, 11, 1, 1, 5, 11, 11, 0, 12, 12 },
	{ 8, 1, 31, 1, 0, 3, 93, 4, 2, 62 },
};

/* What `dst` becomes; `planes`: of three dimensions. */
static void model(
	const struct copy *copy, bool planes, const unsigned char *src, unsigned char *dst)
{
	for (size_t z = 0; z < (planes ? copy->depth : 1); z++)
		for (size_t y = 0; y < copy->height; y++)
			for (size_t x = 0; x < copy->width; x++)
				memcpy(dst + (copy->dst_offset + z * copy->dst_plane +
						     y * copy->dst_line + x) *
							copy->size,
					src + (copy->src_offset + z * copy->src_plane +
						      y * copy->src_line + x) *
							copy->size,
					copy->size);
}

static const char async_source[] =
	"#ifndef cl_khr_extended_async_copies\n#error none\n#endif\n"
	"kernel void k(global uchar *in, global uchar *out, local uchar *l, int planes,\n"
	"  uint8 a, uint2 b) {\n"
	"  size_t n = get_local_size(0) * get_local_size(1), i = get_local_id(1) *\n"
	"    get_local_size(0) + get_local_id(0);\n"
	"  for (size_t j = i; j < BYTES; j += n) l[j] = 0xcd;\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  event_t e, f; if (planes) e =\n"
	"    async_work_group_copy_3D3D(l, a.s7, in, a.s4, a.s0, a.s1, a.s2, a.s3, a.s5, "
	"a.s6,\n"
	"      b.s0, b.s1, 0); else e =\n"
	"    async_work_group_copy_2D2D(l, a.s7, in, a.s4, a.s0, a.s1, a.s2, a.s5, b.s0, "
	"0);\n"
	"  wait_group_events(1, &e);\n"
	"  if (planes) f =\n"
	"    async_work_group_copy_3D3D(out, a.s4, l, a.s7, a.s0, a.s1, a.s2, a.s3, b.s0, "
	"b.s1,\n"
	"      a.s5, a.s6, 0); else f =\n"
	"    async_work_group_copy_2D2D(out, a.s4, l, a.s7, a.s0, a.s1, a.s2, b.s0, a.s5, "
	"0);\n"
	"  wait_group_events(1, &f);\n"
	"  for (size_t j = i; j < BYTES; j += n) out[BYTES + j] = l[j]; }\n";

/* To local memory and back, each time by lines and planes of its own. */
static void test_async_copies(void **state)
{
	static unsigned char in[BYTES], out[2 * BYTES], want[2 * BYTES];
	const size_t global[2] = { 8, 8 };

	(void)state;
	skip_if(!cl_has("cl_khr_extended_async_copies"));
	for (size_t i = 0; i < BYTES; i++)
		in[i] = (unsigned char)(i * 37 + i / 256);
	cl_kernel kernel = cl_make_kernel(async_source, "-DBYTES=8192", "k");
	cl_mem from = cl_make_buffer(sizeof in, in), to = cl_make_buffer(sizeof out, NULL);
	cl_set_buffer(kernel, 0, from);
	cl_set_buffer(kernel, 1, to);
	CL(clSetKernelArg(kernel, 2, BYTES, NULL));
	for (size_t i = 0; i < 2 * sizeof copies / sizeof *copies; i++) {
		const struct copy *copy = &copies[i / 2], back = { copy->size, copy->width,
			copy->height, copy->depth, copy->dst_offset, copy->dst_line,
			copy->dst_plane, copy->src_offset, copy->src_line, copy->src_plane };
		const cl_uint a[8] = { (cl_uint)copy->size, (cl_uint)copy->width,
			(cl_uint)copy->height, (cl_uint)copy->depth, (cl_uint)copy->src_offset,
			(cl_uint)copy->src_line, (cl_uint)copy->src_plane,
			(cl_uint)copy->dst_offset };
		const cl_uint b[2] = { (cl_uint)copy->dst_line, (cl_uint)copy->dst_plane };
		const cl_uchar poison = 0xee;

		memset(want, 0xee, BYTES);
		memset(want + BYTES, 0xcd, BYTES);
		model(copy, i % 2, in, want + BYTES);
		model(&back, i % 2, want + BYTES, want);
		CL(clEnqueueFillBuffer(cl.queue, to, &poison, 1, 0, sizeof out, 0, NULL, NULL));
		cl_set_uint(kernel, 3, i % 2);
		CL(clSetKernelArg(kernel, 4, sizeof a, a));
		CL(clSetKernelArg(kernel, 5, sizeof b, b));
		CL(clEnqueueNDRangeKernel(
			cl.queue, kernel, 2, NULL, global, global, 0, NULL, NULL));
		cl_read(to, sizeof out, out);
		assert_memory_equal(out, want, sizeof out);
	}
	CL(clReleaseMemObject(from));
	CL(clReleaseMemObject(to));
	cl_kernel_done(kernel);
}

/* What is copied after the fence is what was copied before it. */
static void test_async_fence(void **state)
{
	static const char source[] =
		"#ifndef cl_khr_async_work_group_copy_fence\n#error none\n#endif\n"
		"kernel void k(global uint *o) { local uint l[64], m[64]; size_t g = "
		"get_group_id(0) * 64;\n"
		"  async_work_group_copy(l, o + g, 64, 0);\n"
		"  async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);\n"
		"  m[get_local_id(0)] = l[63 - get_local_id(0)] * 3;\n"
		"  async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
		"  event_t e = async_work_group_copy(o + g, m, 64, 0); wait_group_events(1, &e); "
		"}\n";
	static cl_uint o[4 * GROUP];

	(void)state;
	skip_if(!cl_has("cl_khr_async_work_group_copy_fence"));
	for (cl_uint i = 0; i < 4 * GROUP; i++)
		o[i] = i;
	cl_run_on(source, "", "k", 4 * GROUP, GROUP, sizeof o, o);
	for (cl_uint i = 0; i < 4 * GROUP; i++)
		assert_int_equal(o[i], (i / GROUP * GROUP + GROUP - 1 - i % GROUP) * 3);
}

/* Two modules use the same functions, one by names that only the preprocessor sees. */
static void test_linking(void **state)
{
	static const char *sources[] = {
		"float f(float x) { return intel_convert_as_bfloat16_float(\n"
		"    intel_convert_bfloat16_as_ushort(x)); }\n",
		"float f(float x);\n"
		"#define NAME(a) intel_convert_as_b##a##_float\n"
		"kernel void k(global float *o) { o[0] = f(o[0]); o[1] = "
		"NAME(float16)((ushort)0x4049);\n"
		"  ulong a = 0; if (o[0] < 0) a = CLOCK(); o[2] = a ? 1 : 2; }\n",
	};
	static const char *const options[] = { "", "-DCLOCK=clock_read_sub_group" };
	cl_program programs[2];
	cl_float o[3] = { 3.1415926f, 0, 0 };
	cl_int rc;

	(void)state;
	skip_if(!cl_has("cl_intel_bfloat16_conversions") || !cl_has("cl_khr_kernel_clock"));
	for (int i = 0; i < 2; i++) {
		programs[i] = clCreateProgramWithSource(cl.context, 1, &sources[i], NULL, NULL);
		CL(clCompileProgram(programs[i], 0, NULL, options[i], 0, NULL, NULL, NULL, NULL));
	}
	cl_program linked = clLinkProgram(cl.context, 0, NULL, "", 2, programs, NULL, NULL, &rc);
	CL(rc);
	cl_kernel kernel = cl_kernel_of(linked, "k");
	cl_mem buffer = cl_make_buffer(sizeof o, o);
	cl_set_buffer(kernel, 0, buffer);
	cl_launch(kernel, 1, 1);
	cl_read(buffer, sizeof o, o);
	assert_true(o[0] == 3.140625f && o[1] == 3.140625f && o[2] == 2);
	CL(clReleaseMemObject(buffer));
	CL(clReleaseKernel(kernel));
	CL(clReleaseProgram(linked));
	for (int i = 0; i < 2; i++)
		CL(clReleaseProgram(programs[i]));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_async_copies),
		cmocka_unit_test(test_async_fence),
		cmocka_unit_test(test_linking),
	};

	return CL_RUN(argc, argv, tests);
}
