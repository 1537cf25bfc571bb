// SPDX-License-Identifier: MIT
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "door/door_tree.h"
#include "util/util_settings.h"

#define PCI "/sys/devices/pci0000:00/0000:00:02.0"

static void resolves(void **state)
{
	static const struct {
		const char *path;
		bool follow;
		int rc;
		const char *canonical; /* NULL: no node */
	} cases[] = {
		{ "/dev/dri", true, 0, "/dev/dri" },
		{ "//dev/./dri//", true, 0, "/dev/dri" },
		{ "/dev/dri/by-path/../renderD128", true, 0, "/dev/dri/renderD128" },
		{ "/dev/dri/by-path/pci-0000:00:02.0-card", true, 0, "/dev/dri/card0" },
		{ "/dev/dri/by-path/pci-0000:00:02.0-card", false, 0,
			"/dev/dri/by-path/pci-0000:00:02.0-card" },
		{ "/dev/dri/card0/", true, -ENOTDIR, NULL },
		{ "/dev/dri/card0/x", true, -ENOTDIR, NULL },
		{ "/dev/dri/card0/..", true, -ENOTDIR, NULL },
		{ "/dev/dri/card1", true, -ENOENT, NULL },
		{ "/dev/dri/nothing/..", true, -ENOENT, NULL },
		{ "/dev/drift", true, DOOR_PASS, NULL },
		{ "/dev/null", true, DOOR_PASS, NULL },
		{ "/sys", true, DOOR_PASS, "/sys" },
		{ "/sys/class/", false, DOOR_PASS, "/sys/class" },
		{ "/system", true, DOOR_PASS, NULL },
		{ "/", true, DOOR_PASS, "/" },
		{ "", true, DOOR_PASS, NULL },
		{ "dev/dri", true, DOOR_PASS, NULL },
		{ NULL, true, DOOR_PASS, NULL },
		{ "/sys/dev/char/226:128", true, 0, PCI "/drm/renderD128" },
		{ "/sys/dev/char/226:129", true, -ENOENT, NULL },
		{ "/sys/dev/char/1:3", true, DOOR_PASS, NULL },
		{ "/sys/class/drm/card0/device/device", true, 0, PCI "/device" },
		{ "/sys/class/drm/../../devices/pci0000:00/0000:00:02.0/drm/renderD128/device//"
		  "vendor",
			true, 0, PCI "/vendor" },
		{ "/sys/bus/pci/devices/0000:00:02.0/drm", true, 0, PCI "/drm" },
		{ "/sys/bus/pci/devices/0000:00:02.0/driver", true, 0,
			"/sys/bus/pci/drivers/i915" },
		{ "/sys/class/drm/card0/prelim_uapi_version", true, -ENOENT, NULL },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct door_place place;
		int rc = door_tree_find(NULL, cases[i].path, cases[i].follow, &place);
		if (rc != cases[i].rc ||
			(place.node && strcmp(place.canonical, cases[i].canonical)))
			fail_msg("%s: %d, \"%s\"", cases[i].path, rc,
				rc == 0 ? place.canonical : "");
		if (rc == DOOR_PASS)
			assert_ptr_equal(place.path, cases[i].path);
		assert_int_equal(place.node != NULL, cases[i].canonical != NULL);
	}
}

static void leaves(void **state)
{
	static const struct {
		const char *path, *expected; /* NULL: unchanged */
		int rc;
	} cases[] = {
		{ "/dev/dri/..", "/dev", DOOR_PASS },
		{ "/dev/dri/../..", "/", DOOR_PASS },
		{ "/dev/dri/by-path/../../null", "/dev/null", DOOR_PASS },
		{ "/dev/dri/../dri", NULL, 0 },
		{ "/dev/dri", NULL, 0 },
		{ "/dev/../etc", NULL, DOOR_PASS },
		{ "/usr/..", NULL, DOOR_PASS },
		{ "/dev/dri/nothing/../..", NULL, -ENOENT },
	};
	struct door_place place, inner;

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(door_tree_find(NULL, cases[i].path, true, &place), cases[i].rc);
		if (cases[i].rc == DOOR_PASS)
			assert_string_equal(
				place.path, cases[i].expected ? cases[i].expected : cases[i].path);
	}
	/* From a folder on. */
	assert_int_equal(door_tree_find(NULL, "/dev/dri/by-path", true, &place), 0);
	assert_int_equal(door_tree_find(place.node, "../card0", true, &inner), 0);
	assert_string_equal(inner.canonical, "/dev/dri/card0");
	assert_int_equal(door_tree_find(place.node, "card0", true, &inner), -ENOENT);
	assert_int_equal(door_tree_find(place.node, "../../null", true, &inner), DOOR_PASS);
	assert_string_equal(inner.path, "/dev/null");
	assert_int_equal(door_tree_find(place.node, "/dev/null", true, &inner), DOOR_PASS);
}

