// SPDX-License-Identifier: MIT
#include "eu/engine/eu_engine.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "eu/code/eu_cache.h"
#include "eu/debug/eu_debug.h"
#include "eu/watch/eu_watch.h"
#include "eu/engine/eu_worker.h"
#include "util/util_bits.h"
#include "util/util_settings.h"
#include "util/util_thread.h"

enum { MAX_WORKERS = 256, CHUNKS_PER_WORKER = 16, MAX_CHUNK = 256, WAIT_NANOSECONDS = 20000000 };

/*
 * The thread that calls eu_engine_run is worker 0; the others are host threads of the engine, made
 * when the first walker that can use them comes.
 */
struct eu_engine {
	const struct gen_device *device;
	unsigned worker_count;
	pthread_mutex_t turn_lock; /* of busy and statistics */
	pthread_cond_t turn;
	bool busy; /* somebody's walker runs; it owns the group that follows */
	struct eu_statistics statistics;

	struct eu_cache *cache;
	struct eu_payload payload;
	struct eu_host_worker *crews[MAX_WORKERS]; /* made when first needed */

	pthread_mutex_t lock; /* of the group that follows */
	pthread_cond_t work, done;
	pthread_t threads[MAX_WORKERS]; /* 1 … started - 1 */
	unsigned started;
	unsigned wanted; /* workers 1 … wanted - 1 take part in job number `round` */
	unsigned active; /* of them, those that have not finished */
	uint64_t round;
	struct eu_job *job;
	bool quit;
};

struct start {
	struct eu_engine *engine;
	unsigned number;
};

static unsigned host_cores(void)
{
	cpu_set_t set;
	int count = (int)util_settings()->threads;

	if (count <= 0 && !sched_getaffinity(0, sizeof set, &set))
		count = CPU_COUNT(&set);
	return count > 0 ? (unsigned)count : 1;
}

struct eu_engine *eu_engine_create(const struct gen_device *device, unsigned workers)
{
	struct eu_engine *engine = calloc(1, sizeof *engine);

	if (!engine)
		return NULL;
	engine->device = device;
	engine->worker_count = util_min_u32(workers ? workers : host_cores(), MAX_WORKERS);
	engine->started = 1;
	pthread_mutex_init(&engine->turn_lock, NULL);
	pthread_mutex_init(&engine->lock, NULL);
	pthread_cond_init(&engine->turn, NULL);
	pthread_cond_init(&engine->work, NULL);
	pthread_cond_init(&engine->done, NULL);
	engine->cache = eu_cache_create(device);
	if (!engine->cache) {
		eu_engine_destroy(engine);
		return NULL;
	}
	return engine;
}

void eu_engine_destroy(struct eu_engine *engine)
{
	if (!engine)
		return;
	pthread_mutex_lock(&engine->lock);
	engine->quit = true;
	pthread_cond_broadcast(&engine->work);
	pthread_mutex_unlock(&engine->lock);
	for (unsigned i = 1; i < engine->started; i++)
		pthread_join(engine->threads[i], NULL);
	for (unsigned i = 0; i < MAX_WORKERS; i++)
		eu_host_worker_destroy(engine->crews[i]);
	eu_payload_finish(&engine->payload);
	eu_cache_destroy(engine->cache);
	pthread_cond_destroy(&engine->done);
	pthread_cond_destroy(&engine->work);
	pthread_cond_destroy(&engine->turn);
	pthread_mutex_destroy(&engine->lock);
	pthread_mutex_destroy(&engine->turn_lock);
	free(engine);
}

static void *worker_main(void *argument)
{
	struct start start = *(struct start *)argument;
	struct eu_engine *engine = start.engine;
	uint64_t seen = 0;

	free(argument);
	pthread_mutex_lock(&engine->lock);
	for (;;) {
		while (!engine->quit && (engine->round == seen || start.number >= engine->wanted))
			pthread_cond_wait(&engine->work, &engine->lock);
		if (engine->quit)
			break;
		seen = engine->round;
		struct eu_job *job = engine->job;
		pthread_mutex_unlock(&engine->lock);
		eu_host_worker_work(engine->crews[start.number], job);
		pthread_mutex_lock(&engine->lock);
		if (!--engine->active)
			pthread_cond_signal(&engine->done);
	}
	pthread_mutex_unlock(&engine->lock);
	return NULL;
}

