// SPDX-License-Identifier: MIT
/*
 * What Intel's compiler gets wrong, and programs get right: see host/compile/spirv/igc_bugs.h and
 * spirv_lower.h. Other platforms are not asked.
 */
#include "cl/cl_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 64u

static const float bases[] = { 1.25f, -1.25f, 2, -0.75f, -1, 3, 0.5f };

static void fill(float *data)
{
	for (unsigned i = 0; i < N; i++) {
		data[i] = bases[i % 7];
		data[N + i] = (float)(int)(i % 9) - 4;
	}
}

/* Powers whose exponents were integers, of several kinds, through a choice, and of vectors. */
static void test_powers(void **state)
{
	static const struct {
		const char *power;
		bool is_absolute; /* only of bases that are not negative */
	} rows[] = {
		{ "pow(a, (float)n)", false },
		{ "pow(a, (float)(short)n)", false },
		{ "pow(a, n > 2 ? (float)n : (float)(n | 0))", false },
		{ "pow((float3)(a, 2, 3), convert_float3((int3)(n, 1, 2))).x", false },
		{ "pow(a, (float)(ushort)(n + 8)) / pow(a, 8.0f)", false },
		{ "pow(a, fabs(a) > 7 ? a : (float)n)", false },
		{ "pown(a, n)", false },
		{ "pown((float4)(1, a, 2, 3), (int4)(1, n, 2, 3)).y", false },
		{ "powr(fabs(a), (float)n)", true },
		{ "native_powr(fabs(a), (float)n)", true },
		{ "half_powr(fabs(a), (float)n)", true },
		{ "(float)pown((half)a, n)", false },
		{ "(float)pow((half)a, (half)n)", false },
	};
	char source[512];
	float data[2 * N];

	(void)state;
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		snprintf(source, sizeof source,
			"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
			"kernel void f(global float *d) { size_t i = get_global_id(0);\n"
			"float a = d[i]; int n = (int)d[i + %u]; d[i] = %s; }",
			N, rows[k].power);
		fill(data);
		cl_run_on(source, "-cl-fast-relaxed-math", "f", N, 8, sizeof data, data);
		for (unsigned i = 0; i < N; i++) {
			const float a = rows[k].is_absolute ? fabsf(bases[i % 7]) : bases[i % 7];
			const double want = pow(a, (int)(i % 9) - 4);
			if (!(fabs(data[i] - want) <= 4e-3 * fabs(want)))
				fail_msg("%s of %g and %d: %g, not %g", rows[k].power, a,
					(int)(i % 9) - 4, data[i], want);
		}
	}
}

/* The odd ones beyond the floats keep the sign too. */
static void test_large_exponents(void **state)
{
	int data[2] = { 16777217, 16777218 };

	(void)state;
	cl_run_on("kernel void f(global int *d) { size_t i = get_global_id(0);\n"
		  "d[i] = (int)pown(-1.0f, d[i]); }",
		"-cl-fast-relaxed-math", "f", 2, 1, sizeof data, data);
	assert_int_equal(data[0], -1);
	assert_int_equal(data[1], 1);
}

