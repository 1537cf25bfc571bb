// SPDX-License-Identifier: MIT
#ifndef ZEBIN_ARCHIVE_H
#define ZEBIN_ARCHIVE_H

#include <stddef.h>

/*
 * ocloc's binaries for several devices are ar archives, whose members are named
 * "<pointer bits>.<family or version of the core>", or "generic_ir" if they hold SPIR-V.
 * Replaces an archive by its member for the family, else by its SPIR-V, else by nothing; leaves
 * what is no archive. By hand: libelf reads no members of an archive in memory.
 */
void zebin_archive_find(const void **data, size_t *size, const char *family);

#endif
