// SPDX-License-Identifier: MIT
#include "i915/i915_shim.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "i915/i915_fd.h"
#include "i915/i915_folder.h"
#include "i915/i915_ioctl.h"
#include "i915/i915_path.h"
#include "i915/i915_raw.h"
#include "util/util_bits.h"

/*
 * Every replacement is called i915_shim_X here and X in the symbol table, so that it needs to agree
 * with no libc header, and is exported for LD_PRELOAD.
 */
#define SHIM(type, name, ...)                                                                      \
	__attribute__((visibility("default"))) type i915_shim_##name(__VA_ARGS__) __asm__(#name);  \
	type i915_shim_##name(__VA_ARGS__)

/* Results in the kernel's convention become libc's. */
static long finish(long result)
{
	if (!i915_raw_failed(result))
		return result;
	errno = (int)-result;
	return -1;
}

/* The C library's function of that name; NULL when nothing that is loaded has it. */
static void *real(const char *symbol)
{
	void *found = dlsym(RTLD_NEXT, symbol);

	if (!found) {
		/* C++'s library may be loaded where RTLD_NEXT does not look. */
		void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
		if (library) {
			found = dlsym(library, symbol);
			dlclose(library);
		}
	}
	return found;
}

static int open_path(int folder, const char *path, int flags, mode_t mode)
{
	int fd = i915_path_open(path, flags);

	if (fd != I915_PASS)
		return (int)finish(fd);
	fd = (int)syscall(SYS_openat, folder, path, flags, mode);
	if (fd >= 0)
		i915_fd_forget(fd); /* a number whose last owner closed it behind our back */
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

SHIM(int, open, const char *path, int flags, ...)
{
	OPEN_MODE(flags, mode)
	return open_path(AT_FDCWD, path, flags, mode);
}

SHIM(int, open64, const char *path, int flags, ...)
{
	OPEN_MODE(flags, mode)
	return open_path(AT_FDCWD, path, flags, mode);
}

SHIM(int, openat, int folder, const char *path, int flags, ...)
{
	OPEN_MODE(flags, mode)
	return open_path(folder, path, flags, mode);
}

SHIM(int, openat64, int folder, const char *path, int flags, ...)
{
	OPEN_MODE(flags, mode)
	return open_path(folder, path, flags, mode);
}
#undef OPEN_MODE

/* What _FORTIFY_SOURCE calls when there is no mode. */
SHIM(int, __open_2, const char *path, int flags)
{
	return open_path(AT_FDCWD, path, flags, 0);
}

SHIM(int, __open64_2, const char *path, int flags)
{
	return open_path(AT_FDCWD, path, flags, 0);
}

SHIM(int, close, int fd)
{
	i915_fd_forget(fd);
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
		i915_fd_forget(fd);
		return fd;
	}
	i915_fd_add(fd, file);
	i915_file_put(file);
	return fd;
}

SHIM(int, dup, int old)
{
	return duplicated(old, (int)syscall(SYS_dup, old));
}

SHIM(int, dup2, int old, int fd)
{
	return duplicated(old, (int)syscall(SYS_dup2, old, fd));
}

SHIM(int, dup3, int old, int fd, int flags)
{
	return duplicated(old, (int)syscall(SYS_dup3, old, fd, flags));
}

static int control(int fd, int command, long argument)
{
	int result = (int)syscall(SYS_fcntl, fd, command, argument);

	return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? duplicated(fd, result) : result;
}

#define THIRD(last, value)                                                                         \
	va_list args;                                                                              \
	va_start(args, last);                                                                      \
	long value = va_arg(args, long);                                                           \
	va_end(args)

SHIM(int, fcntl, int fd, int command, ...)
{
	THIRD(command, argument);
	return control(fd, command, argument);
}

SHIM(int, fcntl64, int fd, int command, ...)
{
	THIRD(command, argument);
	return control(fd, command, argument);
}

SHIM(int, ioctl, int fd, unsigned long request, ...)
{
	struct i915_file *file = i915_fd_get(fd);
	THIRD(request, argument);

	if (!file)
		return (int)syscall(SYS_ioctl, fd, request, argument);
	int result = i915_ioctl(file, request, (uint64_t)argument);
	i915_file_put(file);
	return (int)finish(result);
}
#undef THIRD

