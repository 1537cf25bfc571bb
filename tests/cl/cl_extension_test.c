// SPDX-License-Identifier: MIT
/*
 * What is reported works: for each extension and feature of OpenCL C that adds something to the
 * language, a kernel that uses it, checked against plain C. Nothing is tried that is not reported.
 */
#include "cl/cl_case.h"
#include "cl/cl_error.h"
#include "cl/cl_spirv.h"
#include "cl/cl_spirv_modules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 256

static bool has_feature(const char *name)
{
	static cl_name_version list[128];
	size_t size = 0;

	if (clGetDeviceInfo(cl.device, CL_DEVICE_OPENCL_C_FEATURES, sizeof list, list, &size))
		return false;
	for (size_t i = 0; i < size / sizeof *list; i++)
		if (!strcmp(list[i].name, name))
			return true;
	return false;
}

static void test_int32_atomics(void **state)
{
	static const char source[] =
		"kernel void k(global int *o)\n"
		"{ local int l[4]; int i = get_global_id(0), m = get_local_id(0);\n"
		"  if (m < 4) l[m] = m == 1 ? 1000 : 0;\n"
		"  barrier(CLK_LOCAL_MEM_FENCE);\n"
		"  atomic_add(o, i); atomic_sub(o + 1, 2); atomic_inc(o + 2); atomic_dec(o + 3);\n"
		"  atomic_min(o + 4, -i); atomic_max(o + 5, i * 3); atomic_and(o + 6, ~(1 << (i & "
		"7)));\n"
		"  atomic_or(o + 7, 1 << (i & 15)); atomic_xor(o + 8, i);\n"
		"  atomic_cmpxchg(o + 9, i, i + 1);\n"
		"  atomic_add(l, 1); atomic_min(l + 1, m); atomic_or(l + 2, m); atomic_xchg(l + 3, "
		"9);\n"
		"  barrier(CLK_LOCAL_MEM_FENCE);\n"
		"  if (!m) { atomic_add(o + 10, l[0]); atomic_add(o + 11, l[1]);\n"
		"    atomic_add(o + 12, l[2]); atomic_add(o + 13, l[3]); } }\n";
	cl_int got[14] = { 0, 0, 0, 0, 5, 5, -1, 0, 0, -7, 0, 0, 0, 0 };
	cl_int want[14] = { N * (N - 1) / 2, -2 * N, N, -N, -(N - 1), 3 * (N - 1), ~0xff, 0xffff, 0,
		-7, N, 0, 4 * 63, 4 * 9 };

	(void)state;
	for (int i = 0; i < N; i++)
		want[8] ^= i;
	cl_run_on(source, "", "k", N, 64, sizeof got, got);
	for (int i = 0; i < 14; i++)
		assert_int_equal(got[i], want[i]);
}

/* Of whole numbers from 0 to 2047. */
static int half_value(cl_half half)
{
	int shift = 25 - (half >> 10 & 31);

	return half ? ((half & 1023) | 1024) >> shift : 0;
}

static void test_half(void **state)
{
	static const char source[] = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
				     "kernel void k(global half *o)\n"
				     "{ size_t i = get_global_id(0); half h = o[i];\n"
				     "  o[i] = h * (half)2.0h + (half)1.0h; }\n";
	/* i / 4 as a half is exact for i < 256, and so is the result. */
	cl_half data[N];
	union {
		cl_float f;
		cl_uint u;
	} bits;

	(void)state;
	skip_if(!cl_has("cl_khr_fp16"));
	for (int i = 0; i < N; i++) {
		bits.f = (float)i / 4;
		data[i] = i ? (cl_half)(((bits.u >> 23) - 112) << 10 | (bits.u >> 13 & 0x3ff)) : 0;
	}
	cl_run_on(source, "", "k", N, 64, sizeof data, data);
	for (int i = 0; i < N; i++) {
		bits.f = (float)i / 2 + 1;
		assert_int_equal(data[i], ((bits.u >> 23) - 112) << 10 | (bits.u >> 13 & 0x3ff));
	}
}

/* The cl_khr_subgroup_* family: each kernel with plain C over groups of the size that it reports.
 */
static const char khr_source[] =
	"kernel void k(global int *o)\n"
	"{ size_t i = get_global_id(0), n = get_global_size(0); int v = o[i];\n"
	"  uint l = get_sub_group_local_id(), s = get_max_sub_group_size();\n"
	"  o[n + i] = s;\n"
	"  o[2 * n + i] = sub_group_shuffle(v, (l + 1) % s);\n"
	"  o[3 * n + i] = sub_group_shuffle_xor(v, 3);\n"
	"  o[4 * n + i] = sub_group_shuffle_up(v, 2);\n"
	"  o[5 * n + i] = sub_group_shuffle_down(v, 2);\n"
	"  o[6 * n + i] = sub_group_clustered_reduce_add(v, 4);\n"
	"  o[7 * n + i] = sub_group_ballot_bit_count(sub_group_ballot(v & 1));\n"
	"  o[8 * n + i] = (v & 2) ? sub_group_non_uniform_reduce_add(v) : 0;\n"
	"  o[9 * n + i] = (v & 2) ? sub_group_non_uniform_all(v & 4) * 2 +\n"
	"    (sub_group_non_uniform_any(v & 4) != 0) : 0;\n"
	"  o[10 * n + i] = sub_group_reduce_max((short)v);\n"
	"  o[11 * n + i] = (int)sub_group_broadcast((uchar)v, 1); }\n";

