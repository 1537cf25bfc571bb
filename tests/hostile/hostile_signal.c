// SPDX-License-Identifier: MIT
#include "hostile.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>

/* Processes that handle signals themselves, and whose calls are interrupted. */

#define ROUNDS 5

static sigjmp_buf back;
static volatile sig_atomic_t caught, interruptions;

static void on_fault(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	(void)context;
	caught = caught + 1;
	siglongjmp(back, 1);
}

static void handle(int signal, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };

	if (sigaction(signal, &action, NULL))
		hostile_fail("sigaction", errno);
}

/* Reads a page that may not be read: the application's handler gets the signal. */
static void fault(void)
{
	volatile char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int before = caught;

	if (page == MAP_FAILED)
		hostile_fail("mmap", errno);
	if (!sigsetjmp(back, 1))
		(void)*page;
	if (caught != before + 1)
		hostile_fail("the application's handler was not called", caught);
	(void)munmap((void *)page, 4096);
}

static void work(const struct hostile *h)
{
	cl_int rc;

	for (cl_int i = 0; i < ROUNDS; i++)
		if ((rc = hostile_launch(h, h->queue, i)) != CL_SUCCESS)
			hostile_fail("a launch", rc);
	if ((rc = hostile_build(h)) != CL_SUCCESS)
		hostile_fail("a build", rc);
}

/* A handler of SIGSEGV that is there before the device, and one that replaces the device's. */
int hostile_handler(void)
{
	struct hostile h;
	cl_int rc;

	handle(SIGSEGV, on_fault);
	if ((rc = hostile_open(&h)) != CL_SUCCESS)
		hostile_fail("hostile_open", rc);
	for (int round = 0; round < 2; round++) {
		fault();
		work(&h);
		fault();
		handle(SIGSEGV, on_fault);
	}
	hostile_close(&h);
	return 0;
}

static void on_alarm(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	(void)context;
	interruptions = interruptions + 1;
}

/* System calls end with EINTR all the time, as under a profiler; SA_RESTART is not set. */
int hostile_interrupted(void)
{
	struct itimerval often = { { 0, 700 }, { 0, 700 } };
	struct hostile h;
	cl_int rc;

	handle(SIGALRM, on_alarm);
	if (setitimer(ITIMER_REAL, &often, NULL))
		hostile_fail("setitimer", errno);
	for (int round = 0; round < 2; round++) {
		if ((rc = hostile_open(&h)) != CL_SUCCESS)
			hostile_fail("hostile_open", rc);
		work(&h);
		hostile_close(&h);
	}
	memset(&often, 0, sizeof often);
	(void)setitimer(ITIMER_REAL, &often, NULL);
	if (!interruptions)
		hostile_fail("nothing was interrupted", 0);
	return 0;
}
