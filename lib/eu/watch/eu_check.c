// SPDX-License-Identifier: MIT
#include "eu/watch/eu_check.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eu/ops/eu_kernel.h"
#include "eu/memory/eu_memory.h"
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
} reported[EU_CHECK_REPORTS];
static unsigned reports;

/* Whether there is a report to make for the instruction: it is the first, and there is room. */
static bool is_news(const struct eu_thread *thread, uint32_t inst)
{
	uint64_t kernel = thread->kernel ? thread->kernel->serial : 0;
	uint64_t name = eu_name_number(thread);
	bool news = true;

	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < reports && news; i++)
		news = reported[i].kernel != kernel || reported[i].name != name ||
		       reported[i].inst != inst;
	news = news && reports < EU_CHECK_REPORTS;
	if (news) {
		reported[reports].kernel = kernel;
		reported[reports].name = name;
		reported[reports++].inst = inst;
	}
	pthread_mutex_unlock(&lock);
	return news;
}

/* The local id of the channel's work-item, which the driver has put into the thread's payload. */
static bool local_id(const struct eu_thread *thread, int channel, uint16_t id[3])
{
	const struct eu_dispatch *dispatch = thread->worker->dispatch;
	unsigned stride = dispatch->simd == 32 ? 2 * GEN_GRF_BYTES : GEN_GRF_BYTES;
	uint64_t own = (uint64_t)dispatch->per_thread_registers * GEN_GRF_BYTES;
	uint64_t from = dispatch->cross_thread_registers * (uint64_t)GEN_GRF_BYTES;

	if (channel < 0 || own < 3 * stride || !dispatch->bus)
		return false;
	from += own * thread->index + 2 * (unsigned)channel;
	for (unsigned i = 0; i < 3; i++)
		if (!eu_memory_copy_from(dispatch->bus, dispatch->payload + from + i * stride,
			    &id[i], sizeof id[i], NULL))
			return false;
	return true;
}

void eu_check_report(
	const struct eu_thread *thread, uint32_t inst, int channel, const char *format, ...)
{
	const uint32_t *group = thread->group->id;
	char what[256], where[512], who[64] = "";
	uint16_t id[3];
	va_list arguments;

	if (!is_news(thread, inst))
		return;
	va_start(arguments, format);
	vsnprintf(what, sizeof what, format, arguments);
	va_end(arguments);
	eu_name_place(thread, inst, where, sizeof where);
	if (local_id(thread, channel, id))
		snprintf(who, sizeof who, ", work-item (%u, %u, %u) of it", id[0], id[1], id[2]);
	util_log(UTIL_LOG_ERROR, "check", "%s; group (%u, %u, %u), thread %u%s%s%s", what, group[0],
		group[1], group[2], thread->index, who, where[0] ? ", " : "", where);
}

static void report_bounds(const struct eu_thread *thread, const struct eu_send *send, unsigned lane,
	uint64_t offset, unsigned bytes, uint64_t base, uint64_t limit)
{
	const struct eu_access *access = &send->access;

	lane += send->channel_offset + access->first;
	if (access->space == EU_SPACE_SLM)
		eu_check_report(thread, send->inst, (int)lane,
			"%s: channel %u, bytes %llu to %llu of %llu of local memory", access->name,
			lane, (unsigned long long)offset, (unsigned long long)(offset + bytes - 1),
			(unsigned long long)limit);
	else
		eu_check_report(thread, send->inst, (int)lane,
			"%s: channel %u, bytes %llu to %llu of the %llu of buffer %u (0x%llx)",
			access->name, lane, (unsigned long long)offset,
			(unsigned long long)(offset + bytes - 1), (unsigned long long)limit,
			access->index, (unsigned long long)base);
}

static void check_end(struct eu_thread *thread)
{
	const struct eu_group *group = thread->group;

	if (group->arrived > 0)
		eu_check_report(thread, UINT32_MAX, -1,
			"the thread has ended, but %u of its group wait at a barrier",
			group->arrived);
}

const struct eu_observer eu_check_observer = { .wanted = EU_WATCH_CHECK,
	.create = eu_check_plan_create,
	.destroy = eu_check_plan_destroy,
	.thread_begin = eu_check_begin,
	.step = eu_check_step,
	.out_of_bounds = report_bounds,
	.thread_end = check_end };
