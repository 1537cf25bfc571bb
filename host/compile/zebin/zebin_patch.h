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
 * The compiler takes every constant array of chars for a text that printf prints, and puts it into
 * a section that the driver keeps on the host: kernels that read such an array fault. They are put
 * among the other constants. What kernels print through, which the driver hands them and reads
 * alone, becomes an argument: the last one.
 */
struct compile_loadable {
	void *code; /* malloc'ed; NULL: load it as it is */
	size_t size;
	bool by_driver; /* kernels that print do so through the driver: nothing was changed */
	bool *prints;	/* per kernel of the reflection: has the argument; NULL: none has */
	/* The initial contents of constant memory, if kernels print; malloc'ed */
	char *texts;
	size_t n_texts;
	char *symbol;	/* a variable in it, malloc'ed; NULL: nothing is there … */
	uint64_t value; /* … and its place */
};

/*
 * Fills *out for a zebin; other code stays as it is. `uses` is NULL, or says for each kernel of
 * the reflection whether it has a hidden argument (not 0), before which there is no other. False
 * when memory is short.
 */
bool compile_load(const void *native, size_t size, const struct compile_reflection *reflection,
	const unsigned *uses, struct compile_loadable *out);

/* Frees what it holds and zeroes it; also accepts a zeroed one. */
void compile_loadable_finish(struct compile_loadable *loadable);

#endif
