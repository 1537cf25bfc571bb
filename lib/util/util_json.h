// SPDX-License-Identifier: MIT
#ifndef UTIL_JSON_H
#define UTIL_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Writes text as a string of JSON, with its quotes; bytes that are no UTF-8 become U+FFFD. */
void util_json_text(FILE *file, const char *text);

/* A line of a file that several processes may append to. */
struct util_json_line {
	FILE *stream; /* NULL: memory is short */
	char *text;
	size_t size;
};
void util_json_line_open(struct util_json_line *line);

/*
 * Puts the end of the line behind what was written to the stream, and the line at the end of the
 * file: *at is then its offset there. Or, if *at is not negative, at that offset, where a line of
 * the same length was; in a file without offsets, such as a pipe, *at stays negative. `at` may be
 * NULL. Returns false when the file cannot be written.
 */
bool util_json_line_close(struct util_json_line *line, const char *path, int64_t *at);

#endif
