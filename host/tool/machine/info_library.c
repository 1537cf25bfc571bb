// SPDX-License-Identifier: MIT
#include "tool/machine/machine.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/base/tool_child.h"

/* In the child: writes '+' and the path, or '-' and the reason. */
static void tell(const void *soname)
{
	void *library = dlopen(soname, RTLD_LAZY | RTLD_LOCAL);
	struct link_map *map = NULL;
	char path[PATH_MAX];

	if (library && !dlinfo(library, RTLD_DI_LINKMAP, &map) && realpath(map->l_name, path))
		printf("+%s", path);
	else
		printf("-%s", dlerror());
	fflush(stdout);
	_exit(0);
}

bool info_library_find(const char *soname, char *path)
{
	int status;
	char *text = tool_child_text(tell, soname, &status);
	bool found = text && text[0] == '+';

	snprintf(path, PATH_MAX, "%s", text && *text ? text + 1 : "it crashes when it is loaded");
	free(text);
	return found;
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

/* The libraries that serve as one part, looked for in this order, and the package of each. */
static const struct {
	const char *what;
	struct {
		const char *soname, *package;
	} newer, debian12;
} parts[INFO_PARTS] = {
	{ "OpenCL loader", { "libOpenCL.so.1", "ocl-icd-libopencl1" }, { 0 } },
	{ "Level Zero loader", { "libze_loader.so.1", "libze1" }, { 0 } },
	{ "Level Zero driver", { "libze_intel_gpu.so.1", "libze-intel-gpu1" },
		{ "libze_intel_gpu.so.1", "intel-opencl-icd" } },
	{ "offline compiler", { "libocloc.so", "intel-ocloc" },
		{ "libocloc.so.1", "intel-opencl-icd" } },
	{ "OpenCL C front end", { "libigdfcl.so.2", "libigdfcl2" },
		{ "libigdfcl.so.1", "libigdfcl1" } },
	{ "graphics compiler", { "libigc.so.2", "libigc2" }, { "libigc.so.1", "libigc1" } },
	{ "(dis)assembler", { "libiga64.so.2", "libigc2" }, { "libiga64.so.1", "libigc1" } },
};

/* The installed one of a part's packages, as " (name version)"; "" if there is none. */
static void name_package(unsigned part, char *text, size_t size)
{
	const char *packages[] = { parts[part].newer.package, parts[part].debian12.package };
	char version[128];

	text[0] = 0;
	for (size_t i = 0; i < 2 && !text[0]; i++)
		if (packages[i] && info_package_version(
					   INFO_DPKG_STATUS, packages[i], version, sizeof(version)))
			snprintf(text, size, " (%s %s)", packages[i], version);
}

bool info_part_find(unsigned part, const char **what, char *text, size_t size)
{
	const char *old = parts[part].debian12.soname;
	char path[PATH_MAX], package[256];

	*what = parts[part].what;
	if (info_library_find(parts[part].newer.soname, path) ||
		(old && info_library_find(old, path))) {
		name_package(part, package, sizeof(package));
		snprintf(text, size, "%s%s", path, package);
		return true;
	}
	snprintf(text, size, "missing: %s; do: apt install %s%s%s%s", path,
		parts[part].newer.package, old ? " (Debian 12: " : "",
		old ? parts[part].debian12.package : "", old ? ")" : "");
	return false;
}
