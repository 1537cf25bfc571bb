// SPDX-License-Identifier: MIT
#include "core/queue/deferred.h"

#include "core/base/error.h"
#include "core/queue/submit.h"
#include "core/queue/schedule.h"
#include "core/queue/queue.h"
#include "core/queue/poller.h"

#include <stdatomic.h>
#include <stdlib.h>

struct deferred {
	atomic_uint refs; /* of the queue's list, and of each dependency that names it */
	struct deferred *next, **link; /* in queue->deferred; link is NULL when it has left it */
	unsigned epoch;		       /* barriers that were ever held before it */
	struct deferred *next_candidate;
	bool is_candidate; /* in queue->candidates */
	struct command *command;
	struct event *event; /* a reference; NULL if the application wants none */
	unsigned n_waits;
	struct event *waits[]; /* references */
};

static void deferred_put(struct deferred *held)
{
	if (held && atomic_fetch_sub(&held->refs, 1) == 1)
		free(held);
}

/* Gives up what it holds, and the list's reference. No lock is held. */
static void deferred_leave(struct deferred *held)
{
	for (unsigned i = 0; i < held->n_waits; i++)
		event_put(held->waits[i]);
	event_put(held->event);
	command_drop(held->command);
	deferred_put(held);
}

static bool is_fence(const struct deferred *held)
{
	return schedule_is_fence(held->command);
}

/* Whether the command must start after those that threads do on the host now. */
static bool must_follow_turns(
	const struct queue *queue, const struct command *command, unsigned n_waits)
{
	return queue->n_turns && (!queue->out_of_order || schedule_is_fence(command) ||
					 schedule_is_sync(command, n_waits));
}

bool deferred_is_needed(const struct queue *queue, const struct command *command,
	struct event *const *waits, unsigned n_waits)
{
	bool behind = queue->out_of_order
			      ? queue->n_deferred_fences || schedule_is_sync(command, n_waits)
			      : true;

	return (queue->deferred && behind) || must_follow_turns(queue, command, n_waits) ||
	       schedule_must_defer(queue, waits, n_waits);
}

static cl_int add_dependency(
	struct queue *queue, struct deferred *held, struct event *wait, enum event_stage stage)
{
	bool added = false;

	atomic_fetch_add(&held->refs, 1);
	cl_int rc = event_add_dependent(wait, queue, held, stage, &added);
	if (!added)
		deferred_put(held);
	return rc;
}

/* Makes the command a candidate whenever `wait` gets so far that it may be its turn. */
static cl_int depend(struct queue *queue, struct deferred *held, struct event *wait)
{
	cl_int rc = add_dependency(queue, held, wait, EVENT_OPEN);

	if (rc || !wait->queue)
		return rc;
	rc = add_dependency(queue, held, wait, EVENT_DONE);
	enum event_stage stage = event_stage(wait);
	if (!rc && stage != EVENT_DEFERRED && stage != EVENT_DONE)
		poller_add(wait->queue);
	return rc;
}