static void test_khr_sub_groups(void **state)
{
	static const char *const names[] = { "cl_khr_subgroup_shuffle",
		"cl_khr_subgroup_shuffle_relative", "cl_khr_subgroup_clustered_reduce",
		"cl_khr_subgroup_ballot", "cl_khr_subgroup_non_uniform_arithmetic",
		"cl_khr_subgroup_non_uniform_vote", "cl_khr_subgroup_extended_types" };
	static cl_int o[12 * N];

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		skip_if(!cl_has(names[i]));
	for (int i = 0; i < 12 * N; i++)
		o[i] = i < N ? (i * 37 + i / 5) % 200 : 0;
	cl_int v[N];
	memcpy(v, o, sizeof v);
	cl_run_on(khr_source, "", "k", N, 64, sizeof o, o);
	int s = o[N];
	assert_true(s == 8 || s == 16 || s == 32);
	for (int i = 0; i < N; i++) {
		const cl_int *g = v + i / s * s, *c = v + i / 4 * 4;
		int l = i % s, odd = 0, sum = 0, all = 1, any = 0, max = g[0];

		for (int k = 0; k < s; k++) {
			odd += g[k] & 1;
			max = g[k] > max ? g[k] : max;
			if (!(g[k] & 2))
				continue;
			sum += g[k];
			all &= (g[k] & 4) != 0;
			any |= (g[k] & 4) != 0;
		}
		assert_int_equal(o[N + i], s);
		assert_int_equal(o[2 * N + i], g[(l + 1) % s]);
		assert_int_equal(o[3 * N + i], g[l ^ 3]);
		if (l >= 2)
			assert_int_equal(o[4 * N + i], g[l - 2]);
		if (l + 2 < s)
			assert_int_equal(o[5 * N + i], g[l + 2]);
		assert_int_equal(o[6 * N + i], c[0] + c[1] + c[2] + c[3]);
		assert_int_equal(o[7 * N + i], odd);
		assert_int_equal(o[8 * N + i], v[i] & 2 ? sum : 0);
		assert_int_equal(o[9 * N + i] & 1, v[i] & 2 ? any : 0);
		assert_int_equal(o[9 * N + i] >> 1 != 0, v[i] & 2 ? all : 0);
		assert_int_equal(o[10 * N + i], max);
		assert_int_equal(o[11 * N + i], g[1]);
	}
}

static void test_intel_types(void **state)
{
	static const char source[] =
		"__attribute__((intel_reqd_sub_group_size(16)))\n"
		"kernel void k(global uint *o)\n"
		"{ size_t g = get_global_id(0) / 16 * 16;\n"
		"  ushort s = intel_sub_group_block_read_us((global ushort *)o + g);\n"
		"  uchar c = intel_sub_group_block_read_uc((global uchar *)o + N * 2 + g);\n"
		"  ulong l = intel_sub_group_block_read_ul((global ulong *)(o + N) + g);\n"
		"  s = intel_sub_group_shuffle_xor(s, 1); c = intel_sub_group_shuffle_xor(c, 2);\n"
		"  l = intel_sub_group_shuffle(l, 3);\n"
		"  intel_sub_group_block_write_us((global ushort *)o + g, s);\n"
		"  intel_sub_group_block_write_uc((global uchar *)o + N * 2 + g, c);\n"
		"  intel_sub_group_block_write_ul((global ulong *)(o + N) + g, l); }\n";
	static union {
		cl_uint words[3 * N];
		struct {
			cl_ushort s[N];
			cl_uchar c[2 * N];
			cl_ulong l[N];
		} t;
	} o, old;

	(void)state;
	skip_if(!cl_has("cl_intel_subgroups_short") || !cl_has("cl_intel_subgroups_char") ||
		!cl_has("cl_intel_subgroups_long"));
	for (cl_uint i = 0; i < 3 * N; i++)
		o.words[i] = i * 2654435761u;
	old = o;
	cl_run_on(source, "-DN=256", "k", N, 64, sizeof o, &o);
	for (size_t i = 0; i < N; i++) {
		assert_int_equal(o.t.s[i], old.t.s[i ^ 1]);
		assert_int_equal(o.t.c[i], old.t.c[i ^ 2]);
		assert_int_equal(o.t.c[N + i], old.t.c[N + i]);
		assert_int_equal(o.t.l[i], old.t.l[i / 16 * 16 + 3]);
	}
}

