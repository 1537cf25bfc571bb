// SPDX-License-Identifier: MIT
#include "eu/engine/eu_worker.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "eu/debug/eu_debug.h"
#include "eu/ops/eu_symbols.h"
#include "eu/state/eu_float_mode.h"
#include "eu/sampler/eu_image.h"
#include "eu/engine/eu_run.h"
#include "eu/ops/eu_branch.h"
#include "eu/watch/eu_shadow.h"
#include "util/util_bits.h"
#include "util/util_settings.h"

enum {
	SLM_POISON = 0xcd,   /* contents are undefined when a group starts */
	SLICE_MAX = 1 << 20, /* of those that wait for others in a loop */
};

/* A group that has started. */
struct resident {
	struct eu_group group; /* first */
	uint32_t started;      /* threads 0 … started - 1 have been */
	uint32_t slice;
	uint32_t barrier;			     /* its barrier id */
	struct eu_thread *threads[EU_GROUP_THREADS]; /* NULL: not started or ended */
};

struct eu_host_worker {
	struct eu_worker worker; /* what messages see of us; first */
	struct gen_fault fault;
	uint32_t translation_capacity;
	struct eu_thread *threads[EU_FFTIDS]; /* made when first needed */
	uint16_t idle[EU_FFTIDS];	      /* stack of the numbers of unused threads */
	uint32_t idle_count;
	uint32_t mask, last_mask;      /* channels of the threads of a group, and of its last one */
	const struct eu_thread *ended; /* for which eu_thread_again may do; NULL: none */
	struct resident **residents;   /* the first `resident_count` are running */
	uint32_t resident_count, resident_capacity;
	uint64_t chunk_left;  /* groups taken but not started */
	uint32_t chunk_id[3]; /* of the first of them */
	struct eu_recall recall;
};

/* What a turn of a group came to. */
enum turn { TURN_PROGRESS, TURN_SPUN, TURN_ENDED, TURN_FAILED };

struct eu_host_worker *eu_host_worker_create(const struct gen_device *device, unsigned number)
{
	struct eu_host_worker *crew = calloc(1, sizeof *crew);

	if (!crew)
		return NULL;
	crew->worker.device = device;
	crew->worker.fault = &crew->fault;
	crew->worker.number = number;
	crew->worker.surfaces = calloc(EU_SURFACES, sizeof *crew->worker.surfaces);
	if (!crew->worker.surfaces) {
		eu_host_worker_destroy(crew);
		return NULL;
	}
	return crew;
}

void eu_host_worker_destroy(struct eu_host_worker *crew)
{
	if (!crew)
		return;
	for (unsigned i = 0; i < EU_FFTIDS; i++)
		free(crew->threads[i]);
	for (unsigned i = 0; i < crew->resident_capacity; i++) {
		free(crew->residents[i]->group.slm);
		free(crew->residents[i]);
	}
	free(crew->residents);
	free(crew->worker.translations);
	free(crew->worker.surfaces);
	eu_images_finish(&crew->worker);
	eu_recall_finish(&crew->recall);
	free(crew);
}

static void no_memory(struct eu_host_worker *crew)
{
	gen_fault_add(&crew->fault, GEN_FAULT_NO_MEMORY, "no memory for threads");
}

/* The first fault of a job wins. */
static void fail(struct eu_host_worker *crew, struct eu_job *job)
{
	pthread_mutex_lock(&job->lock);
	if (!atomic_load(&job->failed)) {
		job->fault = crew->fault;
		atomic_store(&job->failed, 1);
	}
	pthread_mutex_unlock(&job->lock);
}

static bool stopped(const struct eu_job *job)
{
	return atomic_load_explicit(job->stop, memory_order_relaxed) ||
	       atomic_load_explicit(&job->failed, memory_order_relaxed);
}

/* The worker's `keep`. */
static void keep(struct eu_thread *thread)
{
	struct eu_host_worker *crew = (struct eu_host_worker *)thread->worker;

	if (thread->act.bits == thread->full)
		eu_recall_keep(&crew->recall, thread);
}

