// SPDX-License-Identifier: MIT
#include "door/door_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "door/door_fd.h"
#include "door/door_folder.h"
#include "drm/memory/drm_raw.h"
#include "door/door_tree.h"

static int find(const char *path, bool follow, const struct door_node **node)
{
	int error = 0;

	switch (door_tree_find(path, follow, node, &error, NULL)) {
	case DOOR_PRESENT:
		return 0;
	case DOOR_ABSENT:
		return error;
	default:
		return DOOR_PASS;
	}
}

/* A memory file that holds the node's text, read from its start. */
static int open_text(const struct door_node *node, bool close_on_exec)
{
	const struct gen_device *gen = door_fd_gen();
	char text[DOOR_NODE_TEXT];
	size_t length;
	int saved = errno;
	int fd;

	if (!gen)
		return -ENODEV;
	length = door_tree_read(node, gen, text);
	fd = drm_raw_memfd("i915-sysfs");
	if (fd < 0)
		return fd;
	if (pwrite(fd, text, length, 0) != (ssize_t)length) {
		errno = saved;
		drm_raw_close(fd);
		return -EIO;
	}
	drm_raw_fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
	if (!close_on_exec)
		drm_raw_fcntl(fd, F_SETFD, 0);
	return fd;
}

int door_path_open(const char *path, int flags)
{
	const struct door_node *node;
	bool close_on_exec = flags & O_CLOEXEC;
	int rc = find(path, !(flags & O_NOFOLLOW), &node);

	if (rc)
		return rc;
	if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
		return -EEXIST;
	switch (node->kind) {
	case DOOR_NODE_DEVICE:
		return flags & O_DIRECTORY ? -ENOTDIR : door_fd_open(node->minor, close_on_exec);
	case DOOR_NODE_FILE:
		if (flags & O_DIRECTORY)
			return -ENOTDIR;
		return (flags & O_ACCMODE) == O_RDONLY ? open_text(node, close_on_exec) : -EACCES;
	case DOOR_NODE_LINK:
		return -ELOOP;
	default:
		if ((flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC))
			return -EISDIR;
		return door_folder_descriptor(node, close_on_exec);
	}
}

static void fill(struct stat *out, const struct door_node *node)
{
	static const mode_t modes[] = {
		[DOOR_NODE_DIRECTORY] = S_IFDIR | 0755,
		[DOOR_NODE_FILE] = S_IFREG | 0444,
		[DOOR_NODE_LINK] = S_IFLNK | 0777,
		[DOOR_NODE_DEVICE] = S_IFCHR | 0666,
	};

	memset(out, 0, sizeof(*out));
	out->st_dev = makedev(0, DOOR_DRM_MAJOR);
	out->st_ino = door_tree_number(node);
	out->st_mode = modes[node->kind];
	out->st_nlink = 1;
	out->st_blksize = 4096;
	if (node->kind == DOOR_NODE_DEVICE)
		out->st_rdev = makedev(DOOR_DRM_MAJOR, node->minor);
	else if (node->kind == DOOR_NODE_LINK)
		out->st_size = (off_t)strlen(node->text);
	else if (node->kind == DOOR_NODE_FILE)
		out->st_size = 4096; /* as every sysfs file */
}

int door_path_stat(const char *path, bool follow, struct stat *out)
{
	const struct door_node *node;
	int rc = find(path, follow, &node);

	if (rc == 0)
		fill(out, node);
	return rc;
}

int door_path_access(const char *path, int mode)
{
	const struct door_node *node;
	int rc = find(path, true, &node);

	if (rc)
		return rc;
	if ((mode & W_OK) && node->kind != DOOR_NODE_DEVICE)
		return -EACCES;
	return (mode & X_OK) && node->kind != DOOR_NODE_DIRECTORY ? -EACCES : 0;
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

ssize_t door_path_readlink(const char *path, char *out, size_t size)
{
	const struct door_node *node;
	struct drm_file *file = NULL;
	int rc;

	if (!path)
		return DOOR_PASS;
	file = door_fd_get(proc_fd(path));
	if (file) {
		unsigned minor_number = file->minor;
		drm_file_put(file);
		return copy_out(device_path(minor_number), out, size);
	}
	rc = find(path, false, &node);
	if (rc)
		return rc;
	return node->kind == DOOR_NODE_LINK ? copy_out(node->text, out, size) : -EINVAL;
}

int door_path_fstat(int fd, struct stat *out)
{
	struct drm_file *file = door_fd_get(fd);
	const struct door_node *node = file ? NULL : door_folder_of(fd);
	int rc = 0;

	if (file) {
		rc = find(device_path(file->minor), false, &node);
		drm_file_put(file);
	}
	if (rc || !node)
		return DOOR_PASS;
	fill(out, node);
	return 0;
}

int door_path_canonical(const char *path, char out[PATH_MAX])
{
	const struct door_node *node;
	int error = 0;

	switch (door_tree_find(path, true, &node, &error, out)) {
	case DOOR_PRESENT:
		return 0;
	case DOOR_ABSENT:
		return error;
	default:
		return DOOR_PASS;
	}
}

int door_path_alias(const char *path, int flags, char alias[32], int *fd)
{
	int rc = door_path_open(path, flags | O_CLOEXEC);

	if (rc < 0)
		return rc;
	*fd = rc;
	snprintf(alias, 32, "/proc/self/fd/%d", rc);
	return 0;
}
