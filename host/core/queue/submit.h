// SPDX-License-Identifier: MIT
#ifndef SUBMIT_H
#define SUBMIT_H

#include "core/queue/queue.h"

/*
 * Does a command that schedule_choose does not answer with SCHEDULE_LATER: on the host if all its
 * dependencies are complete, else in the open batch. No dependency is deferred, and none of another
 * queue is in an open batch (see submit_lock). `event` may be NULL. If a dependency failed, the
 * command is not done, and its event fails. On an error the event is unchanged.
 *
 * Locks: queue->lock is held; it is released while the host copies.
 */
cl_int submit_command(struct queue *queue, const struct command *command,
	struct event *const *waits, unsigned n_waits, struct event *event,
	struct deferred_work *work);

/*
 * Two steps of it, before and after a command is appended to the open batch, which has room. The
 * first returns what is to signal the command's event, with a reference, which the second takes
 * over: counts the command, and has its event, which may be NULL, know where it is. Locks:
 * queue->lock is held.
 */
cl_int submit_signal(struct batch *batch, struct l0_event **out);
void submit_count(struct batch *batch, struct event *event, struct l0_event *signal);

/*
 * Does a command that is SCHEDULE_HOST and for which nothing has failed, and ends its event if that
 * is not NULL. Releases the lock while it copies more than a few KiB: queue->n_turns defers the
 * commands that must follow. Returns its number (order.h).
 */
uint32_t submit_on_host(struct queue *queue, const struct command *command,
	struct event *const *waits, unsigned n_waits, struct event *event,
	struct deferred_work *work);

/*
 * Flushes the queues whose open batches hold dependencies, as submit_command requires, and locks
 * queue->lock. Locks: none may be held.
 */
void submit_lock(struct queue *queue, struct event *const *waits, unsigned n_waits);
/* Whether that still holds; queue->lock is held. */
bool submit_is_prepared(struct queue *queue, struct event *const *waits, unsigned n_waits);

#endif
