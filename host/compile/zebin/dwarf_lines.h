// SPDX-License-Identifier: MIT
#ifndef DWARF_LINES_H
#define DWARF_LINES_H

#include "compile/build/compile.h"
#include "compile/zebin/elf_file.h"

/* Source lines of native code, from the .debug_line section that a build with -g has. */

#define COMPILE_LINE_NAME_MAX 1024 /* of a kernel, with NUL; a longer one has no lines */

struct compile_line_row {
	unsigned long address; /* in the kernel's code, bytes; the row counts up to the next one */
	unsigned line;	       /* of the program's own file; 0: of none */
};

struct compile_lines {
	struct compile_line_row *rows; /* by ascending address */
	size_t n;
};

/*
 * Reads the lines of `kernel` of a zebin. Never trusts the bytes. What is not there, or is no DWARF
 * 2 to 4, gives no rows. Finish it in any case.
 */
void compile_lines_read(
	struct compile_lines *lines, const void *binary, size_t size, const char *kernel);
void compile_lines_finish(struct compile_lines *lines);

/*
 * The same where the native code does not say it, because it has several kernels: builds the kernel
 * alone from `module`, which names SPIR-V made with -g, options with -g, and the family. Gives no
 * rows unless its code is then the same, byte by byte. Blocks as compile_build does.
 */
void compile_lines_find(struct compile_lines *lines, const struct compile_request *module,
	const void *native, size_t native_size, const char *kernel);

/* The line of the instruction at an address, 0 if it has none. */
unsigned compile_lines_at(const struct compile_lines *lines, unsigned long address);

/* The kernel's machine code in a zebin, a view; not there for another form or another name. */
struct compile_bytes compile_line_code(const void *binary, size_t size, const char *kernel);

#endif
