// SPDX-License-Identifier: MIT
#ifndef DOOR_TREE_H
#define DOOR_TREE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "gen/gen_device.h"

/*
 * The files that make a program find the device: nodes under /dev/dri and what sysfs says about
 * them. A table; nothing of it is on a disk.
 */
enum door_node_kind { DOOR_NODE_DIRECTORY, DOOR_NODE_FILE, DOOR_NODE_LINK, DOOR_NODE_DEVICE };

struct door_node {
	const char *path; /* canonical, but for links */
	enum door_node_kind kind;
	const char *text; /* of a file; where a link points */
	/* Of a file instead of text: writes what it holds, gives the length. */
	int (*generate)(const struct gen_device *device, char *out, size_t size);
	unsigned minor; /* of a device, whose major number is DOOR_DRM_MAJOR */
};

enum { DOOR_DRM_MAJOR = 226, DOOR_NODE_TEXT = 512 };

/* What a path names. */
enum door_place {
	DOOR_ELSEWHERE, /* none of ours */
	DOOR_ABSENT,	/* under one of our folders, but not there; the error is in *error */
	DOOR_PRESENT
};

/*
 * Resolves an absolute path, links in it included (the last one only when `follow`). *error is a
 * negative errno when it is DOOR_ABSENT. canonical may be NULL.
 */
enum door_place door_tree_find(const char *path, bool follow, const struct door_node **node,
	int *error, char canonical[PATH_MAX]);

/*
 * Whether the path goes through the tree and out again, by "..": then *canonical is what it means.
 * The kernel, which does not know the tree, could not tell.
 */
bool door_tree_leaves(const char *path, char canonical[PATH_MAX]);

/* A number of its own for each node, as an inode has. */
unsigned door_tree_number(const struct door_node *node);

/* Writes what a file holds, NUL-terminated, at most DOOR_NODE_TEXT bytes; gives the length. */
size_t door_tree_read(const struct door_node *node, const struct gen_device *device, char *out);

/* The next child of a folder after *position (0 at first) and its name, NULL behind the last. */
const struct door_node *door_tree_next(
	const struct door_node *folder, size_t *position, const char **name);

#endif
