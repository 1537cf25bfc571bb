// SPDX-License-Identifier: MIT
#include "util/util_log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/util_settings.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int limit;
static int output = STDERR_FILENO;

static void open_log(void)
{
	static const char *const names[] = { "off", "error", "warn", "info", "debug", "trace" };
	const char *wanted = util_settings()->log;
	const char *file = util_settings()->log_file;

	for (int i = 0; wanted && i < (int)(sizeof names / sizeof *names); i++)
		if (!strcmp(wanted, names[i]))
			limit = i;
	if (limit && file) {
		/* A raw system call, so that the virtual device's own open() never sees it. */
		int fd = (int)syscall(SYS_openat, AT_FDCWD, file,
			O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
		if (fd >= 0)
			output = fd;
	}
}

bool util_log_on(enum util_log_level level)
{
	int saved = errno;

	pthread_once(&once, open_log);
	errno = saved;
	return (int)level <= limit;
}

void util_log(enum util_log_level level, const char *area, const char *format, ...)
{
	char line[2048];
	int saved = errno;
	va_list args;

	if (!util_log_on(level))
		return;
	int n = snprintf(line, sizeof line, "zerocl %s: ", area);
	va_start(args, format);
	int m = vsnprintf(line + n, sizeof line - (size_t)n - 1, format, args);
	va_end(args);
	if (m < 0)
		m = 0;
	size_t length = (size_t)n + (size_t)m;
	if (length > sizeof line - 2)
		length = sizeof line - 2;
	line[length++] = '\n';
	if (write(output, line, length) < 0) {
		/* An error of the log has no place to be reported. */
	}
	errno = saved;
}
