// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/base/reflection.h"
#include "compile/build/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a statement of a kernel tells of work-groups. */
static const struct row {
	const char *statement;
	bool sees_groups;
} rows[] = {
	{ "o[i] = 1;", false },
	{ "o[i] = get_global_size(0) + get_global_offset(1) + get_work_dim();", false },
	{ "o[get_global_linear_id()] = o[i + 1];", false },
	{ "for (int k = 0; k < o[0]; k++) o[i] += f[k] > 1 ? sqrt(f[k]) : k;", false },
	{ "printf(\"%d\\n\", i);", false },
	{ "prefetch(f + i, 4);", false },
	{ "int4 v = vload4(i, o); vstore4(v.wzyx, i, o);", false },
	{ "float2 p = read_imagef(m, (int2)(i, 0)).xy; f[i] = p.x + p.y;", false },
	{ "o[i] = helper(o, i);", false },
	{ "o[i] = get_local_id(0);", true },
	{ "o[i] = get_local_linear_id();", true },
	{ "o[i] = get_local_size(1);", true },
	{ "o[i] = get_enqueued_local_size(1);", true },
	{ "o[i] = get_group_id(0);", true },
	{ "o[i] = get_num_groups(2);", true },
	{ "o[i] = get_sub_group_id();", true },
	{ "o[i] = get_sub_group_local_id();", true },
	{ "o[i] = get_sub_group_size();", true },
	{ "o[i] = get_max_sub_group_size();", true },
	{ "o[i] = get_num_sub_groups();", true },
	{ "o[i] = get_enqueued_num_sub_groups();", true },
	{ "barrier(CLK_GLOBAL_MEM_FENCE);", true },
	{ "work_group_barrier(CLK_LOCAL_MEM_FENCE);", true },
	{ "sub_group_barrier(CLK_GLOBAL_MEM_FENCE);", true },
	{ "mem_fence(CLK_GLOBAL_MEM_FENCE); o[i]++;", true },
	{ "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, "
	  "memory_scope_device);",
		true },
	{ "atomic_inc(o + i);", true },
	{ "atomic_store_explicit((global atomic_int *)o + i, 1, memory_order_relaxed, "
	  "memory_scope_device);",
		true },
	{ "atomic_flag_test_and_set((global atomic_flag *)o);", true },
	{ "while (!((volatile global int *)o)[0]) ;", true },
	{ "((volatile global int *)o)[i] = 1;", true },
	{ "local int l[64]; l[i % 64] = i; o[i] = l[i % 64];", true },
	{ "o[i] = work_group_any(i);", true },
	{ "o[i] = work_group_reduce_add(i);", true },
	{ "o[i] = work_group_broadcast(i, 0);", true },
	{ "o[i] = sub_group_all(i);", true },
	{ "o[i] = sub_group_scan_inclusive_max(i);", true },
	{ "o[i] = intel_sub_group_shuffle(i, 0);", true },
	{ "o[i] = intel_sub_group_block_read((global uint *)o);", true },
	{ "o[i] = sub_group_shuffle_xor(i, 1);", true },
	{ "o[i] = sub_group_non_uniform_reduce_add(i);", true },
	{ "o[i] = sub_group_clustered_reduce_add(i, 4);", true },
	{ "o[i] = telling(i);", true },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void kernels_that_see_groups(void **state)
{
	static char source[ROWS * 400 + 1000];
	struct compile_result program;
	struct reflection found;
	size_t at = (size_t)sprintf(source,
		"__attribute__((noinline)) int helper(global int *o, int i)\n"
		"{ return o[i + get_global_size(0)]; }\n"
		"__attribute__((noinline)) int deep(int i) { return i + get_local_id(0); }\n"
		"__attribute__((noinline)) int telling(int i) { return deep(i) * 2; }\n");

	(void)state;
	for (unsigned i = 0; i < ROWS; i++)
		at += (size_t)sprintf(source + at,
			"kernel void k%u(global int *o, global float *f, read_only image2d_t m)\n"
			"{ int i = get_global_id(0); %s }\n",
			i, rows[i].statement);
	at += (size_t)sprintf(source + at,
		"kernel void shares(global int *o, local int *l) { l[0] = 1; o[0] = l[0]; }\n");
	const struct compile_request request = { .source = source,
		.source_size = at,
		.options = "-cl-std=CL3.0",
		.family = "tgllp",
		.outputs = COMPILE_SPIRV | COMPILE_NATIVE };
	assert_int_equal(compile_build(&request, &program), COMPILE_OK);
	assert_true(reflection_read(program.facts, program.facts_size, &found));
	assert_int_equal(found.n_kernels, ROWS + 1);
	for (unsigned i = 0; i < ROWS; i++)
		if (found.kernels[i].sees_no_groups == rows[i].sees_groups)
			fail_msg("%s %s groups", rows[i].statement,
				rows[i].sees_groups ? "does not see" : "sees");
	assert_false(found.kernels[ROWS].sees_no_groups);
	reflection_finish(&found);
	compile_result_finish(&program);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(kernels_that_see_groups) };

	return cmocka_run_group_tests_name("spirv_groups", tests, NULL, NULL);
}