/* OpenCL C 3.0 with the features that are reported, each seen as a macro. */
static void test_features(void **state)
{
	static const char source[] =
		"#ifdef __opencl_c_program_scope_global_variables\n"
		"global int counter = 40;\n"
		"#endif\n"
		"int load(int *p) { return *p + 1; }\n"
		"kernel void k(global int *o)\n"
		"{ local int l[64]; int m = get_local_id(0); size_t i = get_global_id(0);\n"
		"  int p = m * 2; l[m] = m * 3; barrier(CLK_LOCAL_MEM_FENCE);\n"
		"  int *any = i % 3 == 0 ? (int *)&p : i % 3 == 1 ? (int *)&l[m] : (int *)&o[i];\n"
		"  o[i] = load(any);\n"
		"  o[N + i] = work_group_reduce_add(m);\n"
		"  o[2 * N + i] = work_group_scan_inclusive_add(m);\n"
		"  o[3 * N + i] = work_group_broadcast(m, 17);\n"
		"  o[4 * N + i] = work_group_any(m == 63) * 2 + work_group_all(m < 63);\n"
		"  atomic_fetch_add_explicit((global atomic_int *)(o + 5 * N), 2,\n"
		"    memory_order_acq_rel, memory_scope_device);\n"
		"  atomic_fetch_max((volatile global atomic_int *)(o + 5 * N + 1), (int)i);\n"
		"  o[6 * N + i] = sub_group_reduce_add(1) > 0;\n"
		"  if (!i) { counter++; o[5 * N + 2] = counter; } }\n";
	static const char *const needed[] = { "__opencl_c_generic_address_space",
		"__opencl_c_work_group_collective_functions", "__opencl_c_atomic_order_acq_rel",
		"__opencl_c_atomic_order_seq_cst", "__opencl_c_atomic_scope_device",
		"__opencl_c_program_scope_global_variables", "__opencl_c_subgroups" };
	static cl_int o[7 * N];

	(void)state;
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
		if (!has_feature(needed[i]))
			skip_because(needed[i]);
	for (int i = 0; i < 7 * N; i++)
		o[i] = i < N ? 1000 + i : 0;
	cl_run_on(source, "-cl-std=CL3.0 -DN=256", "k", N, 64, sizeof o, o);
	for (int i = 0; i < N; i++) {
		int m = i % 64;

		assert_int_equal(o[i], (i % 3 == 0 ? m * 2 : i % 3 == 1 ? m * 3 : 1000 + i) + 1);
		assert_int_equal(o[N + i], 63 * 64 / 2);
		assert_int_equal(o[2 * N + i], m * (m + 1) / 2);
		assert_int_equal(o[3 * N + i], 17);
		assert_int_equal(o[4 * N + i] & ~1, 2);
		assert_int_equal(o[6 * N + i], 1);
	}
	assert_int_equal(o[5 * N], 2 * N);
	assert_int_equal(o[5 * N + 1], N - 1);
	assert_int_equal(o[5 * N + 2], 41);
}

/* Of floats: every operation, of global and local memory and through any pointer, all at once. */
static void test_float_atomics(void **state)
{
	static const char source[] =
		"kernel void k(global float *o) {\n"
		"  global atomic_float *g = (global atomic_float *)o; local atomic_float l[5];\n"
		"  float i = (float)get_global_id(0), m = (float)get_local_id(0);\n"
		"  if (m == 0) for (int n = 0; n < 5; n++) atomic_init(l + n, 0.0f);\n"
		"  barrier(CLK_LOCAL_MEM_FENCE);\n"
		"  atomic_fetch_add(g, i); atomic_fetch_sub(g + 1, i / 2);\n"
		"  atomic_fetch_min_explicit(g + 2, -i, memory_order_relaxed);\n"
		"  atomic_fetch_max_explicit(g + 3, i, memory_order_relaxed, "
		"memory_scope_device);\n"
		"  atomic_fetch_sub_explicit(g + 4, 2, memory_order_relaxed, "
		"memory_scope_device);\n"
		"  volatile atomic_float *any = g + 5; atomic_fetch_add(any, 1); any = l;\n"
		"  atomic_fetch_add(any, m); atomic_fetch_sub(l + 1, m);\n"
		"  atomic_fetch_min(l + 2, 3 - m); atomic_fetch_max(l + 3, m);\n"
		"  atomic_fetch_sub_explicit(any + 4, m, memory_order_relaxed);\n"
		"  barrier(CLK_LOCAL_MEM_FENCE);\n"
		"  if (i < 5) o[8 + (int)i] = atomic_load(l + (int)i);\n"
		"  if (i == 5) { atomic_store(g + 6, 1.5f); o[7] = atomic_exchange(g + 13, 9.0f); "
		"} "
		"}\n"
		"kernel void ints(global int *o) {\n"
		"  atomic_fetch_sub((global atomic_int *)o, 3);\n"
		"  atomic_fetch_sub_explicit((volatile atomic_uint *)(o + 1), 1u, "
		"memory_order_relaxed); }\n";
	cl_bitfield single = 0, other = 1;
	cl_int counts[2] = { 5, 0 };
	float got[16] = { 0 }, sum = N * (N - 1) / 2, group = 32 * 31 / 2;
	const float want[14] = { sum, -sum / 2, -(N - 1), N - 1, -2 * N, N, 1.5f, 0, group, -group,
		3 - 31, 31, -group, 9 };

	(void)state;
	skip_if(!cl.ours || !cl_has("cl_ext_float_atomics"));
	CL(clGetDeviceInfo(cl.device, 0x4231, sizeof single, &single, NULL));
	assert_int_equal(single, 0x70007);
	CL(clGetDeviceInfo(cl.device, 0x4232, sizeof other, &other, NULL));
	assert_int_equal(other, 0);
	cl_run_on(source, "-cl-std=CL3.0", "k", N, 32, sizeof got, got);
	for (int i = 0; i < 14; i++)
		assert_true(got[i] == want[i]);
	cl_run_on(source, "-cl-std=CL2.0", "ints", N, 32, sizeof counts, counts);
	assert_int_equal(counts[0], 5 - 3 * N);
	assert_int_equal(counts[1], -N);
}

