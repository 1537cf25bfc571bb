// SPDX-License-Identifier: MIT
#ifndef I915_TREE_H
#define I915_TREE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "gen/gen_device.h"

/*
 * The files that make a program find the device: nodes under /dev/dri and what sysfs says about
 * them. A table; nothing of it is on a disk.
 */
enum i915_node_kind { I915_NODE_DIRECTORY, I915_NODE_FILE, I915_NODE_LINK, I915_NODE_DEVICE };

struct i915_node {
	const char *path; /* canonical, but for links */
	enum i915_node_kind kind;
	const char *text; /* of a file; where a link points */
	/* Of a file instead of text: writes what it holds, gives the length. */
	int (*generate)(const struct gen_device *device, char *out, size_t size);
	unsigned minor; /* of a device, whose major number is I915_DRM_MAJOR */
};

enum { I915_DRM_MAJOR = 226, I915_NODE_TEXT = 512 };

/* What a path names. */
enum i915_place {
	I915_ELSEWHERE, /* none of ours */
	I915_ABSENT,	/* under one of our folders, but not there; the error is in *error */
	I915_PRESENT
};

/*
 * Resolves an absolute path, links in it included (the last one only when `follow`). *error is a
 * negative errno when it is I915_ABSENT. canonical may be NULL.
 */
enum i915_place i915_tree_find(const char *path, bool follow, const struct i915_node **node,
	int *error, char canonical[PATH_MAX]);

/*
 * Whether the path goes through the tree and out again, by "..": then *canonical is what it means.
 * The kernel, which does not know the tree, could not tell.
 */
bool i915_tree_leaves(const char *path, char canonical[PATH_MAX]);

/* A number of its own for each node, as an inode has. */
unsigned i915_tree_number(const struct i915_node *node);

/* Writes what a file holds, NUL-terminated, at most I915_NODE_TEXT bytes; gives the length. */
size_t i915_tree_read(const struct i915_node *node, const struct gen_device *device, char *out);

/* The next child of a folder after *position (0 at first) and its name, NULL behind the last. */
const struct i915_node *i915_tree_next(
	const struct i915_node *folder, size_t *position, const char **name);

#endif
