// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/zebin/printf_strings.h"

#include <string.h>

#define OP(length, op) ((uint32_t)(length) << 16 | (op))

/* A header, the import of "OpenCL.std" as id 7, and one of its instructions. */
static uint32_t module[] = { 0x07230203, 0x10000, 0, 20, 0, OP(5, 11), 7, 0, 0, 0, OP(6, 12), 3, 9,
	7, 184, 4 };

static void test_prints(void **state)
{
	(void)state;
	memcpy(&module[7], "OpenCL.std\0\0", 12);
	assert_true(compile_prints(module, sizeof(module)));
	module[14] = 183;
	assert_false(compile_prints(module, sizeof(module)));
	module[14] = 184;
	module[13] = 8; /* of another set */
	assert_false(compile_prints(module, sizeof(module)));
	module[13] = 7;
	memcpy(&module[7], "OpenCL.stx\0\0", 12);
	assert_false(compile_prints(module, sizeof(module)));
	memcpy(&module[7], "OpenCL.std\0\0", 12);
	assert_false(compile_prints(module, 5 * 4));
}

/* What it cannot read may print. */
static void test_nonsense(void **state)
{
	uint32_t copy[16];

	(void)state;
	memcpy(copy, module, sizeof(copy));
	assert_true(compile_prints(copy, 4));
	assert_true(compile_prints(copy, 0));
	assert_true(compile_prints(copy, sizeof(copy) - 4));
	copy[10] = 0;
	assert_true(compile_prints(copy, sizeof(copy)));
	copy[10] = OP(6, 13);
	assert_false(compile_prints(copy, sizeof(copy)));
	copy[0] = 0x03022307;
	assert_true(compile_prints(copy, sizeof(copy)));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_prints),
		cmocka_unit_test(test_nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
