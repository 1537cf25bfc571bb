// SPDX-License-Identifier: MIT
#ifndef TOOL_OUTPUT_H
#define TOOL_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* Where a command writes its report: to the file, or to `standard`, a stream, if path is NULL. */
FILE *tool_output_open(const char *command, const char *path, FILE *standard);
/* Both return NULL or false, with a sentence on stderr, if the file cannot be written (whole). */
bool tool_output_close(const char *command, const char *path, FILE *file);

/* The whole file as text, which the caller frees. NULL, with errno, if it cannot be read. */
char *tool_output_read(const char *path);
/* Cuts a text into its lines, an array that the caller frees. NULL if there is no memory. */
const char **tool_output_lines(char *text, size_t *n);

#endif
