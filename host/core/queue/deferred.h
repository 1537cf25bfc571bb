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
 * Adds a copy of the command to queue->held; queue->lock is held. Call hold_release after
 * unlocking. `event` may be NULL.
 */
cl_int hold_add(struct queue *queue, const struct command *command, struct event *const *waits,
	unsigned n_waits, struct event *event);

/* Executes those in queue->held whose turn has come. Hold no lock. */
void hold_release(struct queue *queue, struct aftermath *aftermath);

#endif
