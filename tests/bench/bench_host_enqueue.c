// SPDX-License-Identifier: MIT
#include "bench_host_cl.h"

#include <stdio.h>

/* Launches into one queue: alone, with an event, with arguments that change, waited for each. */

static cl_kernel many;
static int n_changed;

static void batch_plain(void)
{
	for (int i = 0; i < BENCH_BATCH; i++)
		bench_host_enqueue(host.cl.queue, host.kernel, 0, NULL, NULL);
	bench_check(clFlush(host.cl.queue), "clFlush");
}

/* Events live until their batch is flushed, as a program that waits for them would have it. */
static void batch_event(void)
{
	static cl_event events[BENCH_BATCH];

	for (int i = 0; i < BENCH_BATCH; i++)
		bench_host_enqueue(host.cl.queue, host.kernel, 0, NULL, &events[i]);
	bench_check(clFlush(host.cl.queue), "clFlush");
	for (int i = 0; i < BENCH_BATCH; i++)
		bench_check(clReleaseEvent(events[i]), "clReleaseEvent");
}

static void batch_args(void)
{
	for (cl_int i = 0; i < BENCH_BATCH; i++) {
		cl_mem buffer = host.buffers[i & 1];
		bench_check(
			clSetKernelArg(host.kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
		bench_check(clSetKernelArg(host.kernel, 1, sizeof i, &i), "clSetKernelArg");
		bench_host_enqueue(host.cl.queue, host.kernel, 0, NULL, NULL);
	}
	bench_check(clFlush(host.cl.queue), "clFlush");
}

static void batch_values(void)
{
	for (cl_int i = 0; i < BENCH_BATCH; i++) {
		for (cl_uint a = 0; a < (cl_uint)n_changed; a++)
			bench_check(clSetKernelArg(many, a, sizeof i, &i), "clSetKernelArg");
		bench_host_enqueue(host.cl.queue, many, 0, NULL, NULL);
	}
	bench_check(clFlush(host.cl.queue), "clFlush");
}

static void batch_finish(void)
{
	for (int i = 0; i < BENCH_BATCH; i++) {
		bench_host_enqueue(host.cl.queue, host.kernel, 0, NULL, NULL);
		bench_check(clFinish(host.cl.queue), "clFinish");
	}
}

static void measure_values(void)
{
	static const int counts[] = { 1, 8, BENCH_HOST_VALUES };
	cl_int rc, number = 0;
	char row[64];

	many = clCreateKernel(host.cl.program, "many", &rc);
	bench_check(rc, "clCreateKernel");
	for (cl_uint a = 0; a < BENCH_HOST_VALUES; a++)
		bench_check(clSetKernelArg(many, a, sizeof number, &number), "clSetKernelArg");
	bench_check(clSetKernelArg(many, BENCH_HOST_VALUES, sizeof(cl_mem), &host.buffers[0]),
		"clSetKernelArg");
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		n_changed = counts[i];
		snprintf(row, sizeof row, BENCH_ROW_ARGS_N, n_changed, n_changed > 1 ? "s" : "");
		bench_host_measure(row, batch_values, BENCH_BATCHES, BENCH_BATCH);
	}
	clReleaseKernel(many);
}

void bench_host_enqueue_rows(void)
{
	bench_host_measure(BENCH_ROW_ENQUEUE, batch_plain, BENCH_BATCHES, BENCH_BATCH);
	bench_host_measure(BENCH_ROW_EVENT, batch_event, BENCH_BATCHES, BENCH_BATCH);
	bench_host_measure(BENCH_ROW_ARGS, batch_args, BENCH_BATCHES, BENCH_BATCH);
	measure_values();
	bench_host_measure(BENCH_ROW_FINISH, batch_finish, BENCH_BATCHES, BENCH_BATCH);
}
