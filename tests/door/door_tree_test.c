// SPDX-License-Identifier: MIT
#include "test.h"

#include <errno.h>
#include <string.h>

#include "door/door_tree.h"

#define PCI "/sys/devices/pci0000:00/0000:00:02.0"

static void resolves(void **state)
{
	static const struct {
		const char *path;
		bool follow;
		enum door_place place;
		int error;
		const char *canonical;
	} cases[] = {
		{ "/dev/dri", true, DOOR_PRESENT, 0, "/dev/dri" },
		{ "//dev/./dri//", true, DOOR_PRESENT, 0, "/dev/dri" },
		{ "/dev/dri/by-path/../renderD128", true, DOOR_PRESENT, 0, "/dev/dri/renderD128" },
		{ "/dev/dri/by-path/pci-0000:00:02.0-card", true, DOOR_PRESENT, 0,
			"/dev/dri/card0" },
		{ "/dev/dri/by-path/pci-0000:00:02.0-card", false, DOOR_PRESENT, 0,
			"/dev/dri/by-path/pci-0000:00:02.0-card" },
		{ "/dev/dri/card0/", true, DOOR_ABSENT, -ENOTDIR, NULL },
		{ "/dev/dri/card0/x", true, DOOR_ABSENT, -ENOTDIR, NULL },
		{ "/dev/dri/card0/..", true, DOOR_ABSENT, -ENOTDIR, NULL },
		{ "/dev/dri/card1", true, DOOR_ABSENT, -ENOENT, NULL },
		{ "/dev/dri/nothing/..", true, DOOR_ABSENT, -ENOENT, NULL },
		{ "/dev/drift", true, DOOR_ELSEWHERE, 0, NULL },
		{ "/dev/null", true, DOOR_ELSEWHERE, 0, NULL },
		{ "/sys", true, DOOR_ELSEWHERE, 0, NULL },
		{ "/", true, DOOR_ELSEWHERE, 0, NULL },
		{ "", true, DOOR_ELSEWHERE, 0, NULL },
		{ "dev/dri", true, DOOR_ELSEWHERE, 0, NULL },
		{ NULL, true, DOOR_ELSEWHERE, 0, NULL },
		{ "/sys/dev/char/226:128", true, DOOR_PRESENT, 0, PCI "/drm/renderD128" },
		{ "/sys/dev/char/226:129", true, DOOR_ABSENT, -ENOENT, NULL },
		{ "/sys/dev/char/1:3", true, DOOR_ELSEWHERE, 0, NULL },
		{ "/sys/class/drm/card0/device/device", true, DOOR_PRESENT, 0, PCI "/device" },
		{ "/sys/class/drm/../../devices/pci0000:00/0000:00:02.0/drm/renderD128/device//"
		  "vendor",
			true, DOOR_PRESENT, 0, PCI "/vendor" },
		{ "/sys/bus/pci/devices/0000:00:02.0/drm", true, DOOR_PRESENT, 0, PCI "/drm" },
		{ "/sys/bus/pci/devices/0000:00:02.0/driver", true, DOOR_PRESENT, 0,
			"/sys/bus/pci/drivers/i915" },
		{ "/sys/class/drm/card0/prelim_uapi_version", true, DOOR_ABSENT, -ENOENT, NULL },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct door_node *node = NULL;
		char canonical[PATH_MAX] = "";
		int error = 0;
		enum door_place place =
			door_tree_find(cases[i].path, cases[i].follow, &node, &error, canonical);
		if (place != cases[i].place || (place == DOOR_ABSENT && error != cases[i].error) ||
			(cases[i].canonical && strcmp(canonical, cases[i].canonical)))
			fail_msg("%s: place %d, error %d, \"%s\"", cases[i].path, place, error,
				canonical);
	}
}

static void leaves(void **state)
{
	static const struct {
		const char *path, *expected;
	} cases[] = {
		{ "/dev/dri/..", "/dev" },
		{ "/dev/dri/../..", "/" },
		{ "/dev/dri/by-path/../../null", "/dev/null" },
		{ "/dev/dri/../dri", NULL },
		{ "/dev/dri", NULL },
		{ "/dev/../etc", NULL },
		{ "/usr/..", NULL },
		{ "/dev/dri/nothing/../..", NULL },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		char canonical[PATH_MAX] = "";
		bool out = door_tree_leaves(cases[i].path, canonical);
		assert_int_equal(out, cases[i].expected != NULL);
		if (out)
			assert_string_equal(canonical, cases[i].expected);
	}
}

static void too_long(void **state)
{
	static char path[2 * PATH_MAX];
	const struct door_node *node;
	int error;

	(void)state;
	strcpy(path, "/dev/dri/");
	memset(path + 9, 'x', PATH_MAX - 10);
	assert_int_equal(door_tree_find(path, true, &node, &error, NULL), DOOR_ABSENT);
	memset(path + 9, 'x', sizeof path - 10);
	assert_int_equal(door_tree_find(path, true, &node, &error, NULL), DOOR_ELSEWHERE);
}

/* Every file can be found by what its folder lists, and says something. */
static void lists_itself(void **state)
{
	static const char *const folders[] = { "/dev/dri", "/dev/dri/by-path", "/sys/class/drm",
		PCI, PCI "/drm", PCI "/drm/card0", PCI "/drm/renderD128" };
	unsigned files = 0;

	(void)state;
	for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
		const struct door_node *folder, *child, *found;
		const char *name;
		size_t position = 0;
		int error;
		assert_int_equal(
			door_tree_find(folders[i], true, &folder, &error, NULL), DOOR_PRESENT);
		while ((child = door_tree_next(folder, &position, &name))) {
			char path[PATH_MAX], text[DOOR_NODE_TEXT];
			strcat(strcat(strcpy(path, folders[i]), "/"), name);
			assert_int_equal(
				door_tree_find(path, false, &found, &error, NULL), DOOR_PRESENT);
			assert_ptr_equal(found, child);
			if (child->kind != DOOR_NODE_FILE)
				continue;
			size_t length = door_tree_read(child, gen_device_find(NULL), text);
			assert_true(length > 1);
			assert_int_equal(text[length - 1], '\n');
			files++;
		}
	}
	assert_true(files > 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(resolves),
		cmocka_unit_test(leaves),
		cmocka_unit_test(too_long),
		cmocka_unit_test(lists_itself),
	};

	return cmocka_run_group_tests_name("door_tree", tests, NULL, NULL);
}
