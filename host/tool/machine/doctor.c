// SPDX-License-Identifier: MIT
#include "tool/machine/machine.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "tool/base/tool_env.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

void doctor_print(FILE *file, enum doctor_verdict verdict, const char *what, const char *text)
{
	static const char *const words[] = { "ok", "remark", "FAILS" };

	fprintf(file, "%-6s  %-19s %s\n", words[verdict], what, text);
}

static enum doctor_verdict check_files(FILE *file, const struct doctor_roots *roots)
{
	enum doctor_verdict worst = DOCTOR_OK;

	(void)roots;
	for (enum tool_file i = 0; i < TOOL_FILE_COUNT; i++) {
		char path[PATH_MAX], text[PATH_MAX + 64];
		bool found = tool_env_find(i, path);

		snprintf(text, sizeof(text), "%s%s", path,
			found ? "" : " is missing; do: build or install ZeroCL anew");
		doctor_print(file, found ? DOCTOR_OK : DOCTOR_FAIL, tool_env_name(i), text);
		worst = found ? worst : DOCTOR_FAIL;
	}
	return worst;
}

static enum doctor_verdict check_libraries(FILE *file, const struct doctor_roots *roots)
{
	enum doctor_verdict worst = DOCTOR_OK;

	(void)roots;
	for (unsigned i = 0; i < INFO_PARTS; i++) {
		char text[PATH_MAX + 512];
		const char *what;
		bool found = info_part_find(i, &what, text, sizeof(text));

		doctor_print(file, found ? DOCTOR_OK : DOCTOR_FAIL, what, text);
		worst = found ? worst : DOCTOR_FAIL;
	}
	return worst;
}

/* Without a GPU there is the virtual device. */
static enum doctor_verdict check_nodes(FILE *file, const struct doctor_roots *roots)
{
	char *lines = NULL, *rest;
	size_t size;
	FILE *out = open_memstream(&lines, &size);

	if (!out)
		return DOCTOR_FAIL;
	enum doctor_verdict verdict =
		info_dri_print(out, roots->dri, roots->sysfs) ? DOCTOR_OK : DOCTOR_REMARK;
	fclose(out);
	for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		doctor_print(file, strstr(line, "can be opened") ? DOCTOR_OK : DOCTOR_REMARK,
			"render node", line + strspn(line, " "));
	free(lines);
	return verdict;
}

/* The library that an ICD file names, into `name`; "" if it names none. */
static void read_icd(const char *folder, const char *entry, char name[PATH_MAX])
{
	char path[PATH_MAX];

	name[0] = 0;
	snprintf(path, sizeof(path), "%s/%s", folder, entry);
	FILE *file = fopen(path, "r");
	if (!file)
		return;
	if (!fgets(name, PATH_MAX, file))
		name[0] = 0;
	name[strcspn(name, "\r\n")] = 0;
	fclose(file);
}

static int is_icd(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 4 && !strcmp(entry->d_name + length - 4, ".icd");
}

/* A file that names no library makes loaders slow or noisy; without ours, programs need zerocl run.
 */
static enum doctor_verdict check_icds(FILE *file, const struct doctor_roots *roots)
{
	struct dirent **entries = NULL;
	int n = scandir(roots->vendors, &entries, is_icd, alphasort);
	enum doctor_verdict worst = DOCTOR_OK;
	bool ours = false;

	for (int i = 0; i < n; i++) {
		char name[PATH_MAX], path[PATH_MAX], text[3 * PATH_MAX];

		read_icd(roots->vendors, entries[i]->d_name, name);
		bool found = name[0] && info_library_find(name, path);
		ours |= found && strstr(name, "libzerocl.so");
		snprintf(text, sizeof(text), "%s/%s: %s%s", roots->vendors, entries[i]->d_name,
			name[0] ? name : "names no library",
			found ? ""
			      : ", which cannot be loaded; do: remove the file, or install it");
		doctor_print(file, found ? DOCTOR_OK : DOCTOR_REMARK, "ICD of a loader", text);
		worst = found ? worst : DOCTOR_REMARK;
		free(entries[i]);
	}
	free(entries);
	if (ours)
		return worst;
	doctor_print(file, DOCTOR_REMARK, "ICD of a loader",
		"none names libzerocl.so.1: programs see ZeroCL through `zerocl run`, or once it "
		"is "
		"installed");
	return DOCTOR_REMARK;
}

unsigned doctor_machine(FILE *file, const struct doctor_roots *roots)
{
	static enum doctor_verdict (*const checks[])(FILE *, const struct doctor_roots *) = {
		check_files, check_libraries, check_nodes, check_icds
	};
	unsigned failures = 0;

	for (size_t i = 0; i < ARRAY_SIZE(checks); i++)
		failures += checks[i](file, roots) == DOCTOR_FAIL;
	return failures;
}
