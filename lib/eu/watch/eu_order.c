// SPDX-License-Identifier: MIT
#include "eu/watch/eu_order.h"

#include <stdlib.h>
#include <string.h>

#define IS_GROUP (UINT32_C(1) << 31)

/*
 * More rows are not kept: then all that was done before the latest of them counts as known, which
 * can hide a race but never make one up.
 */
enum { MOST_ROWS = 256, FIRST_OWNERS = 1 << 12, MOST_OWNERS = 1 << 22 };

/* All that the agent or group has done before these times is known. */
struct row {
	uint32_t key; /* number of an agent, or of a group with IS_GROUP */
	uint32_t before[EU_ORDER_KINDS];
};

struct eu_order_clock {
	unsigned users;
	uint32_t floor; /* all that anybody did before is known */
	uint32_t count;
	struct row rows[]; /* by ascending key */
};

struct eu_order_location {
	uint64_t address;
	bool used;
	uint32_t begun; /* the walker or group, whose it is */
	struct eu_order_clock *clock;
};

static struct eu_order_clock *hold(struct eu_order_clock *clock)
{
	if (clock)
		clock->users++;
	return clock;
}

static void drop(struct eu_order_clock **clock)
{
	if (*clock && --(*clock)->users == 0)
		free(*clock);
	*clock = NULL;
}

static struct eu_order_clock *clock_make(uint32_t rows, uint32_t floor)
{
	struct eu_order_clock *clock = calloc(1, sizeof *clock + rows * sizeof(struct row));

	if (clock) {
		clock->users = 1;
		clock->floor = floor;
	}
	return clock;
}

static void row_raise(struct row *row, const struct row *by)
{
	for (unsigned k = 0; k < EU_ORDER_KINDS; k++)
		if (by->before[k] > row->before[k])
			row->before[k] = by->before[k];
}

static bool row_covers(const struct row *row, const struct row *other)
{
	for (unsigned k = 0; k < EU_ORDER_KINDS; k++)
		if (other->before[k] > row->before[k])
			return false;
	return true;
}

static const struct row *find_row(const struct eu_order_clock *clock, uint32_t key)
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
static bool clock_covers(const struct eu_order_clock *a, const struct eu_order_clock *b)
{
	if (!b || a == b)
		return true;
	if (!a || b->floor > a->floor)
		return false;
	for (uint32_t i = 0; i < b->count; i++) {
		const struct row *row = find_row(a, b->rows[i].key);
		if (!row || !row_covers(row, &b->rows[i]))
			return false;
	}
	return true;
}

/* Puts the latest time of all rows in their place. */
static void clock_flatten(struct eu_order_clock *clock)
{
	for (uint32_t i = 0; i < clock->count; i++)
		for (unsigned k = 0; k < EU_ORDER_KINDS; k++)
			if (clock->rows[i].before[k] > clock->floor)
				clock->floor = clock->rows[i].before[k];
	clock->count = 0;
}

/* What both know, as a new user of some clock. Without memory: what `a` knows. */
static struct eu_order_clock *clock_join(struct eu_order_clock *a, struct eu_order_clock *b)
{
	if (clock_covers(a, b))
		return hold(a);
	if (clock_covers(b, a))
		return hold(b);
	struct eu_order_clock *both =
		clock_make(a->count + b->count, a->floor > b->floor ? a->floor : b->floor);
	if (!both)
		return hold(a);
	for (uint32_t i = 0, j = 0; i < a->count || j < b->count;) {
		struct row *row = &both->rows[both->count++];
		bool from_a = j == b->count || (i < a->count && a->rows[i].key <= b->rows[j].key);
		*row = from_a ? a->rows[i++] : b->rows[j++];
		if (from_a && j < b->count && b->rows[j].key == row->key)
			row_raise(row, &b->rows[j++]);
	}
	if (both->count > MOST_ROWS)
		clock_flatten(both);
	return both;
}

static void join_forget(struct eu_order_join *join)
{
	drop(&join->a);
	drop(&join->b);
	drop(&join->both);
}

/* What is joined again soon gives the same clock, not one like it: many locations share it then. */
static void learn(
	struct eu_order *order, struct eu_order_clock **known, struct eu_order_clock *more)
{
	struct eu_order_clock *both = NULL;

	if (!more || *known == more)
		return;
	for (unsigned i = 0; *known && !both && i < EU_ORDER_JOINS; i++)
		if (order->joins[i].a == *known && order->joins[i].b == more)
			both = hold(order->joins[i].both);
	if (!both) {
		both = clock_join(*known, more);
		struct eu_order_join *join = &order->joins[order->next_join++ % EU_ORDER_JOINS];
		join_forget(join);
		*join = (struct eu_order_join){ hold(*known), hold(more), hold(both) };
	}
	drop(known);
	*known = both;
}

/* ---- agents and groups ---- */

static void agent_leave(struct eu_order_agent *agent)
{
	drop(&agent->known);
	drop(&agent->pending);
	drop(&agent->release);
	agent->has_release = false;
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
	agent->period = ++order->now;
	if (order->owner_capacity)
		order->owners[order->now & (order->owner_capacity - 1)] = agent->id;
}

static void forget(struct eu_order *order)
{
	for (unsigned i = 0; i < EU_ORDER_AGENTS; i++) {
		agent_leave(&order->agents[i]);
		if (order->groups[i]) {
			drop(&order->groups[i]->shared);
			drop(&order->groups[i]->arriving);
		}
		free(order->groups[i]);
	}
	for (uint32_t i = 0; i < order->location_capacity; i++)
		drop(&order->locations[i].clock);
	for (unsigned i = 0; i < EU_ORDER_JOINS; i++)
		join_forget(&order->joins[i]);
	free(order->locations);
}