/* Starts host thread engine->started. */
static bool start_worker(struct eu_engine *engine)
{
	struct start *start = malloc(sizeof *start);

	if (!start)
		return false;
	*start = (struct start){ engine, engine->started };
	if (util_thread_start(worker_main, start, "zerocl-eu", &engine->threads[engine->started])) {
		free(start);
		return false;
	}
	engine->started++;
	return true;
}

/* Gets up to `count` workers ready; returns how many are, 0 when there is no memory for one. */
static unsigned gather(struct eu_engine *engine, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		if (!engine->crews[i])
			engine->crews[i] = eu_host_worker_create(engine->device, i);
		if (!engine->crews[i] || (i >= engine->started && !start_worker(engine)))
			return i;
	}
	return count;
}

/* Waits until the engine is ours. Returns false when *stop came first. */
static bool take_turn(struct eu_engine *engine, const atomic_int *stop)
{
	bool ours = false;

	pthread_mutex_lock(&engine->turn_lock);
	while (engine->busy && !atomic_load(stop)) {
		struct timespec until = util_time_after(CLOCK_REALTIME, WAIT_NANOSECONDS);
		pthread_cond_timedwait(&engine->turn, &engine->turn_lock, &until);
	}
	if (!engine->busy)
		ours = engine->busy = true;
	pthread_mutex_unlock(&engine->turn_lock);
	return ours;
}

/* ZEROCL_VGPU_STATISTICS: a line for each walker. */
static void report(const char *path, const struct eu_job *job)
{
	FILE *file = fopen(path, "ae");

	if (!file)
		return;
	fprintf(file, "0x%012llx %llu %llu %llu %llu\n", (unsigned long long)job->dispatch->kernel,
		(unsigned long long)job->group_count,
		(unsigned long long)job->group_count * job->dispatch->threads_per_group,
		(unsigned long long)job->instructions, (unsigned long long)job->nanoseconds);
	fclose(file);
}

static void end_turn(struct eu_engine *engine, const struct eu_job *job)
{
	uint64_t groups = job->kernel ? job->group_count : 0;

	pthread_mutex_lock(&engine->turn_lock);
	engine->busy = false;
	engine->statistics.instructions += job->instructions;
	engine->statistics.groups += groups;
	engine->statistics.threads += groups * job->dispatch->threads_per_group;
	pthread_cond_signal(&engine->turn);
	pthread_mutex_unlock(&engine->turn_lock);
}

/* Number of groups; the largest number when it is too large to count. */
static uint64_t count_groups(const struct eu_dispatch *dispatch)
{
	uint64_t count = 1;

	for (unsigned i = 0; i < 3; i++) {
		if (dispatch->group_end[i] <= dispatch->group_first[i])
			return 0;
		uint64_t extent = dispatch->group_end[i] - dispatch->group_first[i];
		if (__builtin_mul_overflow(count, extent, &count))
			count = UINT64_MAX;
	}
	return count;
}

/* Runs the job on workers 0 … count - 1, the first of which is the caller. */
static void work(struct eu_engine *engine, struct eu_job *job, unsigned count)
{
	if (count > 1) {
		pthread_mutex_lock(&engine->lock);
		engine->job = job;
		engine->wanted = count;
		engine->active = count - 1;
		engine->round++;
		pthread_cond_broadcast(&engine->work);
		pthread_mutex_unlock(&engine->lock);
	}
	eu_host_worker_work(engine->crews[0], job);
	if (count > 1) {
		pthread_mutex_lock(&engine->lock);
		while (engine->active)
			pthread_cond_wait(&engine->done, &engine->lock);
		pthread_mutex_unlock(&engine->lock);
	}
}

