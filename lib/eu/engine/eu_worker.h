// SPDX-License-Identifier: MIT
#ifndef EU_WORKER_H
#define EU_WORKER_H

#include <pthread.h>

#include "eu/code/eu_cache.h"
#include "eu/engine/eu_payload.h"
#include "eu/engine/eu_recall.h"
#include "eu/state/eu_thread.h"

enum {
	EU_FFTIDS = 1024, /* numbers of resident threads have 10 bits */
};

/* One run of a walker, shared by the host threads that work on it. */
struct eu_job {
	const struct eu_dispatch *dispatch;
	struct eu_cache *cache;
	struct eu_kernel *kernel; /* in it */
	const struct eu_payload *payload;
	const atomic_int *stop;
	uint64_t group_count;
	uint64_t chunk;		   /* groups that a worker takes at a time */
	uint32_t resident_threads; /* that each worker may have; at least a group's */
	uint32_t hang_ms;	   /* 0: it may take for ever */
	uint64_t begun;		   /* milliseconds, when hang_ms is not 0 */
	_Atomic uint64_t next_group;
	_Atomic uint64_t instructions;
	bool timed;		      /* whether the next counts */
	_Atomic uint64_t nanoseconds; /* that the workers' host threads have computed */
	atomic_int failed;	      /* non-zero once `fault` is somebody's */
	pthread_mutex_t lock;	      /* of fault */
	struct gen_fault fault;
};

/* Starts the job's clock, if ZEROCL_VGPU_HANG_MS wants it to be stopped at some time. */
void eu_job_begin(struct eu_job *job);

/* A host thread's own: EU threads, shared local memory, translations. Kept from run to run. */
struct eu_host_worker;

/* `number` tells the workers of an engine apart. Returns NULL when memory is short. */
struct eu_host_worker *eu_host_worker_create(const struct gen_device *device, unsigned number);
void eu_host_worker_destroy(struct eu_host_worker *crew);

/*
 * Works on the job until no group is left, it failed, or it was stopped. Many crews may work on
 * one job at a time.
 */
void eu_host_worker_work(struct eu_host_worker *crew, struct eu_job *job);

/* Tells the kernel's probe, if there is one, that all `workers` crews have ended their work. */
void eu_host_worker_end(const struct eu_host_worker *crew, unsigned workers);

#endif
