// SPDX-License-Identifier: MIT
#ifndef ZEBIN_CHECK_H
#define ZEBIN_CHECK_H

#include "compile/zebin/elf_file.h"

/*
 * Whether a zebin that others made can be given to the driver, which ends the process on what it
 * does not expect: its sections, symbols, relocations and notes point to where they may, and
 * .ze_info is of its schema. What the schema does not know (of a newer compiler) is let through if
 * it is plain. The driver is given the file as elf_file_write and zebin_yaml_write write it, so
 * that nothing depends on how it reads what these do not write.
 *
 * Returns COMPILE_OK, COMPILE_NO_MEMORY, or COMPILE_ERROR and a sentence in `why`.
 */
enum compile_status zebin_check(const struct elf_file *file, char *why, size_t why_size);

#endif
