// SPDX-License-Identifier: MIT
#ifndef ZE_INFO_H
#define ZE_INFO_H

#include "compile/zebin/reflect.h"

#include "compile/base/pool.h"

/*
 * Fills the fields of the native code from a zebin's .ze_info (YAML) for the kernels that the
 * reflection lists already; others are passed over. With a pool, there is no reflection yet: the
 * kernels and their arguments are taken from here too, and kept in the pool. COMPILE_OK,
 * COMPILE_NO_MEMORY, or COMPILE_ERROR with a sentence in `why`: not YAML, not of that form, a
 * number that is none, or a kernel of the reflection that it does not have.
 */
enum compile_status ze_info_read(const void *data, size_t size, struct reflection *reflection,
	struct pool **pool, char *why, size_t why_size);

#endif
