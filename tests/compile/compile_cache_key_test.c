// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/cache/compile_cache.h"
#include "compile/cache/compiler_fingerprint.h"

#include "test_files.h"
#include "test_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What names an entry: everything that can change what the compiler makes. */

static const char identity[] = "aa\t1 2 3\t/lib/one\nbb\t4 5 6\t/lib/two\n";
static char top[TEST_FOLDER_MAX];

static int start(void **state)
{
	(void)state;
	test_folder_make(top, "key");
	return chdir(top);
}

static int end(void **state)
{
	(void)state;
	return chdir("/") || test_folder_remove(top);
}

static struct compile_request make_request(const char *text, const char *options)
{
	return (struct compile_request){ .source = text,
		.source_size = strlen(text),
		.options = options,
		.family = "tgllp",
		.outputs = COMPILE_NATIVE };
}

static struct compile_cache_key name(const struct compile_request *request)
{
	struct compile_cache_key key;

	memset(&key, 0xa5, sizeof key);
	assert_true(compile_cache_name(request, identity, &key));
	return key;
}

static bool is_same(const struct compile_request *a, const struct compile_request *b)
{
	struct compile_cache_key one = name(a), two = name(b);

	return !memcmp(one.bytes, two.bytes, sizeof one.bytes);
}

static void known_hashes(void **state)
{
	static const struct {
		const char *text, *digest;
	} rows[] = {
		{ "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
		{ "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
		{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
			"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
	};
	unsigned char digest[COMPILE_HASH_SIZE];
	char text[COMPILE_HASH_TEXT];
	struct sha256_ctx hash;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		/* In one go and byte by byte. */
		for (size_t step = 1; step <= 64; step += 21) {
			sha256_init(&hash);
			for (size_t at = 0, size = strlen(rows[i].text); at < size; at += step)
				sha256_update(&hash, size - at < step ? size - at : step,
					(const uint8_t *)(rows[i].text + at));
			sha256_digest(&hash, COMPILE_HASH_SIZE, digest);
			compile_hash_write(digest, text);
			assert_string_equal(text, rows[i].digest);
		}
	}
}

static void everything_counts(void **state)
{
	const struct compile_header headers[] = { { "a.h", "int a;", 6 }, { "b.h", "int b;", 6 } };
	const struct compile_header other[] = { { "a.h", "int a;i", 7 }, { "b.h", "nt b;", 5 } };
	const struct compile_request base = make_request("kernel void k() {}", "-w");
	struct compile_request changed;

	(void)state;
	assert_true(is_same(&base, &base));
#define CHANGE(field, value)                                                                       \
	changed = base;                                                                            \
	changed.field = value;                                                                     \
	assert_false(is_same(&base, &changed))
	CHANGE(source_size, 17);
	CHANGE(options, "");
	CHANGE(options, NULL);
	CHANGE(options, "-w ");
	CHANGE(family, "icllp");
	CHANGE(outputs, COMPILE_NATIVE | COMPILE_SPIRV);
	CHANGE(extensions, "cl_khr_fp16");
	CHANGE(features, "__opencl_c_images");
	changed = base;
	changed.headers = headers;
	changed.n_headers = 2;
	assert_false(is_same(&base, &changed));
	/* The same bytes in other pieces. */
	struct compile_request again = changed;
	again.headers = other;
	assert_false(is_same(&again, &changed));
	/* SPIR-V of the same bytes as the source. */
	changed = base;
	changed.spirv = base.source;
	changed.spirv_size = base.source_size;
	changed.source = NULL;
	assert_false(is_same(&base, &changed));
}

static void compiler_and_its_variables_count(void **state)
{
	const struct compile_request base = make_request("kernel void k() {}", "");
	struct compile_cache_key one = name(&base), two;

	(void)state;
	assert_true(compile_cache_name(&base, "aa\t1 2 3\t/lib/one\nbc\t4 5 6\t/lib/two\n", &two));
	assert_memory_not_equal(one.bytes, two.bytes, sizeof one.bytes);
	/* Elsewhere but the same build. */
	assert_true(compile_cache_name(&base, "aa\t9 2 3\t/usr/one\nbb\t4 5 6\t/lib/two\n", &two));
	assert_memory_equal(one.bytes, two.bytes, sizeof one.bytes);
	/* Without a build id its size and times are all there is. */
	struct compile_cache_key three;
	assert_true(compile_cache_name(&base, "-\t9 2 3\t/usr/one\n", &two));
	assert_true(compile_cache_name(&base, "-\t9 2 4\t/usr/one\n", &three));
	assert_memory_not_equal(three.bytes, two.bytes, sizeof two.bytes);
	setenv("IGC_EnableDPEmulation", "1", 1);
	two = name(&base);
	assert_memory_not_equal(one.bytes, two.bytes, sizeof one.bytes);
	unsetenv("IGC_EnableDPEmulation");
}

/* However the directive is written. */
static void sources_that_include_have_no_name(void **state)
{
	static const char *const texts[] = {
		"#include \"h.h\"",
		"  #  include\t\"h.h\"",
		"#inc\\\nlude \"h.h\"",
		"#inc\\  \r\nlude \"h.h\"",
		"/* a\n*/ # /* b */ include /* c */ <./h.h>",
		"%:include \"h.h\"",
		"\?\?=include \"h.h\"",
		"#if 0\n#include \"h.h\"\n#endif",
		"#import \"h.h\"",
		"#include_next \"h.h\"",
		"#define H \"h.h\"\n#include H",
	};
	struct compile_cache_key key;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const struct compile_request request = make_request(texts[i], "");
		if (compile_cache_name(&request, identity, &key))
			fail_msg("%s", texts[i]);
	}
	/* Words that are none. */
	const struct compile_request none =
		make_request("#pragma x\n#define include 1\n// to be included in all copies\n", "");
	assert_true(compile_cache_name(&none, identity, &key));
}

static void unknowable_sources_have_no_name(void **state)
{
	static const char *const texts[] = {
		"int t = __TIME__;",
		"constant char d[] = __DATE__;",
		"__TIME\\\nSTAMP__",
		"#if __has_include(\"h.h\")\n#endif",
	};
	struct compile_cache_key key;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const struct compile_request request = make_request(texts[i], "");
		assert_false(compile_cache_name(&request, identity, &key));
	}
	struct compile_request request = make_request("kernel void k() {}", "-DT=__DATE__");
	assert_false(compile_cache_name(&request, identity, &key));
	request.options = "-g -s file.cl";
	assert_false(compile_cache_name(&request, identity, &key));
}

