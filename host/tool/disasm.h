// SPDX-License-Identifier: MIT
#ifndef DISASM_H
#define DISASM_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Native code as text, by libiga64 (of Intel's graphics compiler), which is loaded when asked for.
 * The tool works without it.
 */
struct disasm;

/* Loads the library. NULL with a sentence in why if it is not there. */
struct disasm *disasm_open(char *why, size_t size);
void disasm_close(struct disasm *disasm);

/* The library's version, and the file that it was loaded from. They live as long as disasm. */
const char *disasm_version(const struct disasm *disasm);

/*
 * The instructions of `kernel` in a program binary of the zebin form, one on a line, up to the end
 * of its thread; allocated, the caller frees it. NULL with a sentence in why for another form, a
 * kernel that is not there, or code that cannot be decoded.
 */
char *disasm_kernel(const struct disasm *disasm, const void *binary, size_t binary_size,
	const char *kernel, char *why, size_t size);

/* The same with the address of each instruction before it, as libiga64 writes it in a comment. */
char *disasm_listing(const struct disasm *disasm, const void *binary, size_t binary_size,
	const char *kernel, char *why, size_t size);

#endif
