// SPDX-License-Identifier: MIT
#ifndef MESA_CASE_H
#define MESA_CASE_H

#include "test.h"

#include <stdbool.h>

/*
 * Computations that are written once more in GLSL and in OpenCL C, as programs over other drivers
 * run them. Those of one item each ("fragments") are one text for all three languages, which the
 * host's compiler translates here; the others have a reference of their own. Each reads two arrays
 * of `n` random words and writes a third, which is poisoned before: what it must not write is
 * compared too.
 */

#define MESA_POISON 0xccccccccu

enum { MESA_OUTS = 16, MESA_MOST_ITEMS = 1024 };

/* Whose bounds hold for results that are not exact; whose compiler it is, if it has faults. */
enum mesa_standard { MESA_VULKAN, MESA_OPENCL, MESA_OPENCL_BY_INTEL };

struct mesa_case {
	const char *name; /* of the files */
	bool fragment;
	uint32_t group, items; /* in a group, in all */
	uint32_t words;	       /* of the result */
	/* Fills the result, in which the poison is. `simd` is the size of a sub-group. */
	void (*reference)(
		const uint32_t *a, const uint32_t *b, uint32_t n, unsigned simd, uint32_t *result);
	/* Whether a word is right that differs from the reference; NULL: none is. */
	bool (*accepts)(enum mesa_standard standard, uint32_t word, uint32_t got, uint32_t wanted);
	/* What `result` must hold before; NULL: the poison. */
	void (*prepare)(uint32_t *result);
	/* Makes comparable what depends on the order of items; NULL: nothing does. */
	void (*sort)(uint32_t *result, uint32_t n);
};

extern const struct mesa_case mesa_cases[];
extern const unsigned mesa_case_count;

/* The inputs of a case, the same in every program. */
void mesa_case_inputs(const struct mesa_case *which, uint32_t *a, uint32_t *b);

/* Compares a result; prints the first words that are wrong, and what was accepted. Fails the test
 * if one is wrong. */
void mesa_case_check(const struct mesa_case *which, enum mesa_standard standard, unsigned simd,
	const uint32_t *a, const uint32_t *b, uint32_t *result);

#endif