/* Kernels see a macro exactly for what the device reports. */
static void test_macros(void **state)
{
	static char extensions[16384];
	char *save = NULL, source[65536], *end = source;

	(void)state;
	skip_if(!cl.ours);
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
	/* These have no part in the language. */
	static const char *const silent[] = { "cl_khr_icd", "cl_khr_create_command_queue",
		"cl_khr_extended_versioning", "cl_khr_il_program", "cl_khr_device_uuid",
		"cl_khr_spirv_no_integer_wrap_decoration", "cl_khr_spirv_linkonce_odr",
		"cl_khr_spirv_extended_debug_info", "cl_khr_spirv_queries", "cl_khr_pci_bus_info",
		"cl_khr_suggested_local_work_size", "cl_intel_device_attribute_query",
		"cl_intel_spirv_subgroups", "cl_intel_spirv_media_block_io",
		"cl_intel_unified_shared_memory", "cl_khr_unified_svm",
		"cl_ext_buffer_device_address", "cl_khr_semaphore", "cl_khr_command_buffer",
		"cl_khr_command_buffer_mutable_dispatch", "cl_khr_priority_hints",
		"cl_khr_throttle_hints", "cl_intel_command_queue_families",
		"cl_khr_work_group_uniform_arithmetic" /* of OpenCL C 2.0 on */ };
	for (char *name = strtok_r(extensions, " ", &save); name;
		name = strtok_r(NULL, " ", &save)) {
		bool quiet = false;

		for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
			quiet |= !strcmp(silent[i], name);
		if (!quiet)
			end += sprintf(end, "#ifndef %s\n#error %s\n#endif\n", name, name);
	}
	if (!cl_has("cl_khr_fp64"))
		end += sprintf(end, "#ifdef cl_khr_fp64\n#error fp64\n#endif\n");
	end += sprintf(end, "#ifndef __IMAGE_SUPPORT__\n#error images\n#endif\n"
			    "kernel void k(global int *o) { o[0] = 1; }\n");
	CL(clReleaseProgram(cl_build(source, "")));
}

