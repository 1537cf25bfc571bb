// SPDX-License-Identifier: MIT
#include "core/queue/profile.h"

#include "core/queue/order.h"

#include "core/base/error.h"
#include "core/base/info.h"
#include "core/queue/queue.h"

void profile_submit(struct batch *batch)
{
	struct queue *queue = batch->queue;

	batch->submit_ns = l0_host_clock();
	batch->clocked = false;
	if (!(queue->properties & CL_QUEUE_PROFILING_ENABLE))
		return;
	uint64_t ns, ticks;
	if (!l0_device_clock(queue->device->l0, &ns, &ticks)) {
		batch->submit_ns = ns;
		batch->submit_ticks = ticks;
		batch->clocked = true;
	}
}

uint64_t profile_time(
	uint64_t base_ns, uint64_t base, uint64_t ticks, unsigned bits, double tick_ns)
{
	uint64_t mask = bits && bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
	uint64_t delta = (ticks - base) & mask;

	/* the clocks are not read at exactly the same moment */
	if (delta > mask - mask / 16)
		delta = 0;
	return base_ns + (uint64_t)((double)delta * tick_ns);
}

void profile_event(struct batch *batch, struct event *event)
{
	struct queue *queue = batch->queue;

	if (!event->is_profiled)
		return;
	const struct l0_device_info *hw = l0_device_info(queue->device->l0);
	uint64_t now = l0_host_clock();
	struct l0_event *begin = event->profile->begin;
	uint64_t start, end, ignored;

	if (!event->signal || !batch->clocked || l0_event_times(event->signal, &start, &end) ||
		(begin && l0_event_times(begin, &start, &ignored))) {
		start = end = now;
	} else {
		start = profile_time(batch->submit_ns, batch->submit_ticks, start,
			hw->kernel_timestamp_bits, hw->tick_ns);
		end = profile_time(batch->submit_ns, batch->submit_ticks, end,
			hw->kernel_timestamp_bits, hw->tick_ns);
	}
	/* none ends in the future, and those of an in-order queue run one after the other */
	if (end > now)
		end = now;
	if (!queue->out_of_order && start < queue->last_end)
		start = queue->last_end;
	if (end < start)
		end = start;
	queue->last_end = end;
	event_set_time(event, EVENT_START, start);
	event_set_time(event, EVENT_END, end);
}

/* The rows of clGetEventProfilingInfo. */
static const struct info_row rows[] = {
	INFO_FIELD(CL_PROFILING_COMMAND_QUEUED, struct event_profile, times[EVENT_QUEUED]),
	INFO_FIELD(CL_PROFILING_COMMAND_SUBMIT, struct event_profile, times[EVENT_SUBMIT]),
	INFO_FIELD(CL_PROFILING_COMMAND_START, struct event_profile, times[EVENT_START]),
	INFO_FIELD(CL_PROFILING_COMMAND_END, struct event_profile, times[EVENT_END]),
	/* there are no child commands, so this is the end */
	INFO_FIELD(CL_PROFILING_COMMAND_COMPLETE, struct event_profile, times[EVENT_END]),
};

cl_int event_profiling_info(struct event *event, cl_profiling_info param, const struct info *info)
{
	REQUIRE(event, CL_INVALID_EVENT);
	REQUIRE(event->is_profiled, CL_PROFILING_INFO_NOT_AVAILABLE);
	if (info_find(rows, UTIL_ARRAY_SIZE(rows), param)) {
		REQUIRE(event_poll(event) == EVENT_DONE && event_result(event) == CL_COMPLETE,
			error_say(CL_PROFILING_INFO_NOT_AVAILABLE, "the command is not complete"));
		order_see(event);
	}
	return INFO_GET(rows, event->profile, param, info);
}
