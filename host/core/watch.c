// SPDX-License-Identifier: MIT
#include "core/watch.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#define IDLE_SECONDS 2
#define STEP_NS	     1000000

struct call {
	struct call *next;
	struct event *event; /* a reference */
	event_notify_fn notify;
	cl_int status;
	void *user_data;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
/* under lock */
static struct call *calls, **calls_end = &calls;
static struct queue *queues; /* references; linked by watch_next */
static bool running;

static void do_call(void)
{
	struct call *call = calls;

	calls = call->next;
	if (!calls)
		calls_end = &calls;
	pthread_mutex_unlock(&lock);
	call->notify(event_handle(call->event), call->status, call->user_data);
	event_put(call->event);
	free(call);
	pthread_mutex_lock(&lock);
}

static void do_queue(void)
{
	struct queue *queue = queues;

	queues = queue->watch_next;
	queue->watch_next = NULL;
	queue->watched = false;
	pthread_mutex_unlock(&lock);
	if (queue_step(queue, STEP_NS))
		watch_queue(queue);
	queue_put(queue);
	pthread_mutex_lock(&lock);
}

static bool sleep_long(void)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += IDLE_SECONDS;
	return !pthread_cond_timedwait(&work, &lock, &until);
}

static void *watcher(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	do {
		while (calls || queues) {
			if (calls)
				do_call();
			if (queues)
				do_queue();
		}
	} while (sleep_long() || calls || queues);
	running = false;
	pthread_mutex_unlock(&lock);
	return NULL;
}

/* Starts the thread or wakes it; the lock is held. The application's signals are not for it. */
static cl_int wake(void)
{
	pthread_attr_t attr;
	pthread_t thread;
	sigset_t all, old;

	if (running) {
		pthread_cond_signal(&work);
		return CL_SUCCESS;
	}
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	running = !pthread_create(&thread, &attr, watcher, NULL);
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return running ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

void watch_queue(struct queue *queue)
{
	pthread_mutex_lock(&lock);
	if (!queue->watched && !wake()) {
		struct queue **end = &queues;

		while (*end)
			end = &(*end)->watch_next;
		*end = queue_get(queue);
		queue->watched = true;
	}
	pthread_mutex_unlock(&lock);
}

cl_int watch_call(struct event *event, event_notify_fn notify, cl_int status, void *user_data)
{
	struct call *call = calloc(1, sizeof(*call));

	if (!call)
		return CL_OUT_OF_HOST_MEMORY;
	call->event = event_get(event);
	call->notify = notify;
	call->status = status;
	call->user_data = user_data;
	pthread_mutex_lock(&lock);
	cl_int rc = wake();
	if (!rc) {
		*calls_end = call;
		calls_end = &call->next;
	}
	pthread_mutex_unlock(&lock);
	if (rc) {
		event_put(event);
		free(call);
	}
	return rc;
}
