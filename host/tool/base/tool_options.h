// SPDX-License-Identifier: MIT
#ifndef TOOL_OPTIONS_H
#define TOOL_OPTIONS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An option of a command: --name and, unless `letter` is 0, -letter. */
struct tool_option {
	const char *name;
	char letter;
	bool (*take)(void *to, const char *value); /* false: wrong usage; errno may say why */
	void *to;
};

/* Values that may be given several times. */
struct tool_list {
	const char *items[256];
	size_t n;
};

/*
 * Functions that take the value of an option. `to` is a const char ** (text, file), a uint64_t *
 * (number, exit status) or a struct tool_list * (list, files). Files must be readable, those of
 * output such that they can be written; they are left alone. tool_option_flag takes none: it sets a
 * bool.
 */
bool tool_option_text(void *to, const char *value);
bool tool_option_number(void *to, const char *value);
bool tool_option_list(void *to, const char *value);
bool tool_option_file(void *to, const char *value);
bool tool_option_output(void *to, const char *value);
bool tool_option_files(void *to, const char *value);
bool tool_option_status(void *to, const char *value);
bool tool_option_flag(void *to, const char *value);

/* Prints the command's part of help/help.txt: on stderr if the status is not 0. Returns that. */
int tool_help(const char *command, int status);

/*
 * Reads the options of a command up to the first other word, or "--". `options` end with one
 * without a name; with NULL, there is --help alone. Returns where in argv the words behind are, of
 * which there are `least` to `most`. Or, with the help printed, the command's exit status,
 * negative: 0 for --help, -TOOL_USAGE.
 */
int tool_options_read(const char *command, const struct tool_option *options, int least, int most,
	int argc, char **argv);

#endif
