// SPDX-License-Identifier: MIT
#ifndef I915_FOLDER_H
#define I915_FOLDER_H

#include <dirent.h>

/*
 * Open folders of the virtual tree. A DIR * that i915_folder_open gave is one of ours and none that
 * the C library knows; the other functions say so for every DIR * that they are asked about.
 */

/* 0 and *out, I915_PASS, or a negative errno. */
int i915_folder_open(const char *path, DIR **out);

/* Whether the stream is ours; then *entry is the next entry, NULL at the end. */
int i915_folder_read(DIR *stream, struct dirent **entry);

/* Whether the stream was ours; it is closed then. */
int i915_folder_close(DIR *stream);

#endif
