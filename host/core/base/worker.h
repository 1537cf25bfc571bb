// SPDX-License-Identifier: MIT
#ifndef WORKER_H
#define WORKER_H

#include <CL/cl.h>
#include <pthread.h>
#include <stdbool.h>

/*
 * A thread of the library that exists while it has something to do: the poller (poller.h) and the
 * callback thread (callback_thread.h). The application's signals are blocked in it. At exit, and
 * when the library is unloaded, the workers stop before the driver goes.
 */
struct worker {
	/* Does one thing; false if there is nothing to do. worker_lock is held. */
	bool (*step)(void);
	pthread_cond_t work;
	bool running;
	bool busy; /* in a step that uses the driver, without the lock: exit waits for it */
	struct worker *next;
};

/* Protects the workers and their lists of work. No other lock is taken while it is held. */
extern pthread_mutex_t worker_lock;
/* The process exits: no step may begin to use the driver. Under worker_lock. */
extern bool worker_is_leaving;

/*
 * Starts the worker's thread or wakes it; worker_lock is held. CL_OUT_OF_HOST_MEMORY without a
 * thread, CL_OUT_OF_RESOURCES at exit.
 */
cl_int worker_wake(struct worker *worker);

#endif
