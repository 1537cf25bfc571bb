// SPDX-License-Identifier: MIT
#include "l0/l0_loader.h"

#include "l0/l0_process.h"
#include "util/util_bits.h"
#include "util/util_library.h"

#include <dlfcn.h>
#include <level_zero/ze_ddi.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define LOADER_NAME "libze_loader.so.1"
#define DRIVER_NAME "libze_intel_gpu.so.1"

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

static void *own_driver;
static char failure[512];
static char loader_path[1024];

/* Driver 22.43 exports all of its functions by name but these two. */
static void *find_in_driver(void *driver, const char *name)
{
	__typeof__(zeGetContextProcAddrTable) *get_table;
	ze_context_dditable_t table = { 0 };
	void *function = NULL;

	*(void **)&get_table = dlsym(driver, "zeGetContextProcAddrTable");
	if (!get_table || get_table(ZE_API_VERSION_1_3, &table))
		return NULL;
	if (!strcmp(name, "zeContextMakeMemoryResident"))
		memcpy(&function, &table.pfnMakeMemoryResident, sizeof(function));
	if (!strcmp(name, "zeContextEvictMemory"))
		memcpy(&function, &table.pfnEvictMemory, sizeof(function));
	return function;
}

static bool fill(void *library)
{
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(entries); i++) {
		void *function = dlsym(library, entries[i].name);

		if (!function && library == own_driver)
			function = find_in_driver(library, entries[i].name);
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

static void load_own_driver(void)
{
	if (l0_process_is_heir())
		own_driver = util_library_load_again(DRIVER_NAME, failure, sizeof(failure));
}

void *l0_loader_own_driver(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load_own_driver);
	return own_driver;
}

bool l0_loader_load(const char **why, const char **path)
{
	if (path)
		*path = loader_path;
	if (l0_ze.zeInit)
		return true;
	void *library = l0_loader_own_driver();
	*why = failure;
	if (l0_process_is_heir() && !library)
		return false;
	if (!library && !(library = dlopen(LOADER_NAME, RTLD_NOW | RTLD_LOCAL))) {
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
