// SPDX-License-Identifier: MIT
#ifndef IGC_DEBUG_H
#define IGC_DEBUG_H

#include "compile/base/request.h"

/*
 * Debug information of programs with several functions. IGC writes that of each into a file, which
 * it gives to a linker: but Debian's IGC 1.0 is built with one that does not know the machine. It
 * removes the files then and goes on without. zerocl-cc keeps what they held, because `remove` is
 * its own, as sections of the native code: DWARF_LINES_SECTION and the kernel's name.
 */

/* Keeps what is removed from now on. */
void igc_debug_begin(void);

/* Adds what was kept to native code that has no debug information, and keeps no more. */
void igc_debug_end(struct compile_result *result);

#endif
