// SPDX-License-Identifier: MIT
#include "bench_crew.h"
#include "bench_host_cl.h"

#include <CL/cl_ext.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Launches that wait for each other, in several queues, watched, recorded, from several threads. */

static cl_command_queue other, out_of_order, profiled;

static void release(cl_event *events, int n)
{
	for (int i = 0; i < n; i++)
		bench_check(clReleaseEvent(events[i]), "clReleaseEvent");
}

/* Each launch waits for the one before, in the other queue; until all are done. */
static void batch_chain(void)
{
	static cl_event events[BENCH_BATCH];

	for (int i = 0; i < BENCH_BATCH; i++)
		bench_host_enqueue(i & 1 ? other : host.cl.queue, host.kernel, i ? 1 : 0,
			i ? &events[i - 1] : NULL, &events[i]);
	bench_check(clFlush(other), "clFlush");
	bench_check(clWaitForEvents(1, &events[BENCH_BATCH - 1]), "clWaitForEvents");
	release(events, BENCH_BATCH);
}

static void batch_fan(void)
{
	cl_event root;

	bench_host_enqueue(out_of_order, host.kernel, 0, NULL, &root);
	for (int i = 0; i < BENCH_FAN; i++)
		bench_host_enqueue(out_of_order, host.kernel, 1, &root, NULL);
	bench_check(clFinish(out_of_order), "clFinish");
	release(&root, 1);
}

static atomic_int n_called;

static void CL_CALLBACK count(cl_event event, cl_int status, void *data)
{
	(void)event;
	(void)status;
	(void)data;
	atomic_fetch_add(&n_called, 1);
}

/* Until all callbacks were called. */
static void batch_callback(void)
{
	static cl_event events[BENCH_BATCH];

	atomic_store(&n_called, 0);
	for (int i = 0; i < BENCH_BATCH; i++) {
		bench_host_enqueue(host.cl.queue, host.kernel, 0, NULL, &events[i]);
		bench_check(clSetEventCallback(events[i], CL_COMPLETE, count, NULL),
			"clSetEventCallback");
	}
	bench_check(clFinish(host.cl.queue), "clFinish");
	while (atomic_load(&n_called) < BENCH_BATCH)
		;
	release(events, BENCH_BATCH);
}

/* Until the times of all are there. */
static void batch_profiled(void)
{
	static cl_event events[BENCH_BATCH];
	cl_ulong start, end;

	for (int i = 0; i < BENCH_BATCH; i++)
		bench_host_enqueue(profiled, host.kernel, 0, NULL, &events[i]);
	bench_check(clFinish(profiled), "clFinish");
	for (int i = 0; i < BENCH_BATCH; i++) {
		bench_check(clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_START,
				    sizeof start, &start, NULL),
			"clGetEventProfilingInfo");
		bench_check(clGetEventProfilingInfo(
				    events[i], CL_PROFILING_COMMAND_END, sizeof end, &end, NULL),
			"clGetEventProfilingInfo");
	}
	release(events, BENCH_BATCH);
}

static cl_command_queue crew_queues[BENCH_THREADS];

static void enqueue_many(int number)
{
	for (int i = 0; i < 10 * BENCH_BATCH; i++)
		bench_host_enqueue(crew_queues[number], host.kernel, 0, NULL, NULL);
	bench_check(clFinish(crew_queues[number]), "clFinish");
}

#ifdef CL_KHR_COMMAND_BUFFER_EXTENSION_NAME
static cl_command_buffer_khr recorded;
static clEnqueueCommandBufferKHR_fn replay;

/* NULL where the platform has no command buffers. */
static void *find(const char *name)
{
	cl_platform_id platform;

	bench_check(
		clGetDeviceInfo(host.device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL),
		"clGetDeviceInfo");
	return clGetExtensionFunctionAddressForPlatform(platform, name);
}

static int record(void)
{
	clCreateCommandBufferKHR_fn create;
	clCommandNDRangeKernelKHR_fn launch;
	clFinalizeCommandBufferKHR_fn finalize;
	void *functions[] = { find("clCreateCommandBufferKHR"), find("clCommandNDRangeKernelKHR"),
		find("clFinalizeCommandBufferKHR"), find("clEnqueueCommandBufferKHR") };
	cl_int rc;

	if (!functions[0] || !functions[1] || !functions[2] || !functions[3])
		return 0;
	__builtin_memcpy(&create, &functions[0], sizeof create);
	__builtin_memcpy(&launch, &functions[1], sizeof launch);
	__builtin_memcpy(&finalize, &functions[2], sizeof finalize);
	__builtin_memcpy(&replay, &functions[3], sizeof replay);
	recorded = create(1, &host.cl.queue, NULL, &rc);
	if (rc)
		return 0;
	for (int i = 0; i < BENCH_BATCH; i++)
		bench_check(launch(recorded, NULL, NULL, host.kernel, 1, NULL, &host.size,
				    &host.local, 0, NULL, NULL, NULL),
			"clCommandNDRangeKernelKHR");
	bench_check(finalize(recorded), "clFinalizeCommandBufferKHR");
	return 1;
}
#endif

static int can_replay;

/* Until it is done. Without command buffers, a program enqueues the kernels each time. */
static void batch_replay(void)
{
#ifdef CL_KHR_COMMAND_BUFFER_EXTENSION_NAME
	if (can_replay)
		bench_check(replay(0, NULL, recorded, 0, NULL, NULL), "clEnqueueCommandBufferKHR");
#endif
	for (int i = 0; i < BENCH_BATCH && !can_replay; i++)
		bench_host_enqueue(host.cl.queue, host.kernel, 0, NULL, NULL);
	bench_check(clFinish(host.cl.queue), "clFinish");
}

void bench_host_order_rows(void)
{
	other = bench_host_queue(0);
	out_of_order = bench_host_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	profiled = bench_host_queue(CL_QUEUE_PROFILING_ENABLE);
	bench_host_measure(BENCH_ROW_CHAIN, batch_chain, 20, BENCH_BATCH);
	bench_host_measure(BENCH_ROW_FAN, batch_fan, 10, BENCH_FAN);
	bench_host_measure(BENCH_ROW_CALLBACK, batch_callback, 20, BENCH_BATCH);
	bench_host_measure(BENCH_ROW_PROFILE, batch_profiled, 20, BENCH_BATCH);
#ifdef CL_KHR_COMMAND_BUFFER_EXTENSION_NAME
	can_replay = record();
#endif
	bench_host_measure(BENCH_ROW_REPLAY, batch_replay, 20, BENCH_BATCH);
	for (int i = 0; i < BENCH_THREADS; i++)
		crew_queues[i] = bench_host_queue(0);
	bench_crew(
		BENCH_ROW_THREADS, enqueue_many, BENCH_THREADS, BENCH_THREADS * 10 * BENCH_BATCH);
}