static void test_il(void **state)
{
	cl_uint got[16], copy[1024];
	size_t spirv_size, size = 0;
	cl_int rc;

	(void)state;
	skip_if(!cl_has("cl_khr_il_program") && !cl.ours);
	uint32_t *spirv = cl_spirv_assemble(spirv_put, 0, &spirv_size);
	cl_program program = clCreateProgramWithIL(cl.context, spirv, spirv_size, &rc);
	CL(rc);
	CL(clGetProgramInfo(program, CL_PROGRAM_IL, sizeof copy, copy, &size));
	assert_int_equal(size, spirv_size);
	assert_memory_equal(copy, spirv, spirv_size);
	free(spirv);
	CL(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
	cl_kernel kernel = cl_kernel_of(program, "put");
	memset(got, 0xee, sizeof got);
	cl_mem buffer = cl_make_buffer(sizeof got, got);
	cl_set_buffer(kernel, 0, buffer);
	cl_set_uint(kernel, 1, 77);
	cl_launch(kernel, 9, 0);
	cl_read(buffer, sizeof got, got);
	for (int i = 0; i < 16; i++)
		assert_int_equal(got[i], i < 9 ? 77 : 0xeeeeeeeeu);
	CL(clReleaseMemObject(buffer));
	CL(clReleaseKernel(kernel));
	CL(clReleaseProgram(program));
}

/* The clock goes on, in both forms, and more for who does more. */
static void test_kernel_clock(void **state)
{
	static const char source[] =
		"#if !defined(cl_khr_kernel_clock) || __OPENCL_C_VERSION__ >= 300 && \\\n"
		"  !defined(__opencl_c_kernel_clock_scope_sub_group)\n#error none\n#endif\n"
		"kernel void k(global ulong *o, volatile global uint *p, uint n) {\n"
		"  ulong a = clock_read_sub_group(); for (uint i = 0; i < n; i++) p[0] += i * "
		"p[1];\n"
		"  uint2 b = clock_read_hilo_sub_group();\n"
		"  o[0] = a; o[1] = (ulong)b.hi << 32 | b.lo; }\n";
	static const char *const options[] = { "", "-cl-std=CL3.0" };
	cl_ulong scopes = 0, o[2], passed[2];

	(void)state;
	skip_if(!cl_has("cl_khr_kernel_clock"));
	/* CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR */
	CL(clGetDeviceInfo(cl.device, 0x1076, sizeof scopes, &scopes, NULL));
	assert_int_equal(scopes & 4, 4);
	for (int t = 0; t < 2; t++) {
		cl_kernel k = cl_make_kernel(source, options[t], "k");
		cl_mem clocks = cl_make_buffer(sizeof o, NULL), work = cl_make_buffer(64, NULL);

		cl_set_buffer(k, 0, clocks);
		cl_set_buffer(k, 1, work);
		for (int longer = 0; longer < 2; longer++) {
			cl_set_uint(k, 2, longer ? 20000 : 1);
			cl_launch(k, 1, 1);
			cl_read(clocks, sizeof o, o);
			assert_true(o[1] > o[0]);
			passed[longer] = o[1] - o[0];
		}
		assert_true(passed[1] > passed[0]);
		CL(clReleaseMemObject(clocks));
		CL(clReleaseMemObject(work));
		cl_kernel_done(k);
	}
}

static cl_uint to_bfloat16(cl_uint bits)
{
	bool is_nan = (bits & 0x7fffffff) > 0x7f800000;

	return (is_nan ? bits | 0x400000 : bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

/* Ties, NaNs, infinities, denormals and what overflows, as scalars and as vectors. */
static void test_bfloat16(void **state)
{
	static const cl_uint corners[] = { 0, 0x80000000, 0x3f808000, 0x3f818000, 0x3f808001,
		0x7f800000, 0xff800000, 0x7f800001, 0xffffffff, 0x7f7fffff, 0xff7f8000, 1, 0x8000,
		0x18000, 0x807fffff, 0x4049 << 16 | 0x0fdb };
	static const char source[] =
		"#ifndef cl_intel_bfloat16_conversions\n#error none\n#endif\n"
		"kernel void k(global float *f, global ushort *u, global float *g, uint n) {\n"
		"  float16 x = vload16(0, f); ushort16 y;\n"
		"  switch (n) {\n"
		"  case 1: y = (ushort16)0; for (int i = 0; i < 16; i++) {\n"
		"    u[i] = intel_convert_bfloat16_as_ushort(f[i]);\n"
		"    g[i] = intel_convert_as_bfloat16_float(u[i]); } return;\n"
		"  case 2: for (int i = 0; i < 8; i++) {\n"
		"    vstore2(intel_convert_bfloat162_as_ushort2(vload2(i, f)), i, u);\n"
		"    vstore2(intel_convert_as_bfloat162_float2(vload2(i, u)), i, g); } return;\n"
		"  case 3: for (int i = 0; i < 5; i++) {\n"
		"    vstore3(intel_convert_bfloat163_as_ushort3(vload3(i, f)), i, u);\n"
		"    vstore3(intel_convert_as_bfloat163_float3(vload3(i, u)), i, g); }\n"
		"    u[15] = intel_convert_bfloat16_as_ushort(f[15]);\n"
		"    g[15] = intel_convert_as_bfloat16_float(u[15]); return;\n"
		"  case 4: for (int i = 0; i < 4; i++) {\n"
		"    vstore4(intel_convert_bfloat164_as_ushort4(vload4(i, f)), i, u);\n"
		"    vstore4(intel_convert_as_bfloat164_float4(vload4(i, u)), i, g); } return;\n"
		"  case 8: for (int i = 0; i < 2; i++) {\n"
		"    vstore8(intel_convert_bfloat168_as_ushort8(vload8(i, f)), i, u);\n"
		"    vstore8(intel_convert_as_bfloat168_float8(vload8(i, u)), i, g); } return;\n"
		"  default: vstore16(intel_convert_bfloat1616_as_ushort16(x), 0, u);\n"
		"    vstore16(intel_convert_as_bfloat1616_float16(vload16(0, u)), 0, g); } }\n";
	static const cl_uint widths[] = { 1, 2, 3, 4, 8, 16 };
	cl_ushort u[16];
	cl_uint g[16];

	(void)state;
	skip_if(!cl_has("cl_intel_bfloat16_conversions"));
	cl_kernel k = cl_make_kernel(source, "", "k");
	cl_mem in = cl_make_buffer(sizeof corners, corners);
	cl_mem mid = cl_make_buffer(sizeof u, NULL), out = cl_make_buffer(sizeof g, NULL);
	cl_set_buffer(k, 0, in);
	cl_set_buffer(k, 1, mid);
	cl_set_buffer(k, 2, out);
	for (size_t t = 0; t < sizeof widths / sizeof *widths; t++) {
		const cl_uint poison = 0xeeeeeeee;

		CL(clEnqueueFillBuffer(cl.queue, mid, &poison, 4, 0, sizeof u, 0, NULL, NULL));
		CL(clEnqueueFillBuffer(cl.queue, out, &poison, 4, 0, sizeof g, 0, NULL, NULL));
		cl_set_uint(k, 3, widths[t]);
		cl_launch(k, 1, 1);
		cl_read(mid, sizeof u, u);
		cl_read(out, sizeof g, g);
		for (int i = 0; i < 16; i++) {
			assert_int_equal(u[i], to_bfloat16(corners[i]));
			assert_int_equal(g[i], (cl_uint)u[i] << 16);
		}
	}
	CL(clReleaseMemObject(in));
	CL(clReleaseMemObject(mid));
	CL(clReleaseMemObject(out));
	cl_kernel_done(k);
}

static clGetImageRequirementsInfoEXT_fn find_requirements(void)
{
	return (clGetImageRequirementsInfoEXT_fn)(uintptr_t)
		clGetExtensionFunctionAddressForPlatform(
			cl.platform, "clGetImageRequirementsInfoEXT");
}

/* Images can be made of buffers as large and as aligned as is said. */
static void test_image_requirements(void **state)
{
	static const cl_image_format formats[] = { { CL_R, CL_UNORM_INT8 },
		{ CL_RGBA, CL_UNSIGNED_INT8 }, { CL_RGBA, CL_FLOAT } };
	clGetImageRequirementsInfoEXT_fn ask = find_requirements();
	cl_uint pitch_pixels = 0;
	size_t row, base, any, size, got;
	cl_int rc;

	(void)state;
	skip_if(!cl_has("cl_ext_image_requirements_info"));
	assert_true(ask != NULL);
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_IMAGE_PITCH_ALIGNMENT, sizeof pitch_pixels,
		&pitch_pixels, NULL));
	CL(ask(cl.context, NULL, 0, NULL, NULL, CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT,
		sizeof any, &any, NULL));
	assert_int_equal(any, pitch_pixels * 16);
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		cl_image_desc desc = {
			.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 61, .image_height = 17
		};

		CL(ask(cl.context, NULL, 0, &formats[i], NULL,
			CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT, sizeof row, &row, &got));
		assert_int_equal(got, sizeof row);
		CL(ask(cl.context, NULL, 0, &formats[i], &desc,
			CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT, sizeof base, &base,
			NULL));
		assert_true(
			row && !(row & (row - 1)) && base && !(base & (base - 1)) && row <= any);
		desc.image_row_pitch = (61 * 16 + row - 1) / row * row;
		CL(ask(cl.context, NULL, CL_MEM_READ_WRITE, &formats[i], &desc,
			CL_IMAGE_REQUIREMENTS_SIZE_EXT, sizeof size, &size, NULL));
		assert_int_equal(size, desc.image_row_pitch * 17);
		cl_mem buffer = cl_make_buffer(size, NULL);
		desc.mem_object = buffer;
		cl_mem image = clCreateImage(cl.context, 0, &formats[i], &desc, NULL, &rc);
		CL(rc);
		CL(clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof got, &got, NULL));
		assert_int_equal(got, size);
		CL(clReleaseMemObject(image));
		CL(clReleaseMemObject(buffer));
	}
}