bool eu_order_begin(struct eu_order *order, uint32_t threads_per_group)
{
	uint32_t now = order->now < UINT32_MAX / 2 ? order->now : 0;
	uint32_t *owners = order->owners, capacity = order->owner_capacity;
	bool goes_on = now == order->now;

	forget(order);
	memset(order, 0, sizeof *order);
	order->now = order->begun = now;
	order->owners = owners;
	order->owner_capacity = capacity;
	order->threads_per_group = threads_per_group;
	return goes_on;
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
		drop(&mine->shared);
		drop(&mine->arriving);
		*mine = (struct eu_order_group){
			.of = of, .id = group, .begun = order->now, .place = mine->place
		};
	}
	agent->group = mine;
	agent->id = group * order->threads_per_group + index;
	begin_period(order, agent);
	return agent;
}

void eu_order_catch_up(struct eu_order *order, struct eu_order_agent *agent, uint32_t generation)
{
	struct eu_order_group *group = agent->group;

	if (group->generation != generation) {
		order->now++;
		for (unsigned k = 0; k < EU_ORDER_KINDS; k++) {
			if (!group->open[k])
				group->known[k] = order->now;
			group->open[k] = false;
		}
		drop(&group->shared);
		group->shared = group->arriving;
		group->arriving = NULL;
		group->generation = generation;
	}
	if (agent->generation != generation) {
		agent->generation = generation;
		begin_period(order, agent);
		learn(order, &agent->known, group->shared);
		drop(&agent->release);
		agent->has_release = false;
	}
}

void eu_order_fence(struct eu_order *order, struct eu_order_agent *agent, bool global)
{
	unsigned first = global ? EU_ORDER_GLOBAL_READ : EU_ORDER_LOCAL_READ;

	begin_period(order, agent);
	agent->closed[first] = agent->closed[first + 1] = agent->period;
	learn(order, &agent->known, agent->pending);
	drop(&agent->pending);
	drop(&agent->release);
	agent->has_release = false;
}

void eu_order_arrive(struct eu_order *order, struct eu_order_agent *agent)
{
	struct eu_order_group *group = agent->group;

	begin_period(order, agent);
	agent->closed[EU_ORDER_LOCAL_READ] = agent->closed[EU_ORDER_GLOBAL_READ] = agent->period;
	for (unsigned k = 0; k < EU_ORDER_KINDS; k++)
		group->open[k] |= agent->last[k] != 0 && agent->last[k] >= agent->closed[k];
	learn(order, &group->arriving, agent->known);
}

/* ---- atomics ---- */

/* What an atomic write of the agent leaves: what it has closed, and what it knows. */
static struct eu_order_clock *find_release(struct eu_order_agent *agent)
{
	const struct row own[2] = {
		{ agent->id, { agent->closed[0], agent->closed[1], agent->closed[2],
				     agent->closed[3] } },
		{ agent->group->id | IS_GROUP,
			{ agent->group->known[0], agent->group->known[1], agent->group->known[2],
				agent->group->known[3] } },
	};

	if (agent->has_release)
		return agent->release;
	struct eu_order_clock *clock = clock_make(2, 0);
	for (unsigned i = 0; clock && i < 2; i++)
		if (!row_covers(&(const struct row){ 0 }, &own[i]))
			clock->rows[clock->count++] = own[i];
	if (clock && clock->count == 0)
		drop(&clock);
	agent->release = clock_join(agent->known, clock);
	agent->has_release = true;
	drop(&clock);
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

/* The row of a location; what a group has left that was there before is gone. */
static struct eu_order_location *claim(
	struct eu_order *order, const struct eu_order_agent *agent, uint64_t address, bool global)
{
	struct eu_order_location *location = find_location(order, address);
	uint32_t begun = global ? order->begun : agent->group->begun;

	if (!location->used)
		order->location_count++;
	else if (location->begun != begun)
		drop(&location->clock);
	location->used = true;
	location->address = address;
	location->begun = begun;
	return location;
}

void eu_order_atomic(struct eu_order *order, struct eu_order_agent *agent, uint64_t address,
	bool global, unsigned what)
{
	struct eu_order_clock *release = what & EU_ORDER_LEAVES ? find_release(agent) : NULL;

	if (!make_room(order))
		return;
	struct eu_order_location *location = find_location(order, address);
	if (!release && !location->used)
		return;
	location = claim(order, agent, address, global);
	if (what & EU_ORDER_LEARNS)
		learn(order, &agent->pending, location->clock);
	if (what & EU_ORDER_REPLACES)
		drop(&location->clock);
	learn(order, &location->clock, release);
}

bool eu_order_is_before(const struct eu_order *order, const struct eu_order_agent *agent,
	uint32_t other, uint32_t when, enum eu_order_kind kind)
{
	uint32_t group = other / order->threads_per_group;
	const struct eu_order_clock *known = agent->known;
	const struct row *row;

	if (other == agent->id)
		return true;
	if (group == agent->group->id && when < agent->group->known[kind])
		return true;
	if (!known)
		return false;
	if (when < known->floor)
		return true;
	row = find_row(known, other);
	if (row && when < row->before[kind])
		return true;
	row = find_row(known, group | IS_GROUP);
	return row && when < row->before[kind];
}
