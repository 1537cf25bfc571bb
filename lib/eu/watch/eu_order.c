// SPDX-License-Identifier: MIT
#include "eu/watch/eu_order.h"

#include <stdlib.h>
#include <string.h>

#include "eu/watch/eu_allocation.h"
#include "eu/watch/eu_command.h"

#define IS_GROUP (UINT32_C(1) << 31)

enum { FIRST_OWNERS = 1 << 12, MOST_OWNERS = 1 << 22 };

struct eu_order_location {
	uint64_t address;
	bool used;
	uint32_t begun; /* the walker or group, whose it is */
	struct eu_clock *clock;
};

static void join_forget(struct eu_order_join *join)
{
	eu_clock_drop(&join->a);
	eu_clock_drop(&join->b);
	eu_clock_drop(&join->both);
}

/* What is joined again soon gives the same clock, not one like it: many locations share it then. */
static void learn(struct eu_order *order, struct eu_clock **known, struct eu_clock *more)
{
	struct eu_clock *both = NULL;

	if (!more || *known == more)
		return;
	for (unsigned i = 0; *known && !both && i < EU_ORDER_JOINS; i++)
		if (order->joins[i].a == *known && order->joins[i].b == more)
			both = eu_clock_hold(order->joins[i].both);
	if (!both) {
		both = eu_clock_join(*known, more);
		struct eu_order_join *join = &order->joins[order->next_join++ % EU_ORDER_JOINS];
		join_forget(join);
		*join = (struct eu_order_join){ eu_clock_hold(*known), eu_clock_hold(more),
			eu_clock_hold(both) };
	}
	eu_clock_drop(known);
	*known = both;
}

/* ---- agents and groups ---- */

static void forget_release(struct eu_order_agent *agent)
{
	eu_clock_drop(&agent->release);
	agent->has_release = false;
}

static void agent_leave(struct eu_order_agent *agent)
{
	eu_clock_drop(&agent->known);
	eu_clock_drop(&agent->pending);
	forget_release(agent);
}

/* Doubles the ring of owners, up to its limit or that of memory. */
static void make_owners(struct eu_order *order)
{
	uint32_t old = order->owner_capacity, capacity = old ? 2 * old : FIRST_OWNERS;
	uint32_t *owners = capacity <= MOST_OWNERS ? malloc(capacity * sizeof *owners) : NULL;

	if (!owners)
		return;
	for (uint32_t i = 0; i < old && i < order->now; i++)
		owners[(order->now - i) & (capacity - 1)] =
			order->owners[(order->now - i) & (old - 1)];
	free(order->owners);
	order->owners = owners;
	order->owner_capacity = capacity;
}

/* The agent's next period. */
static void begin_period(struct eu_order *order, struct eu_order_agent *agent)
{
	if (order->now - order->begun + 1 >= order->owner_capacity)
		make_owners(order);
	if (order->alone != agent->group) {
		order->alone = agent->group;
		order->alone_since = order->now;
	}
	agent->period = ++order->now;
	if (order->owner_capacity)
		order->owners[order->now & (order->owner_capacity - 1)] = agent->id;
}

static void forget(struct eu_order *order)
{
	for (unsigned i = 0; i < EU_ORDER_AGENTS; i++) {
		agent_leave(&order->agents[i]);
		if (order->groups[i]) {
			eu_clock_drop(&order->groups[i]->shared);
			eu_clock_drop(&order->groups[i]->arriving);
		}
		free(order->groups[i]);
	}
	for (uint32_t i = 0; i < order->location_capacity; i++)
		eu_clock_drop(&order->locations[i].clock);
	for (unsigned i = 0; i < EU_ORDER_JOINS; i++)
		join_forget(&order->joins[i]);
	free(order->locations);
}

