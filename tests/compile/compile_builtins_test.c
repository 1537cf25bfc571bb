// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/build/compile_builtins.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char all[] = "cl_khr_subgroup_rotate cl_khr_subgroup_ballot "
			  "cl_khr_subgroup_clustered_reduce cl_intel_subgroup_local_block_io "
			  "cl_khr_work_group_uniform_arithmetic";

/* Whether what goes before the source holds the text. */
static bool puts_text(const struct compile_request *request, const char *text)
{
	char *prefix = NULL;
	size_t size;
	FILE *out = open_memstream(&prefix, &size);

	assert_non_null(out);
	compile_builtins_put(out, request);
	fclose(out);
	bool found = strstr(prefix, text);
	free(prefix);
	return found;
}

static struct compile_request request_of(const char *extensions, const char *source)
{
	return (struct compile_request){
		.extensions = extensions, .source = source, .source_size = strlen(source)
	};
}

static void only_what_is_mentioned(void **state)
{
	struct compile_request request = request_of(all, "x = sub_group_rotate(x, 1);");

	(void)state;
	assert_true(puts_text(&request, "define sub_group_rotate("));
	assert_false(puts_text(&request, "define get_sub_group_ge_mask("));
	assert_false(puts_text(&request, "zerocl_cluster_"));
	assert_false(puts_text(&request, "intel_sub_group_block_read"));
	assert_false(puts_text(&request, "work_group_reduce_"));
}

/* The size of the source counts, not a NUL. */
static void not_behind_the_end(void **state)
{
	struct compile_request request = request_of(all, "x = sub_group_rotate(x, 1);");

	(void)state;
	request.source_size = 10;
	assert_false(puts_text(&request, "define sub_group_rotate("));
}

static void also_in_headers(void **state)
{
	static const char text[] = "int f(void) { return work_group_reduce_mul(2); }";
	const struct compile_header header = { "h.h", text, sizeof text - 1 };
	struct compile_request request = request_of(all, "kernel void k(void) {}");

	(void)state;
	assert_false(puts_text(&request, "work_group_reduce_"));
	request.headers = &header;
	request.n_headers = 1;
	assert_true(puts_text(&request, "work_group_reduce_"));
	assert_false(puts_text(&request, "define sub_group_rotate("));
	/* A file of the application's may mention anything. */
	request = request_of(all, "#include \"file.h\"");
	assert_true(puts_text(&request, "work_group_reduce_"));
	assert_true(puts_text(&request, "define sub_group_rotate("));
}

static void only_what_is_reported(void **state)
{
	static const char source[] = "_rotate get_sub_group_ge_mask _clustered_reduce_ _block_ "
				     "work_group_";
	struct compile_request request = request_of(NULL, source);

	(void)state;
	assert_true(puts_text(&request, "#define cl_khr_subgroup_rotate 1\n"));
	assert_true(puts_text(&request, "work_group_reduce_"));
	request.source = "no built-in is named here";
	request.source_size = strlen(request.source);
	assert_false(puts_text(&request, "define"));
	request.source = source;
	request.source_size = strlen(source);
	request.extensions = "cl_khr_subgroup_rotates xcl_khr_subgroup_rotate";
	assert_false(puts_text(&request, "define"));
	request.extensions = "cl_khr_subgroup_rotate";
	assert_true(puts_text(&request, "define sub_group_rotate("));
	assert_true(puts_text(&request, "#define cl_khr_subgroup_rotate 1\n"));
	assert_false(puts_text(&request, "work_group_reduce_"));
	request.extensions = "cl_khr_subgroup_ballot";
	assert_true(puts_text(&request, "define get_sub_group_ge_mask("));
	/* The compiler has this macro itself. */
	assert_false(puts_text(&request, "#define cl_khr_subgroup_ballot"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_is_mentioned),
		cmocka_unit_test(not_behind_the_end),
		cmocka_unit_test(also_in_headers),
		cmocka_unit_test(only_what_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
