// SPDX-License-Identifier: MIT
#ifndef EU_SHADOW_CELL_H
#define EU_SHADOW_CELL_H

#include "eu/watch/eu_shadow_page.h"

/*
 * For eu_shadow.c and eu_shadow_spot.c: how pages keep a cell, and when a work-item may put its own
 * in the place of one.
 */

enum {
	PAGE_SHIFT = EU_SHADOW_PAGE_SHIFT,
	PAGE = EU_SHADOW_PAGE,
	LINE_SHIFT = 5,
	LINE = EU_SHADOW_LINE,
	WORD_SHIFT = EU_SHADOW_WORD_SHIFT
};
enum { WRITE, READ, OTHER_READ };

/* All bits or none, which the compiler makes vectors of. */
#define MASK(truth) ((truth) ? ~UINT64_C(0) : 0)

/* What is done for each line or unit that nobody races for. */
#define INLINE static inline __attribute__((always_inline))

/* A cell as pages keep it; its time are the low bits, 0 is nobody. */
typedef uint64_t packed;
#define TIME	     UINT64_C(0xffffffff)
#define SITE_AT	     EU_SHADOW_SITE_AT
#define SITE	     UINT64_C(0x1fffff)
#define LANE_AT	     53
#define LANE	     (UINT64_C(7) << LANE_AT) /* of whole lines: log2 of each work-item's bytes */
#define CHANNEL_AT   56
#define CHANNEL	     (UINT64_C(31) << CHANNEL_AT)
#define ATOMIC	     (UINT64_C(1) << 61)
#define WHOLE	     (UINT64_C(1) << 62)
#define NEXT_CHANNEL (UINT64_C(1) << CHANNEL_AT)
#define WORK_ITEM    (TIME | CHANNEL)	     /* of cells of one agent's period: the same one's */
#define SAME	     (TIME | ATOMIC | WHOLE) /* of cells that are ordered alike */

INLINE packed pack(const struct eu_shadow_cell *cell)
{
	return cell->when | (packed)(cell->site & SITE) << SITE_AT |
	       (packed)(cell->channel & 31) << CHANNEL_AT | (cell->atomic ? ATOMIC : 0) |
	       (cell->whole ? WHOLE : 0);
}

INLINE bool is_by_units(const struct eu_shadow_page *page, unsigned at)
{
	return page->by_units[at / LINE / 64] >> (at / LINE % 64) & 1;
}

INLINE void turn(struct eu_shadow_page *page, unsigned at)
{
	page->by_units[at / LINE / 64] ^= UINT64_C(1) << (at / LINE % 64);
}

/* Of the unit at that byte of a page: the last write, and the last read before the other one. */
INLINE packed *find_write(const struct eu_shadow_page *page, unsigned at)
{
	return page->cells + (at >> page->shift);
}

INLINE packed *find_reads(const struct eu_shadow_page *page, unsigned at)
{
	return page->cells + ((PAGE + 2 * at) >> page->shift);
}

/* The cell of a unit of a line of which that is the first one's. */
INLINE packed unit_of(packed cell, unsigned byte)
{
	return cell ? (cell & ~LANE) + (byte >> (cell >> LANE_AT & 7)) * NEXT_CHANNEL : 0;
}

INLINE uint32_t latest(uint32_t when, packed cell)
{
	return when > (uint32_t)cell ? when : (uint32_t)cell;
}

/* Keeps a line by units: of one that nobody has touched they are zeros. */
INLINE void open_line(struct eu_shadow_page *page, unsigned at)
{
	const struct eu_shadow_line *line = &page->lines[at / LINE];
	packed *write = find_write(page, at / LINE * LINE);
	packed *reads = find_reads(page, at / LINE * LINE);
	const bool is_new = !(line->cells[WRITE] | line->cells[READ] | line->cells[OTHER_READ]);

	for (unsigned byte = 0; byte < LINE && !is_new; byte += 1u << page->shift) {
		*write++ = unit_of(line->cells[WRITE], byte);
		*reads++ = unit_of(line->cells[READ], byte);
		*reads++ = unit_of(line->cells[OTHER_READ], byte);
	}
	page->written = latest(page->written, line->cells[WRITE]);
	page->read = latest(page->read, line->cells[READ]);
	turn(page, at);
}

/* Whose turn it is, and what is known of those who were there before. */
struct who {
	struct eu_shadow *shadow;
	const struct eu_order *order;
	struct eu_order_agent *agent;
	uint32_t floor[2]; /* up to then no reads, no writes count */
	uint32_t own;	   /* those of its own that count are not earlier */
	uint32_t first;	   /* agent of its group */
	packed cell;	   /* of the work-item whose turn it is */
	packed ordered[2]; /* reads, writes: found to be ordered, whatever the channel */
};

INLINE bool is_settled(const struct who *w, packed cell, bool writes)
{
	return (uint32_t)cell <= w->floor[writes] || (cell & SAME) == w->ordered[writes] ||
	       (cell & w->cell & ATOMIC);
}

/*
 * What a work-item and those behind it leave in units one after the other: in the i-th, of which
 * each touches 1 << bits.
 */
INLINE packed cell_of(packed cell, unsigned bits, unsigned i)
{
	return cell + (i >> bits) * NEXT_CHANNEL;
}

/* Whether nobody can race with what was done there; the work-item's own cell is `mine`. */
INLINE bool is_free(const struct who *w, packed cell, packed mine, bool writes)
{
	return is_settled(w, cell, writes) || !((cell ^ mine) & (WORK_ITEM | LANE));
}

/*
 * Up to when what was done does not count: before the walker, or in local memory before the group,
 * or a barrier that made it known to the group's threads, who alone are there.
 */
INLINE uint32_t find_floor(const struct eu_order *order, const struct eu_order_group *group,
	bool global, enum eu_order_kind kind)
{
	if (global)
		return order->floor;
	return group->known[kind] > group->begun ? group->known[kind] - 1 : group->begun;
}

INLINE struct who begin_touch(struct eu_shadow *shadow, const struct eu_order *order,
	struct eu_order_agent *agent, const struct eu_shadow_access *access)
{
	agent->last[(access->global ? EU_ORDER_GLOBAL_READ : EU_ORDER_LOCAL_READ) +
		    access->writes] = agent->period;
	return (struct who){ .shadow = shadow,
		.order = order,
		.agent = agent,
		.cell = pack(&access->cell) | agent->period,
		.own = access->global ? agent->entered : agent->passed,
		.first = agent->group->id * order->threads_per_group,
		.floor = { find_floor(order, agent->group, access->global, EU_ORDER_LOCAL_READ),
			find_floor(order, agent->group, access->global, EU_ORDER_LOCAL_WRITE) } };
}

#endif
