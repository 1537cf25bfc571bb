// SPDX-License-Identifier: MIT
#ifndef EU_DEBUG_ELF_H
#define EU_DEBUG_ELF_H

#include "eu/debug/eu_debug_packet.h"

/* A kernel, of which a debugger is to have a file. */
struct eu_debug_kernel {
	uint64_t address, bytes; /* of its code, on the GPU */
	const char *name;
	const void *binary; /* a zebin with debug information of this kernel; NULL: none */
	size_t binary_size;
	const char *source; /* the path of its source, or NULL: as the compiler has named it */
};

/*
 * Appends an ELF file of x86-64 that describes the code where it is: its name, and what the zebin
 * says of lines, variables and frames, relocated and in plain DWARF (eu_debug_dwarf.h). Never
 * trusts the zebin: what is malformed is left out. False when memory is short.
 */
bool eu_debug_elf(const struct eu_debug_kernel *kernel, struct eu_debug_text *out);

#endif
