// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/build/compile.h"
#include "compile/cc/clang_pch_options.h"
#include "compile/build/compile_helper.h"
#include "compile/cache/compile_cache.h"

#include "test_files.h"
#include "test_settings.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The front end with its header compiled beforehand against the stock one: equal SPIR-V, equal
 * native code, equal words. SOURCE_FOLDER is the project's.
 */

static char top[TEST_FOLDER_MAX], log_path[96];

static int start(void **state)
{
	(void)state;
	test_folder_make(top, "front");
	snprintf(log_path, sizeof log_path, "%s/log", top);
	test_setting("ZEROCL_LOG", "debug");
	test_setting("ZEROCL_LOG_FILE", log_path);
	return 0;
}

static int end(void **state)
{
	(void)state;
	return test_folder_remove(top);
}

/* How often the compiled header was taken since the last call. */
static unsigned count_fast(void)
{
	static long seen;
	char line[512];
	unsigned n = 0;
	FILE *file = fopen(log_path, "r");

	if (!file)
		return 0;
	fseek(file, seen, SEEK_SET);
	while (fgets(line, sizeof line, file))
		n += strstr(line, "the header was ready") != NULL;
	seen = ftell(file);
	fclose(file);
	return n;
}

/* Each build is one: nothing comes from a cache. */
static struct compile_result build(
	const char *front, const char *source, const char *options, unsigned outputs)
{
	const struct compile_request request = { .source = source,
		.source_size = strlen(source),
		.options = options,
		.family = "tgllp",
		.outputs = outputs };
	struct compile_result result;

	test_setting("ZEROCL_CACHE", "0");
	test_setting("ZEROCL_FRONTEND", front);
	memset(&result, 0xa5, sizeof result);
	compile_build(&request, &result);
	return result;
}

static void assert_equal(
	const struct compile_result *fast, const struct compile_result *stock, const char *name)
{
	assert_int_not_equal(stock->status, COMPILE_CRASHED);
	if (fast->status != stock->status || strcmp(fast->log, stock->log) != 0)
		fail_msg("%s: status %d and the log\n%s\nnot %d and\n%s", name, fast->status,
			fast->log, stock->status, stock->log);
	if (fast->spirv_size != stock->spirv_size ||
		(stock->spirv && memcmp(fast->spirv, stock->spirv, stock->spirv_size) != 0))
		fail_msg("%s: another module", name);
	if (fast->native_size != stock->native_size ||
		(stock->native && memcmp(fast->native, stock->native, stock->native_size) != 0))
		fail_msg("%s: other native code", name);
}

#define MAX_BUILDS 128

/* The results of one front end for all sources; the helpers of the other one end meanwhile. */
struct run {
	struct compile_result results[MAX_BUILDS];
	size_t n;
};

static const char *const options[] = { "", "-cl-std=CL3.0 -cl-fast-relaxed-math",
	"-cl-std=CL2.0 -DUNHEARD_OF=3", "-cl-unsafe-math-optimizations -cl-no-signed-zeros",
	"-cl-std=CL3.0 -cl-opt-disable", "-cl-denorms-are-zero -cl-single-precision-constant",
	"-cl-mad-enable -cl-fp32-correctly-rounded-divide-sqrt" };
#define N_OPTIONS (sizeof options / sizeof *options)

static const char *const folders[] = { "tests/eu/corpus", "kernels/samples", "kernels/bench" };

/* Builds each source with one of the options in turn; of all, those of one folder natively too. */
static void run_corpus(const char *front, struct run *run)
{
	for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
		char folder[512], path[1024];
		struct dirent **names;

		snprintf(folder, sizeof folder, "%s/%s", SOURCE_FOLDER, folders[f]);
		int n = scandir(folder, &names, NULL, alphasort);
		assert_true(n > 0);
		for (int i = 0; i < n; i++) {
			snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
			if (strstr(names[i]->d_name, ".cl") && run->n < MAX_BUILDS) {
				char *source = test_read_file(path, NULL);
				run->results[run->n] = build(
					front, source, options[run->n % N_OPTIONS], COMPILE_SPIRV);
				run->n++;
				free(source);
			}
			free(names[i]);
		}
		free(names);
	}
}

