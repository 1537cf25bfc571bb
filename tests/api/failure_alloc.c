// SPDX-License-Identifier: MIT
#include "failure_alloc.h"

#include "l0_fake.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static atomic_int left; /* 0: none shall fail */
static atomic_bool failed;

void failure_alloc_after(unsigned n)
{
	atomic_store(&failed, false);
	atomic_store(&left, (int)n);
}

bool failure_alloc_failed(void)
{
	return atomic_load(&failed);
}

static bool fails(void)
{
	if (l0_fake_allocates() || atomic_load(&left) <= 0 || atomic_fetch_sub(&left, 1) != 1)
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
