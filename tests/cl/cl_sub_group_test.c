// SPDX-License-Identifier: MIT
/* Sub-groups of every size that the device has: what kernels see, and what queries say. */
#include "cl/cl_case.h"
#include "test_random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 1024

static const char source[] =
	"__attribute__((intel_reqd_sub_group_size(S)))\n"
	"kernel void ids(global uint4 *o)\n"
	"{ o[get_global_id(0)] = (uint4)(get_sub_group_size(), get_max_sub_group_size(),\n"
	"    get_num_sub_groups() * 1000 + get_sub_group_id(), get_sub_group_local_id()); }\n"
	"__attribute__((intel_reqd_sub_group_size(S)))\n"
	"kernel void collect(global const int *a, global int *o)\n"
	"{ size_t i = get_global_id(0), n = get_global_size(0); int v = a[i];\n"
	"  o[i] = sub_group_reduce_add(v);\n"
	"  o[n + i] = sub_group_scan_exclusive_add(v);\n"
	"  o[2 * n + i] = sub_group_scan_inclusive_max(v);\n"
	"  o[3 * n + i] = sub_group_reduce_min(v);\n"
	"  o[4 * n + i] = sub_group_broadcast(v, 3);\n"
	"  o[5 * n + i] = sub_group_all(v > -900) * 2 + sub_group_any(v > 900);\n"
	"  sub_group_barrier(CLK_LOCAL_MEM_FENCE); }\n"
	"__attribute__((intel_reqd_sub_group_size(S)))\n"
	"kernel void shuffle(global const int *a, global int *o)\n"
	"{ size_t i = get_global_id(0), n = get_global_size(0); int v = a[i];\n"
	"  uint l = get_sub_group_local_id();\n"
	"  o[i] = intel_sub_group_shuffle(v, (l * 5 + 3) % S);\n"
	"  o[n + i] = intel_sub_group_shuffle_xor(v, 5);\n"
	"  o[2 * n + i] = intel_sub_group_shuffle_down(v, v + 10000, 3);\n"
	"  o[3 * n + i] = intel_sub_group_shuffle_up(v + 10000, v, 2); }\n"
	"#if S < 32\n"
	"__attribute__((intel_reqd_sub_group_size(S)))\n"
	"kernel void block(global const uint *a, global uint *o)\n"
	"{ size_t g = get_global_id(0) / S; uint8 v = intel_sub_group_block_read8(a + g * 8 * S);\n"
	"  intel_sub_group_block_write4(o + g * 8 * S, v.lo * 3);\n"
	"  intel_sub_group_block_write2(o + g * 8 * S + 4 * S, v.s45 + 1);\n"
	"  intel_sub_group_block_write(o + g * 8 * S + 6 * S, v.s6 ^ 7);\n"
	"  intel_sub_group_block_write(o + g * 8 * S + 7 * S, v.s7); }\n"
	"#endif\n";

static cl_program build_size(size_t size)
{
	char options[64];

	snprintf(options, sizeof options, "-DS=%zu", size);
	return cl_build(source, options);
}

static void check_ids(cl_program program, size_t size, size_t local)
{
	static cl_uint4 got[N];
	cl_kernel kernel = cl_kernel_of(program, "ids");
	size_t global = N / local * local;

	memset(got, 0xee, sizeof got);
	cl_mem o = cl_make_buffer(sizeof got, got);
	cl_set_buffer(kernel, 0, o);
	cl_launch(kernel, global, local);
	cl_read(o, sizeof got, got);
	for (size_t i = 0; i < global; i++) {
		size_t l = i % local, id = l / size, count = (local + size - 1) / size;
		size_t left = local - id * size;

		assert_int_equal(got[i].s[0], left < size ? left : size);
		assert_int_equal(got[i].s[1], size);
		assert_int_equal(got[i].s[2], count * 1000 + id);
		assert_int_equal(got[i].s[3], l % size);
	}
	CL(clReleaseMemObject(o));
	CL(clReleaseKernel(kernel));
}

/* Launches N items once: from `in` to `got`, of which nothing may stay as it is. */
static void run(cl_program program, const char *name, size_t local, size_t in_size, const void *in,
	size_t size, void *got)
{
	cl_kernel kernel = cl_kernel_of(program, name);

	memset(got, 0xee, size);
	cl_mem x = cl_make_buffer(in_size, in), o = cl_make_buffer(size, got);
	cl_set_buffer(kernel, 0, x);
	cl_set_buffer(kernel, 1, o);
	cl_launch(kernel, N, local);
	cl_read(o, size, got);
	CL(clReleaseMemObject(x));
	CL(clReleaseMemObject(o));
	CL(clReleaseKernel(kernel));
}

