// SPDX-License-Identifier: MIT
#ifndef DRM_RAW_H
#define DRM_RAW_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * System calls without libc's entry points, which the library itself replaces. They give the
 * result or -errno, and leave errno alone.
 */
static inline intptr_t drm_raw_result(long result, int saved)
{
	intptr_t value = result == -1 ? -errno : result;

	errno = saved;
	return value;
}

/* Whether a pointer-sized result is an error. */
static inline int drm_raw_failed(intptr_t result)
{
	return result < 0 && result >= -4095;
}

static inline int drm_raw_close(int fd)
{
	int saved = errno;

	return (int)drm_raw_result(syscall(SYS_close, fd), saved);
}

static inline int drm_raw_memfd(const char *name)
{
	int saved = errno;

	return (int)drm_raw_result(
		syscall(SYS_memfd_create, name, MFD_CLOEXEC | MFD_ALLOW_SEALING), saved);
}

static inline int drm_raw_ftruncate(int fd, uint64_t size)
{
	int saved = errno;

	return (int)drm_raw_result(syscall(SYS_ftruncate, fd, size), saved);
}

static inline int drm_raw_fcntl(int fd, int command, long argument)
{
	int saved = errno;

	return (int)drm_raw_result(syscall(SYS_fcntl, fd, command, argument), saved);
}

static inline int drm_raw_fstat(int fd, struct stat *out)
{
	int saved = errno;

	return (int)drm_raw_result(syscall(SYS_fstat, fd, out), saved);
}

static inline intptr_t drm_raw_mmap(
	void *address, size_t length, int protection, int flags, int fd, int64_t offset)
{
	int saved = errno;

	return drm_raw_result(
		syscall(SYS_mmap, address, length, protection, flags, fd, offset), saved);
}

static inline intptr_t drm_raw_mremap(
	void *old, size_t old_length, size_t length, int flags, void *address)
{
	int saved = errno;

	return drm_raw_result(syscall(SYS_mremap, old, old_length, length, flags, address), saved);
}

static inline int drm_raw_munmap(void *address, size_t length)
{
	int saved = errno;

	return (int)drm_raw_result(syscall(SYS_munmap, address, length), saved);
}

static inline int drm_raw_mprotect(void *address, size_t length, int protection)
{
	int saved = errno;

	return (int)drm_raw_result(syscall(SYS_mprotect, address, length, protection), saved);
}

#endif
