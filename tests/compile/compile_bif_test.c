// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/build/compile.h"

#include "test_files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Smaller modules of built-in functions against the whole one: ZEROCL_FRONTEND=check builds both
 * ways and compares bytes. SOURCE_FOLDER is the project's.
 */

static char top[TEST_FOLDER_MAX], log_path[96];

static int start(void **state)
{
	(void)state;
	test_folder_make(top, "bif");
	snprintf(log_path, sizeof log_path, "%s/log", top);
	setenv("ZEROCL_LOG", "debug", 1);
	setenv("ZEROCL_LOG_FILE", log_path, 1);
	setenv("ZEROCL_CACHE", "0", 1);
	setenv("ZEROCL_FRONTEND", "check", 1);
	return 0;
}

static int end(void **state)
{
	(void)state;
	return test_folder_remove(top);
}

/* What the log says of a build since the last call. */
struct seen {
	unsigned long
		left_out; /* functions that the last module lacks; 0: the whole one was used */
	unsigned missed;  /* functions that turned out to be missing */
};

/* The back end has an LLVM of its own inside, as newer ones do: then all of this is off. */
static bool is_closed;

static struct seen see(void)
{
	static long place;
	struct seen seen = { 0, 0 };
	char line[512];
	FILE *file = fopen(log_path, "r");

	if (!file)
		return seen;
	fseek(file, place, SEEK_SET);
	while (fgets(line, sizeof line, file)) {
		const char *found = strstr(line, "back end: ");
		if (found && strstr(found, " functions left out"))
			seen.left_out = strtoul(found + strlen("back end: "), NULL, 10);
		is_closed |= found && strstr(found, "its LLVM cannot be reached");
		seen.missed += found && strstr(found, " was left out");
	}
	place = ftell(file);
	fclose(file);
	return seen;
}

static void build(const char *source, const char *options)
{
	const struct compile_request request = { .source = source,
		.source_size = strlen(source),
		.options = options,
		.family = "tgllp",
		.outputs = COMPILE_SPIRV | COMPILE_NATIVE };
	struct compile_result result;

	memset(&result, 0xa5, sizeof result);
	compile_build(&request, &result);
	/* Some of the corpus is not for this family; then both ways say the same. */
	if (result.log && strstr(result.log, "ZEROCL_FRONTEND"))
		fail_msg("%s: %s", source, result.log);
	compile_result_finish(&result);
}

static void programs_take_what_suffices(void **state)
{
	static const struct {
		const char *source;
		enum { TINY, SMALL, LARGE, WHOLE, N_MODULES } module;
	} rows[] = {
		{ "kernel void k(global float *a) { a[0] = sin(a[1]) + native_exp(a[2]); }", TINY },
		{ "kernel void k(global float4 *a) { a[0] = fmax(sqrt(a[1]), a[2]); "
		  "barrier(CLK_LOCAL_MEM_FENCE); a[3] = dot(a[0], a[4]); }",
			TINY },
		{ "kernel void k(global int *a) { a[0] = atomic_add(a + 1, 2) + "
		  "(int)get_global_id(1) + get_work_dim(); printf(\"%d\", a[3]); }",
			TINY },
		{ "kernel void k(global int *a) { a[0] = sub_group_reduce_add(a[2]); }", SMALL },
		{ "kernel void k(global float *a) { vstore4(vload4(1, a), 0, a); }", SMALL },
		{ "kernel void k(global float16 *a) { a[0] = exp(a[1]); }", LARGE },
		{ "kernel void k(read_only image2d_t i, sampler_t s, global float4 *o) { o[0] = "
		  "read_imagef(i, s, (float2)(0.5f, 0.25f)); }",
			LARGE },
		{ "kernel void k(global uchar4 *a, global float4 *b) { a[0] = "
		  "convert_uchar4_sat(b[0]); }",
			LARGE },
		{ "kernel void k(global int4 *a, global float4 *b) { a[0] = "
		  "convert_int4_rtp(b[0]); }",
			WHOLE },
	};
	unsigned long left_out[N_MODULES] = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		build(rows[i].source, "");
		struct seen seen = see();
		if (is_closed)
			skip();
		unsigned long *same = &left_out[rows[i].module];
		if (seen.missed)
			fail_msg("%s: a function was missing", rows[i].source);
		if (!*same)
			*same = seen.left_out;
		if (seen.left_out != *same)
			fail_msg("%s: %lu functions left out", rows[i].source, seen.left_out);
	}
	assert_int_equal(left_out[WHOLE], 0);
	assert_true(left_out[LARGE] > 5000);
	assert_true(left_out[SMALL] > left_out[LARGE]);
	assert_true(left_out[TINY] > left_out[SMALL]);
}

static void build_folder(const char *name)
{
	static const char *const options[] = { "", "-cl-std=CL3.0 -cl-fast-relaxed-math",
		"-cl-std=CL2.0" };
	static size_t n_built;
	char folder[512], path[1024];
	struct dirent **names;

	snprintf(folder, sizeof folder, "%s/%s", SOURCE_FOLDER, name);
	int n = scandir(folder, &names, NULL, alphasort);
	assert_true(n > 0);
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
		if (strstr(path, ".cl")) {
			char *source = test_read_file(path, NULL);
			build(source, options[n_built++ % 3]);
			free(source);
		}
		free(names[i]);
	}
	free(names);
	assert_true(n_built > 0);
}

static void corpus_gives_equal_code(void **state)
{
	(void)state;
	if (is_closed)
		skip();
	build_folder("tests/eu/corpus");
	build_folder("kernels/samples");
}

/* zerocl-cc where what was installed beside it is damaged: it makes the modules and keeps them. */
static void modules_are_made_when_missing(void **state)
{
	char command[1024], path[128], cache[128], source[128];
	struct seen seen = { 0, 0 };

	(void)state;
	if (is_closed)
		skip();
	snprintf(path, sizeof path, "%s/zerocl-cc", top);
	snprintf(cache, sizeof cache, "%s/cache", top);
	snprintf(command, sizeof command,
		"cd '%s' && cp '%s' . && cp -r $(dirname '%s')/ready . && for file in ready/v1/*; "
		"do printf XX | dd of=$file bs=1 seek=100000 conv=notrunc 2> /dev/null; done",
		top, REAL_CC_PATH, REAL_CC_PATH);
	assert_int_equal(system(command), 0);
	setenv("ZEROCL_CC", path, 1);
	setenv("ZEROCL_CACHE_DIR", cache, 1);
	unsetenv("ZEROCL_CACHE");
	unsetenv("ZEROCL_FRONTEND");
	see();
	/* Not from the cache itself, and not within a second. */
	for (int i = 0; !seen.left_out && i < 300; i++) {
		snprintf(source, sizeof source, "kernel void k(global int *a) { a[0] = %d; }", i);
		build(source, "");
		seen = see();
		if (i == 0)
			assert_int_equal(seen.left_out, 0);
		usleep(200000);
	}
	assert_true(seen.left_out > 15000);
	unsetenv("ZEROCL_CC");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_take_what_suffices),
		cmocka_unit_test(corpus_gives_equal_code),
		cmocka_unit_test(modules_are_made_when_missing),
	};

	return cmocka_run_group_tests_name("compile_bif", tests, start, end);
}
