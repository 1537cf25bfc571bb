// SPDX-License-Identifier: MIT
#ifndef RECORD_SUMMARY_H
#define RECORD_SUMMARY_H

#include <stdio.h>

#include "layer/call/record_file.h"

/* How much there is in a record. */
struct record_summary {
	unsigned calls, launches, kernels, not_understood;
};

/* Counts, and prints to `file` (unless NULL) a line for each kind of call that is not understood.
 */
struct record_summary record_summarize(const struct record *record, FILE *file);

/* A line for each launch: the call's number, the kernel's name. */
void record_print_launches(const struct record *record, FILE *file);

#endif
