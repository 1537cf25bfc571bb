// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "door/door_entry.h"
#include "door/door_file.h"
#include "drm/memory/drm_pages.h"
#include "drm/sync/drm_sync_fd.h"
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

static int open_path(int folder, const char *path, int flags, mode_t mode)
{
	struct door_place place;
	int fd = door_file_find(folder, path, flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0, &place);

	if (fd == 0)
		fd = door_file_open(place.node, flags);
	if (fd != DOOR_PASS)
		return (int)door_entry_finish(fd);
	fd = (int)syscall(SYS_openat, folder, place.path, flags, mode);
	return door_file_share(place.node, fd);
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

/* _FORTIFY_SOURCE calls the names that end in _2, when there is no mode. */
DOOR_ENTRY(int, open, const char *path, int flags, ...)
{
	OPEN_MODE(flags, mode)
	return open_path(AT_FDCWD, path, flags, mode);
}
DOOR_ALIAS(open64, open)
DOOR_ALIAS(__open_2, open)
DOOR_ALIAS(__open64_2, open)

DOOR_ENTRY(int, openat, int folder, const char *path, int flags, ...)
{
	OPEN_MODE(flags, mode)
	return open_path(folder, path, flags, mode);
}
DOOR_ALIAS(openat64, openat)
DOOR_ALIAS(__openat_2, openat)
DOOR_ALIAS(__openat64_2, openat)
#undef OPEN_MODE

DOOR_ENTRY(int, close, int fd)
{
	door_file_forget(fd);
	return (int)syscall(SYS_close, fd);
}

DOOR_ENTRY(int, dup, int old)
{
	return door_file_duplicate(old, (int)syscall(SYS_dup, old));
}

DOOR_ENTRY(int, dup2, int old, int fd)
{
	return door_file_duplicate(old, (int)syscall(SYS_dup2, old, fd));
}

DOOR_ENTRY(int, dup3, int old, int fd, int flags)
{
	return door_file_duplicate(old, (int)syscall(SYS_dup3, old, fd, flags));
}

#define THIRD(last, value)                                                                         \
	va_list args;                                                                              \
	va_start(args, last);                                                                      \
	long value = va_arg(args, long);                                                           \
	va_end(args)

DOOR_ENTRY(int, fcntl, int fd, int command, ...)
{
	int result;

	THIRD(command, argument);
	if (command == F_GETOWN) { /* a process group is negative, which is no error */
		struct f_owner_ex process;
		result = (int)syscall(SYS_fcntl, fd, F_GETOWN_EX, &process);
		if (result)
			return result;
		return process.type == F_OWNER_PGRP ? -process.pid : process.pid;
	}
	result = (int)syscall(SYS_fcntl, fd, command, argument);
	return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? door_file_duplicate(fd, result)
								: result;
}
DOOR_ALIAS(fcntl64, fcntl)

/* The device's file behind a descriptor, with a reference; NULL when it is none. */
static struct door_file *get_device(int fd)
{
	struct door_file *file = door_file_get(fd);

	if (file && !file->drm) {
		door_file_put(file);
		file = NULL;
	}
	return file;
}

/* Of a fence, whichever device it is of. */
static int sync_ioctl(int fd, unsigned long request, uint64_t argument)
{
	int result = -ENOTTY;
	struct drm_device *device;

	for (unsigned i = 0; i < DOOR_MAX_DEVICES && result == -ENOTTY; i++)
		if ((device = door_device(i)))
			result = drm_sync_fd_ioctl(device, fd, request, argument);
	return result;
}

DOOR_ENTRY(int, ioctl, int fd, unsigned long request, ...)
{
	enum { DRM_TYPE = 'd', SYNC_TYPE = '>' }; /* others are for every file, such as FIOCLEX */
	unsigned type = request >> 8 & 0xff;
	struct door_file *file = get_device(fd);
	int saved = errno;
	int result = -ENOTTY;
	THIRD(request, argument);

	if (!file && type == SYNC_TYPE)
		result = sync_ioctl(fd, request, (uint64_t)argument);
	if (result != -ENOTTY)
		return (int)door_entry_finish(result);
	if (!file || type != DRM_TYPE) {
		if (file)
			door_file_put(file);
		return (int)syscall(SYS_ioctl, fd, request, argument);
	}
	result = file->drm->device->front->ioctl(file->drm, request, (uint64_t)argument);
	door_file_put(file);
	errno = saved;
	return (int)door_entry_finish(result);
}
#undef THIRD

DOOR_ENTRY(void *, mmap, void *address, size_t length, int protection, int flags, int fd,
	int64_t offset)
{
	const int plain = MAP_PRIVATE | MAP_SHARED | MAP_NORESERVE;
	struct door_file *file = flags & MAP_ANONYMOUS ? NULL : get_device(fd);
	intptr_t result;

	/* Room in which a driver places views of objects later. */
	if (!address && protection == PROT_NONE && (flags & ~plain) == MAP_ANONYMOUS)
		return (void *)door_entry_finish(drm_pages_reserve(length, flags));
	if (!file)
		return (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
	result = file->drm->device->front->mmap(
		file->drm, address, length, protection, flags, (uint64_t)offset);
	door_file_put(file);
	return (void *)door_entry_finish(result);
}
DOOR_ALIAS(mmap64, mmap)

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

const struct door_replacement *door_entry_table(size_t *count)
{
	*count = UTIL_ARRAY_SIZE(table);
	return table;
}
