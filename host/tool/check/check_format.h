// SPDX-License-Identifier: MIT
#ifndef CHECK_FORMAT_H
#define CHECK_FORMAT_H

#include <stdio.h>

#include "tool/check/check_findings.h"

/* The forms in which findings are written, as --format names them. */
struct check_format {
	const char *name;
	void (*write)(FILE *file, const struct check_findings *findings);
};

/* NULL: there is none of that name. */
const struct check_format *check_format_find(const char *name);

#endif
