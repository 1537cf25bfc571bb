// SPDX-License-Identifier: MIT
#include "core/hold.h"

#include "core/error.h"
#include "core/execute.h"
#include "core/queue.h"
#include "core/watch.h"

#include <stdlib.h>

struct queue_held {
	struct queue_held *next;
	struct command *command;
	struct event *event; /* a reference; NULL if nobody wants one */
	unsigned n_waits;
	struct event *waits[]; /* references */
};

bool hold_is_needed(struct event *const *waits, unsigned n_waits)
{
	for (unsigned i = 0; i < n_waits; i++)
		if (event_stage(waits[i]) == EVENT_HELD)
			return true;
	return false;
}

static void held_free(struct queue_held *held)
{
	for (unsigned i = 0; i < held->n_waits; i++)
		event_put(held->waits[i]);
	event_put(held->event);
	command_drop(held->command);
	free(held);
}

cl_int hold_add(struct queue *queue, const struct command *command, struct event *const *waits,
	unsigned n_waits, struct event *event)
{
	struct queue_held *held = calloc(1, sizeof(*held) + n_waits * sizeof(struct event *));
	cl_int rc;

	TRY(held ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
	TRY(command_keep(command, &held->command));
	for (unsigned i = 0; i < n_waits; i++) {
		held->waits[held->n_waits++] = event_get(waits[i]);
		if (!event_add_dependent(waits[i], queue, &rc))
			TRY(rc);
	}
	held->event = event ? event_get(event) : NULL;
	*queue->held_end = held;
	queue->held_end = &held->next;
	return CL_SUCCESS;
fail:
	if (held)
		held_free(held);
	return rc;
}

/* The head if its turn has come. */
static struct queue_held *head(struct queue *queue)
{
	struct queue_held *held = queue->held;

	return held && !hold_is_needed(held->waits, held->n_waits) ? held : NULL;
}

/* queue->lock is held at the beginning and the end; only one thread is here per queue. */
static void release_one(struct queue *queue, struct queue_held *held, struct aftermath *aftermath)
{
	pthread_mutex_unlock(&queue->lock);
	execute_lock(queue, held->waits, held->n_waits);
	queue_retire(queue, aftermath);
	cl_int rc =
		execute(queue, held->command, held->waits, held->n_waits, held->event, aftermath);
	if (rc && held->event)
		event_done(held->event, rc, aftermath);
	queue->lost |= rc && !held->event;
	queue->held = held->next;
	if (!queue->held) {
		queue->held_end = &queue->held;
		pthread_cond_broadcast(&queue->released);
	}
	pthread_mutex_unlock(&queue->lock);
	held_free(held);
	pthread_mutex_lock(&queue->lock);
}

void hold_release(struct queue *queue, struct aftermath *aftermath)
{
	struct queue_held *held;
	bool any = false;

	pthread_mutex_lock(&queue->lock);
	queue->release_again = true;
	while (!queue->releasing && queue->release_again) {
		queue->releasing = true;
		queue->release_again = false;
		while ((held = head(queue))) {
			release_one(queue, held, aftermath);
			any = true;
		}
		queue->releasing = false;
	}
	/* whoever flushed while they were held meant them too */
	if (any)
		(void)queue_push(queue, aftermath);
	pthread_mutex_unlock(&queue->lock);
	if (any)
		watch_queue(queue);
}
