// SPDX-License-Identifier: MIT
#ifndef POLLER_H
#define POLLER_H

#include "core/queue/event.h"
#include "core/queue/queue.h"

/*
 * Two threads of the library, there while there is something to do: one calls the application's
 * event callbacks, the other looks after queues at which nobody else may look any more.
 */

/* Flushes `queue` and looks after it until nothing of it is on the device. Keeps a reference
 * meanwhile. */
void watch_queue(struct queue *queue);
/* The same, but gives the program some time to flush it: batches shall not be small only because
 * somebody wants to hear when they are done. */
void watch_queue_gently(struct queue *queue);
/* A queue that rested (see queue_step) was flushed. */
void watch_flushed(void);

/* A callback that waits for its turn. */
struct watch_call {
	struct watch_call *next;
	struct event *event;
	event_notify_fn notify;
	cl_int status;
	void *user_data;
};

/*
 * Has notify(event, status, user_data) called for all of the list from `first` to `last`. Takes
 * over the structs, which are malloc'ed, with a reference to its event each. Cannot fail: if there
 * is no thread and none can be made, the next call makes one.
 */
void watch_calls(struct watch_call *first, struct watch_call *last);

#endif
