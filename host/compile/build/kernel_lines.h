// SPDX-License-Identifier: MIT
#ifndef KERNEL_LINES_H
#define KERNEL_LINES_H

#include "compile/build/compile.h"
#include "compile/zebin/dwarf_lines.h"

/*
 * Finds the ELF file that has the debug information of a kernel, as kernel_lines_find does: the
 * native code or a file within, or one that the caller frees: then *again is it, else NULL. Returns
 * NULL, with *size 0, when there is none.
 */
const void *kernel_debug_find(const struct compile_request *module, const void *native,
	size_t native_size, const char *kernel, size_t *size, void **again);

/*
 * Reads the lines of a kernel (see dwarf_lines_read) where the native code may not say them. Then
 * builds it again from `module`, which names SPIR-V made with -g, options with -g, and the family:
 * all of it, and if need be the kernel alone. Gives no rows unless the kernel's code is then the
 * same, byte by byte. Blocks as compile_build does.
 */
void kernel_lines_find(struct dwarf_lines *lines, const struct compile_request *module,
	const void *native, size_t native_size, const char *kernel);

#endif