/* Gets the crew ready for a job: nothing of an earlier one may be left in its caches. */
static bool prepare(struct eu_host_worker *crew, const struct eu_job *job)
{
	struct eu_worker *worker = &crew->worker;
	uint32_t sends = job->kernel->send_count;

	worker->dispatch = job->dispatch;
	worker->kernel = job->kernel;
	worker->kernel_base = (uint32_t)(job->dispatch->kernel - job->dispatch->instruction_base);
	worker->probe = job->kernel->probe;
	memset(worker->functions, 0, sizeof(worker->functions));
	memset(&crew->fault, 0, sizeof crew->fault);
	if (sends > crew->translation_capacity) {
		free(worker->translations);
		crew->translation_capacity = 0;
		worker->translations = malloc(sends * sizeof *worker->translations);
		if (!worker->translations) {
			no_memory(crew);
			return false;
		}
		crew->translation_capacity = sends;
	}
	if (sends)
		memset(worker->translations, 0, sends * sizeof *worker->translations);
	memset(worker->surfaces, 0, EU_SURFACES * sizeof *worker->surfaces);
	eu_images_forget(worker);
	worker->walkers++;
	worker->stop = job->stop;
	worker->cache = job->cache;
	worker->find_function = eu_cache_find_function;
	worker->instructions = 0;
	if (job->kernel->tally && !eu_branch_tallies(job->kernel, worker)) {
		no_memory(crew);
		return false;
	}
	crew->idle_count = 0;
	for (uint32_t i = job->resident_threads; i-- > 0;)
		crew->idle[crew->idle_count++] = (uint16_t)i;
	crew->resident_count = 0;
	crew->chunk_left = 0;
	crew->ended = NULL;
	crew->mask = UINT32_MAX >> (32 - job->dispatch->simd);
	crew->last_mask = crew->mask & job->dispatch->right_mask;
	/* Threads that wait for each other run in different places; pixels depend on the group. */
	uint32_t threads = job->dispatch->threads_per_group;
	bool together = threads == 1 || !job->dispatch->barrier;
	eu_recall_begin(
		&crew->recall, job->kernel, together && !job->dispatch->pixels.right ? threads : 0);
	worker->keep = crew->recall.prologue ? keep : NULL;
	return true;
}

/* Takes groups that nobody has started; false when there are none. */
static bool take_chunk(struct eu_host_worker *crew, struct eu_job *job)
{
	const struct eu_dispatch *dispatch = job->dispatch;
	uint64_t width = dispatch->group_end[0] - dispatch->group_first[0];
	uint64_t height = dispatch->group_end[1] - dispatch->group_first[1];
	uint64_t first = atomic_fetch_add(&job->next_group, job->chunk);

	if (first >= job->group_count)
		return false;
	uint64_t left = job->group_count - first;
	crew->chunk_left = left < job->chunk ? left : job->chunk;
	crew->chunk_id[0] = dispatch->group_first[0] + (uint32_t)(first % width);
	crew->chunk_id[1] = dispatch->group_first[1] + (uint32_t)(first / width % height);
	crew->chunk_id[2] = dispatch->group_first[2] + (uint32_t)(first / width / height);
	return true;
}

/* The id of the next group that nobody has started; false when there is none. */
static bool next_group(struct eu_host_worker *crew, struct eu_job *job, uint32_t id[3])
{
	const struct eu_dispatch *dispatch = job->dispatch;

	if (!crew->chunk_left && !take_chunk(crew, job))
		return false;
	memcpy(id, crew->chunk_id, sizeof(crew->chunk_id));
	crew->chunk_left--;
	for (unsigned i = 0; i < 3 && ++crew->chunk_id[i] == dispatch->group_end[i]; i++)
		crew->chunk_id[i] = dispatch->group_first[i];
	return true;
}

