// SPDX-License-Identifier: MIT
#include "core/queue/poller.h"

#include "core/base/callback_thread.h"
#include "core/base/worker.h"
#include "l0/l0_process.h"

#include <time.h>

#define STEP_NS	 1000000 /* for one round through the queues */
#define FLUSH_NS 1000000 /* that a program has to flush by itself */

static bool step_queue(void);

/* under worker_lock */
static struct queue *queues, *last_queue; /* references; linked by poll_next */
static unsigned n_queues;
static unsigned n_resting; /* queues in a row that wanted nothing */
static struct worker poller = { .step = step_queue, .work = PTHREAD_COND_INITIALIZER };

/* worker_lock is held; the thread runs. */
static void add_queue(struct queue *queue, uint64_t flush)
{
	if (!queue->is_polled || queue->poll_flush > flush)
		queue->poll_flush = flush;
	if (queue->is_polled)
		return;
	atomic_store(&queue->is_polled, true);
	n_queues++;
	queue->poll_next = NULL;
	if (queues)
		last_queue->poll_next = queue_get(queue);
	else
		queues = queue_get(queue);
	last_queue = queue;
}

/* Sleeps until one of the queues may want something; the lock is held. */
static void rest(void)
{
	uint64_t until = l0_host_clock() + FLUSH_NS;
	const struct timespec time = { (time_t)(until / 1000000000), (long)(until % 1000000000) };

	n_resting = 0;
	(void)pthread_cond_clockwait(&poller.work, &worker_lock, CLOCK_MONOTONIC, &time);
}

static bool step_queue(void)
{
	struct queue *queue = queues;

	if (!queue)
		return false;
	queues = queue->poll_next;
	queue->poll_next = NULL;
	atomic_store(&queue->is_polled, false);
	obj_defer = callback_thread_destroy;
	uint64_t share = STEP_NS / n_queues--, now = l0_host_clock(), flush = queue->poll_flush;
	bool push = now >= flush;
	poller.busy = true;
	pthread_mutex_unlock(&worker_lock);
	enum queue_state state = queue_step(queue, push, share);
	pthread_mutex_lock(&worker_lock);
	if (state != QUEUE_IDLE && !worker_is_leaving)
		add_queue(queue, push ? now + FLUSH_NS : flush);
	n_resting = state == QUEUE_BUSY ? 0 : n_resting + 1;
	pthread_mutex_unlock(&worker_lock);
	queue_put(queue);
	pthread_mutex_lock(&worker_lock);
	poller.busy = false;
	if (queues && n_resting >= n_queues && !worker_is_leaving)
		rest();
	return true;
}

static void poller_add_until(struct queue *queue, uint64_t flush)
{
	pthread_mutex_lock(&worker_lock);
	if ((queue->is_polled && queue->poll_flush <= flush) || !worker_wake(&poller))
		add_queue(queue, flush);
	pthread_mutex_unlock(&worker_lock);
}

void poller_add(struct queue *queue)
{
	poller_add_until(queue, 0);
}

void poller_add_gently(struct queue *queue)
{
	/* one that is in the list is looked at after this */
	if (!atomic_load(&queue->is_polled))
		poller_add_until(queue, l0_host_clock() + FLUSH_NS);
}

void poller_wake(void)
{
	pthread_mutex_lock(&worker_lock);
	pthread_cond_signal(&poller.work);
	pthread_mutex_unlock(&worker_lock);
}
