// SPDX-License-Identifier: MIT
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include "core/batch/batch.h"
#include "core/batch/command.h"

/*
 * The order of commands. Locks: queue->lock is held.
 *
 * In an in-order queue a command waits for all earlier ones. In an out-of-order queue it waits for
 * its wait list and for the newest barrier (a fence) before it; a marker or barrier without a wait
 * list (a sync) waits for all earlier commands.
 *
 * The device executes the batches of a queue one after the other. Within a batch, commands overlap
 * unless a Level Zero barrier is between them. An out-of-order queue appends such a barrier only
 * before a command whose wait list names a command of the same batch that has no barrier behind it,
 * so that independent commands stay independent, those with events included.
 */

enum schedule_turn {
	SCHEDULE_DEVICE, /* append it now: the device keeps the order */
	SCHEDULE_HOST,	 /* the host can do it now: its dependencies are complete */
	SCHEDULE_LATER	 /* the host must do it once its dependencies are complete */
};

bool schedule_is_sync(const struct command *command, unsigned n_waits);
bool schedule_is_fence(const struct command *command);

/* Whether one of the events is in a stage for which the device cannot wait. */
bool schedule_must_defer(const struct queue *queue, struct event *const *waits, unsigned n_waits);

/* Returns how a command is done that need not be deferred. */
enum schedule_turn schedule_choose(struct queue *queue, const struct command *command,
	struct event *const *waits, unsigned n_waits);

/*
 * Appends what makes the next command, `command`, wait as it must. There is room for n_waits
 * signals. Errors: CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST when a dependency was lost.
 */
cl_int schedule_append(struct batch *batch, const struct command *command,
	struct event *const *waits, unsigned n_waits);

#endif
