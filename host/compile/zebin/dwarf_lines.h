// SPDX-License-Identifier: MIT
#ifndef DWARF_LINES_H
#define DWARF_LINES_H

#include <stddef.h>

/* Source lines of native code, from the .debug_line section that a build with -g has. */

/*
 * A zebin may have, for each kernel, an ELF file of its code and debug information in a section of
 * this name with the kernel's behind it (igc_debug.h). Drivers take no notice of .debug_ sections.
 */
#define DWARF_LINES_SECTION ".debug_elf."

struct dwarf_line {
	unsigned long address; /* in the kernel's code, bytes; the row counts up to the next one */
	unsigned line;	       /* of the program's own file; 0: of none */
	unsigned column;       /* 0: not known */
};

struct dwarf_lines {
	struct dwarf_line *rows; /* by ascending address */
	size_t n;
};

/*
 * Reads the lines of `kernel` of a zebin. Never trusts the bytes. Gives no rows without lines or
 * without memory. Finish it in any case.
 */
void dwarf_lines_read(
	struct dwarf_lines *lines, const void *binary, size_t size, const char *kernel);
void dwarf_lines_finish(struct dwarf_lines *lines);

/* The line of the instruction at an address, 0 if it has none. */
unsigned dwarf_lines_at(const struct dwarf_lines *lines, unsigned long address);

/* The kernel's machine code in a zebin, a view; NULL for another form or another name. */
const void *dwarf_lines_code(
	const void *binary, size_t size, const char *kernel, size_t *code_size);

/*
 * The file with the debug information of a kernel that a zebin has within, a view: one
 * whose code is that of `code`. NULL: there is none.
 */
const void *dwarf_lines_within(const void *binary, size_t size, const char *kernel,
	const void *code, size_t code_size, size_t *within_size);

#endif