static void check_collect(cl_program program, size_t size)
{
	static cl_int a[N], got[6 * N];
	uint64_t seed = 5;

	for (size_t i = 0; i < N; i++)
		a[i] = (cl_int)test_random_below(&seed, 2000) - 1000;
	run(program, "collect", 128, sizeof a, a, sizeof got, got);
	for (size_t i = 0; i < N; i++) {
		const cl_int *group = a + i / size * size;
		cl_int sum = 0, before = 0, max = group[0], min = group[0];
		int all = 1, any = 0;

		for (size_t k = 0; k < size; k++) {
			if (k < i % size)
				before += group[k];
			if (k <= i % size && group[k] > max)
				max = group[k];
			sum += group[k];
			min = group[k] < min ? group[k] : min;
			all &= group[k] > -900;
			any |= group[k] > 900;
		}
		assert_int_equal(got[i], sum);
		assert_int_equal(got[N + i], before);
		assert_int_equal(got[2 * N + i], max);
		assert_int_equal(got[3 * N + i], min);
		assert_int_equal(got[4 * N + i], group[3]);
		assert_int_equal(got[5 * N + i] != 0, all || any);
		assert_int_equal(got[5 * N + i] & 1, any);
	}
}

static void check_shuffle(cl_program program, size_t size)
{
	static cl_int a[N], got[4 * N];

	for (size_t i = 0; i < N; i++)
		a[i] = (cl_int)(i * 37 % 5000);
	run(program, "shuffle", 64, sizeof a, a, sizeof got, got);
	for (size_t i = 0; i < N; i++) {
		const cl_int *group = a + i / size * size;
		size_t l = i % size;

		assert_int_equal(got[i], group[(l * 5 + 3) % size]);
		assert_int_equal(got[N + i], group[l ^ 5]);
		assert_int_equal(
			got[2 * N + i], l + 3 < size ? group[l + 3] : group[l + 3 - size] + 10000);
		assert_int_equal(
			got[3 * N + i], l >= 2 ? group[l - 2] : group[l + size - 2] + 10000);
	}
}

static void check_block(cl_program program, size_t size)
{
	static cl_uint a[8 * N], got[8 * N];

	for (size_t i = 0; i < 8 * N; i++)
		a[i] = (cl_uint)(i * 2654435761u);
	run(program, "block", 64, sizeof a, a, sizeof got, got);
	for (size_t i = 0; i < 8 * N; i++) {
		size_t row = i / size % 8;
		cl_uint want = row < 4 ? a[i] * 3 : row < 6 ? a[i] + 1 : row < 7 ? a[i] ^ 7 : a[i];

		assert_int_equal(got[i], want);
	}
}

typedef cl_int(CL_API_CALL *sub_group_info_fn)(cl_kernel, cl_device_id, cl_kernel_sub_group_info,
	size_t, const void *, size_t, void *, size_t *);

static size_t ask(sub_group_info_fn fn, cl_kernel kernel, cl_kernel_sub_group_info param,
	size_t dims, const size_t *local)
{
	size_t answer = 4711, size = 0;

	CL(fn(kernel, cl.device, param, dims * sizeof *local, local, sizeof answer, &answer,
		&size));
	assert_int_equal(size, sizeof answer);
	return answer;
}

static void check_queries(cl_program program, size_t size)
{
	static const size_t locals[][3] = { { 64, 1, 1 }, { 7, 3, 2 }, { 1, 1, 1 }, { 4, 4, 4 },
		{ 33, 1, 1 } };
	cl_kernel kernel = cl_kernel_of(program, "ids");
	sub_group_info_fn fns[2] = { clGetKernelSubGroupInfo,
		(sub_group_info_fn)(uintptr_t)clGetExtensionFunctionAddressForPlatform(
			cl.platform, "clGetKernelSubGroupInfoKHR") };
	size_t most, answer, dims[3];
	cl_ulong spill = 4711;
	cl_uint version = 0;

	for (int f = 0; f < 2; f++) {
		assert_true(fns[f] != NULL);
		for (size_t t = 0; t < sizeof locals / sizeof *locals; t++) {
			size_t items = 1;

			for (size_t d = 1; d <= 3; d++) {
				items *= locals[t][d - 1];
				assert_int_equal(
					ask(fns[f], kernel,
						CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE_KHR, d,
						locals[t]),
					size);
				assert_int_equal(ask(fns[f], kernel,
							 CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE_KHR,
							 d, locals[t]),
					(items + size - 1) / size);
			}
		}
		assert_int_equal(
			ask(fns[f], kernel, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL), size);
	}
	CL(clGetKernelWorkGroupInfo(
		kernel, cl.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL));
	assert_int_equal(ask(fns[0], kernel, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL),
		(most + size - 1) / size);
	assert_int_equal(ask(fns[0], kernel, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, NULL), 0);
	answer = 3;
	memset(dims, 0xee, sizeof dims);
	CL(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
		sizeof answer, &answer, sizeof dims, dims, NULL));
	assert_int_equal(dims[0] * dims[1] * dims[2], 3 * size);
	answer = most / size + 1;
	CL(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
		sizeof answer, &answer, sizeof dims, dims, NULL));
	assert_int_equal(dims[0] * dims[1] * dims[2], 0);
	CL(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
		sizeof answer, &answer, NULL));
	/* Since Gen12 threads are dispatched to pairs of EUs, and Intel's driver counts both. */
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_IP_VERSION_INTEL, sizeof version, &version, NULL));
	assert_int_equal(answer, cl.intel && version >> 16 >= 12 ? 2 * size : size);
	CL(clGetKernelWorkGroupInfo(
		kernel, cl.device, CL_KERNEL_SPILL_MEM_SIZE_INTEL, sizeof spill, &spill, NULL));
	assert_int_equal(spill, 0);
	CL(clReleaseKernel(kernel));
}

