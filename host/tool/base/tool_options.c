// SPDX-License-Identifier: MIT
#include "tool/base/tool_options.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool/base/tool_command.h"

/* Options, and what getopt_long returns for one without a letter. */
enum { MOST_OPTIONS = 16, NO_LETTER = 256 };

bool tool_option_text(void *to, const char *value)
{
	*(const char **)to = value;
	return true;
}

bool tool_option_number(void *to, const char *value)
{
	char *end;

	*(uint64_t *)to = strtoull(value, &end, 0);
	return end != value && !*end && *value != '-';
}

bool tool_option_status(void *to, const char *value)
{
	return tool_option_number(to, value) && *(uint64_t *)to <= UINT8_MAX;
}

bool tool_option_list(void *to, const char *value)
{
	struct tool_list *list = to;

	if (list->n == sizeof list->items / sizeof *list->items)
		return false;
	list->items[list->n++] = value;
	return true;
}

bool tool_option_file(void *to, const char *value)
{
	return !access(value, R_OK) && tool_option_text(to, value);
}

bool tool_option_output(void *to, const char *value)
{
	int fd = open(value, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	struct stat status;

	if (fd >= 0) {
		close(fd);
		unlink(value);
	} else if (errno != EEXIST || access(value, W_OK)) {
		return false;
	} else if (!stat(value, &status) && S_ISDIR(status.st_mode)) {
		errno = EISDIR;
		return false;
	}
	return tool_option_text(to, value);
}

bool tool_option_files(void *to, const char *value)
{
	return !access(value, R_OK) && tool_option_list(to, value);
}

bool tool_option_flag(void *to, const char *value)
{
	(void)value;
	return *(bool *)to = true;
}

/* Of each command: "usage: zerocl NAME", text, and an empty line. */
extern const char help_txt[];

int tool_help(const char *command, int status)
{
	static const char head[] = "usage: zerocl ";
	size_t length = strlen(command);
	const char *at = help_txt, *end;

	for (; (end = strstr(at, "\n\n")); at = end + 2) {
		const char *name = at + sizeof head - 1;
		if (!strncmp(name, command, length) && strchr(" \n", name[length]))
			fprintf(status ? stderr : stdout, "%.*s\n", (int)(end - at), at);
	}
	return status;
}

int tool_options_read(const char *command, const struct tool_option *options, int least, int most,
	int argc, char **argv)
{
	struct option names[MOST_OPTIONS + 2] = { { "help", no_argument, NULL, 'h' } };
	char letters[2 * MOST_OPTIONS + 3] = "+h";
	int n = 0, found, at = 2;

	optind = 0; /* from the start, whatever was read before */
	for (; options && options[n].name; n++) {
		const struct tool_option *option = &options[n];
		bool has_value = option->take != tool_option_flag;
		names[n + 1] = (struct option){ option->name, has_value, NULL,
			option->letter ? option->letter : NO_LETTER + n };
		if (option->letter) {
			letters[at++] = option->letter;
			if (has_value)
				letters[at++] = ':';
		}
	}
	while ((found = getopt_long(argc, argv, letters, names, NULL)) != -1) {
		int i = 0;
		if (found == 'h')
			return -tool_help(command, 0);
		while (i < n && names[i + 1].val != found)
			i++;
		errno = 0;
		if (i < n && options[i].take(options[i].to, optarg))
			continue;
		if (i < n)
			fprintf(stderr, "zerocl %s: --%s %s: %s\n", command, options[i].name,
				optarg, errno ? strerror(errno) : "not one of its values");
		return -tool_help(command, TOOL_USAGE);
	}
	int words = argc - optind;
	return words < least || words > most ? -tool_help(command, TOOL_USAGE) : optind;
}
