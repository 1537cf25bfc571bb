// SPDX-License-Identifier: MIT
#include "core/queue/queue.h"

#include "core/queue/batch.h"
#include "core/queue/command.h"
#include "core/queue/recording.h"
#include "core/base/error.h"
#include "core/queue/submit.h"
#include "core/queue/deferred.h"
#include "core/queue/schedule.h"
#include "core/queue/printf_buffer.h"
#include "core/queue/profile.h"
#include "core/queue/callback_thread.h"
#include "core/queue/poller.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FULL_BATCH	 256 /* commands */
#define EAGER_GROWTH	 16
#define MAX_EAGER	 64
#define LONG_BURST	 64
#define MAX_BATCHES	 64			    /* on the device, of one queue */
#define MAX_STAGED	 ((size_t)64 * 1024 * 1024) /* bytes, of one queue */
#define MAX_SPARE	 4
#define USED_BATCHES	 3 /* a queue that was used less often keeps none */
#define MAX_SPARE_OF_ALL 8 /* of a context's queues together */
#define BLOCKING_TRIES	 4
#define FOREVER		 UINT64_MAX
#define MAX_REPORT_BYTES 4096
#define PRINT_NS	 20000
#define PRINT_TRIES	 1000

/* A batch has some 100 KiB: hundreds of queues do not have some each. */
static bool may_keep(struct context *context)
{
	bool may = atomic_fetch_add(&context->n_spare_batches, 1) < MAX_SPARE_OF_ALL;

	if (!may)
		atomic_fetch_sub(&context->n_spare_batches, 1);
	return may;
}

/* Keeps an empty batch for later; false if there are enough. queue->lock is held. */
static bool keep(struct queue *queue, struct batch *batch)
{
	if (queue->serial < USED_BATCHES || queue->n_spare >= MAX_SPARE ||
		!may_keep(queue->context))
		return false;
	batch->next = queue->spare;
	queue->spare = batch;
	queue->n_spare++;
	return true;
}

/* queue->lock is held. */
static struct batch *take_spare(struct queue *queue, struct batch **link)
{
	struct batch *batch = *link;

	if (!batch)
		return NULL;
	*link = batch->next;
	batch->next = NULL;
	queue->n_spare--;
	atomic_fetch_sub(&queue->context->n_spare_batches, 1);
	return batch;
}

bool queue_open_again(struct queue *queue, const struct batch_launch *launch, unsigned n_objs)
{
	struct batch **link = &queue->spare;

	while (*link && memcmp(&(*link)->launch, launch, sizeof(*launch)) != 0)
		link = &(*link)->next;
	struct batch *batch = take_spare(queue, link);
	if (batch && (batch_reserve(batch, n_objs, 0, 0, 0) || l0_list_renew(batch->list))) {
		batch_destroy(batch);
		batch = NULL;
	}
	if (!batch)
		return false;
	queue->open = batch;
	batch->serial = ++queue->serial;
	return true;
}

static void recycle(struct batch *batch)
{
	struct queue *queue = batch->queue;
	cl_int rc = batch_empty(batch);

	pthread_mutex_lock(&queue->lock);
	bool kept = !rc && keep(queue, batch);
	pthread_mutex_unlock(&queue->lock);
	if (!kept)
		batch_destroy(batch);
}

static void recycle_all(struct deferred_work *work)
{
	for (unsigned i = 0; i < work->n_kept; i++)
		obj_put(work->kept[i]);
	free(work->kept);
	work->kept = NULL;
	work->n_kept = 0;
	while (work->retired) {
		struct batch *batch = work->retired;

		work->retired = batch->next;
		recycle(batch);
	}
}

static void call_back(struct deferred_work *work)
{
	if (work->calls)
		callback_thread_add(work->calls, work->last_call);
	work->calls = work->last_call = NULL;
	event_run_continuations(work);
}

static void report_loss(struct context *context)
{
	char text[MAX_REPORT_BYTES];

	l0_device_loss_report(context->devices[0]->l0, text, sizeof(text));
	context_report(context, text);
}