/* One row is as wide as the device says; of sizes that nobody gives, as many as memory holds. */
static void test_image_limits(void **state)
{
	static const cl_uint limits[] = { CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT,
		CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT,
		CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT };
	/* Which of these a type has. */
	static const struct {
		cl_mem_object_type type;
		unsigned has;
	} types[] = { { 0, 15 }, { CL_MEM_OBJECT_IMAGE1D, 1 }, { CL_MEM_OBJECT_IMAGE1D_BUFFER, 1 },
		{ CL_MEM_OBJECT_IMAGE1D_ARRAY, 9 }, { CL_MEM_OBJECT_IMAGE2D, 3 },
		{ CL_MEM_OBJECT_IMAGE2D_ARRAY, 11 }, { CL_MEM_OBJECT_IMAGE3D, 7 } };
	const cl_image_format format = { CL_RGBA, CL_FLOAT };
	clGetImageRequirementsInfoEXT_fn ask = find_requirements();
	cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_height = 1 };
	cl_ulong alloc = 0;
	cl_uint limit = 0;
	size_t most = 0;

	(void)state;
	skip_if(!cl_has("cl_ext_image_requirements_info"));
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_IMAGE2D_MAX_WIDTH, sizeof most, &most, NULL));
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof alloc, &alloc, NULL));
	CL(ask(cl.context, NULL, 0, &format, &desc, limits[0], sizeof limit, &limit, NULL));
	assert_int_equal(limit, most);
	desc.image_height = 0;
	CL(ask(cl.context, NULL, 0, &format, &desc, limits[0], sizeof limit, &limit, NULL));
	assert_true(limit && (cl_ulong)limit * most * 16 <= alloc);
	assert_true(limit == most || (cl_ulong)(limit + 1) * most * 16 > alloc);
	for (size_t t = 0; t < sizeof types / sizeof *types; t++)
		for (int i = 0; i < 4; i++) {
			const cl_image_desc of = { .image_type = types[t].type };

			limit = 0;
			cl_int rc = ask(cl.context, NULL, 0, NULL, &of, limits[i], sizeof limit,
				&limit, NULL);
			assert_int_equal(rc,
				types[t].has >> i & 1 ? CL_SUCCESS : CL_INVALID_IMAGE_DESCRIPTOR);
			/* an array of the largest images of the largest pixels has none */
			assert_true(rc || limit || types[t].type == CL_MEM_OBJECT_IMAGE2D_ARRAY);
		}
}

