// SPDX-License-Identifier: MIT
#ifndef ORDER_H
#define ORDER_H

#include "core/batch/command.h"
#include "core/queue/event.h"

/*
 * Which commands are before which by the rules of OpenCL (3.0, section 5.11 and 3.2.3), however
 * they are executed: for the virtual device, which looks for races between them. All of it does
 * nothing, and numbers are 0, unless queue->order.is_wanted.
 */

void order_init(struct queue *queue);

/*
 * The command is about to be appended or done, and all that it waits for has been. Returns its
 * number, which is that of its event too (NULL: none). Locks: queue->lock is held.
 */
uint32_t order_add(struct queue *queue, const struct command *command, struct event *const *waits,
	unsigned n_waits, struct event *event);

/* The host does the command. */
void order_touch(struct queue *queue, const struct command *command, uint32_t number);

/* The application sets the user event; or (not `is_set`) the runtime does, for whatever reason. */
void order_user_event(struct event *event, bool is_set);

/* The application sees that the event is complete, or all commands of the queue are. */
void order_see(const struct event *event);
void order_see_all(struct queue *queue);

#endif
