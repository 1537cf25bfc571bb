// SPDX-License-Identifier: MIT
#include "tool/base/tool_output.h"

#include <errno.h>
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
