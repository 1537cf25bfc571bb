// SPDX-License-Identifier: MIT
#include "door/door_libc.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "door/door_entry.h"
#include "door/door_fd.h"
#include "door/door_folder.h"
#include "door/door_path.h"
#include "util/util_bits.h"

/* The table of both doors, and the entry points that have to do with descriptors. */

void *door_entry_real(const char *symbol)
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

void door_entry_forget(int fd)
{
	door_fd_forget(fd);
	door_folder_forget(fd);
}

static int open_path(int folder, const char *given, int flags, mode_t mode)
{
	char room[PATH_MAX];
	const char *path = door_folder_resolve(folder, given, room);
	int fd = door_path_open(path, flags);

	if (fd != DOOR_PASS)
		return (int)door_entry_finish(fd);
	fd = (int)syscall(SYS_openat, folder, path, flags, mode);
	if (fd >= 0)
		door_entry_forget(fd);
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

DOOR_ENTRY(int, open, const char *path, int flags, ...)
{
	OPEN_MODE(flags, mode)
	return open_path(AT_FDCWD, path, flags, mode);
}

DOOR_ENTRY(int, open64, const char *path, int flags, ...)
{
	OPEN_MODE(flags, mode)
	return open_path(AT_FDCWD, path, flags, mode);
}

DOOR_ENTRY(int, openat, int folder, const char *path, int flags, ...)
{
	OPEN_MODE(flags, mode)
	return open_path(folder, path, flags, mode);
}

DOOR_ENTRY(int, openat64, int folder, const char *path, int flags, ...)
{
	OPEN_MODE(flags, mode)
	return open_path(folder, path, flags, mode);
}
#undef OPEN_MODE

/* What _FORTIFY_SOURCE calls when there is no mode. */
DOOR_ENTRY(int, __open_2, const char *path, int flags)
{
	return open_path(AT_FDCWD, path, flags, 0);
}

DOOR_ENTRY(int, __open64_2, const char *path, int flags)
{
	return open_path(AT_FDCWD, path, flags, 0);
}

DOOR_ENTRY(int, __openat_2, int folder, const char *path, int flags)
{
	return open_path(folder, path, flags, 0);
}

DOOR_ENTRY(int, __openat64_2, int folder, const char *path, int flags)
{
	return open_path(folder, path, flags, 0);
}

DOOR_ENTRY(int, close, int fd)
{
	door_entry_forget(fd);
	return (int)syscall(SYS_close, fd);
}

/* Gives `fd`, a new descriptor of what `old` is, its place in the table. */
static int duplicated(int old, int fd)
{
	struct drm_file *file;

	if (fd < 0 || fd == old)
		return fd;
	file = door_fd_get(old);
	if (!file) {
		if (!door_folder_duplicate(old, fd))
			door_entry_forget(fd);
		return fd;
	}
	door_folder_forget(fd);
	door_fd_add(fd, file);
	drm_file_put(file);
	return fd;
}

DOOR_ENTRY(int, dup, int old)
{
	return duplicated(old, (int)syscall(SYS_dup, old));
}

DOOR_ENTRY(int, dup2, int old, int fd)
{
	return duplicated(old, (int)syscall(SYS_dup2, old, fd));
}

DOOR_ENTRY(int, dup3, int old, int fd, int flags)
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

DOOR_ENTRY(int, fcntl, int fd, int command, ...)
{
	THIRD(command, argument);
	return control(fd, command, argument);
}

DOOR_ENTRY(int, fcntl64, int fd, int command, ...)
{
	THIRD(command, argument);
	return control(fd, command, argument);
}

DOOR_ENTRY(int, ioctl, int fd, unsigned long request, ...)
{
	enum { DRM_TYPE = 'd' }; /* others are for every file, such as FIOCLEX */
	struct drm_file *file = door_fd_get(fd);
	int saved = errno;
	THIRD(request, argument);

	if (!file)
		return (int)syscall(SYS_ioctl, fd, request, argument);
	int result =
		(request >> 8 & 0xff) == DRM_TYPE
			? file->device->front->ioctl(file, request, (uint64_t)argument)
			: (int)drm_raw_result(syscall(SYS_ioctl, fd, request, argument), saved);
	drm_file_put(file);
	errno = saved;
	return (int)door_entry_finish(result);
}
#undef THIRD

static void *map(void *address, size_t length, int protection, int flags, int fd, int64_t offset)
{
	struct drm_file *file = flags & MAP_ANONYMOUS ? NULL : door_fd_get(fd);

	if (!file)
		return (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
	intptr_t result = file->device->front->mmap(
		file, address, length, protection, flags, (uint64_t)offset);
	drm_file_put(file);
	return (void *)door_entry_finish(result);
}

DOOR_ENTRY(void *, mmap, void *address, size_t length, int protection, int flags, int fd,
	int64_t offset)
{
	return map(address, length, protection, flags, fd, offset);
}

DOOR_ENTRY(void *, mmap64, void *address, size_t length, int protection, int flags, int fd,
	int64_t offset)
{
	return map(address, length, protection, flags, fd, offset);
}

/* By another name in C, because here their types do not matter. */
#define ENTRY(name)                                                                                \
	__attribute__((visibility("default"))) void door_row_##name(void) __asm__(#name);
#include "door/door_entry.def"
#undef ENTRY

static const struct door_replacement table[] = {
#define ENTRY(name) { #name, door_row_##name },
#include "door/door_entry.def"
#undef ENTRY
	{ DOOR_FILEBUF_OPEN, (void (*)(void))door_entry_filebuf_open },
};

const struct door_replacement *door_libc_table(size_t *count)
{
	*count = UTIL_ARRAY_SIZE(table);
	return table;
}
