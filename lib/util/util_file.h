// SPDX-License-Identifier: MIT
#ifndef UTIL_FILE_H
#define UTIL_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

/*
 * Whether a file may have so many bytes (RLIMIT_FSIZE). To make one larger would not only fail: it
 * raises SIGXFSZ, which ends the application. Files without a name count, too.
 */
static inline bool util_file_fits(uint64_t size)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	       size <= limit.rlim_cur;
}

#endif
