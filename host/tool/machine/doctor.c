// SPDX-License-Identifier: MIT
#include "tool/machine/doctor.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "tool/machine/info_dri.h"
#include "tool/machine/info_library.h"
#include "tool/base/tool_env.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

void doctor_print(FILE *file, enum doctor_verdict verdict, const char *what, const char *text)
{
	static const char *const words[] = { "ok", "remark", "FAILS" };

	fprintf(file, "%-6s  %-19s %s\n", words[verdict], what, text);
}

static enum doctor_verdict check_files(FILE *file, const struct doctor_roots *roots)
{
	static const char *const names[TOOL_FILE_COUNT] = {
		[TOOL_FILE_ICD] = "ICD file",
		[TOOL_FILE_LIBRARY] = "runtime",
		[TOOL_FILE_VGPU] = "virtual device",
		[TOOL_FILE_COMPILER] = "compiler process",
	};
	enum doctor_verdict worst = DOCTOR_OK;

	(void)roots;
	for (enum tool_file i = 0; i < TOOL_FILE_COUNT; i++) {
		char path[PATH_MAX], text[PATH_MAX + 64];
		bool found = tool_env_find(i, path);

		snprintf(text, sizeof(text), "%s%s", path,
			found ? "" : " is missing; do: build or install ZeroCL anew");
		doctor_print(file, found ? DOCTOR_OK : DOCTOR_FAIL, names[i], text);
		worst = found ? worst : DOCTOR_FAIL;
	}
	return worst;
}

/* Each needs one of its libraries; `package` has it, or on Debian 12 the second. */
static enum doctor_verdict check_libraries(FILE *file, const struct doctor_roots *roots)
{
	static const struct {
		const char *what, *libraries[2], *packages;
	} rows[] = {
		{ "OpenCL loader", { "libOpenCL.so.1" }, "ocl-icd-libopencl1" },
		{ "Level Zero loader", { "libze_loader.so.1" }, "libze1" },
		{ "Level Zero driver", { "libze_intel_gpu.so.1" },
			"libze-intel-gpu1 (Debian 12: intel-opencl-icd)" },
		{ "offline compiler", { "libocloc.so", "libocloc.so.1" },
			"intel-ocloc (Debian 12: intel-opencl-icd)" },
		{ "OpenCL C front end", { "libigdfcl.so.2", "libigdfcl.so.1" },
			"libigdfcl2 (Debian 12: libigdfcl1)" },
		{ "graphics compiler", { "libigc.so.2", "libigc.so.1" },
			"libigc2 (Debian 12: libigc1)" },
	};
	enum doctor_verdict worst = DOCTOR_OK;

	(void)roots;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char path[PATH_MAX], text[PATH_MAX + 128];
		bool found =
			info_library_find(rows[i].libraries[0], path) ||
			(rows[i].libraries[1] && info_library_find(rows[i].libraries[1], path));

		snprintf(text, sizeof(text), "%s%s%s", path, found ? "" : "; do: apt install ",
			found ? "" : rows[i].packages);
		doctor_print(file, found ? DOCTOR_OK : DOCTOR_FAIL, rows[i].what, text);
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
