// SPDX-License-Identifier: MIT
#include "core/program/program_thread.h"

#include "l0/l0_process.h"
#include "util/util_thread.h"

#include <pthread.h>
#include <stdlib.h>

struct start {
	void (*run)(void *data);
	void *data;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t unused = PTHREAD_COND_INITIALIZER;
static unsigned n_users; /* builds that use the driver; under lock */
static bool is_leaving;	 /* the process exits; under lock */
static _Thread_local bool is_apart;

/* Runs before the exit handlers of the driver, which was loaded before a context was created. */
static void wait_for_users(void)
{
	if (l0_process_is_orphan())
		return;
	pthread_mutex_lock(&lock);
	is_leaving = true;
	while (n_users)
		pthread_cond_wait(&unused, &lock);
	pthread_mutex_unlock(&lock);
	l0_process_end();
}

static void wait_at_exit(void)
{
	(void)atexit(wait_for_users);
}

bool program_thread_enter(void)
{
	pthread_mutex_lock(&lock);
	/* handlers of the application that run at exit may still build */
	bool may = !is_leaving || !is_apart;
	n_users += may;
	pthread_mutex_unlock(&lock);
	return may;
}

void program_thread_leave(void)
{
	pthread_mutex_lock(&lock);
	if (!--n_users)
		pthread_cond_broadcast(&unused);
	pthread_mutex_unlock(&lock);
}

static void *thread_main(void *data)
{
	struct start start = *(struct start *)data;

	free(data);
	is_apart = true;
	l0_process_adopt_thread();
	start.run(start.data);
	return NULL;
}

bool program_thread_start(void (*run)(void *data), void *data)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct start *start = malloc(sizeof(*start));

	if (!start)
		return false;
	pthread_once(&once, wait_at_exit);
	*start = (struct start){ run, data };
	bool ok = !util_thread_make(thread_main, start, NULL);
	if (!ok)
		free(start);
	return ok;
}