static void *map(void *address, size_t length, int protection, int flags, int fd, int64_t offset)
{
	struct i915_file *file = flags & MAP_ANONYMOUS ? NULL : i915_fd_get(fd);

	if (!file)
		return (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
	intptr_t result = i915_mmap(file, address, length, protection, flags, (uint64_t)offset);
	i915_file_put(file);
	return (void *)finish(result);
}

SHIM(void *, mmap, void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
	return map(address, length, protection, flags, fd, offset);
}

SHIM(void *, mmap64, void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
	return map(address, length, protection, flags, fd, offset);
}

static int status_of(const char *path, bool follow, struct stat *out)
{
	int rc = i915_path_stat(path, follow, out);

	if (rc != I915_PASS)
		return (int)finish(rc);
	return (int)syscall(SYS_newfstatat, AT_FDCWD, path, out, follow ? 0 : AT_SYMLINK_NOFOLLOW);
}

SHIM(int, stat, const char *path, struct stat *out)
{
	return status_of(path, true, out);
}

SHIM(int, stat64, const char *path, struct stat *out)
{
	return status_of(path, true, out);
}

SHIM(int, lstat, const char *path, struct stat *out)
{
	return status_of(path, false, out);
}

SHIM(int, lstat64, const char *path, struct stat *out)
{
	return status_of(path, false, out);
}

static int status_of_fd(int fd, struct stat *out)
{
	int rc = i915_path_fstat(fd, out);

	return rc != I915_PASS ? (int)finish(rc) : (int)syscall(SYS_fstat, fd, out);
}

SHIM(int, fstat, int fd, struct stat *out)
{
	return status_of_fd(fd, out);
}

SHIM(int, fstat64, int fd, struct stat *out)
{
	return status_of_fd(fd, out);
}

SHIM(int, access, const char *path, int mode)
{
	int rc = i915_path_access(path, mode);

	return rc != I915_PASS ? (int)finish(rc) : (int)syscall(SYS_access, path, mode);
}

static ssize_t link_of(const char *path, char *out, size_t size)
{
	ssize_t rc = i915_path_readlink(path, out, size);

	return rc != I915_PASS ? finish(rc) : syscall(SYS_readlink, path, out, size);
}

SHIM(ssize_t, readlink, const char *path, char *out, size_t size)
{
	return link_of(path, out, size);
}

SHIM(ssize_t, __readlink_chk, const char *path, char *out, size_t size, size_t room)
{
	return link_of(path, out, size < room ? size : room);
}

SHIM(DIR *, opendir, const char *path)
{
	DIR *(*next)(const char *);
	DIR *folder = NULL;
	int rc = i915_folder_open(path, &folder);

	if (rc == 0)
		return folder;
	if (rc != I915_PASS) {
		errno = -rc;
		return NULL;
	}
	*(void **)&next = real("opendir");
	return next(path);
}

static struct dirent *next_entry(DIR *stream, const char *symbol)
{
	struct dirent *(*next)(DIR *);
	struct dirent *entry;

	if (i915_folder_read(stream, &entry))
		return entry;
	*(void **)&next = real(symbol);
	return next(stream);
}

SHIM(struct dirent *, readdir, DIR *stream)
{
	return next_entry(stream, "readdir");
}

SHIM(struct dirent *, readdir64, DIR *stream)
{
	return next_entry(stream, "readdir64");
}

SHIM(int, closedir, DIR *stream)
{
	int (*next)(DIR *);

	if (i915_folder_close(stream))
		return 0;
	*(void **)&next = real("closedir");
	return next(stream);
}

/* Opens a stream by `symbol`; a file of the tree through a descriptor's name. */
static FILE *open_stream(const char *symbol, const char *path, const char *mode)
{
	FILE *(*next)(const char *, const char *);
	FILE *stream;
	char alias[32];
	int fd = -1;
	int rc = mode && mode[0] != 'r' ? I915_PASS : i915_path_alias(path, alias, &fd);

	if (rc != 0 && rc != I915_PASS) {
		errno = -rc;
		return NULL;
	}
	*(void **)&next = real(symbol);
	stream = next(rc == 0 ? alias : path, mode);
	if (rc == 0) {
		int saved = errno;
		i915_fd_forget(fd);
		i915_raw_close(fd);
		errno = saved;
	}
	return stream;
}

SHIM(FILE *, fopen, const char *path, const char *mode)
{
	return open_stream("fopen", path, mode);
}

SHIM(FILE *, fopen64, const char *path, const char *mode)
{
	return open_stream("fopen64", path, mode);
}

/*
 * std::filebuf::open(const char *, std::ios_base::openmode), by which the driver reads sysfs. Its
 * library opens files by itself, out of reach of the table, so the call is caught one level above.
 */
#define FILEBUF_OPEN "_ZNSt13basic_filebufIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode"

static void *open_filebuf(void *self, const char *path, int mode)
{
	void *(*next)(void *, const char *, int);
	void *result;
	char alias[32];
	int fd = -1;
	int rc = i915_path_alias(path, alias, &fd);

	*(void **)&next = real(FILEBUF_OPEN);
	if (!next || (rc != 0 && rc != I915_PASS))
		return NULL;
	result = next(self, rc == 0 ? alias : path, mode);
	if (rc == 0) {
		i915_fd_forget(fd);
		i915_raw_close(fd);
	}
	return result;
}

#define ROW(name)                                                                                  \
	{                                                                                          \
#name, (void (*)(void))i915_shim_##name                                            \
	}

static const struct i915_replacement table[] = {
	ROW(open),
	ROW(open64),
	ROW(openat),
	ROW(openat64),
	ROW(__open_2),
	ROW(__open64_2),
	ROW(close),
	ROW(dup),
	ROW(dup2),
	ROW(dup3),
	ROW(fcntl),
	ROW(fcntl64),
	ROW(ioctl),
	ROW(mmap),
	ROW(mmap64),
	ROW(stat),
	ROW(stat64),
	ROW(lstat),
	ROW(lstat64),
	ROW(fstat),
	ROW(fstat64),
	ROW(access),
	ROW(readlink),
	ROW(__readlink_chk),
	ROW(opendir),
	ROW(readdir),
	ROW(readdir64),
	ROW(closedir),
	ROW(fopen),
	ROW(fopen64),
	{ FILEBUF_OPEN, (void (*)(void))open_filebuf },
};
#undef ROW

const struct i915_replacement *i915_shim_table(size_t *count)
{
	*count = UTIL_ARRAY_SIZE(table);
	return table;
}