static void corpus_gives_equal_modules(void **state)
{
	static struct run stock, fast;
	char name[32];
	size_t good = 0;

	(void)state;
	count_fast();
	run_corpus("stock", &stock);
	assert_int_equal(count_fast(), 0);
	run_corpus("fast", &fast);
	assert_int_equal(fast.n, stock.n);
	assert_true(stock.n > 20);
	for (size_t i = 0; i < stock.n; i++) {
		snprintf(name, sizeof name, "source %zu", i);
		assert_equal(&fast.results[i], &stock.results[i], name);
		good += stock.results[i].status == COMPILE_OK && !*stock.results[i].log;
		compile_result_finish(&stock.results[i]);
		compile_result_finish(&fast.results[i]);
	}
	/* All but those with something to say. */
	assert_true(count_fast() >= good);
	assert_true(good > 10);
}

static void native_code_is_equal(void **state)
{
	static const char source[] =
		"kernel void k(global float *a, global const int *b, local int *l, float16 v)\n"
		"{\n\tsize_t i = get_global_id(0);\n\tl[get_local_id(0)] = b[i];\n"
		"\tbarrier(CLK_LOCAL_MEM_FENCE);\n"
		"\ta[i] = sin(a[i]) + l[0] + sub_group_reduce_add(b[i]) + dot(v.lo.lo, v.hi.hi);\n"
		"\tprintf(\"%d\\n\", b[i]);\n}\n"
		"kernel void p(read_only image2d_t i, sampler_t s, global float4 *o)\n"
		"{ o[0] = read_imagef(i, s, (float2)(0.5f, 0.25f)); }\n";
	const unsigned both = COMPILE_SPIRV | COMPILE_NATIVE;
	struct compile_result stock = build("stock", source, "-cl-std=CL3.0", both);
	struct compile_result fast = build("fast", source, "-cl-std=CL3.0", both);

	(void)state;
	assert_string_equal(stock.log, "");
	assert_int_equal(stock.status, COMPILE_OK);
	assert_int_equal(count_fast(), 1);
	assert_equal(&fast, &stock, "fast");
	compile_result_finish(&stock);
	compile_result_finish(&fast);
}

/* Ends the helpers: what one of them found missing it does not look for again. */
static void restart(void)
{
	struct compile_helper *helper;
	pid_t pids[64];
	char *why;

	while (compile_helper_pids(pids, 64)) {
		assert_int_equal(compile_helper_acquire(false, -1, &helper, &why), COMPILE_OK);
		compile_helper_release(helper, false);
	}
}

static bool is_header(const struct compile_cache_entry *entry, void *found)
{
	*(bool *)found |= entry->is_sound && !strncmp(entry->title, "header ", 7);
	return false;
}

/* The header for options for which none is installed is compiled beside the first build. */
static void other_headers_are_compiled(void **state)
{
	static const char unusual[] = "-cl-std=CL3.0 -cl-finite-math-only";
	char folder[256], source[96];
	bool found = false;

	(void)state;
	restart();
	test_setting("ZEROCL_CACHE_DIR", top);
	count_fast();
	for (int i = 0; i < 2; i++) {
		snprintf(source, sizeof source, "kernel void k(global int *a) { a[0] = %d; }", i);
		const struct compile_request request = { .source = source,
			.source_size = strlen(source),
			.options = unusual,
			.family = "tgllp",
			.outputs = COMPILE_SPIRV };
		struct compile_result result;

		test_setting("ZEROCL_FRONTEND", "fast");
		test_setting("ZEROCL_CACHE", NULL);
		assert_int_equal(compile_build(&request, &result), COMPILE_OK);
		compile_result_finish(&result);
		assert_int_equal(count_fast(), i);
		while (!found)
			compile_cache_each(is_header, &found, folder, sizeof folder);
		restart();
	}
	test_setting("ZEROCL_CACHE_DIR", NULL);
}

