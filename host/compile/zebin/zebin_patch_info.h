// SPDX-License-Identifier: MIT
#ifndef ZEBIN_PATCH_INFO_H
#define ZEBIN_PATCH_INFO_H

#include "compile/zebin/reflect.h"

/* A zebin's .ze_info in which what kernels print through is an argument; see compile_load. */
struct compile_load_info {
	char *text; /* malloc'ed; NULL: as it was */
	size_t size;
	bool *prints;  /* per kernel of the reflection; malloc'ed; NULL: none prints */
	bool is_stuck; /* a kernel prints in a way that only the driver knows */
};

/* False when memory is short. */
bool compile_load_info(const char *text, size_t size, const struct compile_reflection *reflection,
	const unsigned *uses, struct compile_load_info *out);

#endif
