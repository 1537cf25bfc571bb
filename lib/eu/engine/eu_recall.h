// SPDX-License-Identifier: MIT
#ifndef EU_RECALL_H
#define EU_RECALL_H

#include "eu/engine/eu_payload.h"
#include "eu/ops/eu_kernel.h"
#include "eu/state/eu_thread.h"

enum { EU_GROUP_THREADS = 128 /* of a group, at most */ };

/*
 * What a worker remembers of the prologue of a walker's kernel (struct eu_prologue), so that its
 * threads need not execute it each time. Thread 0 of each group does; the others do once.
 */
struct eu_recall {
	const struct eu_prologue *prologue; /* NULL: nothing is remembered */
	const struct eu_thread *thread;	    /* whose registers they were … */
	const struct eu_group *place;	    /* … and where; NULL: none yet */
	uint64_t group;			    /* number of the group that `delta` is for */
	uint8_t *own;	/* of each thread of a group, its registers in the first group; owned */
	uint8_t *delta; /* behind them: what is to be added in that group */
	bool has[EU_GROUP_THREADS]; /* the threads that are in `own` */
};

/*
 * Forgets everything and gets ready for a walker whose groups have `threads` threads that run in
 * one place. For less than two, or without memory, nothing is remembered.
 */
void eu_recall_begin(struct eu_recall *recall, const struct eu_kernel *kernel, uint32_t threads);
void eu_recall_finish(struct eu_recall *recall);

/* Remembers the registers of a thread of a group, which has just executed the prologue. */
void eu_recall_keep(struct eu_recall *recall, const struct eu_thread *thread, uint64_t group);

/*
 * Whether eu_payload_write can take the registers of the thread from here if it is number `index`
 * of its group. Those that no thread changes are in it from the last time.
 */
static inline bool eu_recall_has(const struct eu_recall *recall, const struct eu_thread *thread,
	uint64_t group, uint32_t index)
{
	return recall->thread == thread && recall->place == thread->group &&
	       recall->group == group && index > 0 && recall->has[index];
}

#endif
