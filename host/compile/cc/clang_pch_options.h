// SPDX-License-Identifier: MIT
#ifndef CLANG_PCH_OPTIONS_H
#define CLANG_PCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* A text that the front end reads before a program. */
struct clang_pch_text {
	const char *text;
	size_t size;
};

/*
 * Copies to `kept` (as large as `options` with its NUL, and one byte more) the options for the
 * compiled header: all but the application's macros and folders, and what makes no difference to
 * it. Returns false if a compiled header would change the result: the application defines a word
 * that one of the texts contains, asks for debug information, which names files, or has options
 * that are not understood.
 */
bool clang_pch_options(
	const char *options, const struct clang_pch_text *texts, size_t n_texts, char *kept);

#endif
