// SPDX-License-Identifier: MIT
#include "door/door_tree.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "drm/memory/drm_raw.h"
#include "util/util_bits.h"
#include "util/util_settings.h"

static int device_id(
	const struct door_node *node, const struct gen_device *device, char *out, size_t size)
{
	(void)node;
	return snprintf(out, size, "0x%04x\n", device->pci_id);
}

static int revision(
	const struct door_node *node, const struct gen_device *device, char *out, size_t size)
{
	(void)node;
	return snprintf(out, size, "0x%02x\n", device->revision);
}

static int uevent(
	const struct door_node *node, const struct gen_device *device, char *out, size_t size)
{
	return snprintf(out, size,
		"DRIVER=i915\nPCI_CLASS=30000\nPCI_ID=8086:%04X\nPCI_SUBSYS_ID=8086:2212\n"
		"PCI_SLOT_NAME=%s\nMODALIAS=pci:v00008086d%08Xsv00008086sd00002212bc03sc00i00\n",
		device->pci_id, node->text, device->pci_id);
}

static int max_frequency(
	const struct door_node *node, const struct gen_device *device, char *out, size_t size)
{
	(void)node;
	return snprintf(out, size, "%u\n", device->max_frequency_mhz);
}

/* Rows that name nothing but a path are folders. */
#define DEVICE_NODE(number) .kind = DOOR_DEVICE, .minor = (number)
#define LINK_TO(target)	    .kind = DOOR_LINK, .text = (target)
#define TEXT(words)	    .kind = DOOR_TEXT, .text = (words)
#define TEXT_BY(function)   .kind = DOOR_TEXT, .generate = (function)

#define SHARED(folder)                                                                             \
	{                                                                                          \
		.path = (folder), .kind = DOOR_SHARED                                              \
	}

#define NODE(...) { .device = NUMBER, .path = __VA_ARGS__ },

/* The first device is where every Intel GPU that shares the processor's memory sits. */
static const struct door_node nodes[] = {
	SHARED(""),
	SHARED("/dev"),
	SHARED("/sys"),
	SHARED("/sys/bus"),
	SHARED("/sys/bus/pci"),
	SHARED("/sys/bus/pci/devices"),
	SHARED("/sys/bus/pci/drivers"),
	SHARED("/sys/class"),
	SHARED("/sys/dev"),
	SHARED("/sys/dev/char"),
	SHARED("/sys/devices"),
	SHARED("/sys/devices/pci0000:00"),
	{ .path = "/dev/dri" },
	{ .path = "/sys/class/drm" },
	{ .path = "/sys/bus/pci/drivers/i915" },
#define NUMBER 0
#define SLOT   "0000:00:02.0"
#define N      "0"
#define R      "128"
#include "door/door_node.def"
#define NUMBER 1
#define SLOT   "0000:00:03.0"
#define N      "1"
#define R      "129"
#include "door/door_node.def"
#define NUMBER 2
#define SLOT   "0000:00:04.0"
#define N      "2"
#define R      "130"
#include "door/door_node.def"
#define NUMBER 3
#define SLOT   "0000:00:05.0"
#define N      "3"
#define R      "131"
#include "door/door_node.def"
	{ .path = "/dev/dri/by-path" },
};

/* Below these, nothing of the machine's own is visible, if there is the device. */
#define OWNED(number, slot)                                                                        \
	{ number, "/sys/bus/pci/devices/" slot },                                                  \
	{                                                                                          \
		number, "/sys/devices/pci0000:00/" slot                                            \
	}
static const struct {
	unsigned device;
	const char *path;
} owned[] = {
	{ 0, "/dev/dri" },
	{ 0, "/sys/class/drm" },
	{ 0, "/sys/dev/char/226:" },
	{ 0, "/sys/bus/pci/drivers/i915" },
	OWNED(0, "0000:00:02.0"),
	OWNED(1, "0000:00:03.0"),
	OWNED(2, "0000:00:04.0"),
	OWNED(3, "0000:00:05.0"),
};

unsigned door_tree_devices(void)
{
	const char *names = util_settings()->device;
	unsigned n = 1;

	for (; names && *names; names++)
		n += *names == ',';
	return n < DOOR_MAX_DEVICES ? n : DOOR_MAX_DEVICES;
}

static const struct door_node *lookup(const char *path)
{
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(nodes); i++) {
		if (strcmp(nodes[i].path, path) == 0)
			return nodes[i].device < door_tree_devices() ? &nodes[i] : NULL;
	}
	return NULL;
}

static bool is_owned(const char *path)
{
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(owned); i++) {
		size_t length = strlen(owned[i].path);
		char last = owned[i].path[length - 1];
		if (strncmp(path, owned[i].path, length) == 0 &&
			(last == ':' || path[length] == '/' || path[length] == '\0'))
			return owned[i].device < door_tree_devices();
	}
	return false;
}

/* The tree is the root, /dev, /sys and what is below them; most paths are not. */
static bool may_be_inside(const char *path)
{
	while (*path == '/' || (*path == '.' && path[1] == '/'))
		path++;
	return *path == '\0' || ((strncmp(path, "dev", 3) == 0 || strncmp(path, "sys", 3) == 0) &&
					(path[3] == '/' || path[3] == '\0'));
}

