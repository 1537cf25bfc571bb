// SPDX-License-Identifier: MIT
#ifndef BENCH_HOST_H
#define BENCH_HOST_H

/*
 * What group `host` measures, in both of its programs: bench-host-cl (any OpenCL platform) and
 * bench-host-l0 (bare Level Zero, the least that an OpenCL on top of it can cost).
 *
 * A batch is ROW_BATCH launches of a kernel that does nothing, in order, and a flush; what is
 * printed is the median over batches of the time per launch. That the device is done is waited for
 * between batches, outside of the measurement, except in the row that measures it.
 */
#define BENCH_BATCH   100
#define BENCH_BATCHES 60
#define BENCH_WARM_UP 5

#define BENCH_HOST_KERNEL                                                                          \
	"kernel void nothing(global int *a, int b)\n"                                              \
	"{\n"                                                                                      \
	"	if (b == -1)\n"                                                                          \
	"		a[0] = b;\n"                                                                            \
	"}\n"

/* Work-items in all and in a group. */
#define BENCH_HOST_SIZE	 256
#define BENCH_HOST_LOCAL 64

#define BENCH_ROW_ENQUEUE "enqueue"
#define BENCH_ROW_EVENT	  "enqueue+event"
#define BENCH_ROW_ARGS	  "enqueue, changed arguments"
#define BENCH_ROW_FINISH  "enqueue+finish"

#endif
