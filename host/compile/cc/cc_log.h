// SPDX-License-Identifier: MIT
#ifndef CC_LOG_H
#define CC_LOG_H

#include "compile/base/request.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Turns the log that ocloc writes into what an application should see. It removes ocloc's own
 * lines. The front end numbers the sources of a process ("37:2:5: error: …"): that number becomes
 * 1, so that equal builds have equal logs. Works in place on `size` bytes; returns the new size.
 */
size_t cc_log_clean(char *log, size_t size);

/* Whether a line of the log says that the front end does not know an option. */
bool cc_log_bad_options(const char *log, size_t size);

#endif
