// SPDX-License-Identifier: MIT
#ifndef ZEBIN_MERGE_H
#define ZEBIN_MERGE_H

#include "compile/zebin/reflect.h"

/* A stretch of bytes. */
struct zebin_bytes {
	const void *data;
	size_t size;
};

/*
 * Joins zebins of several kernels each, made of the modules of spirv_split, into the one that the
 * whole module would have given, to be freed. NULL: they have parts that cannot be joined
 * (data, relocations, functions that are no kernels), or without memory. They stay one file because
 * CL_PROGRAM_BINARIES has to give one.
 */
void *zebin_merge(const struct zebin_bytes *parts, size_t n, size_t *size);

#endif
