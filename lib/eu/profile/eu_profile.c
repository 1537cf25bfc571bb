// SPDX-License-Identifier: MIT
#include "eu/profile/eu_profile.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "eu/ops/eu_send_uop.h"
#include "eu/ops/eu_symbols.h"
#include "util/util_settings.h"
#include "util/util_thread.h"

enum { WORKERS = 256 };

/* A kernel's counts: each worker's since the walker began, and rows of those that have ended. */
struct profile {
	struct eu_probe probe; /* the first member */
	const struct eu_kernel *kernel;
	eu_profile_lanes *lanes;
	struct message {
		const struct eu_send *send;
		const struct gen_inst *inst;
		size_t place; /* of its counts */
		uint32_t channels;
		bool plain;	  /* eu_profile_is_plain */
	} * messages;		  /* of kernel->sends */
	struct message **by_inst; /* of each instruction that is one */
	size_t places;
	uint64_t *workers[WORKERS];
	struct eu_profile_row *rows;
	struct profile *next; /* of all */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of workers, rows and what follows */
UTIL_FORK_SAFE(lock, 1)
static struct profile *profiles;
static unsigned described;

bool eu_profile_wanted(void)
{
	return util_settings()->profile != NULL;
}

bool eu_profile_wants(const struct gen_inst *inst, unsigned probes)
{
	(void)probes;
	return gen_ops[inst->op].class == GEN_CLASS_SEND;
}

static struct profile *profile_of(const struct eu_probe *probe)
{
	return (struct profile *)(uintptr_t)probe;
}

static uint64_t *tallies(const struct eu_probe *probe, const struct eu_worker *worker)
{
	struct profile *profile = profile_of(probe);
	uint64_t **place = &profile->workers[worker->number % WORKERS];

	if (!*place) {
		pthread_mutex_lock(&lock);
		*place = calloc(profile->places, sizeof **place);
		pthread_mutex_unlock(&lock);
	}
	return *place;
}

/* A message whose descriptors lie in a0; one that does not exist is a fault of the message. */
__attribute__((noinline)) static void step_unbound(
	struct eu_thread *thread, const struct eu_send *send, uint32_t lanes, uint64_t *counts)
{
	struct gen_fault ignored = { .kind = GEN_FAULT_NONE };
	struct eu_send bound = *send;

	if (eu_send_bind(thread, &bound, &ignored))
		eu_profile_message(thread, &bound, lanes, counts);
}

/* A message is about to be executed. */
static void step(const struct eu_probe *probe, struct eu_thread *thread, uint32_t index)
{
	const struct profile *profile = profile_of(probe);
	const struct message *message = profile->by_inst[index];
	const struct gen_inst *inst = message->inst;
	const struct eu_send *send = message->send;
	uint64_t *counts = thread->tallies + message->place;
	uint32_t lanes = message->channels & (inst->no_mask ? UINT32_MAX : thread->act.bits);

	if (inst->predicate != GEN_PRED_NONE)
		lanes &= eu_predicate_bits(
			thread->flag, inst->flag, inst->predicate, inst->predicate_invert);
	lanes >>= inst->channel_offset;
	if (message->plain && lanes != 0 && profile->lanes(thread, send, lanes, counts))
		return;
	(send->run ? eu_profile_message : step_unbound)(thread, send, lanes, counts);
}

/* ---- walkers that have ended ---- */

static struct eu_profile_row *row_find(
	const struct profile *profile, uint64_t name, const struct eu_dispatch *dispatch)
{
	for (struct eu_profile_row *row = profile->rows; row; row = row->next)
		if (row->name == name && row->group_threads == dispatch->threads_per_group &&
			row->slm_bytes == dispatch->slm_bytes &&
			row->scratch_bytes == dispatch->scratch_bytes_per_thread)
			return row;
	return NULL;
}

/* NULL when memory is short. */
static struct eu_profile_row *row_add(
	struct profile *profile, uint64_t name, const struct eu_worker *worker)
{
	const struct eu_dispatch *dispatch = worker->dispatch;
	struct eu_profile_row *row = calloc(1, sizeof *row);

