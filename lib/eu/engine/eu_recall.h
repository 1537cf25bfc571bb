// SPDX-License-Identifier: MIT
#ifndef EU_RECALL_H
#define EU_RECALL_H

#include "eu/engine/eu_payload.h"
#include "eu/ops/eu_kernel.h"
#include "eu/state/eu_thread.h"

/*
 * What a worker remembers of the prologue of a walker's kernel (struct eu_prologue), so that its
 * threads need not execute it each time. Thread 0 of a group does, the others do once. Where the
 * prologue is linear in the group's id, thread 0 does only until it is known what a step of the id
 * along each axis adds.
 */
struct eu_recall {
	const struct eu_prologue *prologue; /* NULL: nothing is remembered */
	const struct eu_thread *thread;	    /* whose registers they were … */
	const struct eu_group *place;	    /* … and where; NULL: none yet */
	uint32_t id[3];			    /* of the group that `delta` is for … */
	bool is_now;			    /* … which is the one in `place` */
	uint8_t *own;	/* of each thread of a group, its registers in the first group; owned */
	uint8_t *delta; /* behind them: what is to be added in that group, */
	uint8_t *step;	/* and what is added to that for the next group along each axis … */
	bool steps[3];	/* … of these */
	bool is_behind; /* `delta` lacks a step along x, which write and lend add */
	bool has[EU_GROUP_THREADS]; /* the threads that are in `own` */
	bool has_avx2;		    /* the host */
	bool is_even; /* the groups' part of each of prologue->lines was one number so far, */
	uint8_t lines[EU_GROUP_THREADS][EU_LINES]; /* and the threads' part is this (eu_thread) */
	uint32_t first_missing;			   /* in `own`; all threads before it are there */
	/* Of prologue->stretches, for these threads: how far from thread 0's their addresses lie,
	 */
	struct eu_recall_stretch {
		int32_t low, high;
		bool is_line; /* if the shift is right. */
	} stretches[EU_STRETCHES];
	uint32_t reaching;	      /* the threads that these are of; 0: none yet */
	uint8_t misses[EU_STRETCHES]; /* what a sweep finds in thread->lines */
};

/*
 * Forgets everything and gets ready for a walker whose groups have `threads` threads that run in
 * one place. For none, or without memory, nothing is remembered.
 */
void eu_recall_begin(struct eu_recall *recall, const struct eu_kernel *kernel, uint32_t threads);
void eu_recall_finish(struct eu_recall *recall);

/* Remembers the registers of a thread, which has just executed the prologue with all channels. */
void eu_recall_keep(struct eu_recall *recall, const struct eu_thread *thread);

/*
 * Gets ready for the group of the thread, which is number 0 of it and about to start, if that can
 * be done without executing the prologue.
 */
void eu_recall_move(struct eu_recall *recall, const struct eu_thread *thread);

/*
 * Whether eu_recall_write knows the registers of the thread if it is number `index` of its group.
 * Those that no thread changes are in it from the last time.
 */
static inline bool eu_recall_has(
	const struct eu_recall *recall, const struct eu_thread *thread, uint32_t index)
{
	return recall->is_now && recall->has[index] && recall->thread == thread &&
	       recall->place == thread->group;
}

/* Writes what that thread's kernel needs behind the prologue. Follows eu_recall_move at once. */
void eu_recall_write(struct eu_recall *recall, uint32_t index, uint8_t *grf);

/*
 * Lets a thread that is here, with all channels, go on at prologue.direct. Returns whether it does;
 * else it needs eu_recall_write.
 */
bool eu_recall_lend(struct eu_recall *recall, struct eu_thread *thread, uint32_t index);

/*
 * Lets a thread that eu_recall_lend has let go on be followed by those up to number `end` - 1, and
 * by as many of the next `groups` - 1 groups along x: at prologue.sweep, which there is. Returns
 * the number of groups, the thread's own included; 0: only that thread.
 */
uint32_t eu_recall_sweep(
	struct eu_recall *recall, struct eu_thread *thread, uint32_t end, uint32_t groups);

/* Follows a sweep that has gone on to the group in which the thread is now. */
static inline void eu_recall_follow(struct eu_recall *recall, const struct eu_thread *thread)
{
	recall->id[0] = thread->group->id[0];
}

#endif
