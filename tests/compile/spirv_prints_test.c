// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/build/compile.h"
#include "compile/spirv/spirv_prints.h"

#include <string.h>

static bool prints(const char *source)
{
	const struct compile_request request = { .source = source,
		.source_size = strlen(source),
		.family = "tgllp",
		.outputs = COMPILE_SPIRV };
	struct compile_result result;
	struct spirv_module module;

	assert_int_equal(compile_build(&request, &result), COMPILE_OK);
	assert_int_equal(spirv_module_open(result.spirv, result.spirv_size, &module), COMPILE_OK);
	bool does = spirv_prints(&module);
	spirv_module_finish(&module);
	compile_result_finish(&result);
	return does;
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
