// SPDX-License-Identifier: MIT
#ifndef EU_SHADOW_H
#define EU_SHADOW_H

#include <stddef.h>

#include "eu/state/eu_thread.h"
#include "eu/watch/eu_order.h"

/*
 * Who touched which byte last: for each the last write, and two reads, one of them of another group
 * than the last if there was any. Lines of 32 bytes are kept as one as long as they are touched as
 * one; then by dwords until somebody touches less than a whole one, then by words, then by bytes,
 * and local memory so until nobody in a walker does.
 * What was kept before the walker began is void unless a launch did it that is not ordered with it;
 * of local memory, what was kept before its group began. Memory of what is void is used again.
 * Locks: none; one host thread at a time.
 */

struct eu_reach;

/* How somebody touched it. */
struct eu_shadow_cell {
	uint32_t when; /* the agent's period; 0: nobody did */
	uint32_t site; /* which instruction; 21 bits */
	uint8_t channel;
	bool atomic;
	bool whole; /* done for more than the channel, at once */
};

enum { EU_SHADOW_PAGES = 512, EU_SHADOW_SPOTS = 512, EU_SHADOW_LOG = 8192, EU_SHADOW_SIZES = 4 };
/* Where local memory is kept: of each resident group at a multiple of this. */
#define EU_SHADOW_LOCAL (UINT64_C(1) << 48)

struct eu_shadow {
	struct eu_shadow_slot {
		uint64_t number;
		struct eu_shadow_page *page; /* NULL: unused */
		uint32_t begun;		     /* that of the walker which used it last */
	} * slots, recent[EU_SHADOW_PAGES];  /* a hash table; those that the walker found last */
	/* Pages that are written unit by unit (eu_shadow_spot.c), by the low bits of their numbers.
	 */
	struct eu_shadow_spot {
		uint64_t key; /* of the page and its units; 0: unused */
		struct eu_shadow_page *page;
		bool has_plain; /* not all that counts is atomic */
	} spots[EU_SHADOW_SPOTS];
	uint64_t touched[EU_SHADOW_SPOTS][64]; /* a bit for each unit whose last write may count */
	uint64_t log[EU_SHADOW_LOG];	       /* what their cells do not have yet */
	uint32_t log_used, log_site;	       /* entries; the instruction that they count from */
	uint32_t spots_end;		       /* the period of the last write by a spot */
	size_t count, capacity;
	struct eu_shadow_slab *slabs;
	struct eu_shadow_unused *unused[EU_SHADOW_SIZES];
	size_t used, enough;  /* bytes; when they are more than enough it is time to sweep */
	uint32_t era, begun;  /* of the order, when the walker began */
	uint32_t floor;	      /* up to then nothing counts */
	bool is_void;	      /* that is all before the walker, which is a kernel's */
	uint32_t swept;	      /* begun of the one that swept last */
	bool judges_channels; /* of one agent, against each other */
};

/*
 * What work-items are about to do to bytes that lie side by side: each to `lane` of them, in the
 * order of their channels.
 */
struct eu_shadow_access {
	uint64_t address;
	unsigned bytes, lane;
	bool writes, global;
	struct eu_shadow_cell cell; /* all but `when`; the first one's channel */
};

/* What it races with. */
struct eu_shadow_race {
	struct eu_shadow_cell other;
	uint32_t other_agent;		      /* UINT32_MAX: not known */
	const struct eu_order_launch *launch; /* in which it did it; NULL: in this one */
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

/*
 * The same of a read, not atomic, of what nobody in the walker writes: of each byte it is kept
 * which instruction has read it last, one of those from `first_site` on that are the walker's.
 * False: nothing is kept, and eu_shadow_touch has to do it.
 */
bool eu_shadow_read_constant(struct eu_shadow *shadow, const struct eu_order_agent *agent,
	uint32_t first_site, uint32_t site, uint64_t address, uint64_t bytes);

/*
 * The same of work-items each of which touches access->bytes at a place of its own, instead of the
 * access'; `count` is at most GEN_MAX_LANES. Returns the first that races, or `count`; what comes
 * behind it is to be touched, again or for the first time.
 */
struct eu_shadow_place {
	uint64_t address;
	unsigned channel; /* less than 32; the cell's is 0 */
};
unsigned eu_shadow_touch_apart(struct eu_shadow *shadow, const struct eu_order *order,
	struct eu_order_agent *agent, const struct eu_shadow_access *access,
	const struct eu_shadow_place *places, unsigned count, struct eu_shadow_race *race);

/*
 * Touches those lanes of a message that writes of which it is quickly known that they do not race:
 * access->bytes from access->address plus each lane's offset in `reach`. Returns a bit for each
 * lane that is touched. The others are the caller's to touch.
 */
uint32_t eu_shadow_write_spots(struct eu_shadow *shadow, const struct eu_order *order,
	struct eu_order_agent *agent, const struct eu_shadow_access *access,
	const struct eu_reach *reach);

/* A walker has begun: before all that its agents touch. */
void eu_shadow_begin(struct eu_shadow *shadow, const struct eu_order *order);
void eu_shadow_finish(struct eu_shadow *shadow);

/* What is kept of the accesses of walkers, one after the other; eu_race.c has the use of it. */
struct eu_races {
	struct eu_order order;
	struct eu_shadow shadow;
	const struct eu_worker *worker; /* that has it for its walker; NULL: nobody */
	uint64_t walker;		/* worker->walkers then */
	uint64_t first, end;		/* memory of the program that was found last */
	/* Of local memory: the compiler's own, which is not judged. */
	uint64_t hidden_first, hidden_end;
	bool has_constants;
	uint64_t constants[EU_SURFACES / 64]; /* a bit for each surface, eu_race_find_constants */
	unsigned range_count;		      /* surfaces of the walker */
	struct {
		uint64_t first, end;
	} ranges[32];
};

#endif
