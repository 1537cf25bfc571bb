// SPDX-License-Identifier: MIT
/* Messages that order and end: memory fence, barrier, end of thread; and the null function. */
#include <stdatomic.h>
#include <string.h>

#include "eu/eu_check.h"
#include "eu/eu_memory.h"
#include "eu/eu_message_family.h"

static enum eu_status do_nothing(
	struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	(void)thread;
	(void)send;
	(void)enabled;
	return EU_RUN;
}

eu_message_fn eu_message_bind_null(const struct eu_send *send)
{
	(void)send;
	return do_nothing;
}

/* Every message is complete when its SEND is, so that only other threads have to be told. */
static enum eu_status fence(struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	if (enabled == 0)
		return EU_RUN;
	atomic_thread_fence(memory_order_seq_cst);
	if (send->writes)
		memset(thread->grf + send->dst, 0, GEN_GRF_BYTES);
	return EU_RUN;
}

eu_message_fn eu_message_bind_fence(const struct eu_send *send)
{
	(void)send;
	return fence;
}

/*
 * Signals the group's barrier; whoever signals last completes it, a lone thread at once. Waiting is
 * sync.bar's business.
 */
static enum eu_status barrier(
	struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	struct eu_group *group = thread->group;

	if (enabled == 0)
		return EU_RUN;
	eu_check_barrier(thread, send);
	thread->barrier_pending = true;
	thread->barrier_generation = group->generation;
	if (++group->arrived >= group->live) {
		group->arrived = 0;
		group->generation++;
	}
	return EU_RUN;
}

eu_message_fn eu_message_bind_gateway(const struct eu_send *send)
{
	return send->mlen > 0 ? barrier : NULL;
}

static enum eu_status end_of_thread(
	struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	(void)thread;
	(void)send;
	return enabled == 0 ? EU_RUN : EU_DONE;
}

eu_message_fn eu_message_bind_spawner(const struct eu_send *send)
{
	(void)send;
	return end_of_thread;
}
