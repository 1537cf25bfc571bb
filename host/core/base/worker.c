// SPDX-License-Identifier: MIT
#include "core/base/worker.h"

#include "l0/l0_process.h"
#include "util/util_thread.h"

#include <stdlib.h>
#include <time.h>

#define IDLE_SECONDS 2
#define LEAVE_NS     1000000 /* between looks whether a thread has stopped */
#define LEAVE_TRIES  1000

pthread_mutex_t worker_lock = PTHREAD_MUTEX_INITIALIZER;
bool worker_is_leaving;
static struct worker *workers; /* that were started; under worker_lock */

static bool sleep_long(struct worker *worker)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += IDLE_SECONDS;
	return !pthread_cond_timedwait(&worker->work, &worker_lock, &until);
}

static void *run(void *data)
{
	struct worker *worker = data;

	l0_process_adopt_thread();
	pthread_mutex_lock(&worker_lock);
	do {
		while (!worker_is_leaving && worker->step())
			;
	} while (!worker_is_leaving &&
		 (sleep_long(worker) || (!worker_is_leaving && worker->step())));
	worker->running = false;
	pthread_mutex_unlock(&worker_lock);
	return NULL;
}

static bool any_is_busy(void)
{
	for (const struct worker *worker = workers; worker; worker = worker->next)
		if (worker->busy)
			return true;
	return false;
}

/*
 * At exit, and when the library is unloaded: no worker may use the driver once it is gone.
 * Callbacks of the application are not waited for: they may take any time.
 */
static void leave(void)
{
	const struct timespec pause = { 0, LEAVE_NS };

	/* the threads were the parent's, and so may be who holds the lock */
	if (l0_process_is_orphan())
		return;
	pthread_mutex_lock(&worker_lock);
	worker_is_leaving = true;
	for (struct worker *worker = workers; worker; worker = worker->next)
		pthread_cond_signal(&worker->work);
	for (int i = 0; i < LEAVE_TRIES && any_is_busy(); i++) {
		pthread_mutex_unlock(&worker_lock);
		nanosleep(&pause, NULL);
		pthread_mutex_lock(&worker_lock);
	}
	pthread_mutex_unlock(&worker_lock);
	l0_process_end();
}

/* The driver was loaded earlier, so that its own exit handlers run after this one. */
static void leave_at_exit(void)
{
	(void)atexit(leave);
}

cl_int worker_wake(struct worker *worker)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct worker **link;

	if (worker_is_leaving)
		return CL_OUT_OF_RESOURCES;
	pthread_once(&once, leave_at_exit);
	if (worker->running) {
		pthread_cond_signal(&worker->work);
		return CL_SUCCESS;
	}
	for (link = &workers; *link && *link != worker; link = &(*link)->next)
		;
	*link = worker;
	worker->running = !util_thread_make(run, worker, NULL);
	return worker->running ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}