static void test_image_requirement_errors(void **state)
{
	static const cl_mem_properties wrong[] = { 0xbad, 1, 0 };
	const cl_uint width = CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT;
	const cl_uint bytes = CL_IMAGE_REQUIREMENTS_SIZE_EXT;
	const cl_image_format format = { CL_RGBA, CL_FLOAT }, bad_format = { CL_RGBA, 0xbad };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 3 };
	const cl_image_desc bad_desc = { .image_type = CL_MEM_OBJECT_BUFFER };
	cl_uint limit;
	size_t size;

	(void)state;
	skip_if(!cl_has("cl_ext_image_requirements_info"));
	CL_ROW(CL_INVALID_CONTEXT, EXT(clGetImageRequirementsInfoEXT)(
					   NULL, NULL, 0, NULL, NULL, width, 4, &limit, NULL));
	CL_ROW(CL_INVALID_PROPERTY, EXT(clGetImageRequirementsInfoEXT)(cl.context, wrong, 0, NULL,
					    NULL, width, 4, &limit, NULL));
	CL_ROW(CL_INVALID_VALUE, EXT(clGetImageRequirementsInfoEXT)(
					 cl.context, NULL, 0, NULL, NULL, 0xbad, 4, &limit, NULL));
	CL_ROW(CL_INVALID_VALUE, EXT(clGetImageRequirementsInfoEXT)(
					 cl.context, NULL, 0, NULL, NULL, width, 3, &limit, NULL));
	CL_ROW(CL_INVALID_VALUE, EXT(clGetImageRequirementsInfoEXT)(
					 cl.context, NULL, 3, NULL, NULL, width, 4, &limit, NULL));
	CL_ROW(CL_INVALID_VALUE, EXT(clGetImageRequirementsInfoEXT)(cl.context, NULL, 0, &format,
					 NULL, bytes, 8, &size, NULL));
	CL_ROW(CL_INVALID_VALUE, EXT(clGetImageRequirementsInfoEXT)(
					 cl.context, NULL, 0, NULL, &desc, bytes, 8, &size, NULL));
	CL_ROW(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
		EXT(clGetImageRequirementsInfoEXT)(
			cl.context, NULL, 0, &bad_format, NULL, width, 4, &limit, NULL));
	CL_ROW(CL_INVALID_IMAGE_DESCRIPTOR, EXT(clGetImageRequirementsInfoEXT)(cl.context, NULL, 0,
						    NULL, &bad_desc, width, 4, &limit, NULL));
	CL_ROW(CL_INVALID_IMAGE_DESCRIPTOR, EXT(clGetImageRequirementsInfoEXT)(cl.context, NULL, 0,
						    &format, &desc, bytes, 8, &size, NULL));
	cl_rows_end();
}

typedef cl_mem(CL_API_CALL *create_fn)(
	cl_context, const cl_mem_properties *, cl_mem_flags, size_t, void *, cl_int *);

static void test_buffer_with_properties(void **state)
{
	static const cl_mem_properties none[] = { 0 }, wrong[] = { 0xbad, 1, 0 };
	create_fn create = (create_fn)(uintptr_t)clGetExtensionFunctionAddressForPlatform(
		cl.platform, "clCreateBufferWithPropertiesINTEL");
	cl_uint data = 4711, got = 0;
	cl_int rc;

	(void)state;
	skip_if(!cl_has("cl_intel_create_buffer_with_properties"));
	assert_true(create != NULL);
	cl_mem buffer = create(cl.context, none, CL_MEM_COPY_HOST_PTR, sizeof data, &data, &rc);
	CL(rc);
	cl_read(buffer, sizeof got, &got);
	assert_int_equal(got, data);
	CL(clReleaseMemObject(buffer));
	assert_null(create(cl.context, wrong, 0, sizeof data, NULL, &rc));
	assert_int_equal(rc, CL_INVALID_PROPERTY);
	assert_null(create(cl.context, none, 0, 0, NULL, &rc));
	assert_int_equal(rc, CL_INVALID_BUFFER_SIZE);
}

typedef cl_int(CL_API_CALL *suggest_fn)(
	cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, size_t *);

static void test_suggested_size(void **state)
{
	static const size_t globals[][3] = { { 1024, 1, 1 }, { 997, 3, 1 }, { 7, 11, 13 } };
	suggest_fn suggest = (suggest_fn)(uintptr_t)clGetExtensionFunctionAddressForPlatform(
		cl.platform, "clGetKernelSuggestedLocalWorkSizeKHR");

	(void)state;
	skip_if(!cl_has("cl_khr_suggested_local_work_size"));
	assert_true(suggest != NULL);
	cl_kernel k = cl_make_kernel("kernel void k(global int *o) { o[0] = 1; }\n", "", "k");
	cl_mem buffer = cl_make_buffer(64, NULL);
	cl_set_buffer(k, 0, buffer);
	for (size_t t = 0; t < sizeof globals / sizeof *globals; t++) {
		for (cl_uint d = 1; d <= 3; d++) {
			size_t local[3] = { 0 };

			CL(suggest(cl.queue, k, d, NULL, globals[t], local));
			for (cl_uint i = 0; i < 3; i++)
				assert_true(i < d ? local[i] && globals[t][i] % local[i] == 0
						  : !local[i]);
		}
	}
	CL_ROW(CL_INVALID_COMMAND_QUEUE, suggest(NULL, k, 1, NULL, globals[0], NULL));
	CL_ROW(CL_INVALID_KERNEL, suggest(cl.queue, NULL, 1, NULL, globals[0], NULL));
	CL_ROW(CL_INVALID_WORK_DIMENSION, suggest(cl.queue, k, 4, NULL, globals[0], NULL));
	CL_ROW(CL_INVALID_GLOBAL_WORK_SIZE, suggest(cl.queue, k, 1, NULL, NULL, NULL));
	CL_ROW(CL_INVALID_VALUE, suggest(cl.queue, k, 1, NULL, globals[0], NULL));
	cl_rows_end();
	CL(clReleaseMemObject(buffer));
	cl_kernel_done(k);
}

