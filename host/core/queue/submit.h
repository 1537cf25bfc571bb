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
 * The last step of submit_command: appends the command, with its waits, its signal and its event,
 * to the open batch. For callers that know that no earlier step applies (queue_is_steady). `event`
 * may be NULL. On an error the event is unchanged. Locks: queue->lock is held.
 */
cl_int submit_append(struct queue *queue, const struct command *command, struct event *const *waits,
	unsigned n_waits, struct event *event, struct deferred_work *work);

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
