// SPDX-License-Identifier: MIT
#ifndef TOOL_CHILD_H
#define TOOL_CHILD_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/*
 * Programs that commands run, with the environment as it is. Their exit status is as shells tell
 * it: 126 if one cannot be run, 127 if it is not there, 128 and the signal's number. `command` is
 * whose messages on stderr they are.
 */
enum { TOOL_CANNOT_RUN = 126, TOOL_NOT_FOUND = 127, TOOL_SIGNAL = 128 };

/* Becomes the program. Returns the exit status if that fails. */
int tool_child_become(const char *command, char *const *argv);

/*
 * Runs the program to its end, whatever interrupts or ends it: signals of that kind are for the
 * program. Returns its exit status; a signal that has ended it is named on stderr.
 */
int tool_child_run(const char *command, char *const *argv);

/* Waits for the end of a child of fork, which may have failed. Returns its exit status. */
int tool_child_wait(pid_t pid);

/*
 * Runs `body` in a child, which ends with it or becomes another program. Returns what that writes
 * to standard output, which the caller frees, NULL if there is no memory, and its exit status.
 */
char *tool_child_text(void (*body)(const void *data), const void *data, int *status);

/* The exit status of what waitpid tells. */
int tool_child_status(int status);

/* The path of this program, "" if there is none. */
void tool_child_own(char path[PATH_MAX]);

/* Makes an empty file, or a folder, for what children write. False with a sentence on stderr. */
bool tool_child_file(const char *command, char path[PATH_MAX]);
bool tool_child_folder(const char *command, char path[PATH_MAX]);

/* Removes a folder and all in it. */
void tool_child_clean(const char *folder);

#endif
