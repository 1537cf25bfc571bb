// SPDX-License-Identifier: MIT
#include "test.h"

#include "l0/l0_choose.h"
#include "test_files.h"
#include "test_settings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[TEST_FOLDER_MAX], dev[96], sys[96];

static void add_node(unsigned node, const char *vendor)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/renderD%u", dev, node);
	test_write_text(path, "");
	snprintf(path, sizeof(path), "%s/renderD%u", sys, node);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/renderD%u/device", sys, node);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/renderD%u/device/vendor", sys, node);
	test_write_text(path, vendor);
}

static void add_device(unsigned node, const char *id, const char *driver)
{
	char path[PATH_MAX], to[PATH_MAX];

	snprintf(path, sizeof(path), "%s/renderD%u/device/device", sys, node);
	test_write_text(path, id);
	snprintf(path, sizeof(path), "%s/renderD%u/device/driver", sys, node);
	snprintf(to, sizeof(to), "../../../bus/pci/drivers/%s", driver);
	assert_int_equal(symlink(to, path), 0);
}

static int setup(void **state)
{
	(void)state;
	test_folder_make(root, "choose");
	snprintf(dev, sizeof(dev), "%s/dri", root);
	snprintf(sys, sizeof(sys), "%s/drm", root);
	assert_int_equal(mkdir(dev, 0700), 0);
	assert_int_equal(mkdir(sys, 0700), 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return test_folder_remove(root);
}

static void no_node(void **state)
{
	char text[512];

	(void)state;
	assert_false(l0_choose_render_node(dev, sys, text, sizeof(text)));
	assert_non_null(strstr(text, "has no render node"));
	assert_false(l0_choose_render_node("/nonexistent", sys, text, sizeof(text)));
	assert_non_null(strstr(text, "has no render node"));
}

static void only_others(void **state)
{
	char text[512];

	(void)state;
	add_node(128, "0x1002\n");
	add_node(129, "0x10de\n");
	assert_false(l0_choose_render_node(dev, sys, text, sizeof(text)));
	assert_non_null(strstr(text, "2 render nodes, none of an Intel GPU"));
}

static void an_intel_gpu_behind_another(void **state)
{
	char text[512];

	(void)state;
	add_node(128, "0x1002\n");
	add_node(130, "0x8086\n");
	assert_true(l0_choose_render_node(dev, sys, text, sizeof(text)));
	assert_non_null(
		strstr(text, "renderD130 is an Intel GPU (8086:0000, kernel driver unknown)"));
	add_device(130, "0x64a0\n", "xe");
	assert_true(l0_choose_render_node(dev, sys, text, sizeof(text)));
	assert_non_null(strstr(text, "renderD130 is an Intel GPU (8086:64a0, kernel driver xe)"));
}

static void no_permission(void **state)
{
	char text[512], path[PATH_MAX];

	(void)state;
	add_node(128, "0x8086\n");
	snprintf(path, sizeof(path), "%s/renderD128", dev);
	assert_int_equal(chmod(path, 0), 0);
	bool opened = l0_choose_render_node(dev, sys, text, sizeof(text));
	if (!geteuid()) {
		/* nothing is forbidden to root; a directory cannot be opened for writing even so */
		unlink(path);
		assert_int_equal(mkdir(path, 0700), 0);
		assert_false(l0_choose_render_node(dev, sys, text, sizeof(text)));
		assert_non_null(strstr(text, "cannot be opened"));
		return;
	}
	assert_false(opened);
	assert_non_null(strstr(text, "group render"));
}

/* A node that cannot be opened hides none behind it, and is not forgotten for those of others. */
static void one_of_two_opens(void **state)
{
	char text[512], path[PATH_MAX];

	(void)state;
	add_node(128, "0x8086\n");
	add_node(129, "0x10de\n");
	snprintf(path, sizeof(path), "%s/renderD128", dev);
	unlink(path);
	assert_int_equal(mkdir(path, 0700), 0); /* which nobody can open for writing */
	assert_false(l0_choose_render_node(dev, sys, text, sizeof(text)));
	assert_non_null(strstr(text, "renderD128"));
	assert_non_null(strstr(text, "cannot be opened"));
	add_node(131, "0x8086\n");
	assert_true(l0_choose_render_node(dev, sys, text, sizeof(text)));
	assert_non_null(strstr(text, "renderD131 is an Intel GPU"));
}

static void a_bad_wish_is_refused(void **state)
{
	struct l0_choice choice;

	(void)state;
	test_setting("ZEROCL_DEVICE", "fpga");
	assert_false(l0_choose(&choice));
	assert_non_null(strstr(choice.failure, "ZEROCL_DEVICE=fpga"));
	test_setting("ZEROCL_DEVICE", "gpu");
	assert_true(l0_choose(&choice));
	assert_false(choice.is_virtual);
	assert_string_equal(choice.wanted, "gpu");
	assert_null(choice.vgpu.take_fault);
	test_setting("ZEROCL_DEVICE", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(no_node, setup, teardown),
		cmocka_unit_test_setup_teardown(only_others, setup, teardown),
		cmocka_unit_test_setup_teardown(an_intel_gpu_behind_another, setup, teardown),
		cmocka_unit_test_setup_teardown(no_permission, setup, teardown),
		cmocka_unit_test_setup_teardown(one_of_two_opens, setup, teardown),
		cmocka_unit_test(a_bad_wish_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
