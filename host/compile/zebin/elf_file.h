// SPDX-License-Identifier: MIT
#ifndef ELF_FILE_H
#define ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A stretch of somebody's bytes. */
struct compile_bytes {
	const void *data; /* NULL: not there */
	size_t size;
};

enum compile_elf_kind {
	COMPILE_ELF_ZEBIN, /* native code as IGC makes it */
	/* The forms that Intel's OpenCL driver gives for CL_PROGRAM_BINARIES: */
	COMPILE_ELF_EXECUTABLE, /* around native code with patch tokens */
	COMPILE_ELF_OBJECT,	/* compiled, not linked: SPIR-V */
	COMPILE_ELF_LIBRARY
};

/* What we use of such a file; views into it. */
struct compile_elf {
	enum compile_elf_kind kind;
	struct compile_bytes ze_info; /* YAML; a program without kernels has none */
	struct compile_bytes spirv;
	struct compile_bytes options;
	struct compile_bytes tokens; /* of an executable: its native code */
	struct compile_bytes compat; /* of a zebin: notes of what it is for */
	struct compile_bytes notes;  /* ours: see zebin_binary.c */
	struct compile_bytes inner;  /* ours, beside tokens: the same */
};

/*
 * Looks for the sections of a 64-bit ELF file of machine 205 (Intel Graphics Technology), or of
 * Intel's OpenCL file types. False if it is not one or if any section reaches past the end. `data`
 * need not be aligned.
 */
bool compile_elf_open(const void *data, size_t size, struct compile_elf *elf);

/*
 * Where the file has the number of the product that a zebin is for, 4 bytes; NULL if it does not
 * say. For what compile_elf_open took.
 */
const void *compile_elf_product(const struct compile_elf *elf);

/*
 * The name of a function or variable of the program that the native code lacks, at most `size`
 * bytes with NUL; false if it lacks nothing. Names that only the driver gives do not count. For
 * what compile_elf_open takes.
 */
bool compile_elf_undefined(const void *data, size_t size, char *name, size_t name_size);

/* A section; its bytes are a view into the file. */
struct compile_elf_part {
	const char *name; /* "" if it has none */
	uint32_t type;	  /* SHT_… */
	uint32_t link;	  /* another section's number */
	struct compile_bytes bytes;
};

/* Section `i` of what compile_elf_open takes; false behind the last one. */
bool compile_elf_part(const void *data, size_t size, uint32_t i, struct compile_elf_part *part);

/* Section types. A zebin's parts have other numbers than the same parts elsewhere. */
#define COMPILE_SECTION_TOKENS	0xff000005u
#define COMPILE_SECTION_OPTIONS 0xff000006u
#define COMPILE_SECTION_SPIRV	0xff000009u /* in both */
#define COMPILE_SECTION_ZE_INFO 0xff000011u
#define COMPILE_SECTION_MISC	0xff000014u

#define COMPILE_SECTION_MISC_OPTIONS ".misc.buildOptions"
#define COMPILE_SECTION_MISC_NOTES   ".misc.zerocl"

/* In a container of patch tokens Intel's driver overlooks sections only if they are of this type.
 */
#define COMPILE_SECTION_OVERLOOKED 3u /* SHT_STRTAB */
#define COMPILE_SECTION_INNER	   ".zerocl"

struct compile_section {
	const char *name;
	uint32_t type;
	struct compile_bytes bytes;
};

/*
 * The file with sections added, to be freed; NULL when out of memory. `elf` is one that
 * compile_elf_open takes.
 */
void *compile_elf_append(const void *elf, size_t size, const struct compile_section *sections,
	size_t n, size_t *out_size);

/*
 * The file without what sections of that type hold, to be freed; NULL when out of memory. The
 * sections stay, as unused ones, so that the others keep their numbers. `elf` as above.
 */
void *compile_elf_without(const void *elf, size_t size, uint32_t type, size_t *out_size);

/*
 * A file of that kind, which is not a zebin, with these sections. As in those of Intel's driver,
 * the table of sections comes before them, and they lie in its order: whoever makes one longer and
 * moves those behind it has a right file.
 */
void *compile_elf_make(enum compile_elf_kind kind, const struct compile_section *sections, size_t n,
	size_t *out_size);

#endif
