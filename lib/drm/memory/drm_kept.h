// SPDX-License-Identifier: MIT
#ifndef DRM_KEPT_H
#define DRM_KEPT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * A descriptor that the device keeps open in the application's process. A process may have few
 * descriptors (often 1024), and some programs close all that they did not open. So the device keeps
 * its own above theirs, takes at most a quarter of all for each kind, and uses none that has become
 * another file.
 */
struct drm_kept {
	int fd; /* -1: none */
	dev_t device;
	ino_t inode;
};

/* Keeps the file of `fd`, which is closed in any case. *count is how many of its kind are kept.
 * Returns whether it is kept; the inode is known when it is not, too. */
bool drm_kept_take(struct drm_kept *kept, int fd, unsigned *count);
/* Whether the descriptor still is that file. */
bool drm_kept_there(const struct drm_kept *kept);
/* Whether `fd` is a descriptor of the same file. */
bool drm_kept_same(const struct drm_kept *kept, int fd);
/* Closes it. */
void drm_kept_drop(struct drm_kept *kept, unsigned *count);

#endif
