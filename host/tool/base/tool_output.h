// SPDX-License-Identifier: MIT
#ifndef TOOL_OUTPUT_H
#define TOOL_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* Where a command writes its report: to the file, or to `standard`, a stream, if path is NULL. */
FILE *tool_output_open(const char *command, const char *path, FILE *standard);
/* Both return NULL or false, with a sentence on stderr, if the file cannot be written (whole). */
bool tool_output_close(const char *command, const char *path, FILE *file);

#endif