static struct eu_layout layout_of(const struct eu_dispatch *dispatch)
{
	return (struct eu_layout){
		.known = true,
		.cross_first = dispatch->cross_first,
		.cross = (uint16_t)dispatch->cross_thread_registers,
		.thread = (uint16_t)dispatch->per_thread_registers,
	};
}

/* Fills the fault of the job itself; the engine is ours. */
static void run(struct eu_engine *engine, struct eu_job *job)
{
	const struct eu_dispatch *dispatch = job->dispatch;
	uint32_t device_threads = util_min_u32(gen_device_threads(engine->device), EU_FFTIDS);
	uint32_t fit = device_threads / dispatch->threads_per_group;
	uint64_t limit = engine->worker_count;

	if (!fit || dispatch->threads_per_group > EU_GROUP_THREADS) {
		gen_fault_add(&job->fault, GEN_FAULT_BAD_STATE,
			"groups of %u threads, but the device has %u", dispatch->threads_per_group,
			device_threads);
		return;
	}
	limit = limit < fit ? limit : fit;
	limit = limit < job->group_count ? limit : job->group_count;
	if (eu_watch_wanted() & (EU_WATCH_RACES | EU_WATCH_GDB))
		limit = 1; /* what is kept of accesses is one worker's; GDB stops one */
	unsigned count = gather(engine, (unsigned)limit);
	if (!count) {
		gen_fault_add(&job->fault, GEN_FAULT_NO_MEMORY, "no memory for a worker");
		return;
	}
	job->resident_threads = device_threads / count;
	job->chunk = job->group_count / (count * CHUNKS_PER_WORKER);
	job->chunk = job->chunk < 1 ? 1 : job->chunk > MAX_CHUNK ? MAX_CHUNK : job->chunk;
	job->cache = engine->cache;
	struct eu_options options = eu_options_select();
	options.layout = layout_of(dispatch);
	job->kernel = eu_cache_find(
		engine->cache, dispatch->bus, dispatch->kernel, options, job->stop, &job->fault);
	if (!job->kernel ||
		!eu_payload_prepare(&engine->payload, dispatch, device_threads, &job->fault))
		return;
	job->payload = &engine->payload;
	eu_job_begin(job);
	work(engine, job, count);
	for (unsigned i = 0; i < count; i++)
		eu_host_worker_end(engine->crews[i], count);
}

int eu_engine_run(struct eu_engine *engine, const struct eu_dispatch *dispatch,
	const atomic_int *stop, struct gen_fault *fault)
{
	struct eu_job job = {
		.dispatch = dispatch,
		.stop = stop,
		.group_count = count_groups(dispatch),
	};

	if (!job.group_count)
		return 0;
	if (eu_watch_wanted() & EU_WATCH_WALKERS)
		eu_watch_walker(dispatch);
	if (!take_turn(engine, stop)) {
		gen_fault_add(fault, GEN_FAULT_HANG, "stopped before the kernel was started");
		return -1;
	}
	const char *statistics = util_settings()->statistics;
	job.timed = statistics != NULL;
	pthread_mutex_init(&job.lock, NULL);
	bool debugged = eu_debug_wanted();
	if (debugged)
		eu_debug_walker_begin(engine->device, dispatch, stop);
	run(engine, &job);
	if (debugged)
		eu_debug_walker_end(dispatch);
	pthread_mutex_destroy(&job.lock);
	end_turn(engine, &job);
	if (statistics && job.kernel)
		report(statistics, &job);
	if (job.fault.kind == GEN_FAULT_NONE && atomic_load(stop))
		gen_fault_add(&job.fault, GEN_FAULT_HANG,
			"stopped while the kernel at 0x%012llx ran",
			(unsigned long long)dispatch->kernel);
	if (job.fault.kind == GEN_FAULT_NONE)
		return 0;
	*fault = job.fault;
	return -1;
}

void eu_engine_statistics(struct eu_engine *engine, struct eu_statistics *out)
{
	pthread_mutex_lock(&engine->turn_lock);
	*out = engine->statistics;
	pthread_mutex_unlock(&engine->turn_lock);
}
