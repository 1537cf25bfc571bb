// SPDX-License-Identifier: MIT
#ifndef EU_ORDER_H
#define EU_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "eu/state/eu_dispatch.h"
#include "eu/watch/eu_clock.h"

/*
 * What happens before what in a walker, by OpenCL's memory model (OpenCL C 3.0, section 3.3) as far
 * as machine code shows it. An agent is a hardware thread, that is a sub-group. Time counts the
 * steps that order anything: fences and barriers. Each agent has a period, the time since when it
 * has passed none, and all that it does in a period is of one time.
 *
 * - A fence closes what its agent has done in its space. A barrier closes what the agent has read;
 *   what it has written only if a fence came in between.
 * - A complete barrier makes what the group's threads have closed known to all of them.
 * - An atomic write leaves what its agent had closed or learned at the location. Whoever reads that
 *   atomically learns it with its own next fence.
 *
 * Locks: none; one host thread at a time.
 */

/* What accesses are ordered separately. */
enum eu_order_kind {
	EU_ORDER_LOCAL_READ,
	EU_ORDER_LOCAL_WRITE,
	EU_ORDER_GLOBAL_READ,
	EU_ORDER_GLOBAL_WRITE,
	EU_ORDER_KINDS
};

struct eu_order_group {
	const void *of; /* tells resident groups apart; NULL: unused */
	uint32_t id;
	uint32_t begun;			/* nothing was done in it before */
	unsigned place;			/* in order->groups */
	uint32_t generation;		/* barriers that are complete */
	uint32_t known[EU_ORDER_KINDS]; /* what its threads did before then is known to all */
	bool open[EU_ORDER_KINDS];	/* somebody came to the barrier without a fence */
	struct eu_clock *shared;	/* what its threads knew at the last barrier … */
	struct eu_clock *arriving;	/* … and at the one to come */
};

struct eu_order_agent {
	uint32_t id, generation;
	struct eu_order_group *group;
	uint32_t period;
	uint32_t entered, passed; /* the first one; the first behind the last barrier, or that */
	uint32_t last[EU_ORDER_KINDS];	 /* period of the last access, 0: none */
	uint32_t closed[EU_ORDER_KINDS]; /* what it did before then is closed */
	struct eu_clock *known;		 /* of agents and groups */
	struct eu_clock *pending;	 /* read, and learned with the next fence */
	struct eu_clock *release;	 /* what an atomic write leaves; made when wanted */
	bool has_release;
};

/* A walker, or what a command did by itself as one agent. */
struct eu_order_launch {
	uint32_t begun;	  /* nothing was done in it before */
	uint32_t command; /* eu_command.h */
	uint64_t moment;  /* eu_allocation_moment when it began */
	bool is_ordered;  /* with the walker that runs now */
	struct eu_dispatch dispatch;
};

enum { EU_ORDER_AGENTS = 1024, EU_ORDER_JOINS = 4, EU_ORDER_LAUNCHES = 256 };

struct eu_order {
	uint32_t era;	     /* how often time has begun anew */
	uint32_t now, begun; /* the walker did nothing before */
	uint32_t floor;	     /* all that was done up to then is ordered with it */
	uint32_t *owners;    /* of the last `owner_capacity` periods: the agent; a ring */
	uint32_t owner_capacity;
	uint32_t threads_per_group;
	const struct eu_order_group *alone; /* all periods after that are of its agents */
	uint32_t alone_since;
	bool is_local_fenced; /* else barriers, and atomics there, are fences of local memory, too
			       */
	struct eu_order_agent agents[EU_ORDER_AGENTS];
	struct eu_order_group *groups[EU_ORDER_AGENTS];
	struct eu_order_location *locations; /* a hash table */
	uint32_t location_count, location_capacity;
	struct eu_order_join {
		struct eu_clock *a, *b, *both;
	} joins[EU_ORDER_JOINS]; /* of late */
	unsigned next_join;
	struct eu_clock *known; /* to all agents: everything, once memory was short; or NULL */
	unsigned launch_count;	/* the walker's is the last */
	struct eu_order_launch launches[EU_ORDER_LAUNCHES];
};

/*
 * A walker begins, of a command, with the dispatch. What was known is forgotten; time goes on, or
 * begins anew: then nobody may remember periods of before.
 */
void eu_order_begin(struct eu_order *order, uint32_t command, const struct eu_dispatch *dispatch);
void eu_order_finish(struct eu_order *order);

/*
 * A thread begins as agent number `slot`: the `index`-th of group `group`, which is resident at
 * `of`. Returns NULL when memory is short.
 */
struct eu_order_agent *eu_order_enter(
	struct eu_order *order, unsigned slot, const void *of, uint32_t group, uint32_t index);

/* Before all that an agent does: `generation` is how many barriers its group has completed. */
void eu_order_pass(struct eu_order *order, struct eu_order_agent *agent, uint32_t generation);
static inline void eu_order_catch_up(
	struct eu_order *order, struct eu_order_agent *agent, uint32_t generation)
{
	if (agent->generation != generation)
		eu_order_pass(order, agent, generation);
}

/* A fence of local or global memory, and the agent's arrival at its group's barrier. */
void eu_order_fence(struct eu_order *order, struct eu_order_agent *agent, bool global);
void eu_order_arrive(struct eu_order *order, struct eu_order_agent *agent);

/*
 * What an atomic operation does with what is left at a location: a read learns it, a write leaves
 * its own instead, an update learns and leaves. What is learned counts from the agent's next fence
 * on, or at once if it acquires. `location` is, if it is not global, of the agent's group.
 */
enum { EU_ORDER_LEARNS = 1, EU_ORDER_LEAVES = 2, EU_ORDER_REPLACES = 4, EU_ORDER_ACQUIRES = 8 };
void eu_order_atomic(struct eu_order *order, struct eu_order_agent *agent, uint64_t location,
	bool global, unsigned what);

/*
 * Which agent of the walker had the period. False when too many have passed since, or nobody had:
 * what was done then is to count as ordered.
 */
static inline bool eu_order_find_owner(const struct eu_order *order, uint32_t when, uint32_t *agent)
{
	if (order->now - when >= order->owner_capacity)
		return false;
	*agent = order->owners[when & (order->owner_capacity - 1)];
	return true;
}

/* The launch that had a period of before the walker, and is not ordered with it; NULL: it is. */
const struct eu_order_launch *eu_order_find_launch(const struct eu_order *order, uint32_t when);

/* Whether what agent `other` did in period `when` happens before what this one does now. */
bool eu_order_is_before(const struct eu_order *order, const struct eu_order_agent *agent,
	uint32_t other, uint32_t when, enum eu_order_kind kind);

#endif
