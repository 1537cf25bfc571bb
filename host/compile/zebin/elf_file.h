// SPDX-License-Identifier: MIT
#ifndef ELF_FILE_H
#define ELF_FILE_H

#include "compile/base/request.h"
#include "compile/base/pool.h"

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * ELF files that hold programs: zebins and the containers of Intel's OpenCL driver. libelf reads
 * them. They are written here, in 40 lines: libelf writes to files only, and what lies where has to
 * be said to it anyway.
 */

enum elf_file_kind {
	ELF_FILE_ZEBIN, /* native code as IGC makes it */
	/* The forms that Intel's OpenCL driver gives for CL_PROGRAM_BINARIES: */
	ELF_FILE_EXECUTABLE, /* around native code with patch tokens */
	ELF_FILE_OBJECT,     /* compiled, not linked: SPIR-V */
	ELF_FILE_LIBRARY
};

/* Section types of Intel's. A zebin has other numbers for the same parts than the containers. */
#define ELF_FILE_TOKENS	 0xff000005u /* of an executable: its native code */
#define ELF_FILE_OPTIONS 0xff000006u /* of a container */
#define ELF_FILE_SPIRV	 0xff000009u /* of both */
#define ELF_FILE_ZE_INFO 0xff000011u /* of a zebin: YAML */
#define ELF_FILE_MISC	 0xff000014u /* of a zebin */

#define ELF_FILE_MISC_OPTIONS ".misc.buildOptions"

struct elf_file_section {
	const char *name; /* "" if it has none */
	const void *data; /* NULL if it has no bytes in the file */
	size_t size;	  /* bytes of data */
	Elf64_Shdr head;  /* sh_name, sh_offset and the size of what has bytes are set on writing */
};

/* A file in memory: changed by changing its sections. */
struct elf_file {
	enum elf_file_kind kind;
	Elf64_Ehdr head;
	struct elf_file_section *sections; /* by number; the first one is empty */
	size_t n;
	struct pool *pool; /* owns the above */
};

/*
 * Reads a 64-bit ELF file of machine 205 (Intel Graphics Technology), or of one of the types of
 * Intel's OpenCL driver. Names and bytes are views into `data`, which need not be aligned and must
 * outlive *file. COMPILE_ERROR: it is no such file, or a section reaches past its end;
 * COMPILE_NO_MEMORY. On failure *file is empty.
 */
enum compile_status elf_file_read(struct elf_file *file, const void *data, size_t size);

/* An empty container of that kind. False without memory. */
bool elf_file_create(struct elf_file *file, enum elf_file_kind kind);

/* The first section of that type and, unless it is NULL, that name; NULL if there is none. */
struct elf_file_section *elf_file_find(
	const struct elf_file *file, uint32_t type, const char *name);

/* The first section of that name that is not unused; NULL if there is none. */
struct elf_file_section *elf_file_named(const struct elf_file *file, const char *name);

/* The machine code of a kernel of a zebin; NULL if there is none. */
struct elf_file_section *elf_file_code(const struct elf_file *file, const char *kernel);

/*
 * The next of a zebin's notes in `left` bytes at *at: a head, the owner "IntelGT", and the value,
 * which *value is. False at the end, and for what is no such note; *left says how many bytes are
 * over.
 */
bool elf_file_note(const char **at, size_t *left, Elf64_Nhdr *head, const char **value);

/* Adds a section, whose name and bytes must outlive the file. False without memory. */
bool elf_file_add(
	struct elf_file *file, const char *name, uint32_t type, const void *data, size_t size);

/* Puts bytes, and zeros before them, behind those of a section, aligned. False without memory. */
bool elf_file_append(struct elf_file *file, struct elf_file_section *section, size_t alignment,
	const void *data, size_t size);

/* Symbol `i` of a symbol table; false behind the last. */
bool elf_file_symbol(const struct elf_file_section *table, size_t i, Elf64_Sym *symbol);

/* The name of a symbol of the table; "" if it has none. */
const char *elf_file_symbol_name(
	const struct elf_file *file, const struct elf_file_section *table, const Elf64_Sym *symbol);

/* What the notes of a zebin tell a driver: a number, and "<major>.<minor>" of .ze_info. */
enum elf_file_note { ELF_FILE_NOTE_PRODUCT = 1, ELF_FILE_NOTE_VERSION = 4 };

/* Where a zebin has a note, 4 bytes or more that need not be aligned; NULL if it has none. */
const void *elf_file_find_note(const struct elf_file *file, enum elf_file_note note);

/*
 * The file as bytes, to be freed; NULL without memory. As in Intel's containers, the table of
 * sections comes first and the sections follow in its order: code generators that make one longer
 * and move those behind it have a right file. Names are added to the section of names, if any.
 */
void *elf_file_write(struct elf_file *file, size_t *size);

/* Accepts an empty one. */
void elf_file_finish(struct elf_file *file);

#endif
