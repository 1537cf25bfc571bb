// SPDX-License-Identifier: MIT
#include "eu/eu_check.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eu/eu_kernel.h"
#include "eu/eu_message.h"
#include "util/util_log.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool wanted;

/* What has been reported, so that an instruction is once, not for each of its channels. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	uint64_t kernel; /* its serial number, 0: none */
	uint32_t inst;
} reported[EU_CHECK_REPORTS];
static unsigned reports;

static void read_environment(void)
{
	const char *value = getenv("ZEROCL_VGPU_CHECK");

	wanted = value && !strcmp(value, "1") && util_log_on(UTIL_LOG_ERROR);
}

bool eu_check_on(void)
{
	pthread_once(&once, read_environment);
	return wanted;
}

/* Whether there is a report to make for the instruction: it is the first, and there is room. */
static bool is_news(const struct eu_thread *thread, const struct eu_send *send)
{
	uint64_t kernel = thread->kernel ? thread->kernel->serial : 0;
	uint32_t inst = send ? send->inst : UINT32_MAX;
	bool news = true;

	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < reports && news; i++)
		news = reported[i].kernel != kernel || reported[i].inst != inst;
	news = news && reports < EU_CHECK_REPORTS;
	if (news) {
		reported[reports].kernel = kernel;
		reported[reports++].inst = inst;
	}
	pthread_mutex_unlock(&lock);
	return news;
}

/* What was done, where in the kernel (when `send` is known), and by whom. */
__attribute__((format(printf, 3, 4))) static void report(
	const struct eu_thread *thread, const struct eu_send *send, const char *format, ...)
{
	const struct eu_kernel *kernel = thread->kernel;
	const uint32_t *id = thread->group->id;
	char what[256], where[256] = "";
	va_list arguments;

	if (!is_news(thread, send))
		return;
	va_start(arguments, format);
	vsnprintf(what, sizeof what, format, arguments);
	va_end(arguments);
	if (send && kernel) {
		char text[200];
		gen_disassemble(kernel->device, kernel->program, send->inst, text, sizeof text);
		snprintf(where, sizeof where, ", instruction at 0x%x: %s",
			kernel->program->inst[send->inst].ip, text);
	}
	util_log(UTIL_LOG_ERROR, "check", "%s; group (%u, %u, %u), thread %u%s", what, id[0], id[1],
		id[2], thread->index, where);
}

void eu_check_bounds(const struct eu_view *view, unsigned lane, uint64_t offset, unsigned bytes)
{
	const char *name = eu_message_name(view->send);

	if (!eu_check_on())
		return;
	lane += view->send->channel_offset;
	if (view->space == EU_SPACE_SLM)
		report(view->thread, view->send,
			"%s: channel %u, bytes %llu to %llu of %llu of local memory", name, lane,
			(unsigned long long)offset, (unsigned long long)(offset + bytes - 1),
			(unsigned long long)view->limit);
	else
		report(view->thread, view->send,
			"%s: channel %u, bytes %llu to %llu of the %llu of buffer %u (0x%llx)",
			name, lane, (unsigned long long)offset,
			(unsigned long long)(offset + bytes - 1), (unsigned long long)view->limit,
			view->send->desc & 0xff, (unsigned long long)view->base);
}

void eu_check_alignment(const struct eu_thread *thread, const struct eu_send *send,
	uint64_t address, unsigned alignment)
{
	if (eu_check_on() && address % alignment != 0)
		report(thread, send, "%s: address 0x%llx is not a multiple of %u",
			eu_message_name(send), (unsigned long long)address, alignment);
}

void eu_check_barrier(const struct eu_thread *thread, const struct eu_send *send)
{
	if (!eu_check_on() || !thread->kernel)
		return;
	uint32_t absent = thread->dispatch_mask & thread->kernel->lanes & ~thread->act.bits;
	if (absent != 0)
		report(thread, send, "barrier: channels 0x%08x do not reach it with the others",
			absent);
}

void eu_check_end(const struct eu_thread *thread)
{
	const struct eu_group *group = thread->group;

	if (eu_check_on() && group->arrived > 0)
		report(thread, NULL, "the thread has ended, but %u of its group wait at a barrier",
			group->arrived);
}
