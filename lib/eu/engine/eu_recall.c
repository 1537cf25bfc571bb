// SPDX-License-Identifier: MIT
#include "eu/engine/eu_recall.h"

#include <stdlib.h>
#include <string.h>

enum {
	MOST_BYTES = 32768, /* what the processor's cache holds besides a thread */
	DWORDS = GEN_GRF_BYTES / 4,
};

void eu_recall_begin(struct eu_recall *recall, const struct eu_kernel *kernel, uint32_t threads)
{
	size_t size = (size_t)kernel->prologue.count * GEN_GRF_BYTES;

	recall->prologue = NULL;
	recall->thread = NULL;
	if (!kernel->prologue.end || threads < 2 || threads > EU_GROUP_THREADS ||
		(threads + 1) * size > MOST_BYTES)
		return;
	if (!recall->own)
		recall->own = aligned_alloc(64, MOST_BYTES);
	if (!recall->own)
		return;
	memset(recall->has, 0, sizeof(recall->has));
	recall->delta = recall->own + threads * size;
	recall->prologue = &kernel->prologue;
}

void eu_recall_finish(struct eu_recall *recall)
{
	free(recall->own);
	memset(recall, 0, sizeof(*recall));
}

/* to = a - b, dword by dword. */
static void subtract(uint8_t *to, const uint8_t *a, const uint8_t *b)
{
	uint32_t x[DWORDS], y[DWORDS];

	memcpy(x, a, sizeof(x));
	memcpy(y, b, sizeof(y));
	for (unsigned i = 0; i < DWORDS; i++)
		x[i] -= y[i];
	memcpy(to, x, sizeof(x));
}

void eu_recall_keep(struct eu_recall *recall, const struct eu_thread *thread, uint64_t group)
{
	const struct eu_prologue *prologue = recall->prologue;
	uint32_t index = thread->index;
	uint8_t *own = recall->own + (size_t)index * prologue->count * GEN_GRF_BYTES;
	uint8_t *delta = recall->delta;
	bool first = index == 0 && !recall->thread;

	if (first) {
		recall->thread = thread;
		recall->place = thread->group;
	}
	if (recall->thread != thread || recall->place != thread->group)
		return;
	if (index == 0)
		recall->group = group;
	else if (recall->group != group || recall->has[index])
		return;
	recall->has[index] = true;
	for (uint32_t i = 0; i < prologue->count; i++) {
		const uint8_t *at = thread->grf + (size_t)prologue->registers[i] * GEN_GRF_BYTES;
		if (first)
			memcpy(own, at, GEN_GRF_BYTES);
		if (index == 0)
			subtract(delta, at, own);
		else
			subtract(own, at, delta);
		own += GEN_GRF_BYTES;
		delta += GEN_GRF_BYTES;
	}
}
