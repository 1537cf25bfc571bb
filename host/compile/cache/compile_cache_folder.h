// SPDX-License-Identifier: MIT
#ifndef COMPILE_CACHE_FOLDER_H
#define COMPILE_CACHE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

/* The cache's folder and its files, for compile_cache.c. */

/* Length of an entry's name; other files have other lengths. */
#define COMPILE_CACHE_NAME 64

/*
 * Opens the folder, and makes it if `make`; writes its path to `path`. -1 and a sentence without a
 * period in `path` if it is off, not there, or not ours alone. At most `size` bytes, with NUL.
 */
int compile_cache_open(bool make, char *path, size_t size);

/* Opens a file of the folder for reading; -1 if it is not there, or others than this user and root
 * may write it. */
int compile_cache_file(int folder, const char *name);

/* Writes a whole file at once; false (and errno) if that was not possible: then nothing changed. */
bool compile_cache_put(int folder, const char *name, const struct iovec *parts, int n_parts);

/* Removes the entries that were not used for longest, if it is time to look. */
void compile_cache_trim(int folder, size_t added);

struct compile_cache_file {
	char name[COMPILE_CACHE_NAME + 1];
	size_t size; /* bytes on disk */
	struct timespec used, made;
};

/* All entries, oldest use first, to be freed; NULL when out of memory or if there is no entry. */
struct compile_cache_file *compile_cache_files(int folder, size_t *n);

/* Writes to the log, as a warning the first time. */
void compile_cache_complain(const char *what, const char *name);

#endif
