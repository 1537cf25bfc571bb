// SPDX-License-Identifier: MIT
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/machine/machine.h"

static void finds_libraries(void **state)
{
	char path[PATH_MAX];

	(void)state;
	assert_true(info_library_find("libm.so.6", path));
	assert_int_equal(path[0], '/');
	assert_int_equal(access(path, R_OK), 0);
	assert_false(info_library_find("libof-nobody.so.7", path));
	assert_non_null(strstr(path, "libof-nobody.so.7"));
}

static const char status_text[] = "Package: first\n"
				  "Status: install ok installed\n"
				  "Version: 1.2-3\n"
				  "\n"
				  "Package: gone\n"
				  "Status: deinstall ok config-files\n"
				  "Version: 9\n"
				  "\n"
				  "Package: second\n"
				  "Status: install ok installed\n"
				  "Depends: first, gone\n"
				  "Version: 4:5.6~rc1\n";

static void reads_versions(void **state)
{
	char path[64], version[32];

	(void)state;
	snprintf(path, sizeof(path), "%s/zerocl-status-XXXXXX", P_tmpdir);
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, status_text, strlen(status_text)), strlen(status_text));
	close(fd);
	assert_true(info_package_version(path, "first", version, sizeof(version)));
	assert_string_equal(version, "1.2-3");
	assert_true(info_package_version(path, "second", version, sizeof(version)));
	assert_string_equal(version, "4:5.6~rc1");
	assert_false(info_package_version(path, "gone", version, sizeof(version)));
	assert_false(info_package_version(path, "fir", version, sizeof(version)));
	unlink(path);
	assert_false(info_package_version(path, "first", version, sizeof(version)));
}

/* This test links none of them, and runs where the build has needed them. */
static void finds_parts(void **state)
{
	(void)state;
	for (unsigned i = 0; i < INFO_PARTS; i++) {
		char text[PATH_MAX + 512] = "";
		const char *what = NULL;

		bool found = info_part_find(i, &what, text, sizeof(text));
		assert_non_null(what);
		assert_true(found ? text[0] == '/' : !strncmp(text, "missing: ", 9));
		if (!found)
			assert_non_null(strstr(text, "; do: apt install "));
		if (!strcmp(what, "OpenCL loader"))
			assert_true(found && strstr(text, "libOpenCL.so.1"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_libraries),
		cmocka_unit_test(reads_versions),
		cmocka_unit_test(finds_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
