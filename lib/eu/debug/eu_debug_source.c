// SPDX-License-Identifier: MIT
#include "eu/debug/eu_debug_source.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/util_settings.h"

enum { PROGRAMS = 1000 };

static bool has_text(const char *path, const char *text)
{
	size_t size = strlen(text), at = 0;
	FILE *file = fopen(path, "re");
	int c = 0;

	if (!file)
		return false;
	while ((c = getc(file)) != EOF && at < size && c == (unsigned char)text[at])
		at++;
	fclose(file);
	return c == EOF && at == size;
}

/* One of the files that the user has named. */
static bool find_named(const char *list, const char *text, char *path)
{
	while (list && *list) {
		size_t length = strcspn(list, ":");
		char name[EU_DEBUG_PATH_BYTES], whole[PATH_MAX];
		snprintf(name, sizeof name, "%.*s", (int)length, list);
		if (length < sizeof name && has_text(name, text) && realpath(name, whole) &&
			strlen(whole) < EU_DEBUG_PATH_BYTES) {
			strcpy(path, whole);
			return true;
		}
		list += length + (list[length] != 0);
	}
	return false;
}

static bool write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "wxe");

	if (!file)
		return false;
	bool done = fputs(text, file) >= 0;
	return fclose(file) == 0 && done;
}

bool eu_debug_source_find(const char *text, char *path)
{
	const char *setting = util_settings()->gdb;
	const char *slash = setting ? strrchr(setting, '/') : NULL;

	if (!text)
		return false;
	if (find_named(util_settings()->gdb_source, text, path))
		return true;
	for (int i = 1; slash && i < PROGRAMS; i++) {
		int size = snprintf(path, EU_DEBUG_PATH_BYTES, "%.*s/program%d.cl",
			(int)(slash - setting), setting, i);
		if (size >= EU_DEBUG_PATH_BYTES)
			return false;
		if (access(path, F_OK) != 0)
			return write_text(path, text);
		if (has_text(path, text))
			return true;
	}
	return false;
}
