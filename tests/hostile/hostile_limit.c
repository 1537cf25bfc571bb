// SPDX-License-Identifier: MIT
#include "hostile.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Processes that may not do much, or lose what they had. */

#define ROUNDS 5

/* clone and clone3 answer with EAGAIN from now on, as at the pids limit of a container. */
static void forbid_threads(void)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN),
	};
	const struct sock_fprog program = { sizeof rules / sizeof *rules, rules };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		hostile_fail("no filter can be set", errno);
}

int hostile_no_thread_early(void)
{
	struct hostile h;

	forbid_threads();
	if (!hostile_open(&h))
		for (cl_int i = 0; i < ROUNDS; i++)
			(void)hostile_launch(&h, h.queue, i);
	hostile_close(&h);
	return 0;
}

static void CL_CALLBACK count(cl_event event, cl_int status, void *data)
{
	(void)event;
	(void)status;
	++*(int *)data;
}

/* The device is open, but nothing that needs a thread was done. */
int hostile_no_thread_late(void)
{
	struct hostile h;
	cl_event gate, event;
	static int n;
	cl_int rc = hostile_open(&h);

	if (rc)
		hostile_fail("hostile_open", rc);
	forbid_threads();
	for (cl_int i = 0; i < ROUNDS; i++)
		(void)hostile_launch(&h, h.queue, i);
	(void)hostile_build(&h);
	/* what other threads would do: a callback, a command behind a user event */
	gate = clCreateUserEvent(h.context, &rc);
	if (!clEnqueueMarkerWithWaitList(h.queue, 1, &gate, &event)) {
		(void)clSetEventCallback(event, CL_COMPLETE, count, &n);
		(void)clSetUserEventStatus(gate, CL_COMPLETE);
		(void)clWaitForEvents(1, &event);
		(void)clReleaseEvent(event);
	}
	(void)clReleaseEvent(gate);
	(void)clFinish(h.queue);
	hostile_close(&h);
	return 0;
}

static void use_all(struct hostile *h)
{
	for (cl_int i = 0; i < ROUNDS; i++)
		(void)hostile_launch(h, h->queue, i);
	(void)hostile_build(h);
	hostile_close(h);
	/* everything anew, from the cache or not */
	if (!hostile_open(h))
		(void)hostile_launch(h, h->queue, 7);
	hostile_close(h);
}

/* As a daemon does. */
int hostile_closed(void)
{
	struct hostile h;
	cl_int rc = hostile_open(&h);

	if (rc || (rc = hostile_launch(&h, h.queue, 3)))
		hostile_fail("hostile_open", rc);
	for (int i = 3; i < 1024; i++)
		(void)close(i);
	use_all(&h);
	return 0;
}

int hostile_no_folder(void)
{
	char folder[] = "/tmp/hostile-XXXXXX";
	struct hostile h;

	if (!mkdtemp(folder) || chdir(folder) || rmdir(folder))
		hostile_fail("no folder", errno);
	cl_int rc = hostile_open(&h);
	if (rc || (rc = hostile_launch(&h, h.queue, 3)) || (rc = hostile_build(&h)))
		hostile_fail("without a working directory", rc);
	use_all(&h);
	return 0;
}

int hostile_no_stdio(void)
{
	struct hostile h;

	for (int i = 0; i < 3; i++)
		(void)close(i);
	cl_int rc = hostile_open(&h);
	if (rc || (rc = hostile_launch(&h, h.queue, 3)) || (rc = hostile_build(&h)))
		return 3;
	use_all(&h);
	return 0;
}

/* No file may grow: SIGXFSZ ends who does not expect it. */
int hostile_no_file_size(void)
{
	const struct rlimit none = { 0, 0 };
	struct hostile h;

	if (setrlimit(RLIMIT_FSIZE, &none))
		hostile_fail("setrlimit", errno);
	(void)hostile_open(&h);
	use_all(&h);
	return 0;
}

static void *on_small_stack(void *data)
{
	struct hostile *h = data;

	use_all(h);
	return NULL;
}

int hostile_small_stacks(void)
{
	struct hostile h;
	pthread_attr_t attr;
	pthread_t thread;
	cl_int rc = hostile_open(&h);

	if (rc)
		hostile_fail("hostile_open", rc);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 64 * 1024);
	if (pthread_create(&thread, &attr, on_small_stack, &h))
		hostile_fail("pthread_create", errno);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attr);
	return 0;
}
