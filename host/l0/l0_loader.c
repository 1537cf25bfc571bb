// SPDX-License-Identifier: MIT
#include "l0/l0_loader.h"

#include "util/util_bits.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define LOADER_NAME "libze_loader.so.1"

struct l0_api l0_ze;

static const struct entry {
	const char *name;
	size_t offset;
	bool need;
} entries[] = {
#define L0_NEED(name) { #name, offsetof(struct l0_api, name), true },
#define L0_MAY(name)  { #name, offsetof(struct l0_api, name), false },
#include "l0/l0_api.def"
#undef L0_NEED
#undef L0_MAY
};

static char failure[512];
static char loader_path[1024];

static bool fill(void *library)
{
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(entries); i++) {
		void *function = dlsym(library, entries[i].name);

		if (!function && entries[i].need) {
			snprintf(failure, sizeof(failure),
				LOADER_NAME " has no %s: it is older than version 1.3 of the API",
				entries[i].name);
			return false;
		}
		memcpy((char *)&l0_ze + entries[i].offset, &function, sizeof(function));
	}
	return true;
}

bool l0_loader_load(const char **why, const char **path)
{
	if (path)
		*path = loader_path;
	if (l0_ze.zeInit)
		return true;
	void *library = dlopen(LOADER_NAME, RTLD_NOW | RTLD_LOCAL);
	*why = failure;
	if (!library) {
		snprintf(failure, sizeof(failure),
			"the Level Zero loader is missing (%s); install libze1", dlerror());
		return false;
	}
	struct link_map *map;
	if (!dlinfo(library, RTLD_DI_LINKMAP, &map))
		snprintf(loader_path, sizeof(loader_path), "%s", map->l_name);
	if (fill(library))
		return true;
	memset(&l0_ze, 0, sizeof(l0_ze));
	dlclose(library);
	return false;
}
