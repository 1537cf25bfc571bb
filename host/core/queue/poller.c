// SPDX-License-Identifier: MIT
#include "core/queue/poller.h"

#include "l0/l0_life.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#define IDLE_SECONDS 2
#define STEP_NS	     1000000 /* for one round through the queues */
#define FLUSH_NS     1000000 /* that a program has to flush by itself */
#define LEAVE_NS     1000000 /* between looks whether a thread has stopped */
#define LEAVE_TRIES  1000

/* One thread and what it does one after the other, while there is something to do. */
struct watcher {
	bool (*step)(void); /* does one thing; false if there is nothing; `lock` is held */
	pthread_cond_t work;
	bool running;
	bool busy; /* in a step, without the lock */
};

static bool step_call(void);
static bool step_queue(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* under lock */
static struct watch_call *calls, **calls_end = &calls;
static struct queue *queues, *last_queue; /* references; linked by watch_next */
static unsigned n_queues;
static unsigned n_resting; /* looked at one after the other that want nothing */
/* A callback may take as long as it likes: the queues go on. */
static struct watcher caller = { .step = step_call, .work = PTHREAD_COND_INITIALIZER };
static struct watcher minder = { .step = step_queue, .work = PTHREAD_COND_INITIALIZER };
static bool leaving; /* the process ends, or the library goes */

static bool step_call(void)
{
	struct watch_call *call = calls;

	if (!call)
		return false;
	calls = call->next;
	if (!calls)
		calls_end = &calls;
	pthread_mutex_unlock(&lock);
	call->notify(event_handle(call->event), call->status, call->user_data);
	pthread_mutex_lock(&lock);
	if (leaving)
		return false; /* the driver may be gone: whatever the event holds stays */
	caller.busy = true;
	pthread_mutex_unlock(&lock);
	event_put(call->event);
	free(call);
	pthread_mutex_lock(&lock);
	caller.busy = false;
	return true;
}

/* `lock` is held; the thread runs. */
static void add_queue(struct queue *queue, uint64_t flush)
{
	if (!queue->watched || queue->watch_flush > flush)
		queue->watch_flush = flush;
	if (queue->watched)
		return;
	atomic_store(&queue->watched, true);
	n_queues++;
	queue->watch_next = NULL;
	if (queues)
		last_queue->watch_next = queue_get(queue);
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
	(void)pthread_cond_clockwait(&minder.work, &lock, CLOCK_MONOTONIC, &time);
}

static bool step_queue(void)
{
	struct queue *queue = queues;

	if (!queue)
		return false;
	queues = queue->watch_next;
	queue->watch_next = NULL;
	atomic_store(&queue->watched, false);
	uint64_t share = STEP_NS / n_queues--, now = l0_host_clock(), flush = queue->watch_flush;
	bool push = now >= flush;
	minder.busy = true;
	pthread_mutex_unlock(&lock);
	enum queue_state state = queue_step(queue, push, share);
	pthread_mutex_lock(&lock);
	if (state != QUEUE_IDLE && !leaving)
		add_queue(queue, push ? now + FLUSH_NS : flush);
	n_resting = state == QUEUE_BUSY ? 0 : n_resting + 1;
	pthread_mutex_unlock(&lock);
	queue_put(queue);
	pthread_mutex_lock(&lock);
	minder.busy = false;
	if (queues && n_resting >= n_queues && !leaving)
		rest();
	return true;
}

static bool sleep_long(struct watcher *watcher)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += IDLE_SECONDS;
	return !pthread_cond_timedwait(&watcher->work, &lock, &until);
}

static void *watch(void *data)
{
	struct watcher *watcher = data;

	l0_life_adopt_thread();
	pthread_mutex_lock(&lock);
	do {
		while (!leaving && watcher->step())
			;
	} while (!leaving && (sleep_long(watcher) || (!leaving && watcher->step())));
	watcher->running = false;
	pthread_mutex_unlock(&lock);
	return NULL;
}

/*
 * At exit, and when the library is unloaded: no thread of ours shall use the driver when it is
 * gone. A callback of the application's is not waited for, it may take as long as it likes.
 */
static void leave(void)
{
	const struct timespec pause = { 0, LEAVE_NS };

	/* the threads were the parent's, and so may be who holds the lock */
	if (l0_life_is_orphan())
		return;
	pthread_mutex_lock(&lock);
	leaving = true;
	pthread_cond_signal(&minder.work);
	pthread_cond_signal(&caller.work);
	for (int i = 0; i < LEAVE_TRIES && (minder.busy || caller.busy); i++) {
		pthread_mutex_unlock(&lock);
		nanosleep(&pause, NULL);
		pthread_mutex_lock(&lock);
	}
	pthread_mutex_unlock(&lock);
	l0_life_end();
}

/* The driver was loaded before, so that this comes before its own end. */
static void leave_at_exit(void)
{
	(void)atexit(leave);
}

/* Starts the thread or wakes it; the lock is held. The application's signals are not for it. */
static cl_int wake(struct watcher *watcher)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_attr_t attr;
	pthread_t thread;
	sigset_t all, old;

	if (leaving)
		return CL_OUT_OF_RESOURCES;
	pthread_once(&once, leave_at_exit);
	if (watcher->running) {
		pthread_cond_signal(&watcher->work);
		return CL_SUCCESS;
	}
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	watcher->running = !pthread_create(&thread, &attr, watch, watcher);
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return watcher->running ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static void watch_until(struct queue *queue, uint64_t flush)
{
	pthread_mutex_lock(&lock);
	if ((queue->watched && queue->watch_flush <= flush) || !wake(&minder))
		add_queue(queue, flush);
	pthread_mutex_unlock(&lock);
}

void watch_queue(struct queue *queue)
{
	watch_until(queue, 0);
}

void watch_queue_gently(struct queue *queue)
{
	/* one that is in the list is looked at after this */
	if (!atomic_load(&queue->watched))
		watch_until(queue, l0_host_clock() + FLUSH_NS);
}

void watch_flushed(void)
{
	pthread_mutex_lock(&lock);
	pthread_cond_signal(&minder.work);
	pthread_mutex_unlock(&lock);
}

void watch_calls(struct watch_call *first, struct watch_call *last)
{
	pthread_mutex_lock(&lock);
	*calls_end = first;
	calls_end = &last->next;
	(void)wake(&caller);
	pthread_mutex_unlock(&lock);
}