void deferred_work_run(struct context *context, struct deferred_work *work)
{
	recycle_all(work);
	call_back(work);
	while (work->dependents) {
		struct event_dependent *dependent = work->dependents;
		struct queue *queue = dependent->queue;
		struct deferred *held = dependent->deferred; /* NULL for queue->wake */

		work->dependents = dependent->next;
		if (dependent == &queue->wake) {
			pthread_mutex_lock(&queue->lock);
			queue->waking = false;
			pthread_mutex_unlock(&queue->lock);
		} else {
			free(dependent);
		}
		deferred_release(queue, held, work);
		/* before the reference to the queue goes */
		recycle_all(work);
		call_back(work);
		queue_put(queue);
	}
	if (work->lost)
		report_loss(context);
	work->lost = false;
}

bool queue_is_idle(const struct queue *queue)
{
	return !queue->first && (!queue->open || !queue->open->n_commands);
}

/* Ends the events of a batch; those that the device signalled get their times. */
static void end_events(struct batch *batch, cl_int status, struct deferred_work *work)
{
	for (unsigned i = 0; i < batch->n_events; i++) {
		struct event *event = batch->events[i];

		if (!status && event_stage(event) != EVENT_DONE)
			profile_event(batch, event);
		event->batch = NULL;
	}
	event_all_done(batch->events, batch->n_events, status, work);
}

/* The driver may still look at the kernels of a batch of the queue; see l0_queue_settle. */
static void keep_kernels(struct queue *queue, const struct batch *batch)
{
	for (unsigned i = 0; i < batch->n_objs; i++) {
		struct obj *obj = batch->objs[i];
		unsigned at = 0;

		if (obj->kind == OBJ_RECORDING)
			keep_kernels(queue, ((struct recording *)(void *)obj)->batch);
		if (obj->kind != OBJ_KERNEL)
			continue;
		while (at < queue->n_kept && queue->kept[at] != obj)
			at++;
		if (at < queue->n_kept)
			continue;
		struct obj **kept =
			reallocarray(queue->kept, queue->n_kept + 1, sizeof(*queue->kept));
		obj_get(obj);
		if (!kept)
			continue; /* out of memory: the kernel stays for ever */
		queue->kept = kept;
		queue->kept[queue->n_kept++] = obj;
	}
}

/*
 * What kernels of a batch that is done printed shall be seen before it is known to be done. The
 * driver, where it prints, does so as soon as it knows itself, a moment later, unless other batches
 * follow.
 */
static void have_driver_print(const struct batch *batch)
{
	const struct timespec pause = { 0, PRINT_NS };

	for (int i = 0; batch->driver_prints && i < PRINT_TRIES; i++) {
		if (l0_queue_settle(batch->queue->l0))
			return;
		nanosleep(&pause, NULL);
	}
}

/* When the driver has looked, the kernels may go, once no lock is held. */
static void settle_driver(struct queue *queue, struct deferred_work *work)
{
	queue->unsettled = !l0_queue_settle(queue->l0);
	if (queue->unsettled || !queue->n_kept || work->kept)
		return;
	work->kept = queue->kept;
	work->n_kept = queue->n_kept;
	queue->kept = NULL;
	queue->n_kept = 0;
}

/* The batch, which is no longer the queue's, goes to the work as soon as nobody looks at it.
 */
static void let_go(struct batch *batch, struct deferred_work *work)
{
	batch->retired = true;
	if (batch->pins)
		return;
	if (batch->queue->unsettled && batch->driver_prints)
		keep_kernels(batch->queue, batch);
	batch->next = work->retired;
	work->retired = batch;
}

static void unpin(struct batch *batch, struct deferred_work *work)
{
	if (!--batch->pins && batch->retired)
		let_go(batch, work);
}

void queue_wake(struct queue *queue, struct deferred_work *work)
{
	if (queue->waking)
		return;
	queue->waking = true;
	queue->wake.queue = queue_get(queue);
	queue->wake.next = work->dependents;
	work->dependents = &queue->wake;
}

