// SPDX-License-Identifier: MIT
/*
 * Constants of the program's: arrays of chars among them, which the compiler takes for texts to be
 * printed, and which kernels read all the same.
 */
#include "cl/cl_case.h"

#include <string.h>

#define N 64u

/* Every item reads all of its kind at a place that only the device knows. */
static const char only_chars[] = "constant char digits[] = \"0123456789abcdef\";\n"
				 "kernel void f(global int *out) {\n"
				 "  size_t i = get_global_id(0); out[i] = digits[i & 15]; }\n";

static const char mixed[] =
	"constant uchar box[] = { 99, 124, 119, 123, 242, 107, 111, 197 };\n"
	"constant int numbers[5] = { -1, 2, -3, 4, -5 };\n"
	"constant char text[] = \"not printed\";\n"
	"constant float half_of[3] = { 0.5f, 1.0f, 1.5f };\n"
	"constant char zeroes[40] = { 0 };\n"
	"constant char *constant words[3] = { \"one\", \"two\", \"three\" };\n"
	"kernel void f(global int *out) {\n"
	"  uint i = get_global_id(0);\n"
	"  out[i] = box[i & 7] + 1000 * numbers[i % 5] + 7 * text[i % 11] + (int)(2 * half_of[i % "
	"3])"
	" + zeroes[i % 40] + 3 * words[i % 3][i % 4 % 3] + \"literal\"[i % 7]; }\n";

static int expect_mixed(unsigned i)
{
	static const unsigned char box[] = { 99, 124, 119, 123, 242, 107, 111, 197 };
	static const int numbers[5] = { -1, 2, -3, 4, -5 };
	static const char *const words[3] = { "one", "two", "three" };

	return box[i & 7] + 1000 * numbers[i % 5] + 7 * "not printed"[i % 11] + (int)(i % 3 + 1) +
	       3 * words[i % 3][i % 4 % 3] + "literal"[i % 7];
}

static void run(const char *source, const char *options, int *out)
{
	cl_kernel kernel = cl_make_kernel(source, options, "f");

	memset(out, 0xa5, N * sizeof *out);
	cl_mem buffer = cl_make_buffer(N * sizeof *out, out);
	cl_set_buffer(kernel, 0, buffer);
	cl_launch(kernel, N, 8);
	cl_read(buffer, N * sizeof *out, out);
	CL(clReleaseMemObject(buffer));
	cl_kernel_done(kernel);
}

static void test_chars_alone(void **state)
{
	int out[N];

	(void)state;
	run(only_chars, "", out);
	for (unsigned i = 0; i < N; i++)
		assert_int_equal(out[i], "0123456789abcdef"[i & 15]);
}

static void test_chars_among_others(void **state)
{
	int out[N];

	(void)state;
	run(mixed, "", out);
	for (unsigned i = 0; i < N; i++)
		assert_int_equal(out[i], expect_mixed(i));
	run(mixed, "-cl-opt-disable", out);
	for (unsigned i = 0; i < N; i++)
		assert_int_equal(out[i], expect_mixed(i));
}

/* Through a binary, and in a kernel that needs its hidden argument. */
static void test_other_ways(void **state)
{
	static const char ragged[] = "constant uchar box[4] = { 3, 1, 4, 15 };\n"
				     "kernel void f(global int *out) {\n"
				     "  out[get_global_id(0)] = box[get_global_id(0) & 3] + "
				     "(int)get_enqueued_local_size(0) * 100; }\n";
	static const unsigned char box[4] = { 3, 1, 4, 15 };
	cl_program program = cl_build(ragged, "-cl-std=CL3.0");
	unsigned char *binary;
	int out[N] = { 0 };
	size_t size, global = N - 3, local = 8;
	cl_int rc;

	(void)state;
	skip_if(!cl.ours);
	CL(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
	binary = test_malloc(size);
	CL(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
	CL(clReleaseProgram(program));
	program = clCreateProgramWithBinary(cl.context, 1, &cl.device, &size,
		(const unsigned char **)(void *)&binary, NULL, &rc);
	CL(rc);
	test_free(binary);
	CL(clBuildProgram(program, 0, NULL, "", NULL, NULL));
	cl_kernel kernel = cl_kernel_of(program, "f");
	cl_mem buffer = cl_make_buffer(sizeof out, out);
	cl_set_buffer(kernel, 0, buffer);
	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
	cl_read(buffer, sizeof out, out);
	for (unsigned i = 0; i < N; i++)
		assert_int_equal(out[i], i < N - 3 ? box[i & 3] + 800 : 0);
	CL(clReleaseMemObject(buffer));
	CL(clReleaseKernel(kernel));
	CL(clReleaseProgram(program));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chars_alone),
		cmocka_unit_test(test_chars_among_others),
		cmocka_unit_test(test_other_ways),
	};

	return CL_RUN(argc, argv, tests);
}
