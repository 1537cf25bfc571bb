// SPDX-License-Identifier: MIT
#include "eu/engine/eu_recall.h"

#include <stdlib.h>
#include <string.h>

#include "eu/state/eu_host.h"

enum {
	MOST_BYTES = 32768, /* what the processor's cache holds besides a thread */
	AXES = 3,
	DWORDS = GEN_GRF_BYTES / 4,
};

/* A register: all are added and multiplied dword by dword, modulo 2^32. */
typedef uint32_t whole __attribute__((vector_size(GEN_GRF_BYTES), may_alias));

static size_t size_of(const struct eu_prologue *prologue)
{
	return (size_t)prologue->count * GEN_GRF_BYTES;
}

void eu_recall_begin(struct eu_recall *recall, const struct eu_kernel *kernel, uint32_t threads)
{
	size_t size = size_of(&kernel->prologue);

	recall->prologue = NULL;
	recall->thread = NULL;
	recall->is_now = recall->is_behind = false;
	/* Of one thread only what comes from the group before is known. */
	if (!kernel->prologue.end || threads < (kernel->prologue.linear ? 1u : 2u) ||
		threads > EU_GROUP_THREADS || (threads + 1 + AXES) * size > MOST_BYTES)
		return;
	if (!recall->own)
		recall->own = aligned_alloc(64, MOST_BYTES);
	if (!recall->own)
		return;
	memset(recall->has, 0, sizeof(recall->has));
	memset(recall->steps, 0, sizeof(recall->steps));
	recall->delta = recall->own + threads * size;
	recall->step = recall->delta + size;
	recall->has_avx2 = eu_target_select().host != EU_HOST_BASE;
	recall->prologue = &kernel->prologue;
	recall->is_even = kernel->prologue.direct != NULL;
	recall->first_missing = recall->reaching = 0;
}

void eu_recall_finish(struct eu_recall *recall)
{
	free(recall->own);
	memset(recall, 0, sizeof(*recall));
}

