// SPDX-License-Identifier: MIT
#ifndef DOOR_PATH_H
#define DOOR_PATH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

/*
 * File operations by path on the virtual tree (door_tree.h). Each gives DOOR_PASS when the path is
 * not of that tree, and the caller then does what the C library would; otherwise the result or a
 * negative errno.
 */
enum { DOOR_PASS = -4096 };

/* A new descriptor: the device, a folder, or a memory file with what the sysfs file says. */
int door_path_open(const char *path, int flags);
int door_path_stat(const char *path, bool follow, struct stat *out);
int door_path_access(const char *path, int mode);

/* Links of the tree, and /proc/self/fd/N of descriptors that are the device. The length. */
ssize_t door_path_readlink(const char *path, char *out, size_t size);

/* The path without links, "." and ".."; 0 when there is such a file. */
int door_path_canonical(const char *path, char out[PATH_MAX]);

/* fstat(2) of a descriptor that is the device or a folder. */
int door_path_fstat(int fd, struct stat *out);

/* A path under /proc/self/fd by which what door_path_open(path, flags) opens can be opened by those
 * who want a path: *fd is to be closed then. 0, DOOR_PASS or a negative errno. */
int door_path_alias(const char *path, int flags, char alias[32], int *fd);

#endif
