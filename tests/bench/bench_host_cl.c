// SPDX-License-Identifier: MIT
#include "bench_cl.h"
#include "bench_clock.h"
#include "bench_host.h"

#include <stdio.h>

/* bench-host-cl PLATFORM: what an enqueue costs in an OpenCL implementation. */

static struct bench_cl cl;
static cl_kernel kernel;
static cl_mem buffers[2];

static void set_args(cl_mem buffer, cl_int number)
{
	bench_check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
	bench_check(clSetKernelArg(kernel, 1, sizeof number, &number), "clSetKernelArg");
}

static void enqueue(cl_event *event)
{
	static const size_t size = BENCH_HOST_SIZE, local = BENCH_HOST_LOCAL;

	bench_check(
		clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &size, &local, 0, NULL, event),
		"clEnqueueNDRangeKernel");
}

static void batch_plain(void)
{
	for (int i = 0; i < BENCH_BATCH; i++)
		enqueue(NULL);
	bench_check(clFlush(cl.queue), "clFlush");
}

/* Events live until their batch is flushed, as a program that waits for them would have it. */
static void batch_event(void)
{
	static cl_event events[BENCH_BATCH];

	for (int i = 0; i < BENCH_BATCH; i++)
		enqueue(&events[i]);
	bench_check(clFlush(cl.queue), "clFlush");
	for (int i = 0; i < BENCH_BATCH; i++)
		bench_check(clReleaseEvent(events[i]), "clReleaseEvent");
}

static void batch_args(void)
{
	for (int i = 0; i < BENCH_BATCH; i++) {
		set_args(buffers[i & 1], i);
		enqueue(NULL);
	}
	bench_check(clFlush(cl.queue), "clFlush");
}

static void batch_finish(void)
{
	for (int i = 0; i < BENCH_BATCH; i++) {
		enqueue(NULL);
		bench_check(clFinish(cl.queue), "clFinish");
	}
}

static void measure(const char *row, void (*batch)(void))
{
	struct bench_time times[BENCH_BATCHES];

	for (int i = -BENCH_WARM_UP; i < BENCH_BATCHES; i++) {
		struct bench_time start = bench_now();
		batch();
		struct bench_time time = bench_since(start);
		bench_check(clFinish(cl.queue), "clFinish");
		if (i >= 0)
			times[i] = (struct bench_time){ time.wall / BENCH_BATCH,
				time.cpu / BENCH_BATCH };
	}
	bench_print(row, bench_median(times, BENCH_BATCHES));
}

int main(int argc, char **argv)
{
	cl_int rc;

	if (argc != 2) {
		fputs("usage: bench-host-cl PLATFORM\n", stderr);
		return 2;
	}
	bench_cl_open(argv[1], BENCH_HOST_KERNEL, &cl);
	kernel = clCreateKernel(cl.program, "nothing", &rc);
	bench_check(rc, "clCreateKernel");
	for (int i = 0; i < 2; i++) {
		buffers[i] = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, 4096, NULL, &rc);
		bench_check(rc, "clCreateBuffer");
	}
	set_args(buffers[0], 0);
	measure(BENCH_ROW_ENQUEUE, batch_plain);
	measure(BENCH_ROW_EVENT, batch_event);
	measure(BENCH_ROW_ARGS, batch_args);
	measure(BENCH_ROW_FINISH, batch_finish);
	for (int i = 0; i < 2; i++)
		clReleaseMemObject(buffers[i]);
	clReleaseKernel(kernel);
	bench_cl_close(&cl);
	return 0;
}
