// SPDX-License-Identifier: MIT
#ifndef UTIL_LOG_H
#define UTIL_LOG_H

#include <stdbool.h>

/*
 * The log. Silent unless ZEROCL_LOG asks: ZEROCL_LOG=error|warn|info|debug|trace prints that level
 * and all more urgent ones, one line each, to stderr or to the file named by ZEROCL_LOG_FILE.
 * Safe to call from any thread; never changes errno; makes its system calls without libc's entry
 * points.
 */
enum util_log_level {
	UTIL_LOG_ERROR = 1,
	UTIL_LOG_WARN,
	UTIL_LOG_INFO,
	UTIL_LOG_DEBUG,
	UTIL_LOG_TRACE
};

/* Whether a line of this level would be written; lets a caller skip composing it. */
bool util_log_on(enum util_log_level level);

/* Writes "zerocl <area>: <text>\n". `area` is the layer that speaks ("i915", "l0" …). */
void util_log(enum util_log_level level, const char *area, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
