// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "door/door_entry.h"
#include "door/door_stream.h"

/* The replacements that open and read folders, and streams of files. */

/* A file of the tree: a descriptor, a negative errno, or DOOR_PASS. */
static int open_node(const char *path, int flags)
{
	struct door_place place;
	int rc = door_file_find(AT_FDCWD, path, 0, &place);

	return rc ? rc : door_file_open(place.node, flags);
}

static void close_node(int fd)
{
	door_file_forget(fd);
	drm_raw_close(fd);
}

DOOR_ENTRY(DIR *, fdopendir, int fd)
{
	DIR *(*next)(int);
	struct door_file *file = door_file_get(fd);
	bool folder = file && door_node_is_folder(file->node);
	bool shared = folder && file->shared;
	DIR *stream = folder ? door_stream_open(fd) : NULL;
	DIR *machine = NULL;

	if (file)
		door_file_put(file);
	if (folder && (!stream || !shared))
		return stream;
	DOOR_REAL(next, "fdopendir");
	machine = next ? next(fd) : NULL;
	if (!folder)
		return machine;
	if (!machine)
		door_stream_close(door_stream_of(stream));
	else
		door_stream_share(door_stream_of(stream), machine);
	return machine ? stream : NULL;
}

DOOR_ENTRY(DIR *, opendir, const char *path)
{
	enum { FLAGS = O_RDONLY | O_DIRECTORY | O_CLOEXEC };
	DIR *(*next)(const char *);
	struct door_place place;
	DIR *stream;
	int fd = door_file_find(AT_FDCWD, path, 0, &place);

	if (fd == DOOR_PASS && !place.node) {
		DOOR_REAL(next, "opendir");
		return next ? next(place.path) : NULL;
	}
	if (fd == DOOR_PASS)
		fd = door_file_share(place.node, drm_raw_open(place.path, FLAGS));
	else if (fd == 0)
		fd = door_file_open(place.node, FLAGS);
	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	stream = door_libc_fdopendir(fd);
	if (!stream)
		close_node(fd);
	return stream;
}

/* A function of a stream: of the tree's, `own`; of any other, libc's function `symbol`, or `none`.
 */
#define STREAM_ENTRY(type, name, symbol, own, none)                                                \
	DOOR_ENTRY(type, name, DIR *stream)                                                        \
	{                                                                                          \
		struct door_stream *folder = door_stream_of(stream);                               \
		type (*next)(DIR *);                                                               \
                                                                                                   \
		if (folder)                                                                        \
			return own(folder);                                                        \
		DOOR_REAL(next, symbol);                                                           \
		return next ? next(stream) : none;                                                 \
	}
STREAM_ENTRY(int, dirfd, "dirfd", door_stream_fd, -1)
STREAM_ENTRY(long, telldir, "telldir", door_stream_tell, -1)
/* With files of 64 bits, which is so wherever this runs, both names mean the same. */
STREAM_ENTRY(struct dirent *, readdir, "readdir64", door_stream_read, NULL)
DOOR_ALIAS(readdir64, readdir)

DOOR_ENTRY(void, seekdir, DIR *stream, long position)
{
	struct door_stream *folder = door_stream_of(stream);
	void (*next)(DIR *, long);

	if (folder) {
		door_stream_seek(folder, position);
		return;
	}
	DOOR_REAL(next, "seekdir");
	if (next)
		next(stream, position);
}

DOOR_ENTRY(void, rewinddir, DIR *stream)
{
	struct door_stream *folder = door_stream_of(stream);
	void (*next)(DIR *);

	if (folder) {
		door_stream_seek(folder, 0);
		return;
	}
	DOOR_REAL(next, "rewinddir");
	if (next)
		next(stream);
}

DOOR_ENTRY(int, closedir, DIR *stream)
{
	struct door_stream *folder = door_stream_of(stream);
	int fd = folder ? door_stream_fd(folder) : -1;
	int (*next)(DIR *);

	if (folder) {
		stream = door_stream_close(folder);
		door_file_forget(fd);
	}
	if (folder && !stream)
		return (int)door_entry_finish(drm_raw_close(fd));
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
DOOR_ENTRY(FILE *, fopen, const char *path, const char *mode)
{
	FILE *(*next)(const char *, const char *);
	int flags = mode ? flags_of(mode) : -1;
	int fd = flags < 0 ? DOOR_PASS : open_node(path, flags);
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
	if (!stream)
		close_node(fd);
	return stream;
}
DOOR_ALIAS(fopen64, fopen)

/*
 * The driver reads sysfs by std::ifstream. C++'s library opens files by itself, out of reach of the
 * table, so the call is caught one level above, and given a path of the descriptor.
 */
void *door_entry_filebuf_open(void *self, const char *path, int mode)
{
	enum { APPEND = 1, OUT = 16, TRUNCATE = 32 }; /* std::ios_base::openmode */
	void *(*next)(void *, const char *, int);
	int flags = mode & (APPEND | OUT | TRUNCATE) ? O_RDWR : O_RDONLY;
	int fd = open_node(path, flags | O_CLOEXEC);
	char alias[32];
	void *result;

	if (fd < 0 && fd != DOOR_PASS) {
		errno = -fd;
		return NULL;
	}
	snprintf(alias, sizeof(alias), "/proc/self/fd/%d", fd);
	DOOR_REAL(next, DOOR_FILEBUF_OPEN);
	result = next ? next(self, fd < 0 ? path : alias, mode) : NULL;
	if (fd >= 0)
		close_node(fd);
	return result;
}
