// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/build/compile_macros.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool hides(const struct compile_request *request, const char *macro)
{
	char line[128];
	char *prefix = compile_macros_prefix(request);

	assert_non_null(prefix);
	snprintf(line, sizeof line, "#undef %s\n", macro);
	bool found = strstr(prefix, line);
	/* The line that follows is the application's first. */
	size_t size = strlen(prefix);
	assert_true(!size || !strcmp(prefix + size - 8, "#line 1\n"));
	free(prefix);
	return found;
}

static void all_stay_by_default(void **state)
{
	const struct compile_request request = { .source = "" };
	char *prefix = compile_macros_prefix(&request);

	(void)state;
	assert_string_equal(prefix, "");
	free(prefix);
}

static void what_is_not_reported_goes(void **state)
{
	struct compile_request request = { .source = "",
		.extensions = "cl_khr_fp16 cl_intel_subgroups_char cl_khr_icd",
		.features = "__opencl_c_int64" };

	(void)state;
	assert_true(hides(&request, "cl_khr_fp64"));
	assert_true(hides(&request, "cl_intel_subgroups"));
	assert_true(hides(&request, "__opencl_c_images"));
	assert_true(hides(&request, "__IMAGE_SUPPORT__"));
	assert_false(hides(&request, "cl_khr_fp16"));
	assert_false(hides(&request, "cl_intel_subgroups_char"));
	assert_false(hides(&request, "cl_khr_icd"));
	assert_false(hides(&request, "__opencl_c_int64"));
	request.features = "__opencl_c_images __opencl_c_read_write_images";
	assert_false(hides(&request, "__IMAGE_SUPPORT__"));
	assert_true(hides(&request, "__opencl_c_int64"));
	request.features = NULL;
	assert_false(hides(&request, "__opencl_c_int64"));
	assert_true(hides(&request, "cl_khr_fp64"));
}

static void what_the_application_defines_stays(void **state)
{
	struct compile_request request = { .source = "",
		.extensions = "",
		.options = "-D cl_khr_fp64 -Dcl_khr_fp16=1 -DX_cl_khr_icd -Dcl_khr_icd_2" };

	(void)state;
	assert_false(hides(&request, "cl_khr_fp64"));
	assert_false(hides(&request, "cl_khr_fp16"));
	assert_true(hides(&request, "cl_khr_icd"));
	assert_true(hides(&request, "cl_khr_spir"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_stay_by_default),
		cmocka_unit_test(what_is_not_reported_goes),
		cmocka_unit_test(what_the_application_defines_stays),
	};

	return cmocka_run_group_tests_name("compile_macros", tests, NULL, NULL);
}
