// SPDX-License-Identifier: MIT
#ifndef INFO_LIBRARY_H
#define INFO_LIBRARY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Loads a shared library in a child process, since some of them cannot share one. True with the
 * file that it is in path (PATH_MAX bytes); false with the loader's reason there.
 */
bool info_library_find(const char *soname, char *path);

/*
 * The version of an installed Debian package, from `status`, dpkg's list of packages (normally
 * INFO_DPKG_STATUS). False if it is not installed or there is no such list.
 */
bool info_package_version(const char *status, const char *package, char *version, size_t size);

#define INFO_DPKG_STATUS "/var/lib/dpkg/status"

/* Other people's libraries that ZeroCL stands on, 0 to INFO_PARTS - 1. */
enum { INFO_PARTS = 7 };

/*
 * Finds the library of a part. `what` gets what it is; `text` its file, with the Debian package and
 * its version if one holds it, or why it is missing and how to install it. Returns whether it is
 * there.
 */
bool info_part_find(unsigned part, const char **what, char *text, size_t size);

#endif
