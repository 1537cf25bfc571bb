// SPDX-License-Identifier: MIT
/*
 * The observer that finds data races (OpenCL C 3.0, section 3.3.6.3): two work-items touch the same
 * byte, one of them writes, not both are atomic, and nothing orders the two. Judged are local
 * memory and memory that the program has allocated; what the compiler adds, such as spilled
 * registers, is elsewhere. Machine code shows no barrier of a sub-group, so what work-items of one
 * sub-group do in two instructions is judged only if the program in front has told that there is
 * none.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "eu/memory/eu_memory.h"
#include "eu/ops/eu_symbols.h"
#include "eu/watch/eu_allocation.h"
#include "eu/watch/eu_check.h"
#include "eu/watch/eu_command.h"
#include "eu/watch/eu_race.h"
#include "eu/watch/eu_race_report.h"
#include "eu/watch/eu_shadow.h"
#include "eu/watch/eu_watch.h"
#include "gen/gen_state.h"
#include "util/util_bits.h"
#include "util/util_thread.h"

enum { MOST_TOUCHED = 1 << 26 /* bytes, by the host at once */ };

/* ---- walkers and threads ---- */

/*
 * What is kept, for each walker that runs at a time. The first is that of all walkers, but for
 * those that run beside another one, and of what commands do by themselves.
 */
enum { MOST_WALKERS = 16 };
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
UTIL_FORK_SAFE(turn, 1)
static struct eu_races *all_races[MOST_WALKERS]; /* those not in use are under turn */
static struct eu_race_deed *deeds;		 /* under turn; that wait for the first */

static void do_deeds(void);

/* NULL when memory is short. Under turn. */
static struct eu_races *find_races(unsigned i)
{
	if (!all_races[i])
		all_races[i] = calloc(1, sizeof *all_races[i]);
	return all_races[i];
}

static struct eu_races *take_races(const struct eu_worker *worker)
{
	unsigned i = 0;

	pthread_mutex_lock(&turn);
	while (i < MOST_WALKERS - 1 && all_races[i] && all_races[i]->worker)
		i++;
	struct eu_races *races = find_races(i);
	if (races && races->worker)
		races = NULL;
	if (races)
		races->worker = worker;
	pthread_mutex_unlock(&turn);
	return races;
}

static void walker_end(const struct eu_worker *worker)
{
	pthread_mutex_lock(&turn);
	for (unsigned i = 0; i < MOST_WALKERS; i++)
		if (all_races[i] && all_races[i]->worker == worker)
			all_races[i]->worker = NULL;
	do_deeds();
	pthread_mutex_unlock(&turn);
}

static void begin_walker(struct eu_races *races, const struct eu_thread *thread)
{
	const struct eu_dispatch *dispatch = thread->worker->dispatch;
	struct gen_surface_state surfaces[EU_CHECK_SURFACES];
	unsigned count = eu_check_find_surfaces(thread, surfaces);
	struct eu_name traits = eu_name_traits(thread->worker);

	eu_order_begin(&races->order, eu_command_entered(), dispatch);
	eu_shadow_begin(&races->shadow, &races->order);
	races->order.is_local_fenced = thread->worker->device->family->fences_local;
	races->walker = thread->worker->walkers;
	races->shadow.judges_channels = !traits.has_sub_group_barriers;
	races->hidden_first = traits.hidden_first;
	races->hidden_end = traits.hidden_end;
	races->first = races->end = 0;
	races->range_count = 0;
	races->has_constants = false;
	for (unsigned i = 0; i < count && i < UTIL_ARRAY_SIZE(races->ranges); i++) {
		uint64_t base = surfaces[i].base & EU_ADDRESS_MASK;
		races->ranges[races->range_count].first = base;
		races->ranges[races->range_count++].end =
			base + gen_surface_state_bytes(&surfaces[i]);
	}
}

