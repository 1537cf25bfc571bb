// SPDX-License-Identifier: MIT
#ifndef EVENT_LOCK_H
#define EVENT_LOCK_H

#include <pthread.h>

/*
 * What events need to be changed and waited for by threads: one for all events of a queue, in the
 * queue, and one for the user events of a context. The lock comes behind those of all queues, and
 * nobody takes two of them.
 */
struct event_lock {
	pthread_mutex_t mutex;
	pthread_cond_t changed; /* an event is at another stage */
};

static inline void event_lock_init(struct event_lock *lock)
{
	pthread_mutex_init(&lock->mutex, NULL);
	pthread_cond_init(&lock->changed, NULL);
}

static inline void event_lock_finish(struct event_lock *lock)
{
	pthread_cond_destroy(&lock->changed);
	pthread_mutex_destroy(&lock->mutex);
}

#endif
