// SPDX-License-Identifier: MIT
#ifndef ZEBIN_PATCH_H
#define ZEBIN_PATCH_H

#include "compile/zebin/reflect.h"

/* Memory to print into: how much code takes for granted. Its first 4 bytes say how much is used. */
#define COMPILE_PRINT_BYTES (4u << 20)
#define COMPILE_PRINT_ALIGN 64u

/*
 * Native code as the driver is to load it, which is not quite what programs get as their binary.
 *
 * The compiler takes every constant array of chars for a format of printf, and puts it into a
 * section that the driver keeps on the host: kernels that read such an array fault. The section is
 * joined with the other constants. The memory that a kernel prints into, which the driver sets and
 * reads itself, becomes the last argument. The file of another compiler, or of somebody who wants
 * to see what happens, is written anew (zebin_check.h).
 */
struct zebin_patched {
	void *code; /* malloc'ed; NULL: load the native code as it is */
	size_t size;
	bool by_driver; /* kernels print through the driver: nothing was changed */
	bool *prints;	/* per kernel of the reflection: has the argument; NULL: none has */
	/* The initial contents of constant memory, if kernels print; malloc'ed */
	char *texts;
	size_t n_texts;
	char *symbol;	/* a variable in it, malloc'ed; NULL: it has none … */
	uint64_t value; /* … and its offset */
};

/*
 * Fills *out for a zebin; other code stays as it is. With `is_foreign`, it is always written anew.
 * False without memory.
 */
bool zebin_patch(const void *native, size_t size, bool is_foreign,
	const struct reflection *reflection, struct zebin_patched *out);

/* Frees the contents and zeroes them; also accepts a zeroed one. */
void zebin_patched_finish(struct zebin_patched *patched);

#endif
