// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "door/door_entry.h"
#include "door/door_folder.h"
#include "door/door_path.h"

/* The replacements that ask about a file: what it is, whether it is there, where a link leads. */

static int status_at(int folder, const char *given, struct stat *out, int flags)
{
	char room[PATH_MAX];
	const char *path = door_folder_resolve(folder, given, room);
	int rc;

	if (path && path[0] == '\0' && flags & AT_EMPTY_PATH)
		rc = door_path_fstat(folder, out);
	else
		rc = door_path_stat(path, !(flags & AT_SYMLINK_NOFOLLOW), out);
	if (rc != DOOR_PASS)
		return (int)door_entry_finish(rc);
	return (int)syscall(SYS_newfstatat, folder, path, out, flags);
}

static int status_of_fd(int fd, struct stat *out)
{
	int rc = door_path_fstat(fd, out);

	return rc != DOOR_PASS ? (int)door_entry_finish(rc) : (int)syscall(SYS_fstat, fd, out);
}

DOOR_ENTRY(int, stat, const char *path, struct stat *out)
{
	return status_at(AT_FDCWD, path, out, 0);
}

DOOR_ENTRY(int, stat64, const char *path, struct stat *out)
{
	return status_at(AT_FDCWD, path, out, 0);
}

DOOR_ENTRY(int, lstat, const char *path, struct stat *out)
{
	return status_at(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW);
}

DOOR_ENTRY(int, lstat64, const char *path, struct stat *out)
{
	return status_at(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW);
}

DOOR_ENTRY(int, fstat, int fd, struct stat *out)
{
	return status_of_fd(fd, out);
}

DOOR_ENTRY(int, fstat64, int fd, struct stat *out)
{
	return status_of_fd(fd, out);
}

DOOR_ENTRY(int, fstatat, int folder, const char *path, struct stat *out, int flags)
{
	return status_at(folder, path, out, flags);
}

DOOR_ENTRY(int, fstatat64, int folder, const char *path, struct stat *out, int flags)
{
	return status_at(folder, path, out, flags);
}

/* What programs call that were built against a libc before 2.33. The versions that are in use have
 * the same struct. */
DOOR_ENTRY(int, __xstat, int version, const char *path, struct stat *out)
{
	(void)version;
	return status_at(AT_FDCWD, path, out, 0);
}

DOOR_ENTRY(int, __xstat64, int version, const char *path, struct stat *out)
{
	(void)version;
	return status_at(AT_FDCWD, path, out, 0);
}

DOOR_ENTRY(int, __lxstat, int version, const char *path, struct stat *out)
{
	(void)version;
	return status_at(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW);
}

DOOR_ENTRY(int, __lxstat64, int version, const char *path, struct stat *out)
{
	(void)version;
	return status_at(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW);
}

DOOR_ENTRY(int, __fxstat, int version, int fd, struct stat *out)
{
	(void)version;
	return status_of_fd(fd, out);
}

DOOR_ENTRY(int, __fxstat64, int version, int fd, struct stat *out)
{
	(void)version;
	return status_of_fd(fd, out);
}

DOOR_ENTRY(int, __fxstatat, int version, int folder, const char *path, struct stat *out, int flags)
{
	(void)version;
	return status_at(folder, path, out, flags);
}

DOOR_ENTRY(
	int, __fxstatat64, int version, int folder, const char *path, struct stat *out, int flags)
{
	(void)version;
	return status_at(folder, path, out, flags);
}

DOOR_ENTRY(int, statx, int folder, const char *given, int flags, unsigned mask, struct statx *out)
{
	char room[PATH_MAX];
	const char *path = door_folder_resolve(folder, given, room);
	struct stat status;
	int rc;

	if (path && path[0] == '\0' && flags & AT_EMPTY_PATH)
		rc = door_path_fstat(folder, &status);
	else
		rc = door_path_stat(path, !(flags & AT_SYMLINK_NOFOLLOW), &status);
	if (rc == DOOR_PASS)
		return (int)syscall(SYS_statx, folder, path, flags, mask, out);
	if (rc)
		return (int)door_entry_finish(rc);
	memset(out, 0, sizeof(*out));
	out->stx_mask = STATX_BASIC_STATS;
	out->stx_blksize = (uint32_t)status.st_blksize;
	out->stx_nlink = (uint32_t)status.st_nlink;
	out->stx_mode = (uint16_t)status.st_mode;
	out->stx_size = (uint64_t)status.st_size;
	out->stx_rdev_major = major(status.st_rdev);
	out->stx_rdev_minor = minor(status.st_rdev);
	return 0;
}

DOOR_ENTRY(int, access, const char *given, int mode)
{
	char room[PATH_MAX];
	const char *path = door_folder_resolve(AT_FDCWD, given, room);
	int rc = door_path_access(path, mode);

	return rc != DOOR_PASS ? (int)door_entry_finish(rc) : (int)syscall(SYS_access, path, mode);
}

DOOR_ENTRY(int, faccessat, int folder, const char *given, int mode, int flags)
{
	int (*next)(int, const char *, int, int);
	char room[PATH_MAX];
	const char *path = door_folder_resolve(folder, given, room);
	int rc = door_path_access(path, mode);

	if (rc != DOOR_PASS)
		return (int)door_entry_finish(rc);
	DOOR_REAL(next, "faccessat"); /* the flags are libc's own */
	return next ? next(folder, path, mode, flags) : -1;
}

static ssize_t link_at(int folder, const char *given, char *out, size_t size)
{
	char room[PATH_MAX];
	const char *path = door_folder_resolve(folder, given, room);
	ssize_t rc = door_path_readlink(path, out, size);

	if (rc != DOOR_PASS)
		return door_entry_finish(rc);
	return syscall(SYS_readlinkat, folder, path, out, size);
}

DOOR_ENTRY(ssize_t, readlink, const char *path, char *out, size_t size)
{
	return link_at(AT_FDCWD, path, out, size);
}

DOOR_ENTRY(ssize_t, __readlink_chk, const char *path, char *out, size_t size, size_t room)
{
	return link_at(AT_FDCWD, path, out, size < room ? size : room);
}

DOOR_ENTRY(ssize_t, readlinkat, int folder, const char *path, char *out, size_t size)
{
	return link_at(folder, path, out, size);
}

DOOR_ENTRY(ssize_t, __readlinkat_chk, int folder, const char *path, char *out, size_t size,
	size_t room)
{
	return link_at(folder, path, out, size < room ? size : room);
}

static char *real_path(const char *path, char *out)
{
	char *(*next)(const char *, char *);
	char canonical[PATH_MAX];
	int rc = door_path_canonical(path, canonical);

	if (rc == 0)
		return out ? strcpy(out, canonical) : strdup(canonical);
	if (rc != DOOR_PASS) {
		errno = -rc;
		return NULL;
	}
	DOOR_REAL(next, "realpath");
	return next ? next(path, out) : NULL;
}

DOOR_ENTRY(char *, realpath, const char *path, char *out)
{
	return real_path(path, out);
}

DOOR_ENTRY(char *, __realpath_chk, const char *path, char *out, size_t room)
{
	(void)room; /* the compiler's guess of what is at `out`; libc ends the process below
		       PATH_MAX */
	return real_path(path, out);
}
