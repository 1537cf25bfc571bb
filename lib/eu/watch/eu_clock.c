// SPDX-License-Identifier: MIT
#include "eu/watch/eu_clock.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "util/util_log.h"

enum { MOST_ROWS = 256 };

struct eu_clock {
	unsigned users;
	uint32_t floor; /* all that anybody did before is known */
	uint32_t count;
	struct eu_clock_row rows[]; /* by ascending key */
};

/* Nobody counts its users. */
static struct eu_clock everything = { .floor = UINT32_MAX };

struct eu_clock *eu_clock_everything(void)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;

	if (!atomic_flag_test_and_set(&told))
		util_log(UTIL_LOG_WARN, "check",
			"memory is short: from here on, races may go unreported");
	return &everything;
}

struct eu_clock *eu_clock_hold(struct eu_clock *clock)
{
	if (clock && clock != &everything)
		clock->users++;
	return clock;
}

void eu_clock_release(struct eu_clock *clock)
{
	if (clock != &everything && --clock->users == 0)
		free(clock);
}

/* Room for that many rows; NULL when memory is short. */
static struct eu_clock *make(uint32_t rows, uint32_t floor)
{
	struct eu_clock *clock = calloc(1, sizeof *clock + rows * sizeof(struct eu_clock_row));

	if (clock) {
		clock->users = 1;
		clock->floor = floor;
	}
	return clock;
}

static void row_raise(struct eu_clock_row *row, const struct eu_clock_row *by)
{
	for (unsigned k = 0; k < EU_CLOCK_KINDS; k++)
		if (by->before[k] > row->before[k])
			row->before[k] = by->before[k];
}

static bool row_covers(const struct eu_clock_row *row, const struct eu_clock_row *other)
{
	for (unsigned k = 0; k < EU_CLOCK_KINDS; k++)
		if (other->before[k] > row->before[k])
			return false;
	return true;
}

static const struct eu_clock_row *find_row(const struct eu_clock *clock, uint32_t key)
{
	uint32_t low = 0, high = clock ? clock->count : 0;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (clock->rows[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return clock && low < clock->count && clock->rows[low].key == key ? &clock->rows[low]
									  : NULL;
}

/* Whether `a` knows all that `b` does. */
static bool clock_covers(const struct eu_clock *a, const struct eu_clock *b)
{
	if (!b || a == b || a == &everything)
		return true;
	if (!a || b->floor > a->floor)
		return false;
	for (uint32_t i = 0; i < b->count; i++) {
		const struct eu_clock_row *row = find_row(a, b->rows[i].key);
		if (!row || !row_covers(row, &b->rows[i]))
			return false;
	}
	return true;
}

/* Puts the latest time of all rows in their place. */
static void clock_flatten(struct eu_clock *clock)
{
	for (uint32_t i = 0; i < clock->count; i++)
		for (unsigned k = 0; k < EU_CLOCK_KINDS; k++)
			if (clock->rows[i].before[k] > clock->floor)
				clock->floor = clock->rows[i].before[k];
	clock->count = 0;
}

struct eu_clock *eu_clock_join(struct eu_clock *a, struct eu_clock *b)
{
	if (clock_covers(a, b))
		return eu_clock_hold(a);
	if (clock_covers(b, a))
		return eu_clock_hold(b);
	struct eu_clock *both =
		make(a->count + b->count, a->floor > b->floor ? a->floor : b->floor);
	if (!both)
		return eu_clock_everything();
	for (uint32_t i = 0, j = 0; i < a->count || j < b->count;) {
		struct eu_clock_row *row = &both->rows[both->count++];
		bool from_a = j == b->count || (i < a->count && a->rows[i].key <= b->rows[j].key);
		*row = from_a ? a->rows[i++] : b->rows[j++];
		if (from_a && j < b->count && b->rows[j].key == row->key)
			row_raise(row, &b->rows[j++]);
	}
	if (both->count > MOST_ROWS)
		clock_flatten(both);
	return both;
}

struct eu_clock *eu_clock_create(const struct eu_clock_row *rows, uint32_t count, uint32_t floor)
{
	struct eu_clock *clock = make(count, floor);

	if (!clock)
		return eu_clock_everything();
	for (uint32_t i = 0; i < count; i++)
		if (!row_covers(&(const struct eu_clock_row){ 0 }, &rows[i]))
			clock->rows[clock->count++] = rows[i];
	if (clock->count == 0 && floor == 0)
		eu_clock_drop(&clock);
	return clock;
}

bool eu_clock_knows(const struct eu_clock *clock, uint32_t key, unsigned kind, uint32_t when)
{
	if (!clock || when < clock->floor)
		return clock;
	const struct eu_clock_row *row = find_row(clock, key);
	return row && when < row->before[kind];
}
