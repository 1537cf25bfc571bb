// SPDX-License-Identifier: MIT
#ifndef TOOL_ISA_LINE_H
#define TOOL_ISA_LINE_H

#include <stddef.h>

/* Source lines of native code, from the .debug_line section that a build with -g has. */

struct isa_line_row {
	unsigned long address; /* in the kernel's code, bytes; the row counts up to the next one */
	unsigned line;	       /* of the program's own file; 0: of none */
};

struct isa_lines {
	struct isa_line_row *rows; /* by ascending address */
	size_t n;
};

/*
 * Reads the lines of `kernel` of a zebin. Never trusts the bytes. What is not there, or is no DWARF
 * 2 to 4, gives no rows. Finish it in any case.
 */
void isa_lines_read(struct isa_lines *lines, const void *binary, size_t size, const char *kernel);
void isa_lines_finish(struct isa_lines *lines);

/* The line of the instruction at an address, 0 if it has none. */
unsigned isa_lines_at(const struct isa_lines *lines, unsigned long address);

#endif
