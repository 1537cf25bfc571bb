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
	unsigned epoch;		       /* barriers that were ever deferred before it */
	struct deferred *next_candidate;
	bool is_candidate; /* in queue->candidates */
	struct command *command;
	struct event *event; /* a reference; NULL if the application wants none */
	unsigned n_waits;
	struct event *waits[]; /* references */
};

static void deferred_put(struct deferred *one)
{
	if (one && atomic_fetch_sub(&one->refs, 1) == 1)
		free(one);
}

/* Gives up what it holds, and the list's reference. No lock is held. */
static void deferred_leave(struct deferred *one)
{
	for (unsigned i = 0; i < one->n_waits; i++)
		event_put(one->waits[i]);
	event_put(one->event);
	command_drop(one->command);
	deferred_put(one);
}

static bool is_fence(const struct deferred *one)
{
	return schedule_is_fence(one->command);
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
	struct queue *queue, struct deferred *one, struct event *wait, enum event_stage stage)
{
	bool added = false;

	atomic_fetch_add(&one->refs, 1);
	cl_int rc = event_add_dependent(wait, queue, one, stage, &added);
	if (!added)
		deferred_put(one);
	return rc;
}

/* Makes the command a candidate whenever `wait` gets so far that it may be its turn. */
static cl_int depend(struct queue *queue, struct deferred *one, struct event *wait)
{
	cl_int rc = add_dependency(queue, one, wait, EVENT_OPEN);

	if (rc || !wait->queue)
		return rc;
	rc = add_dependency(queue, one, wait, EVENT_DONE);
	enum event_stage stage = event_stage(wait);
	if (!rc && stage != EVENT_DEFERRED && stage != EVENT_DONE)
		poller_add(wait->queue);
	return rc;
}

cl_int deferred_add(struct queue *queue, const struct command *command, struct event *const *waits,
	unsigned n_waits, struct event *event, struct deferred **out)
{
	struct deferred *one = calloc(1, sizeof(*one) + n_waits * sizeof(struct event *));
	cl_int rc;

	TRY(one ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
	atomic_init(&one->refs, 1);
	TRY(command_keep(command, &one->command));
	for (unsigned i = 0; i < n_waits; i++) {
		one->waits[one->n_waits++] = event_get(waits[i]);
		TRY(depend(queue, one, waits[i]));
	}
	one->event = event ? event_get(event) : NULL;
	one->link = queue->deferred_end;
	one->epoch = queue->released_fences + queue->n_deferred_fences;
	*queue->deferred_end = one;
	queue->deferred_end = &one->next;
	queue->n_deferred_fences += is_fence(one);
	atomic_fetch_add(&one->refs, 1);
	*out = one;
	return CL_SUCCESS;
fail:
	if (one)
		deferred_leave(one);
	return rc;
}

/* Whether the turn of a deferred command has come, for all that is not deferred. */
static bool is_ready(struct queue *queue, const struct deferred *one)
{
	if (must_follow_turns(queue, one->command, one->n_waits) ||
		schedule_must_defer(queue, one->waits, one->n_waits))
		return false;
	if (event_any_failed(one->waits, one->n_waits) ||
		schedule_choose(queue, one->command, one->waits, one->n_waits) != SCHEDULE_LATER)
		return true;
	queue->stalled = true;
	return false;
}

/* Whether the turn of a deferred command has come, if no barrier is before it. */
static bool is_next(struct queue *queue, const struct deferred *one)
{
	bool behind = one != queue->deferred && schedule_is_sync(one->command, one->n_waits);

	return !behind && is_ready(queue, one);
}

/* The first deferred command whose turn has come, or NULL. */
static struct deferred *find_ready(struct queue *queue)
{
	queue->stalled = false;
	for (struct deferred *one = queue->deferred; one; one = one->next) {
		if (is_next(queue, one))
			return one;
		if (!queue->out_of_order || is_fence(one))
			break;
	}
	return NULL;
}

/* Takes the candidates until one is ready, which the list still has a reference to. */
static struct deferred *take_candidate(struct queue *queue)
{
	struct deferred *one;
	bool ready = false;

	while (!ready && (one = queue->candidates)) {
		queue->candidates = one->next_candidate;
		one->is_candidate = false;
		ready = one->link && one->epoch == queue->released_fences && is_next(queue, one);
		deferred_put(one);
	}
	return ready ? one : NULL;
}

/*
 * The next deferred command whose turn has come, or NULL. An out-of-order queue looks at the
 * candidates and at its oldest command alone: to look at all of them for each event would take a
 * time that grows with the square of their number.
 */
static struct deferred *next_ready(struct queue *queue)
{
	struct deferred *one = NULL;

	if (queue->out_of_order && !queue->scan_deferred) {
		one = take_candidate(queue);
		if (!one && queue->deferred && is_next(queue, queue->deferred))
			one = queue->deferred;
		return one;
	}
	one = find_ready(queue);
	queue->scan_deferred = one != NULL;
	return one;
}

/* queue->lock is held at the beginning and the end, and released in between. */
static void submit_deferred(struct queue *queue, struct deferred *one, struct deferred_work *work)
{
	for (;;) {
		pthread_mutex_unlock(&queue->lock);
		submit_lock(queue, one->waits, one->n_waits);
		queue_retire(queue, work);
		if (queue_is_full(queue, one->command))
			queue_wait_first(queue, work);
		else if (submit_is_prepared(queue, one->waits, one->n_waits))
			break;
	}
	cl_int rc = submit_command(queue, one->command, one->waits, one->n_waits, one->event, work);
	if (rc && one->event)
		event_done(one->event, rc, work);
	queue->lost |= rc && !one->event;
}

/* queue->lock is held at the beginning and the end; only one thread is here per queue. */
static void release_one(struct queue *queue, struct deferred *one, struct deferred_work *work)
{
	submit_deferred(queue, one, work);
	if (is_fence(one)) {
		queue->n_deferred_fences--;
		queue->released_fences++;
		queue->scan_deferred = true;
	}
	*one->link = one->next;
	if (one->next)
		one->next->link = one->link;
	else
		queue->deferred_end = one->link;
	one->link = NULL;
	if (!queue->deferred)
		pthread_cond_broadcast(&queue->changed);
	pthread_mutex_unlock(&queue->lock);
	deferred_leave(one);
	pthread_mutex_lock(&queue->lock);
}

void deferred_release(struct queue *queue, struct deferred *candidate, struct deferred_work *work)
{
	struct deferred *one;
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
		while ((one = next_ready(queue))) {
			release_one(queue, one, work);
			any = true;
		}
		queue->releasing = false;
	}
	/* a flush while they were deferred was for them, too */
	any |= queue->stalled;
	if (any)
		(void)queue_push(queue, work);
	pthread_mutex_unlock(&queue->lock);
	if (any)
		poller_add(queue);
}