/* What the host does after a batch: its part of transfers, and prints. Locks: none. */
static void batch_run_epilogue(struct batch *batch, bool is_done, bool is_last)
{
	for (unsigned i = 0; is_done && i < batch->n_epilogues; i++)
		box_copy_run(&batch->epilogues[i]);
	if (is_done && is_last)
		have_driver_print(batch);
	print_end(batch, true);
}

/* Ends the oldest batch, which is done or lost. */
static void retire_first(struct queue *queue, enum l0_progress progress, struct deferred_work *work)
{
	struct batch *batch = queue->first;
	bool is_done = progress == L0_DONE, is_last = batch == queue->last;

	if (batch->n_epilogues || batch->prints || batch->driver_prints) {
		queue->in_epilogue = true;
		pthread_mutex_unlock(&queue->lock);
		batch_run_epilogue(batch, is_done, is_last);
		pthread_mutex_lock(&queue->lock);
		queue->in_epilogue = false;
		batch->prints = false;
		pthread_cond_broadcast(&queue->changed);
	}
	queue->n_epilogues -= batch->n_epilogues;
	queue->unsettled |= batch->driver_prints;
	if (!is_done) {
		work->lost = true;
		queue->lost |= batch->n_commands > batch->n_events;
	}
	end_events(batch, is_done ? CL_COMPLETE : CL_OUT_OF_RESOURCES, work);
	queue->first = batch->next;
	if (!queue->first)
		queue->last = NULL;
	queue->n_batches--;
	let_go(batch, work);
}

void queue_retire(struct queue *queue, struct deferred_work *work)
{
	enum l0_progress progress;
	bool any = false;

	while (queue->first && !queue->in_epilogue &&
		(progress = l0_list_status(queue->first->list, NULL)) != L0_PENDING) {
		retire_first(queue, progress, work);
		any = true;
	}
	if (queue->unsettled && any)
		settle_driver(queue, work);
	if (queue->stalled && any)
		queue_wake(queue, work);
}

/* The same, after an epilogue that another thread does. */
static void queue_retire_all(struct queue *queue, struct deferred_work *work)
{
	while (queue->in_epilogue)
		pthread_cond_wait(&queue->changed, &queue->lock);
	queue_retire(queue, work);
}

cl_int queue_push(struct queue *queue, struct deferred_work *work)
{
	struct batch *batch = queue->open;

	if (!batch || !batch->n_commands)
		return CL_SUCCESS;
	queue->open = NULL;
	profile_submit(batch);
	for (unsigned i = 0; i < batch->n_events; i++)
		event_set_time(batch->events[i], EVENT_SUBMIT, batch->submit_ns);
	cl_int rc = batch->signal ? l0_list_barrier(batch->list, batch->signal) : CL_SUCCESS;
	if (!rc)
		rc = l0_list_submit(batch->list);
	if (rc) {
		queue->n_epilogues -= batch->n_epilogues;
		queue->lost |= batch->n_commands > batch->n_events;
		end_events(batch, rc, work);
		let_go(batch, work);
		return rc;
	}
	batch->next = NULL;
	if (queue->last)
		queue->last->next = batch;
	else
		queue->first = batch;
	queue->last = batch;
	queue->n_batches++;
	event_submitted(batch->events, batch->n_events, l0_list_losses(batch->list), work);
	return CL_SUCCESS;
}

/*
 * Somebody waits: the next command starts at once. But who enqueues hundreds between two waits is
 * better served when the device gets a piece of the work that is worth a submission, which costs as
 * much as ten to fifteen commands.
 */
static void end_burst(struct queue *queue)
{
	if (!queue->burst)
		return;
	queue->eager = queue->burst / 2 < MAX_EAGER ? queue->burst / 2 : MAX_EAGER;
	if (queue->burst < LONG_BURST)
		queue->eager = 1;
	queue->burst = 0;
}

/* An idle device starts at once, but who enqueues faster than it works batches more and more until
 * somebody waits. */
static void push_to_idle(struct queue *queue, struct deferred_work *work)
{
	queue->eager =
		queue->eager * EAGER_GROWTH < FULL_BATCH ? queue->eager * EAGER_GROWTH : FULL_BATCH;
	(void)queue_push(queue, work);
}