/*
 * Loads, stores and exchanges of halves: each item puts its own number into one place and takes
 * what was there, so that every number is seen once; the halves beside it stay.
 */
static void test_half_atomics(void **state)
{
	static const char source[] =
		"#if !defined(__opencl_c_ext_fp16_global_atomic_load_store) ||\\\n"
		"	!defined(__opencl_c_ext_fp16_local_atomic_load_store) ||\\\n"
		"	defined(__opencl_c_ext_fp16_global_atomic_min_max) ||\\\n"
		"	defined(__opencl_c_ext_fp16_global_atomic_add)\n"
		"#error other features\n"
		"#endif\n"
		"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
		"kernel void k(global half *o)\n"
		"{ global atomic_half *g = (global atomic_half *)o; local atomic_half l[3];\n"
		"  int i = get_global_id(0), m = get_local_id(0);\n"
		"  if (m < 3) atomic_store(l + m, (half)(m * 100));\n"
		"  barrier(CLK_LOCAL_MEM_FENCE);\n"
		"  o[8 + i] = atomic_exchange_explicit(g + 1, (half)(i + 1), memory_order_relaxed, "
		"memory_scope_device);\n"
		"  atomic_half *any = l + 1;\n"
		"  o[8 + 256 + i] = atomic_exchange(any, (half)(m + 1));\n"
		"  barrier(CLK_LOCAL_MEM_FENCE);\n"
		"  if (i == 0) { o[3] = atomic_load(l); o[4] = atomic_load(l + 2);\n"
		"    atomic_store_explicit(g + 5, (half)7, memory_order_relaxed); }\n"
		"  if (m == 0) o[8 + 512 + i / 32] = atomic_load_explicit(l + 1, "
		"memory_order_relaxed, memory_scope_work_group); }\n";
	static cl_half data[8 + 2 * N + N / 32];
	cl_bitfield bits = 0;
	int seen[N + 1] = { 0 };

	(void)state;
	skip_if(!cl.ours || !has_feature("__opencl_c_ext_fp16_global_atomic_load_store"));
	CL(clGetDeviceInfo(cl.device, 0x4233, sizeof bits, &bits, NULL));
	assert_int_equal(bits, 0x10001);
	memset(data, 0x3c, sizeof data);
	data[1] = 0;
	cl_run_on(source, "-cl-std=CL3.0", "k", N, 32, sizeof data, data);
	assert_int_equal(data[0], 0x3c3c);
	assert_int_equal(data[2], 0x3c3c);
	assert_int_equal(data[3], 0);
	assert_int_equal(data[4], 0x5a40); /* 200 */
	assert_int_equal(data[5], 0x4700); /* 7 */
	assert_int_equal(data[6], 0x3c3c);
	for (int i = 0; i < N; i++)
		seen[half_value(data[8 + i])]++;
	seen[half_value(data[1])]++;
	for (int i = 0; i <= N; i++)
		assert_int_equal(seen[i], 1);
	for (int group = 0; group < N / 32; group++) {
		int local[101] = { 0 };

		for (int m = 0; m < 32; m++)
			local[half_value(data[8 + N + group * 32 + m])]++;
		local[half_value(data[8 + 2 * N + group])]++;
		assert_int_equal(local[100], 1);
		for (int m = 1; m <= 32; m++)
			assert_int_equal(local[m], 1);
	}
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_int32_atomics),
		cmocka_unit_test(test_half),
		cmocka_unit_test(test_khr_sub_groups),
		cmocka_unit_test(test_intel_types),
		cmocka_unit_test(test_features),
		cmocka_unit_test(test_float_atomics),
		cmocka_unit_test(test_half_atomics),
		cmocka_unit_test(test_macros),
		cmocka_unit_test(test_il),
		cmocka_unit_test(test_kernel_clock),
		cmocka_unit_test(test_bfloat16),
		cmocka_unit_test(test_image_requirements),
		cmocka_unit_test(test_image_limits),
		cmocka_unit_test(test_image_requirement_errors),
		cmocka_unit_test(test_buffer_with_properties),
		cmocka_unit_test(test_suggested_size),
	};

	return CL_RUN(argc, argv, tests);
}
