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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eu/memory/eu_atomic.h"
#include "eu/memory/eu_memory.h"
#include "eu/ops/eu_symbols.h"
#include "eu/watch/eu_allocation.h"
#include "eu/watch/eu_check.h"
#include "eu/watch/eu_shadow.h"
#include "eu/watch/eu_watch.h"
#include "gen/gen_state.h"
#include "util/util_bits.h"
#include "util/util_thread.h"

enum { MOST_SITES = 1 << 24 };

/* A kernel whose messages have numbers of their own: those of cells. */
struct sites {
	struct sites *next;
	const struct eu_kernel *kernel;
	uint32_t first;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
UTIL_FORK_SAFE(lock, 1)
static struct sites *all_sites; /* under lock */
static uint32_t site_count;	/* under lock */

static void *create(const struct eu_watched *watched)
{
	struct sites *sites = calloc(1, sizeof *sites);

	if (!sites)
		return NULL;
	sites->kernel = watched->kernel;
	pthread_mutex_lock(&lock);
	sites->first = site_count;
	site_count = (site_count + watched->kernel->send_count) % MOST_SITES;
	sites->next = all_sites;
	all_sites = sites;
	pthread_mutex_unlock(&lock);
	return sites;
}

static void destroy(void *facts)
{
	pthread_mutex_lock(&lock);
	for (struct sites **at = &all_sites; *at; at = &(*at)->next)
		if (*at == facts) {
			*at = (*at)->next;
			break;
		}
	pthread_mutex_unlock(&lock);
	free(facts);
}

/* The newest kernel that has the site, and which instruction of it that is. NULL: none. */
static const struct eu_kernel *find_site(uint32_t site, uint32_t *inst)
{
	const struct eu_kernel *kernel = NULL;

	pthread_mutex_lock(&lock);
	for (const struct sites *s = all_sites; s && !kernel; s = s->next)
		if (site >= s->first && site - s->first < s->kernel->send_count) {
			kernel = s->kernel;
			*inst = kernel->sends[site - s->first].inst;
		}
	pthread_mutex_unlock(&lock);
	return kernel;
}

/* ---- walkers and threads ---- */

static void begin_walker(struct eu_races *races, const struct eu_thread *thread)
{
	struct gen_surface_state surfaces[EU_CHECK_SURFACES];
	unsigned count = eu_check_find_surfaces(thread, surfaces);

	eu_order_begin(&races->order, thread->worker->dispatch->threads_per_group);
	races->walker = thread->worker->walkers;
	races->shadow.judges_channels = eu_name_lacks_sub_group_barriers(thread->worker);
	races->first = races->end = 0;
	races->range_count = 0;
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

	if (!worker->races)
		worker->races = calloc(1, sizeof *worker->races);
	if (!worker->races)
		return;
	if (worker->races->walker != worker->walkers)
		begin_walker(worker->races, thread);
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
	if (!eu_allocation_find(address, &extent) || address >= extent.end)
		return false;
	races->first = extent.first;
	races->end = extent.end;
	return true;
}

static const uint8_t *payload_slot(
	const struct eu_event *event, unsigned element, unsigned lane, uint8_t *copy)
{
	const struct eu_access *access = &event->send->access;
	unsigned at = (element * access->lanes + lane) * access->slot;

	return eu_payload(event->thread, event->send, access->data + at, access->slot, copy);
}

/* An atomic message that changes nothing, whatever is there: how atomic_load is compiled. */
static bool is_load(const struct eu_event *event, unsigned lane)
{
	const struct eu_access *access = &event->send->access;
	uint64_t operand = 0;
	uint8_t copy[8];

	if (access->is_float || access->operation != EU_ATOMIC_OR || access->slot > 8)
		return false;
	memcpy(&operand, payload_slot(event, 0, lane, copy), access->slot);
	return operand == 0;
}

/* One element of one work-item's access. */
struct element {
	const struct eu_event *event;
	struct eu_shadow_access access;
	unsigned lane, number; /* of the message; of those that it moves */
};

/* Of the byte that two touch, in hexadecimal: what is there, and what this one writes. */
static void tell_values(const struct element *e, uint64_t *before, uint64_t *after)
{
	const struct eu_thread *thread = e->event->thread;
	const struct eu_access *access = &e->event->send->access;
	unsigned bytes = e->access.bytes < 8 ? e->access.bytes : 8;
	uint8_t copy[8];

	*before = *after = 0;
	if (access->space == EU_SPACE_SLM)
		memcpy(before, thread->group->slm + (e->access.address & EU_SLM_MASK), bytes);
	else
		(void)eu_memory_copy_from(
			thread->worker->dispatch->bus, e->access.address, before, bytes, NULL);
	if (access->kind == EU_ACCESS_SCATTER && access->writes)
		memcpy(after, payload_slot(e->event, e->number, e->lane, copy), bytes);
}

static void say_where(const struct element *e, unsigned byte, char *text, size_t size)
{
	struct eu_allocation extent;
	uint64_t address = e->access.address + byte;

	if (!e->access.global)
		snprintf(text, size, "byte %u of local memory", (unsigned)(address & EU_SLM_MASK));
	else if (eu_allocation_find(address, &extent) && address < extent.end)
		snprintf(text, size, "byte %llu of the buffer at 0x%llx",
			(unsigned long long)(address - extent.first),
			(unsigned long long)extent.first);
	else
		snprintf(text, size, "the byte at 0x%llx", (unsigned long long)address);
}

static void report(const struct element *e, const struct eu_shadow_race *race, bool is_same)
{
	const struct eu_thread *thread = e->event->thread;
	const struct eu_shadow_cell *mine = &e->access.cell, *other = &race->other;
	uint64_t before, after;
	char where[96], value[48] = "", old[48] = "";
	uint32_t inst = UINT32_MAX;
	struct eu_finding finding;

	if (!eu_finding_open(&finding, EU_CHECK_RACES, "data-race", thread, e->event->inst))
		return;
	tell_values(e, &before, &after);
	say_where(e, race->byte, where, sizeof where);
	if (e->access.writes && !mine->atomic && e->event->send->access.kind != EU_ACCESS_BLOCK)
		snprintf(value, sizeof value, " 0x%llx", (unsigned long long)after);
	if (race->other_writes && !other->atomic && !is_same)
		snprintf(old, sizeof old, " 0x%llx", (unsigned long long)before);
	const struct eu_kernel *kernel = find_site(other->site, &inst);
	const struct eu_dispatch *dispatch = thread->worker->dispatch;
	uint32_t width = dispatch->group_end[0] - dispatch->group_first[0];
	uint32_t height = dispatch->group_end[1] - dispatch->group_first[1];
	uint32_t number = other->agent / dispatch->threads_per_group;
	struct eu_actor actor = { .thread = thread,
		.kernel = kernel,
		.inst = inst,
		.group = { dispatch->group_first[0] + number % width,
			dispatch->group_first[1] + number / width % height,
			dispatch->group_first[2] + number / width / height },
		.index = other->agent % dispatch->threads_per_group,
		.channel = (int)other->channel };
	struct eu_actor own = eu_actor_of(thread, e->event->inst, (int)mine->channel);
	eu_finding_add(&finding, &own, "data race on %s: the work-item %s%s", where,
		mine->atomic	   ? "updates it atomically"
		: e->access.writes ? "writes"
				   : "reads it",
		value);
	eu_finding_add(&finding, &actor, "not ordered with another work-item, which %s%s%s",
		other->atomic	     ? "has updated it atomically"
		: race->other_writes ? "has written"
				     : "has read it",
		is_same ? " it in the same instruction" : "", old);
	eu_finding_close(&finding);
}

/* The element's access, once its address is known; false when it is not judged. */
static bool element_open(struct element *e, struct eu_races *races)
{
	const struct eu_access *access = &e->event->send->access;
	struct eu_thread *thread = e->event->thread;
	uint64_t offset = e->access.address;

	e->access.global = access->space != EU_SPACE_SLM;
	e->access.epoch = races->walker;
	if (!e->access.global) {
		const struct eu_order_agent *agent = find_agent(thread);
		if (offset + e->access.bytes > thread->worker->dispatch->slm_bytes)
			return false;
		/* Beyond all GPU addresses: 64 KiB for each resident group. */
		e->access.address = (uint64_t)(1 + agent->group->place) << 48 | offset;
		e->access.epoch = races->walker << 32 | agent->group->id;
		return true;
	}
	if (access->space == EU_SPACE_SURFACE) {
		const struct eu_surface *surface = eu_surface_find(thread, e->event->send);
		if (!surface || offset + e->access.bytes > surface->size)
			return false;
		e->access.address = (surface->base + offset) & EU_ADDRESS_MASK;
		return true;
	}
	return is_programs(races, offset);
}

static void touch_element(struct element *e, bool is_load_only)
{
	struct eu_thread *thread = e->event->thread;
	struct eu_races *races = thread->worker->races;
	struct eu_order_agent *agent = find_agent(thread);
	struct eu_shadow_race race;

	if (!element_open(e, races))
		return;
	if (eu_shadow_touch(&races->shadow, &races->order, agent, &e->access, &race))
		report(e, &race, false);
	uint64_t location = e->access.global
				    ? e->access.address
				    : UINT64_C(1) << 63 | (uint64_t)agent->group->id << 16 |
					      (e->access.address & EU_SLM_MASK);
	if (e->access.cell.atomic)
		eu_order_atomic(&races->order, agent, location, !eu_event_is_store(e->event),
			!is_load_only);
}

/* Lanes of one message that write the same byte. */
static void find_same(const struct eu_event *event, struct element *e,
	const struct eu_touch *touches, unsigned count)
{
	const struct eu_access *access = &event->send->access;
	const struct gen_inst *inst = &event->thread->kernel->program->inst[event->inst];
	uint32_t act = event->thread->act.bits;
	struct eu_shadow_race race = { .other = e->access.cell, .other_writes = true };
	struct element at = *e;

	if (access->kind != EU_ACCESS_SCATTER || !access->writes || count == 0 ||
		(access->channels & (access->channels + 1)))
		return;
	race.other.agent = find_agent(event->thread)->id;
	if (inst->no_mask && inst->exec_size == 1 && (act & (act - 1))) {
		at.access.cell.channel = (31 - (unsigned)__builtin_clz(act)) & 31;
		race.other.channel = (unsigned)__builtin_ctz(act) & 31;
		at.access.address = touches[0].offset;
		at.lane = 0;
		if (element_open(&at, event->thread->worker->races))
			report(&at, &race, true);
	}
	for (unsigned i = 1; !inst->no_mask && i < count; i++)
		for (unsigned k = 0; k < i; k++) {
			uint64_t off = touches[i].offset - touches[k].offset;
			if (off >= access->bytes && -off >= access->bytes)
				continue;
			at.access.cell.channel = touches[i].channel & 31;
			race.other.channel = touches[k].channel & 31;
			at.access.address = touches[i].offset;
			at.lane = touches[i].channel - event->send->channel_offset;
			if (element_open(&at, event->thread->worker->races))
				report(&at, &race, true);
			return;
		}
}

static void touch_all(const struct eu_event *event)
{
	const struct eu_access *access = &event->send->access;
	const struct eu_thread *thread = event->thread;
	const struct sites *sites = event->facts;
	bool no_mask = thread->kernel->program->inst[event->inst].no_mask;
	bool is_atomic = access->kind == EU_ACCESS_ATOMIC;
	unsigned bytes = access->kind == EU_ACCESS_BLOCK ? access->bytes : access->size;
	struct eu_touch touches[GEN_MAX_LANES];
	unsigned count = eu_event_touches(event, touches);
	struct element e = { .event = event, .access.bytes = bytes };

	if (access->space == EU_SPACE_STATELESS)
		return;
	e.access.cell.site = (sites->first + event->send->site) % MOST_SITES;
	e.access.cell.atomic = is_atomic;
	e.access.writes = access->writes;
	find_same(event, &e, touches, count);
	for (unsigned i = 0; i < count; i++) {
		e.lane = touches[i].channel - event->send->channel_offset;
		/* Without a mask it is done for whoever is there. */
		e.access.cell.channel =
			(no_mask ? (unsigned)__builtin_ctz(thread->act.bits | UINT32_C(1) << 31)
				 : touches[i].channel) &
			31;
		e.access.cell.whole = no_mask && (thread->act.bits & (thread->act.bits - 1));
		bool load = is_atomic && is_load(event, e.lane);
		e.access.writes = access->writes && !load;
		e.number = 0;
		for (unsigned j = 0; j < (access->count ? access->count : 1); j++) {
			if (access->count && !(access->channels >> j & 1))
				continue;
			e.access.address = touches[i].offset + j * access->size;
			touch_element(&e, load);
			e.number++;
		}
	}
}

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
		touch_all(event);
	}
}

const struct eu_observer eu_race_observer = { .wanted = EU_WATCH_RACES,
	.create = create,
	.destroy = destroy,
	.thread_begin = thread_begin,
	.step = step };
