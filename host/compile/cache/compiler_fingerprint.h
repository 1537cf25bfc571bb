// SPDX-License-Identifier: MIT
#ifndef COMPILER_FINGERPRINT_H
#define COMPILER_FINGERPRINT_H

#include "compile/cache/compile_hash.h"

#include <stdbool.h>

/*
 * Which compiler this is. A text of lines, one for each file that the helper process runs from
 * (with the build id of what is in memory) and for each place where another one could be put:
 * as long as the files on disk are those, a helper that is started would be the same again.
 */

/* Of this process; to be freed. NULL when out of memory. For the helper. */
char *compile_identity_make(void);

/* Whether all files on disk are as the text says. */
bool compile_identity_holds(const char *identity);

/*
 * The same, but what held less than 10 ms ago holds: builds come one after another, and to look at
 * all files takes as long as all else of a small program that comes from the cache. Who replaces a
 * compiler cannot tell that from having come 10 ms later.
 */
bool compile_identity_held(const char *identity);

/* Adds the build ids; of files without one, everything that is known. */
void compile_identity_hash(const char *identity, struct compile_hash *hash);

/* Adds what the environment of this process has for the compiler. */
void compile_identity_environment(struct compile_hash *hash);

/* Adds the build of the library that holds this code. */
void compile_identity_self(struct compile_hash *hash);

#endif