static uint32_t group_number(const struct eu_thread *thread)
{
	const struct eu_dispatch *dispatch = thread->worker->dispatch;
	uint32_t at[3], width = dispatch->group_end[0] - dispatch->group_first[0];

	for (unsigned i = 0; i < 3; i++)
		at[i] = thread->group->id[i] - dispatch->group_first[i];
	return at[0] +
	       width * (at[1] + (dispatch->group_end[1] - dispatch->group_first[1]) * at[2]);
}

static void thread_begin(struct eu_thread *thread)
{
	struct eu_worker *worker = thread->worker;

	if (!worker->races || worker->races->worker != worker ||
		worker->races->walker != worker->walkers) {
		worker->races = take_races(worker);
		if (worker->races)
			begin_walker(worker->races, thread);
	}
	if (!worker->races)
		return;
	(void)eu_order_enter(&worker->races->order, thread->fftid, thread->group,
		group_number(thread), thread->index);
}

static struct eu_order_agent *find_agent(const struct eu_thread *thread)
{
	struct eu_races *races = thread->worker->races;
	struct eu_order_agent *agent =
		races ? &races->order.agents[thread->fftid % EU_ORDER_AGENTS] : NULL;

	return agent && agent->group ? agent : NULL;
}

/* ---- accesses ---- */

/* Whether the program has allocated the memory, as far as is known. */
static bool is_programs(struct eu_races *races, uint64_t address)
{
	struct eu_allocation extent;

	if (address >= races->first && address < races->end)
		return true;
	for (unsigned i = 0; i < races->range_count; i++)
		if (address >= races->ranges[i].first && address < races->ranges[i].end) {
			races->first = races->ranges[i].first;
			races->end = races->ranges[i].end;
			return true;
		}
	if (!eu_race_find_memory(address, &extent))
		return false;
	races->first = extent.first;
	races->end = extent.end;
	return true;
}

/* An atomic message that changes nothing, whatever is there: how atomic_load is compiled. */
static bool is_load(const struct eu_event *event, unsigned lane)
{
	uint64_t operand = 0;
	uint8_t copy[8];

	if (!eu_access_may_load(&event->send->access))
		return false;
	memcpy(&operand, eu_race_operand(event, 0, lane, copy), event->send->access.slot);
	return operand == 0;
}

/* ---- what commands do by themselves ---- */

struct eu_race_deed {
	struct eu_race_deed *next;
	uint32_t command;
	uint64_t address, bytes;
	bool writes;
};

/* Bytes of which either all are whole dwords or it matters to few pages. */
static void do_part(struct eu_races *races, struct eu_order_agent *agent,
	const struct eu_race_deed *deed, uint64_t address, uint64_t end)
{
	const char *name = eu_command_name(deed->command);
	const struct eu_actor own = {
		.command = name ? name : "a command", .inst = UINT32_MAX, .channel = -1
	};
	struct eu_shadow_access access = { .address = address,
		.bytes = (unsigned)(end - address),
		.lane = (unsigned)(end - address),
		.writes = deed->writes,
		.global = true,
		.cell.site = EU_RACE_NO_SITE };
	struct eu_shadow_race race;

	if (end > address &&
		eu_shadow_touch(&races->shadow, &races->order, agent, &access, &race) &&
		eu_race_is_commands(&race, address + race.byte))
		eu_race_report_commands(&own, &access, &race, false);
}

static void do_deed(struct eu_races *races, const struct eu_race_deed *deed)
{
	static const struct eu_dispatch alone = { .threads_per_group = 1,
		.group_end = { 1, 1, 1 } };
	uint64_t end = deed->address + deed->bytes, first = deed->address + 3, last = end;

	eu_order_begin(&races->order, deed->command, &alone);
	eu_shadow_begin(&races->shadow, &races->order);
	races->shadow.is_void = false; /* kernels that come next touch what they touched before */
	struct eu_order_agent *agent = eu_order_enter(&races->order, 0, &alone, 0, 0);
	first = first / 4 * 4 < end ? first / 4 * 4 : end;
	last = last / 4 * 4 > first ? last / 4 * 4 : first;
	if (!agent)
		return;
	do_part(races, agent, deed, deed->address, first);
	do_part(races, agent, deed, first, last);
	do_part(races, agent, deed, last, end);
}

