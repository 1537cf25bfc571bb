// SPDX-License-Identifier: MIT
#include "stress.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/*
 * stress-cl SECONDS [SEED [THREADS]]: random commands over many queues, threads, contexts and
 * events; see stress.h. Ends with 0 if every result was right and memory did not grow.
 */

#define THREADS_MAX  32
#define GROWTH_MAX   (16.0 * 1024 * 1024)
#define GROWTH_SHARE 0.05

atomic_bool stress_over;

void stress_fail(const char *what, long value)
{
	fprintf(stderr, "stress: %s: %ld\n", what, value);
	/* other threads may be in the middle of calls: nothing is cleaned up */
	_exit(1);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double resident(void)
{
	unsigned long total, pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	if (!file || fscanf(file, "%lu %lu", &total, &pages) != 2)
		pages = 0;
	if (file)
		fclose(file);
	return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static void *run(void *worker)
{
	stress_work(worker);
	return NULL;
}

/* All threads work for so long, then end what they began. */
static unsigned long work(struct stress_context *contexts, unsigned seed, int n, double duration)
{
	static struct stress_worker workers[THREADS_MAX];
	pthread_t threads[THREADS_MAX];
	unsigned long steps = 0;

	atomic_store(&stress_over, false);
	for (int i = 0; i < n; i++) {
		workers[i] = (struct stress_worker){ .seed = seed + (unsigned)i * 7919u,
			.context = &contexts[i % STRESS_CONTEXTS] };
		if (pthread_create(&threads[i], NULL, run, &workers[i]))
			stress_fail("pthread_create", i);
	}
	usleep((useconds_t)(duration * 1e6));
	atomic_store(&stress_over, true);
	for (int i = 0; i < n; i++) {
		pthread_join(threads[i], NULL);
		steps += workers[i].steps;
	}
	for (int i = 0; i < STRESS_CONTEXTS; i++)
		stress_context_settle(&contexts[i]);
	return steps;
}

int main(int argc, char **argv)
{
	static struct stress_context contexts[STRESS_CONTEXTS];
	double duration = argc > 1 ? atof(argv[1]) : 5;
	unsigned seed = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : (unsigned)time(NULL);
	int n = argc > 3 ? atoi(argv[3]) : 4;
	double end = seconds() + duration, first = 0, last = 0;
	unsigned long steps = 0;
	int rounds = 0;

	if (duration <= 0 || n < 1 || n > THREADS_MAX) {
		fputs("usage: stress-cl SECONDS [SEED [THREADS]]\n", stderr);
		return 2;
	}
	printf("stress: seed %u, %d threads\n", seed, n);
	fflush(stdout);
	for (int i = 0; i < STRESS_CONTEXTS; i++)
		stress_context_open(&contexts[i]);
	/* in rounds: between them nothing is in flight, and memory can be compared */
	while (seconds() < end || rounds < 4) {
		steps += work(contexts, seed + (unsigned)rounds * 104729, n, duration / 10);
		last = resident();
		if (++rounds == 3)
			first = last;
	}
	for (int i = 0; i < STRESS_CONTEXTS; i++)
		stress_context_close(&contexts[i]);
	printf("stress: %lu steps in %d rounds, %.1f MiB after three of them, %.1f MiB at the "
	       "end\n",
		steps, rounds, first / 1048576, last / 1048576);
	if (!getenv("STRESS_ANY_MEMORY") && last - first > GROWTH_MAX + GROWTH_SHARE * first)
		stress_fail("memory has grown by bytes", (long)(last - first));
	return 0;
}
