// SPDX-License-Identifier: MIT
#ifndef STRESS_H
#define STRESS_H

#include <CL/cl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * A context has all devices. Each thread owns some buffers, of which it keeps a model in plain
 * memory. All threads of a context share its queues: in order and out of order, profiled and not. A
 * command on a buffer goes to a queue by chance and waits for the last event of that buffer, and by
 * chance for events of others. So each buffer has one history, whatever else runs, and its bytes
 * can be compared.
 *
 * Nothing waits in a circle: a command waits for what was enqueued before it, and a thread sets its
 * user events before it waits for anything.
 */
#define STRESS_CONTEXTS 2
#define STRESS_QUEUES	5
#define STRESS_DEVICES	3    /* at most; one more is for faults */
#define STRESS_ITEMS	1024 /* uint32_t of a buffer */
#define STRESS_BUFFERS	6    /* of a thread */
#define STRESS_RECENT	32

/* Of one device: a kernel adds 1 to each item of a buffer; all threads launch it. */
struct stress_tally {
	cl_kernel kernel;
	cl_mem mem;
	atomic_long launches;
};

/* What kernels have printed, must be in the file: numbers, a line each. */
extern struct stress_printed {
	atomic_long lines, sum;
	FILE *file; /* the standard output goes there */
} stress_printed;

struct stress_context {
	cl_context context;
	cl_device_id victim;		      /* not in the context; NULL: there is none */
	cl_device_id devices[STRESS_DEVICES]; /* all of the platform; the queues take turns */
	cl_uint n_devices;
	cl_program program;
	struct stress_tally tallies[STRESS_DEVICES];
	cl_command_queue queues[STRESS_QUEUES];
	pthread_mutex_t lock;
	cl_event recent[STRESS_RECENT]; /* under lock; references */
	atomic_long callbacks_set, callbacks_called;
};

struct stress_worker {
	uint64_t seed;
	struct stress_context *context;
	unsigned long steps;
};

/* Threads end soon. */
extern atomic_bool stress_over;

/* Prints and ends the process. */
void stress_fail(const char *what, long value) __attribute__((noreturn));
#define STRESS(call)                                                                               \
	do {                                                                                       \
		cl_int stress_rc_ = (call);                                                        \
		if (stress_rc_)                                                                    \
			stress_fail(#call, stress_rc_);                                            \
	} while (0)

/* The program of all, built for all devices of the context. */
cl_program stress_program(cl_context context);
void stress_context_open(struct stress_context *context);
void stress_context_close(struct stress_context *context);
/* Waits until nothing is left, callbacks included, forgets the recent events and compares the
 * tallies. */
void stress_context_settle(struct stress_context *context);
/* An event that somebody made lately, with a reference; NULL by chance. */
cl_event stress_context_recent(struct stress_context *context, unsigned chance);
void stress_context_publish(struct stress_context *context, cl_event event, unsigned chance);

/* What a thread does until stress_over. */
void stress_work(struct stress_worker *worker);

#endif