/* Functions that change the structure that they got by value. */
static void test_structures_by_value(void **state)
{
	static const char source[] =
		"typedef struct { float v[8]; int n; char c[3]; } some;\n"
		"INLINE int change(int before, some s, some other, int i) {\n"
		"  s.v[i & 7] += 5; s.n++; s.c[1] = 7; other.n = 9; other.v[i & 7] = s.n;\n"
		"  int r = s.n + s.c[1] + other.n + (int)other.v[i & 7] + before;\n"
		"  for (int k = 0; k < 8; k++) r += (int)s.v[k];\n"
		"  return r; }\n"
		"INLINE int pass_on(some s) { int r = change(0, s, s, 2); return r + s.n + "
		"(int)s.v[2]; }\n"
		"kernel void f(global int *d) { size_t i = get_global_id(0); some s;\n"
		"  for (int k = 0; k < 8; k++) s.v[k] = d[i] + k;\n"
		"  s.n = d[i]; s.c[0] = 1; s.c[1] = 2; s.c[2] = 3;\n"
		"  int r = change(1, s, s, d[i]) + pass_on(s) * 10;\n"
		"  for (int k = 0; k < 8; k++) r += 100 * (int)s.v[k];\n"
		"  d[i] = r + 100000 * s.c[1] + 1000000 * s.n; }\n";
	static const char *const options[] = { "-DINLINE=__attribute__((noinline))",
		"-DINLINE=", "-DINLINE=__attribute__((noinline)) -cl-opt-disable",
		"-DINLINE=__attribute__((noinline)) -cl-std=CL3.0 -g" };
	int data[N];

	(void)state;
	for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
		for (unsigned i = 0; i < N; i++)
			data[i] = (int)i % 11;
		cl_run_on(source, options[k], "f", N, 8, sizeof data, data);
		for (unsigned i = 0; i < N; i++) {
			const int n = (int)i % 11, sum = 8 * n + 28;
			const int change = 2 * (n + 1) + 7 + 9 + sum + 5;
			const int want = 1 + change + 10 * (change + n + n + 2) + 100 * sum +
					 200000 + 1000000 * n;
			if (data[i] != want)
				fail_msg("%s: item %u: %d, not %d", options[k], i, data[i], want);
		}
	}
}

/* Every function of a dimension, which is a constant or known to the device alone. */
static void test_dimensions(void **state)
{
	static const char *const options[] = { "-cl-std=CL3.0", "-cl-std=CL3.0 -DCONSTANT",
		"-cl-std=CL3.0 -cl-uniform-work-group-size",
		"-cl-std=CL3.0 -cl-uniform-work-group-size -DCONSTANT",
		"-cl-std=CL2.0 -cl-opt-disable", "-cl-std=CL2.0 -cl-opt-disable -DCONSTANT" };
	static const char source[] =
		"#ifdef CONSTANT\n"
		"#define PUT(k, f) d[8 * i + k] = f(3) * 100 + f(0) * 10 + f(0xffffffff)\n"
		"#else\n"
		"#define PUT(k, f) d[8 * i + k] = f((uint)d[0]) * 100 + f((uint)d[1]) * 10 + "
		"f((uint)d[2])\n"
		"#endif\n"
		"kernel void f(global ulong *d) { size_t i = get_global_id(0) + 1;\n"
		"  PUT(0, get_global_offset); PUT(1, get_global_id); PUT(2, get_local_size);\n"
		"  PUT(3, get_enqueued_local_size); PUT(4, get_num_groups); PUT(5, get_group_id);\n"
		"  PUT(6, get_global_size); PUT(7, get_local_id); }\n";
	cl_ulong data[8 * 9];

	(void)state;
	for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
		memset(data, 0xa5, sizeof data);
		data[0] = 3;
		data[1] = 0;
		data[2] = 0xffffffff;
		cl_run_on(source, options[k], "f", 8, 4, sizeof data, data);
		for (unsigned i = 0; i < 8; i++) {
			const cl_ulong want[] = { 0, i * 10, 141, 141, 121, i / 4 * 10, 181,
				i % 4 * 10 };
			for (unsigned n = 0; n < 8; n++)
				if (data[8 * (i + 1) + n] != want[n])
					fail_msg("%s: item %u, function %u: %llu, not %llu",
						options[k], i, n,
						(unsigned long long)data[8 * (i + 1) + n],
						(unsigned long long)want[n]);
		}
	}
}

