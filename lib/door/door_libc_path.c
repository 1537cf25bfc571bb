// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "door/door_entry.h"
#include "door/door_file.h"

/* The replacements that ask about a file: what it is, whether it is there, where a link leads. */

static void fill(struct stat *out, const struct door_node *node)
{
	static const mode_t modes[] = {
		[DOOR_FOLDER] = S_IFDIR | 0755,
		[DOOR_TEXT] = S_IFREG | 0444,
		[DOOR_LINK] = S_IFLNK | 0777,
		[DOOR_DEVICE] = S_IFCHR | 0666,
		[DOOR_SHARED] = S_IFDIR | 0755,
	};

	memset(out, 0, sizeof(*out));
	out->st_dev = makedev(0, DOOR_DRM_MAJOR);
	out->st_ino = door_tree_number(node);
	out->st_mode = modes[node->kind];
	out->st_nlink = 1;
	out->st_blksize = 4096;
	if (node->kind == DOOR_DEVICE)
		out->st_rdev = makedev(DOOR_DRM_MAJOR, node->minor);
	else if (node->kind == DOOR_LINK)
		out->st_size = (off_t)strlen(node->text);
	else if (node->kind == DOOR_TEXT)
		out->st_size = 4096; /* as every sysfs file */
}

DOOR_ENTRY(int, fstatat, int folder, const char *path, struct stat *out, int flags)
{
	struct door_place place;
	int rc = door_file_find(folder, path, flags, &place);

	if (rc == DOOR_PASS)
		return (int)syscall(SYS_newfstatat, folder, place.path, out, flags);
	if (rc == 0)
		fill(out, place.node);
	return (int)door_entry_finish(rc);
}
DOOR_ALIAS(fstatat64, fstatat)

DOOR_ENTRY(int, stat, const char *path, struct stat *out)
{
	return door_libc_fstatat(AT_FDCWD, path, out, 0);
}
DOOR_ALIAS(stat64, stat)

DOOR_ENTRY(int, lstat, const char *path, struct stat *out)
{
	return door_libc_fstatat(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW);
}
DOOR_ALIAS(lstat64, lstat)

DOOR_ENTRY(int, fstat, int fd, struct stat *out)
{
	struct door_place place;

	if (door_file_find(fd, "", AT_EMPTY_PATH, &place))
		return (int)syscall(SYS_fstat, fd, out);
	fill(out, place.node);
	return 0;
}
DOOR_ALIAS(fstat64, fstat)

/* What programs call that were built against a libc before 2.33. The versions that are in use have
 * the same struct. */
