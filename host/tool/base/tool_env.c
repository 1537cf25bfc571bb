// SPDX-License-Identifier: MIT
#include "tool/base/tool_env.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/base/tool_child.h"

/*
 * What a file is, and where it may be: in the build tree beside the program, then in the
 * installation, where the program is in bin. "" ends the places.
 */
#define PLACES 4
static const struct {
	const char *name;
	const char *places[PLACES];
} files[TOOL_FILE_COUNT] = {
	[TOOL_FILE_ICD] = { "ICD file", { "zerocl.icd", "../etc/OpenCL/vendors/zerocl.icd",
						"/etc/OpenCL/vendors/zerocl.icd", "" } },
	[TOOL_FILE_LIBRARY] = { "runtime",
		{ "libzerocl.so.1", "../" ZEROCL_LIBDIR "/libzerocl.so.1", "" } },
	[TOOL_FILE_VGPU] = { "virtual device",
		{ "libzerocl-vgpu.so.1", "../" ZEROCL_LIBDIR "/libzerocl-vgpu.so.1", "" } },
	[TOOL_FILE_LAYER] = { "recording layer",
		{ "libzerocl-layer.so", "../" ZEROCL_LIBDIR "/libzerocl-layer.so", "" } },
	[TOOL_FILE_COMPILER] = { "compiler process",
		{ "zerocl-cc", "../" ZEROCL_LIBEXECDIR "/zerocl/zerocl-cc", "" } },
};

/* The folder of this program's file, with a slash behind it. */
static bool own_folder(char *path)
{
	tool_child_own(path);
	char *slash = strrchr(path, '/');
	if (slash)
		slash[1] = 0;
	return slash != NULL;
}

/* Where `place` is, seen from this program's folder. False if it has no room in path. */
static bool join(char *path, const char *place)
{
	size_t length = 0;

	if (place[0] != '/') {
		if (!own_folder(path))
			return false;
		length = strlen(path);
	}
	if (length + strlen(place) >= PATH_MAX)
		return false;
	strcpy(path + length, place);
	return true;
}

const char *tool_env_name(enum tool_file file)
{
	return files[file].name;
}

bool tool_env_find(enum tool_file file, char *path)
{
	char candidate[PATH_MAX];

	for (unsigned i = 0; i < PLACES && files[file].places[i][0]; i++)
		if (join(candidate, files[file].places[i]) && realpath(candidate, path))
			return true;
	if (!join(path, files[file].places[0]))
		path[0] = 0;
	return false;
}

bool tool_env_prepare(void)
{
	char icd[PATH_MAX], library[PATH_MAX];

	if (!tool_env_find(TOOL_FILE_ICD, icd))
		return false;
	setenv("OCL_ICD_VENDORS", icd, 0);
	if (tool_env_find(TOOL_FILE_LIBRARY, library))
		setenv("OCL_ICD_FILENAMES", library, 0);
	return true;
}

bool tool_env_need(const char *command)
{
	char icd[PATH_MAX];

	if (tool_env_prepare())
		return true;
	tool_env_find(TOOL_FILE_ICD, icd);
	fprintf(stderr, "zerocl %s: %s is not there\n", command, icd);
	return false;
}

bool tool_env_put_first(const char *variable, const char *path)
{
	const char *others = getenv(variable);
	char *all;

	if (asprintf(&all, "%s%s%s", path, others ? ":" : "", others ? others : "") < 0)
		return false;
	setenv(variable, all, 1);
	free(all);
	return true;
}

void tool_env_put_vgpu(void)
{
	char library[PATH_MAX];

	setenv("ZEROCL_DEVICE", "vgpu", 0);
	if (!strcmp(getenv("ZEROCL_DEVICE"), "vgpu") && tool_env_find(TOOL_FILE_VGPU, library))
		tool_env_put_first("LD_PRELOAD", library);
}
