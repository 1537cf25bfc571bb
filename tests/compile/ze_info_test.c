// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/zebin/ze_info.h"

#include <stdio.h>
#include <string.h>

static struct compile_kernel kernels[2];
static struct reflection reflection;
static char why[128];

static enum compile_status read_text(const char *text)
{
	memset(kernels, 0, sizeof kernels);
	kernels[0].name = "a";
	kernels[1].name = "b";
	reflection = (struct reflection){ .kernels = kernels, .n_kernels = 2 };
	*why = '\0';
	return ze_info_read(text, strlen(text), &reflection, NULL, why, sizeof why);
}

#define B "  - {name: b, execution_env: {simd_size: 8}}\n"

static void kernels_are_filled(void **state)
{
	(void)state;
	assert_int_equal(
		read_text("version: '1.20'\nkernels:\n"
			  "  - name: other\n    execution_env: {simd_size: 99}\n"
			  "  - name: b\n    execution_env: {simd_size: 32, slm_size: 0x100}\n"
			  "    per_thread_memory_buffers:\n"
			  "      - {type: scratch, usage: spill_fill_space, size: 640}\n"
			  "      - {type: scratch, usage: private_space, size: 64}\n"
			  "      - {type: global, usage: private_space, size: 5, is_simt_thread: "
			  "true}\n"
			  "  - name: a\n    execution_env:\n      simd_size: 16\n"
			  "      barrier_count: 1\n      grf_count: 256\n      news: [1, 2]\n"),
		COMPILE_OK);
	assert_int_equal(kernels[0].simd_size, 16);
	assert_int_equal(kernels[0].barriers, 1);
	assert_int_equal(kernels[0].grf_count, 256);
	assert_int_equal(kernels[0].local_bytes, 0);
	assert_int_equal(kernels[0].private_bytes, 0);
	assert_int_equal(kernels[1].simd_size, 32);
	assert_int_equal(kernels[1].local_bytes, 256);
	assert_int_equal(kernels[1].spill_bytes, 640);
	assert_int_equal(kernels[1].private_bytes, 2 + 5);
}

static void nonsense_is_refused(void **state)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
		{ "", "has no kernels" },
		{ "kernels: 3", "has no kernels" },
		{ "[1, 2]", "has no kernels" },
		{ "{", "is not YAML" },
		{ "kernels:\n  - {name: a", "is not YAML" },
		{ "kernels:\n  - x: y\n" B, "kernel of no name" },
		{ "kernels:\n  - 5\n" B, "kernel of no name" },
		{ "kernels:\n" B, "does not have kernel a" },
		{ "kernels:\n" B B, "has twice the kernel b" },
		{ "kernels:\n  - name: a\n" B, "no execution_env for kernel a" },
		{ "kernels:\n  - {name: a, execution_env: 7}\n" B,
			"no execution_env for kernel a" },
		{ "kernels:\n  - {name: a, execution_env: {}}\n" B, "no right simd_size" },
		{ "kernels:\n  - {name: a, execution_env: {simd_size: 7}}\n" B,
			"no right simd_size" },
		{ "kernels:\n  - {name: a, execution_env: {simd_size: x}}\n" B,
			"no number for simd_size" },
		{ "kernels:\n  - {name: a, execution_env: {simd_size: [8]}}\n" B,
			"no number for simd_size" },
		{ "kernels:\n  - {name: a, execution_env: {simd_size: -8}}\n" B,
			"no number for simd_size" },
		{ "kernels:\n  - {name: a, execution_env: {simd_size: 8, slm_size: "
		  "99999999999}}\n" B,
			"no number for slm_size" },
		{ "kernels:\n  - {name: a, execution_env: {simd_size: 8}, "
		  "per_thread_memory_buffers: [{size: 3}]}\n" B,
			"no usage" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		if (read_text(bad[i].text) != COMPILE_ERROR)
			fail_msg("%zu passes: %s", i, bad[i].text);
		if (!strstr(why, bad[i].why))
			fail_msg("%zu: %s", i, why);
	}
}

