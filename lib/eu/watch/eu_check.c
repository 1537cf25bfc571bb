// SPDX-License-Identifier: MIT
#include "eu/watch/eu_check.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eu/ops/eu_kernel.h"
#include "eu/memory/eu_item.h"
#include "eu/debug/eu_debug.h"
#include "eu/ops/eu_symbols.h"
#include "eu/watch/eu_watch.h"
#include "util/util_log.h"
#include "util/util_thread.h"

/* What has been reported, so that an instruction is once, not for each of its channels. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
UTIL_FORK_SAFE(lock, 1)
static struct {
	uint64_t kernel, name; /* numbers, 0: none */
	uint32_t inst;
	unsigned tool;
} reported[EU_CHECK_REPORTS];
static unsigned reports;

bool eu_finding_open(
	struct eu_finding *finding, unsigned tool, const char *rule, const struct eu_actor *actor)
{
	uint64_t kernel = actor->kernel ? actor->kernel->serial : 0;
	uint64_t name = actor->command ? (uintptr_t)actor->command : eu_name_number(actor->worker);
	uint32_t inst = actor->inst;
	bool news = true;

	if (!(eu_check_tools() & tool))
		return false;
	memset(finding, 0, sizeof *finding);
	finding->tool = tool;
	finding->rule = rule;
	finding->thread = actor->thread;
	finding->inst = inst;
	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < reports && news; i++)
		news = reported[i].kernel != kernel || reported[i].name != name ||
		       reported[i].inst != inst || reported[i].tool != tool;
	news = news && reports < EU_CHECK_REPORTS;
	if (news) {
		reported[reports].kernel = kernel;
		reported[reports].name = name;
		reported[reports].tool = tool;
		reported[reports++].inst = inst;
	}
	pthread_mutex_unlock(&lock);
	return news;
}

struct eu_actor eu_actor_of(const struct eu_thread *thread, uint32_t inst, int channel)
{
	const uint32_t *group = thread->group->id;

	return (struct eu_actor){ .worker = thread->worker,
		.thread = thread,
		.kernel = thread->kernel,
		.inst = inst,
		.group = { group[0], group[1], group[2] },
		.index = thread->index,
		.channel = channel };
}

static void side_fill(struct eu_finding_side *side, const struct eu_actor *actor,
	const char *format, va_list arguments)
{
	vsnprintf(side->what, sizeof side->what, format, arguments);
	side->command = actor->command;
	if (side->command)
		return;
	side->place.has_thread = actor->index != UINT32_MAX;
	side->has_item = side->place.has_thread && actor->channel >= 0 &&
			 eu_item_find(actor->worker->dispatch, actor->index,
				 (unsigned)actor->channel, side->item);
	side->place.thread = actor->index;
	memcpy(side->place.group, actor->group, sizeof side->place.group);
	eu_name_find(actor->worker, actor->kernel, actor->inst, &side->place);
	side->by_compiler = side->place.has_instruction && side->place.line == 0 &&
			    !side->place.in_function && eu_name_traits(actor->worker).count > 0;
	eu_name_text(actor->worker, side->place.line, side->text, sizeof side->text);
}

void eu_finding_add(
	struct eu_finding *finding, const struct eu_actor *actor, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	side_fill(&finding->sides[finding->count++], actor, format, arguments);
	va_end(arguments);
}

static void log_side(const struct eu_finding_side *side)
{
	const uint32_t *group = side->place.group;
	char where[512], item[64] = "", who[128] = "";

	if (side->command) {
		util_log(UTIL_LOG_ERROR, "check", "%s", side->what);
		return;
	}
	gen_fault_place_text(&side->place, where, sizeof where);
	if (side->has_item)
		snprintf(item, sizeof item, ", work-item (%u, %u, %u) of it", side->item[0],
			side->item[1], side->item[2]);
	if (side->place.has_thread)
		snprintf(who, sizeof who, "; group (%u, %u, %u), thread %u%s", group[0], group[1],
			group[2], side->place.thread, item);
	util_log(UTIL_LOG_ERROR, "check", "%s%s%s%s", side->what, who,
		!where[0] ? ""
		: who[0]  ? ", "
			  : "; ",
		where);
}

void eu_finding_close(const struct eu_finding *finding)
{
	for (unsigned i = 0; i < finding->count; i++)
		log_side(&finding->sides[i]);
	eu_finding_write(finding);
	if (finding->thread && eu_debug_wanted())
		eu_debug_found(finding->thread, finding->inst, finding->sides[0].what);
}

void eu_check_report_memory(const struct eu_thread *thread, uint32_t inst, int channel,
	unsigned tool, const char *rule, const struct eu_allocation *memory, const char *format,
	...)
{
	const struct eu_actor actor = eu_actor_of(thread, inst, channel);
	struct eu_finding finding;
	va_list arguments;

	if (!eu_finding_open(&finding, tool, rule, &actor))
		return;
	if (memory)
		finding.memory = *memory;
	va_start(arguments, format);
	side_fill(&finding.sides[finding.count++], &actor, format, arguments);
	va_end(arguments);
	eu_finding_close(&finding);
}

static void check_end(struct eu_thread *thread)
{
	const struct eu_group *group = thread->group;

	if (group->arrived > 0)
		eu_check_report(thread, UINT32_MAX, -1, EU_CHECK_BARRIERS, "abandoned-barrier",
			"the thread has ended, but %u of its group wait at a barrier",
			group->arrived);
}

const struct eu_observer eu_check_observer = { .wanted = EU_WATCH_CHECK,
	.wants = eu_check_wants,
	.create = eu_check_plan_create,
	.destroy = eu_check_plan_destroy,
	.step = eu_check_step,
	.thread_end = check_end };
