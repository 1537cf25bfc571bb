// SPDX-License-Identifier: MIT
#include "core/queue/deferred_work.h"

#include "core/batch/batch.h"
#include "core/base/callback_thread.h"
#include "core/queue/deferred.h"
#include "core/queue/queue.h"

#include <stdlib.h>

#define MAX_REPORT_BYTES 4096

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
		queue_recycle(batch);
	}
}

void deferred_work_call(struct deferred_work *work)
{
	if (work->calls)
		callback_thread_add(work->calls, work->last_call);
	work->calls = work->last_call = NULL;
	event_run_continuations(work);
}

static void report_loss(struct context *context, struct l0_device *device)
{
	char text[MAX_REPORT_BYTES];

	l0_device_loss_report(device, text, sizeof(text));
	context_report(context, text);
}

void deferred_work_run(struct context *context, struct deferred_work *work)
{
	recycle_all(work);
	deferred_work_call(work);
	while (work->dependents) {
		struct event_dependent *dependent = work->dependents;
		struct queue *queue = dependent->queue;
		struct deferred *deferred = dependent->deferred; /* NULL for queue->wake */

		work->dependents = dependent->next;
		if (dependent == &queue->wake) {
			pthread_mutex_lock(&queue->lock);
			queue->waking = false;
			pthread_mutex_unlock(&queue->lock);
		} else {
			free(dependent);
		}
		deferred_release(queue, deferred, work);
		/* before the reference to the queue goes */
		recycle_all(work);
		deferred_work_call(work);
		queue_put(queue);
	}
	if (work->lost)
		report_loss(context, work->lost);
	work->lost = NULL;
}
