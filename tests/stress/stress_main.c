// SPDX-License-Identifier: MIT
#include "stress.h"

#include <errno.h>
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
struct stress_printed stress_printed;

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

/* Whoever writes to the standard output from now on writes to a file. */
static void open_printed(void)
{
	stress_printed.file = tmpfile();
	if (!stress_printed.file || dup2(fileno(stress_printed.file), STDOUT_FILENO) < 0)
		stress_fail("tmpfile", errno);
}

/* Nothing is in flight: what was printed is all there, and nothing else. */
static void check_printed(void)
{
	long lines = 0, sum = 0;
	char line[64];
	unsigned n;
	char end;

	fflush(stdout);
	rewind(stress_printed.file);
	for (; fgets(line, sizeof(line), stress_printed.file); lines++, sum += n)
		if (sscanf(line, "print %u%c", &n, &end) != 2 || end != '\n')
			stress_fail(line, lines);
	if (lines != atomic_load(&stress_printed.lines) || sum != atomic_load(&stress_printed.sum))
		stress_fail("lines were printed", lines - atomic_load(&stress_printed.lines));
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
	check_printed();
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
	fprintf(stderr, "stress: seed %u, %d threads\n", seed, n);
	open_printed();
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
	fprintf(stderr,
		"stress: %lu steps in %d rounds, %.1f MiB after three of them, %.1f MiB at the "
		"end\n",
		steps, rounds, first / 1048576, last / 1048576);
	if (!getenv("STRESS_ANY_MEMORY") && last - first > GROWTH_MAX + GROWTH_SHARE * first)
		stress_fail("memory has grown by bytes", (long)(last - first));
	return 0;
}
