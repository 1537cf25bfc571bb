// SPDX-License-Identifier: MIT
#ifndef BENCH_HOST_CL_H
#define BENCH_HOST_CL_H

#include "bench_cl.h"
#include "bench_clock.h"
#include "bench_host.h"

/* What the rows of bench-host-cl share: opened by main. */
struct bench_host {
	struct bench_cl cl;
	cl_device_id device;
	cl_kernel kernel; /* nothing, with arguments */
	cl_mem buffers[2];
	size_t size, local;
};
extern struct bench_host host;

/* Enqueues `kernel` as the rows do; all but the queue and kernel may be NULL or 0. */
void bench_host_enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint n_wait,
	const cl_event *wait, cl_event *event);
cl_command_queue bench_host_queue(cl_command_queue_properties properties);

/* Prints the median of `batches` times what a batch takes, divided by `per`. */
void bench_host_measure(const char *row, void (*batch)(void), int batches, int per);

/* Bytes of memory that the process has in RAM. */
double bench_host_resident(void);

/* The rows; main calls those that are asked for. */
void bench_host_enqueue_rows(void);
void bench_host_order_rows(void);
void bench_host_transfer_rows(void);
void bench_host_scale_rows(void);
void bench_host_memory_rows(void);
/* Opens the platform itself: what a program sees first. */
void bench_host_start_rows(const char *platform);

#endif
