// SPDX-License-Identifier: MIT
#ifndef DISASM_H
#define DISASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Native code as text and back, by libiga64 (of Intel's graphics compiler), which is loaded when
 * asked for. The tool works without it.
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

/* The library's number of the instruction set that a zebin is for; 0 if it is not known. */
uint32_t disasm_platform(const void *binary, size_t size);

/*
 * Assembles text for an instruction set. Nothing is compacted, and dependencies are those that the
 * text names. Ownership: the caller frees the code. Returns NULL with a sentence in `why` for text
 * that is wrong, or without memory.
 */
void *disasm_assemble(const struct disasm *disasm, uint32_t platform, const char *text,
	size_t *code_size, char *why, size_t size);

#endif
