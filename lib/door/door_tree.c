// SPDX-License-Identifier: MIT
#include "door/door_tree.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "util/util_bits.h"

/* Where every Intel GPU that shares the processor's memory sits. */
#define SLOT	  "0000:00:02.0"
#define DEVICE	  "/sys/devices/pci0000:00/" SLOT
#define CARD	  DEVICE "/drm/card0"
#define RENDER	  DEVICE "/drm/renderD128"
#define UP_DEVICE "/devices/pci0000:00/" SLOT

static int device_id(const struct gen_device *device, char *out, size_t size)
{
	return snprintf(out, size, "0x%04x\n", device->pci_id);
}

static int revision(const struct gen_device *device, char *out, size_t size)
{
	return snprintf(out, size, "0x%02x\n", device->revision);
}

static int uevent(const struct gen_device *device, char *out, size_t size)
{
	return snprintf(out, size,
		"DRIVER=i915\nPCI_CLASS=30000\nPCI_ID=8086:%04X\nPCI_SUBSYS_ID=8086:2212\n"
		"PCI_SLOT_NAME=" SLOT
		"\nMODALIAS=pci:v00008086d%08Xsv00008086sd00002212bc03sc00i00\n",
		device->pci_id, device->pci_id);
}

static int max_frequency(const struct gen_device *device, char *out, size_t size)
{
	return snprintf(out, size, "%u\n", device->max_frequency_mhz);
}

/* Rows that name nothing but a path are folders. */
#define DEVICE_NODE(number) .kind = DOOR_DEVICE, .minor = (number)
#define LINK_TO(target)	    .kind = DOOR_LINK, .text = (target)
#define TEXT(words)	    .kind = DOOR_TEXT, .text = (words)
#define TEXT_BY(function)   .kind = DOOR_TEXT, .generate = (function)

static const struct door_node nodes[] = {
	{ .path = "/dev/dri" },
	{ .path = "/dev/dri/card0", DEVICE_NODE(0) },
	{ .path = "/dev/dri/renderD128", DEVICE_NODE(128) },
	{ .path = "/dev/dri/by-path" },
	{ .path = "/dev/dri/by-path/pci-" SLOT "-card", LINK_TO("../card0") },
	{ .path = "/dev/dri/by-path/pci-" SLOT "-render", LINK_TO("../renderD128") },
	{ .path = "/sys/class/drm" },
	{ .path = "/sys/class/drm/card0", LINK_TO("../.." UP_DEVICE "/drm/card0") },
	{ .path = "/sys/class/drm/renderD128", LINK_TO("../.." UP_DEVICE "/drm/renderD128") },
	{ .path = "/sys/dev/char/226:0", LINK_TO("../.." UP_DEVICE "/drm/card0") },
	{ .path = "/sys/dev/char/226:128", LINK_TO("../.." UP_DEVICE "/drm/renderD128") },
	{ .path = "/sys/bus/pci/devices/" SLOT, LINK_TO("../../.." UP_DEVICE) },
	{ .path = "/sys/bus/pci/drivers/i915" },
	{ .path = "/sys/bus/pci/drivers/i915/" SLOT, LINK_TO("../../../.." UP_DEVICE) },
	{ .path = DEVICE },
	{ .path = DEVICE "/class", TEXT("0x030000\n") },
	{ .path = DEVICE "/vendor", TEXT("0x8086\n") },
	{ .path = DEVICE "/device", TEXT_BY(device_id) },
	{ .path = DEVICE "/revision", TEXT_BY(revision) },
	{ .path = DEVICE "/subsystem_vendor", TEXT("0x8086\n") },
	{ .path = DEVICE "/subsystem_device", TEXT("0x2212\n") },
	{ .path = DEVICE "/numa_node", TEXT("-1\n") },
	{ .path = DEVICE "/enable", TEXT("1\n") },
	{ .path = DEVICE "/uevent", TEXT_BY(uevent) },
	{ .path = DEVICE "/driver", LINK_TO("../../../bus/pci/drivers/i915") },
	{ .path = DEVICE "/subsystem", LINK_TO("../../../bus/pci") },
	{ .path = DEVICE "/drm" },
	{ .path = CARD },
	{ .path = CARD "/dev", TEXT("226:0\n") },
	{ .path = CARD "/uevent",
		TEXT("MAJOR=226\nMINOR=0\nDEVNAME=dri/card0\nDEVTYPE=drm_minor\n") },
	{ .path = CARD "/device", LINK_TO("../../../" SLOT) },
	{ .path = CARD "/subsystem", LINK_TO("../../../../../class/drm") },
	{ .path = CARD "/gt_max_freq_mhz", TEXT_BY(max_frequency) },
	{ .path = CARD "/gt_boost_freq_mhz", TEXT_BY(max_frequency) },
	{ .path = CARD "/gt_RP0_freq_mhz", TEXT_BY(max_frequency) },
	{ .path = CARD "/gt_cur_freq_mhz", TEXT_BY(max_frequency) },
	{ .path = CARD "/gt_act_freq_mhz", TEXT_BY(max_frequency) },
	{ .path = CARD "/gt_min_freq_mhz", TEXT("350\n") },
	{ .path = CARD "/gt_RP1_freq_mhz", TEXT("350\n") },
	{ .path = CARD "/gt_RPn_freq_mhz", TEXT("100\n") },
	{ .path = RENDER },
	{ .path = RENDER "/dev", TEXT("226:128\n") },
	{ .path = RENDER "/uevent",
		TEXT("MAJOR=226\nMINOR=128\nDEVNAME=dri/renderD128\nDEVTYPE=drm_minor\n") },
	{ .path = RENDER "/device", LINK_TO("../../../" SLOT) },
	{ .path = RENDER "/subsystem", LINK_TO("../../../../../class/drm") },
};

