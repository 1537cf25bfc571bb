// SPDX-License-Identifier: MIT
/* Doubles of devices that have none (ZEROCL_FP64), and of those that have. */
#include "cl/cl_case.h"
#include "double_functions.h"
#include "test_random.h"

#include <stdlib.h>
#include <string.h>

enum { N = 128 };

static double x[N], y[N];

static void make_inputs(void)
{
	uint64_t seed = 1;

	for (int i = 0; i < N; i++) {
		const double a = (double)test_random_below(&seed, 6000) / 100 - 30;
		const double b = (double)test_random_below(&seed, 6000) / 100 - 30;

		x[i] = i < DOUBLE_N_EDGES ? double_edges[i] : a * b / 13;
		y[i] = i < DOUBLE_N_EDGES ? double_edges[(i * 7 + 3) % DOUBLE_N_EDGES] : b;
	}
}

/* Runs the kernel k(x, y, out) with `size` bytes of output, poisoned before. */
static void run(const char *source, const char *options, void *out, size_t size)
{
	cl_kernel kernel = cl_make_kernel(source, options, "k");
	cl_mem a = cl_make_buffer(sizeof x, x), b = cl_make_buffer(sizeof y, y);
	cl_mem c;

	memset(out, 0xee, size);
	c = cl_make_buffer(size, out);
	cl_set_buffer(kernel, 0, a);
	cl_set_buffer(kernel, 1, b);
	cl_set_buffer(kernel, 2, c);
	cl_launch(kernel, N, N);
	cl_read(c, size, out);
	clReleaseMemObject(a);
	clReleaseMemObject(b);
	clReleaseMemObject(c);
	cl_kernel_done(kernel);
}

static void test_reported(void **state)
{
	cl_device_fp_config config;
	char text[16384];

	(void)state;
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
	assert_non_null(strstr(text, "cl_khr_fp64"));
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof config, &config, NULL));
	const cl_device_fp_config all = CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO |
					CL_FP_ROUND_TO_INF | CL_FP_INF_NAN | CL_FP_DENORM;
	assert_true((config & all) == all);
}

/* All functions, one after the other. */
static void test_functions(void **state)
{
	static const char source[] =
		"kernel void k(global const double *a, global const double *b, global double *o)\n"
		"{ size_t i = get_global_id(0); double x = a[i], y = b[i];\n"
#define X(name, ulps, exact) "o[i] = " #name "(x); o += 128;\n"
		DOUBLE_FUNCTIONS_1(X)
#undef X
#define X(name, ulps, exact) "o[i] = " #name "(x, y); o += 128;\n"
			DOUBLE_FUNCTIONS_2(X)
#undef X
				"}\n";
	static const struct {
		const char *name;
		double ulps;
	} functions[] = {
#define X(name, ulps, exact) { #name, ulps },
		DOUBLE_FUNCTIONS_1(X) DOUBLE_FUNCTIONS_2(X)
#undef X
	};
	enum { N_FUNCTIONS = sizeof functions / sizeof *functions };
	static double out[N_FUNCTIONS][N];

	(void)state;
	run(source, "", out, sizeof out);
	for (int i = 0; i < N; i++) {
		const long double a = x[i], b = y[i];
		const long double exact[] = {
#define X(name, ulps, exact) exact,
#define x		     a
#define y		     b
			DOUBLE_FUNCTIONS_1(X) DOUBLE_FUNCTIONS_2(X)
#undef x
#undef y
#undef X
		};

		for (size_t f = 0; f < N_FUNCTIONS; f++)
			if (!double_is_near(out[f][i], exact[f], functions[f].ulps))
				fail_msg("%s(%La, %La) is %a, not %La", functions[f].name, a, b,
					out[f][i], exact[f]);
	}
}

/* What test_forms computes of a and b, the i-th ones. */
static void check_forms(int i, const volatile double a, const volatile double b, const double *out)
{
	const double c = i & 1 ? -0.0 : 0.1;
	const double whole = isnan(a) ? 0 : fmax(fmin(trunc(a), 2147483647), -2147483648.0);
	const double byte = isnan(b) ? 0 : fmax(fmin(rint(b), 255), 0);
	const double top = isnan(b) ? 0 : b >= 0x1p63 ? 0x1p63 : b <= -0x1p63 ? -0x1p63 : ceil(b);
	float narrow = (float)a;
	int exponent = 0;
	const double part = frexp(a, &exponent);
	const long double squares = (long double)a * a + (long double)b * b + (long double)c * c;

	if (fabs((double)narrow) > fabs(a))
		narrow = nextafterf(narrow, 0);
	const double exact[] = { a + b, a - b, a * b, a / b, fma(a, b, a), whole + byte, narrow,
		top + 0.0 };
	for (size_t f = 0; f < sizeof exact / sizeof *exact; f++)
		if (!double_is_near(out[f], exact[f], 0))
			fail_msg("%zu of %a and %a is %a, not %a", f, a, b, out[f], exact[f]);
	assert_true(double_is_near(out[8], squares, 3) || !isfinite((double)squares));
	assert_true(double_is_near(
		out[9], isinf(a) || isinf(b) ? (long double)INFINITY : sqrtl(squares), 4));
	assert_true(out[10] == (b < a ? 1 : 2));
	assert_memory_equal(&out[11], &x[N - 1 - i], sizeof(double));
	assert_true(double_is_near(out[12], sinl(a), 4));
	assert_true(double_is_near(out[13], cosl(a), 4));
	assert_true(double_is_near(out[14], part, 0));
	assert_true(!isfinite(a) || out[15] == exponent);
	assert_true(double_is_near(out[16], ldexp(b, 5), 0));
	assert_true(isnan(b) || isinf(b) || fabs(b) >= 65504 ||
		    (fabs(out[17]) <= fabs(b) && fabs(out[17] - b) <= fabs(b) / 1024 + 0x1p-24));
	assert_true(!(fabs(a) < 65504) || fabs(out[18] - a) <= fabs(a) / 2048 + 0x1p-25);
	assert_true(double_is_near(out[19], (a + b) * 0.5 + a, 0));
	assert_true(isnan(a) || out[20] != a);
	assert_true(double_is_near(out[21], i & 1 ? b : a, 0));
	assert_true(double_is_near(out[22], fmod(a, b), 0));
	assert_true(out[23] == (isnan(a) != 0) + 2 * (isinf(b) != 0) + 4 * (signbit(a) != 0));
}

