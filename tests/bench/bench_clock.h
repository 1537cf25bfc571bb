// SPDX-License-Identifier: MIT
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stddef.h>

/* Seconds passed, and seconds that this thread computed. */
struct bench_time {
	double wall;
	double cpu;
};

struct bench_time bench_now(void);
struct bench_time bench_since(struct bench_time start);

/* The middle of the times, wall and cpu apart; sorts them. */
struct bench_time bench_median(struct bench_time *times, size_t n);

/* Prints "row<TAB>unit<TAB>value" for wall and cpu time in nanoseconds: what ci/bench reads. */
void bench_print(const char *row, struct bench_time time);

#endif