void queue_pace(struct queue *queue, struct deferred_work *work)
{
	unsigned n = queue->open ? queue->open->n_commands : 0;

	queue->burst++;
	if (n && !queue->first && n >= queue->eager) {
		push_to_idle(queue, work);
	} else if (n >= FULL_BATCH) {
		(void)queue_push(queue, work);
	}
}

cl_int queue_open(struct queue *queue, struct deferred_work *work)
{
	/* what is to come now shall not fail with it */
	if (queue->open && l0_list_is_doomed(queue->open->list))
		(void)queue_push(queue, work);
	if (queue->open)
		return CL_SUCCESS;
	struct batch *batch = take_spare(queue, &queue->spare);
	if (batch && batch_reset(batch)) {
		batch_destroy(batch);
		batch = NULL;
	}
	cl_int rc = batch ? CL_SUCCESS : batch_create(queue, &batch);
	if (rc)
		return rc;
	queue->open = batch;
	batch->serial = ++queue->serial;
	return CL_SUCCESS;
}

bool queue_is_full(const struct queue *queue, const struct command *command)
{
	if (queue_is_idle(queue))
		return false;
	return queue->n_batches >= MAX_BATCHES || atomic_load(&queue->staged) >= MAX_STAGED ||
	       (queue->first && command_prints(command) && print_is_short(queue->context));
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
	unpin(batch, work);
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
	call_back(work);
	(void)l0_list_wait_host(batch->list, signal, timeout_ns);
	l0_event_release(signal);
	pthread_mutex_lock(&queue->lock);
	queue_retire_all(queue, work);
	unpin(batch, work);
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
	if (timeout_ns && event_stage(event) == EVENT_DEVICE && event->batch) {
		wait_unlocked(queue, event->batch, event, timeout_ns, &work);
		check_event(event, &work);
	}
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
		unpin(batch, &work);
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
static void settle(struct queue *queue)
{
	struct deferred_work work = { 0 };

	pthread_mutex_lock(&queue->lock);
	while (queue->deferred || queue->n_turns)
		pthread_cond_wait(&queue->changed, &queue->lock);
	end_burst(queue);
	(void)queue_push(queue, &work);
	queue_retire(queue, &work);
	if (queue->last)
		wait_unlocked(queue, queue->last, NULL, FOREVER, &work);
	pthread_mutex_unlock(&queue->lock);
	deferred_work_run(queue->context, &work);
}

/* Whether commands were lost of which nobody was told; tells once. */
static cl_int take_loss(struct queue *queue)
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

	settle(queue);
	return take_loss(queue);
}

static cl_int check_waits(struct queue *queue, cl_uint n_wait, const cl_event *wait)
{
	REQUIRE(!n_wait == !wait, CL_INVALID_EVENT_WAIT_LIST);
	for (cl_uint i = 0; i < n_wait; i++)
		REQUIRE(event_from(wait[i]), CL_INVALID_EVENT_WAIT_LIST);
	for (cl_uint i = 0; i < n_wait; i++)
		REQUIRE(event_from(wait[i])->base.context == queue->context, CL_INVALID_CONTEXT);
	return CL_SUCCESS;
}

/* So that a blocking transfer finds the queue idle and is done by the host. */
static void wait_before_blocking(struct queue *queue, struct event *const *waits, unsigned n_waits)
{
	bool idle = false;

	for (unsigned i = 0; i < n_waits; i++)
		(void)event_wait_done(waits[i]);
	/* what the command does not wait for, an out-of-order queue does not */
	for (int i = 0; i < BLOCKING_TRIES && !idle && !queue->out_of_order; i++) {
		settle(queue);
		pthread_mutex_lock(&queue->lock);
		idle = queue_is_idle(queue) && !queue->deferred;
		pthread_mutex_unlock(&queue->lock);
	}
}

static bool any_failed(struct event *const *waits, unsigned n_waits)
{
	for (unsigned i = 0; i < n_waits; i++)
		if (event_result(waits[i]) < 0)
			return true;
	return false;
}