/* A path on its way from text to node. */
struct walk {
	char done[PATH_MAX]; /* canonical, "" for the root */
	size_t length;
	char rest[2 * PATH_MAX];
	const struct door_node *node; /* what done names, if it is of the tree */
	unsigned links;
	bool touched; /* a node that the machine has not was on the way */
};

static void step_up(struct walk *walk)
{
	while (walk->length && walk->done[walk->length - 1] != '/')
		walk->length--;
	if (walk->length)
		walk->length--;
	walk->done[walk->length] = '\0';
	walk->node = lookup(walk->done);
}

static int follow_link(struct walk *walk, const char *target)
{
	char rest[2 * PATH_MAX];

	if (++walk->links > 40)
		return -ELOOP;
	/* rest is empty or begins with a slash, which asks for a folder. */
	if (snprintf(rest, sizeof(rest), "%s%s", target, walk->rest) >= (int)sizeof(rest))
		return -ENAMETOOLONG;
	memcpy(walk->rest, rest, strlen(rest) + 1);
	step_up(walk);
	return 0;
}

/* Takes the next component from rest. */
static int step(struct walk *walk, bool follow)
{
	size_t slashes = strspn(walk->rest, "/");
	char *name = walk->rest + slashes;
	size_t length = strcspn(name, "/");
	bool last = name[length + strspn(name + length, "/")] == '\0';
	bool folder = name[length] == '/'; /* a trailing slash asks for one */
	int rc = 0;

	if (walk->node && !door_node_is_folder(walk->node))
		return -ENOTDIR;
	if (length == 2 && name[0] == '.' && name[1] == '.') {
		step_up(walk);
	} else if (length && !(length == 1 && name[0] == '.')) {
		if (walk->length + 1 + length >= sizeof(walk->done))
			return -ENAMETOOLONG;
		walk->done[walk->length++] = '/';
		memcpy(walk->done + walk->length, name, length);
		walk->length += length;
		walk->done[walk->length] = '\0';
		walk->node = lookup(walk->done);
		if (!walk->node && is_owned(walk->done))
			return -ENOENT;
	}
	memmove(walk->rest, name + length, strlen(name + length) + 1);
	if (walk->node && walk->node->kind == DOOR_LINK && (!last || folder || follow))
		rc = follow_link(walk, walk->node->text);
	else if (folder && walk->node && !door_node_is_folder(walk->node))
		rc = -ENOTDIR;
	return rc;
}

/* 0, or the error that the path ends with. */
static int walk_path(struct walk *walk, const char *path, bool follow)
{
	int rc = 0;

	walk->done[0] = '\0';
	walk->length = 0;
	walk->node = lookup("");
	walk->links = 0;
	walk->touched = false;
	strcpy(walk->rest, path);
	while (rc == 0 && walk->rest[strspn(walk->rest, "/")]) {
		rc = step(walk, follow);
		walk->touched |= walk->node && walk->node->kind != DOOR_SHARED;
	}
	return rc;
}

int door_tree_find(
	const struct door_node *folder, const char *path, bool follow, struct door_place *place)
{
	struct walk walk;
	bool leaves;
	int rc;

	place->node = NULL;
	place->path = path;
	if (folder && path[0] && path[0] != '/') {
		if (snprintf(place->canonical, PATH_MAX, "%s/%s", folder->path, path) >= PATH_MAX)
			return DOOR_PASS;
		path = place->canonical;
	}
	if (!path || path[0] != '/' || !may_be_inside(path) || strlen(path) >= PATH_MAX)
		return DOOR_PASS;
	rc = walk_path(&walk, path, follow);
	if (rc)
		return rc;
	leaves = walk.links || (walk.touched && strstr(path, ".."));
	strcpy(place->canonical, walk.length ? walk.done : "/");
	place->node = walk.node;
	if (walk.node && !(walk.node->kind == DOOR_SHARED && drm_raw_exists(place->canonical)))
		return 0;
	if (leaves)
		place->path = place->canonical;
	return DOOR_PASS;
}

unsigned door_tree_number(const struct door_node *node)
{
	return (unsigned)(node - nodes) + 1;
}

size_t door_tree_read(const struct door_node *node, const struct gen_device *device, char *out)
{
	int length = node->generate ? node->generate(node, device, out, DOOR_TEXT_BYTES)
				    : snprintf(out, DOOR_TEXT_BYTES, "%s", node->text);

	return length < DOOR_TEXT_BYTES ? (size_t)length : DOOR_TEXT_BYTES - 1;
}

const struct door_node *door_tree_next(
	const struct door_node *folder, size_t *position, const char **name)
{
	size_t length = strlen(folder->path);

	while (*position < UTIL_ARRAY_SIZE(nodes)) {
		const struct door_node *node = &nodes[(*position)++];
		if (node->device < door_tree_devices() &&
			strncmp(node->path, folder->path, length) == 0 &&
			node->path[length] == '/' && !strchr(node->path + length + 1, '/')) {
			*name = node->path + length + 1;
			return node;
		}
	}
	return NULL;
}
