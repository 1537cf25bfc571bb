// SPDX-License-Identifier: MIT
#include "l0/l0_choose.h"
#include "l0/l0_loader.h"
#include "l0/l0_probe.h"

#include "util/util_library.h"
#include "util/util_log.h"
#include "zerocl_vgpu.h"
#include "util/util_settings.h"

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

/* A hexadecimal number in a file of the node's device, 0 if it cannot be read. */
static unsigned read_id(const char *sys, unsigned node, const char *name)
{
	char path[PATH_MAX], text[16] = "";

	snprintf(path, sizeof(path), "%s/renderD%u/device/%s", sys, node, name);
	FILE *file = fopen(path, "re");
	if (!file)
		return 0;
	bool is_read = fgets(text, sizeof(text), file);
	fclose(file);
	return is_read ? (unsigned)strtoul(text, NULL, 16) : 0;
}

/* What an Intel GPU is: its PCI id and kernel driver (i915, xe). */
static void describe(const char *sys, unsigned node, char *text, size_t size)
{
	char path[PATH_MAX], driver[PATH_MAX];

	snprintf(path, sizeof(path), "%s/renderD%u/device/driver", sys, node);
	ssize_t length = readlink(path, driver, sizeof(driver) - 1);
	driver[length > 0 ? length : 0] = '\0';
	const char *slash = strrchr(driver, '/');
	snprintf(text, size, "8086:%04x, kernel driver %.32s", read_id(sys, node, "device"),
		slash ? slash + 1 : "unknown");
}

/* Says of an Intel GPU's node whether it can be opened, and if not, what to do. */
static bool look_at(const char *path, const char *what, char *text, size_t size)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd >= 0) {
		close(fd);
		snprintf(text, size, "%s is an Intel GPU (%s)", path, what);
		return true;
	}
	snprintf(text, size, "%s is an Intel GPU (%s) but cannot be opened (%s)%s", path, what,
		strerror(errno),
		errno == EACCES || errno == EPERM
			? "; add the user to the group render (usermod -aG render NAME) "
			  "and log in again"
			: "");
	util_log(UTIL_LOG_INFO, "l0", "a GPU is left out: %s", text);
	return false;
}

bool l0_choose_render_node(const char *dev, const char *sys, char *text, size_t size)
{
	unsigned others = 0, closed = 0;

	snprintf(text, size, "%s has no render node", dev);
	for (unsigned node = FIRST_RENDER_NODE; node <= LAST_RENDER_NODE; node++) {
		char path[PATH_MAX], what[80];

		snprintf(path, sizeof(path), "%s/renderD%u", dev, node);
		if (access(path, F_OK))
			continue;
		if (read_id(sys, node, "vendor") != 0x8086) {
			others++;
			continue;
		}
		describe(sys, node, what, sizeof(what));
		if (look_at(path, what, text, size))
			return true;
		closed++;
	}
	if (others && !closed)
		snprintf(text, size, "%s has %u render node%s, none of an Intel GPU", dev, others,
			others == 1 ? "" : "s");
	return false;
}

/* The virtual device's library beside our own, else by its soname. */
static void *open_library(struct l0_choice *choice)
{
	const char *self = util_library_path();
	char path[PATH_MAX] = "";
	void *library = NULL;

	if (self) {
		const char *slash = strrchr(self, '/');
		int length = slash ? (int)(slash - self) + 1 : 0;

		snprintf(path, sizeof(path), "%.*s%s", length, self, VGPU_NAME);
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
	__typeof__(zerocl_vgpu_install_into) *call;
	char reason[512] = "";

	*(void **)&call = dlsym(library, "zerocl_vgpu_install_into");
	bool is_whole = call != NULL;
#define FIND(name)                                                                                 \
	do {                                                                                       \
		*(void **)&choice->vgpu.name = dlsym(library, "zerocl_vgpu_" #name);               \
		is_whole &= choice->vgpu.name != NULL;                                             \
	} while (0)
	FIND(take_fault);
	FIND(wait);
	FIND(wants_names);
	FIND(name_code);
	FIND(forget_code);
	FIND(name_memory);
	FIND(own_memory);
	FIND(clear_memory);
	FIND(write_memory);
	FIND(forget_memory);
	FIND(order_command);
	FIND(see_command);
	FIND(enter_command);
	FIND(touch_memory);
#undef FIND
	if (!is_whole) {
		snprintf(choice->failure, sizeof(choice->failure),
			"%s is not the virtual device of this version", choice->virtual_);
		return false;
	}
	int rc = call(l0_loader_own_driver(), reason, sizeof(reason));
	if (rc) {
		snprintf(choice->failure, sizeof(choice->failure),
			"the virtual device cannot be used: %s",
			reason[0] ? reason : strerror(-rc));
		return false;
	}
	choice->is_virtual = true;
	return true;
}

/* Whether the GPUs that were found shall be used; choice->gpu tells it, or why not. */
static bool real_ones_work(struct l0_choice *choice)
{
	char why[256];
	size_t used;

	if (!l0_choose_render_node("/dev/dri", "/sys/class/drm", choice->gpu, sizeof(choice->gpu)))
		return false;
	if (strcmp(choice->wanted, "auto") || l0_probe(choice->gpu, why, sizeof(why)))
		return true;
	used = strlen(choice->gpu);
	snprintf(choice->gpu + used, sizeof(choice->gpu) - used,
		", which the driver does not use: %s", why);
	util_log(UTIL_LOG_INFO, "l0", "a GPU is left out: %s", choice->gpu);
	return false;
}

bool l0_choose(struct l0_choice *choice)
{
	const char *wanted = util_settings()->device_kind;

	memset(choice, 0, sizeof(*choice));
	choice->wanted = !wanted || !strcmp(wanted, "auto") ? "auto"
			 : !strcmp(wanted, "gpu")	    ? "gpu"
			 : !strcmp(wanted, "vgpu")	    ? "vgpu"
							    : NULL;
	if (!choice->wanted) {
		choice->wanted = "auto";
		snprintf(choice->failure, sizeof(choice->failure),
			"ZEROCL_DEVICE=%.64s is none of auto, gpu, vgpu", wanted);
		return false;
	}
	bool is_preloaded = dlsym(RTLD_DEFAULT, "zerocl_vgpu_install");
	bool usable = !is_preloaded && real_ones_work(choice);
	void *library = RTLD_DEFAULT;

	if (is_preloaded) {
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