/* What programs may do to the header, and what the compiler says about them. */
static void words_and_macros_are_the_stock_ones(void **state)
{
	static const struct {
		const char *source, *options;
		bool is_fast; /* nothing stands against it */
	} rows[] = {
		{ "kernel void k(global int *a) { a[0] = HOW_MANY; }", "-DHOW_MANY=7", true },
		{ "kernel void k(global int *a) { a[0] = HOW_MANY; }", "-D HOW_MANY=8 -I /tmp",
			true },
		{ "kernel void k(global int *a) { a[0] = HOW_MANY; }", "-DHOW_MANY=\"1 + 2\"",
			true },
		{ "kernel void k(global int *a) { a[0] = HOW_MANY; }", "", false },
		{ "kernel void k(global int *a) { a[0] = 1 }", "", false },
		{ "\n\nkernel void k(global int *a) { int b; a[0] = nope(b); }", "", false },
		{ "kernel void k(global int *a) { int b[2]; a[0] = b[7]; }", "", false },
		{ "kernel void k(global int *a) { int b[2]; a[0] = b[7]; }", "-w", true },
		{ "kernel void k(global int *a) { int b[2]; a[0] = b[7]; }", "-Werror", false },
		{ "#define M_PI 3\nkernel void k(global float *a) { a[0] = M_PI; }", "", false },
		{ "kernel void k(global float *a) { a[0] = M_PI; }", "-DM_PI=3", false },
		{ "kernel void k(global float *a) { a[0] = cos(1.0f); }", "-Dcos=sin", false },
		{ "float cos(float x) { return 2; }\nkernel void k(global float *a) { a[0] = "
		  "cos(1.0f); }",
			"", false },
		{ "kernel void k(global int *a) { a[0] = __OPENCL_C_VERSION__; }", "-cl-std=CL2.0",
			true },
		{ "kernel void k(global int *a) { a[0] = __OPENCL_C_VERSION__; }", "-cl-std=CL3.0",
			true },
		{ "kernel void k(global int *a) { a[0] = __LINE__ + __COUNTER__; }", "", true },
		{ "#ifdef __FAST_RELAXED_MATH__\nkernel void k() {}\n#endif",
			"-cl-fast-relaxed-math", true },
		{ "#include \"opencl-c.h\"\nkernel void k() {}", "", true },
		{ "#include \"nowhere.h\"\nkernel void k() {}", "", false },
		{ "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(global half *a) { "
		  "a[0] *= a[1]; }",
			"", true },
		{ "kernel void k(global double *a) { a[0] = 1.5; }", "", false },
		{ "kernel void k(global int *a) { a[0] = 1; }", "-g", false },
		{ "", "", true },
	};
	struct compile_result stock[sizeof rows / sizeof *rows];
	const size_t n = sizeof rows / sizeof *rows;

	(void)state;
	for (size_t i = 0; i < n; i++)
		stock[i] = build("stock", rows[i].source, rows[i].options, COMPILE_SPIRV);
	for (size_t i = 0; i < n; i++) {
		struct compile_result fast;

		for (int k = 0; k < 2; k++) {
			count_fast();
			fast = build("fast", rows[i].source, rows[i].options, COMPILE_SPIRV);
			assert_equal(&fast, &stock[i], rows[i].source);
			compile_result_finish(&fast);
		}
		if (count_fast() != rows[i].is_fast)
			fail_msg("%s, %s: built in the other way", rows[i].source, rows[i].options);
		compile_result_finish(&stock[i]);
	}
}

static void options_that_the_header_depends_on(void **state)
{
	static const struct clang_pch_text texts[] = { { "#ifdef FOO\nint BAR;", 18 },
		{ "BAZ", 3 } };
	static const struct {
		const char *options, *kept; /* NULL: the stock way */
	} rows[] = {
		{ "", "" },
		{ "-cl-std=CL3.0  -w", "-cl-std=CL3.0 " },
		{ "-DA -cl-finite-math-only -D B=FOO -I x -Iy", "-cl-finite-math-only " },
		{ "-cl-mad-enable -cl-fast-relaxed-math -cl-intel-x", "-cl-intel-x " },
		{ "-DFOOT -DFO -DAR=\"1 2\"", "" },
		{ "-DFOO", NULL },
		{ "-D BAR=2", NULL },
		{ "-D\"BAZ=1\"", NULL },
		{ "-DBAZ(x)=x", NULL },
		{ "-D1", NULL },
		{ "-D", NULL },
		{ "-DA=\"1", NULL },
		{ "\"-DFOO\"", NULL },
		{ "-DA=\\\"b\\\"", NULL },
		{ "-g", NULL },
		{ "-gline-tables-only", NULL },
		{ "-s x.cl", NULL },
	};
	char kept[128];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		memset(kept, 0xa5, sizeof kept);
		bool ok = clang_pch_options(rows[i].options, texts, 2, kept);
		if (ok != (rows[i].kept != NULL) || (ok && strcmp(kept, rows[i].kept) != 0))
			fail_msg("%s: %d, %s", rows[i].options, ok, ok ? kept : "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_that_the_header_depends_on),
		cmocka_unit_test(native_code_is_equal),
		cmocka_unit_test(other_headers_are_compiled),
		cmocka_unit_test(words_and_macros_are_the_stock_ones),
		cmocka_unit_test(corpus_gives_equal_modules),
	};

	return cmocka_run_group_tests_name("clang_pch", tests, start, end);
}
