// SPDX-License-Identifier: MIT
#include "core/queue/deferred.h"

#include "core/base/error.h"
#include "core/queue/submit.h"
#include "core/queue/schedule.h"
#include "core/queue/queue.h"
#include "core/queue/poller.h"

#include <stdlib.h>

struct queue_held {
	struct queue_held *next;
	struct command *command;
	struct event *event; /* a reference; NULL if nobody wants one */
	unsigned n_waits;
	struct event *waits[]; /* references */
};

static void held_free(struct queue_held *held)
{
	for (unsigned i = 0; i < held->n_waits; i++)
		event_put(held->waits[i]);
	event_put(held->event);
	command_drop(held->command);
	free(held);
}

static bool is_fence(const struct queue_held *held)
{
	return order_is_fence(held->command);
}

/* Whether the command must start after those that threads do on the host now. */
static bool must_follow_turns(
	const struct queue *queue, const struct command *command, unsigned n_waits)
{
	return queue->n_turns &&
	       (!queue->out_of_order || order_is_fence(command) || order_is_sync(command, n_waits));
}

bool hold_is_needed(const struct queue *queue, const struct command *command,
	struct event *const *waits, unsigned n_waits)
{
	bool behind = queue->out_of_order ? queue->n_held_fences || order_is_sync(command, n_waits)
					  : true;

	return (queue->held && behind) || must_follow_turns(queue, command, n_waits) ||
	       order_must_hold(queue, waits, n_waits);
}

/* Has the queue looked after when a wait is such that it may be the command's turn. */
static cl_int depend(struct queue *queue, struct event *wait)
{
	cl_int rc = event_add_dependent(wait, queue, EVENT_OPEN);

	if (rc || !wait->queue)
		return rc;
	rc = event_add_dependent(wait, queue, EVENT_DONE);
	enum event_stage stage = event_stage(wait);
	if (!rc && stage != EVENT_HELD && stage != EVENT_DONE)
		poller_add(wait->queue);
	return rc;
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
		TRY(depend(queue, waits[i]));
	}
	held->event = event ? event_get(event) : NULL;
	*queue->held_end = held;
	queue->held_end = &held->next;
	queue->n_held_fences += is_fence(held);
	return CL_SUCCESS;
fail:
	if (held)
		held_free(held);
	return rc;
}

static bool is_failed(const struct queue_held *held)
{
	for (unsigned i = 0; i < held->n_waits; i++)
		if (event_result(held->waits[i]) < 0)
			return true;
	return false;
}

/* Whether the turn of a held command has come, for all that is not held. */
static bool is_ready(struct queue *queue, const struct queue_held *held)
{
	if (must_follow_turns(queue, held->command, held->n_waits) ||
		order_must_hold(queue, held->waits, held->n_waits))
		return false;
	if (is_failed(held) ||
		order_choose(queue, held->command, held->waits, held->n_waits) != ORDER_LATER)
		return true;
	queue->stalled = true;
	return false;
}

/* The link to the first held command whose turn has come, or NULL. */
static struct queue_held **find_ready(struct queue *queue)
{
	queue->stalled = false;
	for (struct queue_held **link = &queue->held; *link; link = &(*link)->next) {
		struct queue_held *held = *link;
		bool behind = link != &queue->held && order_is_sync(held->command, held->n_waits);

		if (!behind && is_ready(queue, held))
			return link;
		if (!queue->out_of_order || is_fence(held))
			break;
	}
	return NULL;
}

/* queue->lock is held at the beginning and the end, and released in between. */
static void execute_held(struct queue *queue, struct queue_held *held, struct aftermath *aftermath)
{
	for (;;) {
		pthread_mutex_unlock(&queue->lock);
		execute_lock(queue, held->waits, held->n_waits);
		queue_retire(queue, aftermath);
		if (queue_is_full(queue, held->command))
			queue_wait_first(queue, aftermath);
		else if (execute_is_prepared(queue, held->waits, held->n_waits))
			break;
	}
	cl_int rc =
		execute(queue, held->command, held->waits, held->n_waits, held->event, aftermath);
	if (rc && held->event)
		event_done(held->event, rc, aftermath);
	queue->lost |= rc && !held->event;
}

/* queue->lock is held at the beginning and the end; only one thread is here per queue. */
static void release_one(struct queue *queue, struct queue_held **link, struct aftermath *aftermath)
{
	struct queue_held *held = *link;

	execute_held(queue, held, aftermath);
	queue->n_held_fences -= is_fence(held);
	*link = held->next;
	if (!held->next)
		queue->held_end = link;
	if (!queue->held)
		pthread_cond_broadcast(&queue->changed);
	pthread_mutex_unlock(&queue->lock);
	held_free(held);
	pthread_mutex_lock(&queue->lock);
}

void hold_release(struct queue *queue, struct aftermath *aftermath)
{
	struct queue_held **link;
	bool any = false;

	pthread_mutex_lock(&queue->lock);
	queue->release_again = true;
	while (!queue->releasing && queue->release_again) {
		queue->releasing = true;
		queue->release_again = false;
		while ((link = find_ready(queue))) {
			release_one(queue, link, aftermath);
			any = true;
		}
		queue->releasing = false;
	}
	/* whoever flushed while they were held meant them too */
	any |= queue->stalled;
	if (any)
		(void)queue_push(queue, aftermath);
	pthread_mutex_unlock(&queue->lock);
	if (any)
		poller_add(queue);
}
