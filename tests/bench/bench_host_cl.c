// SPDX-License-Identifier: MIT
#include "bench_host_cl.h"

#include <stdio.h>
#include <string.h>

/*
 * bench-host-cl PLATFORM [ROWS …]: what calls cost in an OpenCL implementation. ROWS: enqueue,
 * order, transfer, scale, memory; or start, alone. Without ROWS: enqueue, order, transfer.
 */

struct bench_host host;

static const struct {
	const char *name;
	void (*run)(void);
	int by_default;
} groups[] = {
	{ "enqueue", bench_host_enqueue_rows, 1 },
	{ "order", bench_host_order_rows, 1 },
	{ "transfer", bench_host_transfer_rows, 1 },
	{ "scale", bench_host_scale_rows, 0 },
	{ "memory", bench_host_memory_rows, 0 },
};

void bench_host_enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint n_wait,
	const cl_event *wait, cl_event *event)
{
	bench_check(clEnqueueNDRangeKernel(
			    queue, kernel, 1, NULL, &host.size, &host.local, n_wait, wait, event),
		"clEnqueueNDRangeKernel");
}

cl_command_queue bench_host_queue(cl_command_queue_properties properties)
{
	const cl_queue_properties list[] = { CL_QUEUE_PROPERTIES, properties, 0 };
	cl_int rc;
	cl_command_queue queue =
		clCreateCommandQueueWithProperties(host.cl.context, host.device, list, &rc);

	bench_check(rc, "clCreateCommandQueueWithProperties");
	return queue;
}

void bench_host_measure(const char *row, void (*batch)(void), int batches, int per)
{
	struct bench_time times[BENCH_BATCHES];
	int warm_up = batches < BENCH_WARM_UP ? 1 : BENCH_WARM_UP;

	for (int i = -warm_up; i < batches; i++) {
		struct bench_time start = bench_now();
		batch();
		struct bench_time time = bench_since(start);
		bench_check(clFinish(host.cl.queue), "clFinish");
		if (i >= 0)
			times[i] = (struct bench_time){ time.wall / per, time.cpu / per };
	}
	bench_print(row, bench_median(times, (size_t)batches));
}

double bench_host_resident(void)
{
	unsigned long total = 0, resident = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	if (file && fscanf(file, "%lu %lu", &total, &resident) != 2)
		resident = 0;
	if (file)
		fclose(file);
	return (double)resident * 4096;
}

static void open_host(const char *platform)
{
	cl_int number = 0, rc;

	bench_cl_open(platform, BENCH_HOST_KERNEL, &host.cl);
	bench_check(clGetCommandQueueInfo(
			    host.cl.queue, CL_QUEUE_DEVICE, sizeof host.device, &host.device, NULL),
		"clGetCommandQueueInfo");
	int executes = !strcmp(platform, "Portable");
	host.size = executes ? 1 : BENCH_HOST_SIZE;
	host.local = executes ? 1 : BENCH_HOST_LOCAL;
	host.kernel = clCreateKernel(host.cl.program, "nothing", &rc);
	bench_check(rc, "clCreateKernel");
	for (int i = 0; i < 2; i++) {
		host.buffers[i] =
			clCreateBuffer(host.cl.context, CL_MEM_READ_WRITE, 4096, NULL, &rc);
		bench_check(rc, "clCreateBuffer");
	}
	bench_check(
		clSetKernelArg(host.kernel, 0, sizeof(cl_mem), &host.buffers[0]), "clSetKernelArg");
	bench_check(clSetKernelArg(host.kernel, 1, sizeof number, &number), "clSetKernelArg");
}

static int is_asked_for(int argc, char **argv, const char *name)
{
	for (int i = 2; i < argc; i++)
		if (!strcmp(argv[i], name))
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fputs("usage: bench-host-cl PLATFORM [ROWS ...]\n", stderr);
		return 2;
	}
	if (is_asked_for(argc, argv, "start")) {
		bench_host_start_rows(argv[1]);
		return 0;
	}
	open_host(argv[1]);
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
		if (argc == 2 ? groups[i].by_default : is_asked_for(argc, argv, groups[i].name))
			groups[i].run();
	for (int i = 0; i < 2; i++)
		clReleaseMemObject(host.buffers[i]);
	clReleaseKernel(host.kernel);
	bench_cl_close(&host.cl);
	return 0;
}