static inline __attribute__((always_inline)) void add_all(
	const struct eu_recall *recall, uint8_t *to, const uint8_t *of, uint32_t times)
{
	uint32_t count = recall->prologue->count;
	whole *a = (whole *)(void *)to;
	const whole *b = (const whole *)(const void *)of;

	if (times == 1) {
		for (uint32_t i = 0; i < count; i++)
			a[i] += b[i];
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		a[i] += times * b[i];
}

/* `steps`: along x, first. */
static inline __attribute__((always_inline)) void write_all(
	struct eu_recall *recall, uint32_t index, uint8_t *grf, bool steps)
{
	const struct eu_prologue *prologue = recall->prologue;
	const uint8_t *r = prologue->registers, *end = r + prologue->count;
	const whole *own = (const whole *)(const void *)recall->own + index * prologue->count;
	const whole *step = (const whole *)(const void *)recall->step;
	whole *delta = (whole *)(void *)recall->delta, *to = (whole *)(void *)grf;

	for (; r != end; r++) {
		if (steps)
			*delta += *step++;
		to[*r] = *own++ + *delta++;
	}
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void add_avx2(
	const struct eu_recall *recall, uint8_t *to, const uint8_t *of, uint32_t times)
{
	add_all(recall, to, of, times);
}

__attribute__((target("avx2"))) static void write_avx2(
	struct eu_recall *recall, uint32_t index, uint8_t *grf, bool steps)
{
	if (steps)
		write_all(recall, index, grf, true);
	else
		write_all(recall, index, grf, false);
}
#else
#define add_avx2   add_all
#define write_avx2 write_all
#endif

/* to += times * of, for as many registers as are remembered of a thread. */
static void add(const struct eu_recall *recall, uint8_t *to, const uint8_t *of, uint32_t times)
{
	if (recall->has_avx2)
		add_avx2(recall, to, of, times);
	else
		add_all(recall, to, of, times);
}

void eu_recall_write(struct eu_recall *recall, uint32_t index, uint8_t *grf)
{
	bool steps = recall->is_behind;

	recall->is_behind = false;
	if (recall->has_avx2)
		write_avx2(recall, index, grf, steps);
	else
		write_all(recall, index, grf, steps);
}

bool eu_recall_lend(struct eu_recall *recall, struct eu_thread *thread, uint32_t index)
{
	if (!recall->is_even)
		return false;
	if (recall->is_behind)
		add(recall, recall->delta, recall->step, 1);
	recall->is_behind = false;
	thread->own = recall->own + index * size_of(recall->prologue);
	thread->delta = recall->delta;
	thread->lines = recall->lines[index];
	return true;
}

static uint32_t first_address(const struct eu_line *line, const uint8_t *registers)
{
	uint32_t address;

	memcpy(&address, registers + (size_t)line->first * GEN_GRF_BYTES, sizeof(address));
	return address;
}

/* Finds where the addresses of the first `end` threads lie. */
static void find_stretches(struct eu_recall *recall, uint32_t end)
{
	const struct eu_prologue *prologue = recall->prologue;
	size_t size = size_of(prologue);

	for (uint32_t i = 0; i < prologue->stretch_count; i++) {
		const struct eu_stretch *reach = &prologue->stretches[i];
		const struct eu_line *line = &prologue->lines[reach->line];
		struct eu_recall_stretch all = { .is_line = true };
		uint32_t origin = first_address(line, recall->own);
		for (uint32_t n = 0; n < end; n++) {
			uint32_t at = first_address(line, recall->own + n * size) - origin;
			all.low = (int32_t)at < all.low ? (int32_t)at : all.low;
			all.high = (int32_t)at > all.high ? (int32_t)at : all.high;
			all.is_line &= recall->lines[n][reach->line] == reach->shift;
		}
		recall->stretches[i] = all;
	}
	recall->reaching = end;
}

/* Whether a reach holds for all threads of that many groups. */
static bool holds(
	const struct eu_recall *recall, const struct eu_thread *thread, uint32_t i, uint32_t groups)
{
	const struct eu_stretch *reach = &recall->prologue->stretches[i];
	const struct eu_line *line = &recall->prologue->lines[reach->line];
	const struct eu_recall_stretch *all = &recall->stretches[i];
	const struct eu_surface *surface =
		(const void *)((const char *)thread->worker->surfaces + reach->surface);
	uint64_t end = reach->local ? thread->group->slm_reach : surface->reach;
	int64_t far =
		groups > 1 ? (int64_t)(int32_t)first_address(line, recall->step) * (groups - 1) : 0;
	int64_t at = first_address(line, recall->own) + first_address(line, recall->delta);

	at = (uint32_t)at;
	return all->is_line && at + all->low + (far < 0 ? far : 0) >= 0 &&
	       (uint64_t)(at + all->high + (far > 0 ? far : 0)) + reach->bytes <= end;
}

uint32_t eu_recall_sweep(
	struct eu_recall *recall, struct eu_thread *thread, uint32_t end, uint32_t groups)
{
	const struct eu_prologue *prologue = recall->prologue;
	size_t size = size_of(prologue);

	while (recall->first_missing < end && recall->has[recall->first_missing])
		recall->first_missing++;
	if (recall->first_missing < end)
		return 0;
	if (recall->reaching != end)
		find_stretches(recall, end);
	if (!recall->steps[0])
		groups = 1;
	for (uint32_t i = 0; i < prologue->stretch_count; i++)
		recall->misses[i] = !holds(recall, thread, i, groups);
	thread->lines = recall->misses;
	thread->sweep = (struct eu_sweep){ recall->own, recall->own + end * size, recall->step,
		prologue->again, groups };
	return groups;
}

/* Copies the registers of the thread. */
static void copy(const struct eu_recall *recall, uint8_t *to, const struct eu_thread *thread)
{
	const struct eu_prologue *prologue = recall->prologue;

	for (uint32_t i = 0; i < prologue->count; i++)
		memcpy(to + (size_t)i * GEN_GRF_BYTES,
			thread->grf + (size_t)prologue->registers[i] * GEN_GRF_BYTES,
			GEN_GRF_BYTES);
}

/* How far each address of a line is from the one before; *is_line: all are as far. */
static uint32_t step_of(const struct eu_line *line, const uint8_t *registers, bool *is_line)
{
	uint32_t at[2 * DWORDS], count = line->second == line->first ? DWORDS : 2 * DWORDS, step;

	memcpy(at, registers + (size_t)line->first * GEN_GRF_BYTES, GEN_GRF_BYTES);
	memcpy(at + DWORDS, registers + (size_t)line->second * GEN_GRF_BYTES, GEN_GRF_BYTES);
	step = at[1] - at[0];
	*is_line = true;
	for (uint32_t i = 2; i < count; i++)
		*is_line &= at[i] - at[i - 1] == step;
	return step;
}

/* Finds the lines of a thread's own registers. */
static void find_lines(struct eu_recall *recall, uint32_t index)
{
	const struct eu_prologue *prologue = recall->prologue;
	const uint8_t *own = recall->own + index * size_of(prologue);

	for (uint32_t i = 0; i < prologue->line_count; i++) {
		uint8_t *to = &recall->lines[index][i];
		bool is_line;
		uint32_t step = step_of(&prologue->lines[i], own, &is_line);

		*to = is_line && step == 0 ? EU_SAME : EU_NO_LINE;
		for (uint8_t n = 0; is_line && n < 32; n++)
			if (step == UINT32_C(1) << n)
				*to = n;
	}
}

/* Whether the group adds the same to all addresses of each line. */
static bool is_even(const struct eu_recall *recall)
{
	const struct eu_prologue *prologue = recall->prologue;
	bool all = true, is_line;

	for (uint32_t i = 0; i < prologue->line_count && all; i++)
		all = step_of(&prologue->lines[i], recall->delta, &is_line) == 0 && is_line;
	return all;
}

/*
 * The axis along which the id differs by 1 from that of `delta`, and whose step is not known; -1 if
 * the steps of all axes along which it differs are, -2 if it differs in another way.
 */
static int unknown_axis(const struct eu_recall *recall, const uint32_t id[AXES])
{
	int unknown = -1;

	for (int i = 0; i < AXES; i++)
		if (id[i] != recall->id[i] && !recall->steps[i])
			unknown = unknown == -1 && id[i] - recall->id[i] == 1 ? i : -2;
	return unknown;
}

/* Adds the known steps to another group to `delta`. */
static void walk(struct eu_recall *recall, const uint32_t id[AXES])
{
	for (unsigned i = 0; i < AXES; i++) {
		if (id[i] != recall->id[i] && recall->steps[i])
			add(recall, recall->delta, recall->step + i * size_of(recall->prologue),
				id[i] - recall->id[i]);
		recall->id[i] = id[i];
	}
}

/* The thread is number 0 of its group: learns what the group adds, and a step if it can. */
static void keep_first(struct eu_recall *recall, const struct eu_thread *thread)
{
	int axis = recall->prologue->linear ? unknown_axis(recall, thread->group->id) : -1;

	walk(recall, thread->group->id);
	if (axis >= 0) {
		uint8_t *step = recall->step + (unsigned)axis * size_of(recall->prologue);
		/* What the other axes do not explain. */
		copy(recall, step, thread);
		add(recall, step, recall->own, UINT32_MAX);
		add(recall, step, recall->delta, UINT32_MAX);
		recall->steps[axis] = true;
	}
	copy(recall, recall->delta, thread);
	add(recall, recall->delta, recall->own, UINT32_MAX);
	recall->is_now = true;
	recall->is_even = recall->is_even && is_even(recall);
}

void eu_recall_keep(struct eu_recall *recall, const struct eu_thread *thread)
{
	size_t size = size_of(recall->prologue);
	uint32_t index = thread->index;
	uint8_t *own = recall->own + index * size;

	if (index == 0 && !recall->thread) {
		recall->thread = thread;
		recall->place = thread->group;
		recall->has[0] = recall->is_now = true;
		copy(recall, own, thread);
		find_lines(recall, index);
		memset(recall->delta, 0, size);
		memcpy(recall->id, thread->group->id, sizeof(recall->id));
	} else if (recall->thread != thread || recall->place != thread->group) {
		return;
	} else if (index == 0) {
		keep_first(recall, thread);
	} else if (!recall->has[index] && recall->is_now) {
		recall->has[index] = true;
		copy(recall, own, thread);
		add(recall, own, recall->delta, UINT32_MAX);
		find_lines(recall, index);
	}
}

void eu_recall_move(struct eu_recall *recall, const struct eu_thread *thread)
{
	if (recall->place != thread->group)
		return;
	recall->is_now = false; /* whoever begins the group */
	if (recall->thread != thread)
		return;
	const uint32_t *id = thread->group->id;
	if (recall->steps[0] && id[0] == recall->id[0] + 1 && id[1] == recall->id[1] &&
		id[2] == recall->id[2]) { /* nearly always */
		recall->id[0]++;
		recall->is_now = recall->is_behind = true;
		return;
	}
	recall->is_now = recall->prologue->linear && unknown_axis(recall, id) == -1;
	if (recall->is_now)
		walk(recall, id);
}
