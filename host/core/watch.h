// SPDX-License-Identifier: MIT
#ifndef CORE_WATCH_H
#define CORE_WATCH_H

#include "core/event.h"
#include "core/queue.h"

/*
 * Two threads of the library, there while there is something to do: one calls the application's
 * event callbacks, the other looks after queues at which nobody else may look any more.
 */

/* Looks after `queue` until nothing of it is on the device. Keeps a reference meanwhile. */
void watch_queue(struct queue *queue);

/* Has notify(event, status, data) called. Keeps a reference meanwhile. CL_OUT_OF_HOST_MEMORY. */
cl_int watch_call(struct event *event, event_notify_fn notify, cl_int status, void *user_data);

#endif
