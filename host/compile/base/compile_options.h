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

/* Whether it is that word, or begins so. */
bool compile_word_is(struct compile_word word, const char *text);
bool compile_word_begins(struct compile_word word, const char *start);

/* Whether the list, words with blanks or commas between them, has the word. */
bool compile_list_has(const char *list, const char *word);

/* Whether a word of the options begins so, or is that word; `options` may be NULL. */
bool compile_options_have(const char *options, const char *start);
bool compile_options_have_word(const char *options, const char *word);

#endif
