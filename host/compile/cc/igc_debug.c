// SPDX-License-Identifier: MIT
#include "compile/cc/igc_debug.h"

#include "compile/zebin/dwarf_lines.h"
#include "compile/zebin/elf_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MACHINE = 205, MOST_BYTES = 64 << 20 };

/* A file that was removed. */
struct kept {
	struct kept *next;
	size_t size;
	unsigned char bytes[];
};

static struct kept *all;
static bool keeps;

static struct kept *read_whole(FILE *file)
{
	struct stat status;
	struct kept *kept = NULL;

	if (!fstat(fileno(file), &status) && status.st_size <= MOST_BYTES)
		kept = malloc(sizeof *kept + (size_t)status.st_size);
	if (kept)
		kept->size = fread(kept->bytes, 1, (size_t)status.st_size, file);
	return kept;
}

static void keep(const char *path)
{
	FILE *file = fopen(path, "re");
	struct kept *kept = file ? read_whole(file) : NULL;
	Elf64_Half machine = MACHINE;

	if (file)
		fclose(file);
	if (!kept || kept->size < sizeof(Elf64_Ehdr)) {
		free(kept);
		return;
	}
	/* IGC calls it a file for x86-64. */
	memcpy(kept->bytes + offsetof(Elf64_Ehdr, e_machine), &machine, sizeof machine);
	kept->next = all;
	all = kept;
}

/* The C library's, which IGC calls here. */
__attribute__((visibility("default"))) int remove(const char *path)
{
	size_t length = strlen(path);

	if (keeps && length > 4 && !strcmp(path + length - 4, ".elf"))
		keep(path);
	return unlink(path) && rmdir(path) ? -1 : 0;
}

void igc_debug_begin(void)
{
	keeps = true;
}

/* Adds the file as a section of its kernel. */
static void add(struct elf_file *to, const struct kept *kept)
{
	struct elf_file file;
	size_t i = 0;

	if (elf_file_read(&file, kept->bytes, kept->size) != COMPILE_OK)
		return;
	while (i < file.n && strncmp(file.sections[i].name, ".text.", 6) != 0)
		i++;
	const char *kernel = i < file.n ? file.sections[i].name + 6 : "";
	size_t size = sizeof DWARF_LINES_SECTION + strlen(kernel);
	char *name = *kernel && elf_file_code(to, kernel) ? pool_get(&to->pool, size) : NULL;
	if (name) {
		snprintf(name, size, "%s%s", DWARF_LINES_SECTION, kernel);
		elf_file_add(to, name, SHT_PROGBITS, kept->bytes, kept->size);
	}
	elf_file_finish(&file);
}

void igc_debug_end(struct compile_result *result)
{
	struct elf_file file;
	void *longer = NULL;
	size_t size;

	keeps = false;
	if (all && result->native &&
		elf_file_read(&file, result->native, result->native_size) == COMPILE_OK) {
		if (file.kind == ELF_FILE_ZEBIN && !elf_file_named(&file, ".debug_info")) {
			for (const struct kept *kept = all; kept; kept = kept->next)
				add(&file, kept);
			longer = elf_file_write(&file, &size);
		}
		elf_file_finish(&file);
	}
	if (longer) {
		free(result->native);
		result->native = longer;
		result->native_size = size;
	}
	for (struct kept *next; all; all = next) {
		next = all->next;
		free(all);
	}
}
