// SPDX-License-Identifier: MIT
#ifndef TOOL_OUTPUT_H
#define TOOL_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* Where a command writes its report: to the file, or to `standard`, a stream, if path is NULL. */
FILE *tool_output_open(const char *command, const char *path, FILE *standard);
/* Both return NULL or false, with a sentence on stderr, if the file cannot be written (whole). */
bool tool_output_close(const char *command, const char *path, FILE *file);

/* A form in which a command writes its report, as --format names it. */
struct tool_format {
	const char *name;
	void (*write)(FILE *file, const void *report);
};

/* A table, which ends with a row without a name, and the form that was chosen from it. */
struct tool_formats {
	const struct tool_format *rows, *chosen;
};

/* For options: chooses a form in a struct tool_formats. */
bool tool_option_format(void *to, const char *name);
/*
 * Writes the report in the form that was chosen, or the first, which is text. To the file; or, if
 * path is NULL, text to standard error, others to standard output. False with a sentence on stderr.
 */
bool tool_output_report(const char *command, const char *path, const struct tool_formats *formats,
	const void *report);

/* The whole file as text, which the caller frees. NULL, with errno, if it cannot be read. */
char *tool_output_read(const char *path);
/* Cuts a text into its lines, an array that the caller frees. NULL if there is no memory. */
const char **tool_output_lines(char *text, size_t *n);

#endif
