// SPDX-License-Identifier: MIT
#include "core/queue/deferred.h"

#include "core/base/error.h"
#include "core/queue/submit.h"
#include "core/queue/schedule.h"
#include "core/queue/queue.h"
#include "core/queue/poller.h"

#include <stdatomic.h>
#include <stdlib.h>

struct queue_held {
	atomic_uint refs; /* of the queue's list, and of each dependency that names it */
	struct queue_held *next, **link; /* in queue->held; link is NULL when it has left it */
	unsigned epoch;			 /* barriers that were ever held before it */
	struct queue_held *next_candidate;
	bool is_candidate; /* in queue->candidates */
	struct command *command;
	struct event *event; /* a reference; NULL if the application wants none */
	unsigned n_waits;
	struct event *waits[]; /* references */
};

void held_put(struct queue_held *held)
{
	if (held && atomic_fetch_sub(&held->refs, 1) == 1)
		free(held);
}

/* Gives up what it holds, and the list's reference. No lock is held. */
static void held_leave(struct queue_held *held)
{
	for (unsigned i = 0; i < held->n_waits; i++)
		event_put(held->waits[i]);
	event_put(held->event);
	command_drop(held->command);
	held_put(held);
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

static cl_int add_dependency(
	struct queue *queue, struct queue_held *held, struct event *wait, enum event_stage stage)
{
	bool added = false;

	atomic_fetch_add(&held->refs, 1);
	cl_int rc = event_add_dependent(wait, queue, held, stage, &added);
	if (!added)
		held_put(held);
	return rc;
}

/* Makes the command a candidate whenever `wait` gets so far that it may be its turn. */
static cl_int depend(struct queue *queue, struct queue_held *held, struct event *wait)
{
	cl_int rc = add_dependency(queue, held, wait, EVENT_OPEN);

	if (rc || !wait->queue)
		return rc;
	rc = add_dependency(queue, held, wait, EVENT_DONE);
	enum event_stage stage = event_stage(wait);
	if (!rc && stage != EVENT_HELD && stage != EVENT_DONE)
		poller_add(wait->queue);
	return rc;
}

cl_int hold_add(struct queue *queue, const struct command *command, struct event *const *waits,
	unsigned n_waits, struct event *event, struct queue_held **out)
{
	struct queue_held *held = calloc(1, sizeof(*held) + n_waits * sizeof(struct event *));
	cl_int rc;

	TRY(held ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
	atomic_init(&held->refs, 1);
	TRY(command_keep(command, &held->command));
	for (unsigned i = 0; i < n_waits; i++) {
		held->waits[held->n_waits++] = event_get(waits[i]);
		TRY(depend(queue, held, waits[i]));
	}
	held->event = event ? event_get(event) : NULL;
	held->link = queue->held_end;
	held->epoch = queue->released_fences + queue->n_held_fences;
	*queue->held_end = held;
	queue->held_end = &held->next;
	queue->n_held_fences += is_fence(held);
	atomic_fetch_add(&held->refs, 1);
	*out = held;
	return CL_SUCCESS;
fail:
	if (held)
		held_leave(held);
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

/* Whether the turn of a held command has come, if no barrier is before it. */
static bool is_next(struct queue *queue, const struct queue_held *held)
{
	bool behind = held != queue->held && order_is_sync(held->command, held->n_waits);

	return !behind && is_ready(queue, held);
}

/* The first held command whose turn has come, or NULL. */
static struct queue_held *find_ready(struct queue *queue)
{
	queue->stalled = false;
	for (struct queue_held *held = queue->held; held; held = held->next) {
		if (is_next(queue, held))
			return held;
		if (!queue->out_of_order || is_fence(held))
			break;
	}
	return NULL;
}

/* Takes the candidates until one is ready, which the list still has a reference to. */
static struct queue_held *take_candidate(struct queue *queue)
{
	struct queue_held *held;
	bool ready = false;

	while (!ready && (held = queue->candidates)) {
		queue->candidates = held->next_candidate;
		held->is_candidate = false;
		ready = held->link && held->epoch == queue->released_fences && is_next(queue, held);
		held_put(held);
	}
	return ready ? held : NULL;
}

/*
 * The next held command whose turn has come, or NULL. An out-of-order queue looks at the candidates
 * and at its oldest command alone: to look at all of them for each event would take a time that
 * grows with the square of their number.
 */
static struct queue_held *next_ready(struct queue *queue)
{
	struct queue_held *held = NULL;

	if (queue->out_of_order && !queue->scan_held) {
		held = take_candidate(queue);
		if (!held && queue->held && is_next(queue, queue->held))
			held = queue->held;
		return held;
	}
	held = find_ready(queue);
	queue->scan_held = held != NULL;
	return held;
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
static void release_one(struct queue *queue, struct queue_held *held, struct aftermath *aftermath)
{
	execute_held(queue, held, aftermath);
	if (is_fence(held)) {
		queue->n_held_fences--;
		queue->released_fences++;
		queue->scan_held = true;
	}
	*held->link = held->next;
	if (held->next)
		held->next->link = held->link;
	else
		queue->held_end = held->link;
	held->link = NULL;
	if (!queue->held)
		pthread_cond_broadcast(&queue->changed);
	pthread_mutex_unlock(&queue->lock);
	held_leave(held);
	pthread_mutex_lock(&queue->lock);
}

void hold_release(struct queue *queue, struct queue_held *candidate, struct aftermath *aftermath)
{
	struct queue_held *held;
	bool any = false;

	pthread_mutex_lock(&queue->lock);
	if (!candidate) {
		queue->scan_held = true;
	} else if (candidate->is_candidate || !candidate->link || !queue->out_of_order) {
		held_put(candidate);
	} else {
		candidate->is_candidate = true;
		candidate->next_candidate = queue->candidates;
		queue->candidates = candidate;
	}
	queue->release_again = true;
	while (!queue->releasing && queue->release_again) {
		queue->releasing = true;
		queue->release_again = false;
		while ((held = next_ready(queue))) {
			release_one(queue, held, aftermath);
			any = true;
		}
		queue->releasing = false;
	}
	/* a flush while they were held was for them, too */
	any |= queue->stalled;
	if (any)
		(void)queue_push(queue, aftermath);
	pthread_mutex_unlock(&queue->lock);
	if (any)
		poller_add(queue);
}
