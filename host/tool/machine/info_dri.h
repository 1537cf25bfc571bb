// SPDX-License-Identifier: MIT
#ifndef INFO_DRI_H
#define INFO_DRI_H

#include <stddef.h>
#include <stdio.h>

/*
 * Prints one line for each render node in `dri` (normally /dev/dri): its vendor and device ids, by
 * `sysfs` (normally /sys/class/drm), and whether this user may open it; what to do if not. Prints
 * why there is none if there is none. Returns the number of Intel nodes that can be opened.
 */
unsigned info_dri_print(FILE *file, const char *dri, const char *sysfs);

#endif
