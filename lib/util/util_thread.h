// SPDX-License-Identifier: MIT
#ifndef UTIL_THREAD_H
#define UTIL_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/*
 * Makes a thread. It takes none of the application's signals but those that a thread causes itself,
 * such as SIGSEGV. Detached when `out` is NULL. Returns 0 or a negative errno.
 */
int util_thread_make(void *(*start)(void *), void *self, pthread_t *out);

/* Makes a thread of the device. */
int util_thread_start(void *(*start)(void *), void *self, const char *name, pthread_t *out);

/* The time on `clock` after `nanoseconds`. */
struct timespec util_time_after(clockid_t clock, int64_t nanoseconds);

/* Whether this thread was made by util_thread_start. May be called by a signal handler. */
bool util_thread_is_device(void);

/*
 * A fork copies locks in whatever state they are. Static locks named here are taken before each
 * fork and released after it, in the parent and in the child. Those of rank 0 come first: a thread
 * may take a lock of rank 1 while it holds one of rank 0, but no two of one rank.
 */
struct util_fork_lock {
	struct util_fork_lock *next;
	pthread_mutex_t *lock;
	int rank;
};
void util_fork_register(struct util_fork_lock *entry);
#define UTIL_FORK_SAFE(mutex, order)                                                               \
	__attribute__((constructor)) static void register_##mutex(void)                            \
	{                                                                                          \
		static struct util_fork_lock entry = { .lock = &(mutex), .rank = (order) };        \
		util_fork_register(&entry);                                                        \
	}

#endif
