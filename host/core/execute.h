// SPDX-License-Identifier: MIT
#ifndef CORE_EXECUTE_H
#define CORE_EXECUTE_H

#include "core/batch.h"
#include "core/command.h"

/*
 * Does a command whose turn has come: on the host at once when nothing is before it and the bytes
 * are within reach, else by appending it to the open batch. Of what it waits for, nothing is HELD,
 * and nothing of another queue is OPEN. `event` may be NULL; when something that it waits for has
 * failed, the command is not done and its event fails. queue->lock is held. On an error the event
 * is as before.
 */
cl_int execute(struct queue *queue, const struct command *command, struct event *const *waits,
	unsigned n_waits, struct event *event, struct aftermath *aftermath);

/*
 * Brings about what `execute` wants of the wait list, HELD ones aside, and locks queue->lock. Hold
 * no lock. May wait for the device.
 */
void execute_lock(struct queue *queue, struct event *const *waits, unsigned n_waits);

#endif
