// SPDX-License-Identifier: MIT
#ifndef DEFERRED_H
#define DEFERRED_H

#include "core/queue/batch.h"
#include "core/queue/command.h"

/* Commands that wait for the host, in the order of their queue. */

/* Whether a new command must be held: for what it waits for, or because it must not overtake what
 * is held. queue->lock is held. */
bool deferred_is_needed(const struct queue *queue, const struct command *command,
	struct event *const *waits, unsigned n_waits);

/*
 * Adds a copy of the command to queue->deferred; queue->lock is held. `event` may be NULL. On
 * success *out is the candidate, with a reference, to call deferred_release with after unlocking.
 */
cl_int deferred_add(struct queue *queue, const struct command *command, struct event *const *waits,
	unsigned n_waits, struct event *event, struct deferred **out);

/*
 * Executes held commands whose turn has come: `candidate`, of which one dependency has got further,
 * and what waits for it; all that are ready if it is NULL. Takes over the reference. Hold no lock.
 */
void deferred_release(struct queue *queue, struct deferred *candidate, struct deferred_work *work);

void deferred_put(struct deferred *held);

#endif
