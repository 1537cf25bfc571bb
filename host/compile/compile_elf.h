// SPDX-License-Identifier: MIT
#ifndef COMPILE_ELF_H
#define COMPILE_ELF_H

#include <stdbool.h>
#include <stddef.h>

/* A stretch of somebody's bytes. */
struct compile_bytes {
	const void *data; /* NULL: not there */
	size_t size;
};

/* What we use of a zebin, the ELF file that IGC makes; views into it. */
struct compile_elf {
	struct compile_bytes ze_info; /* YAML; a program without kernels has none */
	struct compile_bytes spirv;
	struct compile_bytes options;
};

/*
 * Looks for the sections of a 64-bit ELF file of machine 205 (Intel Graphics Technology). False if
 * it is not one or if any section reaches past the end. `data` need not be aligned.
 */
bool compile_elf_open(const void *data, size_t size, struct compile_elf *elf);

#endif
