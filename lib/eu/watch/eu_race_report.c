// SPDX-License-Identifier: MIT
#include "eu/watch/eu_race_report.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eu/memory/eu_memory.h"
#include "eu/ops/eu_kernel.h"
#include "eu/watch/eu_command.h"
#include "util/util_thread.h"

/* ---- sites ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
UTIL_FORK_SAFE(lock, 1)
static struct eu_race_sites *all_sites; /* under lock */
static uint32_t site_count;		/* under lock */

void *eu_race_sites_create(const struct eu_watched *watched)
{
	struct eu_race_sites *sites = calloc(1, sizeof *sites);

	if (!sites)
		return NULL;
	sites->kernel = watched->kernel;
	pthread_mutex_lock(&lock);
	/* When all numbers have been given away, those of the oldest kernels are given again. */
	if (site_count > EU_RACE_NO_SITE - watched->kernel->send_count)
		site_count = 0;
	sites->first = site_count;
	site_count += watched->kernel->send_count;
	sites->next = all_sites;
	all_sites = sites;
	pthread_mutex_unlock(&lock);
	return sites;
}

void eu_race_sites_destroy(void *facts)
{
	pthread_mutex_lock(&lock);
	for (struct eu_race_sites **at = &all_sites; *at; at = &(*at)->next)
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
	for (const struct eu_race_sites *s = all_sites; s && !kernel; s = s->next)
		if (site >= s->first && site - s->first < s->kernel->send_count) {
			kernel = s->kernel;
			*inst = kernel->sends[site - s->first].inst;
		}
	pthread_mutex_unlock(&lock);
	return kernel;
}

/* ---- reports ---- */

bool eu_race_find_memory(uint64_t address, struct eu_allocation *memory)
{
	struct eu_allocation extent;

	if (!eu_allocation_find(address, &extent) || address >= extent.end)
		return false;
	*memory = extent;
	return true;
}

const uint8_t *eu_race_operand(
	const struct eu_event *event, unsigned element, unsigned lane, uint8_t *copy)
{
	const struct eu_access *access = &event->send->access;
	unsigned at = (element * access->lanes + lane) * access->slot;

	return eu_payload(event->thread, event->send, access->data + at, access->slot, copy);
}

/* Of the element that two touch, in hexadecimal: what is there, and what this one writes. */
static void tell_values(
	const struct eu_race_act *act, unsigned byte, uint64_t *before, uint64_t *after)
{
	const struct eu_thread *thread = act->event->thread;
	const struct eu_access *access = &act->event->send->access;
	unsigned bytes = access->size < 8 ? access->size : 8;
	unsigned lane = act->lane + byte / act->access.lane;
	unsigned element = act->element + byte % act->access.lane / access->size;
	uint64_t address = act->access.address + byte / access->size * access->size;
	uint8_t copy[8];

	*before = *after = 0;
	if (access->space == EU_SPACE_SLM)
		memcpy(before, thread->group->slm + (address & EU_SLM_MASK), bytes);
	else
		(void)eu_memory_copy_from(
			thread->worker->dispatch->bus, address, before, bytes, NULL);
	if (access->kind == EU_ACCESS_SCATTER && access->writes)
		memcpy(after, eu_race_operand(act->event, element, lane, copy), bytes);
}

static void say_where(bool global, uint64_t address, char *text, size_t size)
{
	struct eu_allocation extent;

	if (!global)
		snprintf(text, size, "byte %u of local memory", (unsigned)(address & EU_SLM_MASK));
	else if (eu_race_find_memory(address, &extent))
		snprintf(text, size, "byte %llu of the buffer at 0x%llx",
			(unsigned long long)(address - extent.first),
			(unsigned long long)extent.first);
	else
		snprintf(text, size, "the byte at 0x%llx", (unsigned long long)address);
}