/* Whether it matters now what the device has done meanwhile: asking has its price. */
static bool should_retire(const struct queue *queue, const struct command *command)
{
	return command->kind != COMMAND_LAUNCH || queue->deferred || !queue->open ||
	       queue->open->n_commands + 1 >= queue->eager;
}

/*
 * Locks queue->lock and returns whether the command must be held. If not, all that it waits for is
 * done, on the device, or in this queue, and there is room for it: whenever the lock was released
 * for that, everything is looked at again.
 */
static bool lock_and_choose(struct queue *queue, const struct command *command,
	struct event *const *waits, unsigned n_waits, struct deferred_work *work)
{
	for (;;) {
		submit_lock(queue, waits, n_waits);
		if (should_retire(queue, command))
			queue_retire(queue, work);
		if (deferred_is_needed(queue, command, waits, n_waits) ||
			(!any_failed(waits, n_waits) &&
				schedule_choose(queue, command, waits, n_waits) == SCHEDULE_LATER))
			return true;
		if (queue_is_full(queue, command))
			queue_wait_first(queue, work);
		else if (submit_is_prepared(queue, waits, n_waits))
			return false;
		pthread_mutex_unlock(&queue->lock);
	}
}

/* Executes the command or holds it. */
static cl_int place(struct queue *queue, const struct command *command, struct event *const *waits,
	unsigned n_waits, struct event *event)
{
	struct deferred_work work = { 0 };
	struct deferred *candidate = NULL;
	cl_int rc;

	bool hold = lock_and_choose(queue, command, waits, n_waits, &work);
	if (hold) {
		rc = deferred_add(queue, command, waits, n_waits, event, &candidate);
	} else {
		rc = submit_command(queue, command, waits, n_waits, event, &work);
		queue_pace(queue, &work);
	}
	pthread_mutex_unlock(&queue->lock);
	if (candidate)
		deferred_release(queue, candidate, &work);
	deferred_work_run(queue->context, &work);
	return rc;
}

/* Does a blocking transfer if nothing is left that it waits for; false if it goes the long way. */
static bool do_at_once(struct queue *queue, const struct command *command,
	struct event *const *waits, unsigned n_waits)
{
	struct deferred_work work = { 0 };

	pthread_mutex_lock(&queue->lock);
	bool may = !queue->lost && !deferred_is_needed(queue, command, waits, n_waits) &&
		   !any_failed(waits, n_waits) &&
		   schedule_choose(queue, command, waits, n_waits) == SCHEDULE_HOST;
	if (may)
		submit_on_host(queue, command, NULL, &work);
	/* a blocking command flushes; there may be something in an out-of-order queue */
	if (may && !queue_is_idle(queue))
		(void)queue_push(queue, &work);
	pthread_mutex_unlock(&queue->lock);
	deferred_work_run(queue->context, &work);
	return may;
}

cl_int queue_submit(struct queue *queue, struct command *command, cl_uint n_wait,
	const cl_event *wait, cl_event *event)
{
	/* handles are pointers to the objects */
	struct event *const *waits = (struct event *const *)(const void *)wait;
	struct event *made = NULL;

	if (queue->record)
		return queue->record(queue, command);
	cl_int rc = check_waits(queue, n_wait, wait);
	if (rc)
		return rc;
	if (command->blocking && !event && do_at_once(queue, command, waits, n_wait))
		return CL_SUCCESS;
	if (event || command->blocking)
		TRY(event_create(queue, command->type, &made));
	if (command->blocking && command->kind != COMMAND_LAUNCH)
		wait_before_blocking(queue, waits, n_wait);
	TRY(place(queue, command, waits, n_wait, made));
	if (command->blocking) {
		if (queue->out_of_order)
			(void)queue_flush(queue);
		TRY(event_wait_done(made));
		TRY(take_loss(queue));
	}
	if (event)
		*event = event_handle(made);
	else
		event_put(made);
	return CL_SUCCESS;
fail:
	event_put(made);
	return rc;
}