/*
 * Atomics and fences of memory_scope_sub_group: lanes hand values on in local and global memory,
 * and count in each sub-group's own word.
 */
static const char scoped_source[] =
	"__attribute__((intel_reqd_sub_group_size(S)))\n"
	"kernel void scoped(global int *o, global atomic_int *g) {\n"
	"  local int l[256]; local atomic_int n[256 / S], most[256 / S];\n"
	"  uint i = get_local_id(0), s = get_sub_group_id(), k = get_sub_group_local_id();\n"
	"  uint next = s * S + (k + 1) % get_sub_group_size(), item = get_global_id(0);\n"
	"  if (k == 0) { atomic_init(&n[s], 7); atomic_init(&most[s], -1); }\n"
	"  l[i] = item * 3;\n"
	"  atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel,\n"
	"    memory_scope_sub_group);\n"
	"  sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group);\n"
	"  o[4 * item] = l[next];\n"
	"  int old = atomic_fetch_add_explicit(&n[s], k + 1, memory_order_relaxed,\n"
	"    memory_scope_sub_group);\n"
	"  atomic_fetch_max_explicit(&most[s], old, memory_order_acq_rel,\n"
	"    memory_scope_sub_group);\n"
	"  atomic_fetch_add_explicit(&g[item / S], k + 1, memory_order_seq_cst,\n"
	"    memory_scope_sub_group);\n"
	"  atomic_store_explicit((volatile global atomic_int *)&o[4 * item + 3], item ^ 5,\n"
	"    memory_order_release, memory_scope_sub_group);\n"
	"  atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE,\n"
	"    memory_order_seq_cst, memory_scope_sub_group);\n"
	"  sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
	"  o[4 * item + 1] = atomic_load_explicit(&n[s], memory_order_acquire,\n"
	"    memory_scope_sub_group);\n"
	"  o[4 * item + 2] = atomic_load_explicit(&most[s], memory_order_relaxed,\n"
	"    memory_scope_sub_group); }\n";

static void check_scope(size_t size)
{
	static cl_int got[4 * N], counts[N];
	char options[64];

	snprintf(options, sizeof options, "-cl-std=CL3.0 -DS=%zu", size);
	cl_kernel kernel = cl_make_kernel(scoped_source, options, "scoped");
	memset(got, 0xee, sizeof got);
	memset(counts, 0, sizeof counts);
	cl_mem o = cl_make_buffer(sizeof got, got), g = cl_make_buffer(sizeof counts, counts);
	cl_set_buffer(kernel, 0, o);
	cl_set_buffer(kernel, 1, g);
	cl_launch(kernel, N, 256);
	cl_read(o, sizeof got, got);
	cl_read(g, sizeof counts, counts);
	int sum = (int)(size * (size + 1) / 2);
	for (size_t i = 0; i < N; i++) {
		size_t first = i / size * size;

		assert_int_equal(got[4 * i], 3 * (first + (i + 1 - first) % size));
		assert_int_equal(got[4 * i + 1], 7 + sum);
		/* what was there before the last addition */
		assert_in_range(got[4 * i + 2], 7 + sum - (int)size, 7 + sum - 1);
		assert_int_equal(got[4 * i + 3], i ^ 5);
		assert_int_equal(counts[i], i < N / size ? sum : 0);
	}
	CL(clReleaseMemObject(o));
	CL(clReleaseMemObject(g));
	cl_kernel_done(kernel);
}