/* Of loops, whose results are those of the last round; with others beside them that do neither. */
static void test_conversions_in_loops(void **state)
{
	static const char source[] =
		"kernel void f(global int *d) { size_t i = get_global_id(0); short a = 1; int b = "
		"2;\n"
		"  char c = 3; uchar4 e = 4; float g = 5; uint n = d[i] & 3;\n"
		"  for (uint k = 0; k <= n; k++) { int x = d[i] * 1000 + (int)k; c = (char)x;\n"
		"    a = convert_short_sat(x); b = convert_int_rtp(x * 0.125f);\n"
		"    e = convert_uchar4_sat((int4)(x, -x, 3, 300)); g = convert_float_rtz(x | "
		"0x40000001); }\n"
		"  d[i] = a + 3 * b + 5 * c + 7 * (e.x + 2 * e.y + 3 * e.z + 4 * e.w) +\n"
		"    11 * (int)(as_uint(g) & 0xffff); }\n";
	static const char *const options[] = { "", "-cl-opt-disable", "-cl-std=CL3.0 -g" };
	int data[N];

	(void)state;
	for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
		for (unsigned i = 0; i < N; i++)
			data[i] = (int)(i * 7) - 200;
		cl_run_on(source, options[k], "f", N, 8, sizeof data, data);
		for (unsigned i = 0; i < N; i++) {
			const int d = (int)(i * 7) - 200, x = d * 1000 + (d & 3),
				  y = x | 0x40000001;
			const int a = x > 32767 ? 32767 : x < -32768 ? -32768 : x;
			const int b = (int)ceil(x * 0.125);
			const int e = (x < 0		? 0
					      : x > 255 ? 255
							: x) +
				      2 * (-x < 0	     ? 0
						  : -x > 255 ? 255
							     : -x) +
				      9 + 4 * 255;
			/* towards zero: the last bits of what has 24 of them are lost */
			const unsigned size = (unsigned)abs(y);
			const int zeros = __builtin_clz(size), low = zeros < 8 ? 8 - zeros : 0;
			const float g = (float)((size >> low) << low);
			unsigned bits;
			memcpy(&bits, &g, sizeof bits);
			const int want =
				a + 3 * b + 5 * (signed char)x + 7 * e + 11 * (int)(bits & 0xffff);
			if (data[i] != want)
				fail_msg("%s: item %u: %d, not %d", options[k], i, data[i], want);
		}
	}
}

/* A vector of one component, which clang makes of a constant. */
static void test_constant_as_vector(void **state)
{
	unsigned data = 7;

	(void)state;
	cl_run_on("kernel void f(global ushort2 *d) { d[0] += as_ushort2(0x80010002u); }", "", "f",
		1, 1, sizeof data, &data);
	assert_int_equal(data, 0x80010009u);
}

__extension__ typedef __int128 wide;

/* The sum of 128 bits, saturated. */
static cl_long mad_sat_of(const cl_long *x)
{
	const wide sum = (wide)x[0] * x[1] + x[2];

	return sum > CL_LONG_MAX ? CL_LONG_MAX : sum < CL_LONG_MIN ? CL_LONG_MIN : (cl_long)sum;
}

/* mad_sat of longs: products that the sum brings back, and sums that run over. */
static void test_saturated_sums(void **state)
{
	static const cl_long corners[] = { 0, 1, -1, 2, 0xbeb, 0x72dd50b77, CL_LONG_MAX,
		CL_LONG_MIN, CL_LONG_MIN + 1, 1LL << 32, -(1LL << 31), 0x6403de97d5620fcb };
	enum { CORNERS = sizeof corners / sizeof *corners, SUMS = CORNERS * CORNERS * CORNERS };
	static const char *const sums[] = { "d[i] = mad_sat(a, b, c)",
		"long3 v = mad_sat((long3)(1, a, 3), (long3)(2, b, 4), (long3)(3, c, 5)); "
		"d[i] = v.x == 5 && v.z == 17 ? v.y : 77",
		"d[i] = mad_sat((long16)(a), (long16)(b), (long16)(c)).sb" };
	static cl_long data[3 * SUMS];
	char source[512];

	(void)state;
	for (size_t k = 0; k < sizeof sums / sizeof *sums; k++) {
		for (unsigned i = 0; i < 3 * SUMS; i++) {
			const unsigned n = i / 3;
			const unsigned at[] = { n, n / CORNERS, n / CORNERS / CORNERS };

			data[i] = corners[at[i % 3] % CORNERS];
		}
		snprintf(source, sizeof source,
			"kernel void f(global long *d) { size_t i = 3 * get_global_id(0);\n"
			"long a = d[i], b = d[i + 1], c = d[i + 2]; %s; }",
			sums[k]);
		cl_run_on(source, "", "f", SUMS, 0, sizeof data, data);
		for (unsigned n = 0; n < SUMS; n++) {
			const cl_long x[] = { corners[n % CORNERS], corners[n / CORNERS % CORNERS],
				corners[n / CORNERS / CORNERS] };

			if (data[3 * n] != mad_sat_of(x))
				fail_msg("%s: %llx, %llx, %llx: %llx", sums[k], (long long)x[0],
					(long long)x[1], (long long)x[2], (long long)data[3 * n]);
		}
	}
}