/* Under turn. */
static void do_deeds(void)
{
	while (deeds && find_races(0) && !all_races[0]->worker) {
		struct eu_race_deed *deed = deeds;
		deeds = deed->next;
		do_deed(all_races[0], deed);
		free(deed);
	}
}

void eu_race_touch(uint32_t command, uint64_t address, uint64_t bytes, bool writes)
{
	struct eu_race_deed **end = &deeds, *deed = malloc(sizeof *deed);
	struct eu_allocation extent;

	address &= EU_ADDRESS_MASK;
	if (!deed || !command || bytes == 0 || bytes > MOST_TOUCHED ||
		!eu_allocation_find(address, &extent) || address + bytes > extent.end) {
		free(deed);
		return;
	}
	*deed = (struct eu_race_deed){ NULL, command, address, bytes, writes };
	pthread_mutex_lock(&turn);
	while (*end)
		end = &(*end)->next;
	*end = deed;
	do_deeds();
	pthread_mutex_unlock(&turn);
}

/* ---- messages ---- */

/* Where the shadow keeps a message's space, and how much of it is judged. */
struct space {
	uint64_t base, limit; /* UINT64_MAX: what the program has allocated */
	bool is_local;
};

/* False when nothing of it is judged. */
static inline bool find_space(
	const struct eu_event *event, const struct eu_order_agent *agent, struct space *space)
{
	struct eu_thread *thread = event->thread;
	const struct eu_access *access = &event->send->access;
	const struct eu_surface *surface;

	*space = (struct space){ .limit = UINT64_MAX, .is_local = access->space == EU_SPACE_SLM };
	if (access->is_scratch)
		return false;
	switch (access->space) {
	case EU_SPACE_SLM:
		/* Beyond all GPU addresses. */
		space->base = EU_SHADOW_LOCAL * (1 + agent->group->place);
		space->limit = thread->worker->dispatch->slm_bytes;
		return true;
	case EU_SPACE_SURFACE:
		surface = eu_surface_find(thread, event->send);
		if (!surface)
			return false;
		space->base = surface->base & EU_ADDRESS_MASK;
		space->limit = surface->size;
		return true;
	default:
		return access->space == EU_SPACE_A64;
	}
}

/* Whether the message reads from a surface that nobody in the walker writes to. */
static inline bool is_constant_read(const struct eu_event *event, struct eu_races *races)
{
	const struct eu_access *access = &event->send->access;

	if (access->space != EU_SPACE_SURFACE || access->writes || access->index > EU_BTI_LAST)
		return false;
	if (!races->has_constants)
		eu_race_find_constants(event->thread, races->constants);
	races->has_constants = true;
	return races->constants[access->index / 64] >> access->index % 64 & 1;
}

/* Whether some of bytes [low, high) of the space are the compiler's own. */
static inline bool is_hidden(
	const struct eu_races *races, const struct space *space, uint64_t low, uint64_t high)
{
	return space->is_local && low < races->hidden_end && high > races->hidden_first;
}

/* Whether bytes [low, high) of the space are judged, all of them. */
static inline bool is_judged(
	struct eu_races *races, const struct space *space, uint64_t low, uint64_t high)
{
	if (is_hidden(races, space, low, high))
		return false;
	if (space->limit != UINT64_MAX)
		return high <= space->limit;
	return is_programs(races, low) && high <= races->end;
}

/* What a message does, some lanes at a time. */
struct run {
	struct eu_race_act act;
	struct eu_races *races;
	struct eu_order_agent *agent;
	bool no_mask;	  /* done for whoever is there */
	bool is_constant; /* nobody in the walker writes there */
	struct space space;
};

