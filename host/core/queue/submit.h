// SPDX-License-Identifier: MIT
#ifndef SUBMIT_H
#define SUBMIT_H

#include "core/queue/batch.h"
#include "core/queue/command.h"

/*
 * Does a command whose turn has come (see schedule.h; it is not SCHEDULE_LATER): on the host at
 * once when nothing is left that it waits for, else by appending it to the open batch. Of what it
 * waits for, nothing must be held for, and nothing of another queue is OPEN. `event` may be NULL;
 * when something that it waits for has failed, the command is not done and its event fails.
 * queue->lock is held; it is released while the host copies. On an error the event is as before.
 */
cl_int submit_command(struct queue *queue, const struct command *command,
	struct event *const *waits, unsigned n_waits, struct event *event,
	struct deferred_work *work);

/*
 * Does a command that is SCHEDULE_HOST and for which nothing has failed, and ends its event if that
 * is not NULL. Releases the lock while it copies more than a few KiB: queue->n_turns keeps commands
 * back that must follow.
 */
void submit_on_host(struct queue *queue, const struct command *command, struct event *event,
	struct deferred_work *work);

/* A copy between memories that the device reaches both; `signal` may be NULL. */
cl_int submit_append_box(
	struct l0_list *list, const struct box_copy *copy, struct l0_event *signal);

/*
 * Appends the command to a batch that is no queue's but becomes a recording, behind a barrier if
 * something before it has none yet and `barrier` says so. The command has no end in memory of the
 * application's.
 */
cl_int submit_record(struct batch *batch, const struct command *command, bool barrier);

/*
 * Brings about what `execute` wants of the wait list, HELD ones aside, and locks queue->lock. Hold
 * no lock.
 */
void submit_lock(struct queue *queue, struct event *const *waits, unsigned n_waits);
/* Whether it is still so; queue->lock is held. */
bool submit_is_prepared(struct queue *queue, struct event *const *waits, unsigned n_waits);

#endif
