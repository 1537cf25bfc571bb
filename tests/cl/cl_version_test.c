// SPDX-License-Identifier: MIT
/* What OpenCL 3.1 has more than 3.0. */
#include "cl/cl_case.h"
#include "cl/cl_spirv.h"

#include <stdlib.h>
#include <string.h>

#define N 64

static bool is_3_1(void)
{
	cl_version version = 0;

	CL(clGetDeviceInfo(cl.device, CL_DEVICE_NUMERIC_VERSION, sizeof version, &version, NULL));
	return version >= CL_MAKE_VERSION(3, 1, 0);
}

static void test_queries(void **state)
{
	static const char *const names[] = { "cl_khr_device_uuid", "cl_khr_extended_bit_ops",
		"cl_khr_integer_dot_product", "cl_khr_spirv_queries",
		"cl_khr_subgroup_extended_types", "cl_khr_subgroup_rotate",
		"cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative",
		"cl_khr_suggested_local_work_size" };
	char text[256] = "";
	cl_name_version list[16];
	cl_version version = 0;
	size_t size = 0;

	(void)state;
	skip_if(!is_3_1());
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_VERSION, sizeof text, text, NULL));
	assert_memory_equal(text, "OpenCL 3.1 ", 11);
	CL(clGetPlatformInfo(cl.platform, CL_PLATFORM_VERSION, sizeof text, text, NULL));
	assert_memory_equal(text, "OpenCL 3.1 ", 11);
	CL(clGetPlatformInfo(
		cl.platform, CL_PLATFORM_NUMERIC_VERSION, sizeof version, &version, NULL));
	assert_int_equal(version, CL_MAKE_VERSION(3, 1, 0));
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof list, list, &size));
	assert_int_equal(list[size / sizeof *list - 1].version, CL_MAKE_VERSION(3, 1, 0));
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_IL_VERSION, sizeof text, text, NULL));
	for (char minor = '0'; minor < '5'; minor++) {
		char il[] = "SPIR-V_1.x";

		il[9] = minor;
		assert_non_null(strstr(text, il));
	}
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_true(cl_has(names[i]));
}

/* The language, with what was promoted to it. An older one stays what it was. */
static void test_language(void **state)
{
	static const char source[] =
		"#if defined(WANT) != (__OPENCL_C_VERSION__ == 310)\n#error version\n#endif\n"
		"#if defined(WANT) && !defined(CL_VERSION_3_1)\n#error none\n#endif\n"
		"#ifdef WANT\n#if CL_VERSION_3_1 != 310\n#error 310\n#endif\n#endif\n"
		"#if __OPENCL_VERSION__ != 310\n#error device\n#endif\n"
		"kernel void k(global uint *o) { uint i = get_global_id(0), s = o[i];\n"
		"  uint l = get_sub_group_local_id(), n = get_sub_group_size();\n"
		"  o[N + i] = bit_reverse(s); o[2 * N + i] = dot(as_uchar4(s), as_uchar4(s));\n"
		"  o[3 * N + i] = sub_group_rotate(l, 1) == (l + 1) % n;\n"
		"  o[4 * N + i] = sub_group_shuffle_xor(l, 1) == (l ^ 1); }\n";
	static const struct {
		const char *options;
		cl_int rc;
	} rows[] = {
		{ "-cl-std=CL3.1 -DWANT -DN=64", CL_SUCCESS },
		{ "-DN=64 -DWANT   -cl-std=CL3.1", CL_SUCCESS },
		{ "-cl-std=CL3.0 -DN=64 -DX=\"-cl-std=CL3.1\"", CL_SUCCESS },
		{ "-cl-std=CL3.0 -DN=64 -DWANT", CL_BUILD_PROGRAM_FAILURE },
		{ "-cl-std=CL3.2", CL_INVALID_BUILD_OPTIONS },
		{ "-cl-std=CL3.11", CL_INVALID_BUILD_OPTIONS },
	};
	static cl_uint o[5 * N];
	const char *text = source;

	(void)state;
	skip_if(!is_3_1());
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		cl_program program = clCreateProgramWithSource(cl.context, 1, &text, NULL, NULL);

		assert_int_equal(
			clBuildProgram(program, 1, &cl.device, rows[i].options, NULL, NULL),
			rows[i].rc);
		CL(clReleaseProgram(program));
	}
	for (cl_uint i = 0; i < N; i++)
		o[i] = i * 0x01030507;
	cl_run_on(source, rows[0].options, "k", N, N, sizeof o, o);
	for (cl_uint i = 0; i < N; i++) {
		cl_uint reversed = 0, sum = 0;

		for (unsigned bit = 0; bit < 32; bit++)
			reversed |= (o[i] >> bit & 1) << (31 - bit);
		for (unsigned byte = 0; byte < 32; byte += 8)
			sum += (o[i] >> byte & 0xff) * (o[i] >> byte & 0xff);
		assert_int_equal(o[N + i], reversed);
		assert_int_equal(o[2 * N + i], sum);
		assert_int_equal(o[3 * N + i], 1);
		assert_int_equal(o[4 * N + i], 1);
	}
}

