// SPDX-License-Identifier: MIT
#ifndef UTIL_FILE_H
#define UTIL_FILE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/*
 * Whether a file may have so many bytes (RLIMIT_FSIZE). To make one larger would not only fail: it
 * raises SIGXFSZ, which ends the application. Files without a name count, too.
 */
static inline bool util_file_fits(uint64_t size)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	       size <= limit.rlim_cur;
}

/* Writes all of it, in one go unless the disk is full. */
static inline bool util_file_write(int fd, const void *data, size_t size)
{
	for (const char *at = data; size;) {
		ssize_t done = write(fd, at, size);
		if (done < 0 && errno != EINTR)
			return false;
		at += done > 0 ? done : 0;
		size -= done > 0 ? (size_t)done : 0;
	}
	return true;
}

/* Ends a stream of open_memstream. Its text; NULL if there was not enough memory for it. */
static inline char *util_file_text(FILE *stream, char **text)
{
	bool failed = ferror(stream);

	if (fclose(stream) || failed) {
		free(*text);
		*text = NULL;
	}
	return *text;
}

/*
 * The bytes of a file, to be freed, with a NUL behind them that *size does not count. NULL without
 * memory, or if the file cannot be read: errno says why.
 */
static inline char *util_file_read(const char *path, size_t *size)
{
	FILE *file = fopen(path, "re");
	char piece[1 << 14], *bytes = NULL;
	FILE *copy = file ? open_memstream(&bytes, size) : NULL;

	for (size_t n; copy && (n = fread(piece, 1, sizeof(piece), file)) > 0;)
		fwrite(piece, 1, n, copy);
	const bool failed = !copy || ferror(file);
	if (file)
		fclose(file);
	if (copy && util_file_text(copy, &bytes) && failed) {
		free(bytes);
		bytes = NULL;
	}
	return bytes;
}

#endif
