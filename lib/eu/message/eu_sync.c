// SPDX-License-Identifier: MIT
/* Messages that order and end: memory fence, barrier, end of thread; and the null function. */
#include <stdatomic.h>
#include <string.h>

#include "eu/message/eu_message.h"

enum eu_status eu_message_none(struct eu_thread *thread, const struct eu_send *send, uint32_t lanes)
{
	(void)thread, (void)send, (void)lanes;
	return EU_RUN;
}

enum eu_status eu_message_end(struct eu_thread *thread, const struct eu_send *send, uint32_t lanes)
{
	(void)thread, (void)send;
	return lanes == 0 ? EU_RUN : EU_DONE;
}

/*
 * A message is complete when its SEND is, so a fence concerns other host threads only. They never
 * see local memory, and at a thread's end it is enough that the stores come first.
 */
enum eu_status eu_message_fence(
	struct eu_thread *thread, const struct eu_send *send, uint32_t lanes)
{
	if (lanes == 0)
		return EU_RUN;
	if (eu_message_is_weak_fence(send))
		atomic_thread_fence(memory_order_release);
	else
		atomic_thread_fence(memory_order_seq_cst);
	if (send->writes)
		memset(thread->grf + send->dst, 0, GEN_GRF_BYTES);
	return EU_RUN;
}

/* Signals the group's barrier; the last thread to signal completes it. sync.bar waits. */
enum eu_status eu_message_barrier(
	struct eu_thread *thread, const struct eu_send *send, uint32_t lanes)
{
	struct eu_group *group = thread->group;

	(void)send;
	if (lanes == 0)
		return EU_RUN;
	thread->barrier_pending = true;
	thread->barrier_generation = group->generation;
	if (++group->arrived >= group->live) {
		group->arrived = 0;
		group->generation++;
	}
	return EU_RUN;
}