static bool judges(const struct run *run, uint64_t low, uint64_t high)
{
	return is_judged(run->races, &run->space, low, high);
}

/* Keeps what lanes that lie side by side read, from an offset on; false unless it is constant. */
static bool keep_constant(const struct run *run, uint64_t offset, uint64_t bytes)
{
	const struct eu_event *event = run->act.event;

	return run->is_constant && eu_shadow_read_constant(&run->races->shadow, run->agent,
					   eu_race_first_site(event->facts), event->send->site,
					   run->space.base + offset, bytes);
}

static void touch_run(struct run *run)
{
	struct eu_shadow_race race;

	if (eu_shadow_touch(
		    &run->races->shadow, &run->races->order, run->agent, &run->act.access, &race) &&
		eu_race_is_commands(&race, run->act.access.address + race.byte))
		eu_race_report(&run->act, &race, false);
}

/* Lanes of one message that write the same byte. */
static void find_same(const struct run *all)
{
	const struct eu_event *event = all->act.event;
	const struct eu_reach *reach = event->reach;
	const struct gen_inst *inst = &event->thread->kernel->program->inst[event->inst];
	uint32_t act = event->thread->act.bits;
	unsigned bytes = event->send->access.bytes, one = 0, other = 0, channel, second;

	if (inst->no_mask && inst->exec_size == 1 && (act & (act - 1))) {
		second = 31 - (unsigned)__builtin_clz(act);
		channel = __builtin_ctz(act) & 31;
	} else if (eu_reach_is_apart(reach, bytes)) {
		return;
	} else {
		for (unsigned i = 1; !inst->no_mask && i < reach->count && other == one; i++)
			for (unsigned k = 0; k < i && other == one; k++) {
				uint64_t off =
					eu_reach_offset(reach, i) - eu_reach_offset(reach, k);
				if (off < bytes || -off < bytes) {
					one = i;
					other = k;
				}
			}
		if (other == one)
			return;
		second = eu_reach_channel(reach, one) & 31;
		channel = eu_reach_channel(reach, other) & 31;
	}
	if (!judges(all, eu_reach_offset(reach, one), eu_reach_offset(reach, one) + bytes))
		return;
	struct run run = *all;
	struct eu_shadow_race race = {
		.other = run.act.access.cell, .other_agent = all->agent->id, .other_writes = true
	};
	race.other.channel = (uint8_t)channel;
	run.act.access.cell.channel = (uint8_t)second;
	run.act.access.address = run.space.base + eu_reach_offset(reach, one);
	run.act.lane =
		inst->no_mask ? 0 : eu_reach_channel(reach, one) - event->send->channel_offset;
	eu_race_report(&run.act, &race, true);
}

/* Those of the lanes' parts, each of `size` bytes, that have a bit: part by part. */
static void touch_parts(struct run *run, unsigned size, unsigned count, uint32_t parts)
{
	uint64_t address = run->act.access.address;

	run->act.access.lane = size;
	run->act.access.bytes = count * size;
	for (unsigned j = 0; parts >> j != 0; j++) {
		if (!(parts >> j & 1))
			continue;
		run->act.access.address = address + j * size;
		touch_run(run);
		run->act.element++;
	}
}

enum { MOST_PARTS = 8 };

/* Whether lanes read what others of them do, as far from each other as their parts. */
static bool overlap(const struct eu_access *access, const struct eu_reach *reach)
{
	return !access->writes && reach->is_even && reach->apart < access->bytes &&
	       access->bytes <= MOST_PARTS * reach->apart && access->bytes % reach->apart == 0;
}