/* An unused resident behind those that run; its shared local memory is there if `slm`. */
static struct resident *spare(struct eu_host_worker *crew, bool slm)
{
	if (crew->resident_count == crew->resident_capacity) {
		uint32_t capacity = crew->resident_capacity + 1;
		struct resident **all = realloc(crew->residents, capacity * sizeof(*all));
		if (!all)
			return NULL;
		crew->residents = all;
		all[crew->resident_capacity] = calloc(1, sizeof **all);
		if (!all[crew->resident_capacity])
			return NULL;
		all[crew->resident_capacity]->barrier = crew->resident_capacity;
		crew->resident_capacity = capacity;
	}
	struct resident *resident = crew->residents[crew->resident_count];
	if (slm && !resident->group.slm)
		resident->group.slm = aligned_alloc(64, GEN_SLM_BYTES);
	return slm && !resident->group.slm ? NULL : resident;
}

/* Begins the next group in the place of a resident; false when none is left. */
static bool begin_group(struct eu_host_worker *crew, struct eu_job *job, struct resident *resident)
{
	const struct eu_dispatch *dispatch = job->dispatch;
	struct eu_group *group = &resident->group;

	if (!next_group(crew, job, group->id))
		return false;
	group->dispatch = dispatch;
	group->thread_count = group->live = dispatch->threads_per_group;
	group->arrived = group->generation = 0;
	memset(group->waiting, 0, dispatch->threads_per_group / 2 * sizeof(*group->waiting));
	group->slm_reach = dispatch->slm_bytes;
	if (dispatch->slm_bytes)
		memset(group->slm, SLM_POISON, dispatch->slm_bytes);
	resident->started = 0;
	resident->slice = EU_SLICE;
	return true;
}

/* Starts one more group. Returns false when none is left or there is no room, or with a fault. */
static bool open_group(struct eu_host_worker *crew, struct eu_job *job)
{
	const struct eu_dispatch *dispatch = job->dispatch;

	if (crew->idle_count < dispatch->threads_per_group)
		return false;
	struct resident *resident = spare(crew, dispatch->slm_bytes > 0);
	if (!resident) {
		no_memory(crew);
		fail(crew, job);
		return false;
	}
	if (!begin_group(crew, job, resident))
		return false;
	crew->resident_count++;
	return true;
}

/* The thread that is to be used next, which stays idle; NULL when memory is short. */
static struct eu_thread *idle_thread(struct eu_host_worker *crew, const struct eu_job *job)
{
	uint16_t number = crew->idle[crew->idle_count - 1];
	struct eu_thread *thread = crew->threads[number];

	if (!thread) {
		thread = aligned_alloc(64, util_align_up(sizeof *thread, 64));
		if (!thread)
			return NULL;
		memset(thread, 0, sizeof *thread);
		crew->threads[number] = thread;
	}
	thread->fftid = crew->worker.number * job->resident_threads + number;
	thread->worker = &crew->worker;
	return thread;
}

/*
 * Starts the next thread of the group, which passes over the kernel's prologue if it can. Returns
 * whether it is at prologue.direct.
 */
static bool start_thread(struct eu_host_worker *crew, const struct eu_job *job,
	struct resident *resident, struct eu_thread *thread)
{
	const struct eu_dispatch *dispatch = job->dispatch;
	struct eu_recall *recall = &crew->recall;
	uint32_t index = resident->started;
	uint32_t mask = index == dispatch->threads_per_group - 1 ? crew->last_mask : crew->mask;

