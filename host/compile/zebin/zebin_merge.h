// SPDX-License-Identifier: MIT
#ifndef ZEBIN_MERGE_H
#define ZEBIN_MERGE_H

#include "compile/zebin/elf_file.h"

/*
 * Joins zebins of several kernels each, made of the modules of compile_split, into the one that the
 * whole module `spirv` would have given, to be freed. NULL: they have parts that cannot be joined
 * (data, relocations, functions that are no kernels), or memory ran out.
 */
void *compile_merge(
	const struct compile_bytes *parts, size_t n, struct compile_bytes spirv, size_t *size);

#endif
