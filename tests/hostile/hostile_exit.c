// SPDX-License-Identifier: MIT
#include "hostile.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* The process ends while its threads are inside OpenCL. */

#define THREADS 6

static struct hostile h;

static void *launch_for_ever(void *data)
{
	const cl_queue_properties properties[] = { CL_QUEUE_PROPERTIES,
		(size_t)data % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, 0 };
	const size_t size = HOSTILE_ITEMS;
	cl_int rc;
	cl_command_queue queue =
		clCreateCommandQueueWithProperties(h.context, h.device, properties, &rc);

	for (int i = 0;; i++) {
		cl_event event = NULL;

		if (!clEnqueueNDRangeKernel(queue, h.kernel, 1, NULL, &size, NULL, 0, NULL, &event))
			(void)clReleaseEvent(event);
		if (i % 3 == 0)
			(void)clFinish(queue);
		if ((size_t)data == 2 && i % 16 == 0)
			(void)hostile_build(&h);
	}
	return NULL;
}

static void *wait_for_ever(void *data)
{
	cl_event event = data;

	(void)clWaitForEvents(1, &event);
	return NULL;
}

static void start(void *(*run)(void *), void *data)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, data))
		hostile_fail("pthread_create", 0);
	pthread_detach(thread);
}

static void begin(void)
{
	cl_int rc = hostile_open(&h);

	if (rc || (rc = hostile_launch(&h, h.queue, 1)))
		hostile_fail("hostile_open", rc);
	for (size_t i = 0; i < THREADS; i++)
		start(launch_for_ever, (void *)i);
	usleep(20000 + (unsigned)getpid() % 64 * 1000);
}

int hostile_exit_return(void)
{
	begin();
	return 0;
}

static void release_all(void)
{
	hostile_close(&h);
}

int hostile_exit_call(void)
{
	begin();
	atexit(release_all);
	exit(0);
}

int hostile_exit_wait(void)
{
	cl_int rc = hostile_open(&h);
	cl_event gate = rc ? NULL : clCreateUserEvent(h.context, &rc);

	if (rc)
		hostile_fail("hostile_open", rc);
	for (int i = 0; i < THREADS; i++)
		start(wait_for_ever, gate);
	usleep(20000);
	return 0;
}
