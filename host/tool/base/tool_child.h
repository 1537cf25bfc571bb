// SPDX-License-Identifier: MIT
#ifndef TOOL_CHILD_H
#define TOOL_CHILD_H

#include <limits.h>
#include <stdbool.h>

/*
 * Runs a program to its end, with the environment as it is. Returns its exit status as shells tell
 * it: 126 if it cannot be run, 127 if it is not there, 128 and the signal's number. `command` is
 * whose messages on stderr they are.
 */
int tool_child_run(const char *command, char *const *argv);

/* Makes an empty file for what children write. False with a sentence on stderr. */
bool tool_child_file(const char *command, char path[PATH_MAX]);

#endif
