// SPDX-License-Identifier: MIT
#ifndef TESTS_CL_CAPABILITY_ROW_H
#define TESTS_CL_CAPABILITY_ROW_H

#include <stddef.h>
#include <stdint.h>

enum { CAPABILITY_ITEMS = 32, CAPABILITY_SUB_GROUP = 16 };

/*
 * A kernel in SPIR-V for a capability: `body` makes %r of %x, which is o[i], and o[i] becomes it.
 * One work-group of CAPABILITY_ITEMS in sub-groups of CAPABILITY_SUB_GROUP. The prelude has the
 * common types (%uint …, %pg to global uint), the constants %c0 to %c8, %i (the global id, a uint)
 * and %p, the address of o[i].
 */
struct capability_row {
	const char *capability; /* as the grammar of SPIR-V names them; more after spaces */
	uint32_t value;		/* of the first */
	const char *extension;	/* NULL: none */
	const char *types;	/* that the prelude lacks, and constants and variables */
	const char *body;
	/* What o[i] becomes; `x` is what all had before. */
	uint32_t (*want)(uint32_t i, const uint32_t *x);
};
extern const struct capability_row capability_rows[];
extern const size_t capability_n_rows;

#endif
