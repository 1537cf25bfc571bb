// SPDX-License-Identifier: MIT
#ifndef POLLER_H
#define POLLER_H

#include "core/queue/queue.h"

/*
 * The poller: the thread that retires batches of queues which no thread of the application waits
 * for. It runs continuations of the runtime and never calls the application: what does is given to
 * the callback thread.
 */

/* Flushes the queue and polls it until nothing of it is on the device. Keeps a reference meanwhile.
 */
void poller_add(struct queue *queue);
/*
 * The same, but leaves the program some time to flush: a request to hear of the end of commands
 * must not make batches small.
 */
void poller_add_gently(struct queue *queue);
/* A queue in state QUEUE_RESTS was flushed. */
void poller_wake(void);

#endif
