// SPDX-License-Identifier: MIT
#ifndef TEST_FILES_H
#define TEST_FILES_H

#include <stddef.h>

/* Files of tests. What cannot be done fails the running test, but for test_folder_remove. */

enum { TEST_FOLDER_MAX = 64 };

/* Makes an empty folder, in that for temporary files; `name` says whose it is, for humans. */
void test_folder_make(char path[TEST_FOLDER_MAX], const char *name);

/* Removes it with all that is in it. 0, or -1: something is left. */
int test_folder_remove(const char *path);

void test_write_file(const char *path, const void *data, size_t size);
void test_write_text(const char *path, const char *text);

/* All of a file, with a zero behind it, to be freed. Its size goes to *size, which may be NULL. */
void *test_read_file(const char *path, size_t *size);

#endif
