// SPDX-License-Identifier: MIT
#include "util/util_thread.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "util/util_bits.h"

struct start {
	void *(*function)(void *);
	void *self;
};

/*
 * What a device's thread has set. No _Thread_local: a signal handler may not allocate one, and
 * static ones are few in a process that loads the library late.
 */
static pthread_key_t mark;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_bool has_mark;

static void make_mark(void)
{
	atomic_store(&has_mark, !pthread_key_create(&mark, NULL));
}

static struct util_fork_lock *locks; /* by rank */

bool util_thread_is_device(void)
{
	return atomic_load(&has_mark) && pthread_getspecific(mark);
}

static void *thread_main(void *argument)
{
	struct start start = *(struct start *)argument;

	free(argument);
	(void)pthread_setspecific(mark, &mark); /* without memory, its faults are not recovered */
	return start.function(start.self);
}

int util_thread_make(void *(*function)(void *), void *self, pthread_t *out)
{
	static const int own[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS };
	pthread_t thread;
	sigset_t mask, before;

	sigfillset(&mask);
	for (size_t i = 0; i < UTIL_ARRAY_SIZE(own); i++)
		sigdelset(&mask, own[i]);
	pthread_sigmask(SIG_SETMASK, &mask, &before);
	int rc = pthread_create(&thread, NULL, function, self);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc) /* drivers repeat a call that answers with EAGAIN, for ever */
		return rc == EAGAIN ? -ENOMEM : -rc;
	if (out)
		*out = thread;
	else
		pthread_detach(thread);
	return 0;
}

int util_thread_start(void *(*function)(void *), void *self, const char *name, pthread_t *out)
{
	struct start *start = malloc(sizeof(*start));
	pthread_t thread;

	pthread_once(&once, make_mark);
	if (!start || !atomic_load(&has_mark)) {
		free(start);
		return -ENOMEM;
	}
	*start = (struct start){ function, self };
	int rc = util_thread_make(thread_main, start, &thread);
	if (rc) {
		free(start);
		return rc;
	}
	pthread_setname_np(thread, name);
	if (out)
		*out = thread;
	else
		pthread_detach(thread);
	return 0;
}

static void lock_all(void)
{
	for (struct util_fork_lock *entry = locks; entry; entry = entry->next)
		pthread_mutex_lock(entry->lock);
}

static void unlock_all(void)
{
	for (struct util_fork_lock *entry = locks; entry; entry = entry->next)
		pthread_mutex_unlock(entry->lock);
}

void util_fork_register(struct util_fork_lock *entry)
{
	struct util_fork_lock **link = &locks;

	if (!locks)
		pthread_atfork(lock_all, unlock_all, unlock_all);
	while (*link && (*link)->rank <= entry->rank)
		link = &(*link)->next;
	entry->next = *link;
	*link = entry;
}

struct timespec util_time_after(clockid_t clock, int64_t nanoseconds)
{
	enum { SECOND = 1000000000 };
	struct timespec time;

	clock_gettime(clock, &time);
	time.tv_sec += nanoseconds / SECOND;
	time.tv_nsec += nanoseconds % SECOND;
	if (time.tv_nsec >= SECOND) {
		time.tv_nsec -= SECOND;
		time.tv_sec++;
	}
	return time;
}
