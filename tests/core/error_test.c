// SPDX-License-Identifier: MIT
#include "compile/base/error_name.h"
#include "core/device/context.h"
#include "core/base/error.h"

#include "test.h"

#include <string.h>

static char heard[1024];
static int heard_times;

static void CL_CALLBACK hear(const char *text, const void *data, size_t size, void *user)
{
	assert_null(data);
	assert_int_equal(size, 0);
	assert_ptr_equal(user, &heard);
	strncpy(heard, text, sizeof heard - 1);
	heard_times++;
}

static cl_int needs_positive(int n)
{
	REQUIRE(n > 0, CL_INVALID_VALUE);
	REQUIRE(n < 10, error_say(CL_INVALID_VALUE, "%d is too much", n));
	return CL_SUCCESS;
}

static cl_int tries(int n, int *cleaned)
{
	cl_int rc;

	TRY(needs_positive(n));
	return CL_SUCCESS;
fail:
	++*cleaned;
	return rc;
}

static void test_macros(void **state)
{
	int cleaned = 0;

	(void)state;
	assert_int_equal(tries(1, &cleaned), CL_SUCCESS);
	assert_int_equal(cleaned, 0);
	assert_int_equal(tries(0, &cleaned), CL_INVALID_VALUE);
	assert_int_equal(cleaned, 1);
	assert_non_null(strstr(error_sentence(CL_INVALID_VALUE), "n > 0"));
	assert_null(error_sentence(CL_INVALID_DEVICE));
	error_done("f", NULL, CL_INVALID_VALUE);
	assert_null(error_sentence(CL_INVALID_VALUE));
	assert_int_equal(tries(12, &cleaned), CL_INVALID_VALUE);
	assert_string_equal(error_sentence(CL_INVALID_VALUE), "12 is too much");
	assert_int_equal(error_done("f", NULL, CL_SUCCESS), CL_SUCCESS);
	assert_null(error_sentence(CL_INVALID_VALUE));
}

static void test_context_hears(void **state)
{
	struct context context = { .notify = hear, .notify_data = heard };
	struct obj child = { 0 };
	void *foreign[16] = { &child };

	(void)state;
	obj_set_dispatch(heard);
	error_set_reporter(context_report);
	obj_init(&context.base, OBJ_CONTEXT, NULL, NULL);
	context.base.context = &context;
	obj_init(&child, OBJ_MEM, &context.base, NULL);
	needs_positive(11);
	assert_int_equal(error_done("clThat", &child, CL_INVALID_VALUE), CL_INVALID_VALUE);
	assert_int_equal(heard_times, 1);
	assert_string_equal(heard, "clThat: CL_INVALID_VALUE: 11 is too much");
	/* Without a sentence, or with one for another code: the name is enough. */
	needs_positive(11);
	error_done("clThat", &context, CL_OUT_OF_RESOURCES);
	assert_int_equal(heard_times, 2);
	assert_string_equal(heard, "clThat: CL_OUT_OF_RESOURCES");
	error_done("clThat", &context, CL_SUCCESS);
	error_done("clThat", NULL, CL_INVALID_VALUE);
	error_done("clThat", foreign, CL_INVALID_VALUE);
	assert_int_equal(heard_times, 2);
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(error_name(CL_INVALID_KERNEL_ARGS), "CL_INVALID_KERNEL_ARGS");
	assert_string_equal(error_name(-4711), "error -4711");
	/* Every code of OpenCL 3.0 has a name. */
	for (cl_int code = 0; code >= CL_MAX_SIZE_RESTRICTION_EXCEEDED; code--)
		if (code >= CL_KERNEL_ARG_INFO_NOT_AVAILABLE || code <= CL_INVALID_VALUE)
			assert_memory_equal(error_name(code), "CL_", 3);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_macros),
		cmocka_unit_test(test_context_hears),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
