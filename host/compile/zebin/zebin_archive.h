// SPDX-License-Identifier: MIT
#ifndef ZEBIN_ARCHIVE_H
#define ZEBIN_ARCHIVE_H

#include "compile/zebin/elf_file.h"

/*
 * ocloc's binaries for several devices: an ar archive whose members are named
 * "<pointer bits>.<family or version of the core>", and "generic_ir" if it holds SPIR-V.
 * The member for the family, else the SPIR-V; false if it has neither or is no archive.
 */
bool compile_archive_find(
	const void *data, size_t size, const char *family, struct compile_bytes *member);

#endif
