// SPDX-License-Identifier: MIT
#include "bench_crew.h"

#include "bench_clock.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define CREW_MAX 64
#define ROUNDS	 7

struct member {
	pthread_t thread;
	int number;
	void (*work)(int);
	double cpu;
};

static pthread_barrier_t start;

static void *run(void *data)
{
	struct member *member = data;

	pthread_barrier_wait(&start);
	struct bench_time begin = bench_now();
	member->work(member->number);
	member->cpu = bench_since(begin).cpu;
	return NULL;
}

static struct bench_time round_of(struct member *members, int n)
{
	for (int i = 0; i < n; i++)
		if (pthread_create(&members[i].thread, NULL, run, &members[i]))
			exit(1);
	struct bench_time begin = bench_now(), time = { 0 };
	pthread_barrier_wait(&start);
	for (int i = 0; i < n; i++)
		pthread_join(members[i].thread, NULL);
	time.wall = bench_since(begin).wall;
	for (int i = 0; i < n; i++)
		time.cpu += members[i].cpu;
	return time;
}

void bench_crew(const char *row, void (*work)(int), int n, int per)
{
	struct member members[CREW_MAX];
	struct bench_time times[ROUNDS];

	if (n > CREW_MAX || pthread_barrier_init(&start, NULL, (unsigned)n + 1))
		exit(1);
	for (int i = 0; i < n; i++)
		members[i] = (struct member){ .number = i, .work = work };
	(void)round_of(members, n); /* warms up */
	for (int round = 0; round < ROUNDS; round++) {
		times[round] = round_of(members, n);
		times[round].wall /= per;
		times[round].cpu /= per;
	}
	pthread_barrier_destroy(&start);
	bench_print(row, bench_median(times, ROUNDS));
}
