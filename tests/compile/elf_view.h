// SPDX-License-Identifier: MIT
#ifndef ELF_VIEW_H
#define ELF_VIEW_H

#include "compile/zebin/elf_file.h"

/* The bytes of a section of a file that must be sound; NULL data if it has no such section. */
static inline struct elf_file_section view_section(
	const void *data, size_t size, uint32_t type, const char *name)
{
	struct elf_file_section section = { .name = NULL };
	struct elf_file file;

	assert_int_equal(elf_file_read(&file, data, size), COMPILE_OK);
	if (elf_file_find(&file, type, name))
		section = *elf_file_find(&file, type, name);
	elf_file_finish(&file);
	return section;
}

#endif