static void check_size(size_t size)
{
	cl_program program;

	skip_if(!cl_has("cl_intel_subgroups") || !cl_has("cl_intel_required_subgroup_size"));
	program = build_size(size);
	check_queries(program, size);
	check_ids(program, size, 64);
	check_ids(program, size, 20);
	check_ids(program, size, 1);
	check_collect(program, size);
	check_shuffle(program, size);
	check_scope(size);
	if (size < 32)
		check_block(program, size);
	CL(clReleaseProgram(program));
}

static void test_8(void **state)
{
	(void)state;
	check_size(8);
}

static void test_16(void **state)
{
	(void)state;
	check_size(16);
}

static void test_32(void **state)
{
	(void)state;
	check_size(32);
}

static void test_device_sizes(void **state)
{
	size_t sizes[8], size;

	(void)state;
	skip_if(!cl_has("cl_intel_required_subgroup_size"));
	CL(clGetDeviceInfo(cl.device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &size));
	assert_int_equal(size, 3 * sizeof *sizes);
	assert_int_equal(sizes[0], 8);
	assert_int_equal(sizes[1], 16);
	assert_int_equal(sizes[2], 32);
}

static void test_errors(void **state)
{
	sub_group_info_fn fn =
		(sub_group_info_fn)(uintptr_t)clGetExtensionFunctionAddressForPlatform(
			cl.platform, "clGetKernelSubGroupInfoKHR");
	const cl_kernel_sub_group_info max = CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE;
	const cl_kernel_sub_group_info count = CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE;
	size_t local[4] = { 8, 1, 1, 1 }, answer = 4711;
	const size_t n = sizeof answer;

	(void)state;
	skip_if(!cl_has("cl_intel_subgroups") || !cl_has("cl_intel_required_subgroup_size"));
	cl_program program = build_size(16);
	cl_kernel k = cl_kernel_of(program, "ids");
	cl_kernel wrong = (cl_kernel)program;
	cl_device_id d = cl.device;

	CL_ROW(CL_INVALID_KERNEL, clGetKernelSubGroupInfo(NULL, d, max, n, local, n, &answer, 0));
	CL_ROW(CL_INVALID_KERNEL, clGetKernelSubGroupInfo(wrong, d, max, n, local, n, &answer, 0));
	CL_ROW(CL_INVALID_KERNEL, fn(NULL, d, max, n, local, n, &answer, NULL));
	CL_ROW(CL_INVALID_KERNEL, fn(wrong, d, max, n, local, n, &answer, NULL));
	for (int f = 0; f < 2; f++) {
		sub_group_info_fn ask_it = f ? fn : clGetKernelSubGroupInfo;

		CL_ROW(CL_INVALID_DEVICE,
			ask_it(k, (cl_device_id)cl.context, max, n, local, n, &answer, NULL));
		CL_ROW(CL_SUCCESS, ask_it(k, NULL, max, n, local, n, &answer, NULL));
		CL_ROW(CL_INVALID_VALUE, ask_it(k, d, 0, n, local, n, &answer, NULL));
		CL_ROW(CL_INVALID_VALUE, ask_it(k, d, max, n, local, n - 1, &answer, NULL));
		CL_ROW(CL_INVALID_VALUE, ask_it(k, d, max, 0, local, n, &answer, NULL));
		CL_ROW(CL_INVALID_VALUE, ask_it(k, d, max, n + 1, local, n, &answer, NULL));
		CL_ROW(CL_INVALID_VALUE, ask_it(k, d, max, 4 * n, local, n, &answer, NULL));
		CL_ROW(CL_INVALID_VALUE, ask_it(k, d, max, n, NULL, n, &answer, NULL));
		CL_ROW(CL_INVALID_VALUE, ask_it(k, d, count, n, NULL, n, &answer, NULL));
		CL_ROW(CL_INVALID_VALUE, ask_it(k, d, count, 0, local, n, &answer, NULL));
		CL_ROW(CL_SUCCESS, ask_it(k, d, count, n, local, 0, NULL, NULL));
	}
	CL_ROW(CL_INVALID_VALUE, fn(k, d, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, n, &answer, NULL));
	if (!cl.intel) /* it does not look */
		CL_ROW(CL_INVALID_VALUE,
			clGetKernelSubGroupInfo(k, d, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
				n - 1, local, n, &answer, NULL));
	CL_ROW(CL_INVALID_VALUE,
		clGetKernelSubGroupInfo(k, d, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, n, local,
			4 * n, local, NULL));
	cl_rows_end();
	CL(clReleaseKernel(k));
	CL(clReleaseProgram(program));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_device_sizes),
		cmocka_unit_test(test_8),
		cmocka_unit_test(test_16),
		cmocka_unit_test(test_32),
		cmocka_unit_test(test_errors),
	};

	return CL_RUN(argc, argv, tests);
}
