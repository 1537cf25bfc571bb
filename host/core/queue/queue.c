// SPDX-License-Identifier: MIT
#include "core/queue/queue.h"

#include "core/batch/batch.h"
#include "core/batch/command.h"
#include "core/base/error.h"
#include "core/queue/submit.h"
#include "core/queue/deferred.h"
#include "core/queue/deferred_work.h"
#include "core/queue/order.h"
#include "core/queue/schedule.h"
#include "core/batch/printf_buffer.h"
#include "core/queue/profile.h"
#include "l0/l0_memory.h"
#include "l0/l0_order.h"

#include <string.h>

#define FULL_BATCH     256 /* commands */
#define EAGER_GROWTH   16
#define MAX_BATCHES    64			  /* on the device, of one queue */
#define MAX_STAGED     ((size_t)64 * 1024 * 1024) /* bytes, of one queue */
#define BLOCKING_TRIES 4

bool queue_is_idle(const struct queue *queue)
{
	return !queue->first && (!queue->open || !queue->open->n_commands);
}

static cl_int submit_list(struct batch *batch)
{
	const struct l0_context *l0 = batch->target.context->l0;

	if (!batch->order)
		return l0_list_submit(batch->list);
	l0_order_enter(l0, batch->order);
	cl_int rc = l0_list_submit(batch->list);
	l0_order_enter(l0, 0);
	return rc;
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
		rc = submit_list(batch);
	if (rc) {
		queue->n_epilogues -= batch->n_epilogues;
		queue->lost |= batch->n_commands > batch->n_events;
		queue_end_events(batch, rc, work);
		queue_let_go(batch, work);
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

	if (!queue->burst++)
		queue->burst_began = l0_host_clock();
	if (n && !queue->first && n >= queue->eager) {
		push_to_idle(queue, work);
	} else if (n >= FULL_BATCH) {
		(void)queue_push(queue, work);
	}
}

bool queue_is_full(const struct queue *queue, const struct command *command)
{
	if (queue_is_idle(queue))
		return false;
	return queue->n_batches >= MAX_BATCHES || atomic_load(&queue->staged) >= MAX_STAGED ||
	       (queue->first && command_prints(command, queue->place) &&
		       print_is_short(queue->context));
}

cl_int queue_check_waits(const struct queue *queue, const struct event_args *events)
{
	const cl_event *waits = events->waits;

	REQUIRE(!events->n_waits == !waits, CL_INVALID_EVENT_WAIT_LIST);
	for (cl_uint i = 0; i < events->n_waits; i++)
		REQUIRE(event_from(waits[i]), CL_INVALID_EVENT_WAIT_LIST);
	for (cl_uint i = 0; i < events->n_waits; i++)
		REQUIRE(event_from(waits[i])->base.context == queue->context, CL_INVALID_CONTEXT);
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
		queue_settle(queue);
		pthread_mutex_lock(&queue->lock);
		idle = queue_is_idle(queue) && !queue->deferred;
		pthread_mutex_unlock(&queue->lock);
	}
}

/* Whether it matters now what the device has done meanwhile: asking has its price. */
static bool should_retire(const struct queue *queue, const struct command *command)
{
	return command->kind != COMMAND_LAUNCH || queue->deferred || !queue->open ||
	       queue->open->n_commands + 1 >= queue->eager;
}

/*
 * Locks queue->lock and returns whether the command must be deferred. If not, all that it waits for
 * is done, on the device, or in this queue, and there is room for it: whenever the lock was
 * released for that, everything is looked at again.
 */
static bool lock_and_choose(struct queue *queue, const struct command *command,
	struct event *const *waits, unsigned n_waits, struct deferred_work *work)
{
	for (;;) {
		submit_lock(queue, waits, n_waits);
		if (should_retire(queue, command))
			queue_retire(queue, work);
		if (deferred_is_needed(queue, command, waits, n_waits) ||
			(!event_any_failed(waits, n_waits) &&
				schedule_choose(queue, command, waits, n_waits) == SCHEDULE_LATER))
			return true;
		if (queue_is_full(queue, command))
			queue_wait_first(queue, work);
		else if (submit_is_prepared(queue, waits, n_waits))
			return false;
		pthread_mutex_unlock(&queue->lock);
	}
}

