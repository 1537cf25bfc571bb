// SPDX-License-Identifier: MIT
#ifndef PROF_FORMAT_H
#define PROF_FORMAT_H

#include <stdio.h>

#include "tool/prof/prof_report.h"

/* The forms in which reports are written, as --format names them. `command` is the program's. */
struct prof_format {
	const char *name;
	void (*write)(FILE *file, const struct prof_report *report, const char *command);
};

/* NULL: there is none of that name. */
const struct prof_format *prof_format_find(const char *name);

/* The report as --format json writes it. */
json_t *prof_json(const struct prof_report *report, const char *command);

/* A page (tool/page). */
void prof_html(FILE *file, const struct prof_report *report, const char *command);

/*
 * Compares with what --format json has written earlier: prints each count that is a cost and grew
 * by more than `percent`, and returns how many did; negative with a sentence on stderr when the
 * file cannot be read. Kernels that the earlier file does not have do not count.
 */
int prof_compare(FILE *file, const struct prof_report *report, const char *path, double percent);

/* 1234567 as "1,234,567". */
const char *prof_digits(uint64_t number, char text[32]);

#endif