static void too_long(void **state)
{
	static char path[2 * PATH_MAX];
	struct door_place place;

	(void)state;
	strcpy(path, "/dev/dri/");
	memset(path + 9, 'x', PATH_MAX - 10);
	assert_int_equal(door_tree_find(NULL, path, true, &place), -ENOENT);
	memset(path + 9, 'x', sizeof path - 10);
	assert_int_equal(door_tree_find(NULL, path, true, &place), DOOR_PASS);
}

/* Every file can be found by what its folder lists, and says something. */
static void lists_itself(void **state)
{
	static const char *const folders[] = { "/dev/dri", "/dev/dri/by-path", "/sys/class/drm",
		PCI, PCI "/drm", PCI "/drm/card0", PCI "/drm/renderD128" };
	unsigned files = 0;

	(void)state;
	for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
		const struct door_node *child;
		struct door_place folder, found;
		const char *name;
		size_t position = 0;
		assert_int_equal(door_tree_find(NULL, folders[i], true, &folder), 0);
		while ((child = door_tree_next(folder.node, &position, &name))) {
			char path[PATH_MAX], text[DOOR_TEXT_BYTES];
			strcat(strcat(strcpy(path, folders[i]), "/"), name);
			assert_int_equal(door_tree_find(NULL, path, false, &found), 0);
			assert_ptr_equal(found.node, child);
			if (child->kind != DOOR_TEXT)
				continue;
			size_t length = door_tree_read(child, gen_device_find(NULL), text);
			assert_true(length > 1);
			assert_int_equal(text[length - 1], '\n');
			files++;
		}
	}
	assert_true(files > 15);
}

/* ZEROCL_VGPU's second name brings the nodes of a second device, and no third. */
static void several_devices(void **state)
{
	static const struct {
		const char *path;
		int rc;
		unsigned device;
	} cases[] = {
		{ "/dev/dri/renderD128", 0, 0 },
		{ "/dev/dri/renderD129", 0, 1 },
		{ "/dev/dri/by-path/pci-0000:00:03.0-render", 0, 1 },
		{ "/sys/class/drm/card1/device/uevent", 0, 1 },
		{ "/sys/dev/char/226:129/device/vendor", 0, 1 },
		{ "/sys/bus/pci/drivers/i915/0000:00:03.0/device", 0, 1 },
		{ "/dev/dri/renderD130", -ENOENT, 0 },
		{ "/sys/bus/pci/devices/0000:00:04.0", DOOR_PASS, 0 },
	};
	struct door_place place;
	const char *name;
	size_t position = 0;
	unsigned children = 0;
	char text[DOOR_TEXT_BYTES];

	(void)state;
	setenv("ZEROCL_VGPU", "tgllp,tgllp", 1);
	util_settings_read();
	assert_int_equal(door_tree_devices(), 2);
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		int rc = door_tree_find(NULL, cases[i].path, true, &place);

		if (rc != cases[i].rc || (!rc && place.node->device != cases[i].device))
			fail_msg("%s: %d", cases[i].path, rc);
	}
	assert_int_equal(door_tree_find(NULL, "/dev/dri", true, &place), 0);
	while (door_tree_next(place.node, &position, &name))
		children++;
	assert_int_equal(children, 5); /* a card and a render node of each, and by-path */
	assert_int_equal(
		door_tree_find(NULL, "/sys/class/drm/card1/device/uevent", true, &place), 0);
	door_tree_read(place.node, gen_device_find(NULL), text);
	assert_non_null(strstr(text, "PCI_SLOT_NAME=0000:00:03.0\n"));
	assert_int_equal(door_tree_find(NULL, "/sys/dev/char/226:1/dev", true, &place), 0);
	door_tree_read(place.node, gen_device_find(NULL), text);
	assert_string_equal(text, "226:1\n");
	unsetenv("ZEROCL_VGPU");
	util_settings_read();
	assert_int_equal(door_tree_find(NULL, "/dev/dri/renderD129", true, &place), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(resolves),
		cmocka_unit_test(leaves),
		cmocka_unit_test(too_long),
		cmocka_unit_test(lists_itself),
		cmocka_unit_test(several_devices),
	};

	return cmocka_run_group_tests_name("door_tree", tests, NULL, NULL);
}
