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

#define FOLDER(path)                                                                               \
	{                                                                                          \
		path, DOOR_NODE_DIRECTORY, NULL, NULL, 0                                           \
	}
#define LINK(path, target)                                                                         \
	{                                                                                          \
		path, DOOR_NODE_LINK, target, NULL, 0                                              \
	}
#define TEXT(path, text)                                                                           \
	{                                                                                          \
		path, DOOR_NODE_FILE, text, NULL, 0                                                \
	}
#define FILE_OF(path, function)                                                                    \
	{                                                                                          \
		path, DOOR_NODE_FILE, NULL, function, 0                                            \
	}
#define NODE(path, minor)                                                                          \
	{                                                                                          \
		path, DOOR_NODE_DEVICE, NULL, NULL, minor                                          \
	}

static const struct door_node nodes[] = {
	FOLDER("/dev/dri"),
	NODE("/dev/dri/card0", 0),
	NODE("/dev/dri/renderD128", 128),
	FOLDER("/dev/dri/by-path"),
	LINK("/dev/dri/by-path/pci-" SLOT "-card", "../card0"),
	LINK("/dev/dri/by-path/pci-" SLOT "-render", "../renderD128"),
	FOLDER("/sys/class/drm"),
	LINK("/sys/class/drm/card0", "../.." UP_DEVICE "/drm/card0"),
	LINK("/sys/class/drm/renderD128", "../.." UP_DEVICE "/drm/renderD128"),
	LINK("/sys/dev/char/226:0", "../.." UP_DEVICE "/drm/card0"),
	LINK("/sys/dev/char/226:128", "../.." UP_DEVICE "/drm/renderD128"),
	LINK("/sys/bus/pci/devices/" SLOT, "../../.." UP_DEVICE),
	FOLDER("/sys/bus/pci/drivers/i915"),
	LINK("/sys/bus/pci/drivers/i915/" SLOT, "../../../.." UP_DEVICE),
	FOLDER(DEVICE),
	TEXT(DEVICE "/class", "0x030000\n"),
	TEXT(DEVICE "/vendor", "0x8086\n"),
	FILE_OF(DEVICE "/device", device_id),
	FILE_OF(DEVICE "/revision", revision),
	TEXT(DEVICE "/subsystem_vendor", "0x8086\n"),
	TEXT(DEVICE "/subsystem_device", "0x2212\n"),
	TEXT(DEVICE "/numa_node", "-1\n"),
	TEXT(DEVICE "/enable", "1\n"),
	FILE_OF(DEVICE "/uevent", uevent),
	LINK(DEVICE "/driver", "../../../bus/pci/drivers/i915"),
	LINK(DEVICE "/subsystem", "../../../bus/pci"),
	FOLDER(DEVICE "/drm"),
	FOLDER(CARD),
	TEXT(CARD "/dev", "226:0\n"),
	TEXT(CARD "/uevent", "MAJOR=226\nMINOR=0\nDEVNAME=dri/card0\nDEVTYPE=drm_minor\n"),
	LINK(CARD "/device", "../../../" SLOT),
	LINK(CARD "/subsystem", "../../../../../class/drm"),
	FILE_OF(CARD "/gt_max_freq_mhz", max_frequency),
	FILE_OF(CARD "/gt_boost_freq_mhz", max_frequency),
	FILE_OF(CARD "/gt_RP0_freq_mhz", max_frequency),
	FILE_OF(CARD "/gt_cur_freq_mhz", max_frequency),
	FILE_OF(CARD "/gt_act_freq_mhz", max_frequency),
	TEXT(CARD "/gt_min_freq_mhz", "350\n"),
	TEXT(CARD "/gt_RP1_freq_mhz", "350\n"),
	TEXT(CARD "/gt_RPn_freq_mhz", "100\n"),
	FOLDER(RENDER),
	TEXT(RENDER "/dev", "226:128\n"),
	TEXT(RENDER "/uevent", "MAJOR=226\nMINOR=128\nDEVNAME=dri/renderD128\nDEVTYPE=drm_minor\n"),
	LINK(RENDER "/device", "../../../" SLOT),
	LINK(RENDER "/subsystem", "../../../../../class/drm"),
};

/* Below these nothing of the machine's own is seen. */
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

/* Everything of ours is below /dev or /sys; most paths are not. */
static bool may_be_ours(const char *path)
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
	const struct door_node *node; /* what done names, if it is ours */
	unsigned links;
	bool touched; /* something of ours was on the way */
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

/* Goes on where the link points. */
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

	if (walk->node && walk->node->kind != DOOR_NODE_DIRECTORY)
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
	if (walk->node && walk->node->kind == DOOR_NODE_LINK && (!last || folder || follow))
		rc = follow_link(walk, walk->node->text);
	else if (walk->node && walk->node->kind != DOOR_NODE_DIRECTORY && folder)
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

/* Whether a look at the path is worth it; the kernel refuses what is too long. */
static bool is_candidate(const char *path)
{
	return path && path[0] == '/' && may_be_ours(path) && strlen(path) < PATH_MAX;
}

bool door_tree_leaves(const char *path, char canonical[PATH_MAX])
{
	struct walk walk;

	if (!is_candidate(path) || !strstr(path, "..") || walk_path(&walk, path, false) ||
		walk.node || !walk.touched)
		return false;
	strcpy(canonical, walk.length ? walk.done : "/");
	return true;
}

enum door_place door_tree_find(const char *path, bool follow, const struct door_node **node,
	int *error, char canonical[PATH_MAX])
{
	struct walk walk;

	if (!is_candidate(path))
		return DOOR_ELSEWHERE;
	*error = walk_path(&walk, path, follow);
	if (*error)
		return DOOR_ABSENT;
	if (!walk.node) {
		/* A link of ours that leads out of what we have. */
		*error = -ENOENT;
		return walk.links ? DOOR_ABSENT : DOOR_ELSEWHERE;
	}
	*node = walk.node;
	if (canonical)
		strcpy(canonical, walk.done);
	return DOOR_PRESENT;
}

unsigned door_tree_number(const struct door_node *node)
{
	return (unsigned)(node - nodes) + 1;
}

size_t door_tree_read(const struct door_node *node, const struct gen_device *device, char *out)
{
	int length = node->generate ? node->generate(device, out, DOOR_NODE_TEXT)
				    : snprintf(out, DOOR_NODE_TEXT, "%s", node->text);

	return length < DOOR_NODE_TEXT ? (size_t)length : DOOR_NODE_TEXT - 1;
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