	if (!row)
		return NULL;
	*row = (struct eu_profile_row){ .next = profile->rows,
		.name = name,
		.group_threads = dispatch->threads_per_group,
		.slm_bytes = dispatch->slm_bytes,
		.scratch_bytes = dispatch->scratch_bytes_per_thread,
		.residence = eu_residence_of(worker->device, dispatch),
		.at = -1,
		.counts = calloc(profile->places, sizeof *row->counts) };
	if (!row->counts) {
		free(row);
		return NULL;
	}
	for (const struct eu_profile_row *other = profile->rows; other; other = other->next)
		if (other->name == name)
			row->number = other->number;
	if (!row->number) {
		row->number = ++described;
		eu_profile_describe(profile->kernel, worker, row->number);
	}
	return profile->rows = row;
}

/* Adds what a micro-operation has counted of a message to what the probe has. */
static void join(const struct profile *profile, const struct message *message, uint64_t *counts)
{
	uint32_t bits = profile->kernel->tally[message->send->inst].bits;
	const struct eu_access *access = &message->send->access;
	const bool is_block = access->kind == EU_ACCESS_BLOCK;
	const unsigned lanes = (unsigned)__builtin_popcount(message->channels);
	const unsigned size = access->size * (unsigned)__builtin_popcount(access->channels);
	uint64_t *near = counts + bits, *all = counts + message->place;

	if (bits == 0)
		return;
	all[EU_PROFILE_LANES] += near[EU_TALLY_NEAR] * lanes;
	all[EU_PROFILE_BYTES] += near[EU_TALLY_NEAR] * (is_block ? access->bytes : lanes * size);
	all[access->space == EU_SPACE_SLM ? EU_PROFILE_CONFLICTS : EU_PROFILE_LINES] +=
		near[EU_TALLY_MORE];
	near[EU_TALLY_NEAR] = near[EU_TALLY_MORE] = 0;
}

/* Takes what the worker has counted; false when that is nothing. */
static bool take(struct profile *profile, const struct eu_worker *worker, uint64_t *counts)
{
	uint64_t *own = profile->workers[worker->number % WORKERS], any = 0;

	for (size_t i = 0; own && i < profile->places; i++) {
		any |= own[i];
		counts[i] += own[i];
		own[i] = 0;
	}
	for (uint32_t i = 0; i < profile->kernel->send_count; i++)
		join(profile, &profile->messages[i], counts);
	return any != 0;
}

static uint64_t items_of(const struct eu_dispatch *dispatch)
{
	uint32_t all = UINT32_MAX >> (32 - dispatch->simd);

	return (uint64_t)(dispatch->threads_per_group - 1) * dispatch->simd +
	       (unsigned)__builtin_popcount(all & dispatch->right_mask);
}

static void add_launch(struct eu_profile_row *row, const struct eu_dispatch *dispatch)
{
	uint64_t groups = 1;

	for (unsigned i = 0; i < 3; i++)
		groups *= dispatch->group_end[i] - dispatch->group_first[i];
	row->launches++;
	row->groups += groups;
	row->threads += groups * dispatch->threads_per_group;
	row->items += groups * items_of(dispatch);
}

/* Adds what the worker has counted of the kernel, or of a function that is called in it. */
static void add_counts(
	struct profile *profile, const struct eu_worker *worker, bool is_first, bool is_last)
{
	uint64_t name = eu_name_number(worker);
	struct eu_profile_row *row = row_find(profile, name, worker->dispatch);

	if (!row)
		row = row_add(profile, name, worker);
	if (!row)
		return;
	bool any = take(profile, worker, row->counts);
	if (is_first)
		add_launch(row, worker->dispatch);
	if (is_last || (any && profile->kernel != worker->kernel))
		eu_profile_write(profile->kernel, row);
}

static void walker_end(
	const struct eu_probe *probe, const struct eu_worker *worker, unsigned workers)
{
	unsigned last = workers - 1;

	pthread_mutex_lock(&lock);
	add_counts(profile_of(probe), worker, worker->number == 0, worker->number == last);
	for (unsigned i = 0; i < EU_FUNCTIONS; i++) {
		const struct eu_kernel *function = worker->functions[i].kernel;
		if (function && function->tally)
			add_counts(profile_of(function->probe), worker, false, false);
	}
	pthread_mutex_unlock(&lock);
}

/* ---- the end of kernels, and forks ---- */

static void profile_free(struct profile *profile)
{
	while (profile->rows) {
		struct eu_profile_row *row = profile->rows;
		profile->rows = row->next;
		free(row->counts);
		free(row);
	}
	for (unsigned i = 0; i < WORKERS; i++)
		free(profile->workers[i]);
	free(profile->messages);
	free(profile->by_inst);
	free(profile);
}

static void destroy(struct eu_probe *probe)
{
	struct profile *profile = profile_of(probe);

	pthread_mutex_lock(&lock);
	for (struct profile **at = &profiles; *at; at = &(*at)->next)
		if (*at == profile) {
			*at = profile->next;
			break;
		}
	pthread_mutex_unlock(&lock);
	profile_free(profile);
}

/* What a child has of its parent's counts is the parent's, which writes it. */
static void forget_all(void)
{
	for (struct profile *profile = profiles; profile; profile = profile->next)
		for (struct eu_profile_row *row = profile->rows; row; row = row->next) {
			row->launches = row->groups = row->threads = row->items = 0;
			row->at = -1;
			memset(row->counts, 0, profile->places * sizeof *row->counts);
		}
}

static void begin(void)
{
	(void)pthread_atfork(NULL, NULL, forget_all);
}

struct eu_probe *eu_profile_create(const struct eu_kernel *kernel, unsigned probes)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct profile *profile = calloc(1, sizeof *profile);

	(void)probes;
	if (!profile)
		return NULL;
	(void)pthread_once(&once, begin);
	*profile = (struct profile){ .probe = { .step = step,
					     .tallies = tallies,
					     .walker_end = walker_end,
					     .destroy = destroy },
		.kernel = kernel,
		.lanes = eu_profile_select(eu_target_select().host),
		.places = kernel->tally_count + (size_t)kernel->send_count * EU_PROFILE_MESSAGE,
		.messages = calloc(kernel->send_count + 1, sizeof *profile->messages),
		.by_inst = calloc(kernel->program->count, sizeof(*profile->by_inst)) };
	if (!profile->messages || !profile->by_inst) {
		profile_free(profile);
		return NULL;
	}
	for (uint32_t i = 0; i < kernel->send_count; i++) {
		const struct eu_send *send = &kernel->sends[i];
		struct message *message = &profile->messages[i];
		message->send = send;
		message->inst = &kernel->program->inst[send->inst];
		message->place = kernel->tally_count + (size_t)i * EU_PROFILE_MESSAGE;
		message->channels = gen_inst_channels(message->inst);
		message->plain = profile->lanes && eu_profile_is_plain(send);
		profile->by_inst[send->inst] = message;
	}
	pthread_mutex_lock(&lock);
	profile->next = profiles;
	profiles = profile;
	pthread_mutex_unlock(&lock);
	return &profile->probe;
}
