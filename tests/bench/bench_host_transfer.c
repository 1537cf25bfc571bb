// SPDX-License-Identifier: MIT
#include "bench_host_cl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Blocking reads, writes and maps of buffers on a queue that is idle. */

static cl_mem buffer;
static char *memory;
static size_t size;
static int times;

static void batch_read(void)
{
	for (int i = 0; i < times; i++)
		bench_check(clEnqueueReadBuffer(
				    host.cl.queue, buffer, CL_TRUE, 0, size, memory, 0, NULL, NULL),
			"clEnqueueReadBuffer");
}

static void batch_write(void)
{
	for (int i = 0; i < times; i++)
		bench_check(clEnqueueWriteBuffer(
				    host.cl.queue, buffer, CL_TRUE, 0, size, memory, 0, NULL, NULL),
			"clEnqueueWriteBuffer");
}

/* A map, one byte written, the unmap. */
static void batch_map(void)
{
	for (int i = 0; i < times; i++) {
		cl_int rc;
		char *mapped = clEnqueueMapBuffer(host.cl.queue, buffer, CL_TRUE,
			CL_MAP_READ | CL_MAP_WRITE, 0, size, 0, NULL, NULL, &rc);
		bench_check(rc, "clEnqueueMapBuffer");
		mapped[size / 2] = (char)i;
		bench_check(clEnqueueUnmapMemObject(host.cl.queue, buffer, mapped, 0, NULL, NULL),
			"clEnqueueUnmapMemObject");
		bench_check(clFinish(host.cl.queue), "clFinish");
	}
}

void bench_host_transfer_rows(void)
{
	static const struct bench_transfer transfers[] = BENCH_TRANSFERS;
	static const struct {
		const char *name;
		void (*batch)(void);
	} ways[] = { { "read", batch_read }, { "write", batch_write }, { "map", batch_map } };
	char row[64];

	for (size_t t = 0; t < sizeof transfers / sizeof *transfers; t++) {
		cl_int rc;

		size = transfers[t].size;
		times = transfers[t].times;
		buffer = clCreateBuffer(host.cl.context, CL_MEM_READ_WRITE, size, NULL, &rc);
		bench_check(rc, "clCreateBuffer");
		memory = malloc(size);
		if (!memory)
			exit(1);
		memset(memory, 1, size);
		for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
			snprintf(row, sizeof row, BENCH_ROW_TRANSFER, ways[w].name,
				transfers[t].name);
			bench_host_measure(row, ways[w].batch, 7, times);
		}
		free(memory);
		clReleaseMemObject(buffer);
	}
}