/* Submits the command or defers it. */
static cl_int place(struct queue *queue, const struct command *command, struct event *const *waits,
	unsigned n_waits, struct event *event)
{
	struct deferred_work work = { 0 };
	struct deferred *candidate = NULL;
	cl_int rc;

	bool defer = lock_and_choose(queue, command, waits, n_waits, &work);
	if (defer) {
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
	uint32_t order = 0;

	pthread_mutex_lock(&queue->lock);
	bool may = !queue->lost && !deferred_is_needed(queue, command, waits, n_waits) &&
		   !event_any_failed(waits, n_waits) &&
		   schedule_choose(queue, command, waits, n_waits) == SCHEDULE_HOST;
	if (may)
		order = submit_on_host(queue, command, waits, n_waits, NULL, &work);
	/* a blocking command flushes; there may be something in an out-of-order queue */
	if (may && !queue_is_idle(queue))
		(void)queue_push(queue, &work);
	pthread_mutex_unlock(&queue->lock);
	deferred_work_run(queue->context, &work);
	l0_order_see(queue->context->l0, order);
	return may;
}

bool queue_is_steady(const struct queue *queue)
{
	const struct batch *open = queue->open;
	unsigned n = open ? open->n_commands + 1 : 0;

	return n > 1 && n < queue->eager && n < FULL_BATCH && queue->burst && !queue->deferred &&
	       !queue->n_turns && !queue->order.is_wanted && queue->n_batches < MAX_BATCHES &&
	       atomic_load(&queue->staged) < MAX_STAGED && !l0_list_is_doomed(open->list);
}

/* For reports of the device: what a command other than a kernel's launch writes. */
static void tell_written(const struct queue *queue, const struct command *command)
{
	const struct l0_context *l0 = queue->context->l0;
	const struct box_copy *copy = &command->copy;

	if (command->kind == COMMAND_LAUNCH || !l0_memory_is_checked(l0))
		return;
	if (command->kind == COMMAND_FILL)
		l0_memory_written(l0, command->fill.to, command->fill.size);
	if (command->kind == COMMAND_COPY && copy->region[0] && copy->region[1] && copy->region[2])
		l0_memory_written(l0, box_start(&copy->to),
			copy->region[0] + (copy->region[1] - 1) * copy->to.row_pitch +
				(copy->region[2] - 1) * copy->to.slice_pitch);
	for (unsigned i = 0; command->kind == COMMAND_IMAGE && i < COMMAND_MAX_MEMS; i++)
		if (command->mems[i] && !command->mems[i]->image)
			l0_memory_written(l0, command->mems[i]->address, 0);
}

/* What one device alone reaches is for its queues, and not for the host. */
static cl_int check_reach(const struct queue *queue, struct command *command)
{
	for (unsigned i = 0; i < COMMAND_MAX_MEMS; i++) {
		const struct mem *mem = command->mems[i];

		if (!mem || !mem->only)
			continue;
		REQUIRE(mem->only == queue->device,
			error_say(CL_INVALID_OPERATION, "the memory is of another device"));
		REQUIRE(command->kind != COMMAND_COPY || !box_copy_is_wide(&command->copy),
			error_say(CL_OUT_OF_RESOURCES,
				"the device cannot copy rows or slices that are 4 GB apart"));
		command->where = COMMAND_ON_DEVICE;
	}
	return CL_SUCCESS;
}

cl_int queue_submit(struct queue *queue, struct command *command, const struct event_args *events)
{
	/* handles are pointers to the objects */
	struct event *const *waits = (struct event *const *)(const void *)events->waits;
	cl_uint n_waits = events->n_waits;
	struct event *made = NULL;
	cl_int rc = check_reach(queue, command);

	if (rc)
		return rc;
	tell_written(queue, command);
	if (queue->record)
		return queue->record(queue, command);
	if ((rc = queue_check_waits(queue, events)))
		return rc;
	if (command->blocking && !events->event && do_at_once(queue, command, waits, n_waits))
		return CL_SUCCESS;
	if (events->event || command->blocking)
		TRY(event_create(queue, command->type, EVENT_DEFERRED, &made));
	if (command->blocking && command->kind != COMMAND_LAUNCH)
		wait_before_blocking(queue, waits, n_waits);
	TRY(place(queue, command, waits, n_waits, made));
	if (command->blocking) {
		if (queue->out_of_order)
			(void)queue_flush(queue);
		TRY(event_wait_done(made));
		order_see(made);
		TRY(queue_take_loss(queue));
	}
	if (events->event)
		*events->event = event_handle(made);
	else
		event_put(made);
	return CL_SUCCESS;
fail:
	event_put(made);
	return rc;
}
