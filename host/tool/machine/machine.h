// SPDX-License-Identifier: MIT
#ifndef MACHINE_H
#define MACHINE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The checks of `zerocl doctor` that look at files: each prints lines "what it is, what to do". */

enum doctor_verdict { DOCTOR_OK, DOCTOR_REMARK, DOCTOR_FAIL };

/* Where a machine has its files; tests make others. */
struct doctor_roots {
	const char *dri, *sysfs; /* /dev/dri, /sys/class/drm */
	const char *vendors;	 /* the ICD files of loaders: /etc/OpenCL/vendors */
};

/* Checks files, libraries, nodes and ICD files. Returns how many failures ZeroCL cannot do with. */
unsigned doctor_machine(FILE *file, const struct doctor_roots *roots);

/* Prints one line. */
void doctor_print(FILE *file, enum doctor_verdict verdict, const char *what, const char *text);

/*
 * Prints one line for each render node in `dri` (normally /dev/dri): its vendor and device ids, by
 * `sysfs` (normally /sys/class/drm), and whether this user may open it; what to do if not. Prints
 * why there is none if there is none. Returns the number of Intel nodes that can be opened.
 */
unsigned info_dri_print(FILE *file, const char *dri, const char *sysfs);

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
