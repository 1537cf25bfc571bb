// SPDX-License-Identifier: MIT
#include "core/base/error.h"
#include "core/batch/batch.h"
#include "core/queue/deferred_work.h"
#include "core/queue/order.h"
#include "core/queue/poller.h"
#include "core/queue/profile.h"
#include "core/queue/queue.h"

#include <limits.h>

#define MAX_EAGER  64
#define LONG_BURST 64
#define MANY_LAGS  2
#define FOREVER	   UINT64_MAX

/*
 * Somebody waits: the next command starts at once. But a program that enqueues hundreds between two
 * waits gains more if the first submission, which costs as much as ten to fifteen commands, has
 * half of them; and if there is only one, at the end, where the device does not lag.
 */
static void end_burst(struct queue *queue)
{
	if (!queue->burst)
		return;
	bool is_long = queue->burst >= LONG_BURST;
	unsigned piece = queue->burst / 2 < MAX_EAGER ? queue->burst / 2 : MAX_EAGER;
	queue->eager = !is_long ? 1 : queue->n_lags == MANY_LAGS ? piece : UINT_MAX;
	queue->burst_ns = is_long ? l0_host_clock() - queue->burst_began : 0;
	queue->burst = 0;
}

/* The time if a thread begins to wait for a long burst, else 0. */
static uint64_t begin_wait(const struct queue *queue)
{
	return queue->burst_ns ? l0_host_clock() : 0;
}

/*
 * A thread has waited since `began` (0: for no long burst). A device lags if that took longer than
 * the enqueueing; one that does not gains little from an early submission. Two waits in a row must
 * say so: one may be long because a thread did not get a processor.
 */
static void learn_lag(struct queue *queue, uint64_t began)
{
	if (!began || !queue->burst_ns)
		return;
	if (l0_host_clock() - began <= queue->burst_ns)
		queue->n_lags = 0;
	else if (queue->n_lags < MANY_LAGS)
		queue->n_lags++;
	queue->burst_ns = 0;
}

void queue_wait_first(struct queue *queue, struct deferred_work *work)
{
	struct batch *batch = queue->first;

	if (!batch) {
		(void)queue_push(queue, work);
		return;
	}
	batch->pins++;
	pthread_mutex_unlock(&queue->lock);
	(void)l0_list_wait_host(batch->list, NULL, FOREVER);
	pthread_mutex_lock(&queue->lock);
	queue_retire_all(queue, work);
	queue_unpin(batch, work);
}

void queue_drain(struct queue *queue, struct deferred_work *work)
{
	(void)queue_push(queue, work);
	while (queue->first) {
		(void)l0_list_wait_host(queue->last->list, NULL, FOREVER);
		queue_retire_all(queue, work);
	}
}

/*
 * Whether events may end before their batch: not while the host has a part to do in a command that
 * may be before theirs.
 */
static bool may_end_alone(const struct queue *queue)
{
	return !queue->n_epilogues;
}

/* Ends `event` alone if the device has signalled it and its batch goes on. */
static void check_event(struct event *event, struct deferred_work *work)
{
	struct batch *batch = event->batch;

	if (event_stage(event) != EVENT_DEVICE || !batch || batch->queue->in_epilogue ||
		batch->prints || !may_end_alone(batch->queue))
		return;
	if (l0_list_status(batch->list, event->signal) != L0_DONE)
		return;
	/* those before it in an in-order queue are done, and have their times before it has its */
	for (unsigned i = 0; !batch->queue->out_of_order && batch->events[i] != event; i++)
		if (event_stage(batch->events[i]) != EVENT_DONE) {
			profile_event(batch, batch->events[i]);
			event_done(batch->events[i], CL_COMPLETE, work);
		}
	profile_event(batch, event);
	event_done(event, CL_COMPLETE, work);
}

/* Waits for the batch, or for the event of it if that is not NULL, without the lock. */
static void wait_unlocked(struct queue *queue, struct batch *batch, struct event *event,
	uint64_t timeout_ns, struct deferred_work *work)
{
	unsigned losses;
	struct l0_event *signal = event && !batch->prints && may_end_alone(queue)
					  ? event_signal(event, &losses)
					  : NULL;

	batch->pins++;
	pthread_mutex_unlock(&queue->lock);
	deferred_work_call(work);
	(void)l0_list_wait_host(batch->list, signal, timeout_ns);
	l0_event_release(signal);
	pthread_mutex_lock(&queue->lock);
	queue_retire_all(queue, work);
	queue_unpin(batch, work);
}

