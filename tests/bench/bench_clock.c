// SPDX-License-Identifier: MIT
#include "bench_clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

struct bench_time bench_now(void)
{
	return (struct bench_time){ seconds(CLOCK_MONOTONIC), seconds(CLOCK_THREAD_CPUTIME_ID) };
}

struct bench_time bench_since(struct bench_time start)
{
	struct bench_time now = bench_now();

	return (struct bench_time){ now.wall - start.wall, now.cpu - start.cpu };
}

static int by_wall(const void *left, const void *right)
{
	const struct bench_time *a = left, *b = right;

	return (a->wall > b->wall) - (a->wall < b->wall);
}

static int by_cpu(const void *left, const void *right)
{
	const struct bench_time *a = left, *b = right;

	return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

struct bench_time bench_median(struct bench_time *times, size_t n)
{
	struct bench_time median;

	qsort(times, n, sizeof *times, by_wall);
	median.wall = times[n / 2].wall;
	qsort(times, n, sizeof *times, by_cpu);
	median.cpu = times[n / 2].cpu;
	return median;
}

void bench_print(const char *row, struct bench_time time)
{
	printf("%s\tns wall\t%.1f\n", row, time.wall * 1e9);
	printf("%s\tns cpu\t%.1f\n", row, time.cpu * 1e9);
}