cl_int deferred_add(struct queue *queue, const struct command *command, struct event *const *waits,
	unsigned n_waits, struct event *event, struct deferred **out)
{
	struct deferred *held = calloc(1, sizeof(*held) + n_waits * sizeof(struct event *));
	cl_int rc;

	TRY(held ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
	atomic_init(&held->refs, 1);
	TRY(command_keep(command, &held->command));
	for (unsigned i = 0; i < n_waits; i++) {
		held->waits[held->n_waits++] = event_get(waits[i]);
		TRY(depend(queue, held, waits[i]));
	}
	held->event = event ? event_get(event) : NULL;
	held->link = queue->deferred_end;
	held->epoch = queue->released_fences + queue->n_deferred_fences;
	*queue->deferred_end = held;
	queue->deferred_end = &held->next;
	queue->n_deferred_fences += is_fence(held);
	atomic_fetch_add(&held->refs, 1);
	*out = held;
	return CL_SUCCESS;
fail:
	if (held)
		deferred_leave(held);
	return rc;
}

static bool is_failed(const struct deferred *held)
{
	for (unsigned i = 0; i < held->n_waits; i++)
		if (event_result(held->waits[i]) < 0)
			return true;
	return false;
}

/* Whether the turn of a held command has come, for all that is not held. */
static bool is_ready(struct queue *queue, const struct deferred *held)
{
	if (must_follow_turns(queue, held->command, held->n_waits) ||
		schedule_must_defer(queue, held->waits, held->n_waits))
		return false;
	if (is_failed(held) ||
		schedule_choose(queue, held->command, held->waits, held->n_waits) != SCHEDULE_LATER)
		return true;
	queue->stalled = true;
	return false;
}

/* Whether the turn of a held command has come, if no barrier is before it. */
static bool is_next(struct queue *queue, const struct deferred *held)
{
	bool behind = held != queue->deferred && schedule_is_sync(held->command, held->n_waits);

	return !behind && is_ready(queue, held);
}

/* The first held command whose turn has come, or NULL. */
static struct deferred *find_ready(struct queue *queue)
{
	queue->stalled = false;
	for (struct deferred *held = queue->deferred; held; held = held->next) {
		if (is_next(queue, held))
			return held;
		if (!queue->out_of_order || is_fence(held))
			break;
	}
	return NULL;
}

/* Takes the candidates until one is ready, which the list still has a reference to. */
static struct deferred *take_candidate(struct queue *queue)
{
	struct deferred *held;
	bool ready = false;

	while (!ready && (held = queue->candidates)) {
		queue->candidates = held->next_candidate;
		held->is_candidate = false;
		ready = held->link && held->epoch == queue->released_fences && is_next(queue, held);
		deferred_put(held);
	}
	return ready ? held : NULL;
}

/*
 * The next held command whose turn has come, or NULL. An out-of-order queue looks at the candidates
 * and at its oldest command alone: to look at all of them for each event would take a time that
 * grows with the square of their number.
 */
static struct deferred *next_ready(struct queue *queue)
{
	struct deferred *held = NULL;

	if (queue->out_of_order && !queue->scan_deferred) {
		held = take_candidate(queue);
		if (!held && queue->deferred && is_next(queue, queue->deferred))
			held = queue->deferred;
		return held;
	}
	held = find_ready(queue);
	queue->scan_deferred = held != NULL;
	return held;
}

/* queue->lock is held at the beginning and the end, and released in between. */
static void submit_deferred(struct queue *queue, struct deferred *held, struct deferred_work *work)
{
	for (;;) {
		pthread_mutex_unlock(&queue->lock);
		submit_lock(queue, held->waits, held->n_waits);
		queue_retire(queue, work);
		if (queue_is_full(queue, held->command))
			queue_wait_first(queue, work);
		else if (submit_is_prepared(queue, held->waits, held->n_waits))
			break;
	}
	cl_int rc =
		submit_command(queue, held->command, held->waits, held->n_waits, held->event, work);
	if (rc && held->event)
		event_done(held->event, rc, work);
	queue->lost |= rc && !held->event;
}

/* queue->lock is held at the beginning and the end; only one thread is here per queue. */
static void release_one(struct queue *queue, struct deferred *held, struct deferred_work *work)
{
	submit_deferred(queue, held, work);
	if (is_fence(held)) {
		queue->n_deferred_fences--;
		queue->released_fences++;
		queue->scan_deferred = true;
	}
	*held->link = held->next;
	if (held->next)
		held->next->link = held->link;
	else
		queue->deferred_end = held->link;
	held->link = NULL;
	if (!queue->deferred)
		pthread_cond_broadcast(&queue->changed);
	pthread_mutex_unlock(&queue->lock);
	deferred_leave(held);
	pthread_mutex_lock(&queue->lock);
}

void deferred_release(struct queue *queue, struct deferred *candidate, struct deferred_work *work)
{
	struct deferred *held;
	bool any = false;

	pthread_mutex_lock(&queue->lock);
	if (!candidate) {
		queue->scan_deferred = true;
	} else if (candidate->is_candidate || !candidate->link || !queue->out_of_order) {
		deferred_put(candidate);
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
			release_one(queue, held, work);
			any = true;
		}
		queue->releasing = false;
	}
	/* a flush while they were held was for them, too */
	any |= queue->stalled;
	if (any)
		(void)queue_push(queue, work);
	pthread_mutex_unlock(&queue->lock);
	if (any)
		poller_add(queue);
}
