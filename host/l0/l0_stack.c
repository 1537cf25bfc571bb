// SPDX-License-Identifier: MIT
#include "l0/l0_stack.h"

#include "l0/l0_process.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DEEP_BYTES ((size_t)512 * 1024) /* that must be left */
#define NEW_BYTES  ((size_t)2 * 1024 * 1024)

struct work {
	void (*run)(void *data);
	void *data;
};

static void *thread_main(void *data)
{
	const struct work *work = data;

	(void)prctl(PR_SET_NAME, L0_PROCESS_THREAD "deep");
	work->run(work->data);
	return NULL;
}

/* The stack of the first thread grows up to a limit, and is assumed to be nearly unused. */
static bool is_deep(void)
{
	struct rlimit limit;
	pthread_attr_t attr;
	void *lowest = NULL;
	size_t size = 0;
	char here;

	if ((pid_t)syscall(SYS_gettid) == getpid())
		return getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= 2 * DEEP_BYTES;
	if (pthread_getattr_np(pthread_self(), &attr))
		return true;
	(void)pthread_attr_getstack(&attr, &lowest, &size);
	pthread_attr_destroy(&attr);
	return (uintptr_t)&here - (uintptr_t)lowest >= DEEP_BYTES;
}

void l0_stack_run(void (*run)(void *data), void *data)
{
	struct work work = { run, data };
	pthread_attr_t attr;
	pthread_t thread;
	sigset_t all, old;

	if (is_deep()) {
		run(data);
		return;
	}
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pthread_attr_init(&attr);
	(void)pthread_attr_setstacksize(&attr, NEW_BYTES);
	bool ok = !pthread_create(&thread, &attr, thread_main, &work);
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (ok)
		pthread_join(thread, NULL);
	else
		run(data);
}
