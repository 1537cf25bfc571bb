// SPDX-License-Identifier: MIT
#ifndef DEFERRED_H
#define DEFERRED_H

#include "core/queue/queue.h"

/* Deferred commands: those that wait on the host, in the order of their queue. */

/* Whether a new command must be deferred: for a dependency, or because it must not overtake a
 * deferred one. Locks: queue->lock is held. */
bool deferred_is_needed(const struct queue *queue, const struct command *command,
	struct event *const *waits, unsigned n_waits);

/*
 * Adds a copy of the command to queue->deferred. `event` may be NULL. Returns in *out the
 * candidate, a reference, for deferred_release. Locks: queue->lock is held.
 */
cl_int deferred_add(struct queue *queue, const struct command *command, struct event *const *waits,
	unsigned n_waits, struct event *event, struct deferred **out);

/*
 * Submits the deferred commands that are ready: `candidate`, of which a dependency got further, and
 * those that follow from it; or any, if it is NULL. Takes over the reference. Locks: none may be
 * held.
 */
void deferred_release(struct queue *queue, struct deferred *candidate, struct deferred_work *work);

#endif
