// SPDX-License-Identifier: MIT
#include "test.h"

#include "l0/l0_error.h"
#include "l0/l0_loader.h"

#include <string.h>

static void results_have_codes_and_names(void **state)
{
	const struct {
		ze_result_t result;
		cl_int code;
	} rows[] = {
		{ ZE_RESULT_SUCCESS, CL_SUCCESS },
		{ ZE_RESULT_ERROR_DEVICE_LOST, CL_OUT_OF_RESOURCES },
		{ ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, CL_OUT_OF_HOST_MEMORY },
		{ ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, CL_MEM_OBJECT_ALLOCATION_FAILURE },
		{ ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, CL_BUILD_PROGRAM_FAILURE },
		{ ZE_RESULT_ERROR_INVALID_NATIVE_BINARY, CL_INVALID_BINARY },
		{ ZE_RESULT_ERROR_INVALID_KERNEL_NAME, CL_INVALID_KERNEL_NAME },
		{ ZE_RESULT_ERROR_UNSUPPORTED_SIZE, CL_INVALID_BUFFER_SIZE },
		{ (ze_result_t)0x12345, CL_OUT_OF_RESOURCES },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(l0_check("zeCall", rows[i].result), rows[i].code);
	l0_check("zeCall", ZE_RESULT_ERROR_DEVICE_LOST);
	l0_check("zeOther", ZE_RESULT_SUCCESS); /* leaves the text */
	assert_string_equal(l0_error_text(), "zeCall: ZE_RESULT_ERROR_DEVICE_LOST (0x70000001)");
	assert_string_equal(l0_result_name(ZE_RESULT_NOT_READY), "ZE_RESULT_NOT_READY");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(results_have_codes_and_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
