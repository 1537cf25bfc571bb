// SPDX-License-Identifier: MIT
#include "bench_host_cl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What an enqueue costs when there is much of everything, and what everything takes of memory. */

#define MANY_QUEUES  100
#define MANY_EVENTS  50000
#define MANY_BUFFERS 10000
#define EVENTS_MAX   1000000

static void *allocate(size_t n, size_t size)
{
	void *memory = calloc(n, size);

	if (!memory)
		exit(1);
	return memory;
}

/* NULL if the platform has no more. */
static cl_mem make_buffer(void)
{
	cl_int rc;

	return clCreateBuffer(host.cl.context, CL_MEM_READ_WRITE, 64, NULL, &rc);
}

static cl_mem *buffers;
static size_t n_buffers;

/* Each launch has another one of the live buffers. */
static void batch_buffers(void)
{
	static size_t next;

	for (int i = 0; i < BENCH_BATCH; i++) {
		next = (next * 7919 + 104729) % n_buffers;
		bench_check(clSetKernelArg(host.kernel, 0, sizeof(cl_mem), &buffers[next]),
			"clSetKernelArg");
		bench_host_enqueue(host.cl.queue, host.kernel, 0, NULL, NULL);
	}
	bench_check(clFlush(host.cl.queue), "clFlush");
}

static void live_buffers(void)
{
	static const struct {
		const char *name;
		size_t n;
	} rows[] = { { "10", 10 }, { "1000", 1000 }, { "100000", 100000 } };
	const size_t most = rows[2].n;
	char row[64];

	buffers = allocate(most, sizeof(cl_mem));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		while (n_buffers < rows[i].n && (buffers[n_buffers] = make_buffer()))
			n_buffers++;
		if (n_buffers < rows[i].n) {
			fprintf(stderr, "bench: no more than %zu buffers\n", n_buffers);
			break;
		}
		snprintf(row, sizeof row, BENCH_ROW_BUFFERS, rows[i].name);
		bench_host_measure(row, batch_buffers, 20, BENCH_BATCH);
	}
	bench_check(
		clSetKernelArg(host.kernel, 0, sizeof(cl_mem), &host.buffers[0]), "clSetKernelArg");
	for (size_t i = 0; i < n_buffers; i++)
		clReleaseMemObject(buffers[i]);
	free(buffers);
}

/* The time per launch while so many events of it are not released. */
static void outstanding(const char *name, size_t n, cl_event *events)
{
	struct bench_time times[BENCH_BATCHES];
	size_t made = 0;
	char row[64];

	for (; made + BENCH_BATCHES * BENCH_BATCH < n; made++)
		bench_host_enqueue(host.cl.queue, host.kernel, 0, NULL, &events[made]);
	bench_check(clFinish(host.cl.queue), "clFinish");
	for (int i = 0; i < BENCH_BATCHES; i++) {
		struct bench_time start = bench_now();
		for (int k = 0; k < BENCH_BATCH; k++) {
			cl_event *event = &events[(made + (size_t)k) % n];
			/* the oldest goes when there are enough */
			if (*event)
				bench_check(clReleaseEvent(*event), "clReleaseEvent");
			bench_host_enqueue(host.cl.queue, host.kernel, 0, NULL, event);
		}
		bench_check(clFlush(host.cl.queue), "clFlush");
		struct bench_time time = bench_since(start);
		bench_check(clFinish(host.cl.queue), "clFinish");
		made = (made + BENCH_BATCH) % n;
		times[i] = (struct bench_time){ time.wall / BENCH_BATCH, time.cpu / BENCH_BATCH };
	}
	for (size_t i = 0; i < n; i++) {
		if (events[i])
			bench_check(clReleaseEvent(events[i]), "clReleaseEvent");
		events[i] = NULL;
	}
	snprintf(row, sizeof row, BENCH_ROW_EVENTS, name);
	bench_print(row, bench_median(times, BENCH_BATCHES));
}

void bench_host_scale_rows(void)
{
	cl_event *events = allocate(EVENTS_MAX, sizeof(cl_event));

	outstanding("1", 1, events);
	outstanding("1000", 1000, events);
	outstanding("100000", 100000, events);
	/* those that submit each launch would take a minute */
	if (getenv("BENCH_MILLION"))
		outstanding("1000000", EVENTS_MAX, events);
	free(events);
	live_buffers();
}

static void print_bytes(const char *of, double before, double n)
{
	printf(BENCH_ROW_MEMORY "\tbytes\t%.0f\n", of, (bench_host_resident() - before) / n);
}

void bench_host_memory_rows(void)
{
	cl_command_queue queues[MANY_QUEUES];
	cl_event *events = allocate(MANY_EVENTS, sizeof(cl_event));
	cl_mem *mems = allocate(MANY_BUFFERS, sizeof(cl_mem));
	double before;

	memset(events, 0, MANY_EVENTS * sizeof(cl_event));
	memset(mems, 0, MANY_BUFFERS * sizeof(cl_mem));
	before = bench_host_resident();
	for (int i = 0; i < MANY_EVENTS; i++)
		bench_host_enqueue(host.cl.queue, host.kernel, 0, NULL, &events[i]);
	bench_check(clFinish(host.cl.queue), "clFinish");
	print_bytes("event", before, MANY_EVENTS);
	before = bench_host_resident();
	for (int i = 0; i < MANY_BUFFERS; i++) {
		mems[i] = make_buffer();
		bench_check(clEnqueueWriteBuffer(host.cl.queue, mems[i], CL_TRUE, 0, sizeof i, &i,
				    0, NULL, NULL),
			"clEnqueueWriteBuffer");
	}
	print_bytes("buffer", before, MANY_BUFFERS);
	before = bench_host_resident();
	for (int i = 0; i < MANY_QUEUES; i++) {
		queues[i] = bench_host_queue(0);
		bench_host_enqueue(queues[i], host.kernel, 0, NULL, NULL);
		bench_check(clFinish(queues[i]), "clFinish");
	}
	print_bytes("queue", before, MANY_QUEUES);
	for (int i = 0; i < MANY_QUEUES; i++)
		clReleaseCommandQueue(queues[i]);
	for (int i = 0; i < MANY_BUFFERS; i++)
		clReleaseMemObject(mems[i]);
	for (int i = 0; i < MANY_EVENTS; i++)
		clReleaseEvent(events[i]);
	free(events);
	free(mems);
}

void bench_host_start_rows(const char *platform)
{
	struct bench_time start = bench_now();
	cl_uint n;
	cl_int rc;

	bench_check(clGetPlatformIDs(0, NULL, &n), "clGetPlatformIDs");
	printf(BENCH_ROW_FIRST "\tus\t%.0f\n", bench_since(start).wall * 1e6);
	bench_cl_open(platform, BENCH_HOST_KERNEL, &host.cl);
	cl_kernel kernel = clCreateKernel(host.cl.program, "nothing", &rc);
	bench_check(rc, "clCreateKernel");
	cl_mem buffer = make_buffer();
	bench_check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
	bench_check(clSetKernelArg(kernel, 1, sizeof rc, &rc), "clSetKernelArg");
	host.size = host.local = 1;
	bench_host_enqueue(host.cl.queue, kernel, 0, NULL, NULL);
	bench_check(clFinish(host.cl.queue), "clFinish");
	printf(BENCH_ROW_KERNEL "\tus\t%.0f\n", bench_since(start).wall * 1e6);
	printf(BENCH_ROW_RESIDENT "\tbytes\t%.0f\n", bench_host_resident());
	clReleaseMemObject(buffer);
	clReleaseKernel(kernel);
	bench_cl_close(&host.cl);
}
