// SPDX-License-Identifier: MIT
#include "tool/base/tool_output.h"

#include "util/util_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

FILE *tool_output_open(const char *command, const char *path, FILE *standard)
{
	FILE *file = path ? fopen(path, "w") : standard;

	if (!file)
		fprintf(stderr, "zerocl %s: %s: %s\n", command, path, strerror(errno));
	return file;
}

bool tool_output_close(const char *command, const char *path, FILE *file)
{
	bool failed = fflush(file) || ferror(file);

	if (path)
		failed |= fclose(file) != 0;
	if (failed)
		fprintf(stderr, "zerocl %s: the report could not be written whole\n", command);
	return !failed;
}

bool tool_option_format(void *to, const char *name)
{
	struct tool_formats *formats = to;

	for (formats->chosen = formats->rows; formats->chosen->name; formats->chosen++)
		if (!strcmp(formats->chosen->name, name))
			return true;
	return false;
}

bool tool_output_report(const char *command, const char *path, const struct tool_formats *formats,
	const void *report)
{
	const struct tool_format *format = formats->chosen ? formats->chosen : formats->rows;
	FILE *file = tool_output_open(command, path, format == formats->rows ? stderr : stdout);

	if (!file)
		return false;
	format->write(file, report);
	return tool_output_close(command, path, file);
}

char *tool_output_read(const char *path)
{
	size_t size;

	return util_file_read(path, &size);
}

const char **tool_output_lines(char *text, size_t *n)
{
	const char **lines = malloc(sizeof *lines);

	for (*n = 0; lines && *text; (*n)++) {
		const char **more = reallocarray(lines, *n + 1, sizeof *lines);
		if (!more)
			free(lines);
		lines = more;
		if (lines)
			lines[*n] = text;
		text += strcspn(text, "\n");
		if (*text)
			*text++ = 0;
	}
	return lines;
}
