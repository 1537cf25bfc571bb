// SPDX-License-Identifier: MIT
#ifndef ZEBIN_CHECK_INFO_H
#define ZEBIN_CHECK_INFO_H

#include "compile/zebin/elf_file.h"

/* The part of zebin_check for .ze_info; the sections are checked. */
enum compile_status zebin_check_info(const struct elf_file *file, char *why, size_t why_size);

#endif
