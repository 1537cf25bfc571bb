// SPDX-License-Identifier: MIT
#ifndef EU_DEBUG_CODE_H
#define EU_DEBUG_CODE_H

#include "eu/debug/eu_debug_world.h"

/*
 * The kernels that eu_debug_code_add has told of, as GDB loads them: each a shared library, whose
 * file GDB reads through us. Under the world's lock.
 */

/* The path of what GDB takes for the program. */
void eu_debug_code_program(struct eu_debug_text *out);

/* The list of libraries (GDB manual, "Library List Format"). */
void eu_debug_code_list(struct eu_debug_text *out);

/* Answers a packet vFile:…, `at` being behind the colon. */
void eu_debug_code_file(const char *at, struct eu_debug_text *reply);

#endif
