// SPDX-License-Identifier: MIT
#include "core/batch/batch.h"
#include "core/queue/queue.h"

#include <string.h>

#define MAX_SPARE	 4
#define USED_BATCHES	 3 /* a queue that was used less often keeps none */
#define MAX_SPARE_OF_ALL 8 /* of a context's queues together */

/* A batch has some 100 KiB: hundreds of queues do not have some each. */
static bool may_keep_spare(struct context *context)
{
	bool may = atomic_fetch_add(&context->n_spare_batches, 1) < MAX_SPARE_OF_ALL;

	if (!may)
		atomic_fetch_sub(&context->n_spare_batches, 1);
	return may;
}

/* Keeps an empty batch for later; false if there are enough. queue->lock is held. */
static bool keep_spare(struct queue *queue, struct batch *batch)
{
	if (queue->serial < USED_BATCHES || queue->n_spare >= MAX_SPARE ||
		!may_keep_spare(queue->context))
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

void queue_recycle(struct batch *batch)
{
	struct queue *queue = batch->queue;

	for (unsigned i = 0; i < batch->n_events; i++)
		event_put(batch->events[i]);
	batch->n_events = 0;
	cl_int rc = batch_empty(batch);

	pthread_mutex_lock(&queue->lock);
	bool kept = !rc && keep_spare(queue, batch);
	pthread_mutex_unlock(&queue->lock);
	if (!kept)
		batch_destroy(batch);
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
	if (!batch) {
		const struct batch_target target = queue_target(queue);
		cl_int rc = batch_create(&target, &batch);

		if (rc)
			return rc;
		batch->queue = queue;
	}
	queue->open = batch;
	batch->serial = ++queue->serial;
	return CL_SUCCESS;
}
