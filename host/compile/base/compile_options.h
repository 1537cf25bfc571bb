// SPDX-License-Identifier: MIT
#ifndef COMPILE_OPTIONS_H
#define COMPILE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* A word of a string of options; quotes hold it together and are part of it. */
struct compile_word {
	const char *text;
	size_t size;
};

/* The word after *at; false at the end. *is_open: a quote is not closed. */
bool compile_options_next(const char **at, struct compile_word *word, bool *is_open);

#endif
