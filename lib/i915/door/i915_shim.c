// SPDX-License-Identifier: MIT
#include "i915/door/i915_shim.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "i915/door/i915_entry.h"
#include "i915/node/i915_fd.h"
#include "i915/node/i915_folder.h"
#include "i915/node/i915_ioctl.h"
#include "i915/node/i915_path.h"
#include "util/util_bits.h"

/* The table of both doors, and the entry points that have to do with descriptors. */

void *i915_entry_real(const char *symbol)
{
	int saved = errno;
	void *found = dlsym(RTLD_NEXT, symbol);

	if (!found) {
		/* C++'s library may be loaded where RTLD_NEXT does not look. */
		void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
		if (library) {
			found = dlsym(library, symbol);
			dlclose(library);
		}
	}
	errno = found ? saved : ENOSYS;
	return found;
}

void i915_entry_forget(int fd)
{
	i915_fd_forget(fd);
	i915_folder_forget(fd);
}

static int open_path(int folder, const char *given, int flags, mode_t mode)
{
	char room[PATH_MAX];
	const char *path = i915_folder_resolve(folder, given, room);
	int fd = i915_path_open(path, flags);

	if (fd != I915_PASS)
		return (int)i915_entry_finish(fd);
	fd = (int)syscall(SYS_openat, folder, path, flags, mode);
	if (fd >= 0)
		i915_entry_forget(fd);
	return fd;
}

/* The mode is there only when a file may be made. */
#define OPEN_MODE(flags, mode)                                                                     \
	mode_t mode = 0;                                                                           \
	if ((flags) & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) {                                    \
		va_list args;                                                                      \
		va_start(args, flags);                                                             \
		mode = (mode_t)va_arg(args, unsigned);                                             \
		va_end(args);                                                                      \
	}

I915_SHIM(int, open, const char *path, int flags, ...)
{
	OPEN_MODE(flags, mode)
	return open_path(AT_FDCWD, path, flags, mode);
}

I915_SHIM(int, open64, const char *path, int flags, ...)
{
	OPEN_MODE(flags, mode)
	return open_path(AT_FDCWD, path, flags, mode);
}

I915_SHIM(int, openat, int folder, const char *path, int flags, ...)
{
	OPEN_MODE(flags, mode)
	return open_path(folder, path, flags, mode);
}

I915_SHIM(int, openat64, int folder, const char *path, int flags, ...)
{
	OPEN_MODE(flags, mode)
	return open_path(folder, path, flags, mode);
}
#undef OPEN_MODE

/* What _FORTIFY_SOURCE calls when there is no mode. */
I915_SHIM(int, __open_2, const char *path, int flags)
{
	return open_path(AT_FDCWD, path, flags, 0);
}

I915_SHIM(int, __open64_2, const char *path, int flags)
{
	return open_path(AT_FDCWD, path, flags, 0);
}

I915_SHIM(int, __openat_2, int folder, const char *path, int flags)
{
	return open_path(folder, path, flags, 0);
}

I915_SHIM(int, __openat64_2, int folder, const char *path, int flags)
{
	return open_path(folder, path, flags, 0);
}

I915_SHIM(int, close, int fd)
{
	i915_entry_forget(fd);
	return (int)syscall(SYS_close, fd);
}

/* Gives `fd`, a new descriptor of what `old` is, its place in the table. */
static int duplicated(int old, int fd)
{
	struct i915_file *file;

	if (fd < 0 || fd == old)
		return fd;
	file = i915_fd_get(old);
	if (!file) {
		if (!i915_folder_duplicate(old, fd))
			i915_entry_forget(fd);
		return fd;
	}
	i915_folder_forget(fd);
	i915_fd_add(fd, file);
	i915_file_put(file);
	return fd;
}

I915_SHIM(int, dup, int old)
{
	return duplicated(old, (int)syscall(SYS_dup, old));
}

I915_SHIM(int, dup2, int old, int fd)
{
	return duplicated(old, (int)syscall(SYS_dup2, old, fd));
}

I915_SHIM(int, dup3, int old, int fd, int flags)
{
	return duplicated(old, (int)syscall(SYS_dup3, old, fd, flags));
}

static int control(int fd, int command, long argument)
{
	int result;

	if (command == F_GETOWN) { /* a process group is negative, which is no error */
		struct f_owner_ex owner;
		result = (int)syscall(SYS_fcntl, fd, F_GETOWN_EX, &owner);
		if (result)
			return result;
		return owner.type == F_OWNER_PGRP ? -owner.pid : owner.pid;
	}
	result = (int)syscall(SYS_fcntl, fd, command, argument);
	return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? duplicated(fd, result) : result;
}

#define THIRD(last, value)                                                                         \
	va_list args;                                                                              \
	va_start(args, last);                                                                      \
	long value = va_arg(args, long);                                                           \
	va_end(args)

I915_SHIM(int, fcntl, int fd, int command, ...)
{
	THIRD(command, argument);
	return control(fd, command, argument);
}

I915_SHIM(int, fcntl64, int fd, int command, ...)
{
	THIRD(command, argument);
	return control(fd, command, argument);
}

I915_SHIM(int, ioctl, int fd, unsigned long request, ...)
{
	enum { DRM_TYPE = 'd' }; /* others are for every file, such as FIOCLEX */
	struct i915_file *file = i915_fd_get(fd);
	int saved = errno;
	THIRD(request, argument);

	if (!file)
		return (int)syscall(SYS_ioctl, fd, request, argument);
	int result =
		(request >> 8 & 0xff) == DRM_TYPE
			? i915_ioctl(file, request, (uint64_t)argument)
			: (int)i915_raw_result(syscall(SYS_ioctl, fd, request, argument), saved);
	i915_file_put(file);
	errno = saved;
	return (int)i915_entry_finish(result);
}
#undef THIRD

static void *map(void *address, size_t length, int protection, int flags, int fd, int64_t offset)
{
	struct i915_file *file = flags & MAP_ANONYMOUS ? NULL : i915_fd_get(fd);

	if (!file)
		return (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
	intptr_t result = i915_mmap(file, address, length, protection, flags, (uint64_t)offset);
	i915_file_put(file);
	return (void *)i915_entry_finish(result);
}

I915_SHIM(void *, mmap, void *address, size_t length, int protection, int flags, int fd,
	int64_t offset)
{
	return map(address, length, protection, flags, fd, offset);
}

I915_SHIM(void *, mmap64, void *address, size_t length, int protection, int flags, int fd,
	int64_t offset)
{
	return map(address, length, protection, flags, fd, offset);
}

/* By another name in C, because here their types do not matter. */
#define ENTRY(name)                                                                                \
	__attribute__((visibility("default"))) void i915_row_##name(void) __asm__(#name);
#include "i915/door/i915_entry.def"
#undef ENTRY

static const struct i915_replacement table[] = {
#define ENTRY(name) { #name, i915_row_##name },
#include "i915/door/i915_entry.def"
#undef ENTRY
	{ I915_FILEBUF_OPEN, (void (*)(void))i915_entry_filebuf_open },
};

const struct i915_replacement *i915_shim_table(size_t *count)
{
	*count = UTIL_ARRAY_SIZE(table);
	return table;
}
