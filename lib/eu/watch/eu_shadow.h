// SPDX-License-Identifier: MIT
#ifndef EU_SHADOW_H
#define EU_SHADOW_H

#include <stddef.h>

#include "eu/watch/eu_order.h"

/*
 * Who touched which byte last: for each the last write, and two reads, one of them of another group
 * than the last if there was any. Bytes of a page are kept as dwords until somebody touches less
 * than a whole one. Locks: none; one host thread at a time.
 */

/* An access, as the shadow keeps it. */
struct eu_shadow_cell {
	uint32_t when; /* the agent's period; 0: there is none */
	uint32_t agent;
	uint32_t site : 24; /* which instruction */
	uint32_t channel : 5;
	uint32_t atomic : 1;
	uint32_t whole : 1; /* done for more than the channel, at once */
};

struct eu_shadow {
	struct eu_shadow_page *pages; /* a hash table */
	size_t count, capacity;
	struct eu_shadow_page *last;
	bool judges_channels; /* of one agent, against each other */
};

/* What one work-item is about to do. */
struct eu_shadow_access {
	uint64_t address;
	uint64_t epoch; /* what was kept for another epoch of the page is void */
	unsigned bytes;
	bool writes, global;
	struct eu_shadow_cell cell; /* all but `when` and `agent` */
};

/* What it races with. */
struct eu_shadow_race {
	struct eu_shadow_cell other;
	bool other_writes;
	unsigned byte; /* of the access */
};

/*
 * Keeps an access of an agent. Returns true with the first race that it makes. Accesses of which
 * both are atomic, or both read, or that one work-item makes, do not race. Those of one agent's
 * work-items do, if that is to be judged, until it closes the first.
 */
bool eu_shadow_touch(struct eu_shadow *shadow, const struct eu_order *order,
	struct eu_order_agent *agent, const struct eu_shadow_access *access,
	struct eu_shadow_race *race);

void eu_shadow_finish(struct eu_shadow *shadow);

/* What a worker keeps of the accesses of its walker; eu_race.c has the use of it. */
struct eu_races {
	struct eu_order order;
	struct eu_shadow shadow;
	uint64_t walker;      /* worker->walkers when it began */
	uint64_t first, end;  /* memory of the program that was found last */
	unsigned range_count; /* surfaces of the walker */
	struct {
		uint64_t first, end;
	} ranges[32];
};

/* NULL is none. */
void eu_races_destroy(struct eu_races *races);

#endif