	thread->index = index;
	thread->group = &resident->group;
	/* In a channel that is off is what instructions without a mask left there. */
	bool is_full = !(job->kernel->lanes & ~mask);
	if (is_full && recall->prologue && index == 0)
		eu_recall_move(recall, thread);
	bool recalled = recall->prologue && is_full && eu_recall_has(recall, thread, index);
	bool direct = recalled && eu_recall_lend(recall, thread, index);
	if (recalled && !direct)
		eu_recall_write(recall, index, thread->grf);
	else if (!recalled)
		eu_payload_write(job->payload, resident->group.id, resident->barrier, index,
			thread->fftid, thread->grf);
	if (dispatch->pixels.right)
		mask = eu_payload_pixels(dispatch, resident->group.id, thread->grf);
	if (thread == crew->ended && thread->dispatch_mask == mask &&
		thread->act.bits == (mask & job->kernel->lanes))
		eu_thread_again(thread);
	else
		eu_thread_start(thread, job->kernel, mask, dispatch->cr0);
	if (direct)
		thread->resume = job->kernel->prologue.direct;
	else if (recalled)
		thread->resume += job->kernel->prologue.end;
	return direct;
}

/* How many groups along x, from that of the thread on, a sweep may go through at most. */
static uint32_t groups_ahead(const struct eu_host_worker *crew, const struct eu_job *job,
	const struct eu_group *group, bool whole)
{
	uint64_t row = job->dispatch->group_end[0] - group->id[0];

	if (!whole || crew->resident_count > 1 || job->dispatch->slm_bytes)
		return 1;
	return (uint32_t)(row < crew->chunk_left + 1 ? row : crew->chunk_left + 1);
}

/*
 * Lets the other threads of the group, and of those that come next, follow the one that is about to
 * go on at prologue.direct.
 */
static bool sweep(struct eu_host_worker *crew, const struct eu_job *job, struct eu_thread *thread)
{
	uint32_t threads = thread->group->thread_count;
	bool whole = !(job->kernel->lanes & ~crew->last_mask);
	uint32_t groups = groups_ahead(crew, job, thread->group, whole);

	if (!job->kernel->prologue.sweep ||
		!eu_recall_sweep(&crew->recall, thread, whole ? threads : threads - 1, groups))
		return false;
	thread->resume = job->kernel->prologue.sweep;
	return true;
}

/* After a sweep from a group on: the thread is number `index` in another one, maybe. */
static void follow(struct eu_host_worker *crew, struct eu_job *job, struct resident *resident,
	const struct eu_thread *thread, uint32_t group)
{
	uint32_t id[3];

	for (; group != thread->group->id[0]; group++)
		next_group(crew, job, id);
	eu_recall_follow(&crew->recall, thread);
	resident->started = thread->index;
	resident->group.live = resident->group.thread_count - thread->index;
}

/* The started thread is no longer idle. */
static void enter_thread(
	struct eu_host_worker *crew, struct resident *resident, struct eu_thread *thread)
{
	crew->idle_count--;
	resident->threads[thread->index] = thread;
	resident->started++;
}

static void tell_begin(const struct eu_host_worker *crew, struct eu_thread *thread)
{
	const struct eu_probe *probe = crew->worker.probe;

	if (probe && probe->group_begin && thread->index == 0)
		probe->group_begin(probe, thread);
	if (probe && probe->thread_begin)
		probe->thread_begin(probe, thread);
}

static void tell_end(const struct eu_host_worker *crew, struct eu_thread *thread)
{
	const struct eu_probe *probe = crew->worker.probe;

	if (probe && probe->thread_end)
		probe->thread_end(probe, thread);
}

/* Whether the thread has signalled a barrier that is not complete. */
static bool signalled(const struct eu_thread *thread, const struct eu_group *group)
{
	return thread->barrier_pending && thread->barrier_generation == group->generation;
}

static void end_thread(struct eu_host_worker *crew, const struct eu_job *job,
	struct resident *resident, struct eu_thread *thread)
{
	struct eu_group *group = &resident->group;

	/* Who signalled and left without waiting is no longer among those that the barrier is for.
	 */
	if (signalled(thread, group) && group->arrived)
		group->arrived--;
	tell_end(crew, thread);
	group->live--;
	resident->threads[thread->index] = NULL;
	crew->idle[crew->idle_count++] =
		(uint16_t)(thread->fftid - crew->worker.number * job->resident_threads);
}