/*
 * For who asks again and again and never waits: waits look by themselves. What is done must have
 * been retired before, because all the rest of the queue ends as lost.
 */
static void look_for_loss(struct queue *queue, struct deferred_work *work)
{
	struct l0_device *device = queue->device->l0;
	unsigned losses = l0_device_losses(device);

	l0_device_check(device);
	if (l0_device_losses(device) != losses)
		queue_retire(queue, work);
}

void queue_look(struct queue *queue, struct event *event, uint64_t timeout_ns)
{
	struct deferred_work work = { 0 };

	pthread_mutex_lock(&queue->lock);
	if (event_stage(event) == EVENT_OPEN)
		(void)queue_push(queue, &work);
	queue_retire(queue, &work);
	check_event(event, &work);
	if (timeout_ns)
		end_burst(queue);
	else if (event_stage(event) == EVENT_DEVICE)
		look_for_loss(queue, &work);
	uint64_t began = begin_wait(queue);
	if (timeout_ns && event_stage(event) == EVENT_DEVICE && event->batch) {
		wait_unlocked(queue, event->batch, event, timeout_ns, &work);
		check_event(event, &work);
	}
	learn_lag(queue, began);
	pthread_mutex_unlock(&queue->lock);
	deferred_work_run(queue->context, &work);
}

enum queue_state queue_step(struct queue *queue, bool push, uint64_t timeout_ns)
{
	struct deferred_work work = { 0 };

	pthread_mutex_lock(&queue->lock);
	queue->resting = false;
	if (push)
		(void)queue_push(queue, &work);
	queue_retire(queue, &work);
	struct batch *batch = queue->first;
	if (batch) {
		/* events that are done are told before the rest of their batch is */
		for (unsigned i = 0; i < batch->n_events; i++)
			check_event(batch->events[i], &work);
		batch->pins++;
		pthread_mutex_unlock(&queue->lock);
		deferred_work_run(queue->context, &work);
		(void)l0_list_doze(batch->list, timeout_ns);
		pthread_mutex_lock(&queue->lock);
		queue_retire(queue, &work);
		queue_unpin(batch, &work);
	}
	enum queue_state state = QUEUE_BUSY;
	if (!queue->first)
		state = queue_is_idle(queue) ? QUEUE_IDLE : QUEUE_RESTS;
	queue->resting = state == QUEUE_RESTS;
	pthread_mutex_unlock(&queue->lock);
	deferred_work_run(queue->context, &work);
	return state;
}

cl_int queue_flush(struct queue *queue)
{
	struct deferred_work work = { 0 };

	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);

	pthread_mutex_lock(&queue->lock);
	bool any = queue->open && queue->open->n_commands;
	bool awaited = queue->resting && any;
	cl_int rc = queue_push(queue, &work);
	/* asking has its price, and who enqueues next asks */
	if (!any || rc)
		queue_retire(queue, &work);
	queue->resting &= !awaited;
	pthread_mutex_unlock(&queue->lock);
	deferred_work_run(queue->context, &work);
	if (awaited)
		poller_wake();
	return rc;
}

/* Waits for what was enqueued before the call, held commands included. */
void queue_settle(struct queue *queue)
{
	struct deferred_work work = { 0 };

	pthread_mutex_lock(&queue->lock);
	while (queue->deferred || queue->n_turns)
		pthread_cond_wait(&queue->changed, &queue->lock);
	end_burst(queue);
	(void)queue_push(queue, &work);
	uint64_t began = begin_wait(queue);
	queue_retire(queue, &work);
	if (queue->last)
		wait_unlocked(queue, queue->last, NULL, FOREVER, &work);
	learn_lag(queue, began);
	pthread_mutex_unlock(&queue->lock);
	deferred_work_run(queue->context, &work);
}

/* Whether commands were lost of which nobody was told; tells once. */
cl_int queue_take_loss(struct queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	bool lost = queue->lost;
	queue->lost = false;
	pthread_mutex_unlock(&queue->lock);
	return lost ? error_say(CL_OUT_OF_RESOURCES, "commands before were lost") : CL_SUCCESS;
}

cl_int queue_finish(struct queue *queue)
{
	REQUIRE(queue, CL_INVALID_COMMAND_QUEUE);

	queue_settle(queue);
	order_see_all(queue);
	return queue_take_loss(queue);
}
