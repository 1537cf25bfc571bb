// SPDX-License-Identifier: MIT
#ifndef BUILTIN_PRUNE_SUBSET_H
#define BUILTIN_PRUNE_SUBSET_H

#include "compile/cc/cc_llvm.h"

#include <stdint.h>

/* Which functions a smaller module lacks, for builtin_prune.c. */

enum { COMPILE_BIF_SUBSETS = 3 }; /* from small to large */

/* A smaller module; zeroed is none. */
struct compile_bif_subset {
	void *code; /* bitcode */
	size_t size;
	uint64_t *dropped; /* the names that it lacks, hashed, in order */
	size_t n_dropped;
};

/* A text that stands for the functions that subset `number` lacks. */
const char *compile_bif_subset_name(unsigned number);

uint64_t compile_bif_hash(const char *name, size_t size);

/* Whether the subset lacks the function of that hash, which the whole module has. */
bool compile_bif_lacks(const struct compile_bif_subset *subset, uint64_t hash);

/*
 * Makes all subsets of the module `code`, which takes a second and lots of memory that is never
 * freed. False if it cannot be done.
 */
bool compile_bif_make(const struct compile_llvm *llvm, const char *code, size_t size,
	struct compile_bif_subset subsets[COMPILE_BIF_SUBSETS]);

#endif