/* Libraries of 3.1 link like others. */
static void test_linking(void **state)
{
	static const char *sources[] = { "uint f(uint x) { return x * __OPENCL_C_VERSION__; }\n",
		"uint f(uint x);\nkernel void k(global uint *o) { o[0] = f(o[0]); }\n" };
	cl_program programs[2];
	cl_uint o = 3;
	cl_int rc;

	(void)state;
	skip_if(!is_3_1());
	for (int i = 0; i < 2; i++) {
		programs[i] = clCreateProgramWithSource(cl.context, 1, &sources[i], NULL, NULL);
		CL(clCompileProgram(
			programs[i], 0, NULL, "-cl-std=CL3.1", 0, NULL, NULL, NULL, NULL));
	}
	cl_program linked = clLinkProgram(cl.context, 0, NULL, "", 2, programs, NULL, NULL, &rc);
	CL(rc);
	cl_kernel kernel = cl_kernel_of(linked, "k");
	cl_mem buffer = cl_make_buffer(sizeof o, &o);
	cl_set_buffer(kernel, 0, buffer);
	cl_launch(kernel, 1, 1);
	cl_read(buffer, sizeof o, &o);
	assert_int_equal(o, 3 * 310);
	CL(clReleaseMemObject(buffer));
	CL(clReleaseKernel(kernel));
	CL(clReleaseProgram(linked));
	for (int i = 0; i < 2; i++)
		CL(clReleaseProgram(programs[i]));
}

static void test_local_of_no_size(void **state)
{
	cl_uint o = 0;

	(void)state;
	skip_if(!is_3_1());
	cl_kernel kernel = cl_make_kernel("kernel void k(global uint *o, local uint *l, uint n)\n"
					  "{ if (n) { l[0] = 5; o[0] = l[0]; } else o[0] = 7; }\n",
		"", "k");
	cl_mem buffer = cl_make_buffer(sizeof o, &o);
	cl_set_buffer(kernel, 0, buffer);
	cl_set_uint(kernel, 2, 0);
	CL(clSetKernelArg(kernel, 1, 0, NULL));
	cl_launch(kernel, 1, 1);
	cl_read(buffer, sizeof o, &o);
	assert_int_equal(o, 7);
	CL(clSetKernelArg(kernel, 1, 4, NULL));
	cl_set_uint(kernel, 2, 1);
	cl_launch(kernel, 1, 1);
	cl_read(buffer, sizeof o, &o);
	assert_int_equal(o, 5);
	CL(clReleaseMemObject(buffer));
	cl_kernel_done(kernel);
}

