// SPDX-License-Identifier: MIT
/* SPIR-V as the extensions named cl_khr_spirv_* and cl_khr_expect_assume have it, built and run. */
#include "cl/cl_case.h"
#include "cl/cl_spirv.h"
#include "cl/cl_spirv_modules.h"

#include <stdlib.h>
#include <string.h>

#define N 16

static cl_program create(const char *text, unsigned minor)
{
	size_t size;
	uint32_t *words = cl_spirv_assemble(text, minor, &size);
	cl_int rc;
	cl_program program = clCreateProgramWithIL(cl.context, words, size, &rc);

	CL(rc);
	free(words);
	return program;
}

static cl_program create_joined(const struct spirv_parts *parts)
{
	return create(spirv_join(parts), 2);
}

/* Runs the kernel over 0, 1, 2 …: each becomes x * factor + more. */
static void check(cl_program program, const char *name, cl_uint factor, cl_uint more)
{
	cl_uint data[N];
	cl_kernel kernel = cl_kernel_of(program, name);

	for (cl_uint i = 0; i < N; i++)
		data[i] = i;
	cl_mem buffer = cl_make_buffer(sizeof data, data);
	cl_set_buffer(kernel, 0, buffer);
	cl_launch(kernel, N, 0);
	memset(data, 0xee, sizeof data);
	cl_read(buffer, sizeof data, data);
	for (cl_uint i = 0; i < N; i++)
		assert_int_equal(data[i], i * factor + more);
	CL(clReleaseMemObject(buffer));
	CL(clReleaseKernel(kernel));
}

static void build_and_check(const struct spirv_parts *parts, const char *options, cl_uint more)
{
	cl_program program = create_joined(parts);

	CL(clBuildProgram(program, 1, &cl.device, options, NULL, NULL));
	check(program, "k", 1, more);
	CL(clReleaseProgram(program));
}

static void test_expect_assume(void **state)
{
	static const char source[] =
		"kernel void k(global uint *o) { uint i = get_global_id(0);\n"
		"  __builtin_assume(i < 1000);\n"
		"  if (__builtin_expect(i > 7, 1)) o[i] += 3; else o[i] += 3; }\n";

	(void)state;
	skip_if(!cl_has("cl_khr_expect_assume"));
	build_and_check(&spirv_expect_assume, "", 1);
	cl_program program = cl_build(source, "");
	check(program, "k", 1, 3);
	CL(clReleaseProgram(program));
}

static void test_no_wrap(void **state)
{
	(void)state;
	skip_if(!cl_has("cl_khr_spirv_no_integer_wrap_decoration"));
	build_and_check(&spirv_no_wrap, "", 5);
}

static void test_debug_info(void **state)
{
	(void)state;
	skip_if(!cl_has("cl_khr_spirv_extended_debug_info"));
	build_and_check(&spirv_debug_info, "", 5);
	build_and_check(&spirv_debug_info, "-g", 5);
}

