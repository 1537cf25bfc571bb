// SPDX-License-Identifier: MIT
#ifndef COMPILE_INCLUDE_H
#define COMPILE_INCLUDE_H

#include "compile/base/request.h"
#include "compile/base/compile_hash.h"

#include <stdbool.h>

/*
 * Adds to the hash every file that an #include of the source, or of what it includes, could mean:
 * those that are not there as well, and also where a condition skips the directive. Sources
 * without #include add nothing. *has_any: there was a directive. False: what the result depends on
 * cannot be told (a computed name, __DATE__, too many files, out of memory).
 */
bool compile_include_hash(
	const struct compile_request *request, struct compile_hash *hash, bool *has_any);

#endif