/* Of each function, address space and form; and in a program that has a message. */
static void test_atomics_of_int(void **state)
{
	static const char source[] =
		"#define ALL(f, n) f(n, 1) + f##_explicit(n, 1, memory_order_relaxed) + \\\n"
		"  f##_explicit(n, 1, memory_order_relaxed, memory_scope_device)\n"
		"#ifdef LOUD\n#warning loud\n#endif\n"
		"uint maximum(atomic_uint *n) { return ALL(atomic_fetch_max, n); }\n"
		"kernel void f(global uint *d) { global atomic_uint *n = (global atomic_uint *)d;\n"
		"  local atomic_uint l; atomic_init(&l, 40);\n"
		"  d[1] = ALL(atomic_fetch_add, n); d[2] = ALL(atomic_fetch_sub, n);\n"
		"  d[3] = ALL(atomic_fetch_or, &l); d[4] = ALL(atomic_fetch_xor, n);\n"
		"  d[5] = ALL(atomic_fetch_min, n); d[6] = ALL(atomic_fetch_and, n);\n"
		"  d[7] = maximum(n + 7); }\n";
	static const char *const options[] = { "-cl-std=CL3.0", "-cl-std=CL3.0 -DLOUD",
		"-cl-std=CL2.0" };
	/* 100, 101, 102; 103, 102, 101; 40, 41, 41; 100, 101, 100; 101, 1, 1; 1, 1, 1; 0, 1, 1 */
	static const unsigned want[] = { 1, 303, 306, 122, 301, 103, 3, 2 };

	(void)state;
	for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
		unsigned data[8] = { 100 };

		cl_run_on(source, options[k], "f", 1, 1, sizeof data, data);
		assert_memory_equal(data, want, sizeof want);
	}
}

/* Votes that work-items still read when others are in the next function of the work-group. */
static void test_votes(void **state)
{
	static const char source[] =
		"kernel void f(global int *d) { size_t i = get_global_id(0); int v = d[i];\n"
		"  int a = work_group_any(v == 90); int b = "
		"work_group_scan_inclusive_add((uint)v);\n"
		"  int c = work_group_all(v < 70); int e = work_group_any(v < 0);\n"
		"  int g = work_group_any(v == 89); int h = work_group_reduce_max(v);\n"
		"  d[i] = a + 2 * c + 4 * e + 8 * g + 16 * (h == 90) + 32 * b; }\n";
	enum { GROUP = 48, GROUPS = 8 };
	static int data[GROUP * GROUPS];

	(void)state;
	/* 90, 89, and what is 70 or more are in every second group, third and fourth */
	for (int i = 0; i < GROUP * GROUPS; i++) {
		const int group = i / GROUP, item = i % GROUP;
		data[i] = item == 47 && group % 2   ? 90
			  : item == 3 && group % 3  ? 89
			  : item == 20 && group % 4 ? 70
						    : item % 60;
	}
	int was[GROUP * GROUPS];
	memcpy(was, data, sizeof was);
	cl_run_on(source, "-cl-std=CL3.0", "f", GROUP * GROUPS, GROUP, sizeof data, data);
	for (int i = 0, sum = 0; i < GROUP * GROUPS; i++) {
		const int group = i / GROUP;
		sum = i % GROUP ? sum + was[i] : was[i];
		const int all = !(group % 2) && !(group % 3) && !(group % 4);
		assert_int_equal(data[i],
			(group % 2) + 2 * all + 8 * (group % 3 != 0) + 16 * (group % 2) + 32 * sum);
	}
}

/*
 * More sub-groups than work-items in one: each tells a number, one after the other. Of types but
 * this one, only what is computed is looked at: which sub-group comes first decides what is lost.
 */
