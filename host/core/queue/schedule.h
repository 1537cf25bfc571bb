// SPDX-License-Identifier: MIT
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include "core/queue/batch.h"
#include "core/queue/command.h"

/*
 * Who waits for whom in a queue. queue->lock is held.
 *
 * In an in-order queue a command waits for all before it. In an out-of-order queue it waits for its
 * wait list and for the newest barrier (a fence) before it; a marker or barrier without a wait list
 * (a sync) waits for all before it.
 *
 * On the device, batches of a queue run one after the other, and so do the commands of a batch
 * between which a barrier stands. For a wait list, an out-of-order queue puts such a barrier only
 * where a command waits for one of the same batch behind which none stands yet: commands that do
 * not depend on each other stay independent, those with events included.
 */

enum schedule_turn {
	SCHEDULE_DEVICE, /* append it now: the device has it wait */
	SCHEDULE_HOST,	 /* the host can do it now: nothing that it waits for is left */
	SCHEDULE_LATER	 /* the host must do it, once nothing that it waits for is left */
};

bool schedule_is_sync(const struct command *command, unsigned n_waits);
bool schedule_is_fence(const struct command *command);

/* Whether one of the events is not yet so far that the device could wait for it. */
bool schedule_must_defer(const struct queue *queue, struct event *const *waits, unsigned n_waits);

/* How a command is done that must not be held, and for which no held one must be waited. */
enum schedule_turn schedule_choose(struct queue *queue, const struct command *command,
	struct event *const *waits, unsigned n_waits);

/*
 * Has what is appended next, which is to be `command`, wait as it must. There is room for n_waits
 * signals. CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST when what it waits for was lost.
 */
cl_int schedule_append(struct batch *batch, const struct command *command,
	struct event *const *waits, unsigned n_waits);

/* A barrier in the batch, which signals `signal` if that is not NULL. */
cl_int schedule_barrier(struct batch *batch, struct l0_event *signal);

#endif