static void identity_follows_the_files(void **state)
{
	char *own = compiler_fingerprint_create();

	(void)state;
	assert_non_null(own);
	assert_non_null(strstr(own, "libc.so"));
	assert_non_null(strstr(own, "compile_cache_key_test"));
	assert_true(compiler_fingerprint_is_current(own));
	free(own);
	assert_false(compiler_fingerprint_is_current(""));
	assert_false(compiler_fingerprint_is_current("garbage"));
	assert_false(compiler_fingerprint_was_current("garbage"));
	assert_false(compiler_fingerprint_is_current("aa\t1 2 3\t/nosuch\n"));
	/* A place where nothing is, and then something. */
	char folders[80];
	snprintf(folders, sizeof folders, "%s/lib:/nosuch", top);
	test_setting("LD_LIBRARY_PATH", folders);
	own = compiler_fingerprint_create();
	test_setting("LD_LIBRARY_PATH", NULL);
	assert_true(compiler_fingerprint_is_current(own));
	assert_true(compiler_fingerprint_was_current(own));
	mkdir("lib", 0700);
	assert_false(compiler_fingerprint_is_current(own));
	usleep(11000);
	assert_false(compiler_fingerprint_was_current(own));
	assert_false(compiler_fingerprint_was_current(own));
	free(own);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_hashes),
		cmocka_unit_test(everything_counts),
		cmocka_unit_test(compiler_and_its_variables_count),
		cmocka_unit_test(sources_that_include_have_no_name),
		cmocka_unit_test(unknowable_sources_have_no_name),
		cmocka_unit_test_setup_teardown(identity_follows_the_files, start, end),
	};

	return cmocka_run_group_tests_name("compile_cache_key", tests, NULL, NULL);
}
