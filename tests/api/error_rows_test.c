// SPDX-License-Identifier: MIT
/*
 * Every entry point has rows of its error list somewhere in tests/cl: calls in CL_ROW or
 * CL_ROW_MADE, with a code that is no success, of the function itself or as EXT(name) or
 * CB(name, member).
 */
#include <ctype.h>
#include <dirent.h>
#include "test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ICD_ENTRY(name)			     { #name, #name, 0 },
#define ICD_TAGGED(name)		     { #name, #name, 0 },
#define ICD_EXTENSION(name, extension)	     { #name, #name, 0 },
#define ICD_NAMED(name, function, extension) { #name, #function, 0 },
#define ICD_ABSENT(name)
static struct entry {
	const char *name, *function;
	unsigned rows;
} entries[] = {
#include "api/icd.def"
};
#define N_ENTRIES (sizeof entries / sizeof *entries)

/* These have no codes to give, or no way to fail. */
static const char *const codeless[] = { "clGetExtensionFunctionAddress",
	"clGetExtensionFunctionAddressForPlatform", "clIcdGetFunctionAddressForPlatformKHR",
	"clSVMAlloc", "clSVMFree", "clUnloadCompiler" };

/* One function may have several names: rows under any of them serve. */
static bool has_rows(const struct entry *entry)
{
	for (size_t i = 0; i < N_ENTRIES; i++)
		if (entries[i].rows && !strcmp(entries[i].function, entry->function))
			return true;
	return false;
}

static bool is_codeless(const char *name)
{
	for (size_t i = 0; i < sizeof codeless / sizeof *codeless; i++)
		if (!strcmp(codeless[i], name))
			return true;
	return false;
}

static const char *skip_spaces(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

static size_t word(const char *text)
{
	size_t n = 0;

	while (isalnum((unsigned char)text[n]) || text[n] == '_')
		n++;
	return n;
}

/* Behind "CL_ROW": counts what is called. */
static void read_row(const char *text)
{
	static const char good[] = "CL_SUCCESS";

	if (!strncmp(text, "_MADE", 5))
		text += 5;
	if (*text != '(')
		return;
	text = skip_spaces(text + 1);
	size_t n = word(text);
	if (strncmp(text, "CL_", 3) != 0 || (n == sizeof good - 1 && !strncmp(text, good, n)) ||
		text[n] != ',')
		return;
	text = skip_spaces(text + n + 1);
	if (!strncmp(text, "EXT(", 4))
		text += 4;
	else if (!strncmp(text, "CB(", 3))
		text += 3;
	n = word(text);
	for (size_t i = 0; i < N_ENTRIES; i++)
		if (strlen(entries[i].name) == n && !strncmp(entries[i].name, text, n))
			entries[i].rows++;
}

static void read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	assert_non_null(file);
	if (getdelim(&text, &size, '\0', file) > 0)
		for (const char *at = text; (at = strstr(at, "CL_ROW"));)
			read_row(at += strlen("CL_ROW"));
	free(text);
	fclose(file);
}

static void test_every_entry_has_rows(void **state)
{
	DIR *folder = opendir(CL_TESTS);
	const struct dirent *file;
	unsigned missing = 0;

	(void)state;
	assert_non_null(folder);
	while ((file = readdir(folder))) {
		char path[4096];
		size_t length = strlen(file->d_name);

		if (length < 3 || strcmp(file->d_name + length - 2, ".c") != 0)
			continue;
		snprintf(path, sizeof path, "%s/%s", CL_TESTS, file->d_name);
		read_file(path);
	}
	closedir(folder);
	for (size_t i = 0; i < N_ENTRIES; i++) {
		if (has_rows(&entries[i]) || is_codeless(entries[i].name))
			continue;
		print_error("%s has no row of its error list\n", entries[i].name);
		missing++;
	}
	assert_true(N_ENTRIES > 150);
	assert_int_equal(missing, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(test_every_entry_has_rows) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
