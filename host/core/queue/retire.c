// SPDX-License-Identifier: MIT
#include "core/batch/batch.h"
#include "core/queue/deferred_work.h"
#include "core/batch/printf_buffer.h"
#include "core/queue/profile.h"
#include "core/queue/queue.h"
#include "core/batch/recording.h"

#include <stdlib.h>
#include <time.h>

#define PRINT_NS    20000
#define PRINT_TRIES 1000

/* Ends the events of a batch; those that the device signalled get their times. */
void queue_end_events(struct batch *batch, cl_int status, struct deferred_work *work)
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
		if (l0_queue_settle(batch->target.l0))
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
void queue_let_go(struct batch *batch, struct deferred_work *work)
{
	batch->retired = true;
	if (batch->pins)
		return;
	if (batch->queue->unsettled && batch->driver_prints)
		keep_kernels(batch->queue, batch);
	batch->next = work->retired;
	work->retired = batch;
}

void queue_unpin(struct batch *batch, struct deferred_work *work)
{
	if (!--batch->pins && batch->retired)
		queue_let_go(batch, work);
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
		work->lost = queue->device->l0;
		queue->lost |= batch->n_commands > batch->n_events;
	}
	queue_end_events(batch, is_done ? CL_COMPLETE : CL_OUT_OF_RESOURCES, work);
	queue->first = batch->next;
	if (!queue->first)
		queue->last = NULL;
	queue->n_batches--;
	queue_let_go(batch, work);
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
void queue_retire_all(struct queue *queue, struct deferred_work *work)
{
	while (queue->in_epilogue)
		pthread_cond_wait(&queue->changed, &queue->lock);
	queue_retire(queue, work);
}
