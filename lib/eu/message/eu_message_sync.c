// SPDX-License-Identifier: MIT
/* Messages that order and end: memory fence, barrier, end of thread; and the null function. */
#include <stdatomic.h>
#include <string.h>

#include "eu/watch/eu_check.h"
#include "eu/message/eu_memory.h"
#include "eu/message/eu_message.h"
#include "eu/message/eu_message_family.h"

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

static enum eu_status end_of_thread(
	struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	(void)thread;
	(void)send;
	return enabled == 0 ? EU_RUN : EU_DONE;
}

/*
 * Every message is complete when its SEND is, so that only other host threads have to be told:
 * nobody when it is about local memory, which only this one reaches, and in the end nothing but
 * that it comes after the stores.
 */
static enum eu_status fence(struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	if (enabled == 0)
		return EU_RUN;
	if (eu_message_is_weak_fence(send))
		atomic_thread_fence(memory_order_release);
	else
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

bool eu_message_is_weak_fence(const struct eu_send *send)
{
	return send->run == fence &&
	       (send->last || (send->sfid == GEN_SFID_DC0 && (send->desc & 0xff) == EU_BTI_SLM));
}

bool eu_message_ends(const struct eu_send *send)
{
	return send->run == end_of_thread;
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
	if (eu_check_on())
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

eu_message_fn eu_message_bind_spawner(const struct eu_send *send)
{
	(void)send;
	return end_of_thread;
}