/* What the compiler builds is built, whatever the validator says; what crashes it is refused. */
static void test_validation(void **state)
{
	char log[1024] = "";

	(void)state;
	if (!cl.ours)
		skip();
	build_and_check(&spirv_unknown, "", 5);
	build_and_check(&spirv_doubtful, "", 5);
	cl_program program = create_joined(&spirv_invalid);
	assert_int_equal(
		clBuildProgram(program, 1, &cl.device, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
	CL(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
	if (!strstr(log, "error: SPIR-V: "))
		fail_msg("%s", log);
	CL(clReleaseProgram(program));
}

/* SPV_INTEL_inline_assembly: assembly of the compiler's own language, in programs that are built,
 * and in those that are linked. */
static void test_assembly(void **state)
{
	static const char source[] =
		"int twice(int x) { int y; __asm__(\"add (M1, 8) %0(0,0)<1> %1(0,0)<1;1,0> "
		"%1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(x)); return y; }\n"
		"__attribute__((intel_reqd_sub_group_size(8)))\n"
		"kernel void f(global int *d) { size_t i = get_global_id(0); d[i] = twice(d[i]); }";
	static const char other[] = "int twice(int x); int four(int x) { int y; __asm__(\"add (M1, "
				    "8) %0(0,0)<1> %1(0,0)<1;1,0> %1(0,0)<1;1,0>\" : "
				    "\"=rw\"(y) : \"rw\"(twice(x))); return y; }\n"
				    "__attribute__((intel_reqd_sub_group_size(8)))\n"
				    "kernel void g(global int *d)\n"
				    "{ size_t i = get_global_id(0); d[i] = four(d[i]); }";
	const char *const sources[] = { source, other };
	cl_program parts[2];
	int data[16];
	cl_int rc;

	(void)state;
	for (int i = 0; i < 16; i++)
		data[i] = 3 * i - 7;
	cl_run_on(source, "", "f", 16, 8, sizeof data, data);
	for (int i = 0; i < 16; i++)
		assert_int_equal(data[i], 6 * i - 14);
	for (int i = 0; i < 2; i++) {
		const char *text = sources[i];

		parts[i] = clCreateProgramWithSource(cl.context, 1, &text, NULL, &rc);
		CL(rc);
		CL(clCompileProgram(parts[i], 1, &cl.device, "", 0, NULL, NULL, NULL, NULL));
	}
	cl_program linked = clLinkProgram(cl.context, 1, &cl.device, "", 2, parts, NULL, NULL, &rc);
	CL(rc);
	cl_kernel kernel = cl_kernel_of(linked, "g");
	cl_mem buffer = cl_make_buffer(sizeof data, data);
	cl_set_buffer(kernel, 0, buffer);
	cl_launch(kernel, 16, 8);
	cl_read(buffer, sizeof data, data);
	for (int i = 0; i < 16; i++)
		assert_int_equal(data[i], 24 * i - 56);
	CL(clReleaseMemObject(buffer));
	CL(clReleaseKernel(kernel));
	CL(clReleaseProgram(linked));
	for (int i = 0; i < 2; i++)
		CL(clReleaseProgram(parts[i]));
}

/* Two modules define the function and one imports it: the program has it once. */
static void test_linkonce(void **state)
{
	static const struct spirv_parts *const modules[] = { &spirv_once_k, &spirv_import_k3,
		&spirv_once_k2 };
	cl_program programs[3], linked;
	cl_int rc;

	(void)state;
	skip_if(!cl_has("cl_khr_spirv_linkonce_odr"));
	for (int i = 0; i < 3; i++) {
		programs[i] = create_joined(modules[i]);
		CL(clCompileProgram(programs[i], 1, &cl.device, "", 0, NULL, NULL, NULL, NULL));
	}
	linked = clLinkProgram(cl.context, 1, &cl.device, "", 3, programs, NULL, NULL, &rc);
	CL(rc);
	check(linked, "k", 5, 0);
	check(linked, "k2", 5, 0);
	check(linked, "k3", 5, 0);
	CL(clReleaseProgram(linked));
	for (int i = 0; i < 3; i++)
		CL(clReleaseProgram(programs[i]));
	cl_program alone = create_joined(&spirv_once_k);
	CL(clBuildProgram(alone, 1, &cl.device, "", NULL, NULL));
	check(alone, "k", 5, 0);
	CL(clReleaseProgram(alone));
}

enum { SIDE = 20 };

static cl_mem make_square(cl_uint *texels)
{
	const cl_image_format format = { CL_R, CL_UNSIGNED_INT32 };
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE
	};
	cl_int rc;
	cl_mem image = clCreateImage(
		cl.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, texels, &rc);

	CL(rc);
	return image;
}

static void test_media_block(void **state)
{
	const size_t zero[3] = { 0 }, all[3] = { SIDE, SIDE, 1 };
	cl_uint from[SIDE * SIDE], to[SIDE * SIDE], got[SIDE * SIDE];

	(void)state;
	skip_if(!cl_has("cl_intel_spirv_media_block_io"));
	for (cl_uint i = 0; i < SIDE * SIDE; i++) {
		from[i] = i * 2654435761u;
		to[i] = ~i;
	}
	cl_program program = create(spirv_media_block, 1);
	CL(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
	cl_kernel kernel = cl_kernel_of(program, "k");
	cl_mem a = make_square(from), b = make_square(to);
	cl_set_buffer(kernel, 0, a);
	cl_set_buffer(kernel, 1, b);
	cl_launch(kernel, 16, 16);
	memset(got, 0xee, sizeof got);
	CL(clEnqueueReadImage(cl.queue, b, CL_TRUE, zero, all, 0, 0, got, 0, NULL, NULL));
	for (int y = 0; y < 4; y++)
		for (int x = 0; x < 8; x++)
			to[(y + 2) * SIDE + x + 2] = from[(y + 1) * SIDE + x + 1] + 5;
	assert_memory_equal(got, to, sizeof got);
	CL(clReleaseMemObject(a));
	CL(clReleaseMemObject(b));
	CL(clReleaseKernel(kernel));
	CL(clReleaseProgram(program));
}

/* An image of a buffer in a module that names no types of arguments. */
static void test_image_buffer(void **state)
{
	static cl_uint pixels[20011];
	const size_t n = sizeof pixels / sizeof *pixels;
	const cl_image_format format = { CL_R, CL_UNSIGNED_INT32 };
	cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = n };
	cl_uint out[2];
	cl_int rc;

	(void)state;
	for (size_t i = 0; i < n; i++)
		pixels[i] = (cl_uint)i * 2654435761u;
	cl_program program = create(spirv_image_buffer, 0);
	CL(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
	cl_kernel kernel = cl_kernel_of(program, "k");
	cl_mem buffer = cl_make_buffer(sizeof pixels, pixels), to = cl_make_buffer(8, NULL);
	desc.mem_object = buffer;
	cl_mem image = clCreateImage(cl.context, CL_MEM_READ_ONLY, &format, &desc, NULL, &rc);
	CL(rc);
	desc = (cl_image_desc){ .image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 16 };
	cl_mem line = clCreateImage(cl.context, CL_MEM_READ_ONLY, &format, &desc, NULL, &rc);
	CL(rc);
	if (cl.ours)
		assert_int_equal(
			clSetKernelArg(kernel, 0, sizeof line, &line), CL_INVALID_ARG_VALUE);
	cl_set_buffer(kernel, 0, image);
	cl_set_buffer(kernel, 1, to);
	for (cl_uint x = 0; x < n; x += 1667) {
		cl_set_uint(kernel, 2, x);
		cl_launch(kernel, 1, 1);
		memset(out, 0xee, sizeof out);
		cl_read(to, sizeof out, out);
		assert_int_equal(out[0], pixels[x]);
		assert_int_equal(out[1], n);
	}
	CL(clReleaseMemObject(line));
	CL(clReleaseMemObject(image));
	CL(clReleaseMemObject(buffer));
	CL(clReleaseMemObject(to));
	CL(clReleaseKernel(kernel));
	CL(clReleaseProgram(program));
}

/* Constants of all kinds, of which two have one SpecId, decorated and set in no order, set again,
 * and built again. */
static void test_specialization(void **state)
{
	static const struct spirv_parts parts = { .kernel = "k",
		.needs = "OpCapability Int16\n",
		.strings = "",
		.decorations = "OpDecorate %again SpecId 3\nOpDecorate %wide SpecId 9\n"
			       "OpDecorate %s SpecId 1\nOpDecorate %flag SpecId 0\n"
			       "OpDecorate %a SpecId 3\nOpDecorate %f SpecId 2\n",
		.types = "%bool = OpTypeBool\n%short = OpTypeInt 16 0\n%float = OpTypeFloat 32\n"
			 "%a = OpSpecConstant %uint 1\n%again = OpSpecConstant %uint 1\n"
			 "%wide = OpSpecConstant %ulong 2\n%s = OpSpecConstant %short 3\n"
			 "%f = OpSpecConstant %float 4\n%flag = OpSpecConstantFalse %bool\n"
			 "%c0 = OpConstant %uint 0\n%c100 = OpConstant %uint 100\n",
		.functions = "",
		.body = "%s32 = OpSConvert %uint %s\n%w32 = OpUConvert %uint %wide\n"
			"%f32 = OpConvertFToU %uint %f\n"
			"%b32 = OpSelect %uint %flag %c100 %c0\n"
			"%sum = OpIAdd %uint %a %again\n%y1 = OpIAdd %uint %x %sum\n"
			"%y2 = OpIAdd %uint %y1 %s32\n"
			"%y3 = OpIAdd %uint %y2 %w32\n%y4 = OpIAdd %uint %y3 %f32\n"
			"%y = OpIAdd %uint %y4 %b32\n" };
	const cl_uint first = 1, seven = 7, huge = 70000;
	const cl_ulong wide = 0x100000009;
	const cl_short below = -5;
	const cl_float thousand = 1000;
	const cl_uchar set = 1;
	cl_program program = create_joined(&parts);

	(void)state;
	CL(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
	check(program, "k", 1, 1 + 1 + 2 + 3 + 4);
	CL(clSetProgramSpecializationConstant(program, 9, sizeof wide, &wide));
	CL(clSetProgramSpecializationConstant(program, 3, sizeof first, &huge));
	CL(clSetProgramSpecializationConstant(program, 0, sizeof set, &set));
	CL(clSetProgramSpecializationConstant(program, 2, sizeof thousand, &thousand));
	CL(clSetProgramSpecializationConstant(program, 1, sizeof below, &below));
	CL(clSetProgramSpecializationConstant(program, 3, sizeof seven, &seven));
	CL(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
	check(program, "k", 1, 7 + 7 + 9 - 5 + 1000 + 100);
	CL(clReleaseProgram(program));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_expect_assume),
		cmocka_unit_test(test_no_wrap),
		cmocka_unit_test(test_debug_info),
		cmocka_unit_test(test_linkonce),
		cmocka_unit_test(test_validation),
		cmocka_unit_test(test_assembly),
		cmocka_unit_test(test_media_block),
		cmocka_unit_test(test_image_buffer),
		cmocka_unit_test(test_specialization),
	};

	return CL_RUN(argc, argv, tests);
}