/* The lanes from `first` on, `count` of them, which lie side by side: whole or by their parts. */
static void touch_lanes(struct run *run, unsigned first, unsigned count)
{
	const struct eu_event *event = run->act.event;
	const struct eu_access *access = &event->send->access;
	const struct eu_reach *reach = event->reach;
	bool has_holes = access->channels & (access->channels + 1);
	bool in_line = count == 1 || reach->in_line, overlaps = overlap(access, reach);
	uint64_t offset = eu_reach_offset(reach, first);
	uint64_t end = eu_reach_offset(reach, first + count - 1) + access->bytes;

	if (!has_holes && (in_line || overlaps) && keep_constant(run, offset, end - offset))
		return;
	run->act.lane = eu_reach_channel(reach, first) - event->send->channel_offset;
	run->act.element = 0;
	run->act.access.address = run->space.base + offset;
	if (!run->no_mask)
		run->act.access.cell.channel = eu_reach_channel(reach, first) & 31;
	if (!has_holes && in_line)
		touch_parts(run, access->bytes, count, 1);
	else if (!has_holes && overlaps)
		touch_parts(run, (unsigned)reach->apart, count,
			UINT32_MAX >> (32 - access->bytes / reach->apart));
	else
		touch_parts(run, access->size, count, access->channels);
}

/*
 * An atomic operation whose old value nobody gets tells nobody who came before, so that nobody can
 * rely on having learned of it. One on the compiler's own memory takes or gives back its lock,
 * under which it does what the program's atomics of 64 bits ask for; it needs no fence.
 */
static void order_atomic(const struct run *run, uint64_t offset, bool is_load_only)
{
	unsigned what = run->act.event->send->writes ? EU_ORDER_LEARNS : 0;

	what |= is_load_only ? 0 : EU_ORDER_LEAVES;
	what |= eu_event_is_store(run->act.event) ? EU_ORDER_REPLACES : 0;
	what |= is_hidden(run->races, &run->space, offset, offset + 1) ? EU_ORDER_ACQUIRES : 0;
	eu_order_atomic(&run->races->order, run->agent, run->space.base + offset,
		run->act.access.global, what);
}

/* Lane by lane; of atomics at one place that are no different, the first and the last. */
static void touch_each(struct run *run)
{
	const struct eu_event *event = run->act.event;
	const struct eu_reach *reach = event->reach;
	const struct eu_access *access = &event->send->access;
	bool is_atomic = access->kind == EU_ACCESS_ATOMIC, was_load = false;

	for (unsigned i = 0; i < reach->count; i++) {
		uint64_t offset = eu_reach_offset(reach, i);
		unsigned lane = eu_reach_channel(reach, i) - event->send->channel_offset;
		bool load = is_atomic && is_load(event, lane);
		bool again = eu_reach_is_again(reach, i) && load == was_load;
		was_load = load;
		if (again && eu_reach_is_again(reach, i + 1))
			continue;
		run->act.access.writes = access->writes && !load;
		if (judges(run, offset, offset + access->bytes))
			touch_lanes(run, i, 1);
		if (is_atomic && !again)
			order_atomic(run, offset, load);
	}
}

/* Touches all bytes of each lane that has no bit in `done`. */
static void touch_places(struct run *run, uint32_t done, bool may_be_same)
{
	const struct eu_event *event = run->act.event;
	const struct eu_reach *reach = event->reach;
	struct eu_shadow_place places[GEN_MAX_LANES];
	struct eu_shadow_race race;
	unsigned n = 0, apart = reach->is_one && reach->count > 1 ? reach->count - 1 : 1;
	bool all = judges(run, reach->low, reach->high);

	for (unsigned i = 0; i < reach->count; i += apart) {
		uint64_t offset = eu_reach_offset(reach, i);
		if ((done >> i & 1) ||
			(eu_reach_is_again(reach, i) && eu_reach_is_again(reach, i + 1)))
			continue;
		const bool judged = all || judges(run, offset, offset + run->act.access.lane);
		if (judged && !keep_constant(run, offset, run->act.access.lane))
			places[n++] = (struct eu_shadow_place){ run->space.base + offset,
				eu_reach_channel(reach, i) & 31 };
	}
	if (may_be_same)
		find_same(run);
	for (unsigned i = 0; i < n; i++) {
		i += eu_shadow_touch_apart(&run->races->shadow, &run->races->order, run->agent,
			&run->act.access, places + i, n - i, &race);
		if (i == n)
			break;
		run->act.access.address = places[i].address;
		run->act.access.cell.channel = (uint8_t)places[i].channel;
		run->act.lane = places[i].channel - event->send->channel_offset;
		if (eu_race_is_commands(&race, run->act.access.address + race.byte))
			eu_race_report(&run->act, &race, false);
		run->act.access.cell.channel = 0;
	}
}

