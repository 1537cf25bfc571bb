// SPDX-License-Identifier: MIT
#ifndef EU_CLOCK_H
#define EU_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A vector clock: what somebody knows of what others have done. Shared and never changed, with a
 * count of users; NULL knows nothing. Locks: none; whoever has clocks that share rows has one.
 */
struct eu_clock;

enum { EU_CLOCK_KINDS = 4 };

/* All that `key` has done before these times is known, for each kind of things to do. */
struct eu_clock_row {
	uint32_t key;
	uint32_t before[EU_CLOCK_KINDS];
};

struct eu_clock *eu_clock_hold(struct eu_clock *clock);
void eu_clock_release(struct eu_clock *clock);		  /* which is not NULL */
static inline void eu_clock_drop(struct eu_clock **clock) /* and forgets it */
{
	if (*clock)
		eu_clock_release(*clock);
	*clock = NULL;
}

/* Knows all, in place of a clock for which there is no memory. Says so in the log, once. */
struct eu_clock *eu_clock_everything(void);

/*
 * A clock of up to `count` rows by ascending key, that knows all that anybody did before `floor`;
 * NULL for one that knows nothing. Without memory: eu_clock_everything.
 */
struct eu_clock *eu_clock_create(const struct eu_clock_row *rows, uint32_t count, uint32_t floor);

/*
 * What both know, as a new user of some clock. Without memory: eu_clock_everything. Of more rows
 * than are kept, all that was done before the latest of them counts as known. Both can hide a race
 * but never make one up.
 */
struct eu_clock *eu_clock_join(struct eu_clock *a, struct eu_clock *b);

/* Whether what `key` did of that kind at the time is known. */
bool eu_clock_knows(const struct eu_clock *clock, uint32_t key, unsigned kind, uint32_t when);

#endif
