// SPDX-License-Identifier: MIT
#ifndef RECORD_CUT_H
#define RECORD_CUT_H

#include "layer/call/record_file.h"

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

#endif
