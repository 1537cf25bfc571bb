// SPDX-License-Identifier: MIT
#ifndef STRESS_WORKER_H
#define STRESS_WORKER_H

#include "stress.h"

#define STRESS_MAX_WAITS   4
#define STRESS_HISTORY	   8
#define STRESS_MAX_PENDING 4
#define STRESS_BYTES	   (STRESS_ITEMS * sizeof(uint32_t))

/* A buffer and what must be in it once its last command is done. */
struct item {
	cl_mem mem;
	cl_event last; /* a reference; NULL at first */
	uint32_t model[STRESS_ITEMS];
	const char *done[STRESS_HISTORY]; /* the last commands, for people */
	unsigned n_done;
};

/* One thread. */
struct worker {
	struct stress_worker *self;
	struct stress_context *context;
	cl_kernel add, affine, swap, print, pixels;
	struct item items[STRESS_BUFFERS];
	cl_event pending[STRESS_MAX_PENDING]; /* user events that are not set yet */
	int n_pending;
	uint32_t *room; /* what the device reads from or writes to while a command is in flight */
	cl_mem image;	/* STRESS_ITEMS pixels of one uint32_t in two rows; NULL: none can be had */
	cl_event image_last;
};

/* What a command of an item waits for: references. */
struct waits {
	cl_uint n;
	cl_event events[STRESS_MAX_WAITS];
};

unsigned stress_chance(struct worker *w, unsigned n);
cl_command_queue stress_any_queue(struct worker *w);
void stress_note(struct item *item, const char *what);
void stress_set_pending(struct worker *w);

/* The item's last event, and by chance another's and a user event that comes later; the latter not
 * if the thread is about to wait (`blocking`). */
struct waits stress_waits(struct worker *w, struct item *item, bool blocking);
const cl_event *stress_list(const struct waits *waits);
/* The command is the item's last one now. Takes over the event. */
void stress_enqueued(struct worker *w, struct item *item, struct waits *waits, cl_event event);
/* Ends the process if the n values from `first` on are not those of the model. */
void stress_compare(const struct item *item, size_t first, size_t n, const uint32_t *got);

/* stress_more.c: the pixels of the worker's image, an image in between, shared memory, recorded
 * commands, a launch that is repeated and waited for each time. */
void stress_more_open(struct worker *w);
void stress_more_close(struct worker *w);
void stress_image(struct worker *w, struct item *item);
void stress_svm(struct worker *w, struct item *item);
void stress_usm(struct worker *w, struct item *item);
void stress_record(struct worker *w, struct item *item);
void stress_repeat(struct worker *w, struct item *item);

/* stress_chaos.c */
void stress_tally(struct worker *w, struct item *item);
void stress_clone(struct worker *w, struct item *item);
void stress_part(struct worker *w, struct item *item);
void stress_queue(struct worker *w, struct item *item);
void stress_print(struct worker *w, struct item *item);
void stress_ask(struct worker *w, struct item *item);
void stress_build(struct worker *w, struct item *item);
void stress_world(struct worker *w, struct item *item);
void stress_fault(struct worker *w, struct item *item);

#endif
