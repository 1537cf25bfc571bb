// SPDX-License-Identifier: MIT
#ifndef I915_SHIM_H
#define I915_SHIM_H

#include <stddef.h>

/*
 * The replacements of libc's entry points: what both doors of the virtual device lead to. They
 * behave as libc's own for everything that is not the virtual device.
 */
struct i915_replacement {
	const char *symbol;
	void (*function)(void); /* of whatever type the symbol has */
};

/* The table and its length. */
const struct i915_replacement *i915_shim_table(size_t *count);

#endif
