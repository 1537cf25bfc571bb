// SPDX-License-Identifier: MIT
#ifndef I915_FD_H
#define I915_FD_H

#include "i915/node/i915_device.h"

/*
 * Which of the process's descriptors are the virtual device, and the device itself. Asking about a
 * descriptor that is not costs one load.
 */

/* The device that ZEROCL_VGPU names; NULL when there is none of that name. */
const struct gen_device *i915_fd_gen(void);

/* Opens the node of that minor number: a new descriptor, or -errno. */
int i915_fd_open(unsigned minor, bool close_on_exec);

/* The open file behind a descriptor, with a reference; NULL when it is not ours. */
struct i915_file *i915_fd_get(int fd);

/* Notes that `fd` is another descriptor of the file (which gains a reference); gives fd. */
int i915_fd_add(int fd, struct i915_file *file);

/* Notes that the descriptor was closed, or is about to be replaced. Nothing when not ours. */
void i915_fd_forget(int fd);

/* The device, if any was opened. */
struct i915_device *i915_fd_device(void);

#endif