static void test_reductions(void **state)
{
	static const char source[] =
		"__attribute__((intel_reqd_sub_group_size(8)))\n"
		"kernel void f(global ulong *d) { size_t i = get_global_id(0); ulong bad = 0;\n"
		"  for (uint n = 0; n < get_num_sub_groups(); n++) {\n"
		"    bool told = get_sub_group_local_id() == 0 && n == get_sub_group_id();\n"
		"    bad += work_group_reduce_add(told ? 1000ul + n : 0ul) != 1000 + n; }\n"
		"  d[i] = bad; }\n";
	static const char types[] =
		"__attribute__((intel_reqd_sub_group_size(8)))\n"
		"kernel void f(global ulong *d) { size_t i = get_global_id(0); ulong bad = 0;\n"
		"  bad += work_group_reduce_add(0.5f) != 64;\n"
		"  bad += work_group_reduce_min(70 - (int)i) != -57;\n"
		"  bad += work_group_reduce_max(~0u - (uint)i) != ~0u;\n"
		"  bad += work_group_reduce_max(-1l - (long)i) != -1;\n"
		"  d[i] = bad; }\n";
	enum { ITEMS = 128 };
	static cl_long data[ITEMS];

	(void)state;
	for (int k = 0; k < 2; k++) {
		memset(data, 0xee, sizeof data);
		cl_run_on(
			k ? types : source, "-cl-std=CL3.0", "f", ITEMS, ITEMS, sizeof data, data);
		for (int i = 0; i < ITEMS; i++)
			assert_int_equal(data[i], 0);
	}
}

/* Two kernels that call the same functions, which call each other, without optimisation. */
static void test_shared_functions(void **state)
{
	static const char source[] =
		"constant int table[] = { 3, 5, 7, 11 };\n"
		"static int less(int a) { return a - table[a & 3]; }\n"
		"int sum(int a, int n) { int s = 0;\n"
		"  for (int i = 0; i < n; i++) s += less(a + i); return s; }\n"
		"#define SIZE(n) __attribute__((intel_reqd_sub_group_size(n)))\n"
		"A kernel void a(global int *d) { size_t i = get_global_id(0); d[i] = sum((int)i, "
		"3); }\n"
		"B kernel void b(int n, global int *d)\n"
		"{ size_t i = get_global_id(0); d[i] = sum((int)i, n); }\n"
		"B kernel void c(global int *d) { size_t i = get_global_id(0); d[i] = sum((int)i, "
		"3); }\n";
	static const char *const options[] = { "-DA=SIZE(16) -DB=SIZE(16)",
		"-DA=SIZE(32) -DB=SIZE(8)", "-DA= -DB=SIZE(16)",
		"-DA=SIZE(8) -DB=", "-DA= -DB=", "-g -DA=SIZE(16) -DB=SIZE(32)" };
	static const int table[] = { 3, 5, 7, 11 };
	char all[128];
	int data[N];

	(void)state;
	for (size_t k = 0; k < 2 * (sizeof options / sizeof *options); k++) {
		snprintf(all, sizeof all, "-cl-opt-disable %s", options[k / 2]);
		memset(data, 0xa5, sizeof data);
		cl_run_on(source, all, k % 2 ? "c" : "a", N, 32, sizeof data, data);
		for (int i = 0; i < (int)N; i++) {
			int want = 3 * i + 3;
			for (int n = i; n < i + 3; n++)
				want -= table[n & 3];
			if (data[i] != want)
				fail_msg("%s, kernel %c, item %d: %d, not %d", all,
					k % 2 ? 'c' : 'a', i, data[i], want);
		}
	}
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_powers),
		cmocka_unit_test(test_large_exponents),
		cmocka_unit_test(test_structures_by_value),
		cmocka_unit_test(test_dimensions),
		cmocka_unit_test(test_conversions_in_loops),
		cmocka_unit_test(test_constant_as_vector),
		cmocka_unit_test(test_saturated_sums),
		cmocka_unit_test(test_atomics_of_int),
		cmocka_unit_test(test_votes),
		cmocka_unit_test(test_reductions),
		cmocka_unit_test(test_shared_functions),
	};

	return CL_RUN(argc, argv, tests);
}
