// SPDX-License-Identifier: MIT
/* The observer that lets GDB stop threads (eu_debug.h). */
#include "eu/debug/eu_debug.h"
#include "eu/memory/eu_memory.h"
#include "eu/watch/eu_observer.h"
#include "eu/watch/eu_watch.h"

/* Where an access is for GDB; false when it is not known. */
static bool find_address(const struct eu_event *event, uint64_t offset, uint64_t *address)
{
	const struct eu_surface *surface;

	switch (event->send->access.space) {
	case EU_SPACE_SLM:
		*address = EU_DEBUG_LOCAL | offset;
		return true;
	case EU_SPACE_SURFACE:
		surface = eu_surface_find(event->thread, event->send);
		*address = surface ? surface->base + offset : 0;
		return surface && offset < surface->size;
	default:
		*address = offset;
		return true;
	}
}

static void tell_touches(const struct eu_event *event)
{
	const struct eu_access *access = &event->send->access;
	struct eu_reach reach;
	uint64_t address;

	if (!eu_event_reach(event, &reach))
		return;
	for (unsigned i = 0; i < reach.count; i++)
		if (find_address(event, eu_reach_offset(&reach, i), &address))
			eu_debug_touch(event->thread, address, access->bytes, access->writes,
				eu_reach_channel(&reach, i));
}

static void step(const struct eu_event *event)
{
	eu_debug_step(event->thread, event->inst);
	if (!event->thread->held && event->send && eu_debug_watches())
		tell_touches(event);
}

const struct eu_observer eu_stop_observer = { .wanted = EU_WATCH_GDB,
	.thread_begin = eu_debug_thread_begin,
	.step = step,
	.thread_end = eu_debug_thread_end,
	.fault = eu_debug_fault };