#define VERSIONED(name, entry, arguments, ...)                                                     \
	DOOR_ENTRY(int, name, int version, __VA_ARGS__, struct stat *out)                          \
	{                                                                                          \
		(void)version;                                                                     \
		return door_libc_##entry arguments;                                                \
	}                                                                                          \
	DOOR_ALIAS(name##64, name)
VERSIONED(__xstat, stat, (path, out), const char *path)
VERSIONED(__lxstat, lstat, (path, out), const char *path)
VERSIONED(__fxstat, fstat, (fd, out), int fd)

DOOR_ENTRY(int, __fxstatat, int version, int folder, const char *path, struct stat *out, int flags)
{
	(void)version;
	return door_libc_fstatat(folder, path, out, flags);
}
DOOR_ALIAS(__fxstatat64, __fxstatat)

/* Its mount is that of the machine's own /sys or /dev: libudev follows no path without one. */
static void fill_extended(struct statx *out, const struct door_node *node, unsigned mask)
{
	enum { MOUNT = 0x1000 | 0x4000 }; /* STATX_MNT_ID, STATX_MNT_ID_UNIQUE */
	char top[sizeof("/sys")];
	struct statx mount;
	struct stat status;

	snprintf(top, sizeof(top), "%s", node->path);
	if (syscall(SYS_statx, AT_FDCWD, top, 0, mask & MOUNT, &mount))
		mount.stx_mask = 0;
	fill(&status, node);
	*out = (struct statx){ .stx_mask = STATX_BASIC_STATS | (mount.stx_mask & MOUNT),
		.stx_blksize = (uint32_t)status.st_blksize,
		.stx_nlink = (uint32_t)status.st_nlink,
		.stx_mode = (uint16_t)status.st_mode,
		.stx_ino = status.st_ino,
		.stx_size = (uint64_t)status.st_size,
		.stx_rdev_major = major(status.st_rdev),
		.stx_rdev_minor = minor(status.st_rdev),
		.stx_dev_major = major(status.st_dev),
		.stx_dev_minor = minor(status.st_dev),
		.stx_mnt_id = mount.stx_mask & MOUNT ? mount.stx_mnt_id : 0 };
}

DOOR_ENTRY(int, statx, int folder, const char *path, int flags, unsigned mask, struct statx *out)
{
	struct door_place place;
	int rc = door_file_find(folder, path, flags, &place);

	if (rc == DOOR_PASS)
		return (int)syscall(SYS_statx, folder, place.path, flags, mask, out);
	if (rc == 0)
		fill_extended(out, place.node, mask);
	return (int)door_entry_finish(rc);
}

/* Programs ask for the kind of file system before they believe a file of sysfs. */
static int fill_system(struct statfs *out, const struct door_node *node)
{
	memset(out, 0, sizeof(*out));
	out->f_type = strncmp(node->path, "/sys", 4) == 0 ? SYSFS_MAGIC : TMPFS_MAGIC;
	out->f_bsize = out->f_frsize = 4096;
	out->f_namelen = NAME_MAX;
	return 0;
}

DOOR_ENTRY(int, statfs, const char *path, struct statfs *out)
{
	struct door_place place;
	int rc = door_file_find(AT_FDCWD, path, 0, &place);

	if (rc == DOOR_PASS)
		return (int)syscall(SYS_statfs, place.path, out);
	return (int)door_entry_finish(rc ? rc : fill_system(out, place.node));
}
DOOR_ALIAS(statfs64, statfs)

DOOR_ENTRY(int, fstatfs, int fd, struct statfs *out)
{
	struct door_place place;

	if (door_file_find(fd, "", AT_EMPTY_PATH, &place))
		return (int)syscall(SYS_fstatfs, fd, out);
	return fill_system(out, place.node);
}
DOOR_ALIAS(fstatfs64, fstatfs)

DOOR_ENTRY(int, faccessat, int folder, const char *path, int mode, int flags)
{
	int (*next)(int, const char *, int, int);
	struct door_place place;
	int rc = door_file_find(folder, path, 0, &place);

	if (rc == DOOR_PASS && !flags)
		return (int)syscall(SYS_faccessat, folder, place.path, mode);
	if (rc == DOOR_PASS) {
		DOOR_REAL(next, "faccessat"); /* the flags are libc's own */
		return next ? next(folder, place.path, mode, flags) : -1;
	}
	if (rc == 0 && (((mode & W_OK) && place.node->kind != DOOR_DEVICE) ||
			       ((mode & X_OK) && !door_node_is_folder(place.node))))
		rc = -EACCES;
	return (int)door_entry_finish(rc);
}

DOOR_ENTRY(int, access, const char *path, int mode)
{
	return door_libc_faccessat(AT_FDCWD, path, mode, 0);
}

static ssize_t copy_link(const char *target, char *out, size_t size)
{
	size_t length = strlen(target);

	if (size == 0)
		return -EINVAL;
	if (length > size)
		length = size;
	memcpy(out, target, length);
	return (ssize_t)length;
}

DOOR_ENTRY(ssize_t, readlinkat, int folder, const char *path, char *out, size_t size)
{
	struct door_place place;
	int fd = door_file_number(path);
	ssize_t rc;

	if (fd >= 0 && door_file_find(fd, "", AT_EMPTY_PATH, &place) == 0)
		return door_entry_finish(copy_link(place.node->path, out, size));
	rc = door_file_find(folder, path, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH, &place);
	if (rc == DOOR_PASS)
		return syscall(SYS_readlinkat, folder, place.path, out, size);
	if (rc == 0)
		rc = place.node->kind == DOOR_LINK ? copy_link(place.node->text, out, size)
						   : -EINVAL;
	return door_entry_finish(rc);
}

DOOR_ENTRY(ssize_t, readlink, const char *path, char *out, size_t size)
{
	return door_libc_readlinkat(AT_FDCWD, path, out, size);
}

DOOR_ENTRY(ssize_t, __readlink_chk, const char *path, char *out, size_t size, size_t room)
{
	return door_libc_readlink(path, out, size < room ? size : room);
}

DOOR_ENTRY(ssize_t, __readlinkat_chk, int folder, const char *path, char *out, size_t size,
	size_t room)
{
	return door_libc_readlinkat(folder, path, out, size < room ? size : room);
}

DOOR_ENTRY(char *, realpath, const char *path, char *out)
{
	char *(*next)(const char *, char *);
	struct door_place place;
	int rc = door_file_find(AT_FDCWD, path, 0, &place);

	if (rc == 0)
		return out ? strcpy(out, place.canonical) : strdup(place.canonical);
	if (rc != DOOR_PASS) {
		errno = -rc;
		return NULL;
	}
	DOOR_REAL(next, "realpath");
	return next ? next(place.path, out) : NULL;
}
/* What it adds is the compiler's guess of the room at `out`; libc ends the process below PATH_MAX.
 */
DOOR_ALIAS(__realpath_chk, realpath)