/* The walker's launch, in place of the oldest if need be. */
static void add_launch(struct eu_order *order, uint32_t command, const struct eu_dispatch *dispatch)
{
	if (order->launch_count == EU_ORDER_LAUNCHES)
		memmove(order->launches, order->launches + 1,
			--order->launch_count * sizeof *order->launches);
	order->launches[order->launch_count++] = (struct eu_order_launch){ .begun = order->begun,
		.command = command,
		.moment = eu_allocation_moment(),
		.dispatch = *dispatch };
	order->floor = order->begun;
	for (unsigned i = order->launch_count - 1; i-- > 0;) {
		struct eu_order_launch *launch = &order->launches[i];
		/* What the host does is told when it is enqueued: some of it comes after this. */
		launch->is_ordered = eu_command_is_before(launch->command, command) ||
				     eu_command_is_before(command, launch->command);
		order->floor = launch->is_ordered ? order->floor : launch->begun;
	}
}

void eu_order_begin(struct eu_order *order, uint32_t command, const struct eu_dispatch *dispatch)
{
	forget(order);
	memset(order->agents, 0, sizeof order->agents);
	memset(order->groups, 0, sizeof order->groups);
	order->locations = NULL;
	order->known = NULL;
	order->alone = NULL;
	order->location_count = order->location_capacity = 0;
	if (order->now >= UINT32_MAX / 2) {
		order->now = order->launch_count = 0;
		order->era++;
	}
	order->begun = order->now;
	order->threads_per_group = dispatch->threads_per_group;
	add_launch(order, command, dispatch);
}

void eu_order_finish(struct eu_order *order)
{
	forget(order);
	free(order->owners);
	memset(order, 0, sizeof *order);
}

static struct eu_order_group *find_group(struct eu_order *order, const void *of)
{
	unsigned i = 0;

	while (i < EU_ORDER_AGENTS - 1 && order->groups[i] && order->groups[i]->of != of)
		i++;
	if (!order->groups[i])
		order->groups[i] = calloc(1, sizeof(*order->groups[i]));
	if (order->groups[i])
		order->groups[i]->place = i;
	return order->groups[i];
}

struct eu_order_agent *eu_order_enter(
	struct eu_order *order, unsigned slot, const void *of, uint32_t group, uint32_t index)
{
	struct eu_order_agent *agent = &order->agents[slot % EU_ORDER_AGENTS];
	struct eu_order_group *mine = find_group(order, of);

	agent_leave(agent);
	memset(agent, 0, sizeof *agent);
	if (!mine)
		return NULL;
	if (index == 0) {
		eu_clock_drop(&mine->shared);
		eu_clock_drop(&mine->arriving);
		*mine = (struct eu_order_group){
			.of = of, .id = group, .begun = order->now, .place = mine->place
		};
	}
	agent->group = mine;
	agent->id = group * order->threads_per_group + index;
	begin_period(order, agent);
	agent->entered = agent->passed = agent->period;
	return agent;
}

void eu_order_pass(struct eu_order *order, struct eu_order_agent *agent, uint32_t generation)
{
	struct eu_order_group *group = agent->group;

	if (group->generation != generation) {
		order->now++;
		for (unsigned k = 0; k < EU_ORDER_KINDS; k++) {
			if (!group->open[k])
				group->known[k] = order->now;
			group->open[k] = false;
		}
		eu_clock_drop(&group->shared);
		group->shared = group->arriving;
		group->arriving = NULL;
		group->generation = generation;
	}
	agent->generation = generation;
	begin_period(order, agent);
	agent->passed = agent->period;
	learn(order, &agent->known, group->shared);
	forget_release(agent);
}

void eu_order_fence(struct eu_order *order, struct eu_order_agent *agent, bool global)
{
	unsigned first = global ? EU_ORDER_GLOBAL_READ : EU_ORDER_LOCAL_READ;

	begin_period(order, agent);
	agent->closed[first] = agent->closed[first + 1] = agent->period;
	learn(order, &agent->known, agent->pending);
	eu_clock_drop(&agent->pending);
	forget_release(agent);
}

void eu_order_arrive(struct eu_order *order, struct eu_order_agent *agent)
{
	struct eu_order_group *group = agent->group;

	begin_period(order, agent);
	agent->closed[EU_ORDER_LOCAL_READ] = agent->closed[EU_ORDER_GLOBAL_READ] = agent->period;
	if (!order->is_local_fenced)
		agent->closed[EU_ORDER_LOCAL_WRITE] = agent->period;
	for (unsigned k = 0; k < EU_ORDER_KINDS; k++)
		group->open[k] |= agent->last[k] != 0 && agent->last[k] >= agent->closed[k];
	learn(order, &group->arriving, agent->known);
}

