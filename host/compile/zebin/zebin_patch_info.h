// SPDX-License-Identifier: MIT
#ifndef ZEBIN_PATCH_INFO_H
#define ZEBIN_PATCH_INFO_H

#include "compile/zebin/reflect.h"

/* A zebin's .ze_info in which the memory that a kernel prints into is an argument; see zebin_patch.
 */
struct zebin_patch_info {
	char *text; /* malloc'ed; NULL: as it was */
	size_t size;
	bool *prints;  /* per kernel of the reflection; malloc'ed; NULL: none prints */
	bool is_stuck; /* a kernel prints in a way that only the driver knows */
};

/* Changes nothing of what prints without a reflection. With `is_foreign`, the text is always
 * written anew, if it can be. False when memory is short. */
bool zebin_patch_info(const char *text, size_t size, bool is_foreign,
	const struct reflection *reflection, struct zebin_patch_info *out);

#endif