static void describe_fault(
	struct eu_host_worker *crew, const struct eu_job *job, const struct eu_thread *thread)
{
	struct gen_fault_place *place = &crew->fault.place;

	place->kernel = job->dispatch->kernel;
	place->has_thread = true;
	place->thread = thread->index;
	memcpy(place->group, thread->group->id, sizeof place->group);
	if (place->has_instruction)
		eu_name_find(&crew->worker, thread->kernel, place->instruction, place);
}

/* A barrier is complete when every thread that still lives has arrived. */
static bool complete_barrier(struct eu_group *group)
{
	if (!group->arrived || group->arrived < group->live)
		return false;
	group->arrived = 0;
	group->generation++;
	return true;
}

/* What follows when a thread has run for a slice. */
static enum turn stop_thread(struct eu_host_worker *crew, struct eu_job *job,
	struct resident *resident, struct eu_thread *thread, enum eu_status status)
{
	switch (status) {
	case EU_DONE:
		end_thread(crew, job, resident, thread);
		complete_barrier(&resident->group);
		return TURN_PROGRESS;
	case EU_BLOCKED:
		complete_barrier(&resident->group);
		return TURN_PROGRESS;
	case EU_FAULT:
		describe_fault(crew, job, thread);
		if (crew->worker.probe && crew->worker.probe->fault)
			crew->worker.probe->fault(crew->worker.probe, thread);
		return TURN_FAILED;
	default:
		return complete_barrier(&resident->group) || thread->held ? TURN_PROGRESS
									  : TURN_SPUN;
	}
}

/*
 * Runs threads of the group that have not started one after the other in `thread`, for as long as
 * they end at once: only the probe needs to know of those. The first that does not is entered.
 * Where no other group is resident, the next takes the place of one that has ended.
 */
static enum turn run_fresh(struct eu_host_worker *crew, struct eu_job *job,
	struct resident *resident, struct eu_thread *thread)
{
	struct eu_group *group = &resident->group;
	bool enters = group->arrived; /* what waits for a barrier has to be counted */
	bool plain = !job->kernel->changes_state && !job->kernel->keeps_acc;

	for (;;) {
		bool direct = start_thread(crew, job, resident, thread);
		tell_begin(crew, thread);
		if (enters)
			enter_thread(crew, resident, thread);
		uint32_t first = group->id[0];
		bool sweeps = direct && plain && !enters && sweep(crew, job, thread);
		enum eu_status status = eu_thread_go(thread, resident->slice);
		if (sweeps)
			follow(crew, job, resident, thread, first);
		thread->sweep.groups = 0;
		bool ends = status == EU_DONE && !thread->barrier_pending;
		if (!enters && !ends)
			enter_thread(crew, resident, thread);
		if (enters || !ends) {
			crew->ended = NULL;
			return stop_thread(crew, job, resident, thread, status);
		}
		tell_end(crew, thread);
		crew->ended = plain ? thread : NULL;
		resident->started++;
		group->live--;
		if (resident->started < group->thread_count)
			continue;
		if (group->live || crew->resident_count > 1 || job->hang_ms || stopped(job) ||
			!begin_group(crew, job, resident))
			return TURN_PROGRESS;
	}
}

/* Lets each thread of the group that can run do so once. */
static enum turn run_group(
	struct eu_host_worker *crew, struct eu_job *job, struct resident *resident)
{
	struct eu_group *group = &resident->group;
	bool progress = false, spun = false;

