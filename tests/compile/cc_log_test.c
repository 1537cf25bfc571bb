// SPDX-License-Identifier: MIT
#include "test.h"

#include "compile/cc/cc_log.h"

#include <string.h>

static void logs_are_cleaned(void **state)
{
	static const struct {
		const char *from, *to;
	} logs[] = {
		{ "", "" },
		{ "\n\n", "" },
		{ "Build succeeded.\n", "" },
		{ "37:2:5: error: no\n x\n ^\n\nBuild failed with error code: -11\nCommand was: "
		  "ocloc\n",
			"1:2:5: error: no\n x\n ^\n" },
		{ "12:1:1: warning: w\n", "1:1:1: warning: w\n" },
		{ "12:1:1: fatal error: w", "1:1:1: fatal error: w" },
		{ "Compilation from IR - skipping loading of FCL\n\nerror: Block reads\n",
			"error: Block reads\n" },
		{ "In file included from 4:1:\n./a.h:2:17: error: x\n",
			"In file included from 1:1:\n./a.h:2:17: error: x\n" },
		{ "In file included from 45:1:\nIn file included from ./a.h:3:\n./b.h:1:1: note: "
		  "x\n",
			"In file included from 1:1:\nIn file included from ./a.h:3:\n./b.h:1:1: "
			"note: x\n" },
		/* What a diagnostic quotes from the source stays. */
		{ "3:1:1: error: x\n9:9:9: oddly written source\nconst char *s = \"Build "
		  "succeeded.\"\n",
			"1:1:1: error: x\n9:9:9: oddly written source\nconst char *s = \"Build "
			"succeeded.\"\n" },
		{ "12:34\n12:\n12\n:::\n", "12:34\n12:\n12\n:::\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
		char log[512];
		size_t size = strlen(logs[i].from);
		memcpy(log, logs[i].from, size);
		memset(log + size, '#', sizeof log - size);
		size = cc_log_clean(log, size);
		assert_true(size < sizeof log);
		log[size] = '\0';
		assert_string_equal(log, logs[i].to);
	}
}

static void unknown_options_are_seen(void **state)
{
	static const char yes[] = "x\nUnrecognized build options: -foo\n";
	static const char no[] = "the text \"Unrecognized build options: -foo\"\n";

	(void)state;
	assert_true(cc_log_bad_options(yes, strlen(yes)));
	assert_false(cc_log_bad_options(no, strlen(no)));
	assert_false(cc_log_bad_options(yes, 10));
	assert_false(cc_log_bad_options("", 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(logs_are_cleaned),
		cmocka_unit_test(unknown_options_are_seen),
	};

	return cmocka_run_group_tests_name("compile_log", tests, NULL, NULL);
}
