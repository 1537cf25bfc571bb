// SPDX-License-Identifier: MIT
/* Checks of machines that are made of files. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "test_files.h"
#include "tool/machine/machine.h"

static char folder[TEST_FOLDER_MAX], dri[96], sys[96], vendors[96];
static char *said;
static size_t size;

static void put(const char *root, const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	test_write_text(path, text);
}

static void make(const char *root, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	assert_int_equal(mkdir(path, 0700), 0);
}

static void look(void)
{
	const struct doctor_roots roots = { dri, sys, vendors };
	FILE *file = open_memstream(&said, &size);

	doctor_machine(file, &roots);
	fclose(file);
}

/* One line begins with `verdict`, then `what`, and holds `text`. */
static void says(const char *verdict, const char *what, const char *text)
{
	char begin[64];

	snprintf(begin, sizeof(begin), "%-6s  %-19s ", verdict, what);
	for (const char *line = said; line && *line; line = strchr(line, '\n') + 1) {
		const char *at = strstr(line, text);

		if (!strncmp(line, begin, strlen(begin)) && at && at < strchr(line, '\n'))
			return;
	}
	fail_msg("no \"%s… %s\" in:\n%s", begin, text, said);
}

static int setup(void **state)
{
	(void)state;
	test_folder_make(folder, "doctor");
	snprintf(dri, sizeof(dri), "%s/dri", folder);
	snprintf(sys, sizeof(sys), "%s/sys", folder);
	snprintf(vendors, sizeof(vendors), "%s/vendors", folder);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	free(said);
	said = NULL;
	return test_folder_remove(folder);
}

static void an_empty_machine(void **state)
{
	(void)state;
	look();
	says("remark", "render node", "no GPU driver in the kernel");
	says("remark", "ICD of a loader", "none names libzerocl.so.1");
	says("ok", "Level Zero loader", "/libze_loader.so");
}

static void a_machine_with_all(void **state)
{
	(void)state;
	make(folder, "dri");
	make(folder, "sys");
	make(folder, "vendors");
	make(sys, "renderD128");
	make(sys, "renderD128/device");
	put(dri, "renderD128", "");
	put(sys, "renderD128/device/vendor", "0x8086\n");
	put(sys, "renderD128/device/device", "0x56a0\n");
	put(dri, "renderD129", "");
	put(vendors, "good.icd", "libc.so.6\n");
	put(vendors, "bad.icd", "libnothing-of-that-name.so\n");
	put(vendors, "empty.icd", "");
	put(vendors, "zerocl.icd", LIBRARY "\n");
	put(vendors, "note.txt", "libnothing.so\n");
	look();
	says("ok", "render node", "8086:56a0");
	says("remark", "render node", "not Intel's");
	says("ok", "ICD of a loader", "good.icd: libc.so.6");
	says("remark", "ICD of a loader",
		"bad.icd: libnothing-of-that-name.so, which cannot be loaded");
	says("remark", "ICD of a loader", "empty.icd: names no library");
	says("ok", "ICD of a loader", "zerocl.icd: " LIBRARY);
	assert_null(strstr(said, "note.txt"));
	assert_null(strstr(said, "zerocl run"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_empty_machine, setup, teardown),
		cmocka_unit_test_setup_teardown(a_machine_with_all, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
