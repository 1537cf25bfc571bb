// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/*
 * Linked into every program of a build with the address or the thread sanitizer, which ends a
 * process that opens a library with RTLD_DEEPBIND, as Intel's drivers do. This dlopen, found before
 * the sanitizer's own, opens the library without it. The flag only guards against programs that
 * bring symbols of the same names, which ours do not.
 */
__attribute__((visibility("default"))) void *dlopen(const char *name, int flags);

__attribute__((visibility("default"))) void *dlopen(const char *name, int flags)
{
	static void *(*next)(const char *, int);

	if (!next) {
		void *address = dlsym(RTLD_NEXT, "dlopen");
		memcpy(&next, &address, sizeof(next));
	}
	return next ? next(name, flags & ~RTLD_DEEPBIND) : NULL;
}
