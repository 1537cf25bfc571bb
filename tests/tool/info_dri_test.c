// SPDX-License-Identifier: MIT
#include "test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test_files.h"
#include "tool/machine/machine.h"

/* A machine made of files: <folder>/dri/<node> and <folder>/sys/<node>/device/{vendor,device}. */
struct machine {
	char folder[TEST_FOLDER_MAX];
	char dri[80];
	char sys[80];
	char *said;
	size_t size;
};

static void __attribute__((format(printf, 2, 3)))
write_to(const char *path, const char *format, ...)
{
	va_list arguments;
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	va_start(arguments, format);
	vfprintf(file, format, arguments);
	va_end(arguments);
	fclose(file);
}

static void add_node(const struct machine *m, const char *node, unsigned vendor, unsigned device)
{
	char path[192];

	snprintf(path, sizeof(path), "%s/%s", m->dri, node);
	write_to(path, " ");
	snprintf(path, sizeof(path), "%s/%s", m->sys, node);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/%s/device", m->sys, node);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/%s/device/vendor", m->sys, node);
	write_to(path, "0x%04x\n", vendor);
	snprintf(path, sizeof(path), "%s/%s/device/device", m->sys, node);
	write_to(path, "0x%04x\n", device);
}

static unsigned look(struct machine *m)
{
	free(m->said);
	FILE *file = open_memstream(&m->said, &m->size);
	assert_non_null(file);
	unsigned count = info_dri_print(file, m->dri, m->sys);
	fclose(file);
	return count;
}

static int setup(void **state)
{
	struct machine *m = calloc(1, sizeof(*m));

	assert_non_null(m);
	test_folder_make(m->folder, "dri");
	snprintf(m->dri, sizeof(m->dri), "%s/dri", m->folder);
	snprintf(m->sys, sizeof(m->sys), "%s/sys", m->folder);
	assert_int_equal(mkdir(m->sys, 0700), 0);
	*state = m;
	return 0;
}

static int teardown(void **state)
{
	struct machine *m = *state;
	int status = test_folder_remove(m->folder);

	free(m->said);
	free(m);
	return status;
}

static void says_what_there_is(void **state)
{
	struct machine *m = *state;

	assert_int_equal(look(m), 0);
	assert_non_null(strstr(m->said, "no GPU driver in the kernel"));
	assert_int_equal(mkdir(m->dri, 0700), 0);
	assert_int_equal(look(m), 0);
	assert_non_null(strstr(m->said, "no render node in"));
	add_node(m, "card0", 0x8086, 0x9a49);
	assert_int_equal(look(m), 0);
	add_node(m, "renderD129", 0x1002, 0x73bf);
	assert_int_equal(look(m), 0);
	assert_non_null(strstr(m->said, "1002:73bf, not Intel's"));
	add_node(m, "renderD128", 0x8086, 0x9a49);
	assert_int_equal(look(m), 1);
	assert_non_null(strstr(m->said, "8086:9a49, Intel's, kernel driver ?, can be opened"));
}

static void says_what_to_do_about_permissions(void **state)
{
	struct machine *m = *state;
	char path[192];

	assert_int_equal(mkdir(m->dri, 0755), 0);
	add_node(m, "renderD128", 0x8086, 0x3e92);
	snprintf(path, sizeof(path), "%s/renderD128", m->dri);
	assert_int_equal(chmod(path, 0), 0);
	bool is_root = geteuid() == 0;
	if (is_root) {
		assert_int_equal(chmod(m->folder, 0755), 0);
		assert_int_equal(chmod(m->sys, 0755), 0);
		snprintf(path, sizeof(path), "chmod -R a+rX '%s'", m->sys);
		assert_int_equal(system(path), 0);
		assert_int_equal(seteuid(65534), 0);
	}
	unsigned count = look(m);
	if (is_root)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(count, 0);
	assert_non_null(strstr(m->said, "permission denied: it belongs to group "));
	assert_non_null(strstr(m->said, "usermod -aG "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(says_what_there_is, setup, teardown),
		cmocka_unit_test_setup_teardown(says_what_to_do_about_permissions, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
