// SPDX-License-Identifier: MIT
/* The observer that says which instruction of a walker was the last to write a byte. */
#include <pthread.h>
#include <stdatomic.h>

#include "eu/memory/eu_surface.h"
#include "eu/watch/eu_check.h"
#include "eu/watch/eu_writes.h"
#include "util/util_thread.h"

static _Atomic uint64_t watched;			 /* a GPU address; 0: none */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows */
UTIL_FORK_SAFE(lock, 1)
static struct eu_finding last; /* count 0: nothing was written since the walker began */

void eu_writes_watch(uint64_t address)
{
	atomic_store(&watched, address & EU_ADDRESS_MASK);
}

/* Where the space of the message begins; false: it is no memory that GPU addresses reach. */
static bool find_base(const struct eu_event *event, uint64_t *base)
{
	const struct eu_surface *surface;

	*base = 0;
	if (event->send->access.space == EU_SPACE_SLM)
		return false;
	if (event->send->access.space != EU_SPACE_SURFACE)
		return true;
	surface = eu_surface_find(event->thread, event->send);
	*base = surface ? surface->base & EU_ADDRESS_MASK : 0;
	return surface;
}

/* Whether the access writes the byte of its that is `at` bytes behind its beginning. */
static bool writes_at(const struct eu_access *access, uint64_t at)
{
	return at < access->bytes &&
	       (access->kind != EU_ACCESS_SCATTER || access->channels >> at / access->size & 1);
}

static void step(const struct eu_event *event)
{
	uint64_t address = atomic_load(&watched), base;
	const struct eu_reach *reach = event->reach;

	if (!reach || address == 0 || !event->send->access.writes || !find_base(event, &base) ||
		address - base < reach->low || address - base >= reach->high)
		return;
	for (unsigned i = reach->count; i-- > 0;) {
		if (!writes_at(&event->send->access, address - base - eu_reach_offset(reach, i)))
			continue;
		const struct eu_actor actor =
			eu_actor_of(event->thread, event->inst, eu_reach_channel(reach, i));
		pthread_mutex_lock(&lock);
		last = (struct eu_finding){ .tool = EU_CHECK_WRITES, .rule = "write" };
		eu_finding_add(&last, &actor, "the last write");
		pthread_mutex_unlock(&lock);
		return;
	}
}

static void walker_end(const struct eu_worker *worker)
{
	(void)worker;
	pthread_mutex_lock(&lock);
	if (last.count)
		eu_finding_write(&last);
	last.count = 0;
	pthread_mutex_unlock(&lock);
}

const struct eu_observer eu_writes_observer = { .wanted = EU_WATCH_WRITES,
	.wants = eu_inst_is_message,
	.wants_reach = true,
	.step = step,
	.walker_end = walker_end };
