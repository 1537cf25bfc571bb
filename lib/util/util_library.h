// SPDX-License-Identifier: MIT
#ifndef UTIL_LIBRARY_H
#define UTIL_LIBRARY_H

#include <stddef.h>

/*
 * The file of the library or program that holds this code, as the dynamic linker names it: a name
 * without a slash for a program that was found by PATH. NULL: not known. Constant.
 */
const char *util_library_path(void);

/* This code is in a copy: what is found beside the library is beside `path` (kept, not copied). */
void util_library_is_copy_of(const char *path);

/*
 * Loads a library once more: the same code, but variables of its own, which are as they were when
 * it was first loaded. `name` is a path or a soname; `why` gets a sentence if NULL is returned.
 * Never unloaded. Keeps a descriptor, by whose path the dynamic linker tells the copies apart.
 */
void *util_library_load_again(const char *name, char *why, size_t size);

#endif
