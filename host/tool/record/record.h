// SPDX-License-Identifier: MIT
#ifndef RECORD_H
#define RECORD_H

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

/*
 * A smaller record: some commands and contents of another one, and what those need. Results are
 * left out, because they are those of all commands.
 */
struct record_cut {
	const struct record *record;
	bool *drops;  /* by item: a command, or what the host wrote, is left out */
	bool *clears; /* by item: contents are zeros */
};

/* Whether `drops` and `clears` choose about an item; others follow from those. */
void record_cut_choices(
	const struct record *record, size_t item, bool *is_dropped, bool *is_cleared);

/* Writes the packed file. False, with a sentence in why. */
bool record_cut_write(const struct record_cut *cut, const char *path, char *why, size_t why_size);

/*
 * Writes when the calls and commands of processes began and ended, in the trace event format of
 * Chrome, which Perfetto reads: a track for each host thread and each queue, several where commands
 * of a queue overlap, and an arrow from each call to its command. False, with a sentence on
 * standard error, if the file cannot be written.
 */
bool timeline_write(const char *path, const struct record **records, unsigned n);

#endif
