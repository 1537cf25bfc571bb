// SPDX-License-Identifier: MIT
#ifndef DOOR_FD_H
#define DOOR_FD_H

#include "drm/schedule/drm_lifetime.h"

/*
 * Which of the process's descriptors are the virtual device, and the device itself. Asking about a
 * descriptor that is not costs one load.
 */

/* The device that ZEROCL_VGPU names; NULL when there is none of that name. */
const struct gen_device *door_fd_gen(void);

/* Opens the node of that minor number: a new descriptor, or -errno. */
int door_fd_open(unsigned minor, bool close_on_exec);

/* The open file behind a descriptor, with a reference; NULL when it is not ours. */
struct drm_file *door_fd_get(int fd);

/* Notes that `fd` is another descriptor of the file (which gains a reference); gives fd. */
int door_fd_add(int fd, struct drm_file *file);

/* Notes that the descriptor was closed, or is about to be replaced. Nothing when not ours. */
void door_fd_forget(int fd);

/* The device, if any was opened. */
struct drm_device *door_fd_device(void);

#endif
