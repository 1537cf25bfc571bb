// SPDX-License-Identifier: MIT
#ifndef DOOR_TREE_H
#define DOOR_TREE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "gen/gen_device.h"

/*
 * The files that make a program find the device: nodes under /dev/dri and what sysfs says about
 * them. A table; nothing of it is on a disk. A shared folder holds nodes beside what the machine
 * has in it, if it has it at all.
 */
enum door_node_kind { DOOR_FOLDER, DOOR_TEXT, DOOR_LINK, DOOR_DEVICE, DOOR_SHARED };

struct door_node {
	const char *path; /* canonical */
	enum door_node_kind kind;
	const char *text; /* of a text; where a link points */
	/* Of a text: writes what it holds, returns the length. */
	int (*generate)(const struct door_node *node, const struct gen_device *device, char *out,
		size_t size);
	unsigned minor;	 /* of a device, whose major number is DOOR_DRM_MAJOR */
	unsigned device; /* whose node it is; 0 also for what all share */
};

enum {
	DOOR_DRM_MAJOR = 226,
	DOOR_TEXT_BYTES = 512,
	DOOR_MAX_DEVICES = 4,
	DOOR_PASS = -4096, /* the path is not of the tree: ask the kernel */
};

static inline bool door_node_is_folder(const struct door_node *node)
{
	return node->kind == DOOR_FOLDER || node->kind == DOOR_SHARED;
}

/* How many devices ZEROCL_VGPU names; the nodes of others are not there. */
unsigned door_tree_devices(void);

/* What a path means. */
struct door_place {
	const struct door_node *node; /* with DOOR_PASS: a shared folder, which the machine has */
	const char *path;	      /* with DOOR_PASS: for the kernel */
	char canonical[PATH_MAX];
};

/*
 * Resolves `path`, links in it included (the last one only when `follow`); a relative one begins at
 * `folder`, if that is not NULL. Returns
 *     0: place->node, and its canonical path;
 *     a negative errno: the path is below a folder of the tree, and nothing is there;
 *     DOOR_PASS: the kernel resolves place->path. That is `path`, unless it goes through the tree
 *     and out of it again. place->node is set for a shared folder that the machine has.
 */
int door_tree_find(
	const struct door_node *folder, const char *path, bool follow, struct door_place *place);

/* The number of a node, as an inode has one. */
unsigned door_tree_number(const struct door_node *node);

/* Writes what a text holds, NUL-terminated, at most DOOR_TEXT_BYTES; returns the length. */
size_t door_tree_read(const struct door_node *node, const struct gen_device *device, char *out);

/* The next child of a folder after *position (0 at first) and its name, NULL behind the last. */
const struct door_node *door_tree_next(
	const struct door_node *folder, size_t *position, const char **name);

#endif
