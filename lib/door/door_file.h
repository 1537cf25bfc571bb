// SPDX-License-Identifier: MIT
#ifndef DOOR_FILE_H
#define DOOR_FILE_H

#include <stdatomic.h>

#include "door/door_tree.h"
#include "drm/schedule/drm_lifetime.h"

/*
 * Which descriptors of the process are virtual devices or folders of their tree, and the devices
 * themselves. They are memory files, so that a system call that is not replaced says -ENOTTY or
 * -ENOTDIR; but a shared folder that the machine has is that folder. Asking about any other
 * descriptor costs one load.
 */
struct door_file {
	atomic_uint refs; /* descriptors, and calls in progress */
	dev_t inode_device;
	ino_t inode;
	const struct door_node *node; /* no text, unless opened with O_PATH */
	struct drm_file *drm;	      /* of a device, unless opened with O_PATH */
	bool shared;		      /* the descriptor is the machine's folder */
};

/* The model that ZEROCL_VGPU names for a device; NULL when there is none of that name. */
const struct gen_device *door_gen(unsigned number);
/* A device, NULL when it was never opened. */
struct drm_device *door_device(unsigned number);

/* As open(2) of what the path means. Returns a new descriptor or a negative errno. */
int door_file_open(const struct door_node *node, int flags);
/* Records that `fd` is the machine's own folder behind a shared one. Returns fd. */
int door_file_share(const struct door_node *node, int fd);

/* The file behind a descriptor, with a reference; NULL when there is none. */
struct door_file *door_file_get(int fd);
void door_file_put(struct door_file *file);

/* Records that `fd` is a new descriptor of what `old` is. Returns fd. */
int door_file_duplicate(int old, int fd);

/* Records that the descriptor was closed, or is about to be replaced. */
void door_file_forget(int fd);

/* The descriptor that "/proc/self/fd/N" or "/proc/<this process>/fd/N" names, or -1. */
int door_file_number(const char *path);

/*
 * Finds what `path` means (door_tree_find), relative to the descriptor `fd`, which may be any or
 * AT_FDCWD. Of `flags`, AT_SYMLINK_NOFOLLOW and AT_EMPTY_PATH count.
 */
int door_file_find(int fd, const char *path, int flags, struct door_place *place);

#endif