/* Below these, nothing of the machine's own is visible. */
static const char *const owned[] = {
	"/dev/dri",
	"/sys/class/drm",
	"/sys/dev/char/226:",
	"/sys/bus/pci/devices/" SLOT,
	"/sys/bus/pci/drivers/i915",
	DEVICE,
};

static const struct door_node *lookup(const char *path)
{
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(nodes); i++) {
		if (strcmp(nodes[i].path, path) == 0)
			return &nodes[i];
	}
	return NULL;
}

static bool is_owned(const char *path)
{
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(owned); i++) {
		size_t length = strlen(owned[i]);
		char last = owned[i][length - 1];
		if (strncmp(path, owned[i], length) == 0 &&
			(last == ':' || path[length] == '/' || path[length] == '\0'))
			return true;
	}
	return false;
}

/* The whole tree is below /dev and /sys; most paths are not. */
static bool may_be_inside(const char *path)
{
	while (*path == '/' || (*path == '.' && path[1] == '/'))
		path++;
	return strncmp(path, "dev/", 4) == 0 || strncmp(path, "sys/", 4) == 0;
}

/* A path on its way from text to node. */
struct walk {
	char done[PATH_MAX]; /* canonical, "" for the root */
	size_t length;
	char rest[2 * PATH_MAX];
	const struct door_node *node; /* what done names, if it is of the tree */
	unsigned links;
	bool touched; /* a node was on the way */
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

	if (walk->node && walk->node->kind != DOOR_FOLDER)
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
	else if (walk->node && walk->node->kind != DOOR_FOLDER && folder)
		rc = -ENOTDIR;
	return rc;
}

/* 0, or the error that the path ends with. */
static int walk_path(struct walk *walk, const char *path, bool follow)
{
	int rc = 0;

	walk->done[0] = '\0';
	walk->length = 0;
	walk->node = NULL;
	walk->links = 0;
	walk->touched = false;
	strcpy(walk->rest, path);
	while (rc == 0 && walk->rest[strspn(walk->rest, "/")]) {
		rc = step(walk, follow);
		walk->touched |= walk->node != NULL;
	}
	return rc;
}

int door_tree_find(
	const struct door_node *folder, const char *path, bool follow, struct door_place *place)
{
	struct walk walk;
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
	if (!walk.node && walk.touched && strstr(path, "..")) {
		strcpy(place->canonical, walk.length ? walk.done : "/");
		place->path = place->canonical;
		return DOOR_PASS;
	}
	if (!walk.node) /* a link that leads out of what is there */
		return walk.links ? -ENOENT : DOOR_PASS;
	place->node = walk.node;
	strcpy(place->canonical, walk.done);
	return 0;
}

unsigned door_tree_number(const struct door_node *node)
{
	return (unsigned)(node - nodes) + 1;
}

size_t door_tree_read(const struct door_node *node, const struct gen_device *device, char *out)
{
	int length = node->generate ? node->generate(device, out, DOOR_TEXT_BYTES)
				    : snprintf(out, DOOR_TEXT_BYTES, "%s", node->text);

	return length < DOOR_TEXT_BYTES ? (size_t)length : DOOR_TEXT_BYTES - 1;
}

const struct door_node *door_tree_next(
	const struct door_node *folder, size_t *position, const char **name)
{
	size_t length = strlen(folder->path);

	while (*position < UTIL_ARRAY_SIZE(nodes)) {
		const struct door_node *node = &nodes[(*position)++];
		if (strncmp(node->path, folder->path, length) == 0 && node->path[length] == '/' &&
			!strchr(node->path + length + 1, '/')) {
			*name = node->path + length + 1;
			return node;
		}
	}
	return NULL;
}
