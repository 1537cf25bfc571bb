// SPDX-License-Identifier: MIT
#include "compile/build/compile_helper.h"
#include "util/util_library.h"
#include "util/util_settings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* From the folder of the library; the last is that of the installation. */
static const char *const places[] = { "", "../", "../../", ZEROCL_LIBEXEC_FROM_LIB "/" };

/* Executable, owned by root, by this user or by the library's owner, and not writable by others. */
static bool is_trusted(const char *path, uid_t owner)
{
	struct stat status;

	if (access(path, X_OK) || stat(path, &status) || !S_ISREG(status.st_mode))
		return false;
	if (status.st_mode & S_IWOTH)
		return false;
	return status.st_uid == 0 || status.st_uid == geteuid() || status.st_uid == owner;
}

/* The folder of the library (or program) that holds this code, with a slash; to be freed. */
static char *own_folder(uid_t *owner)
{
	const char *self = util_library_path();
	struct stat status;

	if (!self)
		return NULL;
	char *path = realpath(strchr(self, '/') ? self : "/proc/self/exe", NULL);
	if (!path || stat(path, &status)) {
		free(path);
		return NULL;
	}
	*owner = status.st_uid;
	strrchr(path, '/')[1] = '\0';
	return path;
}

static char *find_from(const char *folder, uid_t owner)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		char *path = NULL;
		if (asprintf(&path, "%s%szerocl-cc", folder, places[i]) < 0)
			return NULL;
		if (is_trusted(path, owner))
			return path;
		free(path);
	}
	return NULL;
}

static char *text(const char *format, ...)
{
	char *made = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&made, format, args) < 0)
		made = NULL;
	va_end(args);
	return made;
}

char *compile_helper_find(char **why)
{
	const char *asked = util_settings()->compiler;
	uid_t owner = 0;

	*why = NULL;
	if (asked) {
		if (!access(asked, X_OK))
			return text("%s", asked);
		*why = text("ZEROCL_CC is %s, which cannot be executed", asked);
		return NULL;
	}
	char *folder = own_folder(&owner);
	char *path = folder ? find_from(folder, owner) : NULL;
	if (!path && is_trusted(ZEROCL_LIBEXEC "/zerocl-cc", 0))
		path = text("%s", ZEROCL_LIBEXEC "/zerocl-cc");
	if (!path)
		*why = text("zerocl-cc, ZeroCL's compiler process, is neither near %s nor in %s: "
			    "reinstall ZeroCL or name it in ZEROCL_CC",
			folder ? folder : "the library", ZEROCL_LIBEXEC);
	free(folder);
	return path;
}