/* ---- atomics ---- */

/* What an atomic write of the agent leaves: what it has closed, and what it knows. */
static struct eu_clock *find_release(struct eu_order_agent *agent)
{
	if (agent->has_release)
		return agent->release;
	const struct eu_clock_row own[2] = {
		{ agent->id, { agent->closed[0], agent->closed[1], agent->closed[2],
				     agent->closed[3] } },
		{ agent->group->id | IS_GROUP,
			{ agent->group->known[0], agent->group->known[1], agent->group->known[2],
				agent->group->known[3] } },
	};

	struct eu_clock *clock = eu_clock_create(own, 2, 0);
	agent->release = eu_clock_join(agent->known, clock);
	agent->has_release = true;
	eu_clock_drop(&clock);
	return agent->release;
}

static struct eu_order_location *find_location(struct eu_order *order, uint64_t address)
{
	uint32_t mask = order->location_capacity - 1;
	uint32_t i = (uint32_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 40) & mask;

	while (order->locations[i].used && order->locations[i].address != address)
		i = (i + 1) & mask;
	return &order->locations[i];
}

/* Keeps the table at most half full. False when memory is short. */
static bool make_room(struct eu_order *order)
{
	struct eu_order_location *old = order->locations;
	uint32_t count = order->location_capacity;

	if (2 * (order->location_count + 1) <= count)
		return true;
	struct eu_order_location *more = calloc(count ? 2 * count : 256, sizeof *more);
	if (!more)
		return false;
	order->locations = more;
	order->location_capacity = count ? 2 * count : 256;
	for (uint32_t i = 0; i < count; i++)
		if (old[i].used)
			*find_location(order, old[i].address) = old[i];
	free(old);
	return true;
}

void eu_order_atomic(struct eu_order *order, struct eu_order_agent *agent, uint64_t address,
	bool global, unsigned what)
{
	if (!global && !order->is_local_fenced) {
		eu_order_fence(order, agent, false);
		what |= EU_ORDER_ACQUIRES;
	}
	struct eu_clock *release = what & EU_ORDER_LEAVES ? find_release(agent) : NULL;
	uint32_t begun = global ? order->begun : agent->group->begun;

	if (!make_room(order)) {
		order->known = eu_clock_everything();
		return;
	}
	struct eu_order_location *location = find_location(order, address);
	if (!release && !location->used)
		return;
	order->location_count += !location->used;
	if (location->begun != begun) /* what a group has left that was there before is gone */
		eu_clock_drop(&location->clock);
	location->used = true;
	location->address = address;
	location->begun = begun;
	if (what & EU_ORDER_LEARNS)
		learn(order, what & EU_ORDER_ACQUIRES ? &agent->known : &agent->pending,
			location->clock);
	if (what & EU_ORDER_REPLACES)
		eu_clock_drop(&location->clock);
	learn(order, &location->clock, release);
	if (what & EU_ORDER_ACQUIRES)
		forget_release(agent);
}

const struct eu_order_launch *eu_order_find_launch(const struct eu_order *order, uint32_t when)
{
	unsigned i = 0, end = order->launch_count; /* the one wanted is i - 1 */

	while (i < end) {
		unsigned middle = (i + end) / 2;
		if (order->launches[middle].begun < when)
			i = middle + 1;
		else
			end = middle;
	}
	return i > 0 && !order->launches[i - 1].is_ordered ? &order->launches[i - 1] : NULL;
}

bool eu_order_is_before(const struct eu_order *order, const struct eu_order_agent *agent,
	uint32_t other, uint32_t when, enum eu_order_kind kind)
{
	uint32_t group = other / order->threads_per_group;

	if (other == agent->id)
		return true;
	if (group == agent->group->id && when < agent->group->known[kind])
		return true;
	return eu_clock_knows(order->known, other, kind, when) ||
	       eu_clock_knows(agent->known, other, kind, when) ||
	       eu_clock_knows(agent->known, group | IS_GROUP, kind, when);
}
