// SPDX-License-Identifier: MIT
#ifndef COMPILER_FINGERPRINT_H
#define COMPILER_FINGERPRINT_H

#include "compile/base/compile_hash.h"

#include <stdbool.h>

/*
 * Which compiler this is. A text of lines, one for each file that the helper process runs from
 * (with the build id of what is in memory) and for each place where another one could be put. As
 * long as the files on disk match it, a helper that is started now has the same compiler.
 */

/* Of this process; to be freed. NULL when out of memory. For the helper. */
char *compiler_fingerprint_create(void);

/* Whether all files on disk are as the text says. */
bool compiler_fingerprint_is_current(const char *fingerprint);

/*
 * The same, without looking at the files again within 10 ms: builds follow each other, and looking
 * takes as long as all else of a small program from the cache. A compiler that is replaced in
 * that time counts as replaced 10 ms later.
 */
bool compiler_fingerprint_was_current(const char *fingerprint);

/* Adds the build ids; of files without one, everything that is known. */
void compiler_fingerprint_hash(const char *fingerprint, struct sha256_ctx *hash);

/* Adds what the environment of this process has for the compiler. */
void compiler_fingerprint_hash_environment(struct sha256_ctx *hash);

/* Adds the build of the library that holds this code. */
void compiler_fingerprint_hash_library(struct sha256_ctx *hash);

#endif
