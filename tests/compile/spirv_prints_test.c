// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/build/compile.h"
#include "compile/spirv/spirv_look.h"

#include <stdio.h>
#include <string.h>

/* The module of a source; both are to be finished. */
static void open_source(
	const char *source, struct compile_result *result, struct spirv_module *module)
{
	const struct compile_request request = { .source = source,
		.source_size = strlen(source),
		.options = "-cl-std=CL3.0",
		.family = "tgllp",
		.outputs = COMPILE_SPIRV };

	assert_int_equal(compile_build(&request, result), COMPILE_OK);
	assert_int_equal(spirv_module_open(result->spirv, result->spirv_size, module), COMPILE_OK);
}

static bool prints(const char *source)
{
	struct compile_result result;
	struct spirv_module module;

	open_source(source, &result, &module);
	bool does = spirv_prints(&module);
	spirv_module_finish(&module);
	compile_result_finish(&result);
	return does;
}

/* Makes the entry points list nothing, and the module one of SPIR-V 1.0. */
static void forget_interfaces(struct spirv_module *module)
{
	struct spirv_inst entry;

	module->words[1] = 0x10000;
	for (uint32_t i = 0; i < module->n_kernels; i++) {
		assert_true(spirv_at(module, module->kernels[i], &entry));
		size_t name = strlen(spirv_text(module, entry.at + 3)) / 4 + 1;
		for (uint32_t k = entry.at + 3 + (uint32_t)name; k < entry.next; k++)
			module->words[k] = entry.operands[1];
	}
}

/* The numbers are where IGC 1.0.12504.6 begins with its own: by disassembly. */
static void local_variables_are_counted(void **state)
{
	static const char source[] =
		"kernel void in_order(global long *a) {\n"
		"	local char u[3]; local long t[64]; local short v[5]; local int unused[9];\n"
		"	u[*a % 3] = 1; t[*a] = 2; v[*a % 5] = 3; barrier(1); *a = u[1] + t[3] + "
		"v[2];\n"
		"}\n"
		"kernel void aligned(global int *a) {\n"
		"	local int t[64] __attribute__((aligned(128))); local char u[3];\n"
		"	local int v[4] __attribute__((aligned(128)));\n"
		"	u[*a % 3] = 1; t[*a] = 2; v[*a % 4] = 3; barrier(1); *a = u[1] + t[3] + "
		"v[2];\n"
		"}\n"
		"kernel void twice(global int *a) {\n"
		"	local int t[9]; t[*a] = 1; barrier(1); *a = t[3] + work_group_all(t[1]);\n"
		"}\n"
		"kernel void none(global int *a, local int *b) { *a = b[3]; }\n";
	struct compile_result result;
	struct spirv_module module;

	(void)state;
	open_source(source, &result, &module);
	assert_int_equal(spirv_local_bytes(&module, "in_order"), 530);
	assert_int_equal(spirv_local_bytes(&module, "aligned"), 400);
	assert_int_equal(spirv_local_bytes(&module, "twice"), 36);
	assert_int_equal(spirv_local_bytes(&module, "none"), 0);
	assert_int_equal(spirv_local_bytes(&module, "absent"), SIZE_MAX);
	/* Before SPIR-V 1.4, entry points do not list such variables. */
	forget_interfaces(&module);
	assert_int_equal(spirv_local_bytes(&module, "in_order"), 530);
	assert_int_equal(spirv_local_bytes(&module, "aligned"), 400);
	assert_int_equal(spirv_local_bytes(&module, "twice"), 36);
	assert_int_equal(spirv_local_bytes(&module, "none"), 0);
	spirv_module_finish(&module);
	compile_result_finish(&result);
}

/* Of 40 kernels with a variable each, of 4, 8, 12 … bytes. */
static void many_variables_are_told_apart(void **state)
{
	static char source[1 << 13];
	struct compile_result result;
	struct spirv_module module;
	size_t used = 0;

	(void)state;
	for (int i = 0; i < 40; i++)
		used += (size_t)snprintf(source + used, sizeof source - used,
			"kernel void k%d(global int *a) { local int t[%d]; t[*a] = 1; barrier(1); "
			"*a = t[*a / 2]; }\n",
			i, i + 1);
	open_source(source, &result, &module);
	assert_int_equal(spirv_local_bytes(&module, "k0"), 4);
	assert_int_equal(spirv_local_bytes(&module, "k31"), 32 * 4);
	assert_int_equal(spirv_local_bytes(&module, "k32"), 33 * 4);
	assert_int_equal(spirv_local_bytes(&module, "k39"), 40 * 4);
	spirv_module_finish(&module);
	compile_result_finish(&result);
}

static void calls_are_found(void **state)
{
	(void)state;
	assert_true(prints("kernel void k(int n) { if (n) printf(\"%d\", n); }"));
	assert_true(prints("void f(int n) { printf(\"%d\", n); } kernel void k(int n) { f(n); }"));
	assert_false(prints("kernel void k(global float *a) { *a = exp(*a); }"));
	assert_false(prints("kernel void k(global int *a) { *a = 1; }"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_found),
		cmocka_unit_test(local_variables_are_counted),
		cmocka_unit_test(many_variables_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
