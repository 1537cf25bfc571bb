// SPDX-License-Identifier: MIT
#ifndef EU_DEBUG_SOURCE_H
#define EU_DEBUG_SOURCE_H

#include <stdbool.h>

/*
 * Where the text of a program is on disk, so that GDB can show it: one of the files that
 * ZEROCL_VGPU_GDB_SOURCE names, with ':' between, if it has that text; else, when ZEROCL_VGPU_GDB
 * is a socket, a file beside that, program1.cl, program2.cl … in the order in which they come.
 * `path` has room for EU_DEBUG_PATH_BYTES. False: nowhere. Under the world's lock.
 */
enum { EU_DEBUG_PATH_BYTES = 512 };

bool eu_debug_source_find(const char *text, char *path);

#endif