/* What version 1.4 of SPIR-V adds for kernels, each result in a field of its own. */
static void test_spirv_1_4(void **state)
{
	static const char module[] =
		"OpCapability Addresses\nOpCapability Kernel\nOpCapability Int64\n"
		"OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\" %gid\n"
		"OpDecorate %gid BuiltIn GlobalInvocationId\nOpDecorate %gid Constant\n"
		"OpDecorateString %y0 UserSemantic \"sum\"\n"
		"OpMemberDecorateString %S 1 UserSemantic \"parts\"\n"
		"%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%ulong = OpTypeInt 64 0\n"
		"%bool = OpTypeBool\n%v3 = OpTypeVector %ulong 3\n%pv3 = OpTypePointer Input %v3\n"
		"%pg = OpTypePointer CrossWorkgroup %uint\n%c0 = OpConstant %uint 0\n"
		"%c1 = OpConstant %uint 1\n%c2 = OpConstant %uint 2\n%c7 = OpConstant %uint 7\n"
		"%u3 = OpConstant %ulong 3\n%c16 = OpConstant %uint 16\n%c256 = OpConstant %uint "
		"256\n"
		"%A = OpTypeArray %uint %c2\n%B = OpTypeArray %uint %c2\n"
		"%S = OpTypeStruct %uint %A\n%T = OpTypeStruct %uint %B\n"
		"%a1 = OpConstantComposite %A %c1 %c7\n%a2 = OpConstantComposite %A %c2 %c0\n"
		"%s1 = OpConstantComposite %S %c1 %a1\n%s2 = OpConstantComposite %S %c7 %a2\n"
		"%pf = OpTypePointer Function %uint\n"
		"%fn = OpTypeFunction %void %pg\n%gid = OpVariable %pv3 Input\n"
		"%k = OpFunction %void None %fn\n%a = OpFunctionParameter %pg\n%l = OpLabel\n"
		"%v0 = OpVariable %pf Function\n%v1 = OpVariable %pf Function\n"
		"%g = OpLoad %v3 %gid\n%i = OpCompositeExtract %ulong %g 0\n"
		"%p = OpInBoundsPtrAccessChain %pg %a %i\n"
		"%q = OpInBoundsPtrAccessChain %pg %a %u3\n"
		"%diff = OpPtrDiff %ulong %p %q\n%d = OpUConvert %uint %diff\n"
		"%eq = OpPtrEqual %bool %p %q\n%ne = OpPtrNotEqual %bool %p %a\n"
		"%sel = OpSelect %S %eq %s1 %s2\n%cp = OpCopyLogical %T %sel\n"
		"%x0 = OpCompositeExtract %uint %cp 0\n%x1 = OpCompositeExtract %uint %cp 1 1\n"
		"%n = OpSelect %uint %ne %c1 %c0\n%m0 = OpIMul %uint %x0 %c256\n"
		"%m1 = OpIMul %uint %x1 %c16\n%y0 = OpIAdd %uint %m0 %m1\n"
		"%y1 = OpIAdd %uint %y0 %n\n%hi = OpShiftLeftLogical %uint %d %c16\n"
		"%y = OpBitwiseOr %uint %hi %y1\nOpStore %v0 %y\n"
		"OpCopyMemory %v1 %v0\nOpCopyMemory %v0 %v1 Volatile|Aligned 4\n"
		"OpCopyMemory %p %v0 Aligned 4 Volatile\nOpReturn\nOpFunctionEnd\n";
	cl_uint o[8];
	size_t size;
	cl_int rc;

	(void)state;
	skip_if(!is_3_1());
	uint32_t *words = cl_spirv_assemble(module, 4, &size);
	assert_int_equal(words[1], 0x10400);
	cl_program program = clCreateProgramWithIL(cl.context, words, size, &rc);
	CL(rc);
	CL(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
	cl_kernel kernel = cl_kernel_of(program, "k");
	memset(o, 0xee, sizeof o);
	cl_mem buffer = cl_make_buffer(sizeof o, o);
	cl_set_buffer(kernel, 0, buffer);
	cl_launch(kernel, 8, 0);
	cl_read(buffer, sizeof o, o);
	for (cl_uint i = 0; i < 8; i++) {
		cl_uint low = i == 3 ? 1 * 256 + 7 * 16 : 7 * 256;

		assert_int_equal(o[i], (i - 3) << 16 | (low + (i != 0)));
	}
	CL(clReleaseMemObject(buffer));
	CL(clReleaseKernel(kernel));
	CL(clReleaseProgram(program));
	free(words);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_queries),
		cmocka_unit_test(test_language),
		cmocka_unit_test(test_linking),
		cmocka_unit_test(test_local_of_no_size),
		cmocka_unit_test(test_spirv_1_4),
	};

	return CL_RUN(argc, argv, tests);
}
