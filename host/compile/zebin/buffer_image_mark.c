// SPDX-License-Identifier: MIT
#include "compile/zebin/buffer_image_mark.h"

#include "compile/zebin/elf_file.h"

#include <string.h>

/* In the first digit of the version. */
#define MARK 4

/* Where the version is in the file, 0 if it has none. */
static size_t find_version(const void *native, size_t size)
{
	struct elf_file file;
	const char *at = NULL;

	if (elf_file_read(&file, native, size) == COMPILE_OK)
		at = elf_file_find_note(&file, ELF_FILE_NOTE_VERSION);
	elf_file_finish(&file);
	return at ? (size_t)(at - (const char *)native) : 0;
}

bool buffer_image_is_marked(const void *native, size_t size)
{
	size_t place = find_version(native, size);

	return place && ((const char *)native)[place] & MARK;
}

bool buffer_image_mark(void *native, size_t size, bool is_marked)
{
	size_t place = find_version(native, size);
	char *digit = (char *)native + place;

	if (!place)
		return false;
	*digit = (char)(is_marked ? *digit | MARK : *digit & ~MARK);
	return true;
}
