// SPDX-License-Identifier: MIT
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test_files.h"
#include "util/util_settings.h"

enum { NOT_PRIVILEGED = 77 }; /* the file system does not let programs have another's rights */

/* Every variable of the table, with what a value makes of its member. */
static void each_variable_is_read(void **state)
{
	(void)state;
#define SETTING(member, name, kind) setenv(name, "7", 1);
#include "util/util_settings.def"
#undef SETTING
	util_settings_read();
#define TEXT(value)		    assert_string_equal(value, "7")
#define PATH(value)		    assert_string_equal(value, "7")
#define NUMBER(value)		    assert_int_equal(value, 7)
#define FLAG(value)		    assert_true(value)
#define SETTING(member, name, kind) kind(util_settings()->member);
#include "util/util_settings.def"
#undef SETTING
#undef TEXT
#undef PATH
#undef NUMBER
#undef FLAG
}

static void unset_and_empty_are_the_same(void **state)
{
	(void)state;
#define SETTING(member, name, kind) setenv(name, "", 1);
#include "util/util_settings.def"
#undef SETTING
	util_settings_read();
#define SETTING(member, name, kind) assert_false(util_settings()->member);
#include "util/util_settings.def"
#undef SETTING
	setenv("ZEROCL_VGPU_NULL", "0", 1);
	util_settings_read();
	assert_false(util_settings()->null_execution);
}

/* What the table says of a program holds where the environment says nothing. */
static void programs_have_settings(void **state)
{
	char *const name = program_invocation_short_name;

	(void)state;
	setenv("ZEROCL_PLATFORM_NAME", "", 1);
	util_settings_read();
	assert_null(util_settings()->platform_name);
	program_invocation_short_name = (char[]){ "darktable-cli" };
	util_settings_read();
	assert_string_equal(util_settings()->platform_name, "Intel(R) OpenCL Graphics");
	assert_null(util_settings()->platform_vendor);
	setenv("ZEROCL_PLATFORM_NAME", "another", 1);
	util_settings_read();
	assert_string_equal(util_settings()->platform_name, "another");
	program_invocation_short_name = name;
	unsetenv("ZEROCL_PLATFORM_NAME");
	util_settings_read();
}

/* Each row sets one of our variables. */
static void quirks_are_of_settings(void **state)
{
	static const char *const variables[] = {
#define QUIRK(program, variable, value) variable,
#include "util/util_quirk.def"
#undef QUIRK
	};
	static const char *const known[] = {
#define SETTING(member, name, kind) name,
#include "util/util_settings.def"
#undef SETTING
	};

	(void)state;
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		size_t k = 0;

		while (k < sizeof known / sizeof *known && strcmp(known[k], variables[i]))
			k++;
		assert_true(k < sizeof known / sizeof *known);
		assert_int_equal(strncmp(variables[i], "ZEROCL_", 7), 0);
	}
}

/* The environment is not looked at until the next util_settings_read. */
static void settings_stay_as_they_were_read(void **state)
{
	(void)state;
	setenv("ZEROCL_VGPU_ENGINE", "base", 1);
	util_settings_read();
	const struct util_settings *before = util_settings();
	setenv("ZEROCL_VGPU_ENGINE", "avx2", 1);
	assert_ptr_equal(util_settings(), before);
	util_settings_read();
	assert_string_equal(util_settings()->engine, "avx2");
	assert_string_equal(before->engine, "base");
}

static void lists_have_whole_words(void **state)
{
	(void)state;
	assert_true(util_settings_lists("packets,walkers", "walkers"));
	assert_true(util_settings_lists("packets", "packets"));
	assert_false(util_settings_lists("packets2,walkers", "packets"));
	assert_false(util_settings_lists("", "packets"));
	assert_false(util_settings_lists(NULL, "packets"));
}

/* Runs a copy of this program that is another user's and has that user's rights. */
static void privileged_programs_have_no_paths(void **state)
{
	char folder[TEST_FOLDER_MAX], program[TEST_FOLDER_MAX + 8], command[256];
	size_t size;

	(void)state;
	skip_if(geteuid() != 0);
	test_folder_make(folder, "settings");
	snprintf(program, sizeof program, "%s/test", folder);
	void *data = test_read_file("/proc/self/exe", &size);
	test_write_file(program, data, size);
	free(data);
	assert_int_equal(chmod(folder, 0755), 0);
	assert_int_equal(chown(program, 65534, 65534), 0);
	assert_int_equal(chmod(program, 04755), 0);
	snprintf(command, sizeof command, "%s privileged", program);
	int status = system(command);
	assert_int_equal(test_folder_remove(folder), 0);
	skip_if(WEXITSTATUS(status) == NOT_PRIVILEGED);
	assert_int_equal(status, 0);
}

/* What that copy does: 0 when every path is ignored and nothing else is. */
static int check_privileged(void)
{
	if (getauxval(AT_SECURE) == 0)
		return NOT_PRIVILEGED;
#define SETTING(member, name, kind) setenv(name, "7", 1);
#include "util/util_settings.def"
#undef SETTING
	util_settings_read();
#define TEXT   false
#define NUMBER false
#define FLAG   false
#define PATH   true
#define SETTING(member, name, kind)                                                                \
	if ((util_settings()->member ? false : true) != (kind))                                    \
		return 1;
#include "util/util_settings.def"
#undef SETTING
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "privileged"))
		return check_privileged();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_variable_is_read),
		cmocka_unit_test(unset_and_empty_are_the_same),
		cmocka_unit_test(programs_have_settings),
		cmocka_unit_test(quirks_are_of_settings),
		cmocka_unit_test(settings_stay_as_they_were_read),
		cmocka_unit_test(lists_have_whole_words),
		cmocka_unit_test(privileged_programs_have_no_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
