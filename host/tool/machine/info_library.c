// SPDX-License-Identifier: MIT
#include "tool/machine/info_library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the child: writes '+' and the path, or '-' and the reason. */
static void tell(int fd, const char *soname)
{
	void *library = dlopen(soname, RTLD_LAZY | RTLD_LOCAL);
	struct link_map *map = NULL;
	char text[PATH_MAX + 1] = "-";

	if (library && !dlinfo(library, RTLD_DI_LINKMAP, &map) && realpath(map->l_name, text + 1))
		text[0] = '+';
	else
		snprintf(text + 1, sizeof(text) - 1, "%s", dlerror());
	if (write(fd, text, strlen(text)) < 0)
		_exit(1);
	_exit(0);
}

/* What the child wrote, up to its end. Returns the length. */
static size_t listen_to(int fd, char *text, size_t size)
{
	size_t length = 0;
	ssize_t got;

	while (length < size - 1 && (got = read(fd, text + length, size - 1 - length)) > 0)
		length += (size_t)got;
	text[length] = 0;
	return length;
}

bool info_library_find(const char *soname, char *path)
{
	char text[PATH_MAX + 1] = "";
	int ends[2];

	if (pipe(ends)) {
		snprintf(path, PATH_MAX, "no pipe");
		return false;
	}
	pid_t child = fork();
	if (child == 0)
		tell(ends[1], soname);
	close(ends[1]);
	size_t length = child > 0 ? listen_to(ends[0], text, sizeof(text)) : 0;
	close(ends[0]);
	if (child > 0)
		waitpid(child, NULL, 0);
	snprintf(path, PATH_MAX, "%s", length > 1 ? text + 1 : "it crashes when it is loaded");
	return text[0] == '+';
}

bool info_package_version(const char *status, const char *package, char *version, size_t size)
{
	FILE *file = fopen(status, "r");
	char *line = NULL;
	size_t capacity = 0;
	bool ours = false, installed = false, found = false;

	while (file && !found && getline(&line, &capacity, file) > 0) {
		line[strcspn(line, "\n")] = 0;
		if (!strncmp(line, "Package: ", 9))
			ours = !strcmp(line + 9, package);
		else if (!line[0])
			ours = installed = false;
		else if (ours && !strncmp(line, "Status: ", 8))
			installed = strstr(line, " installed") != NULL;
		else if (ours && installed && !strncmp(line, "Version: ", 9))
			found = snprintf(version, size, "%s", line + 9) > 0;
	}
	free(line);
	if (file)
		fclose(file);
	return found;
}
