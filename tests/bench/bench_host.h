// SPDX-License-Identifier: MIT
#ifndef BENCH_HOST_H
#define BENCH_HOST_H

/*
 * What group `host` measures, in both of its programs: bench-host-cl (any OpenCL platform) and
 * bench-host-l0 (bare Level Zero, the least that an OpenCL on top of it can cost).
 *
 * A batch is BENCH_BATCH launches of a kernel that does nothing, in order, and a flush; what is
 * printed is the median over batches of the time per launch. That the device is done is waited for
 * between batches, outside of the measurement, except in the rows that measure it.
 */
#define BENCH_BATCH   100
#define BENCH_BATCHES 60
#define BENCH_WARM_UP 5

/* `nothing`, and `many` with 32 values, of which a row changes the first 1, 8 or all. */
#define BENCH_HOST_VALUES 32
#define BENCH_HOST_KERNEL                                                                          \
	"kernel void nothing(global int *a, int b)\n"                                              \
	"{\n"                                                                                      \
	"	if (b == -1)\n"                                                                          \
	"		a[0] = b;\n"                                                                            \
	"}\n"                                                                                      \
	"#define P4(n) int n##0, int n##1, int n##2, int n##3\n"                                   \
	"#define S4(n) (n##0 ^ n##1 ^ n##2 ^ n##3)\n"                                              \
	"kernel void many(P4(a), P4(b), P4(c), P4(d), P4(e), P4(f), P4(g), P4(h),\n"               \
	"	global int *out)\n"                                                                      \
	"{\n"                                                                                      \
	"	int sum = S4(a) ^ S4(b) ^ S4(c) ^ S4(d) ^ S4(e) ^ S4(f) ^ S4(g) ^ S4(h);\n"              \
	"	if (sum == -1)\n"                                                                        \
	"		out[0] = sum;\n"                                                                        \
	"}\n"

/* Work-items in all and in a group; where kernels are executed (PoCL), one of one. */
#define BENCH_HOST_SIZE	 256
#define BENCH_HOST_LOCAL 64

#define BENCH_FAN     1000 /* commands after one */
#define BENCH_THREADS 8

#define BENCH_ROW_ENQUEUE  "enqueue"
#define BENCH_ROW_EVENT	   "enqueue+event"
#define BENCH_ROW_ARGS	   "enqueue, changed arguments"
#define BENCH_ROW_ARGS_N   "enqueue, %d changed argument%s"
#define BENCH_ROW_FINISH   "enqueue+finish"
#define BENCH_ROW_CHAIN	   "chain across two queues"
#define BENCH_ROW_FAN	   "out-of-order fan-out of 1000"
#define BENCH_ROW_CALLBACK "event callback"
#define BENCH_ROW_PROFILE  "enqueue, profiled"
#define BENCH_ROW_REPLAY   "replay of 100 kernels, each"
#define BENCH_ROW_THREADS  "enqueue, 8 threads, 8 queues"
#define BENCH_ROW_BUFFERS  "enqueue, %s live buffers"
#define BENCH_ROW_EVENTS   "enqueue+event, %s outstanding"
#define BENCH_ROW_TRANSFER "%s %s" /* read, write or map, and how much */
#define BENCH_ROW_MEMORY   "memory per %s"
#define BENCH_ROW_CREATE   "create and release a %s"
#define BENCH_ROW_FIRST	   "first clGetPlatformIDs"
#define BENCH_ROW_KERNEL   "first kernel"
#define BENCH_ROW_RESIDENT "resident memory"

/* Bytes that are read, written and mapped. */
#define BENCH_TRANSFERS                                                                            \
	{                                                                                          \
		{ "1 KiB", (size_t)1 << 10, 200 }, { "64 KiB", (size_t)1 << 16, 100 },             \
			{ "1 MiB", (size_t)1 << 20, 40 },                                          \
		{                                                                                  \
			"64 MiB", (size_t)1 << 26, 5                                               \
		}                                                                                  \
	}
struct bench_transfer {
	const char *name;
	size_t size;
	int times;
};

#endif
