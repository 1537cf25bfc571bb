// SPDX-License-Identifier: MIT
#include "util/util_json.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test_files.h"

static const char *text_of(const char *text)
{
	static char written[256];
	FILE *file = fmemopen(written, sizeof written, "w");

	assert_non_null(file);
	util_json_text(file, text);
	fputc(0, file);
	fclose(file);
	return written;
}

static void texts(void **state)
{
	(void)state;
	assert_string_equal(text_of(""), "\"\"");
	assert_string_equal(text_of("a\"b\\c\n\x7f"), "\"a\\\"b\\\\c\\u000a\\u007f\"");
	assert_string_equal(text_of("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"),
		"\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"");
	/* Cut off, alone, too long, a surrogate, beyond the last character. */
	assert_string_equal(text_of("\xc3"), "\"\\ufffd\"");
	assert_string_equal(text_of("\xa4x"), "\"\\ufffdx\"");
	assert_string_equal(text_of("\xc0\x80"), "\"\\ufffd\\ufffd\"");
	assert_string_equal(text_of("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"");
	assert_string_equal(text_of("\xf5\x80\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
}

static bool put(const char *path, const char *text, int64_t *at)
{
	struct util_json_line line;

	util_json_line_open(&line);
	fputs(text, line.stream);
	return util_json_line_close(&line, path, at);
}

static void lines(void **state)
{
	char folder[TEST_FOLDER_MAX], path[TEST_FOLDER_MAX + 8];
	int64_t first = -1, second = -1;
	size_t size;

	(void)state;
	test_folder_make(folder, "json");
	snprintf(path, sizeof path, "%s/lines", folder);
	assert_true(put(path, "one", &first));
	assert_true(put(path, "two", NULL));
	assert_true(put(path, "three", &second));
	assert_int_equal(first, 0);
	assert_int_equal(second, 8);
	assert_true(put(path, "ONE", &first));
	assert_true(put(path, "THREE", &second));
	assert_true(put(path, "four", NULL));
	char *text = test_read_file(path, &size);
	assert_int_equal(size, strlen("ONE\ntwo\nTHREE\nfour\n"));
	assert_memory_equal(text, "ONE\ntwo\nTHREE\nfour\n", size);
	free(text);
	assert_int_equal(test_folder_remove(folder), 0);
	first = -1;
	assert_false(put(path, "lost", &first));
	assert_int_equal(first, -1);
}

/* What cannot be written over is appended each time. */
static void pipes(void **state)
{
	char path[64], text[16] = "";
	int ends[2];
	int64_t at = -1;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	snprintf(path, sizeof path, "/proc/self/fd/%d", ends[1]);
	assert_true(put(path, "a", &at));
	assert_int_equal(at, -1);
	assert_true(put(path, "b", &at));
	assert_int_equal(read(ends[0], text, sizeof text), 4);
	assert_memory_equal(text, "a\nb\n", 4);
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts),
		cmocka_unit_test(lines),
		cmocka_unit_test(pipes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