/* Touches all bytes of each lane; `may_be_same`: two lanes may write the same ones. */
static void touch_apart(struct run *run, bool may_be_same)
{
	const struct eu_reach *reach = run->act.event->reach;
	uint32_t done = 0;

	run->act.access.address = run->space.base;
	run->act.access.bytes = run->act.access.lane;
	if (run->act.access.writes && judges(run, reach->low, reach->high))
		done = eu_shadow_write_spots(&run->races->shadow, &run->races->order, run->agent,
			&run->act.access, reach);
	/* Lanes that all have a spot are at different places. */
	if (done != UINT32_MAX >> (32 - reach->count))
		touch_places(run, done, may_be_same);
	for (unsigned i = 0; run->act.access.cell.atomic && i < reach->count; i++)
		if (!eu_reach_is_again(reach, i))
			order_atomic(run, eu_reach_offset(reach, i), false);
}

static void touch_all(
	const struct eu_event *event, struct eu_races *races, struct eu_order_agent *agent)
{
	const struct eu_access *access = &event->send->access;
	const struct eu_reach *reach = event->reach;
	const struct eu_thread *thread = event->thread;
	uint32_t act = thread->act.bits;
	bool no_mask = thread->kernel->program->inst[event->inst].no_mask;
	bool has_holes = access->channels & (access->channels + 1);
	struct run run = { .act = { .event = event, .access.lane = access->bytes },
		.races = races,
		.agent = agent,
		.no_mask = no_mask,
		.is_constant = is_constant_read(event, races) };

	if (!reach || !find_space(event, agent, &run.space))
		return;
	run.act.access.writes = access->writes;
	run.act.access.global = access->space != EU_SPACE_SLM;
	run.act.access.cell.site = eu_race_site(event->facts, event->send);
	run.act.access.cell.atomic = access->kind == EU_ACCESS_ATOMIC;
	run.act.access.cell.whole = no_mask && (act & (act - 1));
	run.act.access.cell.channel =
		no_mask ? (unsigned)__builtin_ctz(act | UINT32_C(1) << 31) : 0;
	const bool may_be_same = access->kind == EU_ACCESS_SCATTER && access->writes &&
				 !has_holes && !reach->in_line;
	const bool in_lines =
		((!has_holes && (reach->in_line || overlap(access, reach))) || reach->by_element) &&
		access->kind != EU_ACCESS_ATOMIC && !no_mask &&
		judges(&run, reach->low, reach->high);
	const bool apart =
		!in_lines && !has_holes && !no_mask &&
		(access->kind == EU_ACCESS_SCATTER ||
			(access->kind == EU_ACCESS_ATOMIC && !eu_access_may_load(access)));
	if (may_be_same && !apart)
		find_same(&run);
	if (in_lines)
		touch_lanes(&run, 0, reach->count);
	else if (apart)
		touch_apart(&run, may_be_same);
	else
		touch_each(&run);
}

/* ---- images ---- */

/* Whether a race is one of two commands, to an image that has been there all the while. */
static bool is_of_image(
	const struct eu_thread *thread, const struct eu_shadow_race *race, uint64_t address)
{
	const struct eu_bus *bus = thread->worker->dispatch->bus;
	struct eu_range range;

	return race->launch && bus->find(bus->self, address, &range) &&
	       race->launch->moment >= range.born;
}

