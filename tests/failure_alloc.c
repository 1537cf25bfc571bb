// SPDX-License-Identifier: MIT
#include "failure_alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_reallocarray(void *old, size_t n, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_reallocarray(void *old, size_t n, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
int __wrap_asprintf(char **out, const char *format, ...) __attribute__((format(printf, 2, 3)));

void *__real_aligned_alloc(size_t align, size_t size);
void *__real_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
int __real_pthread_create(
	pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *data);
FILE *__real_open_memstream(char **text, size_t *size);
FILE *__real_fopen(const char *path, const char *mode);
int __real_eventfd(unsigned value, int flags);
long __real_syscall(long number, ...);
void *__wrap_aligned_alloc(size_t align, size_t size);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
int __wrap_pthread_create(
	pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *data);
FILE *__wrap_open_memstream(char **text, size_t *size);
FILE *__wrap_fopen(const char *path, const char *mode);
int __wrap_eventfd(unsigned value, int flags);
long __wrap_syscall(long number, ...);

bool (*failure_alloc_spares)(void);

static atomic_int left; /* that succeed before one fails; behind them, this is negative */
static atomic_int failures;
static atomic_bool failed;

void failure_alloc_after(unsigned n, unsigned count)
{
	atomic_store(&failures, 0);
	atomic_store(&failed, false);
	atomic_store(&left, (int)n - 1);
	atomic_store(&failures, n ? (int)count : 0);
}

bool failure_alloc_failed(void)
{
	return atomic_load(&failed);
}

static bool fails(void)
{
	if (!atomic_load(&failures) || (failure_alloc_spares && failure_alloc_spares()))
		return false;
	int before = atomic_fetch_sub(&left, 1);
	if (before > 0 || before <= -atomic_load(&failures))
		return false;
	atomic_store(&failed, true);
	errno = ENOMEM;
	return true;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return fails() ? NULL : __real_realloc(old, size);
}

void *__wrap_reallocarray(void *old, size_t n, size_t size)
{
	return fails() ? NULL : __real_reallocarray(old, n, size);
}

char *__wrap_strdup(const char *text)
{
	return fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t size)
{
	return fails() ? NULL : __real_strndup(text, size);
}

int __wrap_asprintf(char **out, const char *format, ...)
{
	va_list args;

	if (fails())
		return -1;
	va_start(args, format);
	int n = vasprintf(out, format, args);
	va_end(args);
	return n;
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
	return fails() ? NULL : __real_aligned_alloc(align, size);
}

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	return fails() ? MAP_FAILED : __real_mmap(at, size, protection, flags, fd, offset);
}

/* As at the limit of a container's processes. */
int __wrap_pthread_create(
	pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *data)
{
	return fails() ? EAGAIN : __real_pthread_create(thread, attr, run, data);
}

FILE *__wrap_open_memstream(char **text, size_t *size)
{
	return fails() ? NULL : __real_open_memstream(text, size);
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
	return fails() ? NULL : __real_fopen(path, mode);
}

int __wrap_eventfd(unsigned value, int flags)
{
	return fails() ? -1 : __real_eventfd(value, flags);
}

/* The device's own calls (drm_raw.h): those that make something. */
long __wrap_syscall(long number, ...)
{
	long a[6];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	bool makes = number == SYS_mmap || number == SYS_mremap || number == SYS_memfd_create ||
		     number == SYS_ftruncate || number == SYS_pipe2 ||
		     (number == SYS_fcntl && (a[1] == F_DUPFD_CLOEXEC || a[1] == F_DUPFD));
	return makes && fails() ? -1 : __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