	for (uint32_t i = 0; i < group->thread_count && !(spun && stopped(job)); i++) {
		bool fresh = i == resident->started;
		struct eu_thread *thread = fresh ? idle_thread(crew, job) : resident->threads[i];
		enum turn turn = TURN_PROGRESS;
		if (fresh && !thread) {
			no_memory(crew);
			return TURN_FAILED;
		}
		if (fresh)
			turn = run_fresh(crew, job, resident, thread);
		else if (!thread || thread->meets == EU_MEETS_LATER ||
			 (thread->status == EU_BLOCKED && signalled(thread, group)))
			continue;
		else
			turn = stop_thread(
				crew, job, resident, thread, eu_thread_go(thread, resident->slice));
		if (turn == TURN_FAILED)
			return TURN_FAILED;
		spun |= turn == TURN_SPUN;
		progress |= turn == TURN_PROGRESS;
		if (fresh)
			i = resident->started - 1;
	}
	if (!group->live)
		return TURN_ENDED;
	if (!progress && !spun) {
		gen_fault_add(&crew->fault, GEN_FAULT_BAD_STATE,
			"group (%u, %u, %u) waits for a barrier that cannot be completed, or "
			"threads for the other of their pair (dpasw)",
			group->id[0], group->id[1], group->id[2]);
		return TURN_FAILED;
	}
	return progress ? TURN_PROGRESS : TURN_SPUN;
}

/* The resident at `place` has ended: the last one takes its place. */
static void close_group(struct eu_host_worker *crew, uint32_t place)
{
	struct resident *ended = crew->residents[place];

	crew->residents[place] = crew->residents[--crew->resident_count];
	crew->residents[crew->resident_count] = ended;
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* Whether the kernel has run for longer than it may; then that is its fault. */
static bool hangs(struct eu_host_worker *crew, struct eu_job *job)
{
	if (!job->hang_ms || now() - job->begun < job->hang_ms)
		return false;
	gen_fault_add(&crew->fault, GEN_FAULT_HANG,
		"the kernel at 0x%012llx runs for more than %u ms (ZEROCL_VGPU_HANG_MS)",
		(unsigned long long)job->dispatch->kernel, job->hang_ms);
	fail(crew, job);
	return true;
}

void eu_job_begin(struct eu_job *job)
{
	job->hang_ms = eu_debug_wanted() ? 0 : util_settings()->hang_ms;
	job->begun = job->hang_ms ? now() : 0;
}

/*
 * One turn for every resident group. A group that only spins may be waiting for a group that has
 * not started, so one more is started beside it for as long as there is room.
 */
static bool rotate(struct eu_host_worker *crew, struct eu_job *job)
{
	bool spun = false;

	for (uint32_t i = 0; i < crew->resident_count;) {
		struct resident *resident = crew->residents[i];
		switch (run_group(crew, job, resident)) {
		case TURN_FAILED:
			fail(crew, job);
			return false;
		case TURN_ENDED:
			close_group(crew, i);
			continue;
		case TURN_SPUN:
			spun = true;
			if (resident->slice < SLICE_MAX)
				resident->slice *= 2;
			break;
		case TURN_PROGRESS:
			break;
		}
		i++;
		if (stopped(job))
			return false;
	}
	if (hangs(crew, job))
		return false;
	if (spun || !crew->resident_count)
		open_group(crew, job);
	return !stopped(job) && crew->resident_count > 0;
}

/* What this host thread has computed so far. */
static uint64_t computed(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void eu_host_worker_work(struct eu_host_worker *crew, struct eu_job *job)
{
	uint64_t begun = job->timed ? computed() : 0;

	if (!prepare(crew, job)) {
		fail(crew, job);
		return;
	}
	unsigned mode = eu_float_mode_get();
	crew->worker.float_mode = mode;
	if (open_group(crew, job))
		while (rotate(crew, job))
			;
	eu_float_mode_set(mode);
	atomic_fetch_add(&job->instructions, crew->worker.instructions);
	if (job->timed)
		atomic_fetch_add(&job->nanoseconds, computed() - begun);
}

void eu_host_worker_end(const struct eu_host_worker *crew, unsigned workers)
{
	const struct eu_probe *probe = crew->worker.probe;

	if (probe && probe->walker_end)
		probe->walker_end(probe, &crew->worker, workers);
}
