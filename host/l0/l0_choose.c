// SPDX-License-Identifier: MIT
#include "l0/l0_choose.h"

#include "util/util_log.h"
#include "zerocl_vgpu.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VGPU_NAME	  "libzerocl-vgpu.so.1"
#define FIRST_RENDER_NODE 128
#define LAST_RENDER_NODE  191

static bool is_intel(const char *sys, unsigned node)
{
	char path[PATH_MAX];
	char vendor[16] = "";

	snprintf(path, sizeof(path), "%s/renderD%u/device/vendor", sys, node);
	FILE *file = fopen(path, "re");
	if (!file)
		return false;
	bool intel = fgets(vendor, sizeof(vendor), file) && strtoul(vendor, NULL, 16) == 0x8086;
	fclose(file);
	return intel;
}

bool l0_choose_render_node(const char *dev, const char *sys, char *text, size_t size)
{
	unsigned others = 0;

	snprintf(text, size, "%s has no render node", dev);
	for (unsigned node = FIRST_RENDER_NODE; node <= LAST_RENDER_NODE; node++) {
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%s/renderD%u", dev, node);
		if (access(path, F_OK))
			continue;
		if (!is_intel(sys, node)) {
			others++;
			continue;
		}
		int fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd >= 0) {
			close(fd);
			snprintf(text, size, "%s is an Intel GPU", path);
			return true;
		}
		snprintf(text, size, "%s is an Intel GPU but cannot be opened (%s)%s", path,
			strerror(errno),
			errno == EACCES || errno == EPERM
				? "; add the user to the group render (usermod -aG render NAME) "
				  "and log in again"
				: "");
		return false;
	}
	if (others)
		snprintf(text, size, "%s has %u render node%s, none of an Intel GPU", dev, others,
			others == 1 ? "" : "s");
	return false;
}

/* The virtual device's library beside our own, else by its soname. */
static void *open_library(struct l0_choice *choice)
{
	Dl_info self;
	char path[PATH_MAX] = "";
	void *library = NULL;

	if (dladdr((void *)(uintptr_t)l0_choose, &self) && self.dli_fname) {
		const char *slash = strrchr(self.dli_fname, '/');
		int length = slash ? (int)(slash - self.dli_fname) + 1 : 0;

		snprintf(path, sizeof(path), "%.*s%s", length, self.dli_fname, VGPU_NAME);
		if (strchr(path, '/') && !access(path, F_OK))
			library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	}
	if (!library)
		library = dlopen(VGPU_NAME, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		snprintf(choice->failure, sizeof(choice->failure),
			"the virtual device cannot be loaded: %s", dlerror());
		return NULL;
	}
	struct link_map *map;
	if (!dlinfo(library, RTLD_DI_LINKMAP, &map))
		snprintf(choice->virtual_, sizeof(choice->virtual_), "%s", map->l_name);
	return library;
}

/* `library` may be RTLD_DEFAULT. */
static bool install(struct l0_choice *choice, void *library)
{
	__typeof__(zerocl_vgpu_install) *call;
	char reason[512] = "";

	*(void **)&call = dlsym(library, "zerocl_vgpu_install");
	*(void **)&choice->vgpu.take_fault = dlsym(library, "zerocl_vgpu_take_fault");
	*(void **)&choice->vgpu.wants_names = dlsym(library, "zerocl_vgpu_wants_names");
	*(void **)&choice->vgpu.name_code = dlsym(library, "zerocl_vgpu_name_code");
	*(void **)&choice->vgpu.forget_code = dlsym(library, "zerocl_vgpu_forget_code");
	*(void **)&choice->vgpu.name_memory = dlsym(library, "zerocl_vgpu_name_memory");
	*(void **)&choice->vgpu.forget_memory = dlsym(library, "zerocl_vgpu_forget_memory");
	if (!call || !choice->vgpu.take_fault || !choice->vgpu.wants_names ||
		!choice->vgpu.name_code || !choice->vgpu.forget_code || !choice->vgpu.name_memory ||
		!choice->vgpu.forget_memory) {
		snprintf(choice->failure, sizeof(choice->failure),
			"%s is not the virtual device of this version", choice->virtual_);
		return false;
	}
	int rc = call(reason, sizeof(reason));
	if (rc) {
		snprintf(choice->failure, sizeof(choice->failure),
			"the virtual device cannot be used: %s",
			reason[0] ? reason : strerror(-rc));
		return false;
	}
	choice->is_virtual = true;
	return true;
}

bool l0_choose(struct l0_choice *choice)
{
	const char *wanted = getenv("ZEROCL_DEVICE");

	memset(choice, 0, sizeof(*choice));
	choice->wanted = !wanted || !wanted[0] || !strcmp(wanted, "auto") ? "auto"
			 : !strcmp(wanted, "gpu")			  ? "gpu"
			 : !strcmp(wanted, "vgpu")			  ? "vgpu"
									  : NULL;
	if (!choice->wanted) {
		choice->wanted = "auto";
		snprintf(choice->failure, sizeof(choice->failure),
			"ZEROCL_DEVICE=%.64s is none of auto, gpu, vgpu", wanted);
		return false;
	}
	bool usable = l0_choose_render_node(
		"/dev/dri", "/sys/class/drm", choice->gpu, sizeof(choice->gpu));
	void *library = RTLD_DEFAULT;

	if (dlsym(RTLD_DEFAULT, "zerocl_vgpu_install")) {
		snprintf(choice->virtual_, sizeof(choice->virtual_), "%s (preloaded)", VGPU_NAME);
	} else {
		if (!strcmp(choice->wanted, "gpu") || (usable && !strcmp(choice->wanted, "auto")))
			return true;
		library = open_library(choice);
		if (!library)
			return false;
	}
	if (!install(choice, library))
		return false;
	util_log(UTIL_LOG_INFO, "l0", "using the virtual device %s (%s)", choice->virtual_,
		choice->gpu);
	return true;
}
