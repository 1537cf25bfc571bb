// SPDX-License-Identifier: MIT
#include "i915/node/i915_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "i915/node/i915_fd.h"
#include "i915/node/i915_folder.h"
#include "i915/door/i915_raw.h"
#include "i915/node/i915_tree.h"

static int find(const char *path, bool follow, const struct i915_node **node)
{
	int error = 0;

	switch (i915_tree_find(path, follow, node, &error, NULL)) {
	case I915_PRESENT:
		return 0;
	case I915_ABSENT:
		return error;
	default:
		return I915_PASS;
	}
}

/* A memory file that holds the node's text, read from its start. */
static int open_text(const struct i915_node *node, bool close_on_exec)
{
	const struct gen_device *gen = i915_fd_gen();
	char text[I915_NODE_TEXT];
	size_t length;
	int saved = errno;
	int fd;

	if (!gen)
		return -ENODEV;
	length = i915_tree_read(node, gen, text);
	fd = i915_raw_memfd("i915-sysfs");
	if (fd < 0)
		return fd;
	if (pwrite(fd, text, length, 0) != (ssize_t)length) {
		errno = saved;
		i915_raw_close(fd);
		return -EIO;
	}
	i915_raw_fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
	if (!close_on_exec)
		i915_raw_fcntl(fd, F_SETFD, 0);
	return fd;
}

int i915_path_open(const char *path, int flags)
{
	const struct i915_node *node;
	bool close_on_exec = flags & O_CLOEXEC;
	int rc = find(path, !(flags & O_NOFOLLOW), &node);

	if (rc)
		return rc;
	if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
		return -EEXIST;
	switch (node->kind) {
	case I915_NODE_DEVICE:
		return flags & O_DIRECTORY ? -ENOTDIR : i915_fd_open(node->minor, close_on_exec);
	case I915_NODE_FILE:
		if (flags & O_DIRECTORY)
			return -ENOTDIR;
		return (flags & O_ACCMODE) == O_RDONLY ? open_text(node, close_on_exec) : -EACCES;
	case I915_NODE_LINK:
		return -ELOOP;
	default:
		if ((flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC))
			return -EISDIR;
		return i915_folder_descriptor(node, close_on_exec);
	}
}

static void fill(struct stat *out, const struct i915_node *node)
{
	static const mode_t modes[] = {
		[I915_NODE_DIRECTORY] = S_IFDIR | 0755,
		[I915_NODE_FILE] = S_IFREG | 0444,
		[I915_NODE_LINK] = S_IFLNK | 0777,
		[I915_NODE_DEVICE] = S_IFCHR | 0666,
	};

	memset(out, 0, sizeof *out);
	out->st_dev = makedev(0, I915_DRM_MAJOR);
	out->st_ino = i915_tree_number(node);
	out->st_mode = modes[node->kind];
	out->st_nlink = 1;
	out->st_blksize = 4096;
	if (node->kind == I915_NODE_DEVICE)
		out->st_rdev = makedev(I915_DRM_MAJOR, node->minor);
	else if (node->kind == I915_NODE_LINK)
		out->st_size = (off_t)strlen(node->text);
	else if (node->kind == I915_NODE_FILE)
		out->st_size = 4096; /* as every sysfs file */
}

int i915_path_stat(const char *path, bool follow, struct stat *out)
{
	const struct i915_node *node;
	int rc = find(path, follow, &node);

	if (rc == 0)
		fill(out, node);
	return rc;
}

int i915_path_access(const char *path, int mode)
{
	const struct i915_node *node;
	int rc = find(path, true, &node);

	if (rc)
		return rc;
	if ((mode & W_OK) && node->kind != I915_NODE_DEVICE)
		return -EACCES;
	return (mode & X_OK) && node->kind != I915_NODE_DIRECTORY ? -EACCES : 0;
}

/* The descriptor that "/proc/self/fd/N" or "/proc/<this process>/fd/N" names, or -1. */
static int proc_fd(const char *path)
{
	char *end;
	long number;

	if (strncmp(path, "/proc/", 6) != 0)
		return -1;
	path += 6;
	if (strncmp(path, "self/fd/", 8) == 0) {
		path += 8;
	} else {
		number = strtol(path, &end, 10);
		if (end == path || number != getpid() || strncmp(end, "/fd/", 4) != 0)
			return -1;
		path = end + 4;
	}
	number = strtol(path, &end, 10);
	return end != path && *end == '\0' && number >= 0 && number < 65536 ? (int)number : -1;
}

static ssize_t copy_out(const char *text, char *out, size_t size)
{
	size_t length = strlen(text);

	if (size == 0)
		return -EINVAL;
	if (length > size)
		length = size;
	memcpy(out, text, length);
	return (ssize_t)length;
}

static const char *device_path(unsigned minor_number)
{
	return minor_number < 128 ? "/dev/dri/card0" : "/dev/dri/renderD128";
}

ssize_t i915_path_readlink(const char *path, char *out, size_t size)
{
	const struct i915_node *node;
	struct i915_file *file = NULL;
	int rc;

	if (!path)
		return I915_PASS;
	file = i915_fd_get(proc_fd(path));
	if (file) {
		unsigned minor_number = file->minor;
		i915_file_put(file);
		return copy_out(device_path(minor_number), out, size);
	}
	rc = find(path, false, &node);
	if (rc)
		return rc;
	return node->kind == I915_NODE_LINK ? copy_out(node->text, out, size) : -EINVAL;
}

int i915_path_fstat(int fd, struct stat *out)
{
	struct i915_file *file = i915_fd_get(fd);
	const struct i915_node *node = file ? NULL : i915_folder_of(fd);
	int rc = 0;

	if (file) {
		rc = find(device_path(file->minor), false, &node);
		i915_file_put(file);
	}
	if (rc || !node)
		return I915_PASS;
	fill(out, node);
	return 0;
}

int i915_path_canonical(const char *path, char out[PATH_MAX])
{
	const struct i915_node *node;
	int error = 0;

	switch (i915_tree_find(path, true, &node, &error, out)) {
	case I915_PRESENT:
		return 0;
	case I915_ABSENT:
		return error;
	default:
		return I915_PASS;
	}
}

int i915_path_alias(const char *path, int flags, char alias[32], int *fd)
{
	int rc = i915_path_open(path, flags | O_CLOEXEC);

	if (rc < 0)
		return rc;
	*fd = rc;
	snprintf(alias, 32, "/proc/self/fd/%d", rc);
	return 0;
}
