// SPDX-License-Identifier: MIT
#ifndef PROGRAM_METADATA_H
#define PROGRAM_METADATA_H

#include "compile/spirv/implicit_args.h"
#include "compile/zebin/reflect.h"

#include <stdbool.h>

/* All that loading a program needs to know of its SPIR-V and native code, so that it can be kept
 * beside them instead of being read from them each time. */
struct program_metadata {
	struct reflection reflection;
	struct implicit_args_facts hidden;
	unsigned char *blocks; /* enum compile_blocks of the first n_blocks kernels */
	size_t n_blocks;
	bool prints; /* see spirv_prints */
};

/*
 * Reads both, neither of which may be NULL: see compile_reflect and implicit_args_look. On failure
 * `facts` is zeroed.
 */
enum compile_status program_metadata_find(const void *spirv, size_t spirv_size, const void *native,
	size_t native_size, struct program_metadata *facts, char *why, size_t why_size);

/*
 * As bytes that program_metadata_read of the same build of ZeroCL takes, and only that: to be
 * freed; NULL when out of memory.
 */
void *program_metadata_write(const struct program_metadata *facts, size_t *size);

/* False, `facts` zeroed: these are none, or memory is short. Copies what it keeps. */
bool program_metadata_read(const void *data, size_t size, struct program_metadata *facts);

/* Frees what it holds and zeroes it; also accepts a zeroed one. */
void program_metadata_finish(struct program_metadata *facts);

#endif
