// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/base/compile_macros.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool hides(const struct compile_request *request, const char *macro)
{
	char line[128];
	char *prefix = compile_macros_prefix(request, 0);

	assert_non_null(prefix);
	snprintf(line, sizeof line, "#undef %s\n", macro);
	bool found = strstr(prefix, line);
	/* The line that follows is the application's first. */
	size_t size = strlen(prefix);
	assert_true(!size || !strcmp(prefix + size - 8, "#line 1\n"));
	free(prefix);
	return found;
}

/* Nothing is undefined unless the device's lists are known, and no macro goes before no source. */
static void all_stay_by_default(void **state)
{
	struct compile_request request = { .source = "" };
	char *prefix = compile_macros_prefix(&request, 0);

	(void)state;
	assert_null(strstr(prefix, "#undef cl_"));
	assert_null(strstr(prefix, "#undef __"));
	free(prefix);
	request = (struct compile_request){ .extensions = "" };
	prefix = compile_macros_prefix(&request, 0);
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

static const char some[] = "cl_khr_subgroup_rotate cl_khr_subgroup_ballot "
			   "cl_khr_extended_bit_ops cl_khr_work_group_uniform_arithmetic";

static struct compile_request request_of(const char *extensions, const char *source)
{
	return (struct compile_request){
		.extensions = extensions, .source = source, .source_size = strlen(source)
	};
}

/* Whether what goes before the source holds the text. */
static bool puts_text(const struct compile_request *request, unsigned defined, const char *text)
{
	char *prefix = compile_macros_prefix(request, defined);

	assert_non_null(prefix);
	bool found = strstr(prefix, text);
	free(prefix);
	return found;
}

static void built_ins_are_of_reported_extensions(void **state)
{
	struct compile_request request = request_of(some, "");

	(void)state;
	assert_true(puts_text(&request, 0, "define sub_group_rotate("));
	assert_true(puts_text(&request, 0, "#define cl_khr_subgroup_rotate 1\n"));
	assert_true(puts_text(&request, 0, "define get_sub_group_ge_mask("));
	/* the compiler has this macro itself */
	assert_false(puts_text(&request, 0, "#define cl_khr_subgroup_ballot"));
	assert_false(puts_text(&request, 0, "zerocl_dot"));
	request.extensions = "cl_khr_subgroup_rotates xcl_khr_subgroup_rotate";
	assert_false(puts_text(&request, 0, "define sub_group_rotate("));
	assert_false(puts_text(&request, 0, "#define cl_khr_subgroup_rotate 1\n"));
	request.extensions = NULL; /* all */
	assert_true(puts_text(&request, 0, "zerocl_dot"));
	assert_true(puts_text(&request, 0, "#define cl_khr_subgroup_rotate 1\n"));
}

static unsigned bits(unsigned mask)
{
	return (unsigned)__builtin_popcount(mask);
}

static void definitions_are_mentioned(void **state)
{
	static const char text[] = "int f(void) { return work_group_reduce_mul(2); }";
	const struct compile_header header = { "h.h", text, sizeof(text) - 1 };
	struct compile_request request = request_of(some, "x = bit_reverse(x);");

	(void)state;
	assert_int_equal(bits(compile_macros_mentioned(&request)), 1);
	request.source_size = 8; /* the size counts, not a NUL */
	assert_int_equal(compile_macros_mentioned(&request), 0);
	request.headers = &header;
	request.n_headers = 1;
	assert_int_equal(bits(compile_macros_mentioned(&request)), 1);
}

static void definitions_are_missed(void **state)
{
	static const char log[] =
		"1:2: error: implicit declaration of function 'zerocl_bit_reverse' is invalid\n";
	struct compile_request request = request_of(some, "x = F(x);");
	unsigned mask = compile_macros_missing(&request, log);

	(void)state;
	assert_int_equal(bits(mask), 1);
	request.source = "bitfield_";
	request.source_size = strlen(request.source);
	assert_int_equal(mask, compile_macros_mentioned(&request));
	assert_int_equal(compile_macros_missing(&request, "error: 'zerocl_dot'"), 0);
	assert_int_equal(compile_macros_missing(&request, ""), 0);
	assert_int_equal(compile_macros_missing(&request, NULL), 0);
	request.source = NULL;
	assert_int_equal(compile_macros_missing(&request, log), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_stay_by_default),
		cmocka_unit_test(what_is_not_reported_goes),
		cmocka_unit_test(what_the_application_defines_stays),
		cmocka_unit_test(built_ins_are_of_reported_extensions),
		cmocka_unit_test(definitions_are_mentioned),
		cmocka_unit_test(definitions_are_missed),
	};

	return cmocka_run_group_tests_name("compile_macros", tests, NULL, NULL);
}