/* An alias that refers to what holds it. */
static void loops_end(void **state)
{
	(void)state;
	assert_int_equal(read_text("&x {kernels: [*x]}"), COMPILE_ERROR);
	assert_int_equal(read_text("kernels: &x [*x, *x]"), COMPILE_ERROR);
}

#define ENV "    execution_env: {simd_size: 8, required_work_group_size: [4, 2, 1]}\n"

/* What code generators write: neither names nor types, and values in pieces. */
static void kernels_are_found(void **state)
{
	static const char text[] =
		"version: '1.8'\nkernels:\n"
		"  - name: Intel_Symbol_Table_Void_Program\n    execution_env: {simd_size: 8}\n"
		"  - name: gemm\n" ENV "    payload_arguments:\n"
		"      - {arg_type: local_size, offset: 0, size: 12}\n"
		"      - {arg_type: arg_byvalue, offset: 40, size: 8, arg_index: 1, "
		"source_offset: 8}\n"
		"      - {arg_type: arg_byvalue, offset: 32, size: 8, arg_index: 1}\n"
		"      - {arg_type: arg_bypointer, offset: 48, size: 8, arg_index: 0, "
		"addrmode: stateless, addrspace: global, access_type: readwrite}\n"
		"      - {arg_type: arg_bypointer, offset: 0, size: 0, arg_index: 2, "
		"addrmode: stateful, addrspace: image, access_type: writeonly}\n";
	struct reflection found = { 0 };
	struct pool *pool = NULL;

	(void)state;
	enum compile_status status =
		ze_info_read(text, strlen(text), &found, &pool, why, sizeof why);
	if (status != COMPILE_OK)
		fail_msg("%s", why);
	assert_int_equal(found.n_kernels, 1);
	assert_string_equal(found.kernels[0].name, "gemm");
	assert_int_equal(found.kernels[0].simd_size, 8);
	assert_int_equal(found.kernels[0].work_group_size[1], 2);
	assert_int_equal(found.kernels[0].n_args, 3);
	const struct compile_arg *args = found.kernels[0].args;
	assert_int_equal(args[0].kind, COMPILE_ARG_BUFFER);
	assert_int_equal(args[1].kind, COMPILE_ARG_VALUE);
	assert_int_equal(args[1].size, 16);
	assert_string_equal(args[1].name, "");
	assert_int_equal(args[2].kind, COMPILE_ARG_IMAGE);
	assert_int_equal(args[2].access, CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
	pool_free(pool);
}

static void unfit_arguments_are_refused(void **state)
{
	static const struct {
		const char *payload, *why;
	} bad[] = {
		{ "[{arg_type: arg_byvalue, size: 4, arg_index: 1}]", "does not describe all" },
		{ "[{arg_type: arg_byvalue, size: 4, arg_index: 99999}]", "wrong number" },
		{ "[{arg_type: arg_byvalue, size: x, arg_index: 0}]", "has no number" },
		{ "[{arg_type: arg_bypointer, addrspace: moon, arg_index: 0}]", "unknown addr" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct reflection found = { 0 };
		struct pool *pool = NULL;
		char text[512];
		snprintf(text, sizeof text,
			"kernels:\n  - name: k\n" ENV "    payload_arguments: %s\n",
			bad[i].payload);
		assert_int_equal(ze_info_read(text, strlen(text), &found, &pool, why, sizeof why),
			COMPILE_ERROR);
		if (!strstr(why, bad[i].why))
			fail_msg("%s", why);
		pool_free(pool);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_are_filled),
		cmocka_unit_test(nonsense_is_refused),
		cmocka_unit_test(kernels_are_found),
		cmocka_unit_test(unfit_arguments_are_refused),
		cmocka_unit_test(loops_end),
	};

	return cmocka_run_group_tests_name("ze_info", tests, NULL, NULL);
}