/* Who did it, an agent of a launch: `worker` gets the dispatch. */
static struct eu_actor find_other(const struct eu_shadow_race *race,
	const struct eu_dispatch *dispatch, struct eu_worker *worker)
{
	struct eu_actor actor = { .worker = worker,
		.inst = UINT32_MAX,
		.index = UINT32_MAX,
		.channel = (int)race->other.channel };
	uint32_t width = dispatch->group_end[0] - dispatch->group_first[0];
	uint32_t height = dispatch->group_end[1] - dispatch->group_first[1];
	uint32_t number = race->other_agent / dispatch->threads_per_group;

	worker->dispatch = dispatch;
	actor.kernel = find_site(race->other.site, &actor.inst);
	if (race->launch) {
		actor.command = eu_command_name(race->launch->command);
		if (!actor.command && dispatch->kernel == 0)
			actor.command = "a command";
		actor.channel = -1; /* its ids are no longer there */
	}
	if (race->other_agent == UINT32_MAX)
		return actor;
	actor.group[0] = dispatch->group_first[0] + number % width;
	actor.group[1] = dispatch->group_first[1] + number / width % height;
	actor.group[2] = dispatch->group_first[2] + number / width / height;
	actor.index = race->other_agent % dispatch->threads_per_group;
	return actor;
}

static const char *say_how(bool atomic, bool writes)
{
	return atomic ? "updates it atomically" : writes ? "writes" : "reads it";
}

static const char *say_what(bool atomic, bool writes)
{
	return atomic ? "has updated it atomically" : writes ? "has written" : "has read it";
}

bool eu_race_is_commands(const struct eu_shadow_race *race, uint64_t address)
{
	struct eu_allocation extent;

	return !race->launch || (eu_race_find_memory(address, &extent) && extent.is_programs &&
					race->launch->moment >= extent.born);
}

void eu_race_report_commands(const struct eu_actor *own, const struct eu_shadow_access *access,
	const struct eu_shadow_race *race, bool is_image)
{
	struct eu_worker worker = { 0 };
	struct eu_actor other = find_other(race, &race->launch->dispatch, &worker);
	bool is_first = !own->command || other.command;
	const struct eu_actor *first = is_first ? own : &other, *second = is_first ? &other : own;
	const char *mine = say_how(access->cell.atomic, access->writes);
	const char *its = say_what(race->other.atomic, race->other_writes);
	struct eu_finding finding;
	char where[96] = "an image";

	if (!eu_finding_open(&finding, EU_CHECK_RACES, "data-race", first))
		return;
	if (!is_image)
		say_where(true, access->address + race->byte, where, sizeof where);
	eu_race_find_memory(access->address + race->byte, &finding.memory);
	eu_finding_add(&finding, first, "data race on %s: %s %s", where,
		first->command ? first->command : "the work-item", is_first ? mine : its);
	eu_finding_add(&finding, second, "not ordered with %s, which %s",
		second->command ? second->command : "another kernel", is_first ? its : mine);
	eu_finding_close(&finding);
}

void eu_race_report(const struct eu_race_act *act, const struct eu_shadow_race *race, bool is_same)
{
	const struct eu_thread *thread = act->event->thread;
	const struct eu_shadow_cell *mine = &act->access.cell, *other = &race->other;
	unsigned channel = mine->channel + race->byte / act->access.lane;
	struct eu_actor own = eu_actor_of(thread, act->event->inst, (int)channel);
	struct eu_worker worker = { 0 };
	uint64_t before, after;
	char where[96], value[48] = "", old[48] = "";
	struct eu_finding finding;

	if (race->launch) {
		own.command = eu_command_name(eu_command_entered());
		eu_race_report_commands(&own, &act->access, race, false);
		return;
	}
	if (!eu_finding_open(&finding, EU_CHECK_RACES, "data-race", &own))
		return;
	tell_values(act, race->byte, &before, &after);
	say_where(act->access.global, act->access.address + race->byte, where, sizeof where);
	if (act->access.global)
		eu_race_find_memory(act->access.address + race->byte, &finding.memory);
	if (act->access.writes && !mine->atomic && act->event->send->access.kind != EU_ACCESS_BLOCK)
		snprintf(value, sizeof value, " 0x%llx", (unsigned long long)after);
	if (race->other_writes && !other->atomic && !is_same)
		snprintf(old, sizeof old, " 0x%llx", (unsigned long long)before);
	worker = *thread->worker;
	struct eu_actor actor = find_other(race, thread->worker->dispatch, &worker);
	eu_finding_add(&finding, &own, "data race on %s: the work-item %s%s", where,
		say_how(mine->atomic, act->access.writes), value);
	eu_finding_add(&finding, &actor, "not ordered with another work-item, which %s%s%s",
		say_what(other->atomic, race->other_writes),
		is_same ? " it in the same instruction" : "", old);
	eu_finding_close(&finding);
}
