// SPDX-License-Identifier: MIT
#ifndef DRM_RAW_H
#define DRM_RAW_H

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * System calls without libc's entry points, which the library itself replaces. They return the
 * result or -errno, and leave errno alone.
 */
static inline intptr_t drm_raw_call(
	long number, intptr_t a, intptr_t b, intptr_t c, intptr_t d, intptr_t e, intptr_t f)
{
	int saved = errno;
	long result = syscall(number, a, b, c, d, e, f);

	if (result == -1)
		result = -errno;
	errno = saved;
	return result;
}

/* Whether a pointer-sized result is an error. */
static inline int drm_raw_failed(intptr_t result)
{
	return result < 0 && result >= -4095;
}

static inline int drm_raw_close(int fd)
{
	return (int)drm_raw_call(SYS_close, fd, 0, 0, 0, 0, 0);
}

static inline int drm_raw_memfd(const char *name)
{
	return (int)drm_raw_call(
		SYS_memfd_create, (intptr_t)name, MFD_CLOEXEC | MFD_ALLOW_SEALING, 0, 0, 0, 0);
}

static inline int drm_raw_ftruncate(int fd, uint64_t size)
{
	return (int)drm_raw_call(SYS_ftruncate, fd, (intptr_t)size, 0, 0, 0, 0);
}

static inline int drm_raw_fcntl(int fd, int command, long argument)
{
	return (int)drm_raw_call(SYS_fcntl, fd, command, argument, 0, 0, 0);
}

static inline int drm_raw_fstat(int fd, struct stat *out)
{
	return (int)drm_raw_call(SYS_fstat, fd, (intptr_t)out, 0, 0, 0, 0);
}

static inline int drm_raw_open(const char *path, int flags)
{
	return (int)drm_raw_call(SYS_openat, AT_FDCWD, (intptr_t)path, flags, 0, 0, 0);
}

static inline int drm_raw_exists(const char *path)
{
	return drm_raw_call(SYS_faccessat, AT_FDCWD, (intptr_t)path, F_OK, 0, 0, 0) == 0;
}

static inline intptr_t drm_raw_mmap(
	void *address, size_t length, int protection, int flags, int fd, int64_t offset)
{
	return drm_raw_call(SYS_mmap, (intptr_t)address, (intptr_t)length, protection, flags, fd,
		(intptr_t)offset);
}

static inline int drm_raw_madvise(void *address, size_t length, int advice)
{
	return (int)drm_raw_call(SYS_madvise, (intptr_t)address, (intptr_t)length, advice, 0, 0, 0);
}

static inline intptr_t drm_raw_mremap(
	void *old, size_t old_length, size_t length, int flags, void *address)
{
	return drm_raw_call(SYS_mremap, (intptr_t)old, (intptr_t)old_length, (intptr_t)length,
		flags, (intptr_t)address, 0);
}

static inline int drm_raw_munmap(void *address, size_t length)
{
	return (int)drm_raw_call(SYS_munmap, (intptr_t)address, (intptr_t)length, 0, 0, 0, 0);
}

static inline int drm_raw_mprotect(void *address, size_t length, int protection)
{
	return (int)drm_raw_call(
		SYS_mprotect, (intptr_t)address, (intptr_t)length, protection, 0, 0, 0);
}

#endif
