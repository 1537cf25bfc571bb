// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/build/compile.h"
#include "compile/spirv/spirv_extract.h"
#include "compile/spirv/spirv_module.h"

#include <stdlib.h>
#include <string.h>

static struct compile_result program;

static int setup(void **state)
{
	static const char source[] =
		"__attribute__((reqd_work_group_size(8, 1, 1))) kernel void a(global int *p)\n"
		"{ *p = 1; }\n"
		"__attribute__((reqd_work_group_size(4, 1, 1))) kernel void abcd(global int *p)\n"
		"{ *p = 2; }\n";
	const struct compile_request request = { .source = source,
		.source_size = sizeof(source) - 1,
		.family = "tgllp",
		.outputs = COMPILE_SPIRV };

	(void)state;
	return compile_build(&request, &program);
}

static int teardown(void **state)
{
	(void)state;
	compile_result_finish(&program);
	return 0;
}

/* The size of groups that its only kernel requires. */
static uint32_t required_size(const struct spirv_module *module)
{
	struct spirv_inst inst;
	uint32_t size = 0, n = 0;

	SPIRV_EACH(module, SPIRV_START, module->n_words, inst)
		if (inst.op == SpvOpExecutionMode &&
			inst.operands[1] == SpvExecutionModeLocalSize) {
			size = inst.operands[2];
			n++;
		}
	assert_int_equal(n, 1);
	return size;
}

static void others_are_left_out(void **state)
{
	static const char *const names[] = { "a", "abcd" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct spirv_module module;
		size_t size = 0;
		void *only =
			spirv_extract_kernel(program.spirv, program.spirv_size, names[i], &size);

		assert_non_null(only);
		assert_true(size < program.spirv_size);
		assert_int_equal(spirv_module_open(only, size, &module), COMPILE_OK);
		assert_int_equal(module.n_kernels, 1);
		assert_string_equal(spirv_text(&module, module.kernels[0] + 3), names[i]);
		assert_int_equal(required_size(&module), i ? 4 : 8);
		spirv_module_finish(&module);
		free(only);
	}
}

static void damage_is_refused(void **state)
{
	uint32_t *copy = malloc(program.spirv_size);
	size_t size;

	(void)state;
	assert_null(spirv_extract_kernel(program.spirv, 0, "a", &size));
	assert_null(spirv_extract_kernel(program.spirv, 12, "a", &size));
	assert_null(spirv_extract_kernel(program.spirv, program.spirv_size - 1, "a", &size));
	memcpy(copy, program.spirv, program.spirv_size);
	copy[5] = 17; /* of no words */
	assert_null(spirv_extract_kernel(copy, program.spirv_size, "a", &size));
	free(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(others_are_left_out),
		cmocka_unit_test(damage_is_refused),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
