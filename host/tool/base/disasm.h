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
 * Returns the instructions of `kernel` in a zebin, one on a line, up to the end of its thread; with
 * `addresses`, each behind its address in a comment. Ownership: the caller frees it. Returns NULL
 * with a sentence in `why` for another form of binary, a kernel that is not there, or code that
 * cannot be decoded.
 */
char *disasm_kernel(const struct disasm *disasm, const void *binary, size_t binary_size,
	const char *kernel, bool addresses, char *why, size_t size);

#endif
