// SPDX-License-Identifier: MIT
#include "util/util_library.h"

#include "util/util_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *original;

const char *util_library_path(void)
{
	Dl_info info;

	if (original)
		return original;
	return dladdr(&original, &info) ? info.dli_fname : NULL;
}

void util_library_is_copy_of(const char *path)
{
	original = path;
}

/* Copies a file into one without a name. Returns its descriptor or a negative errno. */
static int copy_file(const char *path)
{
	int from = open(path, O_RDONLY | O_CLOEXEC), to = -1;
	struct stat status = { 0 };
	ssize_t n = from < 0 || fstat(from, &status) ? -1 : 1;

	if (n > 0 && !util_file_fits((uint64_t)status.st_size))
		errno = EFBIG;
	else if (n > 0)
		to = memfd_create("zerocl-copy", MFD_CLOEXEC);
	while (to >= 0 && n > 0)
		n = sendfile(to, from, NULL, (size_t)status.st_size);
	int rc = to >= 0 && !n ? to : -errno;
	if (rc < 0 && to >= 0)
		close(to);
	if (from >= 0)
		close(from);
	return rc;
}

void *util_library_load_again(const char *name, char *why, size_t size)
{
	void *first = dlopen(name, RTLD_NOW | RTLD_LOCAL), *again = NULL;
	struct link_map *map = NULL;
	char path[64];

	if (first && !dlinfo(first, RTLD_DI_LINKMAP, &map)) {
		int fd = copy_file(map->l_name);

		snprintf(path, sizeof(path), "/proc/%ld/fd/%d", (long)getpid(), fd);
		if (fd >= 0 && !(again = dlopen(path, RTLD_NOW | RTLD_LOCAL)))
			close(fd);
		if (fd < 0)
			snprintf(why, size, "%s cannot be copied: %s", map->l_name, strerror(-fd));
	}
	if (!again && (!map || !*why))
		snprintf(why, size, "%s cannot be loaded: %s", name, dlerror());
	if (first)
		dlclose(first);
	return again;
}