/* Arithmetic, conversions, vectors, memory, and the functions that store a second result. */
static void test_forms(void **state)
{
	static const char source[] =
		"typedef struct { char c; double d[3]; float f; } parts;\n"
		"constant double table[2] = { 0.1, -0.0 };\n"
		"double helper(parts p, double x) { p.d[1] += x; return p.d[1] * p.f; }\n"
		"kernel void k(global const double *a, global const double *b, global double *o)\n"
		"{ size_t i = get_global_id(0); double x = a[i], y = b[i], s; local double "
		"l[128];\n"
		"  int e; half h[4]; parts p = { 1, { 2, x, 3 }, 0.5f };\n"
		"  l[i] = x; barrier(CLK_LOCAL_MEM_FENCE);\n"
		"  o += i * 24;\n"
		"  o[0] = x + y; o[1] = x - y; o[2] = x * y; o[3] = x / y; o[4] = fma(x, y, x);\n"
		"  o[5] = convert_int_sat(x) + (double)convert_uchar_sat_rte(y);\n"
		"  o[6] = convert_float_rtz(x); o[7] = convert_double(convert_long_sat_rtp(y));\n"
		"  double3 v = (double3)(x, y, table[i & 1]);\n"
		"  o[8] = dot(v, v); o[9] = length(v); o[10] = (v < v.yxz).s1 ? 1 : 2;\n"
		"  o[11] = l[127 - i]; o[12] = sincos(x, &s); o[13] = s;\n"
		"  o[14] = frexp(x, &e); o[15] = e; o[16] = ldexp(y, 5);\n"
		"  vstore_half_rtz(y, 1, h); vstore_half2((double2)(x, y), 1, h);\n"
		"  o[17] = vload_half(1, h); o[18] = vload_half(2, h);\n"
		"  o[19] = helper(p, y) + p.d[1]; o[20] = as_double(as_long(x) ^ 1);\n"
		"  o[21] = select(x, y, (long)-(i & 1)); o[22] = fmod(x, y);\n"
		"  vstore2(vload2(0, o), 0, o); o[23] = isnan(x) + 2 * isinf(y) + 4 * signbit(x); "
		"}\n";
	static double out[N][24];

	(void)state;
	run(source, "-cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt", out, sizeof out);
	for (int i = 0; i < N; i++)
		check_forms(i, x[i], y[i], out[i]);
}

static void test_groups(void **state)
{
	static const char source[] =
		"kernel void k(global const double *a, global const double *b, global double *o)\n"
		"{ size_t i = get_global_id(0); double x = i * 0.25; o += i * 6;\n"
		"  o[0] = work_group_reduce_add(x); o[1] = work_group_scan_inclusive_max(-x);\n"
		"  o[2] = work_group_scan_exclusive_add(x); o[3] = work_group_broadcast(x, 5);\n"
		"  o[4] = sub_group_reduce_min(x) - sub_group_broadcast(x, 0);\n"
		"  o[5] = sub_group_scan_exclusive_add(1.0) - get_sub_group_local_id(); }\n";
	static double out[N][6];

	(void)state;
	run(source, "-cl-std=CL3.0", out, sizeof out);
	for (int i = 0; i < N; i++) {
		assert_true(out[i][0] == N * (N - 1) / 2 * 0.25);
		assert_true(out[i][1] == 0);
		assert_true(out[i][2] == i * (i - 1) / 2 * 0.25);
		assert_true(out[i][3] == 1.25);
		assert_true(out[i][4] == 0 && out[i][5] == 0);
	}
}

/* A group of two dimensions, which a walker may go through along the second one first. */
static void test_planes(void **state)
{
	static const char source[] =
		"kernel void f(global double *o)\n"
		"{ size_t i = get_local_linear_id();\n"
		"  o[i] = work_group_reduce_add(i * 0.25) + work_group_reduce_max((double)i); }\n";
	static const size_t size[] = { 13, 8 };
	enum { ITEMS = 13 * 8 };
	double out[ITEMS];

	(void)state;
	memset(out, 0xee, sizeof out);
	cl_kernel kernel = cl_make_kernel(source, "-cl-std=CL3.0", "f");
	cl_mem buffer = cl_make_buffer(sizeof out, out);
	cl_set_buffer(kernel, 0, buffer);
	CL(clEnqueueNDRangeKernel(cl.queue, kernel, 2, NULL, size, size, 0, NULL, NULL));
	cl_read(buffer, sizeof out, out);
	for (int i = 0; i < ITEMS; i++)
		assert_true(out[i] == ITEMS * (ITEMS - 1) / 2 * 0.25 + ITEMS - 1);
	clReleaseMemObject(buffer);
	cl_kernel_done(kernel);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reported),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_planes),
	};

	setenv("ZEROCL_FP64", "1", 1);
	make_inputs();
	return CL_RUN(argc, argv, tests);
}
