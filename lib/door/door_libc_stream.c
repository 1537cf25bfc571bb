// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "door/door_entry.h"
#include "door/door_folder.h"
#include "door/door_path.h"

/* The replacements that open and read folders, and streams of files. */

static DIR *folder_result(int rc, DIR *folder)
{
	if (rc == 0)
		return folder;
	errno = -rc;
	return NULL;
}

DOOR_ENTRY(DIR *, opendir, const char *path)
{
	DIR *(*next)(const char *);
	DIR *folder = NULL;
	int rc = door_folder_open(path, &folder);

	if (rc != DOOR_PASS)
		return folder_result(rc, folder);
	DOOR_REAL(next, "opendir");
	return next ? next(path) : NULL;
}

DOOR_ENTRY(DIR *, fdopendir, int fd)
{
	DIR *(*next)(int);
	DIR *folder = NULL;
	int rc = door_folder_adopt(fd, &folder);

	if (rc != DOOR_PASS)
		return folder_result(rc, folder);
	DOOR_REAL(next, "fdopendir");
	return next ? next(fd) : NULL;
}

DOOR_ENTRY(int, dirfd, DIR *stream)
{
	int (*next)(DIR *);
	int fd = door_folder_fd(stream);

	if (fd != DOOR_PASS)
		return (int)door_entry_finish(fd);
	DOOR_REAL(next, "dirfd");
	return next ? next(stream) : -1;
}

/* With files of 64 bits, as everywhere that we run, both names mean the same. */
static struct dirent *next_entry(DIR *stream)
{
	struct dirent *(*next)(DIR *);
	struct dirent *entry;

	if (door_folder_read(stream, &entry))
		return entry;
	DOOR_REAL(next, "readdir64");
	return next ? next(stream) : NULL;
}

DOOR_ENTRY(struct dirent *, readdir, DIR *stream)
{
	return next_entry(stream);
}

DOOR_ENTRY(struct dirent *, readdir64, DIR *stream)
{
	return next_entry(stream);
}

DOOR_ENTRY(void, rewinddir, DIR *stream)
{
	void (*next)(DIR *);

	if (door_folder_seek(stream, 0))
		return;
	DOOR_REAL(next, "rewinddir");
	if (next)
		next(stream);
}

DOOR_ENTRY(void, seekdir, DIR *stream, long position)
{
	void (*next)(DIR *, long);

	if (door_folder_seek(stream, position))
		return;
	DOOR_REAL(next, "seekdir");
	if (next)
		next(stream, position);
}

DOOR_ENTRY(long, telldir, DIR *stream)
{
	long (*next)(DIR *);
	long position;

	if (door_folder_tell(stream, &position))
		return position;
	DOOR_REAL(next, "telldir");
	return next ? next(stream) : -1;
}

DOOR_ENTRY(int, closedir, DIR *stream)
{
	int (*next)(DIR *);

	if (door_folder_close(stream))
		return 0;
	DOOR_REAL(next, "closedir");
	return next ? next(stream) : -1;
}

/* The flags of open(2) that a mode of fopen(3) stands for. -1 when it is none. */
static int flags_of(const char *mode)
{
	int flags = mode[0] == 'r'   ? O_RDONLY
		    : mode[0] == 'w' ? O_WRONLY | O_CREAT | O_TRUNC
		    : mode[0] == 'a' ? O_WRONLY | O_CREAT | O_APPEND
				     : -1;

	if (flags < 0)
		return flags;
	for (mode++; *mode && *mode != ','; mode++) {
		if (*mode == '+')
			flags = (flags & ~O_ACCMODE) | O_RDWR;
		else if (*mode == 'x')
			flags |= O_EXCL;
		else if (*mode == 'e')
			flags |= O_CLOEXEC;
	}
	return flags;
}

/* A file of the tree over a descriptor. */
static FILE *open_stream(const char *path, const char *mode)
{
	FILE *(*next)(const char *, const char *);
	int flags = mode ? flags_of(mode) : -1;
	int fd = flags < 0 ? DOOR_PASS : door_path_open(path, flags);
	FILE *stream;

	if (fd == DOOR_PASS) {
		DOOR_REAL(next, "fopen64");
		return next ? next(path, mode) : NULL;
	}
	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	stream = fdopen(fd, mode);
	if (!stream) {
		door_entry_forget(fd);
		drm_raw_close(fd);
	}
	return stream;
}

DOOR_ENTRY(FILE *, fopen, const char *path, const char *mode)
{
	return open_stream(path, mode);
}

DOOR_ENTRY(FILE *, fopen64, const char *path, const char *mode)
{
	return open_stream(path, mode);
}

/*
 * The driver reads sysfs by std::ifstream. C++'s library opens files by itself, out of reach of the
 * table, so the call is caught one level above.
 */
void *door_entry_filebuf_open(void *self, const char *path, int mode)
{
	enum { APPEND = 1, OUT = 16, TRUNCATE = 32 }; /* std::ios_base::openmode */
	void *(*next)(void *, const char *, int);
	int flags = mode & (APPEND | OUT | TRUNCATE) ? O_RDWR : O_RDONLY;
	void *result;
	char alias[32];
	int fd = -1;
	int rc = door_path_alias(path, flags, alias, &fd);

	if (rc != 0 && rc != DOOR_PASS) {
		errno = -rc;
		return NULL;
	}
	DOOR_REAL(next, DOOR_FILEBUF_OPEN);
	result = next ? next(self, rc == 0 ? alias : path, mode) : NULL;
	if (rc == 0) {
		door_entry_forget(fd);
		drm_raw_close(fd);
	}
	return result;
}