/*
 * Texels are compared between commands alone. Those that a driver's own kernels touch for a kernel
 * of the program are of copies that the runtime keeps.
 */
static void touch_texels(struct eu_thread *thread, const struct eu_send *send,
	const struct eu_texels *texels, void *facts)
{
	struct eu_races *races = thread->worker->races;
	struct eu_order_agent *agent = find_agent(thread);
	struct eu_actor own = eu_actor_of(thread, send->inst, -1);
	struct eu_shadow_access access = { .bytes = texels->bytes,
		.lane = texels->bytes,
		.writes = texels->writes,
		.global = true,
		.cell = { .atomic = texels->atomic, .whole = true } };
	struct eu_shadow_race race;

	own.command = eu_command_name(eu_command_entered());
	if (!agent || !facts || (!own.command && eu_name_number(thread->worker) == 0))
		return;
	eu_order_catch_up(&races->order, agent, thread->group->generation);
	access.cell.site = eu_race_site(facts, send);
	for (unsigned i = 0; i < texels->count; i++) {
		access.address = texels->base + texels->offset[i];
		if (texels->offset[i] != UINT64_MAX &&
			eu_shadow_touch(&races->shadow, &races->order, agent, &access, &race) &&
			is_of_image(thread, &race, access.address))
			eu_race_report_commands(&own, &access, &race, true);
	}
}

/* ---- the observer ---- */

static void step(const struct eu_event *event)
{
	struct eu_order_agent *agent = event->send ? find_agent(event->thread) : NULL;
	struct eu_races *races = event->thread->worker->races;

	if (!agent || !event->facts || !event->send->run || event->channels == 0)
		return;
	eu_order_catch_up(&races->order, agent, event->thread->group->generation);
	switch (event->send->access.kind) {
	case EU_ACCESS_FENCE:
		eu_order_fence(&races->order, agent, event->send->access.space != EU_SPACE_SLM);
		break;
	case EU_ACCESS_BARRIER:
		eu_order_arrive(&races->order, agent);
		break;
	default:
		touch_all(event, races, agent);
	}
}

static void line(const struct eu_event *event, uint64_t offset)
{
	const struct eu_thread *thread = event->thread;
	const struct eu_access *access = &event->send->access;
	const unsigned bytes = access->lanes * access->bytes;
	struct eu_races *races = thread->worker->races;
	struct eu_order_agent *agent = find_agent(thread);
	struct eu_shadow_race race;
	struct space space;

	if (!agent || !event->facts)
		return;
	eu_order_catch_up(&races->order, agent, thread->group->generation);
	if (!find_space(event, agent, &space) || !is_judged(races, &space, offset, offset + bytes))
		return;
	if (is_constant_read(event, races) &&
		eu_shadow_read_constant(&races->shadow, agent, eu_race_first_site(event->facts),
			event->send->site, space.base + offset, bytes))
		return;
	const struct eu_shadow_access touched = { .address = space.base + offset,
		.bytes = bytes,
		.lane = access->bytes,
		.writes = access->writes,
		.global = !space.is_local,
		.cell = { .site = eu_race_site(event->facts, event->send),
			.channel = event->send->channel_offset } };
	if (eu_shadow_touch(&races->shadow, &races->order, agent, &touched, &race) &&
		eu_race_is_commands(&race, touched.address + race.byte)) {
		const struct eu_race_act act = { .event = event, .access = touched };
		eu_race_report(&act, &race, false);
	}
}

const struct eu_observer eu_race_observer = { .wanted = EU_WATCH_RACES,
	.wants_reach = true,
	.create = eu_race_sites_create,
	.destroy = eu_race_sites_destroy,
	.wants = eu_inst_is_message,
	.thread_begin = thread_begin,
	.step = step,
	.line = line,
	.texels = touch_texels,
	.walker_end = walker_end };
