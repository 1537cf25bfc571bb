// SPDX-License-Identifier: MIT
/* Programs: sources, options, logs, binaries, IL, infos, kernels in them. */
#include "cl/cl_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char source[] =
	"#ifndef K\n#define K 3\n#endif\n"
	"__attribute__((reqd_work_group_size(4, 2, 1)))\n"
	"kernel void fixed(global uint *o) { o[get_global_id(0)] = K; }\n"
	"kernel void plain(const global uint *restrict in, constant float4 *c, local uchar *l,\n"
	"  volatile global int *v, uint n) { v[0] = in[n] + (int)c[0].x + l[0]; }\n";

static void build_log(cl_program program, char *log, size_t size)
{
	memset(log, 0, size);
	CL(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_LOG, size - 1, log, NULL));
}

static cl_build_status status_of(cl_program program)
{
	cl_build_status status = 4711;

	CL(clGetProgramBuildInfo(
		program, cl.device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
	return status;
}

/* One element that the kernel `fixed` writes. */
static cl_uint run_fixed(cl_program program)
{
	size_t global[2] = { 4, 2 };
	/* Left out, the required size is used; older implementations refuse that. */
	const size_t *local = cl.ours || cl.intel ? NULL : global;
	cl_uint got[4] = { 0 };
	cl_kernel kernel = cl_kernel_of(program, "fixed");

	cl_mem o = cl_make_buffer(sizeof got, got);
	cl_set_buffer(kernel, 0, o);
	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
	cl_read(o, sizeof got, got);
	CL(clReleaseMemObject(o));
	CL(clReleaseKernel(kernel));
	return got[3];
}

/* PoCL keeps a kernel, which forbids to build, a little longer than the commands that use it. */
static cl_int build_again(cl_program program, const char *options)
{
	cl_int rc;

	for (int ms = 0; ms < 10000; ms++) {
		rc = clBuildProgram(program, 1, &cl.device, options, NULL, NULL);
		if (rc != CL_INVALID_OPERATION || cl.ours || cl.intel)
			return rc;
		usleep(1000);
	}
	return rc;
}

static void test_options(void **state)
{
	char options[256] = "";
	cl_int rc;
	const char *text = source;
	cl_program program = clCreateProgramWithSource(cl.context, 1, &text, NULL, &rc);

	(void)state;
	CL(rc);
	assert_int_equal(status_of(program), CL_BUILD_NONE);
	CL(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
	assert_int_equal(status_of(program), CL_BUILD_SUCCESS);
	assert_int_equal(run_fixed(program), 3);
	CL(build_again(program, "-D K=17 -cl-fast-relaxed-math"));
	assert_int_equal(run_fixed(program), 17);
	CL(clGetProgramBuildInfo(
		program, cl.device, CL_PROGRAM_BUILD_OPTIONS, sizeof options, options, NULL));
	assert_string_equal(options, "-D K=17 -cl-fast-relaxed-math");
	CL(build_again(program, "-cl-std=CL3.0 -DK=18"));
	assert_int_equal(run_fixed(program), 18);
	CL_ROW(cl.intel ? CL_BUILD_PROGRAM_FAILURE : CL_INVALID_BUILD_OPTIONS,
		build_again(program, "-no-such-option"));
	CL_ROW(CL_BUILD_ERROR, status_of(program));
	cl_rows_end();
	CL(clReleaseProgram(program));
}

/* What quotes and backslashes make of macros; clang of PoCL sees other words. */
static void test_option_words(void **state)
{
	static const char text[] =
		"#define NAME(...) #__VA_ARGS__\n#define TEXT(...) NAME(__VA_ARGS__)\n"
		"constant char text[] = TEXT(STR);\n"
		"kernel void k(global char *o) { for (int i = 0; i < sizeof(text); i++) o[i] = "
		"text[i]; }\n";
	static const char *const rows[][2] = {
		{ "-DSTR=\\\"x\\\"", "\"x\"" },
		{ "-D STR=\\\"x\\\"", "\"x\"" },
		{ "-DSTR=\"\\\"x\\\"\"", "\"x\"" },
		{ "-DSTR=\"x\"", "x" },
		{ "-DSTR=\"a b\"", "a b" },
		{ "-D \"STR=a b\"", "a b" },
		{ "-DSTR=\\'x\\'", "'x'" },
		{ "-DSTR=", "" },
	};
	char got[32];

	(void)state;
	for (size_t i = 0; i < (cl.ours || cl.intel ? sizeof rows / sizeof *rows : 0); i++) {
		memset(got, 0x5a, sizeof got);
		cl_run_on(text, rows[i][0], "k", 1, 1, sizeof got, got);
		got[sizeof got - 1] = '\0';
		if (strcmp(got, rows[i][1]) != 0)
			fail_msg("%s: %s, not %s", rows[i][0], got, rows[i][1]);
	}
}

/* Strings with and without lengths, in pieces that cut tokens apart, behind a byte order mark. */
static void test_strings(void **state)
{
	const char *pieces[4] = { "\xef\xbb\xbfkernel void fi", "xed(global uint *o)XXXX",
		"{ o[get_glo", "bal_id(0)] = 9; }" };
	size_t lengths[4] = { 0, 19, 11, 0 };
	cl_int rc;
	char text[256];
	cl_program program = clCreateProgramWithSource(cl.context, 4, pieces, lengths, &rc);

	(void)state;
	CL(rc);
	CL(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text, text, NULL));
	assert_string_equal(text, "\xef\xbb\xbfkernel void fixed(global uint *o)"
				  "{ o[get_global_id(0)] = 9; }");
	CL(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
	assert_int_equal(run_fixed(program), 9);
	CL(clReleaseProgram(program));
}

static void test_syntax_error(void **state)
{
	const char *text = "kernel void a(global int *p)\n{\n\tp[0] = nonsense;\n}\n";
	char log[4096];
	cl_int rc;
	size_t n;
	cl_program program = clCreateProgramWithSource(cl.context, 1, &text, NULL, &rc);

	(void)state;
	CL(rc);
	assert_int_equal(
		clBuildProgram(program, 1, &cl.device, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
	assert_int_equal(status_of(program), CL_BUILD_ERROR);
	build_log(program, log, sizeof log);
	assert_non_null(strstr(log, "nonsense"));
	assert_non_null(strstr(log, "3:"));
	CL_ROW_MADE(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(program, "a", &rc));
	CL_ROW(CL_INVALID_PROGRAM_EXECUTABLE,
		clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof n, &n, NULL));
	cl_rows_end();
	CL(clReleaseProgram(program));
}

static void test_warning(void **state)
{
	char log[4096];
	cl_program program = cl_build("#warning look here\n"
				      "kernel void a(global int *p) { p[0] = 1; }\n",
		"");

	(void)state;
	build_log(program, log, sizeof log);
	CL(clReleaseProgram(program));
	if (cl.intel && !strstr(log, "look here"))
		skip_because("Intel's newer driver keeps no warnings of programs that it builds");
	assert_non_null(strstr(log, "look here"));
}

static int notified;

static void CL_CALLBACK notify(cl_program program, void *data)
{
	assert_ptr_equal(data, &notified);
	assert_int_equal(status_of(program), CL_BUILD_SUCCESS);
	__atomic_add_fetch(&notified, 1, __ATOMIC_SEQ_CST);
}

static void test_callback(void **state)
{
	const char *text = source;
	cl_int rc;
	cl_program program = clCreateProgramWithSource(cl.context, 1, &text, NULL, &rc);

	(void)state;
	CL(rc);
	notified = 0;
	CL(clBuildProgram(program, 1, &cl.device, "", notify, &notified));
	assert_int_equal(run_fixed(program), 3); /* the kernel waits for the build */
	while (!__atomic_load_n(&notified, __ATOMIC_SEQ_CST))
		;
	assert_int_equal(run_fixed(program), 3);
	CL(clReleaseProgram(program));
}

static void test_kernels_in_program(void **state)
{
	cl_kernel kernels[3] = { NULL };
	cl_uint n = 4711;
	size_t count = 4711;
	char names[256] = "";
	cl_program program = cl_build(source, "");
	cl_int rc;

	(void)state;
	CL(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
	assert_int_equal(count, 2);
	CL(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
	assert_true(!strcmp(names, "fixed;plain") || !strcmp(names, "plain;fixed"));
	CL(clCreateKernelsInProgram(program, 0, NULL, &n));
	assert_int_equal(n, 2);
	CL_ROW(CL_INVALID_VALUE, clCreateKernelsInProgram(program, 1, kernels, &n));
	CL(clCreateKernelsInProgram(program, 3, kernels, &n));
	assert_int_equal(n, 2);
	assert_non_null(kernels[0]);
	assert_non_null(kernels[1]);
	assert_null(kernels[2]);
	CL_ROW_MADE(CL_INVALID_KERNEL_NAME, clCreateKernel(program, "absent", &rc));
	CL_ROW_MADE(CL_INVALID_VALUE, clCreateKernel(program, NULL, &rc));
	/* Not while it has kernels; and again when they are gone. */
	CL_ROW(CL_INVALID_OPERATION, clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
	CL(clReleaseKernel(kernels[0]));
	CL_ROW(CL_INVALID_OPERATION, clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
	CL(clReleaseKernel(kernels[1]));
	CL_ROW(CL_SUCCESS, clBuildProgram(program, 1, &cl.device, "-DK=5", NULL, NULL));
	cl_rows_end();
	assert_int_equal(run_fixed(program), 5);
	CL(clReleaseProgram(program));
}

static void test_binary(void **state)
{
	cl_program program = cl_build(source, "-DK=21");
	size_t size = 0;
	cl_int rc, status = 4711;

	(void)state;
	CL(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
	assert_true(size > 0);
	unsigned char *binary = malloc(size);
	CL(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
	CL(clReleaseProgram(program));

	const unsigned char *data = binary;
	program = clCreateProgramWithBinary(cl.context, 1, &cl.device, &size, &data, &status, &rc);
	CL(rc);
	CL(status);
	CL(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
	assert_int_equal(run_fixed(program), 21);
	CL(clReleaseProgram(program));

	memset(binary, 0x5a, size < 64 ? size : 64);
	CL_ROW_MADE(CL_INVALID_BINARY,
		clCreateProgramWithBinary(cl.context, 1, &cl.device, &size, &data, &status, &rc));
	CL_ROW(cl.intel ? CL_SUCCESS : CL_INVALID_BINARY, status);
	cl_rows_end();
	free(binary);
}

static void test_arg_infos(void **state)
{
	static const struct {
		cl_kernel_arg_address_qualifier address;
		cl_kernel_arg_type_qualifier type;
		const char *type_name, *name;
	} want[] = {
		{ CL_KERNEL_ARG_ADDRESS_GLOBAL,
			CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT, "uint*", "in" },
		{ CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_TYPE_CONST, "float4*", "c" },
		{ CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_TYPE_NONE, "uchar*", "l" },
		{ CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_VOLATILE, "int*", "v" },
		{ CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE, "uint", "n" },
	};
	cl_program program = cl_build(source, "-cl-kernel-arg-info");
	char text[256];
	cl_uint n;

	(void)state;
	cl_kernel kernel = cl_kernel_of(program, "plain");
	CL(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof text, text, NULL));
	assert_string_equal(text, "plain");
	CL(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL));
	assert_int_equal(n, 5);
	for (cl_uint i = 0; i < 5; i++) {
		cl_kernel_arg_address_qualifier address;
		cl_kernel_arg_access_qualifier access;
		cl_kernel_arg_type_qualifier type;

		CL(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address,
			&address, NULL));
		CL_ROW((cl_int)want[i].address, (cl_int)address);
		CL(clGetKernelArgInfo(
			kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL));
		assert_int_equal(access, CL_KERNEL_ARG_ACCESS_NONE);
		CL(clGetKernelArgInfo(
			kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof type, &type, NULL));
		CL_ROW((cl_int)want[i].type, (cl_int)type);
		CL(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL));
		assert_string_equal(text, want[i].type_name);
		CL(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
		assert_string_equal(text, want[i].name);
	}
	cl_rows_end();
	CL(clReleaseKernel(kernel));
	CL(clReleaseProgram(program));
}

static void test_kernel_infos(void **state)
{
	cl_program program = cl_build(source, "");
	size_t group[3], size;
	char text[256];

	(void)state;
	cl_kernel kernel = cl_kernel_of(program, "fixed");
	CL(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof text, text, NULL));
	if (cl.ours || cl.intel)
		assert_non_null(strstr(text, "reqd_work_group_size(4,2,1)"));
	CL(clGetKernelWorkGroupInfo(
		kernel, cl.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof group, group, NULL));
	assert_int_equal(group[0], 4);
	assert_int_equal(group[1], 2);
	assert_int_equal(group[2], 1);
	CL(clGetKernelWorkGroupInfo(
		kernel, cl.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL));
	assert_true(size >= 8);
	CL(clReleaseKernel(kernel));
	CL(clReleaseProgram(program));
}

/* What a kernel was made from stays with it when the program is gone. */
static void test_release_order(void **state)
{
	cl_uint got = 0;
	size_t global[2] = { 4, 2 };
	cl_int rc;
	cl_program program = cl_build(source, "");
	cl_kernel kernel = clCreateKernel(program, "fixed", &rc);

	(void)state;
	CL(rc);
	CL(clReleaseProgram(program));
	cl_mem o = cl_make_buffer(64, NULL);
	cl_set_buffer(kernel, 0, o);
	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 2, NULL, global, global, 0, NULL, NULL));
	CL(clReleaseKernel(kernel));
	cl_read(o, sizeof got, &got);
	assert_int_equal(got, 3);
	CL(clReleaseMemObject(o));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_option_words),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_syntax_error),
		cmocka_unit_test(test_warning),
		cmocka_unit_test(test_callback),
		cmocka_unit_test(test_kernels_in_program),
		cmocka_unit_test(test_binary),
		cmocka_unit_test(test_arg_infos),
		cmocka_unit_test(test_kernel_infos),
		cmocka_unit_test(test_release_order),
	};

	return CL_RUN(argc, argv, tests);
}
