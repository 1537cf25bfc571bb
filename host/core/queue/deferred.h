// SPDX-License-Identifier: MIT
#ifndef DEFERRED_H
#define DEFERRED_H

#include "core/queue/batch.h"
#include "core/queue/command.h"

/* Commands that wait for the host, in the order of their queue. */

/* Whether a new command must be held: for what it waits for, or because it must not overtake what
 * is held. queue->lock is held. */
bool hold_is_needed(const struct queue *queue, const struct command *command,
	struct event *const *waits, unsigned n_waits);

/*
 * Adds a copy of the command to queue->held; queue->lock is held. `event` may be NULL. On success
 * *out is the candidate, with a reference, to call hold_release with after unlocking.
 */
cl_int hold_add(struct queue *queue, const struct command *command, struct event *const *waits,
	unsigned n_waits, struct event *event, struct queue_held **out);

/*
 * Executes held commands whose turn has come: `candidate`, of which one dependency has got further,
 * and what waits for it; all that are ready if it is NULL. Takes over the reference. Hold no lock.
 */
void hold_release(struct queue *queue, struct queue_held *candidate, struct aftermath *aftermath);

void held_put(struct queue_held *held);

#endif
